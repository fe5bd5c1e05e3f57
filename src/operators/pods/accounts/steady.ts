// Of which ServiceAccounts the watch alone is believed that they have no role. A cache is some past state, and only a read that is sent
// after the pod asked proves that there is none. But roles come to ServiceAccounts that somebody works on: those that were made or changed
// a moment ago. One that has not changed for minutes, as a watch says that is open and was heard of lately, is answered for at once; what
// changed before the start nobody knows, so that the minutes begin there. The
// read that proves it follows behind the answer (behind.ts), and the first one that finds the watch wrong ends the belief for all.
import type { Clock } from '#base'
import { type ObjectKey, renderKey } from '#kube'
import type { Informer } from '#runtime'

export interface SteadyOptions {
  readonly clock: Clock
  /** Unchanged for this long; 0: none ever is. */
  readonly afterMs: number
  /** All of them have to be in step with the API server. */
  readonly informers: readonly Pick<Informer, 'state' | 'silentMs'>[]
}

/** API servers send a bookmark about every minute: a watch that says nothing for longer may be dead. */
const heardWithinMs = 90_000
/** A watch that was found behind is not believed for so long. */
const doubtMs = 60_000
/** More changes than these within the time are remembered as one: that something changed, whatever it is called. */
const changesMax = 10_000

export class SteadyAccounts {
  readonly #options: SteadyOptions
  /** By what changed, the oldest first. */
  readonly #changedMs = new Map<string, number>()
  #allChangedMs: number
  #doubtedMs = Number.NEGATIVE_INFINITY

  constructor(options: SteadyOptions) {
    this.#options = options
    this.#allChangedMs = options.clock.monotonicMs()
  }

  /** Something about this ServiceAccount changed: `namespace/name`, or `*\/name` for all of that name. */
  changed(id: string): void {
    if (this.#options.afterMs === 0) return
    const nowMs = this.#options.clock.monotonicMs()
    this.#changedMs.delete(id)
    this.#changedMs.set(id, nowMs)
    if (this.#changedMs.size > changesMax) this.#forgetOldest(nowMs)
  }

  /** A read has found what the watch should have brought. */
  doubt(): void {
    this.#doubtedMs = this.#options.clock.monotonicMs()
  }

  /** Whether what the cache says of it may be answered at once. */
  holds(key: ObjectKey): boolean {
    const { clock, afterMs, informers } = this.#options
    if (afterMs === 0) return false
    const nowMs = clock.monotonicMs()
    if (nowMs - this.#doubtedMs < doubtMs || nowMs - this.#allChangedMs < afterMs) return false
    if (!informers.every(informer => informer.state.kind === 'live' && informer.silentMs() < heardWithinMs)) return false
    return !this.#isRecent(renderKey(key), nowMs) && !this.#isRecent(`*/${key.name}`, nowMs)
  }

  #isRecent(id: string, nowMs: number): boolean {
    const changedMs = this.#changedMs.get(id)
    if (changedMs === undefined) return false
    if (nowMs - changedMs < this.#options.afterMs) return true
    this.#changedMs.delete(id)
    return false
  }

  /** What is forgotten before its time might be any ServiceAccount. */
  #forgetOldest(nowMs: number): void {
    for (const [id, changedMs] of this.#changedMs) {
      this.#changedMs.delete(id)
      if (nowMs - changedMs < this.#options.afterMs) this.#allChangedMs = changedMs
      if (this.#changedMs.size <= changesMax) return
    }
  }
}
