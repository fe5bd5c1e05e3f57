// A queue between one who makes and one who takes, with a maximum: when it is full the maker is told, instead of memory growing.

export class BoundedQueue<T> implements AsyncIterable<T> {
  readonly #limit: number
  #items: T[] = []
  #head = 0
  #closed = false
  readonly #takers: ((item: T | undefined) => void)[] = []

  constructor(limit: number) {
    this.#limit = limit
  }

  get size(): number {
    return this.#items.length - this.#head
  }

  /** False when the queue is full or closed; the item is then not in it. */
  offer(item: T): boolean {
    if (this.#closed) return false
    const taker = this.#takers.shift()
    if (taker !== undefined) {
      taker(item)
      return true
    }
    if (this.size >= this.#limit) return false
    this.#items.push(item)
    return true
  }

  /** The next item, or `undefined` when the queue is closed and empty. */
  take(): Promise<T | undefined> {
    if (this.size > 0) return Promise.resolve(this.#shift())
    if (this.#closed) return Promise.resolve(undefined)
    return new Promise(resolve => this.#takers.push(resolve))
  }

  /** No more items; those that are in it can still be taken. */
  close(): void {
    this.#closed = true
    for (const taker of this.#takers.splice(0)) taker(undefined)
  }

  /** Leaving the loop closes the queue and drops what is in it: nobody is left to take it. */
  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    try {
      for (;;) {
        const item = await this.take()
        if (item === undefined && this.#closed && this.size === 0) return
        yield item as T
      }
    } finally {
      this.close()
      this.#items = []
      this.#head = 0
    }
  }

  #shift(): T {
    const item = this.#items[this.#head++] as T
    // Moving the rest on each take would be quadratic; now and then is cheap.
    if (this.#head > 1_024 || this.#head === this.#items.length) {
      this.#items = this.#items.slice(this.#head)
      this.#head = 0
    }
    return item
  }
}
