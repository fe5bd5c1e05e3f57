// How long AWS Private CA takes.
import { type Delay, seconds } from '../delays.ts'

export const pcaDelays: Readonly<Record<'authorityCreated' | 'authorityIssue', Delay>> = {
  /** Until a new authority has its key and the request for its own certificate. */
  authorityCreated: { name: 'authorityCreated', demo: seconds(0), async: seconds(2, 10) },
  /** Until a certificate that was asked for can be fetched. */
  authorityIssue: { name: 'authorityIssue', demo: seconds(0), async: seconds(1, 3) },
}
