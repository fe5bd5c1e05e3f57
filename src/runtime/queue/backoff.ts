import type { Random } from '#base'

export interface BackoffOptions {
  /** The first delay. Small, because most trouble is one conflict or one reset, over before a person notices. */
  readonly backoffMsMin?: number
  /** The longest delay. Five minutes: a healed dependency wakes its claims by event or breaker, this is only the fallback. */
  readonly backoffMsMax?: number
}

/**
 * Growing delays per name (a key, a dependency): doubled with each failure in a row, the upper half of each drawn at random so that
 * those who failed together do not come back together.
 */
export class Backoff {
  readonly #random: Random
  readonly #msMin: number
  readonly #msMax: number
  /** Absent until something fails: there are many of these, and nearly all are never needed. */
  #failures: Map<string, number> | undefined

  constructor(random: Random, options: BackoffOptions = {}) {
    this.#random = random
    this.#msMin = options.backoffMsMin ?? 200
    this.#msMax = options.backoffMsMax ?? 300_000
  }

  /** Counts one more failure and says how long to wait. */
  next(name: string): number {
    const failures = this.failures(name)
    this.#failures ??= new Map()
    this.#failures.set(name, failures + 1)
    return jittered(Math.min(this.#msMax, this.#msMin * 2 ** Math.min(failures, 30)), this.#random)
  }

  /** Success: the next delay is the first one again (L6). */
  reset(name: string): void {
    this.#failures?.delete(name)
  }

  failures(name: string): number {
    return this.#failures?.get(name) ?? 0
  }

  /** How many names are remembered: 0 when all is well (B29). */
  get size(): number {
    return this.#failures?.size ?? 0
  }
}

/** Between half of the delay and the whole of it. */
export function jittered(delayMs: number, random: Random): number {
  return delayMs / 2 + (delayMs / 2) * random.float()
}
