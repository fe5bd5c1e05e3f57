// Who comes when at a bucket that is far behind. Thousands of new Certs want the slowest call of all at the same moment: each is given the
// time at which its token is there, and comes back then, so that no pass holds a worker that others could use meanwhile. Nobody is overtaken.
import type { BucketRate } from './token-bucket.ts'

/** So little may be waited for in the pass itself. */
const shortMs = 1_000
/** However much others have to do, one is let through so often. */
const stoppedMsMax = 2_000
/** Whoever has not come so long after its time does not come any more: its object is gone, or wants something else. */
const missedMs = 60_000

export class WaitingLine {
  readonly #intervalMs: number
  /** By time, since each place is behind the one before. All of them moved on by the stops since the line began. */
  readonly #places = new Map<string, number>()
  #lastMs = 0
  #stoppedMs = 0
  #passedMs = Number.NEGATIVE_INFINITY

  constructor({ perSecond }: Pick<BucketRate, 'perSecond'>) {
    this.#intervalMs = 1_000 / perSecond
  }

  /**
   * After how long `who` is to come back, or earlier to be told the rest; 0 when it is its turn. `bucketMs`: until the next token of the bucket.
   * `stopMs`: for how long nobody is to pass, because others need what is there for what they have begun.
   */
  comeBackMs(
    who: string,
    nowMs: number,
    { bucketMs, stopMs = 0 }: { readonly bucketMs: number; readonly stopMs?: number },
  ): number {
    this.#dropMissed(nowMs)
    const placeMs = this.#places.get(who) ?? this.#placeOf(who, nowMs, bucketMs)
    const restMs = placeMs + this.#stoppedMs - nowMs
    if (restMs > shortMs) return restMs
    if (stopMs > 0 && nowMs - this.#passedMs < stoppedMsMax) return this.#stop(who, nowMs, stopMs)
    this.#places.delete(who)
    this.#passedMs = nowMs
    return 0
  }

  /** Everybody comes so much later, in the same order. */
  #stop(who: string, nowMs: number, stopMs: number): number {
    if (!this.#places.has(who)) this.#place(who, nowMs - this.#stoppedMs)
    this.#stoppedMs += stopMs
    return stopMs
  }

  #placeOf(who: string, nowMs: number, bucketMs: number): number {
    const ownMs = nowMs - this.#stoppedMs
    if (this.#places.size === 0 && bucketMs <= shortMs) return ownMs
    return this.#place(who, Math.max(ownMs + bucketMs, this.#lastMs + this.#intervalMs))
  }

  #place(who: string, placeMs: number): number {
    this.#lastMs = placeMs
    this.#places.set(who, placeMs)
    return placeMs
  }

  #dropMissed(nowMs: number): void {
    for (const [who, placeMs] of this.#places) {
      if (placeMs + this.#stoppedMs > nowMs - missedMs) return
      this.#places.delete(who)
    }
  }
}
