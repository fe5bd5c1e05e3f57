// A failure made small: the least list of departures that still breaks the same invariant. It becomes a permanent test.

import type { Subject } from '../subject.ts'
import type { Failure } from './explore.ts'
import { Arena } from './run.ts'
import type { Departure } from './schedule.ts'

export interface ShrinkLimits {
  readonly elapsedMs: () => number
  /** No run begins later than this after the first one: a failure at the end of a long life would take hours. */
  readonly budgetMs: number
  readonly runsMax?: number
}

/** Leaves departures out, halves first, as long as the same invariant breaks and there is time: then with the least list so far. */
export async function shrink(
  subject: Subject,
  failure: Failure,
  { elapsedMs, budgetMs, runsMax = 200 }: ShrinkLimits,
): Promise<readonly Departure[]> {
  const beganMs = elapsedMs()
  const arena = await Arena.open(subject)
  let best = failure.schedule.departures
  let runs = 0
  const goesOn = (): boolean => runs < runsMax && elapsedMs() - beganMs < budgetMs
  const breaks = async (departures: readonly Departure[]): Promise<boolean> => {
    runs++
    const { random: _, ...schedule } = failure.schedule
    return (await arena.run({ ...schedule, departures })).violation?.code === failure.code
  }
  try {
    for (let size = Math.ceil(best.length / 2); size >= 1 && goesOn(); size = size === 1 ? 0 : Math.ceil(size / 2)) {
      for (let at = 0; at < best.length && goesOn(); ) {
        const without = [...best.slice(0, at), ...best.slice(at + size)]
        if (await breaks(without)) best = without
        else at += size
      }
    }
  } finally {
    await arena.close()
  }
  return best
}
