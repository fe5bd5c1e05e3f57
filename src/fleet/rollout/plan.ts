// The plan of one placement: which clusters are worked on now, which have run out of time, and when to look again. Pure and total: the
// same statuses at the same instant give the same plan, whatever was planned before, so a restart loses nothing.

import { given, type Instant } from '#base'
import { clustersOf, type DecisionGroup, withoutGaps } from './groups.ts'
import { planAsLibrary } from './library-plan.ts'
import type { Outline } from './planning.ts'
import type { ClusterProgress } from './progress.ts'
import { planSafely } from './safe-plan.ts'
import { readStrategy, type StrategySpec } from './strategy.ts'

/**
 * `safe`: a rollout never has more in flight than its strategy says, and stops where too much failed. `ocm`: as the library of Open
 * Cluster Management plans, to the letter; docs/adr says where the two differ and why.
 */
export type RolloutRules = 'safe' | 'ocm'

export interface RolloutInput {
  readonly groups: readonly DecisionGroup[]
  /** One for each cluster at most; one without a status has nothing applied. */
  readonly statuses: readonly ClusterProgress[]
  readonly strategy: StrategySpec | undefined
  readonly now: Instant
  readonly rules?: RolloutRules
}

export interface RolloutPlan extends Outline {
  readonly ok: true
  /** Statuses of clusters that no group has. */
  readonly removed: readonly ClusterProgress[]
  /** Until something changes by itself; absent where only a change from outside helps. */
  readonly recheckAfterMs?: number
}

export type RolloutPlanning = RolloutPlan | { readonly ok: false; readonly message: string }

export function planRollout({ groups, statuses, strategy: spec, now, rules = 'safe' }: RolloutInput): RolloutPlanning {
  const reading = readStrategy(spec)
  if (!reading.ok) return reading
  const planned = new Set(clustersOf(rules === 'ocm' ? withoutGaps(groups) : groups))
  const input = { groups, statuses: statuses.filter(({ cluster }) => planned.has(cluster)), strategy: reading.strategy, now }
  const planning = rules === 'ocm' ? planAsLibrary(input) : planSafely(input)
  if (!planning.ok) return planning
  const recheckAfterMs = recheckOf(planning.outline, now, rules)
  return {
    ok: true,
    ...planning.outline,
    removed: statuses.filter(({ cluster }) => !planned.has(cluster)),
    ...given({ recheckAfterMs }),
  }
}

/** A deadline of milliseconds would have us look all the time (§6.8 item 5). */
const recheckMsMin = 1_000

function recheckOf({ rollout }: Outline, now: Instant, rules: RolloutRules): number | undefined {
  const waits = rollout.flatMap(({ recheckAt }) => (recheckAt === undefined || recheckAt <= now ? [] : [recheckAt - now]))
  if (waits.length === 0) return undefined
  const soonest = Math.min(...waits)
  return rules === 'ocm' ? soonest : Math.max(soonest, recheckMsMin)
}
