import type { Clock, Instant, Timer } from '../seams/seams.ts'
import { sleepWith } from '../seams/sleep.ts'

/** Beyond this Node fires at once instead of later, so longer delays are taken in steps. */
const timeoutMsMax = 2_147_483_647

/** The machine's own time. */
export const systemClock: Clock = {
  now: (): Instant => Date.now(),
  monotonicMs: () => performance.now(),
  timer: startTimer,
  sleep: (delayMs, signal) => sleepWith(systemClock, delayMs, signal),
}

function startTimer(delayMs: number, fire: () => void): Timer {
  let handle: NodeJS.Timeout
  const arm = (leftMs: number): void => {
    const stepMs = Math.min(Math.max(0, leftMs), timeoutMsMax)
    handle = setTimeout(() => (leftMs > stepMs ? arm(leftMs - stepMs) : fire()), stepMs)
  }
  arm(delayMs)
  return { cancel: () => clearTimeout(handle) }
}
