// The fence: the question "may I still write?" asked before each mutating call (P13). The answer never rests on the wall clock, on a
// callback that has run, or on a leader's belief: only on how long ago, by the monotonic clock, leadership was last proved. At rest nobody
// asks, and the proof may run out; whoever begins to write has it renewed first (`enter`), and it is kept fresh until he leaves.
import { Stopped } from '../scope.ts'

export interface Fence {
  /** Throws `Stopped` with why `fence` unless leadership is proved at this moment. */
  check(): void
  /**
   * Before the first write of a piece of work: waits until leadership is proved. Rejects when it is lost, or when the signal aborts. Until
   * the passage is left, leadership is proved again and again.
   */
  enter(signal: AbortSignal): Promise<Passage>
}

/** One piece of work behind the fence. */
export interface Passage {
  /** Aborts when the proof runs out, so that calls under way do not take hold later. */
  readonly signal: AbortSignal | undefined
  leave(): void
}

/** For a process that is the only one by construction: no election, no fence. */
export const openFence: Fence = {
  check: () => {},
  enter: () => Promise.resolve({ signal: undefined, leave: () => {} }),
}

export function fenced(message: string): Stopped {
  return new Stopped('fence', message)
}
