// Claims that rest on many objects, such as a set with a child in each of a thousand clusters: while the objects change one after the other
// a look at the claim for every change would take most of the process. So each look is followed by a pause in which the process is there
// for others, and what changes meanwhile is looked at together at its end.
import type { Clock } from '#base'

/** Whoever says how long a pause is may have it from an object that anybody writes: no look keeps the others waiting for longer. */
const pauseMsMax = 1_000
/** Where more claims have had a turn, those whose turn is over are forgotten. */
const rememberedMax = 1_000

export class Turns {
  readonly #clock: Clock
  /** When each claim has its turn. */
  readonly #turnMs = new Map<string, number>()
  /** When the pause after the last turn that was given ends. */
  #freeAtMs = 0

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** How long a change of the claim waits for a turn: not at all where nothing was looked at lately. A turn to come serves all changes. */
  waitMs(id: string, pauseMs: number): number {
    const nowMs = this.#clock.monotonicMs()
    const given = this.#turnMs.get(id)
    if (given !== undefined && given > nowMs) return given - nowMs
    const turnMs = Math.max(nowMs, this.#freeAtMs)
    this.#freeAtMs = turnMs + Math.min(pauseMs, pauseMsMax)
    if (this.#turnMs.size >= rememberedMax) this.#forgetBefore(nowMs)
    this.#turnMs.set(id, turnMs)
    return turnMs - nowMs
  }

  /** How many claims it knows a turn of. */
  get remembered(): number {
    return this.#turnMs.size
  }

  #forgetBefore(nowMs: number): void {
    for (const [id, turnMs] of this.#turnMs) if (turnMs <= nowMs) this.#turnMs.delete(id)
  }
}
