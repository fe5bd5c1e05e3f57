// The plan by our own rules. Every cluster is looked at before anything is begun, so that what is in flight and what has failed counts
// wherever its name stands in the alphabet:
//
//   - a cluster that was begun keeps its place until it is done, failed for good, or out of time;
//   - one that was begun with what was wanted before, and is not well with it, has its place too, and comes first;
//   - no cluster is begun while more have failed than may, also within a group;
//   - a group is over when nothing of it is to do or in flight, but what failed within the limit;
//   - only clusters of mandatory groups hold the others back before those groups are done.
import type { Instant } from '#base'
import { type Amount, parseAmount, sizeUpTo } from './amount.ts'
import { type Classified, classify, hasFailed } from './classify.ts'
import { clustersOf, type DecisionGroup, splitGroups } from './groups.ts'
import type { Outline, PlannedOutline, PlanningInput } from './planning.ts'
import { byCluster, type ClusterProgress, type PlannedCluster } from './progress.ts'

export function planSafely(input: PlanningInput): PlannedOutline {
  const view = viewOf(input)
  const { strategy, groups } = input
  if (strategy.type === 'All') return done(view, { begun: view.waitingOf(clustersOf(groups)), isBreached: false })
  const { mandatory, rest } = splitGroups(groups, strategy.mandatory)
  const first = walkGroups(view, mandatory, undefined)
  if (first.holds) return done(view, first)
  if (strategy.type === 'ProgressivePerGroup') return done(view, walkGroups(view, rest, strategy.maxFailures))
  const concurrency = strategy.maxConcurrency === undefined ? undefined : parseAmount(strategy.maxConcurrency, 'maxConcurrency')
  if (concurrency?.kind === 'wrong') return { ok: false, message: concurrency.message }
  const remaining = clustersOf(rest)
  const all = clustersOf(groups)
  const isBreached = view.failedOf(all).length > sizeUpTo(strategy.maxFailures, all.length, 0)
  const size = sizeUpTo(concurrency, remaining.length, remaining.length)
  const free = Math.max(0, size - view.inFlightOf(remaining).length)
  return done(view, { begun: isBreached ? [] : chooseNext(view.waitingOf(remaining), free), isBreached })
}

/** What is down already is helped first, and takes the place of one that is well: that one would be out besides. */
function chooseNext(waiting: readonly PlannedCluster[], free: number): readonly PlannedCluster[] {
  const down = waiting.filter(({ isDown }) => isDown === true)
  const well = waiting.filter(({ isDown }) => isDown !== true)
  return [...down.slice(0, free), ...well.slice(0, Math.max(0, free - down.length))]
}

/** What is to be begun now. */
interface Step {
  readonly begun: readonly PlannedCluster[]
  readonly isBreached: boolean
}

/** `holds`: what comes after these groups has to wait. */
function walkGroups(
  view: View,
  groups: readonly DecisionGroup[],
  maxFailures: Amount | undefined,
): Step & { readonly holds: boolean } {
  for (const { clusters, name, index } of groups) {
    const isBreached = view.failedOf(clusters).length > sizeUpTo(maxFailures, clusters.length, 0)
    if (isBreached) return { begun: [], isBreached, holds: true }
    const waiting = view.waitingOf(clusters).map(entry => ({ ...entry, group: { name, index } }))
    const isOpen = waiting.length > 0 || view.inFlightOf(clusters).some(({ state }) => state !== 'Failed')
    if (isOpen) return { begun: waiting, isBreached, holds: true }
  }
  return { begun: [], isBreached: false, holds: false }
}

/** All that was begun, classified. */
interface View {
  readonly inFlight: readonly PlannedCluster[]
  readonly timedOut: readonly PlannedCluster[]
  inFlightOf(clusters: readonly string[]): readonly PlannedCluster[]
  failedOf(clusters: readonly string[]): readonly string[]
  /** What is to be applied, or has no status. */
  waitingOf(clusters: readonly string[]): readonly PlannedCluster[]
}

function viewOf({ statuses: given, strategy: { deadlineMs, soakMs }, now }: PlanningInput): View {
  const statuses = given.map(status => notAfter(status, clockOf(status, now)))
  const waiting = new Map(statuses.filter(({ state }) => state === 'ToApply').map(status => [status.cluster, status]))
  const begun = new Map<string, Classified>(
    statuses
      .filter(({ state }) => state !== 'ToApply')
      .map(status => [status.cluster, classify(status, { deadlineMs, soakMs, now: clockOf(status, now) })]),
  )
  const entriesOf = (kind: Classified['kind'], clusters: Iterable<string>): readonly PlannedCluster[] =>
    [...clusters].flatMap(cluster => {
      const classified = begun.get(cluster)
      return classified?.kind === kind ? [classified.entry] : []
    })
  return {
    inFlight: entriesOf('in-flight', begun.keys()),
    timedOut: entriesOf('timed-out', begun.keys()),
    inFlightOf: clusters => entriesOf('in-flight', clusters),
    failedOf: clusters =>
      clusters.filter(cluster => {
        const classified = begun.get(cluster)
        return classified !== undefined && hasFailed(classified)
      }),
    waitingOf: clusters =>
      clusters
        .filter(cluster => !begun.has(cluster))
        .map(cluster => waiting.get(cluster) ?? { cluster, state: 'ToApply' as const }),
  }
}

/**
 * The time of a cluster that ran out of it is never before that, whoever plans: its deadline has passed once. A longer deadline, a retry and
 * a change of what is applied there give it its time again, since the end of that lies later.
 */
function clockOf({ state, timedOutAt }: ClusterProgress, now: Instant): Instant {
  const isOpen = state === 'Progressing' || state === 'Failed'
  return isOpen && timedOutAt !== undefined ? Math.max(now, timedOutAt) : now
}

/** The time is another clock's (W8): what has begun has not begun after now, and a soak time of nothing waits for no clock. */
function notAfter(status: ClusterProgress, now: Instant): ClusterProgress {
  return status.since === undefined || status.since <= now ? status : { ...status, since: now }
}

function done({ inFlight, timedOut }: View, { begun, isBreached }: Step): PlannedOutline {
  const rollout = [...inFlight, ...begun].toSorted(byCluster)
  const outline: Outline = { rollout, timedOut: timedOut.toSorted(byCluster), isBreached }
  return { ok: true, outline }
}
