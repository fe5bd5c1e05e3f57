// What was read from AWS, and what our own calls made of it since. At rest nothing is read again before the drift budget allows it:
// ten thousand claims that look at AWS with every pass would use up the account's rate for everybody.
import type { Clock } from '#base'

export interface ReadingsOptions {
  readonly clock: Pick<Clock, 'monotonicMs'>
  /** How old a reading may be. */
  readonly ageMsMax: number
}

/** Half a kilobyte each; what falls out is read again. */
const entriesMax = 50_000

/** AWS shows a change to each of its readers within seconds [W7]; a successor after a crash waits for the lease, which is longer. */
const visibleMs = 30_000

/** Nobody tells when a stranger gives back what has our name. */
export const strangerMs = 60_000

/** `undefined` as an actual is "was seen absent". */
export class Readings<Actual> {
  readonly #options: ReadingsOptions
  readonly #entries = new Map<string, { readonly actual: Actual | undefined; readonly readMs: number }>()
  /** Since when something may be there that was never seen. */
  readonly #unseenSinceMs = new Map<string, number>()

  constructor(options: ReadingsOptions) {
    this.#options = options
  }

  /** From memory, or by `read`, whose answer is remembered. An absence is not: somebody may make it any moment. */
  async recall(key: string, read: () => Promise<Actual | undefined>): Promise<Actual | undefined> {
    const entry = this.#entries.get(key)
    if (entry !== undefined && this.#options.clock.monotonicMs() - entry.readMs < this.#options.ageMsMax) return entry.actual
    const actual = await read()
    if (actual === undefined) this.#entries.delete(key)
    else {
      this.#unseenSinceMs.delete(key)
      this.#set(key, actual)
    }
    return actual
  }

  /** What an answer of AWS says that it is now. The reading of the rest is as old as it was. */
  update(key: string, change: (actual: Actual | undefined) => Actual | undefined): void {
    const entry = this.#entries.get(key)
    const actual = change(entry?.actual)
    if (actual === undefined) this.#entries.delete(key)
    else this.#set(key, actual, entry?.readMs)
  }

  /** How old what is remembered is; for ever, when nothing is. */
  ageMs(key: string): number {
    const entry = this.#entries.get(key)
    return entry === undefined ? Number.POSITIVE_INFINITY : this.#options.clock.monotonicMs() - entry.readMs
  }

  /** After a call whose outcome is not known. */
  forget(key: string): void {
    this.#entries.delete(key)
  }

  /** After a create call of which nobody knows what came of it. */
  mayHaveMade(key: string): void {
    this.#unseenSinceMs.delete(key)
    this.#unseenSinceMs.set(key, this.#options.clock.monotonicMs())
    if (this.#unseenSinceMs.size > entriesMax) this.#unseenSinceMs.delete(this.#unseenSinceMs.keys().next().value as string)
  }

  /** For so long an absence that is read proves nothing; 0 when it does. */
  unprovenMs(key: string): number {
    const sinceMs = this.#unseenSinceMs.get(key)
    return sinceMs === undefined ? 0 : Math.max(0, sinceMs + visibleMs - this.#options.clock.monotonicMs())
  }

  get size(): number {
    return this.#entries.size
  }

  #set(key: string, actual: Actual, readMs: number = this.#options.clock.monotonicMs()): void {
    this.#entries.delete(key)
    this.#entries.set(key, { actual, readMs })
    if (this.#entries.size > entriesMax) this.#entries.delete(this.#entries.keys().next().value as string)
  }
}
