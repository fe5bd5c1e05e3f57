// What waits for a time, earliest first; equal times in the order they were added. A binary heap, because a queue of 100,000
// resyncs is rescheduled all the time.

interface Due<E> {
  readonly dueMs: number
  readonly order: number
  readonly entry: E
}

export class DueHeap<E> {
  #heap: Due<E>[] = []
  #order = 0

  get size(): number {
    return this.#heap.length
  }

  push(dueMs: number, entry: E): void {
    const added: Due<E> = { dueMs, order: this.#order++, entry }
    let index = this.#heap.push(added) - 1
    while (index > 0) {
      const parent = (index - 1) >> 1
      const above = this.#heap[parent] as Due<E>
      if (isBefore(above, added)) break
      this.#heap[index] = above
      index = parent
    }
    this.#heap[index] = added
  }

  peek(): { readonly dueMs: number; readonly entry: E } | undefined {
    return this.#heap[0]
  }

  pop(): E | undefined {
    const top = this.#heap[0]
    const last = this.#heap.pop()
    if (top === undefined || last === undefined) return undefined
    if (this.#heap.length > 0) this.#sink(last)
    return top.entry
  }

  /** Lets go of all others. A sorted list is a heap. */
  keep(isWanted: (entry: E) => boolean): void {
    this.#heap = this.#heap.filter(({ entry }) => isWanted(entry)).sort((a, b) => (isBefore(a, b) ? -1 : 1))
  }

  #sink(sinking: Due<E>): void {
    let index = 0
    for (;;) {
      const left = index * 2 + 1
      const right = left + 1
      let child = left
      if (right < this.#heap.length && isBefore(this.#heap[right] as Due<E>, this.#heap[left] as Due<E>)) child = right
      const below = this.#heap[child]
      if (below === undefined || isBefore(sinking, below)) break
      this.#heap[index] = below
      index = child
    }
    this.#heap[index] = sinking
  }
}

function isBefore(a: Due<unknown>, b: Due<unknown>): boolean {
  return a.dueMs < b.dueMs || (a.dueMs === b.dueMs && a.order < b.order)
}
