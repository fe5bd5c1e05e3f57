// What is known of the way to a cluster, besides what its caches say: the interface that decisions read. `engage.ts` keeps it.

import type { ObjectKey } from '#kube'

export type EngagementState =
  /** Nothing was tried yet, or the first try is under way. */
  | { readonly kind: 'starting'; readonly message?: string }
  /** In the fleet. `clusterUid` names the cluster for its whole life (the uid of its kube-system namespace). */
  | { readonly kind: 'engaged'; readonly clusterUid: string }
  /** No ClusterProfile leads there, or it must not be used. `message` says why and what to do. */
  | { readonly kind: 'away'; readonly message: string }

/** A claim, and the controller whose it is. */
export interface Waiter {
  readonly controller: string
  readonly key: ObjectKey
}

export interface Engagements {
  stateOf(cluster: string): EngagementState
  /** The name under which the same cluster is engaged, of one that is refused for it (M12). */
  sameClusterAs?(cluster: string): string | undefined
  /** Someone told of this cluster as away and wants to be woken when it is back; whoever does not say who, with all whom it concerns. */
  awaitBack(cluster: string, waiter?: Waiter): void
}
