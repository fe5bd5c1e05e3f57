// Pods that were let in at once because the watch said that their ServiceAccount has no role, and the reads that prove it afterwards: one
// read for all pods of a ServiceAccount that came since the last, so many reads a second and no more. When pods of many ServiceAccounts come
// together, one list of all ServiceAccounts takes the place of their reads. Each such pod ends in one result, and every result but `nothing`
// is told: a role or a promise that was there, or that nobody could be asked.
import { type Clock, untilAborted } from '#base'
import { type ObjectKey, renderKey } from '#kube'
import { pause } from '#runtime'
import type { LookupOutcome } from './lookup.ts'
import type { ReadTurns } from './read-budget.ts'

/** What a ServiceAccount has: a role, the promise of one that is not there yet, or neither. */
export type Holding = 'role' | 'promise' | 'nothing'

export interface BehindOptions {
  readonly clock: Clock
  readonly turns: ReadTurns
  readonly pendingMax: number
  /** By all that is known at this moment. */
  readonly known: (key: ObjectKey) => Holding
  /** By what the watches have brought, and nothing that was read beside them. */
  readonly watched: (key: ObjectKey) => Holding
  /** Reads all that may name a role, after the call. */
  readonly lookUp: (key: ObjectKey, signal: AbortSignal) => Promise<LookupOutcome>
  /** The same for all ServiceAccounts at once. */
  readonly lookUpAll: (signal: AbortSignal) => Promise<LookupOutcome>
  /** How many ServiceAccounts there are: to list them all costs more than to read a few. */
  readonly accountCount: () => number
  readonly onResult: (result: BehindResult) => void
}

export interface BehindResult {
  readonly key: ObjectKey
  /** How many pods were let in since the last read. */
  readonly pods: number
  /** `unknown`: nobody could be asked. */
  readonly found: Holding | 'unknown'
  /** The watch has brought the same meanwhile: it is not behind, and the pods may have asked before it was there or after. */
  readonly isWatched: boolean
}

interface Pending {
  readonly key: ObjectKey
  readonly sinceMs: number
  pods: number
}

/** The answer goes out first, and the pods of one ServiceAccount that come together are covered by one read. */
const gatherMs = 20
/** As many ServiceAccounts that wait are a crowd. */
const crowdMin = 64
/** One read costs us as much as so many objects of a list, and the API server more. */
const listedPerRead = 16
/** After a list whoever comes waits for the next one, or for a read if no crowd has come by then. */
const betweenListsMs = 1_000
/** There is room for so many only, and it fills: then the next list comes as soon as this. */
const betweenListsMsMin = 250

export class BehindChecks {
  readonly #options: BehindOptions
  /** The first is the one that has waited longest. */
  readonly #pending = new Map<string, Pending>()
  readonly #running = new Set<Promise<void>>()
  #signal: AbortSignal | undefined
  #isServing = false
  #listedMs = Number.NEGATIVE_INFINITY

  constructor(options: BehindOptions) {
    this.#options = options
  }

  /** A pod of this ServiceAccount is let in now. False when nobody can be asked about it: then it has to wait for its answer. */
  add(key: ObjectKey): boolean {
    const signal = this.#signal
    if (signal === undefined || signal.aborted) return false
    const id = renderKey(key)
    const pending = this.#pending.get(id)
    if (pending !== undefined) {
      pending.pods++
      return true
    }
    if (this.#pending.size >= this.#options.pendingMax) return false
    this.#pending.set(id, { key, sinceMs: this.#options.clock.monotonicMs(), pods: 1 })
    if (!this.#isServing) this.#keep(this.#serve(signal))
    return true
  }

  /** Checks are made while this runs. */
  async run(signal: AbortSignal): Promise<void> {
    this.#signal = signal
    await untilAborted(signal)
    await Promise.all(this.#running)
  }

  #keep(work: Promise<void>): void {
    this.#running.add(work)
    void work.finally(() => this.#running.delete(work))
  }

  /** Until nobody waits any more. */
  async #serve(signal: AbortSignal): Promise<void> {
    this.#isServing = true
    for (let [first] = this.#pending.values(); first !== undefined; [first] = this.#pending.values()) {
      if (!(await this.#isTime(first, signal))) this.#tell(this.#takeAll(), 'error')
      else if (this.#isCrowd()) this.#keep(this.#checkAll(signal))
      else if (await this.#options.turns.enter(signal)) this.#keep(this.#check(first, signal))
    }
    this.#isServing = false
  }

  /** False when the signal aborted first. */
  async #isTime({ sinceMs }: Pending, signal: AbortSignal): Promise<boolean> {
    const { clock } = this.#options
    for (;;) {
      const nowMs = clock.monotonicMs()
      const waitMs = Math.max(sinceMs + gatherMs - nowMs, Math.min(this.#heldMs(nowMs), betweenListsMsMin))
      if (signal.aborted) return false
      if (waitMs <= 0) return true
      await pause(clock, waitMs, signal)
    }
  }

  /** How long whoever waits is kept for the next list. */
  #heldMs(nowMs: number): number {
    const isFilling = this.#pending.size * 2 >= this.#options.pendingMax
    return this.#listedMs + (isFilling ? betweenListsMsMin : betweenListsMs) - nowMs
  }

  #isCrowd(): boolean {
    const { size } = this.#pending
    return size >= crowdMin && this.#options.accountCount() <= size * listedPerRead
  }

  async #checkAll(signal: AbortSignal): Promise<void> {
    const { clock, lookUpAll } = this.#options
    this.#listedMs = clock.monotonicMs()
    // Whoever comes from now on needs another list, or a read.
    const all = this.#takeAll()
    this.#tell(all, await lookUpAll(signal))
  }

  async #check(one: Pending, signal: AbortSignal): Promise<void> {
    const { known, lookUp } = this.#options
    // Whoever comes from now on needs a read of his own.
    this.#pending.delete(renderKey(one.key))
    // It came while the read waited for its turn, and needs no read any more.
    this.#tell([one], known(one.key) === 'role' ? 'hit' : await lookUp(one.key, signal))
  }

  #takeAll(): readonly Pending[] {
    const all = [...this.#pending.values()]
    this.#pending.clear()
    return all
  }

  #tell(all: readonly Pending[], outcome: LookupOutcome): void {
    const { known, watched, onResult } = this.#options
    for (const { key, pods } of all) {
      const holding = known(key)
      const found = holding === 'nothing' && (outcome === 'timeout' || outcome === 'error') ? 'unknown' : holding
      onResult({ key, pods, found, isWatched: watched(key) === found })
    }
  }
}
