// When a Cert is looked at again: by state, and in two of them later and later.
import { assertNever } from '#base'
import type { Cert } from '../../api/kinds.ts'
import { annotations } from '../../api/labels.ts'
import type { CertState } from '../../api/status.ts'
import type { CertSettings, Interval } from '../settings.ts'

/** The exponent never exceeds this, however large the counter. */
const attemptMax = 20
const readableMax = 1_000_000

/** The counter of the claim, where it belongs to this state. What makes no sense is 0, what is absurd is the most. */
export function attemptIn({ metadata }: Cert, state: CertState): number {
  const notes = metadata.annotations ?? {}
  if (notes[annotations.attemptsState] !== state) return 0
  const text = notes[annotations.attempts] ?? ''
  if (!/^\d+$/.test(text)) return 0
  const count = Number(text)
  return count > readableMax ? attemptMax : count
}

export interface RetryWait {
  readonly state: CertState
  readonly attempt: number
  /** In [0, 1). */
  readonly draw: number
}

/** Jitter comes after the cap; fixed intervals have none. */
export function intervalMs({ state, attempt, draw }: RetryWait, { intervals }: Pick<CertSettings, 'intervals'>): number {
  switch (state) {
    case 'Pending':
      return grown(intervals.pending, attempt, draw)
    case 'Created':
      return grown(intervals.created, attempt, draw)
    case 'Validated':
      return intervals.validatedMs
    case 'Ready':
      return intervals.readyMs
    case 'Failed':
      return intervals.failedMs
    default:
      return assertNever(state)
  }
}

function grown({ baseMs, maxMs }: Interval, attempt: number, draw: number): number {
  const nominal = Math.min(maxMs, baseMs * 2 ** Math.min(attempt, attemptMax))
  return Math.round(nominal * (0.9 + draw * 0.2))
}

const hourMs = 3_600_000
const reissueDoublingsMax = 5

/** How long the operator waits before it asks again by itself: 1 h, doubling to 32 h. */
export function reissueDelayMs(count: number): number {
  return hourMs * 2 ** Math.min(Math.max(0, count - 1), reissueDoublingsMax)
}
