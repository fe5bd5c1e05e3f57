// How an authority and what it signs look, and how long they last. Whoever takes the place of another program makes them as that one does.
import type { CertificateSubject } from '#base'

export interface CertificateStyle {
  /** The common name is how an authority of ours is told from a stranger's in a bundle. */
  readonly authority: CertificateSubject
  readonly serving: string
  readonly servingLifeMs: number
  /** With how much life left it is renewed. */
  readonly servingRenewMs: number
  readonly authorityRenewMs: number
}

const day = 86_400_000
export const authorityLifeMs: number = 3_650 * day

export const ownStyle: CertificateStyle = {
  authority: { commonName: 'vouch-webhook-authority' },
  serving: 'vouch-webhook',
  // Short enough that a former authority is not trusted for long; renewed with a month in which whatever fails may be found.
  servingLifeMs: 90 * day,
  servingRenewMs: 30 * day,
  // An authority is renewed so long before its end that nothing that it signs outlives it.
  authorityRenewMs: 365 * day,
}
