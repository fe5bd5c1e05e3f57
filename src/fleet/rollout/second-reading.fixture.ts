// The specification of rollouts (6.5-6.8) read a second time, by loops over plain arrays as its steps say it, and sharing nothing with the
// planner: what both get from drawn inputs has to be alike. It is the library's way, with all that is odd there.

export interface DrawnStatus {
  readonly cluster: string
  readonly state: 'ToApply' | 'Progressing' | 'Succeeded' | 'Failed'
  /** In milliseconds. */
  readonly since?: number
}

export interface DrawnGroup {
  readonly groupName: string
  readonly groupIndex: number
  readonly clusters: readonly string[]
}

interface DrawnStep {
  readonly maxFailures?: number | string
  readonly minSuccessTime?: string
  readonly progressDeadline?: string
  readonly maxConcurrency?: number | string
  readonly mandatoryDecisionGroups?: readonly { readonly groupName?: string; readonly groupIndex?: number }[]
}

export interface DrawnStrategy {
  readonly type?: string
  readonly all?: DrawnStep
  readonly progressive?: DrawnStep
  readonly progressivePerGroup?: DrawnStep
}

export interface DrawnRef {
  readonly groups: readonly DrawnGroup[]
  readonly strategy?: DrawnStrategy
}

export interface ReadCounts {
  readonly total: number
  readonly updating: number
  readonly succeeded: number
  readonly failed: number
  readonly timedOut: number
}

export interface SecondReading {
  readonly rollout: readonly string[]
  readonly clusters: readonly string[]
  readonly counts: ReadCounts
  readonly refs: readonly ReadCounts[]
  readonly recheckMs: number | undefined
}

interface Drawn {
  readonly now: number
  readonly statuses: ReadonlyMap<string, DrawnStatus>
}

interface Lists {
  readonly rollout: { readonly cluster: string; readonly recheckAt?: number }[]
  readonly timedOut: string[]
}

/** `undefined`: the strategy of one of them cannot be read. */
export function readAgain(refs: readonly DrawnRef[], drawn: Drawn): SecondReading | undefined {
  const read: { readonly lists: Lists; readonly clusters: readonly string[] }[] = []
  for (const ref of refs) {
    const lists = listsOf(ref, drawn)
    if (lists === undefined) return undefined
    read.push({ lists, clusters: sorted(usable(ref.groups).flatMap(({ clusters }) => clusters)) })
  }
  const clusters = sorted(read.flatMap(one => one.clusters))
  const rollout = sorted(read.flatMap(({ lists }) => lists.rollout.map(({ cluster }) => cluster)))
  const timedOut = sorted(read.flatMap(({ lists }) => lists.timedOut))
  const rechecks = read
    .flatMap(({ lists }) => lists.rollout)
    .flatMap(({ recheckAt = 0 }) => (recheckAt > drawn.now ? [recheckAt] : []))
  return {
    rollout,
    clusters,
    counts: countsOf(clusters, { rollout, timedOut }, drawn),
    refs: read.map(one => {
      const own = { rollout: one.lists.rollout.map(({ cluster }) => cluster), timedOut: one.lists.timedOut }
      return countsOf(one.clusters, own, drawn)
    }),
    recheckMs: rechecks.length === 0 ? undefined : Math.min(...rechecks) - drawn.now,
  }
}

function sorted(names: readonly string[]): readonly string[] {
  return [...new Set(names)].toSorted()
}

/** 6.5 step 5: indexes 0 to count - 1. */
function usable(groups: readonly DrawnGroup[]): readonly DrawnGroup[] {
  return groups.filter(({ groupIndex }) => groupIndex >= 0 && groupIndex < groups.length)
}

/** 6.7. */
function countsOf(
  clusters: readonly string[],
  { rollout, timedOut }: { readonly rollout: readonly string[]; readonly timedOut: readonly string[] },
  { statuses }: Drawn,
): ReadCounts {
  const others = clusters.filter(cluster => !rollout.includes(cluster) && !timedOut.includes(cluster))
  const having = (state: string): number => others.filter(cluster => statuses.get(cluster)?.state === state).length
  return {
    total: clusters.length,
    updating: rollout.length,
    succeeded: having('Succeeded'),
    failed: having('Failed'),
    timedOut: timedOut.length,
  }
}

interface Parameters {
  readonly deadline: number
  readonly soak: number
  readonly maxFailures: number | string | undefined
}

function listsOf({ groups, strategy = {} }: DrawnRef, drawn: Drawn): Lists | undefined {
  const seen = usable(groups)
  if (seen.length === 0) return { rollout: [], timedOut: [] }
  const { type = 'All' } = strategy
  const step =
    (type === 'All' ? strategy.all : type === 'Progressive' ? strategy.progressive : strategy.progressivePerGroup) ?? {}
  const deadline = deadlineOf(step.progressDeadline)
  if (deadline === undefined) return undefined
  // 6.8 item 1: the step is taken twice.
  const planned = usable(seen)
  const all = sorted(planned.flatMap(({ clusters }) => clusters))
  const statuses = all.flatMap(cluster => drawn.statuses.get(cluster) ?? [])
  const base = { deadline, soak: 0, maxFailures: step.maxFailures }
  if (type === 'All') return walkClusters(statuses, { size: all.length, failures: all.length }, base, drawn.now)
  if (!isAmount(step.maxFailures)) return undefined
  const parameters = { ...base, soak: msOf(step.minSuccessTime ?? '0') }
  const isMandatory = ({ groupName, groupIndex }: DrawnGroup): boolean =>
    (step.mandatoryDecisionGroups ?? []).some(one =>
      one.groupName ? one.groupName === groupName : (one.groupIndex ?? 0) === groupIndex,
    )
  const first = seen.filter(isMandatory)
  if (first.length > 0) {
    const lists = walkGroups(statuses, first, { ...parameters, maxFailures: undefined }, drawn.now)
    if (lists.rollout.length > 0 || lists.timedOut.length > 0) return lists
  }
  const rest = planned.filter(group => !isMandatory(group))
  if (type !== 'Progressive') return walkGroups(statuses, rest, parameters, drawn.now)
  if (!isAmount(step.maxConcurrency)) return undefined
  const remaining = sorted(rest.flatMap(({ clusters }) => clusters)).length
  const limits = { size: sizeOf(step.maxConcurrency, remaining, remaining), failures: sizeOf(step.maxFailures, all.length, 0) }
  return walkClusters(statuses, limits, parameters, drawn.now)
}

/** Per-cluster algorithm of 6.6. */
function walkClusters(
  statuses: readonly DrawnStatus[],
  { size, failures }: { readonly size: number; readonly failures: number },
  parameters: Parameters,
  now: number,
): Lists {
  const lists: Lists = { rollout: [], timedOut: [] }
  let failed = 0
  for (const status of statuses) {
    let state: string = status.state
    if (failed <= failures || state !== 'ToApply') state = classify(status, lists, parameters, now)
    if (state === 'TimeOut' || state === 'Failed') failed += 1
    if (lists.rollout.length >= size) break
  }
  return lists
}

/** Per-group algorithm of 6.6. */
function walkGroups(statuses: readonly DrawnStatus[], groups: readonly DrawnGroup[], parameters: Parameters, now: number): Lists {
  const lists: Lists = { rollout: [], timedOut: [] }
  const remembered = new Map<string, string>()
  for (const status of statuses) {
    if (status.state !== 'ToApply') remembered.set(status.cluster, classify(status, lists, parameters, now))
  }
  let failures = 0
  for (const { clusters } of groups.toSorted((a, b) => a.groupIndex - b.groupIndex)) {
    let failed = 0
    for (const cluster of clusters.toSorted()) {
      const state = remembered.get(cluster)
      if (state === undefined) lists.rollout.push({ cluster })
      else if (state === 'TimeOut' || state === 'Failed') failed += 1
    }
    failures += failed
    const isBreached = failed > sizeOf(parameters.maxFailures, clusters.length, 0)
    if (isBreached || lists.rollout.length - failures > 0) break
  }
  return lists
}

/** The table of 6.6, at the limits as 6.8 item 4 has it. */
function classify({ cluster, state, since }: DrawnStatus, lists: Lists, { deadline, soak }: Parameters, now: number): string {
  if (state === 'ToApply') {
    lists.rollout.push({ cluster })
    return state
  }
  if (state === 'Succeeded') {
    const end = (since ?? now) + soak
    if (now < end) lists.rollout.push({ cluster, recheckAt: end })
    return state
  }
  if (deadline === Number.POSITIVE_INFINITY) {
    lists.rollout.push({ cluster })
    return state
  }
  const limit = since === undefined ? now + deadline : since + deadline
  if (now < limit) {
    lists.rollout.push({ cluster, recheckAt: limit })
    return state
  }
  lists.timedOut.push(cluster)
  return 'TimeOut'
}

function isAmount(value: number | string | undefined): boolean {
  return typeof value !== 'string' || value.endsWith('%')
}

/** In floating point (6.8 item 6). */
function sizeOf(value: number | string | undefined, total: number, otherwise: number): number {
  if (value === undefined) return otherwise
  const size = typeof value === 'number' ? value : Math.ceil((Number(value.slice(0, -1)) / 100) * total)
  return size <= 0 || size > total ? otherwise : size
}

function deadlineOf(text: string | undefined): number | undefined {
  if (text === undefined || text === '' || text === 'None') return Number.POSITIVE_INFINITY
  if (!/^\d/.test(text) || !/^(?:\d+(?:\.\d+)?(?:ms|h|m|s))+$/.test(text)) return undefined
  const ms = msOf(text)
  // What Go's durations hold: 2^63 nanoseconds.
  return ms > 9_223_372_036_854 ? undefined : ms
}

function msOf(text: string): number {
  const units = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 }
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|h|m|s)/g)]
  const ms = parts.reduce((sum, [, count, unit]) => sum + Number(count) * units[unit as keyof typeof units], 0)
  return text.startsWith('-') ? -ms : ms
}
