// What the worlds of the tests have in common: a clock that stands still and is moved timer by timer, and a manager that runs on it.
import type { ManualClock } from '#base'
import type { PassRecord } from '../controller/pass.ts'
import type { Manager } from '../manager/manager.ts'

/** How a world comes to rest at one moment. */
export interface SettleSteps {
  /** Until nothing moves. */
  settle(): Promise<void>
  /** What the timers of one step set off. */
  between(): Promise<void>
  /** Timers closer together than this are one step. */
  readonly stepMs?: number
}

/** Moves time on, letting everything happen on the way. */
export async function advanceTo(
  clock: ManualClock,
  untilMs: number,
  { settle, between, stepMs = 0 }: SettleSteps,
): Promise<void> {
  await settle()
  for (;;) {
    const nowMs = clock.monotonicMs()
    const due = clock.nextDueMs()
    if (due === undefined || due > untilMs) break
    await clock.advance(Math.min(untilMs, Math.max(due, nowMs + stepMs)) - nowMs)
    await between()
  }
  await clock.advance(untilMs - clock.monotonicMs())
  await settle()
}

/** Runs it; the answer stops it, gives it the time that it may take, and waits. */
export function runManager(manager: Manager, clock: ManualClock, settle: () => Promise<void>): () => Promise<void> {
  const stop = new AbortController()
  const run = manager.run(stop.signal)
  return async () => {
    stop.abort(new Error('the test stops it'))
    await settle()
    await clock.advance(2_000)
    await run
  }
}

export interface Running {
  readonly manager: Manager
  readonly passes: PassRecord[]
  /** Stops it and waits. */
  stop(): Promise<void>
}

/** What runs in a world: stopped by the test, or by the world's end. */
export class Runs {
  readonly #running = new Set<Running>()

  add(run: Running): Running {
    const one: Running = {
      ...run,
      stop: async () => {
        this.#running.delete(one)
        await run.stop()
      },
    }
    this.#running.add(one)
    return one
  }

  async stopAll(): Promise<void> {
    for (const one of this.#running) await one.stop()
  }
}
