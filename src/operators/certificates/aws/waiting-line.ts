// Who comes when at a bucket that is far behind. Thousands of new Certs want the slowest call of all at the same moment: each is given the
// time at which its token is there, and comes back then, so that no pass holds a worker that others could use meanwhile. Nobody is overtaken.
import type { BucketRate } from './token-bucket.ts'

/** So little may be waited for in the pass itself. */
const shortMs = 1_000
/** Whoever has not come so long after its time does not come any more: its object is gone, or wants something else. */
const missedMs = 60_000

export class WaitingLine {
  readonly #intervalMs: number
  /** By time, since each place is behind the one before. */
  readonly #places = new Map<string, number>()
  #lastMs = 0

  constructor({ perSecond }: Pick<BucketRate, 'perSecond'>) {
    this.#intervalMs = 1_000 / perSecond
  }

  /** After how long `who` is to come back, or earlier to be told the rest; 0 when it is its turn. `bucketMs`: until the next token of the bucket. */
  comeBackMs(who: string, nowMs: number, bucketMs: number): number {
    this.#dropMissed(nowMs)
    const placeMs = this.#places.get(who) ?? this.#placeOf(who, nowMs, bucketMs)
    if (placeMs - nowMs > shortMs) return placeMs - nowMs
    this.#places.delete(who)
    return 0
  }

  #placeOf(who: string, nowMs: number, bucketMs: number): number {
    if (this.#places.size === 0 && bucketMs <= shortMs) return nowMs
    this.#lastMs = Math.max(nowMs + bucketMs, this.#lastMs + this.#intervalMs)
    this.#places.set(who, this.#lastMs)
    return this.#lastMs
  }

  #dropMissed(nowMs: number): void {
    for (const [who, placeMs] of this.#places) {
      if (placeMs > nowMs - missedMs) return
      this.#places.delete(who)
    }
  }
}
