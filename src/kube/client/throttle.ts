// The client's own restraint: how many calls at once, and how many a second. First come, first served.
import type { Clock } from '#base'

export interface ThrottleOptions {
  readonly requestsPerSecond?: number
  /** How many may go at once after a pause; default one second's worth. */
  readonly burst?: number
  readonly concurrentMax?: number
}

export class ClientThrottle {
  readonly #clock: Clock
  readonly #perMs: number
  readonly #burst: number
  readonly #concurrentMax: number
  readonly #waiting = new Set<() => void>()
  #running = 0
  #tokens: number
  #filledMs: number

  constructor(clock: Clock, options: ThrottleOptions) {
    this.#clock = clock
    this.#perMs = (options.requestsPerSecond ?? Number.POSITIVE_INFINITY) / 1_000
    this.#burst = Math.max(1, options.burst ?? options.requestsPerSecond ?? 1)
    this.#concurrentMax = options.concurrentMax ?? Number.POSITIVE_INFINITY
    this.#tokens = this.#burst
    this.#filledMs = clock.monotonicMs()
  }

  /** Waits for a place; the function it gives returns the place. */
  async enter(signal: AbortSignal): Promise<() => void> {
    while (this.#running >= this.#concurrentMax) await this.#place(signal)
    this.#running++
    try {
      await this.#token(signal)
    } catch (error) {
      this.#leave()
      throw error
    }
    let left = false
    return () => {
      if (!left) this.#leave()
      left = true
    }
  }

  #leave(): void {
    this.#running--
    for (const wake of this.#waiting) return wake()
  }

  #place(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const wake = (): void => {
        this.#waiting.delete(wake)
        signal.removeEventListener('abort', wake)
        if (signal.aborted) reject(signal.reason as Error)
        else resolve()
      }
      this.#waiting.add(wake)
      signal.addEventListener('abort', wake)
      if (signal.aborted) wake()
    })
  }

  /** Takes the next token; those of the future are taken too, and waited for, which keeps the order. */
  async #token(signal: AbortSignal): Promise<void> {
    if (this.#perMs === Number.POSITIVE_INFINITY) return
    const nowMs = this.#clock.monotonicMs()
    this.#tokens = Math.min(this.#burst, this.#tokens + (nowMs - this.#filledMs) * this.#perMs)
    this.#filledMs = nowMs
    this.#tokens--
    if (this.#tokens < 0) await this.#clock.sleep(-this.#tokens / this.#perMs, signal)
  }
}
