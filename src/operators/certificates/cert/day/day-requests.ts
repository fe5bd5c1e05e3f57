// Requests as the budget of a day counts them: whose each is, which are urgent, and which of a day the statuses of Certs tell.
import type { Cert } from '../../api/kinds.ts'
import type { CertRequest } from '../../api/status.ts'
import { idempotencyToken } from '../../names/spec-hash.ts'
import type { Look } from '../seen.ts'

export interface DayRequest {
  /** Asked for again with the same token it is the same certificate, and none more of the day. */
  readonly token: string
  readonly namespace: string
  /** For a certificate that is gone, past its end or close to it. */
  readonly isUrgent: boolean
}

/** For those who read a refusal. */
export const dayFlag = '--max-requests-per-day'

const urgentMs = 7 * 86_400_000

/** `current` is what ACM says of the certificate that serves, where it was asked. */
export interface DayRequestOf {
  readonly claim: Cert
  readonly request: CertRequest
  readonly nowMs: number
  readonly current?: Look
}

export function dayRequestOf(about: DayRequestOf): DayRequest {
  const { claim, request } = about
  const { uid, namespace = '' } = claim.metadata
  const token = idempotencyToken({ uid, hash: request.specHash, revision: request.revision })
  return { token, namespace, isUrgent: isUrgent(about) }
}

/** What was issued once and serves no more keeps the time of that until another one is issued, whatever refuses the other one meanwhile. */
function isUrgent({ claim: { status }, nowMs, current }: DayRequestOf): boolean {
  const { certReady, expirationDate, issuedAt } = status ?? {}
  if (certReady !== true) return issuedAt !== undefined
  const byStatus = expirationDate === undefined ? undefined : Date.parse(expirationDate)
  const endMs = current?.kind === 'present' ? current.certificate.notAfterMs : byStatus
  return endMs !== undefined && endMs - nowMs <= urgentMs
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
    .map(({ cert: claim, request }) => dayRequestOf({ claim, request, nowMs: Number.NEGATIVE_INFINITY }))
}

/** While a certificate serves and another one is still to be asked for, the ARN is that of the one before. */
function hasArn({ status }: Cert): boolean {
  const { state, certReady, certificateArn, pendingCertificateArn } = status ?? {}
  if (pendingCertificateArn !== undefined) return true
  return certificateArn !== undefined && !(certReady === true && (state === 'Pending' || state === 'Failed'))
}
