// The work queue. A key is in it at most once and worked on by at most one worker (S17). It waits in a lane, or for a time, or is
// active; added while active it is remembered and runs again. Lanes are served most urgent first, with a bounded share for the
// others so that nothing waits for ever (L9), and drift never takes the last worker: a new claim always finds one free (P12).
import type { Clock, Timer } from '#base'
import { invariant } from '#base'
import { DueHeap } from './due-heap.ts'
import { FairLane, type Lane, lanes, moreUrgent } from './lane.ts'

export interface QueueObserver {
  added?(lane: Lane): void
  started?(lane: Lane, waitedMs: number): void
  finished?(workedMs: number): void
}

export interface WorkQueueOptions<K> {
  readonly clock: Clock
  readonly render: (key: K) => string
  /** Keys of one group take turns with those of other groups: cluster and namespace. */
  readonly groupOf: (key: K) => string
  /** How many keys of the drift lane may be active at once. */
  readonly driftActiveMax?: number
  readonly observer?: QueueObserver
}

export interface Taken<K> {
  readonly key: K
  readonly id: string
  readonly lane: Lane
  /** Since it was due and nobody else worked on it. */
  readonly waitedMs: number
}

interface Entry<K> {
  readonly key: K
  readonly id: string
  lane: Lane
  state: 'delayed' | 'ready' | 'active'
  dueMs: number
  readyAtMs: number
  /** When the last work on the key ended. */
  freeAtMs: number
  /** Changes whenever the entry moves, so that what is left of it in a lane or in the heap is known to be old. */
  ticket: number
  again: { lane: Lane; dueMs: number } | undefined
}

interface Place<K> {
  readonly entry: Entry<K>
  readonly ticket: number
}

/** Every so many takes the lanes are served from the other end: the bound of the lower lanes. */
const politeEvery = 16
/** Old places among those that wait for a time are let go of when they are more than the keys and so many. */
const oldPlacesMax = 64

export class WorkQueue<K> {
  readonly #options: WorkQueueOptions<K>
  readonly #entries = new Map<string, Entry<K>>()
  readonly #lanes: Readonly<Record<Lane, FairLane<Place<K>>>> = {
    begun: new FairLane(),
    fresh: new FairLane(),
    retry: new FairLane(),
    drift: new FairLane(),
  }
  readonly #ready: Record<Lane, number> = { begun: 0, fresh: 0, retry: 0, drift: 0 }
  readonly #delayed = new DueHeap<Place<K>>()
  readonly #waiters: ((taken: Taken<K> | undefined) => void)[] = []
  #timer: { readonly dueMs: number; readonly timer: Timer } | undefined
  #driftActive = 0
  #takes = 0
  #closed = false

  constructor(options: WorkQueueOptions<K>) {
    this.#options = options
  }

  /** Makes sure the key is worked on, in this lane or a more urgent one, then or earlier. */
  add(key: K, lane: Lane = 'fresh', afterMs = 0): void {
    if (this.#closed) return
    this.#options.observer?.added?.(lane)
    const dueMs = this.#options.clock.monotonicMs() + Math.max(0, afterMs)
    const id = this.#options.render(key)
    const entry = this.#entries.get(id)
    if (entry === undefined) {
      const added: Entry<K> = { key, id, lane, state: 'delayed', dueMs, freeAtMs: 0, readyAtMs: 0, ticket: 0, again: undefined }
      this.#entries.set(id, added)
      this.#place(added)
    } else if (entry.state === 'active') {
      const again = entry.again
      entry.again =
        again === undefined ? { lane, dueMs } : { lane: moreUrgent(again.lane, lane), dueMs: Math.min(again.dueMs, dueMs) }
    } else {
      this.#hasten(entry, lane, dueMs)
    }
    this.#serve()
  }

  /** The next key to work on, when there is one; `undefined` once the queue is closed or the signal aborts. */
  take(signal?: AbortSignal): Promise<Taken<K> | undefined> {
    if (this.#closed || signal?.aborted === true) return Promise.resolve(undefined)
    return new Promise(resolve => {
      const onAbort = (): void => {
        const index = this.#waiters.indexOf(waiter)
        if (index >= 0) this.#waiters.splice(index, 1)
        resolve(undefined)
      }
      const waiter = (taken: Taken<K> | undefined): void => {
        signal?.removeEventListener('abort', onAbort)
        resolve(taken)
      }
      signal?.addEventListener('abort', onAbort, { once: true })
      this.#waiters.push(waiter)
      this.#serve()
    })
  }

  /** Ends the work on a key that was taken. */
  done(taken: Taken<K>): void {
    const entry = this.#entries.get(taken.id)
    invariant(entry?.state === 'active', 'a key was finished that nobody works on', taken.id)
    this.#options.observer?.finished?.(this.#options.clock.monotonicMs() - entry.readyAtMs)
    if (taken.lane === 'drift') this.#driftActive--
    const again = entry.again
    if (again === undefined || this.#closed) {
      this.#entries.delete(taken.id)
    } else {
      entry.again = undefined
      entry.freeAtMs = this.#options.clock.monotonicMs()
      entry.lane = again.lane
      entry.dueMs = again.dueMs
      this.#place(entry)
    }
    this.#serve()
  }

  /** Forgets a key that waits; one that is active only loses its next round. */
  drop(id: string): void {
    const entry = this.#entries.get(id)
    if (entry === undefined) return
    entry.again = undefined
    if (entry.state === 'active') return
    if (entry.state === 'ready') this.#ready[entry.lane]--
    entry.ticket++
    this.#entries.delete(id)
  }

  /** Wakes all who wait with `undefined`, and takes nothing more. */
  close(): void {
    this.#closed = true
    this.#timer?.timer.cancel()
    this.#timer = undefined
    for (const waiter of this.#waiters.splice(0)) waiter(undefined)
  }

  /** Keys that could be worked on now, by lane. */
  depth(lane?: Lane): number {
    return lane === undefined ? lanes.reduce((sum, each) => sum + this.#ready[each], 0) : this.#ready[lane]
  }

  /** Of keys that wait for a time, with those that were made void since. */
  get places(): number {
    return this.#delayed.size
  }

  /** All keys: ready, delayed and active. */
  get size(): number {
    return this.#entries.size
  }

  #hasten(entry: Entry<K>, lane: Lane, dueMs: number): void {
    const lanePlaced = moreUrgent(entry.lane, lane)
    const duePlaced = Math.min(entry.dueMs, dueMs)
    if (lanePlaced === entry.lane && duePlaced === entry.dueMs) return
    if (entry.state === 'ready') this.#ready[entry.lane]--
    entry.lane = lanePlaced
    entry.dueMs = duePlaced
    this.#place(entry)
  }

  /** Puts the entry where its lane and due time say, and makes its older places void. */
  #place(entry: Entry<K>): void {
    entry.ticket++
    const place: Place<K> = { entry, ticket: entry.ticket }
    const nowMs = this.#options.clock.monotonicMs()
    if (entry.dueMs > nowMs) {
      entry.state = 'delayed'
      this.#delayed.push(entry.dueMs, place)
      this.#arm()
      // A key that changes each minute and is looked at each day would leave a thousand old places behind until their time comes.
      if (this.#delayed.size > 2 * this.#entries.size + oldPlacesMax) this.#delayed.keep(isCurrent)
      return
    }
    entry.state = 'ready'
    entry.readyAtMs = nowMs
    this.#ready[entry.lane]++
    this.#lanes[entry.lane].push(this.#options.groupOf(entry.key), place)
  }

  #serve(): void {
    while (this.#waiters.length > 0) {
      const taken = this.#next()
      if (taken === undefined) return
      this.#waiters.shift()?.(taken)
    }
  }

  #next(): Taken<K> | undefined {
    const polite = (this.#takes + 1) % politeEvery === 0
    for (const lane of polite ? lanes.toReversed() : lanes) {
      if (this.#ready[lane] === 0) continue
      if (lane === 'drift' && this.#driftActive >= (this.#options.driftActiveMax ?? Number.POSITIVE_INFINITY)) continue
      const place = this.#lanes[lane].shift(isCurrent)
      invariant(place !== undefined, 'a lane counted an entry that it does not hold', lane)
      this.#takes++
      return this.#activate(place.entry, lane)
    }
    return undefined
  }

  #activate(entry: Entry<K>, lane: Lane): Taken<K> {
    const nowMs = this.#options.clock.monotonicMs()
    this.#ready[lane]--
    if (lane === 'drift') this.#driftActive++
    this.#options.observer?.started?.(lane, nowMs - entry.readyAtMs)
    entry.state = 'active'
    entry.ticket++
    entry.readyAtMs = nowMs
    return { key: entry.key, id: entry.id, lane, waitedMs: nowMs - Math.max(entry.dueMs, entry.freeAtMs) }
  }

  /** One timer for the earliest of all delayed keys. */
  #arm(): void {
    while (this.#delayed.size > 0 && !isCurrent(this.#delayed.peek()?.entry)) this.#delayed.pop()
    const earliest = this.#delayed.peek()
    if (earliest === undefined) return
    if (this.#timer !== undefined && this.#timer.dueMs <= earliest.dueMs) return
    this.#timer?.timer.cancel()
    const delayMs = earliest.dueMs - this.#options.clock.monotonicMs()
    this.#timer = { dueMs: earliest.dueMs, timer: this.#options.clock.timer(delayMs, () => this.#onDue()) }
  }

  #onDue(): void {
    this.#timer = undefined
    const nowMs = this.#options.clock.monotonicMs()
    for (;;) {
      const earliest = this.#delayed.peek()
      if (earliest === undefined || (earliest.dueMs > nowMs && isCurrent(earliest.entry))) break
      const place = this.#delayed.pop()
      if (place !== undefined && isCurrent(place)) this.#place(place.entry)
    }
    this.#arm()
    this.#serve()
  }
}

function isCurrent(place: Place<unknown> | undefined): boolean {
  return place !== undefined && place.entry.ticket === place.ticket
}
