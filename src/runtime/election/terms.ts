// Which claims this process works on, and for how long: all of them while it leads or is alone, or those of the shards that it holds.
import type { ClaimKey } from '../claim-key.ts'
import { type Fence, openFence } from './fence.ts'

/** A time in which this process works on some claims. */
export interface Term {
  readonly fence: Fence
  /** Somebody else may have worked on these claims before this time began. */
  readonly isTakenOver: boolean
  /** Aborts when these claims are to be left alone; absent where that is when the whole process stops. */
  readonly signal?: AbortSignal
  /** Work that has to end before somebody else may begin. */
  follow?(work: Promise<void>): void
}

export interface Terms {
  /** Undefined: another replica works on it, or will. */
  of(key: ClaimKey): Term | undefined
  /** For what is of no claim, such as events. */
  readonly process: Fence
}

/** Terms with one fence for all claims, that of a leader or of a process that runs alone. */
export function termsOfAll(fence: Fence): Terms {
  const term = { fence, isTakenOver: fence !== openFence }
  return { of: () => term, process: fence }
}
