// A clock that moves only when told. Days of back-off pass in a millisecond, always in the same order.
import type { Clock, Instant, Timer } from './seams.ts'
import { sleepWith } from './sleep.ts'

interface Pending {
  readonly dueMs: number
  readonly order: number
  readonly fire: () => void
  cancelled: boolean
}

/** Virtual time: timers fire in the order (due, creation). */
export class ManualClock implements Clock {
  #elapsedMs = 0
  #order = 0
  /** A binary heap by (due, order); cancelled entries are dropped when they reach the top. */
  readonly #heap: Pending[] = []
  readonly #startMs: Instant
  #offsetMs = 0

  constructor(start: Instant = Date.UTC(2026, 0, 1)) {
    this.#startMs = start
  }

  now(): Instant {
    return this.#startMs + this.#elapsedMs + this.#offsetMs
  }

  monotonicMs(): number {
    return this.#elapsedMs
  }

  timer(delayMs: number, fire: () => void): Timer {
    const pending: Pending = { dueMs: this.#elapsedMs + Math.max(0, delayMs), order: this.#order++, fire, cancelled: false }
    push(this.#heap, pending)
    return {
      cancel: () => {
        pending.cancelled = true
      },
    }
  }

  sleep(delayMs: number, signal?: AbortSignal): Promise<void> {
    return sleepWith(this, delayMs, signal)
  }

  /** When the next timer is due, on the monotonic scale. */
  nextDueMs(): number | undefined {
    this.#dropCancelled()
    return this.#heap[0]?.dueMs
  }

  /** How many timers wait; 0 after a clean stop (reliability L5). */
  pendingCount(): number {
    return this.#heap.filter(pending => !pending.cancelled).length
  }

  /** Moves to the next timer and fires it. False when there is none. */
  fireNext(): boolean {
    this.#dropCancelled()
    const next = pop(this.#heap)
    if (next === undefined) return false
    this.#elapsedMs = Math.max(this.#elapsedMs, next.dueMs)
    next.fire()
    return true
  }

  /** Moves time on, firing what falls due on the way and letting promises settle after each. */
  async advance(byMs: number): Promise<void> {
    const untilMs = this.#elapsedMs + byMs
    await drain()
    for (;;) {
      const due = this.nextDueMs()
      if (due === undefined || due > untilMs) break
      this.fireNext()
      await drain()
    }
    this.#elapsedMs = Math.max(this.#elapsedMs, untilMs)
    await drain()
  }

  /** A jump of the wall clock only, as an operator or NTP makes it. */
  jump(byMs: number): void {
    this.#offsetMs += byMs
  }

  #dropCancelled(): void {
    while (this.#heap[0]?.cancelled) pop(this.#heap)
  }
}

/** Lets every promise reaction that is ready run. `setImmediate` comes after all of them, also after chains of them. */
export function drain(): Promise<void> {
  return new Promise(resolve => setImmediate(resolve))
}

function before(a: Pending, b: Pending): boolean {
  return a.dueMs < b.dueMs || (a.dueMs === b.dueMs && a.order < b.order)
}

function push(heap: Pending[], pending: Pending): void {
  let index = heap.push(pending) - 1
  while (index > 0) {
    const parent = (index - 1) >> 1
    const above = heap[parent] as Pending
    if (before(above, pending)) break
    heap[index] = above
    index = parent
  }
  heap[index] = pending
}

function pop(heap: Pending[]): Pending | undefined {
  const top = heap[0]
  const last = heap.pop()
  if (top === undefined || last === undefined || heap.length === 0) return top
  let index = 0
  for (;;) {
    const left = index * 2 + 1
    const right = left + 1
    let child = left
    if (right < heap.length && before(heap[right] as Pending, heap[left] as Pending)) child = right
    const below = heap[child]
    if (below === undefined || before(last, below)) break
    heap[index] = below
    index = child
  }
  heap[index] = last
  return top
}
