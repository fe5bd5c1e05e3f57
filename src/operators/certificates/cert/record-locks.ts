// One removal of a record at a time: two Certs that go together may share it.

export class RecordLocks {
  readonly #lines = new Map<string, Promise<unknown>>()

  async hold<T>(key: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const before = this.#lines.get(key) ?? Promise.resolve()
    const turn = before
      .catch(() => {})
      .then(() => {
        signal.throwIfAborted()
        return work()
      })
    this.#lines.set(key, turn)
    try {
      return await turn
    } finally {
      if (this.#lines.get(key) === turn) this.#lines.delete(key)
    }
  }
}
