// The plan as the library of Open Cluster Management makes it (§6.6, 6.8), for those who rely on it: `--rollout-rules=ocm`. What is odd
// here is odd there, and written down in the ADR; safe-plan.ts is what we do without that flag.
import { type Amount, parseAmount, sizeOf } from './amount.ts'
import { type Classified, classify, hasFailed, type Times } from './classify.ts'
import { clustersOf, type DecisionGroup, splitGroups, withoutGaps } from './groups.ts'
import type { Outline, PlannedOutline, PlanningInput } from './planning.ts'
import { byCluster, type ClusterProgress, type PlannedCluster } from './progress.ts'
import type { MandatoryGroup, PerGroupStrategy, ProgressiveStrategy } from './strategy.ts'

export function planAsLibrary(input: PlanningInput): PlannedOutline {
  const { strategy } = input
  switch (strategy.type) {
    case 'All': {
      const clusters = clustersOf(withoutGaps(input.groups))
      return done(perCluster(input, clusters, { size: clusters.length, maxFailures: clusters.length }))
    }
    case 'Progressive':
      return planProgressive({ ...input, strategy })
    default:
      return planPerGroup({ ...input, strategy })
  }
}

function planProgressive(input: PlanningInput<ProgressiveStrategy>): PlannedOutline {
  const { strategy } = input
  const { first, rest } = mandatoryFirst(input, strategy.mandatory)
  if (first !== undefined) return done(first)
  const concurrency = strategy.maxConcurrency === undefined ? undefined : parseAmount(strategy.maxConcurrency, 'maxConcurrency')
  if (concurrency?.kind === 'wrong') return { ok: false, message: concurrency.message }
  const clusters = clustersOf(rest)
  const all = clustersOf(withoutGaps(input.groups))
  return done(
    perCluster(input, clusters, {
      size: sizeOf(concurrency, clusters.length, clusters.length),
      maxFailures: sizeOf(strategy.maxFailures, all.length, 0),
    }),
  )
}

function planPerGroup(input: PlanningInput<PerGroupStrategy>): PlannedOutline {
  const { first, rest } = mandatoryFirst(input, input.strategy.mandatory)
  return done(first ?? perGroup(input, rest, input.strategy.maxFailures))
}

/** Mandatory groups are found among all groups, the others only where the library sees them. */
function mandatoryFirst(
  input: PlanningInput,
  entries: readonly MandatoryGroup[],
): { readonly first: Outline | undefined; readonly rest: readonly DecisionGroup[] } {
  const { mandatory } = splitGroups(input.groups, entries)
  const { rest } = splitGroups(withoutGaps(input.groups), entries)
  const outline = mandatory.length === 0 ? undefined : perGroup(input, mandatory, undefined)
  return { first: outline !== undefined && holds(outline) ? outline : undefined, rest }
}

/** Fills the window in the order of names, and stops looking once it is full. */
function perCluster(
  input: PlanningInput,
  clusters: readonly string[],
  { size, maxFailures }: { readonly size: number; readonly maxFailures: number },
): Outline {
  const rollout: PlannedCluster[] = []
  const timedOut: PlannedCluster[] = []
  let failures = 0
  for (const status of input.statuses.toSorted(byCluster)) {
    if (failures > maxFailures && status.state === 'ToApply') continue
    const classified = classify(status, timesOf(input))
    place(classified, rollout, timedOut)
    if (hasFailed(classified)) failures++
    if (rollout.length >= size) return { rollout, timedOut, isBreached: failures > maxFailures }
  }
  if (failures > maxFailures) return { rollout, timedOut, isBreached: true }
  const known = new Set(input.statuses.map(({ cluster }) => cluster))
  for (const cluster of clusters) {
    if (known.has(cluster)) continue
    rollout.push({ cluster, state: 'ToApply' })
    if (rollout.length >= size) break
  }
  return { rollout, timedOut, isBreached: false }
}

/** Group by group; one is over when no more is in the list than has failed. */
function perGroup(input: PlanningInput, groups: readonly DecisionGroup[], maxFailures: Amount | undefined): Outline {
  const rollout: PlannedCluster[] = []
  const timedOut: PlannedCluster[] = []
  const remembered = new Map<string, Classified>()
  for (const status of input.statuses.filter(({ state }) => state !== 'ToApply')) {
    const classified = classify(status, timesOf(input))
    place(classified, rollout, timedOut)
    remembered.set(status.cluster, classified)
  }
  let failures = 0
  for (const { clusters, ...group } of groups) {
    const failed = clusters.filter(cluster => isFailed(remembered.get(cluster)))
    const fresh = clusters.filter(cluster => !remembered.has(cluster))
    rollout.push(...fresh.map((cluster): ClusterProgress => ({ cluster, state: 'ToApply', group })))
    failures += failed.length
    const isBreached = failed.length > sizeOf(maxFailures, clusters.length, 0)
    if (isBreached || rollout.length - failures > 0) return { rollout, timedOut, isBreached }
  }
  return { rollout, timedOut, isBreached: false }
}

function holds({ rollout, timedOut }: Outline): boolean {
  return rollout.length > 0 || timedOut.length > 0
}

function place(classified: Classified, rollout: PlannedCluster[], timedOut: PlannedCluster[]): void {
  if (classified.kind === 'in-flight') rollout.push(classified.entry)
  else if (classified.kind === 'timed-out') timedOut.push(classified.entry)
}

function isFailed(classified: Classified | undefined): boolean {
  return classified !== undefined && hasFailed(classified)
}

function timesOf({ strategy: { deadlineMs, soakMs }, now }: PlanningInput): Times {
  return { deadlineMs, soakMs, now }
}

function done(outline: Outline): PlannedOutline {
  return { ok: true, outline }
}
