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

/** Node rings up to a millisecond before the time, and who then asked whether it is time would wait for something else, or for ever. */
function startTimer(delayMs: number, fire: () => void): Timer {
  const dueMs = performance.now() + Math.max(0, delayMs)
  let handle: NodeJS.Timeout
  const arm = (leftMs: number): void => {
    handle = setTimeout(ring, Math.min(Math.ceil(leftMs), timeoutMsMax))
  }
  const ring = (): void => {
    const leftMs = dueMs - performance.now()
    if (leftMs > 0) arm(leftMs)
    else fire()
  }
  arm(Math.max(0, delayMs))
  return { cancel: () => clearTimeout(handle) }
}
