// Time moved on over servers in memory, until what it set off has been answered.
import { drain, type ManualClock } from '#base'

/** How often answers of a server in memory lead to further questions. */
const turns = 3

export function settling(clock: ManualClock): (ms?: number) => Promise<void> {
  return async (ms = 0) => {
    await clock.advance(ms)
    for (let turn = 0; turn < turns; turn++) await drain()
  }
}
