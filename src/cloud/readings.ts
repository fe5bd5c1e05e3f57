// What was read from AWS, and what our own calls made of it since. At rest nothing is read again before the drift budget allows it:
// ten thousand claims that look at AWS with every pass would use up the account's rate for everybody.
import type { Clock } from '#base'

export interface ReadingsOptions {
  readonly clock: Pick<Clock, 'monotonicMs'>
  /** How old a reading may be. */
  readonly ageMsMax: number
}

/**
 * An entry takes half a kilobyte. One that falls out for want of room is read again from AWS, and where there are more than fit all of them do:
 * each falls out before its turn comes again. So it is twice of what one operator was ever measured with.
 */
const entriesMax = 200_000

/** AWS shows a change to each of its readers within seconds [W7]; a successor after a crash waits for the lease, which is longer. */
const visibleMs = 30_000

/** Between the two looks that must both find nothing before what was there is believed to be gone: one answer may be as of long ago. */
const betweenLooksMs = 5_000
/** What was last seen absent, or was removed by us, so long ago says nothing of what is there now. */
const forgottenMs = 300_000

/** What this process knows of a thing apart from its content. */
type Fate = { readonly kind: 'there' } | { readonly kind: 'removed'; readonly atMs: number }

/** Looks in a row that found nothing. */
interface Absence {
  readonly firstMs: number
  readonly lastMs: number
}

/** How long a resource of a stranger that has our name is remembered: nobody tells us when the stranger gives it back. */
export const strangerMs = 60_000

/** `undefined` as an actual is "was seen absent". */
export class Readings<Actual> {
  readonly #options: ReadingsOptions
  readonly #entries = new Map<string, { readonly actual: Actual | undefined; readonly readMs: number }>()
  /** Since when something may be there that was never seen. */
  readonly #unseenSinceMs = new Map<string, number>()
  readonly #fates = new Map<string, Fate>()
  readonly #absences = new Map<string, Absence>()

  constructor(options: ReadingsOptions) {
    this.#options = options
  }

  /**
   * What is remembered, or else what `read` answers, which is remembered. That a resource is absent is not remembered: somebody may make
   * it at any moment.
   */
  async recall(key: string, read: () => Promise<Actual | undefined>): Promise<Actual | undefined> {
    const entry = this.#entries.get(key)
    if (entry !== undefined && this.#now() - entry.readMs < this.#options.ageMsMax) return entry.actual
    const actual = await read()
    if (actual === undefined) this.noteAbsent(key)
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
    if (actual === undefined) {
      this.#entries.delete(key)
      // Only of a resource that was known an answer can say that it is gone.
      if (entry !== undefined) put(this.#fates, key, { kind: 'removed', atMs: this.#now() })
    } else this.#set(key, actual, entry?.readMs)
  }

  /** How old what is remembered is; for ever, when nothing is. */
  ageMs(key: string): number {
    const entry = this.#entries.get(key)
    return entry === undefined ? Number.POSITIVE_INFINITY : this.#now() - entry.readMs
  }

  /** After a call whose outcome is not known. */
  forget(key: string): void {
    this.#entries.delete(key)
  }

  /** After an answer that there is nothing: it counts as one look. */
  noteAbsent(key: string): void {
    this.#entries.delete(key)
    const nowMs = this.#now()
    const known = this.#absences.get(key)
    // By its last look, since each look says it anew: by the first one, two resources that are looked at together every few minutes could each
    // begin anew in turn, and never both be proven gone.
    const firstMs = known === undefined || nowMs - known.lastMs >= forgottenMs ? nowMs : known.firstMs
    put(this.#absences, key, { firstMs, lastMs: nowMs })
  }

  /** After a create call of which nobody knows what came of it. */
  mayHaveMade(key: string): void {
    put(this.#unseenSinceMs, key, this.#now())
  }

  /** For so long an absence that was read proves nothing; 0 when it does. `isOnRecord`: it was there, as far as our records go. */
  unprovenMs(key: string, isOnRecord: boolean): number {
    const unseenSinceMs = this.#unseenSinceMs.get(key) ?? Number.NEGATIVE_INFINITY
    const absentSinceMs = this.#wasThere(key, isOnRecord)
      ? (this.#absences.get(key)?.firstMs ?? this.#now())
      : Number.NEGATIVE_INFINITY
    return Math.max(0, unseenSinceMs + visibleMs - this.#now(), absentSinceMs + betweenLooksMs - this.#now())
  }

  #wasThere(key: string, isOnRecord: boolean): boolean {
    const fate = this.#fates.get(key)
    if (fate?.kind === 'removed' && this.#now() - fate.atMs < forgottenMs) return false
    return isOnRecord || fate?.kind === 'there'
  }

  get size(): number {
    return this.#entries.size
  }

  #set(key: string, actual: Actual, readMs: number = this.#now()): void {
    this.#absences.delete(key)
    put(this.#entries, key, { actual, readMs })
    put(this.#fates, key, { kind: 'there' })
  }

  #now(): number {
    return this.#options.clock.monotonicMs()
  }
}

/** As the youngest; the oldest makes room. */
function put<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.delete(key)
  map.set(key, value)
  if (map.size > entriesMax) map.delete(map.keys().next().value as string)
}
