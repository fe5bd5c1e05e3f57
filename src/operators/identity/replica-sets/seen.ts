// Everything that a decision about a ReplicaSet rests on.
import type { PlacementResolution } from '#fleet'
import type { PlacementRef, ServiceAccountRoleReplicaSet as ReplicaSet, ServiceAccountRole } from '../api/kinds.ts'

export interface PlacementSeen {
  readonly ref: PlacementRef
  readonly resolution: PlacementResolution
}

export interface ReplicaSetSeen {
  readonly claim: ReplicaSet
  readonly placements: readonly PlacementSeen[]
  /** Children of this very set, by cluster. */
  readonly children: ReadonlyMap<string, ServiceAccountRole>
  /** Selected clusters in whose namespace a Role of our name is somebody else's. */
  readonly foreign: ReadonlySet<string>
  /** Of the selected clusters, which are absent where they have none. */
  readonly namespaces: ReadonlyMap<string, 'there' | 'going'>
  /** Children that the server says are unwanted: of clusters that no placement means any more. */
  readonly strays: readonly ServiceAccountRole[]
  /** How many look unwanted besides, and stay since that is not certain. */
  readonly kept: number
  /** Of a set that goes: children that are there still, by the server where the cache has none. */
  readonly remaining: readonly ServiceAccountRole[]
}
