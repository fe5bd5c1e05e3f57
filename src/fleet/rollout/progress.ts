// How far a cluster is, as the planner is told and as the planner answers. Times are instants in milliseconds.
import type { Instant } from '#base'

export type ProgressState =
  /** What is wanted is not there yet, or is no longer what is wanted. */
  | 'ToApply'
  /** The work was applied to the cluster, and is not well there yet. */
  | 'Progressing'
  | 'Succeeded'
  /** It cannot be applied, or went wrong. */
  | 'Failed'
  /** The cluster was Progressing or Failed for longer than the deadline. */
  | 'TimeOut'
  /** The cluster is left alone. */
  | 'Skip'

/** A decision group of a placement. A name alone is not unique: several indexes may share one. */
export interface GroupKey {
  readonly name: string
  readonly index: number
}

export interface ClusterProgress {
  readonly cluster: string
  readonly state: ProgressState
  /** Since when it is in this state; absent where nobody knows. */
  readonly since?: Instant
  /** When its time was over, of one that was told to be out of time: by a clock that is behind it is so still. */
  readonly timedOutAt?: Instant
  /** Of one that is to be applied: what was applied there before is not well. Where that is so, changing it puts nobody else out. */
  readonly isDown?: boolean
  readonly group?: GroupKey
}

export interface PlannedCluster extends ClusterProgress {
  /** When the state ends by itself: the end of the soak time, or the deadline. */
  readonly recheckAt?: Instant
}

/** By the bytes of the name, as everything here is ordered. Names of clusters are ASCII, of which code units are the bytes. */
export function byCluster(a: { readonly cluster: string }, b: { readonly cluster: string }): number {
  return a.cluster < b.cluster ? -1 : a.cluster > b.cluster ? 1 : 0
}
