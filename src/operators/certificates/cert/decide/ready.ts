// Ready: the certificate is issued. Its life is watched, and a spec that asks for another one begins a replacement.
import { given } from '#base'
import { conditionTypes } from '../../api/conditions.ts'
import { annotations } from '../../api/labels.ts'
import type { CloudCertificate } from '../../aws/certificate.ts'
import type { CloudAction } from '../cloud-action.ts'
import type { Sighted } from '../seen.ts'
import type { CertSettings } from '../settings.ts'
import { zoneGoneIn } from './astray.ts'
import { ownCertificateCall, upsertCalls } from './calls.ts'
import { conflict, ended, gone, proving, writeEvents } from './created.ts'
import { endingOf } from './ended.ts'
import { certificateFields, nextRequest } from './fields.ts'
import { isReplacementWanted, replacing } from './issued.ts'
import { planRecords } from './records.ts'
import { daysLeft, renewalHealth } from './renewal.ts'
import { supersededOf } from './superseded.ts'
import { touchUp } from './touch-up.ts'
import { type ToldOnce, type Verdict, verdict, waits } from './verdict.ts'

const confirmAfterMs = 30_000

export function judgeReady(seen: Sighted, settings: CertSettings): Verdict {
  const { claim, current } = seen
  if (claim.status?.certificateArn === undefined)
    return waits(37, 'Pending', { reason: 'Requesting', message: 'the certificate is being requested' }, { next: 'at-once' })
  if (current.kind !== 'present') {
    if (current.kind === 'absent' && current.isConfirmed) return gone(seen, 32)
    // That it serves is said again only where it was seen; what was said stays until the second look.
    return verdict(32, 'Ready', { isAside: true, next: { afterMs: confirmAfterMs, why: 'an absence is looked at twice' } })
  }
  const { certificate } = current
  const ending = endingOf(certificate, seen.nowMs)
  if (ending !== undefined) return ended(ending, true)
  // It never was: an old status, or a hand, says that it serves.
  if (certificate.status === 'PENDING_VALIDATION')
    return waits(36, 'Created', proving, { status: { certReady: false }, next: 'at-once' })
  if (certificate.status !== 'ISSUED')
    return verdict(0, 'Ready', { isAside: true, next: { afterMs: 300_000, why: 'ACM gave a status that is not known' } })
  if (isReplacementWanted(seen, certificate)) return replace(seen, certificate)
  return judgeLife(seen, certificate, settings)
}

/** The current certificate stays until another one is issued. */
function replace(seen: Sighted, certificate: CloudCertificate): Verdict {
  return waits(31, 'Pending', replacing, {
    status: { ...certificateFields(certificate, true), request: nextRequest(seen), ...answered(seen) },
    next: 'at-once',
  })
}

function answered({ claim }: Sighted): Verdict['status'] {
  const renew = claim.metadata.annotations?.[annotations.renew]
  return renew === undefined ? {} : { answered: { ...claim.status?.answered, renew } }
}

function judgeLife(seen: Sighted, certificate: CloudCertificate, settings: CertSettings): Verdict {
  const { claim, current } = seen
  const renew = claim.metadata.annotations?.[annotations.renew]
  const isRenewalAsked = renew !== undefined && renew !== claim.status?.answered?.renew
  const alertDays = claim.spec.renewal?.alertBeforeDays ?? 30
  const isUnused = certificate.inUseBy.length === 0 && daysLeft(certificate, seen.nowMs) <= alertDays
  const health = renewalHealth(certificate, seen.nowMs, claim.spec)
  const isLost = health.reason === 'NotInUse' || health.reason === 'Overdue'
  if ((isRenewalAsked && isUnused) || (settings.reissuesProactively && isLost)) return replace(seen, certificate)
  const touch = touchUp(claim, current, settings)
  const records = planRecords(seen, settings)
  const status = {
    ...certificateFields(certificate, true),
    ...answered(seen),
    ...askedAsWanted(seen),
    ...recordsOf(seen, records.entries),
    ...touch.status,
  }
  const { writes } = records
  // What somebody else holds keeps that record back, and nothing else that the spec asks for.
  const trouble = records.conflict === undefined ? undefined : conflict(records.conflict, {}).recordsTrouble
  const clean = supersededOf(seen, settings)
  const actions: readonly CloudAction[] = [
    ...upsertCalls(writes),
    ...(isRenewalAsked && certificate.isExportable
      ? [ownCertificateCall(claim, settings.clusterId, 'renew', certificate.arn)]
      : []),
    ...clean.actions,
    // Last: what a permission is missing for holds up nothing that renews or cleans up.
    ...touch.actions,
  ]
  return verdict(writes.length > 0 || trouble !== undefined ? 34 : 30, 'Ready', {
    actions,
    status: { ...status, ...clean.status },
    ...given({ heldUp: touch.heldUp, recordsTrouble: trouble }),
    ...(records.isOnRecord ? {} : { next: 'at-once' as const }),
    events: [...(writes.length > 0 ? writeEvents(records) : []), ...lifeEvents(seen, certificate, health.reason)],
  })
}

/** Asked for with the token of an older intent, and just what is wanted. */
function askedAsWanted({ claim, wanted }: Sighted): Verdict['status'] {
  const { request } = claim.status ?? {}
  const isOther = request !== undefined && wanted.hash !== undefined && request.specHash !== wanted.hash
  return isOther ? { request: { ...request, specHash: wanted.hash } } : {}
}

/** What was not looked at stays as it was said. */
function recordsOf({ records }: Sighted, entries: NonNullable<Verdict['status']['validationRecords']>): Verdict['status'] {
  return records.length === 0 ? {} : { validationRecords: entries }
}

function lifeEvents(seen: Sighted, certificate: CloudCertificate, health: string): readonly ToldOnce[] {
  const { claim, wanted } = seen
  const events: ToldOnce[] = []
  const { serial } = claim.status ?? {}
  if (serial !== undefined && certificate.serial !== undefined && serial !== certificate.serial)
    events.push({ type: 'Normal', reason: 'CertificateRenewed', message: 'ACM renewed the certificate' })
  const isTold = (type: string, reason: string): boolean =>
    claim.status?.conditions?.some(each => each.type === type && each.reason === reason) === true
  if (health === 'RenewalFailed' && !isTold(conditionTypes.renewalHealthy, health))
    events.push({ type: 'Warning', reason: 'RenewalFailed', message: 'ACM could not renew the certificate' })
  const zoneTrouble = wanted.zoneTrouble ?? zoneGoneIn(seen)
  if (zoneTrouble !== undefined && !isTold(conditionTypes.zoneResolved, 'ZoneNotFound'))
    events.push({ type: 'Warning', reason: 'ZoneNotFound', message: zoneTrouble })
  return events
}
