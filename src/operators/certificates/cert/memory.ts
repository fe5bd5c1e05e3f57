// What a process remembers between passes: since when something is missing, and when what is Ready was looked at. Lost with the process,
// which costs minutes.
import type { Clock } from '#base'

/** Two looks that far apart say that something is gone. */
const confirmMs = 30_000
/** ACM shows within seconds what was asked for. */
const settledMs = 5 * 60_000
const breakMs = 120_000
/** What falls out counts as never looked at. */
const entriesMax = 10_000

export class AbsenceMemory {
  readonly #clock: Pick<Clock, 'monotonicMs'>
  readonly #sinceMs = new Map<string, number>()
  readonly #vain = new Map<string, { readonly sinceMs: number; readonly lastMs: number }>()

  constructor(clock: Pick<Clock, 'monotonicMs'>) {
    this.#clock = clock
  }

  /** Whether this absence is the second, half a minute after the first, and whether it lasts. */
  absent(arn: string): { readonly isConfirmed: boolean; readonly isSettled: boolean } {
    const now = this.#clock.monotonicMs()
    const since = this.#sinceMs.get(arn)
    if (since !== undefined) return { isConfirmed: now - since >= confirmMs, isSettled: now - since >= settledMs }
    const oldest = this.#sinceMs.keys().next().value
    if (this.#sinceMs.size >= entriesMax && oldest !== undefined) this.#sinceMs.delete(oldest)
    this.#sinceMs.set(arn, now)
    return { isConfirmed: false, isSettled: false }
  }

  /** For how long it was looked for in vain, again and again. After a break in which another process may have worked it begins anew. */
  vainMs(key: string): number {
    const now = this.#clock.monotonicMs()
    const before = this.#vain.get(key)
    const sinceMs = before === undefined || now - before.lastMs > breakMs ? now : before.sinceMs
    this.#vain.delete(key)
    this.#vain.set(key, { sinceMs, lastMs: now })
    const oldest = this.#vain.keys().next().value
    if (this.#vain.size > entriesMax && oldest !== undefined) this.#vain.delete(oldest)
    return now - sinceMs
  }

  present(arn: string): void {
    this.#sinceMs.delete(arn)
  }
}

/** When a Cert was looked at last: a pass that comes late makes up for what fell into the time before it. */
export class LookMemory {
  readonly #atMs = new Map<string, number>()

  lastMs(uid: string): number | undefined {
    return this.#atMs.get(uid)
  }

  looked(uid: string, nowMs: number): void {
    this.#atMs.delete(uid)
    this.#atMs.set(uid, nowMs)
    const oldest = this.#atMs.keys().next().value
    if (this.#atMs.size > entriesMax && oldest !== undefined) this.#atMs.delete(oldest)
  }
}

/** Since when this process knows times that lie ahead of the clock: one that wrote them was wrong, or a hand wrote them. */
export class AheadMemory {
  readonly #clock: Pick<Clock, 'monotonicMs'>
  readonly #known = new Map<string, ReadonlyMap<string, number>>()

  constructor(clock: Pick<Clock, 'monotonicMs'>) {
    this.#clock = clock
  }

  /** For how long each of these times of an object has been known, where it lies ahead. */
  knownMs(uid: string, times: readonly string[], nowMs: number): ReadonlyMap<string, number> {
    const before = this.#known.get(uid)
    this.#known.delete(uid)
    // One that cannot be read is none that has passed.
    const ahead = times.filter(time => !(Date.parse(time) <= nowMs))
    if (ahead.length === 0) return new Map()
    const now = this.#clock.monotonicMs()
    const since = new Map(ahead.map(time => [time, before?.get(time) ?? now]))
    this.#known.set(uid, since)
    const oldest = this.#known.keys().next().value
    if (this.#known.size > entriesMax && oldest !== undefined) this.#known.delete(oldest)
    return new Map([...since].map(([time, atMs]) => [time, now - atMs]))
  }
}

interface Noted {
  readonly atMs: number
}

/**
 * What this process asked ACM for or deleted there, until ACM shows that to everybody: where the status tells nothing of it, nothing else
 * does.
 */
export class RequestMemory {
  readonly #clock: Pick<Clock, 'monotonicMs'>
  readonly #answered = new Map<string, { readonly uid: string; readonly token: string } & Noted>()
  readonly #unanswered = new Map<string, Noted>()
  readonly #gone = new Map<string, Noted>()

  constructor(clock: Pick<Clock, 'monotonicMs'>) {
    this.#clock = clock
  }

  /** Right before the call: its answer may be lost, and be a refusal as well. */
  asked(uid: string): void {
    this.#note(this.#unanswered, uid, {})
  }

  /** Whether something was asked for within minutes, and no ARN came of it. */
  isUnanswered(uid: string): boolean {
    return this.#isNoted(this.#unanswered, uid)
  }

  made(uid: string, arn: string, token: string): void {
    this.#unanswered.delete(uid)
    this.#note(this.#answered, arn, { uid, token })
  }

  gone(arn: string): void {
    this.#answered.delete(arn)
    this.#note(this.#gone, arn, {})
  }

  /** Whether it was deleted within minutes: a list may tell of it still, and so may the certificate itself. */
  isGone(arn: string): boolean {
    return this.#isNoted(this.#gone, arn)
  }

  /** Asked for again with its token within minutes it would be the same one, whatever hour the intent says. */
  madeBy(token: string): readonly string[] {
    return this.#latest(made => made.token === token)
  }

  lately(uid: string): readonly string[] {
    return this.#latest(made => made.uid === uid)
  }

  #latest(isIt: (made: { readonly uid: string; readonly token: string }) => boolean): readonly string[] {
    return [...this.#answered].flatMap(([arn, made]) => (isIt(made) && this.#isNoted(this.#answered, arn) ? [arn] : []))
  }

  #note<T extends object>(notes: Map<string, T & Noted>, key: string, what: T): void {
    const now = this.#clock.monotonicMs()
    notes.delete(key)
    notes.set(key, { ...what, atMs: now })
    for (const [oldest, { atMs }] of notes) {
      if (now - atMs < settledMs && notes.size <= entriesMax) return
      notes.delete(oldest)
    }
  }

  #isNoted(notes: ReadonlyMap<string, Noted>, key: string): boolean {
    const atMs = notes.get(key)?.atMs
    return atMs !== undefined && this.#clock.monotonicMs() - atMs < settledMs
  }
}

/** As many as a status lists, and some of the time before. */
const arnsMax = 24

/**
 * Which ARNs this process has seen in the status of an object, or wrote there. What it sees first it believes, as the process before it wrote it;
 * what stands there later and is not known was written by somebody else.
 */
export class ArnMemory {
  /** With whether it is there still, as far as this process knows. */
  readonly #arns = new Map<string, ReadonlyMap<string, boolean>>()

  isByAnother(uid: string, arn: string): boolean {
    const known = this.#arns.get(uid)
    return known !== undefined && !known.has(arn)
  }

  /** Whether one is there that is not listed: who wrote the list did not know of it. */
  knowsAnother(uid: string, listed: readonly string[]): boolean {
    return [...(this.#arns.get(uid) ?? [])].some(([arn, isThere]) => isThere && !listed.includes(arn))
  }

  know(uid: string, arns: readonly string[]): void {
    const now = new Map(arns.map(arn => [arn, true]))
    const before = [...(this.#arns.get(uid) ?? [])].filter(([arn]) => !now.has(arn))
    this.#arns.delete(uid)
    this.#arns.set(uid, new Map([...now, ...before].slice(0, arnsMax)))
    const oldest = this.#arns.keys().next().value
    if (this.#arns.size > entriesMax && oldest !== undefined) this.#arns.delete(oldest)
  }

  gone(uid: string, arn: string): void {
    const known = this.#arns.get(uid)
    if (known?.has(arn) === true) this.#arns.set(uid, new Map([...known, [arn, false]]))
  }

  isNew(uid: string): boolean {
    return !this.#arns.has(uid)
  }
}
