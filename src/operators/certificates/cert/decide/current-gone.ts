// The certificate that serves was deleted behind our back while another one is on its way, or failed to come. Nothing serves any more, and
// what is on its way takes the first place, as if nothing had been there before.
import type { Sighted } from '../seen.ts'
import { noCertificate } from './fields.ts'
import { type Verdict, verdict } from './verdict.ts'

export const absentTwice = { afterMs: 30_000, why: 'an absence is looked at twice' } as const

/** In Ready it is the certificate itself that everything turns on. */
export function isCurrentGone({ claim, current }: Sighted): boolean {
  const { state, certReady } = claim.status ?? {}
  return state !== 'Ready' && certReady === true && current.kind === 'absent' && current.isConfirmed
}

/** Row 32. What is said of the other one stays said: only the fields of the one that is gone change. */
export function currentGone({ claim }: Sighted): Verdict {
  const { pendingCertificateArn, state } = claim.status ?? {}
  const known = state === 'Created' || state === 'Validated' || state === 'Failed' ? state : 'Pending'
  const message = 'the certificate is not in ACM any more, while another one is asked for'
  return verdict(32, known, {
    isAside: true,
    status: { ...noCertificate, certificateArn: pendingCertificateArn, pendingCertificateArn: undefined },
    events: [{ type: 'Warning', reason: 'CertificateMissing', message }],
    next: 'at-once',
  })
}
