// Whether a Config shares the runtime on its cluster with another one, which keeps it when the first goes.
import { type ClusterProfile, type ClusterResolution, type Engagements, type NameRule, resolveCluster } from '#fleet'
import type { Reads } from '#runtime'
import { configKind, type WorkloadIdentityConfig } from '../api/kinds.ts'
import type { SharedRuntime } from './seen.ts'

export function findSharedRuntime(
  config: WorkloadIdentityConfig,
  resolution: ClusterResolution,
  world: Reads,
  profiles: readonly ClusterProfile[],
  { engagements, mayName }: { readonly engagements?: Engagements; readonly mayName?: NameRule },
): SharedRuntime {
  const siblings = world
    .list<WorkloadIdentityConfig>(configKind.type)
    .filter(
      ({ metadata, spec }) =>
        metadata.uid !== config.metadata.uid && metadata.deletionTimestamp === undefined && spec.type === 'SelfHostedIRSA',
    )
  const cluster = resolution.kind === 'resolved' ? resolution.logicalName : config.status?.resolvedClusterName
  if (cluster === undefined || siblings.length === 0) return { kind: 'no' }
  if (siblings.some(({ status }) => status?.resolvedClusterName === cluster)) return { kind: 'shared' }
  // What another name leads to is seen only by going there: one of two names for a cluster is refused for the other's sake (M12).
  const { namespace: own = '' } = config.metadata
  const isSame = (one: string, other: string): boolean => engagements?.sameClusterAs?.(one) === other
  const names = siblings.map(({ metadata }) => metadata.namespace ?? '')
  if (names.some(other => isSame(other, own) || isSame(own, other))) return { kind: 'shared' }
  for (const { metadata } of siblings) {
    const found = resolveCluster(metadata.namespace ?? '', profiles, mayName)
    const name = `${metadata.namespace ?? ''}/${metadata.name}`
    if (found.kind === 'unresolved') {
      return { kind: 'unknown', message: `whether Config ${name} uses the same cluster is not known: ${found.message}` }
    }
    if (found.logicalName === cluster) return { kind: 'shared' }
  }
  return { kind: 'no' }
}
