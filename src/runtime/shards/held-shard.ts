// A shard for as long as this replica holds it: the fence behind which its claims are worked on, and the work that is under way.
import type { Fence } from '../election/fence.ts'
import type { Term } from '../election/terms.ts'

export class HeldShard implements Term {
  readonly fence: Fence
  readonly isTakenOver = true
  readonly signal: AbortSignal
  readonly #work = new Set<Promise<void>>()

  constructor(fence: Fence, signal: AbortSignal) {
    this.fence = fence
    this.signal = signal
  }

  follow(work: Promise<void>): void {
    const followed = work.finally(() => this.#work.delete(followed))
    this.#work.add(followed)
  }

  /** Once nothing is under way. */
  async whenQuiet(): Promise<void> {
    await Promise.all(this.#work)
  }
}
