// What a process remembers between passes: when something was first seen missing. Lost with the process, which costs half a minute.
import type { Clock } from '#base'

/** Two looks that far apart say that something is gone. */
const confirmMs = 30_000
/** What falls out is looked at twice again. */
const entriesMax = 10_000

export class AbsenceMemory {
  readonly #clock: Pick<Clock, 'monotonicMs'>
  readonly #sinceMs = new Map<string, number>()

  constructor(clock: Pick<Clock, 'monotonicMs'>) {
    this.#clock = clock
  }

  /** Whether this absence is the second, half a minute after the first. */
  absent(arn: string): boolean {
    const now = this.#clock.monotonicMs()
    const since = this.#sinceMs.get(arn)
    if (since !== undefined) return now - since >= confirmMs
    const oldest = this.#sinceMs.keys().next().value
    if (this.#sinceMs.size >= entriesMax && oldest !== undefined) this.#sinceMs.delete(oldest)
    this.#sinceMs.set(arn, now)
    return false
  }

  present(arn: string): void {
    this.#sinceMs.delete(arn)
  }
}
