// Whether ACM will renew the certificate in time. No validity is assumed: they shrink over the years.
import type { Condition } from '#kube'
import { conditionTypes } from '../../api/conditions.ts'
import type { CertSpec } from '../../api/spec.ts'
import type { CloudCertificate } from '../../aws/certificate.ts'
import { sanitise } from '../../sanitise.ts'

const dayMs = 86_400_000
export const alertBeforeDaysDefault = 30
/** Nearer to the end than this, or than a tenth of the validity, and not renewed. */
const overdueDays = 14
const pendingMsMax = dayMs

export function daysLeft({ notAfterMs }: CloudCertificate, nowMs: number): number {
  return notAfterMs === undefined ? Number.POSITIVE_INFINITY : (notAfterMs - nowMs) / dayMs
}

export function renewalHealth(certificate: CloudCertificate, nowMs: number, spec: CertSpec): Condition {
  const { renewal, inUseBy, eligibility } = certificate
  const left = daysLeft(certificate, nowMs)
  if (renewal?.status === 'FAILED') {
    const why = renewal.reason === undefined ? '' : `: ${sanitise(renewal.reason)}`
    return unhealthy('RenewalFailed', `ACM could not renew the certificate${why}`)
  }
  if (isLongPending(certificate, nowMs))
    return unhealthy('PendingValidation', 'ACM waits for the validation records for more than a day')
  const alertDays = spec.renewal?.alertBeforeDays ?? alertBeforeDaysDefault
  if (left <= alertDays && inUseBy.length === 0 && eligibility === 'INELIGIBLE')
    return unhealthy('NotInUse', 'nothing uses the certificate, and ACM renews only what is used')
  if (left <= overdueAfter(certificate) && renewal?.status !== 'SUCCESS')
    return unhealthy('Overdue', 'the end is near, and ACM has not renewed the certificate')
  if (renewal?.status === 'SUCCESS') return healthy('Renewed', 'ACM renewed the certificate')
  if (renewal !== undefined) return healthy('PendingAutoRenewal', 'ACM is renewing the certificate')
  return healthy('NotDue', 'there is time until the end')
}

export function isRenewalPending({ renewal }: CloudCertificate): boolean {
  return renewal?.status === 'PENDING_VALIDATION' || renewal?.status === 'PENDING_AUTO_RENEWAL'
}

function isLongPending({ renewal }: CloudCertificate, nowMs: number): boolean {
  return renewal?.status === 'PENDING_VALIDATION' && nowMs - (renewal.updatedMs ?? nowMs) > pendingMsMax
}

function overdueAfter({ notBeforeMs, notAfterMs }: CloudCertificate): number {
  if (notBeforeMs === undefined || notAfterMs === undefined) return overdueDays
  return Math.min(overdueDays, (notAfterMs - notBeforeMs) / dayMs / 10)
}

const type = conditionTypes.renewalHealthy

function healthy(reason: string, message: string): Condition {
  return { type, status: 'True', reason, message }
}

function unhealthy(reason: string, message: string): Condition {
  return { type, status: 'False', reason, message }
}
