// Keys to look at, each once however often it was named, one at a time and in order; again after a while when asked, later and later
// after failures.

import type { Clock, Log } from '#base'
import type { TaskScheduler } from '../scheduler.ts'
export interface WorkPorts {
  readonly scheduler: TaskScheduler
  readonly clock: Clock
  readonly log: Log
}

/** So that a refused write cannot spin. */
const retryMsMin = 50
const retryMsMax = 30_000

export class RepeatedWork {
  readonly #work: (key: string) => Promise<number | undefined>
  readonly #ports: WorkPorts
  readonly #label: string
  readonly #queue = new Set<string>()
  readonly #timers = new Map<string, { cancel(): void }>()
  readonly #failures = new Map<string, number>()
  #busy = false
  #stopped = false

  constructor(work: (key: string) => Promise<number | undefined>, ports: WorkPorts, label: string) {
    this.#work = work
    this.#ports = ports
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
    this.#ports.scheduler.post(this.#label, () => this.#runNext())
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
      this.#ports.log.warn('a task inside the API server failed and will be tried again', { task: this.#label, key, error })
      this.#later(key, Math.min(retryMsMax, retryMsMin * 2 ** failures))
    }
  }

  #later(key: string, delayMs: number): void {
    if (this.#stopped) return
    this.#timers.get(key)?.cancel()
    const timer = this.#ports.clock.timer(delayMs, () => {
      this.#timers.delete(key)
      this.add(key)
    })
    this.#timers.set(key, timer)
  }
}
