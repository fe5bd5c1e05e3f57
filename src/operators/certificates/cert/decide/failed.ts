// Failed: nothing is done until a person, time or AWS itself changes something.

import { failureReasonOf } from '../../api/conditions.ts'
import { annotations } from '../../api/labels.ts'
import type { Sighted } from '../seen.ts'
import type { CertSettings } from '../settings.ts'
import { adoptedArn } from './adopt.ts'
import { reissueDelayMs } from './backoff.ts'
import { deleteCertificateCall } from './calls.ts'
import { judgeRequested } from './created.ts'
import { endingOf } from './ended.ts'
import { agoMs, isOfOtherNames, nextRequest, noCertificate, targetOf } from './fields.ts'
import { becomesReady } from './issued.ts'
import { isOnItsWay, untilShown } from './open-request.ts'
import { blockerOf, refusedToday, supersededWith } from './pending.ts'
import { failed, type Verdict, waits } from './verdict.ts'

/** What stood in the way before AWS was asked: it is over when it does not stand there any more. */
const blockers = new Set<string>(['ZoneNotFound', 'DuplicateDomain', 'PrivateZone'])
/** Refusals without a certificate that passing time may mend. */
const mendable = new Set<string>(['QuotaExceeded', 'ValidationTimedOut', 'CAARestricted'])

export function judgeFailed(seen: Sighted, settings: CertSettings): Verdict {
  const { claim } = seen
  const failure = claim.status?.lastFailure
  const reason = failureReasonOf(failure?.reason)
  if (isAskedAnew(seen)) return startOver(seen, 38, settings)
  const { look, arn } = targetOf(seen)
  if (look.kind === 'present') {
    const ending = endingOf(look.certificate, seen.nowMs)
    if (ending === undefined && look.certificate.status === 'ISSUED')
      return becomesReady(seen, look.certificate, { row: 35, settings })
    if (ending === undefined) return goesOn(seen, settings)
    if (ending.isReissuable && isDue(seen)) return startOver(seen, 40, settings)
    return overtaken(seen, settings) ?? same(seen)
  }
  if (arn !== undefined && look.kind === 'absent' && look.isConfirmed)
    return waits(37, 'Pending', asking, { status: { ...clearedOf(seen), request: nextRequest(seen) }, next: 'at-once' })
  if (arn !== undefined) return same(seen)
  if (reason !== undefined && blockers.has(reason)) return blockerOf(seen) === undefined ? again(39) : same(seen)
  if (failure?.refusedBy === 'CertPolicy' && seen.forbidden === undefined && blockerOf(seen) === undefined) return again(39)
  if (reason === 'AccessDenied') return again(43)
  if (failure?.refusedBy === 'DailyBudget') return seen.dayRefusal === undefined ? again(40) : refusedAgain(seen, seen.dayRefusal)
  if (reason !== undefined && mendable.has(reason) && isDue(seen)) return startOver(seen, 40, settings)
  return same(seen)
}

/** It ended, and it is not what the spec asks for by now: nobody is to wait for a word about a wish that was given up. */
export function overtaken(seen: Sighted, settings: CertSettings): Verdict | undefined {
  const { claim, wanted } = seen
  const { request } = claim.status ?? {}
  const { look } = targetOf(seen)
  if (wanted.hash === undefined || request === undefined || look.kind !== 'present') return undefined
  if (request.specHash === wanted.hash && !isOfOtherNames(wanted, look.certificate)) return undefined
  return endingOf(look.certificate, seen.nowMs) === undefined ? undefined : startOver(seen, 38, settings)
}

/** Another day may have come, and gone to others. */
function refusedAgain(seen: Sighted, refusal: string): Verdict {
  return seen.claim.status?.lastFailure?.message === refusal ? same(seen) : refusedToday(refusal)
}

const asking = { reason: 'Requesting', message: 'the certificate is being requested' } as const

function again(row: number): Verdict {
  return waits(row, 'Pending', asking, { next: 'at-once' })
}

/** Row 41: what is said stays said. */
function same({ claim }: Sighted): Verdict {
  const { reason, message } = claim.status?.lastFailure ?? { reason: 'IssuanceFailed', message: claim.status?.message ?? '' }
  return failed(41, { reason: failureReasonOf(reason) ?? 'IssuanceFailed', message })
}

/** The certificate is on its way: whether there is still the same hindrance is judged as in Created. */
function goesOn(seen: Sighted, settings: CertSettings): Verdict {
  const next = judgeRequested(seen, 'Created', settings)
  if (next.state === 'Failed') return next.failure?.reason === seen.claim.status?.lastFailure?.reason ? same(seen) : next
  return next.row === 31 ? next : { ...next, row: 36 }
}

/** A changed spec, or a person's word, that no pass has answered yet. */
function isAskedAnew({ claim }: Sighted): boolean {
  const { status, metadata } = claim
  const retry = metadata.annotations?.[annotations.retry]
  return status?.observedGeneration !== metadata.generation || (retry !== undefined && retry !== status?.answered?.retry)
}

function isDue(seen: Sighted): boolean {
  const { lastFailure } = seen.claim.status ?? {}
  return lastFailure !== undefined && agoMs(seen, lastFailure.time) >= reissueDelayMs(lastFailure.count)
}

/** The failed certificate is given up: one that never was goes, one that was in use may be still. */
function startOver(seen: Sighted, row: number, settings: CertSettings): Verdict {
  const { claim } = seen
  const { arn, look } = targetOf(seen)
  const status = {
    ...clearedOf(seen),
    ...intentOf(seen),
    ...answeredOf(seen),
    ...(row === 38 ? { lastFailure: resetFailure(seen) } : {}),
  }
  if (arn !== undefined && isOnItsWay(look)) return { ...same(seen), isSilent: true, next: untilShown }
  const certificate = look.kind === 'present' ? look.certificate : undefined
  // Refused last, and perhaps carried out before that: its own token says.
  if (arn === undefined && claim.status?.request !== undefined)
    return waits(row, 'Pending', asking, { status: { ...status, request: claim.status.request }, next: 'at-once' })
  const isSpent = certificate !== undefined && certificate.issuedMs === undefined && certificate.inUseBy.length === 0
  if (arn === undefined || certificate === undefined) return waits(row, 'Pending', asking, { status, next: 'at-once' })
  if (certificate.status === 'PENDING_VALIDATION' && claim.status?.request?.specHash === seen.wanted.hash)
    return waits(row, 'Created', asking, { status: answeredOf(seen), next: 'at-once' })
  if (!isSpent) {
    const kept = supersededWith(seen, { arn, inUse: certificate.inUseBy.length > 0 })
    return waits(row, 'Pending', asking, { status: { ...status, ...kept }, next: 'at-once' })
  }
  const actions = settings.deletesFailedRequests ? [deleteCertificateCall(claim, settings.clusterId, arn)] : []
  return waits(row, 'Pending', asking, { actions, status, next: 'at-once' })
}

/** A replacement that failed leaves the current certificate alone. */
function clearedOf(seen: Sighted): Verdict['status'] {
  return targetOf(seen).isReplacement ? { pendingCertificateArn: undefined } : noCertificate
}

/** What was to be adopted still is: its intent comes with its tags. Where somebody wiped the intent, what it made is looked up first. */
function intentOf(seen: Sighted): Verdict['status'] {
  const isKnown = adoptedArn(seen) === undefined && seen.claim.status?.request !== undefined
  return isKnown ? { request: nextRequest(seen) } : {}
}

function answeredOf({ claim }: Sighted): Verdict['status'] {
  const retry = claim.metadata.annotations?.[annotations.retry]
  return retry === undefined ? {} : { answered: { ...claim.status?.answered, retry } }
}

/** The delay begins anew; what failed last can still be read. */
function resetFailure({ claim }: Sighted): Verdict['status']['lastFailure'] {
  const last = claim.status?.lastFailure
  return last === undefined ? undefined : { ...last, count: 0 }
}
