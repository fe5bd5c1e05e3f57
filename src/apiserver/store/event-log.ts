// What happened to one resource lately, in order of revision: the memory that watches resume from and that reads of the past are
// computed with. It is the only thing that grows with writes, and it is bounded by count and by age.
import type { Version } from './version.ts'

export interface StoreEvent {
  readonly revision: number
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'
  readonly key: string
  /** The object after the change; for DELETED its last content, with the revision of the deletion. */
  readonly version: Version
  readonly previous: Version | undefined
  readonly atMs: number
}

/** A watch that was away for a moment finds its place again however quiet or busy the resource is. */
const eventsMin = 100
/** A real server's watch cache ends here too; beyond it a reader is better off listing. */
const eventsMax = 102_400
/** How far back exact reads and continue tokens reach: a real server compacts every five minutes. */
const ageMsMax = 300_000

export class EventLog {
  #events: StoreEvent[] = []
  /** Events before this index are dropped; the array is cut when half of it is. */
  #start = 0
  #shared = false
  /** The highest revision whose events may be missing: a watch must start here or later. */
  #floor: number

  constructor(floor = 0) {
    this.#floor = floor
  }

  get floor(): number {
    return this.#floor
  }

  get length(): number {
    return this.#events.length - this.#start
  }

  fork(): EventLog {
    const copy = new EventLog(this.#floor)
    copy.#events = this.#events
    copy.#start = this.#start
    copy.#shared = true
    this.#shared = true
    return copy
  }

  append(event: StoreEvent): void {
    if (this.#shared) this.#takeOwn()
    this.#events.push(event)
    this.#trim(event.atMs)
  }

  /** Index of the first event after the revision, for `at`. Indexes move when the log is cut, so they are not kept. */
  after(revision: number): number {
    let low = this.#start
    let high = this.#events.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#events[middle] as StoreEvent).revision <= revision) low = middle + 1
      else high = middle
    }
    return low
  }

  at(index: number): StoreEvent | undefined {
    return this.#events[index]
  }

  get end(): number {
    return this.#events.length
  }

  compact(revision: number): void {
    if (this.#shared) this.#takeOwn()
    const index = this.after(revision)
    this.#events.splice(0, index)
    this.#start = 0
    this.#floor = Math.max(this.#floor, revision)
  }

  #takeOwn(): void {
    this.#events = this.#events.slice(this.#start)
    this.#start = 0
    this.#shared = false
  }

  #trim(nowMs: number): void {
    while (this.length > eventsMin) {
      const oldest = this.#events[this.#start] as StoreEvent
      if (this.length <= eventsMax && nowMs - oldest.atMs <= ageMsMax) break
      this.#floor = oldest.revision
      this.#start++
    }
    if (this.#start > 1_000 && this.#start * 2 > this.#events.length) this.#takeOwn()
  }
}
