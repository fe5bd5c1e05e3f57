// Pods that were let in at once because the watch said that their ServiceAccount has no role, and the reads that prove it afterwards. Each
// such pod is covered by a read that was sent after it asked: one read for all pods of a ServiceAccount that came since the last, so many
// reads a second and no more. A role that turns up is told, and so is what could not be found out.
import { type Clock, untilAborted } from '#base'
import { type ObjectKey, renderKey } from '#kube'
import { pause } from '#runtime'
import type { LookupOutcome } from './lookup.ts'
import type { ReadTurns } from './read-budget.ts'

export interface BehindOptions {
  readonly clock: Clock
  readonly turns: ReadTurns
  readonly pendingMax: number
  readonly hasRole: (key: ObjectKey) => boolean
  /** Reads all that may name a role, after the call. */
  readonly lookUp: (key: ObjectKey, signal: AbortSignal) => Promise<LookupOutcome>
  readonly onResult: (result: BehindResult) => void
}

export interface BehindResult {
  readonly key: ObjectKey
  /** How many pods were let in since the last read. */
  readonly pods: number
  /**
   * `role-read`: there is a role that the watch had not brought. `role-watched`: the watch brought one before the read was sent, and the
   * pods may have asked before or after it was there. `unknown`: nobody could be asked.
   */
  readonly found: 'no-role' | 'role-read' | 'role-watched' | 'unknown'
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
    const { clock, turns } = this.#options
    const mayRead = (await pause(clock, gatherMs, signal)) && (await turns.enter(signal))
    const pods = this.#pending.get(id)?.pods ?? 0
    // Whoever comes from now on needs a read of his own.
    this.#pending.delete(id)
    this.#options.onResult({ key, pods, found: mayRead ? await this.#find(key, signal) : 'unknown' })
  }

  async #find(key: ObjectKey, signal: AbortSignal): Promise<BehindResult['found']> {
    const { hasRole, lookUp } = this.#options
    if (hasRole(key)) return 'role-watched'
    const outcome = await lookUp(key, signal)
    if (hasRole(key)) return 'role-read'
    return outcome === 'timeout' || outcome === 'error' ? 'unknown' : 'no-role'
  }
}
