// How many direct reads there may be: a token bucket with a bounded queue. A flood of pods of unknown ServiceAccounts must not become a
// flood at the API server (§2.10.1, B-08).
import type { Clock, Timer } from '#base'

/** Whoever wants to read asks for a turn. */
export interface ReadTurns {
  /** True when the read may be made now; false when there is no turn, or the signal aborted first. */
  enter(signal: AbortSignal): Promise<boolean>
}

/** For reads that were granted a turn before. */
export const alwaysMyTurn: ReadTurns = { enter: signal => Promise.resolve(!signal.aborted) }

/** Direct reads of ServiceAccounts that the cache does not know [2.10.1]. They wait for their turn: the watch may be faster. */
const unknownReads = { perSecond: 10, burst: 20, queuedMax: 1_000 }
/**
 * Of those that it knows without an identity, which are those of most pods: as many as a large cluster makes pods, for whose creation the API
 * server does many times the work. Whoever comes in a greater crowd is answered at once: to wait for a turn that comes too late would only
 * be slower.
 */
const confirmingReads = { perSecond: 200, burst: 200, queuedMax: 1_000, waitMsMax: 5 }

export interface AccountBudgets {
  readonly unknownBudget: ReadTurns
  readonly confirmBudget: ReadTurns | undefined
}

/** Of one webhook. `confirms`: that there is no identity is believed of a read alone. */
export function accountBudgets(clock: Clock, confirms: boolean): AccountBudgets {
  return {
    unknownBudget: new ReadBudget(clock, unknownReads),
    confirmBudget: confirms ? new ReadBudget(clock, confirmingReads) : undefined,
  }
}

export interface ReadBudgetOptions {
  readonly perSecond: number
  readonly burst: number
  /** Whoever comes when this many wait is turned away. */
  readonly queuedMax: number
  /** Whoever would have to wait longer is turned away at once. Absent: as long as the asker likes. */
  readonly waitMsMax?: number
}

interface Waiting {
  readonly signal: AbortSignal
  readonly go: (granted: boolean) => void
}

export class ReadBudget implements ReadTurns {
  readonly #clock: Clock
  readonly #options: ReadBudgetOptions
  readonly #waiting = new Set<Waiting>()
  #tokens: number
  #filledMs: number
  #timer: Timer | undefined

  constructor(clock: Clock, options: ReadBudgetOptions) {
    this.#clock = clock
    this.#options = options
    this.#tokens = options.burst
    this.#filledMs = clock.monotonicMs()
  }

  get queued(): number {
    return this.#waiting.size
  }

  /** True when the read may be made now; false when the queue is full or the signal aborted first. */
  enter(signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return Promise.resolve(false)
    this.#fill()
    if (this.#waiting.size === 0 && this.#tokens >= 1) {
      this.#tokens--
      return Promise.resolve(true)
    }
    if (this.#waiting.size >= this.#options.queuedMax || this.#isTooLong()) return Promise.resolve(false)
    return new Promise(resolve => {
      const waiting: Waiting = {
        signal,
        go: granted => {
          signal.removeEventListener('abort', giveUp)
          this.#waiting.delete(waiting)
          this.#arm()
          resolve(granted)
        },
      }
      const giveUp = (): void => waiting.go(false)
      signal.addEventListener('abort', giveUp, { once: true })
      this.#waiting.add(waiting)
      this.#arm()
    })
  }

  #isTooLong(): boolean {
    const { perSecond, waitMsMax } = this.#options
    return waitMsMax !== undefined && ((this.#waiting.size + 1 - this.#tokens) * 1_000) / perSecond > waitMsMax
  }

  #fill(): void {
    const nowMs = this.#clock.monotonicMs()
    const { perSecond, burst } = this.#options
    this.#tokens = Math.min(burst, this.#tokens + ((nowMs - this.#filledMs) * perSecond) / 1_000)
    this.#filledMs = nowMs
  }

  /** One timer for the first in the queue, and none when nobody waits. */
  #arm(): void {
    if (this.#waiting.size === 0) {
      this.#timer?.cancel()
      this.#timer = undefined
      return
    }
    if (this.#timer !== undefined) return
    const delayMs = Math.max(1, Math.ceil(((1 - this.#tokens) * 1_000) / this.#options.perSecond))
    this.#timer = this.#clock.timer(delayMs, () => {
      this.#timer = undefined
      this.#fill()
      const [first] = this.#waiting
      if (first !== undefined && this.#tokens >= 1) {
        this.#tokens--
        first.go(true)
      }
      this.#arm()
    })
  }
}
