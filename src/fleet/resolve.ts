// Which cluster a workload namespace stands for. Pure, from lists only: nothing needs to read a profile by its name.
import { compareText } from '#base'
import type { ClusterProfile } from './cluster-profile.ts'
import { clusterManagerLabel, clusterManagerWanted, clusterNameLabel } from './cluster-profile.ts'
import { anyName, type NameRule } from './name-rule.ts'

export type UnresolvedReason = 'ClusterProfileNotFound' | 'InventoryUnavailable' | 'InventoryAmbiguous'

export type ClusterResolution =
  | {
      readonly kind: 'resolved'
      readonly namespace: string
      /** `<n>/<n>`: the key of the cluster in `status.resolvedClusterName`. */
      readonly logicalName: string
      readonly profile: ClusterProfile
    }
  | { readonly kind: 'unresolved'; readonly reason: UnresolvedReason; readonly message: string }

/** `profiles`: all that are in scope, of whatever namespace and manager. */
export function resolveCluster(
  namespace: string,
  profiles: readonly ClusterProfile[],
  mayName: NameRule = anyName,
): ClusterResolution {
  const claiming = profiles.filter(profile => standsFor(profile, namespace)).toSorted(byName)
  const listed = claiming.filter(mayName)
  if (listed.length === 0 && claiming.length > 0) {
    const who = claiming.map(nameOf).join(', ')
    return unresolved(
      'ClusterProfileNotFound',
      `ClusterProfile ${who} claims the name ${namespace}, which profiles of its namespace may not have (--cluster-name-bindings)`,
    )
  }
  if (listed.length === 0) {
    return unresolved(
      'ClusterProfileNotFound',
      `no ClusterProfile has the labels ${clusterNameLabel}=${namespace} and ${clusterManagerLabel}=${clusterManagerWanted} in the watched namespaces`,
    )
  }
  // The deprecated credentialProviders do not count.
  const reachable = listed.filter(({ status }) => (status?.accessProviders ?? []).length > 0)
  const [profile, ...others] = reachable
  if (profile === undefined) {
    return unresolved('InventoryUnavailable', `ClusterProfile ${listed.map(nameOf).join(', ')} offers no access provider yet`)
  }
  if (others.length > 0) {
    return unresolved(
      'InventoryAmbiguous',
      `several ClusterProfiles stand for ${namespace}: ${reachable.map(nameOf).join(', ')}; leave one of them with the label`,
    )
  }
  return { kind: 'resolved', namespace, logicalName: `${namespace}/${namespace}`, profile }
}

/** The workload namespace of a logical cluster name; `undefined` for what is none. */
export function namespaceOfLogicalName(logicalName: string): string | undefined {
  const [namespace = '', name = '', ...rest] = logicalName.split('/')
  return namespace === '' || name === '' || rest.length > 0 ? undefined : namespace
}

function standsFor({ metadata }: ClusterProfile, namespace: string): boolean {
  return metadata.labels?.[clusterNameLabel] === namespace && metadata.labels[clusterManagerLabel] === clusterManagerWanted
}

function byName(a: ClusterProfile, b: ClusterProfile): number {
  return compareText(a.metadata.namespace ?? '', b.metadata.namespace ?? '') || compareText(a.metadata.name, b.metadata.name)
}

function nameOf({ metadata }: ClusterProfile): string {
  return `${metadata.namespace ?? ''}/${metadata.name}`
}

function unresolved(reason: UnresolvedReason, message: string): ClusterResolution {
  return { kind: 'unresolved', reason, message }
}
