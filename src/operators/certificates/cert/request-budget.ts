// How many certificates a day may be asked for: a runaway loop must not use up the year's quota.
import type { Clock } from '#base'
import { renderTime } from '#kube'
import { faultOf, patience } from '../aws/faults.ts'

const dayMs = 86_400_000

export class RequestBudget {
  readonly #clock: Pick<Clock, 'now'>
  readonly #max: number
  readonly #waitMs: number
  #day = 0
  #used = 0

  constructor(clock: Pick<Clock, 'now'>, { max, waitMs }: { readonly max: number; readonly waitMs: number }) {
    this.#clock = clock
    this.#max = max
    this.#waitMs = waitMs
  }

  /** Throws when the day is used up. A request that never left is none of the day's. */
  async spend<T>(request: () => Promise<T>): Promise<T> {
    this.#enter()
    try {
      return await request()
    } catch (error) {
      if (faultOf(error)?.class === 'held-back') this.#used = Math.max(0, this.#used - 1)
      throw error
    }
  }

  #enter(): void {
    const day = Math.floor(this.#clock.now() / dayMs)
    if (day !== this.#day) this.#used = 0
    this.#day = day
    if (this.#used >= this.#max) {
      const reset = renderTime((day + 1) * dayMs)
      const message = `${this.#max} certificates were requested today, which is the most; the next one at ${reset}`
      throw patience('QuotaExceeded', message, this.#waitMs)
    }
    this.#used += 1
  }
}
