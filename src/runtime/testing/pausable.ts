// A process that is stopped and goes on later, as far as its clock is concerned.
import { type Clock, type ManualClock, sleepWith } from '#base'

/** A clock whose timers stand still while it is paused, as those of a stopped process do; its readings go on. */
export function pausable(inner: ManualClock): { clock: Clock; pause(): void; resume(): void } {
  let isPaused = false
  const late: (() => void)[] = []
  const timer: Clock['timer'] = (delayMs, fire) => inner.timer(delayMs, () => (isPaused ? late.push(fire) : fire()))
  const clock: Clock = {
    now: () => inner.now(),
    monotonicMs: () => inner.monotonicMs(),
    timer,
    sleep: (delayMs, signal) => sleepWith({ timer }, delayMs, signal),
  }
  return {
    clock,
    pause: () => (isPaused = true),
    resume: () => {
      isPaused = false
      for (const fire of late.splice(0)) fire()
    },
  }
}
