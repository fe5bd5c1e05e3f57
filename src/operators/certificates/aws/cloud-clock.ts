// The clock of AWS, as its answers show it: ages of what AWS dated are counted on it, since our own may be minutes off.
import type { Transport } from '#aws/client'
import type { Clock } from '#base'

export interface Measured {
  readonly transport: Transport
  /** How far the clock of AWS is ahead of ours; 0 before the first answer. */
  skewMs(): number
}

/** Dates of answers are whole seconds, and answers take time: less than this is no difference. */
const noiseMs = 5_000
/** More is no clock, but a wrong answer. */
const skewMsMax = 24 * 3_600_000

export function measuringTransport(transport: Transport, clock: Pick<Clock, 'now'>): Measured {
  let skewMs = 0
  return {
    skewMs: () => skewMs,
    transport: {
      close: () => transport.close(),
      to: origin => {
        const exchange = transport.to(origin)
        return async request => {
          const response = await exchange(request)
          const { date } = response.headers
          const theirs = Date.parse(typeof date === 'string' ? date : '')
          const found = theirs - clock.now()
          if (!Number.isNaN(found) && Math.abs(found) < skewMsMax) skewMs = Math.abs(found) < noiseMs ? 0 : found
          return response
        }
      },
    },
  }
}
