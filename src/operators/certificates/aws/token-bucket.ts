// Calls per second that are never passed. Whoever comes takes a token at once, if need be one that is yet to come, and is told how long to
// wait for it: so nobody is overtaken, and a wait that is too long is known before it begins.
import type { Clock } from '#base'

export interface BucketRate {
  readonly perSecond: number
  readonly burst: number
}

export class TokenBucket {
  readonly #clock: Pick<Clock, 'monotonicMs'>
  readonly #rate: BucketRate
  #tokens: number
  #filledAtMs: number

  constructor(clock: Pick<Clock, 'monotonicMs'>, rate: BucketRate) {
    this.#clock = clock
    this.#rate = rate
    this.#tokens = rate.burst
    this.#filledAtMs = clock.monotonicMs()
  }

  /** Milliseconds until the next token of whoever comes now. */
  waitMs(): number {
    this.#fill()
    return this.#tokens >= 1 ? 0 : Math.ceil(((1 - this.#tokens) / this.#rate.perSecond) * 1_000)
  }

  take(): void {
    this.#fill()
    this.#tokens -= 1
  }

  /** Whoever gave up waiting used none. */
  giveBack(): void {
    this.#tokens = Math.min(this.#rate.burst, this.#tokens + 1)
  }

  get tokens(): number {
    this.#fill()
    return Math.max(0, this.#tokens)
  }

  #fill(): void {
    const now = this.#clock.monotonicMs()
    const seconds = Math.max(0, now - this.#filledAtMs) / 1_000
    this.#filledAtMs = now
    this.#tokens = Math.min(this.#rate.burst, this.#tokens + seconds * this.#rate.perSecond)
  }
}
