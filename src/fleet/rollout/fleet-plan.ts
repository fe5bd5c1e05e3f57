// The plan of a whole set: every placement planned by its own strategy, and what comes of it together. A cluster that several placements
// select is one cluster; it is worked on when any of them says so.
import type { Instant } from '#base'
import { clustersOf, type DecisionGroup, withoutGaps } from './groups.ts'
import { planRollout, type RolloutPlan, type RolloutRules } from './plan.ts'
import type { ClusterProgress, ProgressState } from './progress.ts'
import type { StrategySpec } from './strategy.ts'

/** A placement as it was resolved. */
export interface PlacementView {
  readonly name: string
  readonly strategy: StrategySpec | undefined
  readonly groups: readonly DecisionGroup[]
  /** What the Placement itself says; 0 where it says nothing. */
  readonly decisionGroupCount?: number
  readonly selectedClusterCount?: number
}

export interface FleetInput {
  readonly placements: readonly PlacementView[]
  /** Of each selected cluster; one that is missing has nothing applied. */
  readonly progressOf: (cluster: string) => ClusterProgress
  readonly now: Instant
  readonly rules?: RolloutRules
  /** What was begun goes on, nothing else is begun. */
  readonly isPaused?: boolean
}

export interface RolloutCounts {
  readonly total: number
  readonly updating: number
  readonly succeeded: number
  readonly failed: number
  readonly timedOut: number
}

export interface PlacementPlan {
  readonly name: string
  readonly counts: RolloutCounts
  readonly clusters: readonly string[]
  /** Groups and clusters at a glance, as `2 (3 / 5 clusters applied)`. */
  readonly availableDecisionGroups: string
  /** More failed than its strategy lets. */
  readonly isBreached: boolean
  /** Whether a cluster may fail and the rollout be at its end all the same. */
  readonly toleratesFailures: boolean
}

export interface FleetPlan {
  readonly ok: true
  readonly counts: RolloutCounts
  readonly placements: readonly PlacementPlan[]
  /** All that is selected, by name. */
  readonly clusters: readonly string[]
  /** What is worked on now. */
  readonly rollout: ReadonlySet<string>
  readonly timedOut: ReadonlySet<string>
  /** When the time of a cluster was over, in at least one placement; to be given back with its progress. */
  readonly timedOutAt: ReadonlyMap<string, Instant>
  readonly recheckAfterMs?: number
}

export type FleetPlanning = FleetPlan | { readonly ok: false; readonly message: string }

export function planFleet({ placements, progressOf, now, rules = 'safe', isPaused = false }: FleetInput): FleetPlanning {
  const planned: { readonly placement: PlacementView; readonly plan: RolloutPlan; readonly clusters: readonly string[] }[] = []
  for (const placement of placements) {
    const groups = rules === 'ocm' ? withoutGaps(placement.groups) : placement.groups
    const clusters = clustersOf(groups)
    const statuses = clusters.map(progressOf)
    // What selects nothing is not planned, and nothing about it is wrong.
    const strategy = groups.length === 0 ? undefined : placement.strategy
    const plan = planRollout({ groups, statuses, strategy, now, rules })
    if (!plan.ok) return { ok: false, message: `plan rollout for placement ref "${placement.name}": ${plan.message}` }
    const rollout = isPaused ? plan.rollout.filter(({ state }) => state !== 'ToApply') : plan.rollout
    planned.push({ placement: { ...placement, groups }, plan: { ...plan, rollout }, clusters })
  }
  const clusters = [...new Set(planned.flatMap(one => one.clusters))].toSorted()
  const rollout = new Set(planned.flatMap(({ plan }) => plan.rollout.map(({ cluster }) => cluster)))
  const timedOut = timedOutOf(planned, rollout, rules)
  const rechecks = planned.flatMap(({ plan }) => (plan.recheckAfterMs === undefined ? [] : [plan.recheckAfterMs]))
  return {
    ok: true,
    placements: planned.map(({ placement, plan, clusters: selected }) => {
      const own = namesOf(plan)
      return {
        name: placement.name,
        clusters: selected,
        isBreached: plan.isBreached,
        toleratesFailures: ['Progressive', 'ProgressivePerGroup'].includes(placement.strategy?.type ?? 'All'),
        availableDecisionGroups: describeGroups(placement, selected, cluster => isBegun(cluster, own.rollout, progressOf)),
        counts: count(selected, own, progressOf),
      }
    }),
    clusters,
    rollout,
    timedOut,
    timedOutAt: timedOutAtOf(planned),
    counts: count(clusters, { rollout, timedOut: rules === 'ocm' ? allTimedOut(planned) : timedOut }, progressOf),
    ...(rechecks.length === 0 ? {} : { recheckAfterMs: Math.min(...rechecks) }),
  }
}

interface Names {
  readonly rollout: ReadonlySet<string>
  readonly timedOut: ReadonlySet<string>
}

function namesOf({ rollout, timedOut }: RolloutPlan): Names {
  const names = (entries: RolloutPlan['rollout']): ReadonlySet<string> => new Set(entries.map(({ cluster }) => cluster))
  return { rollout: names(rollout), timedOut: names(timedOut) }
}

type Planned = readonly { readonly plan: RolloutPlan; readonly clusters: readonly string[] }[]

function allTimedOut(planned: Planned): ReadonlySet<string> {
  return new Set(planned.flatMap(({ plan }) => plan.timedOut.map(({ cluster }) => cluster)))
}

/** The latest of each: by it all of them are over. A deadline of nothing is over by any clock. */
function timedOutAtOf(planned: Planned): ReadonlyMap<string, Instant> {
  const latest = new Map<string, Instant>()
  for (const { cluster, since, recheckAt } of planned.flatMap(({ plan }) => plan.timedOut)) {
    if (since === undefined || recheckAt === undefined || recheckAt === since) continue
    latest.set(cluster, Math.max(recheckAt, latest.get(cluster) ?? recheckAt))
  }
  return latest
}

/** By the library's rules the last placement that selects a cluster has the word; by ours one that works on it. */
function timedOutOf(planned: Planned, rollout: ReadonlySet<string>, rules: RolloutRules): ReadonlySet<string> {
  if (rules === 'safe') return new Set([...allTimedOut(planned)].filter(cluster => !rollout.has(cluster)))
  const timedOut = new Set<string>()
  for (const { plan, clusters } of planned) {
    const { timedOut: own } = namesOf(plan)
    for (const cluster of clusters) {
      if (own.has(cluster)) timedOut.add(cluster)
      else timedOut.delete(cluster)
    }
  }
  return timedOut
}

/** What is neither in the list nor out of time counts by its state; what waits counts in the total alone (§6.7). */
function count(clusters: readonly string[], { rollout, timedOut }: Names, progressOf: FleetInput['progressOf']): RolloutCounts {
  const others = clusters.filter(cluster => !rollout.has(cluster) && !timedOut.has(cluster))
  const inState = (state: ProgressState): number => others.filter(cluster => progressOf(cluster).state === state).length
  return {
    total: clusters.length,
    updating: rollout.size,
    succeeded: inState('Succeeded'),
    failed: inState('Failed'),
    timedOut: timedOut.size + inState('TimeOut'),
  }
}

function isBegun(cluster: string, rollout: ReadonlySet<string>, progressOf: FleetInput['progressOf']): boolean {
  return rollout.has(cluster) || progressOf(cluster).state !== 'ToApply'
}

function describeGroups(
  { groups, decisionGroupCount = 0, selectedClusterCount = 0 }: PlacementView,
  clusters: readonly string[],
  isApplied: (cluster: string) => boolean,
): string {
  const groupCount = decisionGroupCount > 0 ? decisionGroupCount : groups.length
  const total = selectedClusterCount > 0 ? selectedClusterCount : clusters.length
  return `${groupCount} (${clusters.filter(isApplied).length} / ${total} clusters applied)`
}

export function isComplete({ total, succeeded, updating, failed, timedOut }: RolloutCounts): boolean {
  return succeeded === total && updating === 0 && failed === 0 && timedOut === 0
}

/**
 * Whether the rollout has come to its end: no cluster waits or is worked on, and no more failed than its strategy lets. All at once stops at no
 * failure, which does not mean that it lets one pass.
 */
export function isRolledOut({ counts, placements }: FleetPlan): boolean {
  const { total, updating, succeeded, failed, timedOut } = counts
  if (total === 0 || updating > 0 || succeeded + failed + timedOut < total) return false
  return placements.every(placement => (placement.toleratesFailures ? !placement.isBreached : isComplete(placement.counts)))
}

/** The words that stand in conditions; `what` names the objects that are rolled out. */
export function describeRollout(counts: RolloutCounts, what: string): string {
  const { total, succeeded, updating, failed, timedOut } = counts
  const selected = `selected clusters ${total}. ${what}`
  return isComplete(counts)
    ? `${selected} ${succeeded}/${total} completed with no errors, ${failed} failed ${timedOut} timed out.`
    : `${selected} ${updating + succeeded}/${total} progressing, ${failed} failed ${timedOut} timed out.`
}
