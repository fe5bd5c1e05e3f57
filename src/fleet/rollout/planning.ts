// What both ways of planning a rollout are given, and what they answer.
import type { Instant } from '#base'
import type { DecisionGroup } from './groups.ts'
import type { ClusterProgress, PlannedCluster } from './progress.ts'
import type { Strategy } from './strategy.ts'

/** What an algorithm works with. */
export interface PlanningInput<S extends Strategy = Strategy> {
  readonly groups: readonly DecisionGroup[]
  /** Of clusters of the groups only, as they were given. */
  readonly statuses: readonly ClusterProgress[]
  readonly strategy: S
  readonly now: Instant
}

/** An outline, or why the strategy cannot be followed. */
export type PlannedOutline = { readonly ok: true; readonly outline: Outline } | { readonly ok: false; readonly message: string }

/** What comes next, and what stands in the way. */
export interface Outline {
  readonly rollout: readonly PlannedCluster[]
  readonly timedOut: readonly PlannedCluster[]
  /** More have failed than may: nothing new is begun. */
  readonly isBreached: boolean
}
