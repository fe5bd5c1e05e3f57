// How long ACM takes.
import { type Delay, seconds } from '../delays.ts'

export const acmDelays: Readonly<Record<'certificateDetails' | 'certificateIssue', Delay>> = {
  certificateDetails: { name: 'certificateDetails', demo: seconds(0.5), async: seconds(3) },
  certificateIssue: { name: 'certificateIssue', demo: seconds(1), async: seconds(10, 120) },
}
