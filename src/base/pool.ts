// So many at once and no more.

export class Pool {
  #free: number
  readonly #waiting = new Set<() => void>()

  constructor(limit: number) {
    this.#free = limit
  }

  /** Runs the task when there is a place; rejects with the signal's reason if it aborts while waiting. */
  async run<T>(task: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    await this.#enter(signal)
    try {
      return await task()
    } finally {
      this.#free++
      this.#wakeOne()
    }
  }

  async #enter(signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted()
    while (this.#free === 0) {
      await new Promise<void>(resolve => {
        const wake = (): void => {
          this.#waiting.delete(wake)
          signal?.removeEventListener('abort', wake)
          resolve()
        }
        this.#waiting.add(wake)
        signal?.addEventListener('abort', wake)
      })
      if (signal?.aborted === true) {
        // The place that woke us, if one did, is the next one's.
        if (this.#free > 0) this.#wakeOne()
        throw signal.reason as Error
      }
    }
    this.#free--
  }

  #wakeOne(): void {
    for (const wake of this.#waiting) {
      wake()
      return
    }
  }
}

/** `Promise.all` over any number of items, with a limit on how many run at once. The first failure stops new ones from starting. */
export async function mapPooled<T, R>(
  items: Iterable<T>,
  limit: number,
  work: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = []
  let index = 0
  let failed = false
  const source = items[Symbol.iterator]()
  const worker = async (): Promise<void> => {
    for (let next = source.next(); next.done !== true && !failed; next = source.next()) {
      const at = index++
      try {
        results[at] = await work(next.value, at)
      } catch (error) {
        failed = true
        throw error
      }
    }
  }
  await Promise.all(Array.from({ length: limit }, worker))
  return results
}
