// Requests as the budget of a day counts them: whose each is, which are urgent, and which of a day the statuses of Certs tell.
import { findCondition } from '#kube'
import { conditionTypes } from '../../api/conditions.ts'
import type { Cert } from '../../api/kinds.ts'
import type { CertRequest } from '../../api/status.ts'
import { idempotencyToken } from '../../names/spec-hash.ts'

export interface DayRequest {
  /** Asked for again with the same token it is the same certificate, and none more of the day. */
  readonly token: string
  readonly namespace: string
  /** For a certificate that is gone, past its end or close to it. */
  readonly isUrgent: boolean
}

/** In the words of each refusal, by which it is known again in a status. */
export const dayFlag = '--max-requests-per-day'
const urgentWord = 'urgent: '

const urgentMs = 7 * 86_400_000
/** What served and does so no more. */
const ends = new Set(['Expired', 'Revoked'])

export function dayRequestOf(claim: Cert, request: CertRequest, nowMs: number): DayRequest {
  const { uid, namespace = '' } = claim.metadata
  const token = idempotencyToken({ uid, hash: request.specHash, revision: request.revision })
  return { token, namespace, isUrgent: isUrgent(claim, nowMs) }
}

function isUrgent({ status }: Cert, nowMs: number): boolean {
  const { certReady, expirationDate, lastFailure, conditions } = status ?? {}
  if (certReady === true) return expirationDate !== undefined && Date.parse(expirationDate) - nowMs <= urgentMs
  if (lastFailure !== undefined && (ends.has(lastFailure.reason) || lastFailure.message.startsWith(urgentWord))) return true
  return findCondition(conditions, conditionTypes.ready)?.reason === 'CertificateMissing'
}

/** What was urgent when it was refused is urgent tomorrow as well: nothing else of the status says so any more. */
export function refusalWords({ isUrgent: urgent }: DayRequest, why: string, until: string): string {
  return `${urgent ? urgentWord : ''}${why}; the next one at ${until}`
}

export function isOfTheDay(failure: { readonly reason: string; readonly message: string } | undefined): boolean {
  return failure?.reason === 'QuotaExceeded' && failure.message.includes(dayFlag)
}

/** An intent of which nothing came is none. Of a Cert that asked several times, or is gone, nobody knows more. */
export function requestsSince(certs: readonly Cert[], sinceMs: number): readonly DayRequest[] {
  return certs
    .flatMap(cert => {
      const { request } = cert.status ?? {}
      const isOfTheDay = request !== undefined && Date.parse(request.requestedAt) >= sinceMs && hasArn(cert)
      return isOfTheDay ? [{ cert, request }] : []
    })
    .toSorted((a, b) => Date.parse(a.request.requestedAt) - Date.parse(b.request.requestedAt))
    .map(({ cert, request }) => dayRequestOf(cert, request, Number.NEGATIVE_INFINITY))
}

/** While a certificate serves and another one is still to be asked for, the ARN is that of the one before. */
function hasArn({ status }: Cert): boolean {
  const { state, certReady, certificateArn, pendingCertificateArn } = status ?? {}
  if (pendingCertificateArn !== undefined) return true
  return certificateArn !== undefined && !(certReady === true && (state === 'Pending' || state === 'Failed'))
}
