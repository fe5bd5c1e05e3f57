// What the server has still to do by itself: controller keys, due timers, and in stepped mode also the delivery of responses and watch
// events. By default things run as soon as the turn that caused them is over, in the order in which they came up; in stepped mode they
// wait, and the one who holds the server decides when the next one happens.
import { drain } from '#base'

interface Pending {
  readonly label: string
  readonly run: () => void | Promise<void>
}

export class TaskScheduler {
  readonly stepped: boolean
  readonly #pending: Pending[] = []
  readonly #report: (error: unknown, label: string) => void
  #running = 0
  #pumping = false

  constructor(stepped: boolean, report: (error: unknown, label: string) => void) {
    this.stepped = stepped
    this.#report = report
  }

  post(label: string, run: Pending['run']): void {
    this.#pending.push({ label, run })
    if (this.stepped || this.#pumping) return
    this.#pumping = true
    queueMicrotask(() => this.#pump()) // After the write that caused it has answered, before anything from outside comes in.
  }

  get pendingLabels(): readonly string[] {
    return this.#pending.map(pending => pending.label)
  }

  /** Runs the oldest pending thing to its end. False when there is none. */
  async step(): Promise<boolean> {
    const next = this.#pending.shift()
    if (next === undefined) return false
    await this.#run(next)
    await drain()
    return true
  }

  /** Until nothing is pending and nothing runs. */
  async settle(): Promise<void> {
    for (;;) {
      await drain()
      if (this.#pending.length > 0) {
        await this.step()
        continue
      }
      if (this.#running === 0) return
    }
  }

  clear(): void {
    this.#pending.length = 0
  }

  #pump(): void {
    this.#pumping = false
    for (let next = this.#pending.shift(); next !== undefined; next = this.#pending.shift()) void this.#run(next)
  }

  async #run({ label, run }: Pending): Promise<void> {
    this.#running++
    try {
      await run()
    } catch (error) {
      this.#report(error, label)
    } finally {
      this.#running--
    }
  }
}
