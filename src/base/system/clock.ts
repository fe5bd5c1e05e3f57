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
  return new SystemTimer(Math.max(0, delayMs), fire)
}

/** Each stream that is followed has two of these for as long as it stands: one object, and no closures. */
class SystemTimer implements Timer {
  readonly #dueMs: number
  readonly #fire: () => void
  #handle: NodeJS.Timeout

  constructor(delayMs: number, fire: () => void) {
    this.#dueMs = performance.now() + delayMs
    this.#fire = fire
    this.#handle = setTimeout(SystemTimer.#ring, stepMs(delayMs), this)
  }

  cancel(): void {
    clearTimeout(this.#handle)
  }

  /** Node rings up to a millisecond before the time, and who then asked whether it is time would wait for something else, or for ever. */
  static #ring(this: void, timer: SystemTimer): void {
    const leftMs = timer.#dueMs - performance.now()
    if (leftMs > 0) timer.#handle = setTimeout(SystemTimer.#ring, stepMs(leftMs), timer)
    else timer.#fire()
  }
}

function stepMs(leftMs: number): number {
  return Math.min(Math.ceil(leftMs), timeoutMsMax)
}
