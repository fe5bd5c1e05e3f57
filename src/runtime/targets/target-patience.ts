// Notices that a cluster has not been followed for longer than a restart takes. Whoever speaks of the cluster learns of its return from its
// caches; of its going nothing else would tell.
import type { Clock, Timer } from '#base'

/** Silence for longer than this is told. Shorter is a restart of somebody, theirs or ours. */
export const targetPatienceMs = 60_000

export interface TargetPatienceOptions {
  readonly clock: Clock
  /** For how long the cache that is behind most is so; 0 while all are followed. */
  readonly behindMs: () => number
  /** Once for each time that it was away. */
  readonly onAway: () => void
}

export class TargetPatience {
  readonly #options: TargetPatienceOptions
  #timer: Timer | undefined
  #isTold = false
  #isOver = false

  constructor(options: TargetPatienceOptions) {
    this.#options = options
  }

  /** With every change of a cache's state. */
  look(): void {
    if (this.#isOver) return
    const behindMs = this.#options.behindMs()
    if (behindMs === 0) {
      this.#cancel()
      this.#isTold = false
    } else if (this.#timer === undefined && !this.#isTold) this.#wait(behindMs)
  }

  /** The cluster leaves, and its caches end: that is no silence. */
  end(): void {
    this.#isOver = true
    this.#cancel()
  }

  #cancel(): void {
    this.#timer?.cancel()
    this.#timer = undefined
  }

  #wait(behindMs: number): void {
    this.#timer = this.#options.clock.timer(Math.max(1, targetPatienceMs - behindMs), () => this.#check())
  }

  #check(): void {
    this.#timer = undefined
    const behindMs = this.#options.behindMs()
    if (behindMs > targetPatienceMs) {
      this.#isTold = true
      this.#options.onAway()
    } else if (behindMs > 0) this.#wait(behindMs)
  }
}
