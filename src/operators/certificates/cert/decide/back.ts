// The spec asks for the current certificate again, before another one took its place: the other one is given up.
import { given } from '#base'
import { type CloudCertificate, hashOfCertificate } from '../../aws/certificate.ts'
import type { Sighted } from '../seen.ts'
import type { CertSettings } from '../settings.ts'
import { deleteCertificateCall } from './calls.ts'
import { certificateFields, nextRequest } from './fields.ts'
import { listUnlisted, mayHaveLostIntent } from './lost-status.ts'
import { isOnItsWay, isReplacementOpen, mayComeToLight, unlistedOf, untilShown } from './open-request.ts'
import { adopt } from './pending.ts'
import { touchUp } from './touch-up.ts'
import { type Verdict, verdict, waits } from './verdict.ts'

type CurrentLook = Pick<Sighted, 'claim' | 'wanted' | 'current'>

export function isBack(seen: CurrentLook): boolean {
  const { state, request } = seen.claim.status ?? {}
  if (state === undefined || state === 'Ready' || request?.specHash === seen.wanted.hash) return false
  return wantedOneThatServes(seen) !== undefined
}

/** The current certificate, where it is issued for just what the spec asks for. */
function wantedOneThatServes({ claim, wanted, current }: CurrentLook): CloudCertificate | undefined {
  if (claim.status?.certReady !== true || current.kind !== 'present') return undefined
  const { certificate } = current
  return certificate.status === 'ISSUED' && hashOfCertificate(certificate) === wanted.hash ? certificate : undefined
}

/** Its time and the certificate's are of two clocks. */
const aroundMs = 5 * 60_000

/**
 * Somebody wiped the state: what is asked for is there, and serves. Who has it renewed by another one asks later than it was made. A token that
 * is an hour old would make a second one.
 */
export function isAnswered(seen: CurrentLook): boolean {
  const { state, request, pendingCertificateArn } = seen.claim.status ?? {}
  if (state !== 'Pending' || pendingCertificateArn !== undefined || request?.specHash !== seen.wanted.hash) return false
  const { createdMs } = wantedOneThatServes(seen) ?? {}
  return request !== undefined && createdMs !== undefined && Date.parse(request.requestedAt) <= createdMs + aroundMs
}

/** Row 9, for a certificate that serves already. */
export function serveAgain(seen: Sighted, settings: CertSettings): Verdict {
  return verdict(9, 'Ready', serving(seen, settings))
}

/** The spec that asks for it again may ask for other tags (S27). */
function serving({ claim, current }: Sighted, settings: CertSettings): Pick<Verdict, 'actions' | 'status' | 'heldUp'> {
  const { actions, status, heldUp } = touchUp(claim, current, settings)
  const fields = current.kind === 'present' ? certificateFields(current.certificate, true) : {}
  return { actions, status: { ...fields, ...status }, ...given({ heldUp }) }
}

export function goBack(seen: Sighted, settings: CertSettings): Verdict {
  const { claim, pending } = seen
  if (seen.isAwaited === true) return waits(31, 'Pending', outcome, { next: untilShown })
  const arn = claim.status?.pendingCertificateArn
  if (isReplacementOpen(seen)) {
    const made = unlistedOf(seen)
    if (made !== undefined) return adopt(seen, made.arn)
    if (mayComeToLight(seen)) return waits(31, 'Pending', outcome, { next: untilShown })
  }
  if (arn !== undefined && isOnItsWay(pending)) return waits(31, 'Pending', outcome, { next: untilShown })
  const isFree = pending.kind === 'present' && pending.certificate.inUseBy.length === 0
  const served = serving(seen, settings)
  return verdict(31, 'Ready', {
    ...served,
    actions: [...(arn !== undefined && isFree ? [deleteCertificateCall(claim, settings.clusterId, arn)] : []), ...served.actions],
    status: {
      ...served.status,
      ...(mayHaveLostIntent(seen, settings) ? listUnlisted(seen) : {}),
      pendingCertificateArn: undefined,
      request: nextRequest(seen),
      lastFailure: undefined,
    },
  })
}

const outcome = {
  reason: 'ReplacementInProgress',
  message: 'the current certificate is wanted again; what became of the request for another one is looked up',
} as const
