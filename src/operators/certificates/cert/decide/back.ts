// The spec asks for the current certificate again, before another one took its place: the other one is given up.
import { hashOfCertificate } from '../../aws/certificate.ts'
import type { Sighted } from '../seen.ts'
import type { CertSettings } from '../settings.ts'
import { deleteCertificateCall } from './calls.ts'
import { certificateFields, nextRequest } from './fields.ts'
import { isOnItsWay, isReplacementOpen, mayComeToLight, unlistedOf, untilShown } from './open-request.ts'
import { adopt } from './pending.ts'
import { type Verdict, verdict, waits } from './verdict.ts'

export function isBack({ claim, wanted, current }: Pick<Sighted, 'claim' | 'wanted' | 'current'>): boolean {
  const { state, certReady, request } = claim.status ?? {}
  if (state === undefined || state === 'Ready' || certReady !== true || current.kind !== 'present') return false
  const isGood = current.certificate.status === 'ISSUED'
  return isGood && request?.specHash !== wanted.hash && hashOfCertificate(current.certificate) === wanted.hash
}

/** Its time and the certificate's are of two clocks. */
const aroundMs = 5 * 60_000

/**
 * Somebody wiped the state: what is asked for is there, and serves. Who has it renewed by another one asks later than it was made. A token that
 * is an hour old would make a second one.
 */
export function isAnswered({ claim, wanted, current }: Pick<Sighted, 'claim' | 'wanted' | 'current'>): boolean {
  const { state, certReady, request, pendingCertificateArn } = claim.status ?? {}
  if (state !== 'Pending' || certReady !== true || pendingCertificateArn !== undefined) return false
  if (request === undefined || request.specHash !== wanted.hash || current.kind !== 'present') return false
  const { certificate } = current
  const isGood = certificate.status === 'ISSUED' && hashOfCertificate(certificate) === wanted.hash
  return isGood && Date.parse(request.requestedAt) <= (certificate.createdMs ?? Number.NEGATIVE_INFINITY) + aroundMs
}

/** Row 9, for a certificate that serves already. */
export function serveAgain({ current }: Sighted): Verdict {
  const fields = current.kind === 'present' ? certificateFields(current.certificate, true) : {}
  return verdict(9, 'Ready', { status: fields })
}

export function goBack(seen: Sighted, settings: CertSettings): Verdict {
  const { claim, current, pending } = seen
  const arn = claim.status?.pendingCertificateArn
  if (isReplacementOpen(seen)) {
    const made = unlistedOf(seen)
    if (made !== undefined) return adopt(seen, made.arn)
    if (mayComeToLight(seen)) return waits(31, 'Pending', outcome, { next: untilShown })
  }
  if (arn !== undefined && isOnItsWay(pending)) return waits(31, 'Pending', outcome, { next: untilShown })
  const isFree = pending.kind === 'present' && pending.certificate.inUseBy.length === 0
  const fields = current.kind === 'present' ? certificateFields(current.certificate, true) : {}
  return verdict(31, 'Ready', {
    actions: arn !== undefined && isFree ? [deleteCertificateCall(claim, settings.clusterId, arn)] : [],
    status: { ...fields, pendingCertificateArn: undefined, request: nextRequest(seen), lastFailure: undefined },
  })
}

const outcome = {
  reason: 'ReplacementInProgress',
  message: 'the current certificate is wanted again; what became of the request for another one is looked up',
} as const
