// A clock on which waits are shorter than they say: for programs whose patience is measured in minutes.
import { type Clock, systemClock } from '#base'

/** The time of day is everybody's: signatures and tokens rest on it. */
export function hastyClock(times: number): Clock {
  return {
    now: () => systemClock.now(),
    monotonicMs: () => systemClock.monotonicMs() * times,
    timer: (delayMs, fire) => systemClock.timer(delayMs / times, fire),
    sleep: (delayMs, signal) => systemClock.sleep(delayMs / times, signal),
  }
}
