// How long a proof waits: for as long as something happens. How much time that takes is the machine's, which may have other work; a state that
// does not come is one that nothing leads to any more.
import { type Clock, systemClock } from '#base'

const waitMs = 100
/** Time in which nothing happens after which nothing more is waited for: a busy machine takes longer for what does happen. */
export const stepMs = 25_000
/** Who goes on calling for so many times as long does not get there. */
const timesAsLong = 4
/** A process that stood still saw little in that time: it looks so often at least. */
const looksPerSecondMin = 4

interface Waiting {
  /** Counts what happens. */
  readonly happened: () => number
  readonly withinMs?: number
  readonly clock?: Pick<Clock, 'monotonicMs' | 'sleep'>
}

/** Until nothing is wrong. Throws what is, once nothing happens any more. */
export async function patiently(
  wrong: () => Promise<string | undefined>,
  { happened, withinMs = stepMs, clock = systemClock }: Waiting,
): Promise<void> {
  const startMs = clock.monotonicMs()
  let [endMs, before] = [startMs + withinMs, happened()]
  for (let looks = 1; ; looks++) {
    const what = await wrong()
    if (what === undefined) return
    const nowMs = clock.monotonicMs()
    if (happened() !== before || isHeldBack(what)) endMs = Math.min(nowMs, startMs + (timesAsLong - 1) * withinMs) + withinMs
    before = happened()
    if (nowMs > endMs && looks >= (withinMs / 1_000) * looksPerSecondMin) throw new Error(what)
    await clock.sleep(waitMs)
  }
}

/** Our engine calls a service again that failed often, later and later: until then no call is seen. */
function isHeldBack(what: string): boolean {
  return what.includes('does not work at the moment')
}
