// How long ACM takes.
import { type Delay, seconds } from '../delays.ts'

type Name = 'certificateVisible' | 'certificateDetails' | 'certificateIssue' | 'certificateTaken' | 'certificateFreed'

export const acmDelays: Readonly<Record<Name, Delay>> = {
  /** Until a certificate that was requested is found by its ARN. Seldom more than nothing, and never more than the details take. */
  certificateVisible: { name: 'certificateVisible', demo: seconds(0), async: seconds(0), hostile: seconds(0, 10) },
  /** Until its validation records are told. */
  certificateDetails: { name: 'certificateDetails', demo: seconds(0.5), async: seconds(3) },
  /** From the last validation to the certificate, also when it is renewed. */
  certificateIssue: { name: 'certificateIssue', demo: seconds(1), async: seconds(10, 120) },
  /** Until `InUseBy` shows who took a certificate into use. */
  certificateTaken: { name: 'certificateTaken', demo: seconds(0), async: seconds(1, 5) },
  /** Until `InUseBy` forgets who let it go; twenty minutes were seen. */
  certificateFreed: { name: 'certificateFreed', demo: seconds(0), async: seconds(5, 60) },
}
