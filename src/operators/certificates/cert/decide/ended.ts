// Ways in which a certificate ends, and which of them another request may mend.
import type { FailureReason } from '../../api/conditions.ts'
import type { CloudCertificate } from '../../aws/certificate.ts'
import { sanitise } from '../../sanitise.ts'

export interface Ending {
  readonly row: number
  readonly reason: FailureReason
  readonly message: string
  /** Asking again, later and later, may do. */
  readonly isReissuable: boolean
}

export const timedOutMessage = 'validation timed out after 72 hours'

const caaHint =
  'a CAA record forbids Amazon; allow one of amazon.com, amazontrust.com, awstrust.com, amazonaws.com (also as issuewild for wildcards)'

interface FailureMeaning {
  readonly reason: FailureReason
  readonly isReissuable: boolean
  readonly hint?: string
}

const authorityProblem = {
  reason: 'IssuanceFailed',
  isReissuable: false,
  hint: 'the private certificate authority refuses',
} as const

const byFailure: Readonly<Record<string, FailureMeaning>> = {
  CAA_ERROR: { reason: 'CAARestricted', isReissuable: true, hint: caaHint },
  NO_AVAILABLE_CONTACTS: { reason: 'IssuanceFailed', isReissuable: true },
  ADDITIONAL_VERIFICATION_REQUIRED: {
    reason: 'IssuanceFailed',
    isReissuable: false,
    hint: 'AWS support must be contacted',
  },
  DOMAIN_NOT_ALLOWED: {
    reason: 'IssuanceFailed',
    isReissuable: false,
    hint: 'the name is blocked by AWS or a safe-browsing list',
  },
  INVALID_PUBLIC_DOMAIN: { reason: 'IssuanceFailed', isReissuable: false, hint: 'the name is not under a public suffix' },
  DOMAIN_VALIDATION_DENIED: { reason: 'IssuanceFailed', isReissuable: false },
  PCA_LIMIT_EXCEEDED: { reason: 'IssuanceFailed', isReissuable: true },
  PCA_REQUEST_FAILED: { reason: 'IssuanceFailed', isReissuable: true },
  PCA_INVALID_ARN: authorityProblem,
  PCA_RESOURCE_NOT_FOUND: authorityProblem,
  PCA_INVALID_ARGS: authorityProblem,
  PCA_INVALID_DURATION: authorityProblem,
  PCA_INVALID_STATE: authorityProblem,
  PCA_ACCESS_DENIED: authorityProblem,
  PCA_NAME_CONSTRAINTS_VALIDATION: authorityProblem,
  SLR_NOT_FOUND: authorityProblem,
}

const otherFailure: FailureMeaning = { reason: 'IssuanceFailed', isReissuable: true }

/** `undefined` for a certificate that has not ended. */
export function endingOf(certificate: CloudCertificate, nowMs: number): Ending | undefined {
  const { status, failureReason, revocationReason, notAfterMs } = certificate
  switch (status) {
    case 'VALIDATION_TIMED_OUT':
      return { row: 26, reason: 'ValidationTimedOut', message: timedOutMessage, isReissuable: true }
    case 'FAILED': {
      const known = failureReason !== undefined && Object.hasOwn(byFailure, failureReason) ? byFailure[failureReason] : undefined
      const { reason, isReissuable, hint } = known ?? otherFailure
      const said = `ACM failed to issue the certificate: ${failureReason ?? 'no reason given'}`
      return { row: 27, reason, message: sanitise(hint === undefined ? said : `${said}; ${hint}`), isReissuable }
    }
    case 'REVOKED': {
      const why = revocationReason === undefined ? '' : `: ${revocationReason}`
      return { row: 28, reason: 'Revoked', message: sanitise(`the certificate was revoked${why}`), isReissuable: false }
    }
    case 'INACTIVE':
      return { row: 29, reason: 'IssuanceFailed', message: 'the certificate is inactive', isReissuable: false }
    case 'EXPIRED':
      return expired
    default:
      return notAfterMs !== undefined && notAfterMs <= nowMs ? expired : undefined
  }
}

const expired: Ending = { row: 33, reason: 'Expired', message: 'the certificate is past its end', isReissuable: false }
