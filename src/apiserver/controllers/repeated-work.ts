// Keys to look at, each once however often it was named, one at a time and in order; again after a while when asked, later and later
// after failures.
import type { Core } from '../core.ts'

/** So that a refused write cannot spin. */
const retryMsMin = 50
const retryMsMax = 30_000

export class RepeatedWork {
  readonly #work: (key: string) => Promise<number | undefined>
  readonly #core: Pick<Core, 'scheduler' | 'clock' | 'log'>
  readonly #label: string
  readonly #queue = new Set<string>()
  readonly #timers = new Map<string, { cancel(): void }>()
  readonly #failures = new Map<string, number>()
  #busy = false
  #stopped = false

  constructor(
    work: (key: string) => Promise<number | undefined>,
    core: Pick<Core, 'scheduler' | 'clock' | 'log'>,
    label: string,
  ) {
    this.#work = work
    this.#core = core
    this.#label = label
  }

  add(key: string): void {
    if (this.#stopped || this.#queue.has(key)) return
    this.#queue.add(key)
    this.#postNext()
  }

  stop(): void {
    this.#stopped = true
    this.#queue.clear()
    for (const timer of this.#timers.values()) timer.cancel()
    this.#timers.clear()
  }

  #postNext(): void {
    if (this.#busy || this.#stopped || this.#queue.size === 0) return
    this.#busy = true
    this.#core.scheduler.post(this.#label, () => this.#runNext())
  }

  async #runNext(): Promise<void> {
    const [key] = this.#queue
    if (key !== undefined) {
      this.#queue.delete(key)
      await this.#run(key)
    }
    this.#busy = false
    this.#postNext()
  }

  async #run(key: string): Promise<void> {
    try {
      const againMs = await this.#work(key)
      this.#failures.delete(key)
      if (againMs !== undefined) this.#later(key, againMs)
    } catch (error) {
      const failures = (this.#failures.get(key) ?? 0) + 1
      this.#failures.set(key, failures)
      this.#core.log.warn('a task inside the API server failed and will be tried again', { task: this.#label, key, error })
      this.#later(key, Math.min(retryMsMax, retryMsMin * 2 ** failures))
    }
  }

  #later(key: string, delayMs: number): void {
    if (this.#stopped) return
    this.#timers.get(key)?.cancel()
    const timer = this.#core.clock.timer(delayMs, () => {
      this.#timers.delete(key)
      this.add(key)
    })
    this.#timers.set(key, timer)
  }
}
