// The fence: the question "may I still write?" asked before each mutating call (P13). The answer never rests on the wall clock, on a
// callback that has run, or on a leader's belief: only on how long ago, by the monotonic clock, leadership was last proved.
import { Stopped } from '../scope.ts'

export interface Fence {
  /** Throws `Stopped` with why `fence` unless leadership is proved at this moment. */
  check(): void
  /** Aborts when the proof runs out, so that calls under way do not take hold later. A new one after each loss. */
  readonly signal: AbortSignal | undefined
}

/** For a process that is the only one by construction: no election, no fence. */
export const openFence: Fence = { check: () => {}, signal: undefined }

export function fenced(message: string): Stopped {
  return new Stopped('fence', message)
}
