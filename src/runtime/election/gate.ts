// How one piece of work, a pass or a batch of events, goes through the fence: at its first write, not before, so that work which changes
// nothing asks for no proof; and until its end. When the proof runs out meanwhile, the work is cut off.
import type { Stopped } from '../scope.ts'
import type { Fence, Passage } from './fence.ts'

export interface GateOptions {
  readonly fence: Fence
  /** Ends the wait for the proof. */
  readonly signal: AbortSignal
  /** The proof that the lease is held ran out: calls that are under way are ended. */
  readonly onCutOff: (why: Stopped) => void
}

export class Gate {
  readonly #options: GateOptions
  #entering: Promise<void> | undefined
  #passage: Passage | undefined
  #hasLeft = false

  constructor(options: GateOptions) {
    this.#options = options
  }

  /** Before each write; waits at the first one only. */
  enter(): Promise<void> {
    this.#entering ??= this.#go()
    return this.#entering
  }

  /** Right before each call that changes something. */
  check(): void {
    this.#options.fence.check()
  }

  leave(): void {
    this.#hasLeft = true
    this.#passage?.signal?.removeEventListener('abort', this.#cut)
    this.#passage?.leave()
    this.#passage = undefined
  }

  async #go(): Promise<void> {
    const passage = await this.#options.fence.enter(this.#options.signal)
    if (this.#hasLeft) return passage.leave()
    this.#passage = passage
    passage.signal?.addEventListener('abort', this.#cut, { once: true })
    if (passage.signal?.aborted === true) this.#cut()
  }

  readonly #cut = (): void => this.#options.onCutOff(this.#passage?.signal?.reason as Stopped)
}

/** For work of a process that is the only one by construction. */
export const openGate: Pick<Gate, 'enter' | 'check'> = { enter: () => Promise.resolve(), check: () => {} }
