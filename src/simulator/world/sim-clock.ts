import type { Clock, Instant, Timer } from '#base'
import { sleepWith } from '#base'
import type { WorldScheduler } from './scheduler.ts'

/** Where world time begins, as wall time. */
export const epochMs: Instant = Date.UTC(2026, 0, 1)

/** The clocks of one simulated process: its wall clock may be off, may run at another rate, and may jump (F14). */
export class SimClock implements Clock {
  readonly #scheduler: WorldScheduler
  readonly #process: string
  #rate = 1
  #steady = true
  #offsetMs = 0
  /** World time and own time at the last change of rate: own time stays continuous. */
  #anchorWorldMs: number
  #anchorOwnMs = 0

  constructor(scheduler: WorldScheduler, process: string) {
    this.#scheduler = scheduler
    this.#process = process
    this.#anchorWorldMs = scheduler.nowMs
    this.#anchorOwnMs = scheduler.nowMs
  }

  now(): Instant {
    return Math.floor(epochMs + this.monotonicMs() + this.#offsetMs)
  }

  monotonicMs(): number {
    return this.#anchorOwnMs + (this.#scheduler.nowMs - this.#anchorWorldMs) * this.#rate
  }

  timer(delayMs: number, fire: () => void): Timer {
    return this.#scheduler.timer(this.#process, delayMs / this.#rate, fire)
  }

  sleep(delayMs: number, signal?: AbortSignal): Promise<void> {
    return sleepWith(this, delayMs, signal)
  }

  /** Own seconds for each second of the world. */
  get rate(): number {
    return this.#rate
  }

  /** False once its rate has changed: timers that ran then are due at another own time than they were set for. */
  get steady(): boolean {
    return this.#steady
  }

  jump(byMs: number): void {
    this.#offsetMs += byMs
  }

  /** Timers that run already keep the length they were given, as those of a machine whose clock is being slewed do. */
  setRate(rate: number): void {
    this.#anchorOwnMs = this.monotonicMs()
    this.#anchorWorldMs = this.#scheduler.nowMs
    this.#rate = rate
    this.#steady = false
  }
}
