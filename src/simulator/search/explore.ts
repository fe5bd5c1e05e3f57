// Exploration, in this order: the clean run, each fault at each point of its trace, pairs of kills, then random
// schedules; a failure is shrunk to the least list of departures.
import { given } from '#base'
import { allFaults, type FaultCode } from '../faults/faults.ts'
import type { Subject } from '../subject.ts'
import { killsAtEffects, pairsOfKills, singleFaults } from './points.ts'
import { Arena, type RunResult } from './run.ts'
import type { Departure, Schedule } from './schedule.ts'

export interface ExploreOptions {
  readonly seeds: number
  readonly firstSeed?: number
  readonly faults?: readonly FaultCode[]
  /** Ends the exploration early; what fitted is reported. */
  readonly budgetMs?: number
  /** So many schedules are run however long they take: what a slow machine must not leave out. */
  readonly schedulesMin?: number
  readonly elapsedMs: () => number
  /**
   * Where several explorers share one exploration, the part of this one: each `of`th run from `index` on. All of them make the clean
   * run.
   */
  readonly share?: Share
  /** Instead of as many as the subject asks for, in every schedule. */
  readonly replicas?: number
  /**
   * A part of the search in place of all of it. `random`: neither single faults nor pairs. `crashes`: of the single faults a kill on both
   * sides of each effect, and neither pairs nor random seeds.
   */
  readonly only?: 'random' | 'crashes'
  /** At most this many single-fault runs, evenly over the trace. */
  readonly singlesMax?: number
  /** Stop after so many failures; past a few the next one tells nothing new. */
  readonly failuresMax?: number
  readonly onProgress?: (tally: Tally) => void
  /** Told of each failure as soon as it is there: a search that is stopped by hand has said what it found. */
  readonly onFailure?: (failure: Failure) => void
}

export interface Share {
  readonly index: number
  readonly of: number
}

export interface Failure {
  readonly schedule: Schedule
  readonly code: string
  readonly message: string
  readonly shrunk: readonly Departure[]
}

export interface Tally {
  schedules: number
  steps: number
  singles: number
  pairs: number
  randoms: number
  crashPoints: number
  readonly faults: Map<FaultCode, number>
  readonly invariants: Map<string, number>
  readonly failures: Failure[]
}

export async function explore(subject: Subject, options: ExploreOptions): Promise<Tally> {
  const arena = await Arena.open(subject)
  try {
    return await new Explorer(arena, options).run()
  } finally {
    await arena.close()
  }
}

/** Runs one schedule in a world of its own. */
export async function replay(subject: Subject, schedule: Schedule): Promise<RunResult> {
  const arena = await Arena.open(subject)
  try {
    return await arena.run(schedule)
  } finally {
    await arena.close()
  }
}

export function randomSchedule(seed: number, faults: readonly FaultCode[] = allFaults): Schedule {
  // Each seed enables its own subset: few kinds at once find more than all of them together.
  const enabled = faults.filter((_, index) => ((seed * 2654435761) >>> (index % 29)) & 1)
  return {
    seed: `seed-${seed}`,
    faults: enabled.length === 0 ? faults : enabled,
    departures: [],
    // Alone, a process that loses its lease gets it back, with all that it had under work.
    ...(seed % 4 === 0 ? { replicas: 1 } : {}),
    random: { faultChance: 0.02 + (seed % 7) * 0.015, reorderChance: (seed % 5) * 0.08, faultsMax: 1 + (seed % 8) },
  }
}

class Explorer {
  readonly #arena: Arena
  readonly #options: ExploreOptions
  readonly #faults: readonly FaultCode[]
  readonly #tally: Tally = emptyTally()

  constructor(arena: Arena, options: ExploreOptions) {
    this.#arena = arena
    this.#options = options
    this.#faults = options.faults ?? allFaults
  }

  async run(): Promise<Tally> {
    const clean = await this.#clean()
    if (clean.violation === undefined && this.#options.only !== 'random') {
      if (this.#share.index === 0) await this.#fullDay()
      await this.#singles(clean)
    }
    if (this.#options.only === 'crashes') return this.#tally
    // In turns, so that whatever the budget is, some of each kind are tried.
    const pairs = clean.violation === undefined && this.#options.only !== 'random' ? this.#mine([...pairsOfKills(clean)]) : []
    const first = this.#options.firstSeed ?? 1
    const { index, of } = this.#share
    for (let seed = first + index; seed < first + this.#options.seeds && this.#goOn(); seed += of) {
      await this.#tryPair(pairs.shift())
      const { replicas } = this.#options
      await this.#try({ ...randomSchedule(seed, this.#faults), ...given({ replicas }) })
      this.#tally.randoms++
    }
    while (pairs.length > 0 && this.#goOn()) await this.#tryPair(pairs.shift())
    return this.#tally
  }

  /** The reference trace. Run twice: the same seed must give the same hash (D7). */
  async #clean(): Promise<RunResult> {
    const schedule = this.#plain({})
    const result = await this.#arena.run(schedule, { listOffers: true })
    this.#count(result)
    this.#judge(schedule, result)
    const again = await this.#arena.run(schedule)
    this.#tally.invariants.set('D7', (this.#tally.invariants.get('D7') ?? 0) + 1)
    if (again.hash !== result.hash)
      this.#report(
        schedule,
        'D7',
        `the same seed gave two hashes; first difference: ${firstDifference(result.trace, again.trace)}`,
      )
    this.#tally.invariants.set('D1', 0)
    await this.#alone(result)
    await this.#otherwiseOrdered(result)
    await this.#otherVersions(result)
    this.#reference = result.finalState
    this.#referenceDeeds = deedsOf(result)
    this.#referenceWrites = result.perObject
    return result
  }

  /** The clean run again, with a whole day at rest (L2) and a restart at the end of it (D4). */
  async #fullDay(): Promise<void> {
    const schedule = this.#plain({ faults: [], fullDay: true })
    const result = await this.#arena.run(schedule)
    this.#count(result)
    this.#judge(schedule, result)
  }

  /** D5: two replicas end as one does. */
  async #alone(clean: RunResult): Promise<void> {
    if (this.#arena.subject.replicas < 2) return
    const schedule = this.#plain({ faults: [], replicas: 1 })
    const alone = await this.#arena.run(schedule)
    this.#count(alone)
    this.#judge(schedule, alone)
    this.#tally.invariants.set('D5', 1)
    if (alone.violation === undefined && alone.finalState !== clean.finalState) {
      this.#report(
        schedule,
        'D5',
        `one replica ends otherwise than ${this.#arena.subject.replicas}:\n${alone.finalState}\ninstead of\n${clean.finalState}`,
      )
    }
  }

  /** D3: the order in which the same objects are created does not matter. */
  async #otherwiseOrdered(clean: RunResult): Promise<void> {
    if (this.#arena.subject.script.filter(({ creates }) => creates === true).length < 2) return
    const schedule = this.#plain({ faults: [], creationsReversed: true })
    const reversed = await this.#arena.run(schedule)
    this.#count(reversed)
    this.#judge(schedule, reversed)
    this.#tally.invariants.set('D3', 1)
    if (reversed.violation === undefined && reversed.finalState !== clean.finalState) {
      this.#report(
        schedule,
        'D3',
        `created in another order it ends otherwise:\n${reversed.finalState}\ninstead of\n${clean.finalState}`,
      )
    }
  }

  /** D6: whichever version does it, it ends the same. */
  async #otherVersions(clean: RunResult): Promise<void> {
    for (let version = 1; version < (this.#arena.subject.versions ?? 1); version++) {
      const schedule = this.#plain({ faults: [], version })
      const other = await this.#arena.run(schedule)
      this.#count(other)
      this.#judge(schedule, other)
      this.#tally.invariants.set('D6', (this.#tally.invariants.get('D6') ?? 0) + 1)
      if (other.violation === undefined && other.finalState !== clean.finalState) {
        this.#report(
          schedule,
          'D6',
          `version ${version} ends otherwise than version 0:\n${other.finalState}\ninstead of\n${clean.finalState}`,
        )
      }
    }
  }

  #reference = ''
  #referenceDeeds = ''
  #referenceWrites: RunResult['perObject'] = new Map()

  async #singles(clean: RunResult): Promise<void> {
    const points =
      this.#options.only === 'crashes' ? killsAtEffects(clean) : singleFaults(clean, this.#arena.subject.disturbances)
    for (const departure of this.#mine(points.slice(0, this.#options.singlesMax))) {
      if (!this.#goOn()) return
      if (/^F[12] /.test(departure.label)) this.#tally.crashPoints++
      await this.#try(this.#plain({ departures: [departure] }))
      this.#tally.singles++
    }
  }

  get #share(): Share {
    return this.#options.share ?? { index: 0, of: 1 }
  }

  #mine<T>(all: readonly T[]): T[] {
    return all.filter((_, at) => at % this.#share.of === this.#share.index)
  }

  /** Along the plain order, but for what is said. */
  #plain(more: Partial<Schedule>): Schedule {
    const { replicas } = this.#options
    return { seed: 'clean', faults: this.#faults, departures: [], ...given({ replicas }), ...more }
  }

  async #tryPair(departures: readonly Departure[] | undefined): Promise<void> {
    if (departures === undefined) return
    await this.#try(this.#plain({ departures }))
    this.#tally.pairs++
  }

  async #try(schedule: Schedule): Promise<void> {
    const result = await this.#arena.run(schedule)
    this.#count(result)
    this.#judge(schedule, result)
    // D1: with faults or without, the same end, as long as the users did the same things in the same order.
    if (result.violation === undefined && deedsOf(result) === this.#referenceDeeds) {
      this.#tally.invariants.set('D1', (this.#tally.invariants.get('D1') ?? 0) + 1)
      if (result.finalState !== this.#reference) {
        this.#report(
          { ...schedule, departures: result.departures },
          'D1',
          `another end than without faults:\n${result.finalState}\ninstead of\n${this.#reference}`,
        )
      }
      this.#compareWrites(schedule, result)
    }
    if (this.#tally.failures.length > 0 && this.#tally.schedules % 50 === 0) this.#options.onProgress?.(this.#tally)
  }

  /** D2: each object is written as often as without faults, but for calls that had to be repeated and for what claims have to tell of it. */
  #compareWrites(schedule: Schedule, result: RunResult): void {
    this.#tally.invariants.set('D2', (this.#tally.invariants.get('D2') ?? 0) + 1)
    // A claim tells of each call that was in vain, wherever it went, and of its success after it.
    const sum = (counts: Iterable<number>): number => [...counts].reduce((total, count) => total + count, 0)
    const inVain = sum(result.faults.values()) + result.callsInVain
    for (const [place, { role, writes, retries }] of result.perObject) {
      const clean = this.#referenceWrites.get(place)?.writes ?? 0
      const allowed = clean + retries + (role === 'claim' ? 2 * inVain : 0)
      if (writes <= allowed) continue
      const message = `${place} is written ${writes} times, ${clean} without faults, and ${retries} calls had to be repeated`
      this.#report({ ...schedule, departures: result.departures }, 'D2', message)
    }
  }

  #judge(schedule: Schedule, result: RunResult): void {
    if (result.violation !== undefined)
      this.#report({ ...schedule, departures: result.departures }, result.violation.code, result.violation.message)
  }

  #report(schedule: Schedule, code: string, message: string): void {
    const failure = { schedule, code, message, shrunk: schedule.departures }
    this.#tally.failures.push(failure)
    this.#options.onFailure?.(failure)
  }

  #count(result: RunResult): void {
    this.#tally.schedules++
    this.#tally.steps += result.steps
    addCounts(this.#tally.faults, result.faults)
    addCounts(this.#tally.invariants, result.invariants)
    if (this.#tally.schedules % 200 === 0) this.#options.onProgress?.(this.#tally)
  }

  #goOn(): boolean {
    if (this.#tally.failures.length >= (this.#options.failuresMax ?? failuresMaxDefault)) return false
    const { budgetMs, schedulesMin = 0, elapsedMs } = this.#options
    return budgetMs === undefined || this.#tally.schedules < schedulesMin || elapsedMs() < budgetMs
  }
}

const failuresMaxDefault = 5

/** What several explorers found who shared one exploration. The clean run and its variants are each one's own, and so count each time. */
export function addTallies(tallies: readonly Tally[]): Tally {
  const sum = emptyTally()
  for (const { schedules, steps, singles, pairs, randoms, crashPoints, faults, invariants, failures } of tallies) {
    sum.schedules += schedules
    sum.steps += steps
    sum.singles += singles
    sum.pairs += pairs
    sum.randoms += randoms
    sum.crashPoints += crashPoints
    addCounts(sum.faults, faults)
    addCounts(sum.invariants, invariants)
    sum.failures.push(...failures)
  }
  return sum
}

function emptyTally(): Tally {
  const counts = { schedules: 0, steps: 0, singles: 0, pairs: 0, randoms: 0, crashPoints: 0 }
  return { ...counts, faults: new Map(), invariants: new Map(), failures: [] }
}

function addCounts<K>(to: Map<K, number>, counts: ReadonlyMap<K, number>): void {
  for (const [code, count] of counts) to.set(code, (to.get(code) ?? 0) + count)
}

/** What users and strangers did, in order. */
function deedsOf({ trace }: RunResult): string {
  return trace.filter(label => /^(deed|F1[789]|F20|F23|F24|F27) |^F10 .* hides: /.test(label)).join('; ')
}

function firstDifference(a: readonly string[], b: readonly string[]): string {
  const at = a.findIndex((label, index) => label !== b[index])
  return at < 0 ? `one has ${a.length} steps, the other ${b.length}` : `step ${at}: "${a[at]}" and "${b[at]}"`
}
