// The cluster that a namespace stands for, with what the inventory says of it that this operator reads.
import { type ClusterProfile, type ClusterResolution, type NameRule, resolveCluster } from '#fleet'
import { type ClusterProperties, propertiesOf } from './properties.ts'

type Resolved = Extract<ClusterResolution, { kind: 'resolved' }>

export type DescribedCluster =
  | (Resolved & { readonly properties: ClusterProperties })
  | Extract<ClusterResolution, { kind: 'unresolved' }>

export function describeCluster(
  namespace: string,
  profiles: readonly ClusterProfile[],
  mayName: NameRule | undefined,
): DescribedCluster {
  const found = resolveCluster(namespace, profiles, mayName)
  return found.kind === 'resolved' ? { ...found, properties: propertiesOf(found.profile) } : found
}
