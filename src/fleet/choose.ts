// Which ClusterProfile leads to a cluster name, and why none does. Pure.
import { compareText } from '#base'
import { findCondition } from '#kube'
import type { Access } from './access.ts'
import { type ClusterProfile, clusterNameOf } from './cluster-profile.ts'
import { anyName, type NameRule } from './name-rule.ts'

export type Choice =
  | { readonly kind: 'profile'; readonly profile: ClusterProfile; readonly access: Extract<Access, { kind: 'access' }> }
  /** `absent`: no profile has the name at all. */
  | { readonly kind: 'none'; readonly absent: boolean; readonly message: string }

/** The oldest that can be used: a second one with the same name changes nothing while the first is there. */
export function chooseProfile(
  cluster: string,
  profiles: readonly ClusterProfile[],
  accessOf: (profile: ClusterProfile) => Access,
  mayName: NameRule = anyName,
): Choice {
  const listed = profiles
    .filter(profile => clusterNameOf(profile) === cluster && profile.metadata.deletionTimestamp === undefined && mayName(profile))
    .toSorted(bySeniority)
  if (listed.length === 0)
    return { kind: 'none', absent: true, message: `no ClusterProfile leads to cluster ${cluster}; publish one` }
  const healthy = listed.filter(isHealthy)
  if (healthy.length === 0) {
    const names = listed.map(({ metadata }) => `${metadata.namespace ?? ''}/${metadata.name}`).join(', ')
    const message = `ClusterProfile ${names} does not say ControlPlaneHealthy=True; see the cluster's agent and its manager`
    return { kind: 'none', absent: false, message }
  }
  let first: Access | undefined
  for (const profile of healthy) {
    const access = accessOf(profile)
    if (access.kind === 'access') return { kind: 'profile', profile, access }
    first ??= access
  }
  return { kind: 'none', absent: false, message: first?.kind === 'none' ? first.message : `cluster ${cluster} cannot be reached` }
}

/** Older first; a fixed order, so that every replica and every restart decides alike. */
export function bySeniority(a: ClusterProfile, b: ClusterProfile): number {
  return (
    compareText(a.metadata.creationTimestamp ?? '', b.metadata.creationTimestamp ?? '') ||
    compareText(a.metadata.namespace ?? '', b.metadata.namespace ?? '') ||
    compareText(a.metadata.name, b.metadata.name)
  )
}

function isHealthy({ status }: ClusterProfile): boolean {
  return findCondition(status?.conditions, 'ControlPlaneHealthy')?.status === 'True'
}
