// Pods that were let in at once because the watch said that their ServiceAccount has no role, and the reads that prove it afterwards: one
// read for all pods of a ServiceAccount that came since the last, so many reads a second and no more. Each such pod ends in one result, and
// every result but `nothing` is told: a role or a promise that was there, or that nobody could be asked.
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

/** The answer goes out first, and the pods of one ServiceAccount that come together are covered by one read. */
const gatherMs = 20

export class BehindChecks {
  readonly #options: BehindOptions
  readonly #pending = new Map<string, { pods: number }>()
  readonly #running = new Set<Promise<void>>()
  #signal: AbortSignal | undefined

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
    this.#pending.set(id, { pods: 1 })
    const check = this.#check(key, id, signal)
    this.#running.add(check)
    void check.finally(() => this.#running.delete(check))
    return true
  }

  /** Checks are made while this runs. */
  async run(signal: AbortSignal): Promise<void> {
    this.#signal = signal
    await untilAborted(signal)
    await Promise.all(this.#running)
  }

  async #check(key: ObjectKey, id: string, signal: AbortSignal): Promise<void> {
    const { clock, turns, watched, onResult } = this.#options
    const mayRead = (await pause(clock, gatherMs, signal)) && (await turns.enter(signal))
    const pods = this.#pending.get(id)?.pods ?? 0
    // Whoever comes from now on needs a read of his own.
    this.#pending.delete(id)
    const found = mayRead ? await this.#find(key, signal) : 'unknown'
    onResult({ key, pods, found, isWatched: watched(key) === found })
  }

  async #find(key: ObjectKey, signal: AbortSignal): Promise<BehindResult['found']> {
    const { known, lookUp } = this.#options
    // It came while the read waited for its turn, and needs no read any more.
    if (known(key) === 'role') return 'role'
    const outcome = await lookUp(key, signal)
    const holding = known(key)
    return holding === 'nothing' && (outcome === 'timeout' || outcome === 'error') ? 'unknown' : holding
  }
}
