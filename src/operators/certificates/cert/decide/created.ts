// Created and Validated: ACM has the request. Records are written, ACM sees them, and issues.
import { type CloudCertificate, hashOfCertificate } from '../../aws/certificate.ts'
import type { Look, Sighted } from '../seen.ts'
import type { CertSettings } from '../settings.ts'
import { astrayIn, zoneGoneIn, zoneHiddenIn } from './astray.ts'
import { upsertCalls } from './calls.ts'
import { type Ending, endingOf, timedOutMessage } from './ended.ts'
import { ageMs, isOfOtherNames, nextRequest, noCertificate, targetOf } from './fields.ts'
import { becomesReady } from './issued.ts'
import { dropTarget } from './pending.ts'
import { planRecords, type RecordPlan } from './records.ts'
import { failed, type ToldOnce, type Verdict, waits } from './verdict.ts'

/** A request is seen by ACM's own readers within seconds; for so long an absence is no news. */
const invisibleMs = 5 * 60_000
const confirmAfterMs = 30_000

export function judgeRequested(seen: Sighted, state: 'Created' | 'Validated', settings: CertSettings): Verdict {
  const { look, arn, isReplacement } = targetOf(seen)
  if (arn === undefined) return waits(37, 'Pending', asking, { next: 'at-once' })
  if (look.kind !== 'present') return judgeAbsent(seen, state, look)
  const { certificate } = look
  const ending = endingOf(certificate, seen.nowMs)
  if (ending !== undefined) return ended(ending, !isReplacement)
  if (certificate.status === 'ISSUED') return becomesReady(seen, certificate, { row: state === 'Created' ? 20 : 24, settings })
  if (certificate.status !== 'PENDING_VALIDATION') return unknownStatus(state)
  const { request } = seen.claim.status ?? {}
  if (request?.specHash !== seen.wanted.hash || isOfOtherNames(seen.wanted, certificate)) {
    // Asked for with an older intent's token, or by one that a hand took out of the status, and just what is wanted.
    const isWanted = seen.wanted.hash === hashOfCertificate(certificate)
    if (!isWanted) return dropTarget(seen, { row: 31, settings })
    const kept = { ...(request ?? nextRequest(seen)), specHash: seen.wanted.hash ?? '' }
    return waits(31, state, asking, { status: { request: kept }, next: 'at-once' })
  }
  if (ageMs(seen, certificate) >= settings.validationTimeoutMs)
    return ended({ row: 26, reason: 'ValidationTimedOut', message: timedOutMessage, isReissuable: true }, !isReplacement)
  if (!seen.wanted.isPublic) return waits(18, 'Created', issuing)
  return judgeProof(seen, state, { certificate, settings })
}

const asking = { reason: 'Requesting', message: 'the certificate is being requested' } as const
export const proving = { reason: 'WaitingForDNS', message: 'the validation records are on their way to the DNS' } as const
const issuing = {
  reason: 'WaitingForIssuance',
  message: 'the records are in place; ACM has not issued the certificate yet',
} as const

/** Row 124 of the cases: what ACM may say one day is waited out. */
function unknownStatus(state: 'Created' | 'Validated'): Verdict {
  const wait = { reason: 'WaitingForIssuance', message: 'ACM says of the certificate what this version does not know' } as const
  return waits(0, state, wait, { next: { afterMs: 300_000, why: 'ACM gave a status that is not known' } })
}

function judgeAbsent(seen: Sighted, state: 'Created' | 'Validated', look: Exclude<Look, { kind: 'present' }>): Verdict {
  const visible = { reason: 'Requesting', message: 'ACM does not show the certificate yet' } as const
  const isNew = ageMs(seen) < invisibleMs && !(look.kind === 'absent' && look.isSettled === true)
  if (state === 'Created' && isNew) return waits(14, 'Created', visible)
  if (look.kind === 'absent' && look.isConfirmed) return gone(seen, 15)
  return waits(15, state, visible, { next: { afterMs: confirmAfterMs, why: 'an absence is looked at twice' } })
}

/** Deleted behind our back. Another one is asked for. */
export function gone(seen: Sighted, row: number): Verdict {
  const { isReplacement } = targetOf(seen)
  const ofCurrent = !isReplacement || row === 32
  const message = 'the certificate is not in ACM any more; another one is requested'
  return waits(
    row,
    'Pending',
    { reason: 'CertificateMissing', message },
    {
      status: {
        ...(ofCurrent ? noCertificate : { pendingCertificateArn: undefined }),
        request: nextRequest(seen),
      },
      events: [{ type: 'Warning', reason: 'CertificateMissing', message }],
      next: 'at-once',
    },
  )
}

/** `isCurrent`: the certificate that ended is the one that is shown; one that only was to replace it takes nothing from it. */
export function ended({ row, reason, message }: Ending, isCurrent: boolean): Verdict {
  const current = isCurrent ? { certReady: false } : {}
  const event: ToldOnce['reason'] = reason === 'ValidationTimedOut' ? 'ValidationTimedOut' : 'IssuanceFailed'
  return failed(row, { reason, message }, { status: current, events: [{ type: 'Warning', reason: event, message }] })
}

function judgeProof(
  seen: Sighted,
  state: 'Created' | 'Validated',
  { certificate, settings }: { readonly certificate: CloudCertificate; readonly settings: CertSettings },
): Verdict {
  const { wanted, records } = seen
  if (wanted.zoneTrouble !== undefined) return failed(7, { reason: 'ZoneNotFound', message: wanted.zoneTrouble })
  const isShown = certificate.validations.length >= wanted.names.length && certificate.validations.every(each => each.record)
  if (!isShown)
    return waits(16, 'Created', { reason: 'WaitingForDNS', message: 'ACM has not said yet which validation records it wants' })
  const plan = planRecords(seen, settings)
  const status = { validationRecords: plan.entries }
  if (plan.conflict !== undefined) return conflict(plan.conflict, status)
  const message = zoneGoneIn(seen)
  if (message !== undefined) {
    return failed(
      22,
      { reason: 'ZoneNotFound', message },
      { status, events: [{ type: 'Warning', reason: 'ZoneNotFound', message }] },
    )
  }
  if (!plan.isOnRecord) return waits(17, 'Created', proving, { status, next: 'at-once' })
  if (plan.writes.length > 0) return writeRecords(plan, state === 'Validated' ? 25 : 17)
  const isInSync = records.length > 0 && plan.entries.every(({ phase }) => phase === 'InSync')
  if (!isInSync) return waits(18, 'Created', proving, { status })
  return waits(state === 'Created' ? 19 : 23, 'Validated', unseenWait(seen, certificate) ?? issuing, { status })
}

/** ACM looks within minutes. What stands in the zone for so long and is not seen stands where nobody outside asks. */
const unseenAfterMs = 60 * 60_000

function unseenWait(seen: Sighted, certificate: CloudCertificate): Verdict['wait'] {
  const unasked = zoneHiddenIn(seen) ?? astrayIn(seen)
  if (unasked !== undefined) return { reason: 'WaitingForIssuance', message: unasked }
  if (ageMs(seen, certificate) < unseenAfterMs) return undefined
  const unseen = certificate.validations.filter(({ status }) => status !== 'SUCCESS').map(({ domain }) => domain)
  const zone = seen.records.find(({ domains }) => domains.some(domain => unseen.includes(domain)))?.zone
  if (zone === undefined) return undefined
  const { name, id } = zone
  const message = `the records stand in the hosted zone ${id}, and ACM does not see them: compare its name servers with those of "dig NS ${name}", which may be delegated elsewhere`
  return { reason: 'WaitingForIssuance', message }
}

export function conflict(message: string, status: Verdict['status']): Verdict {
  return failed(
    21,
    { reason: 'RecordConflict', message },
    {
      status,
      recordsTrouble: { reason: 'RecordConflict', message },
      events: [{ type: 'Warning', reason: 'RecordConflict', message }],
    },
  )
}

function writeRecords(plan: RecordPlan, row: number): Verdict {
  return waits(row, 'Created', proving, {
    actions: upsertCalls(plan.writes),
    status: { validationRecords: plan.entries },
    events: writeEvents(plan),
  })
}

export function writeEvents({ writes, replaced }: RecordPlan): readonly ToldOnce[] {
  const overwritten = replaced.map(
    (name): ToldOnce => ({
      type: 'Warning',
      reason: 'ValidationRecordReplaced',
      message: `the record ${name} had another value and was overwritten`,
    }),
  )
  const message = `wrote ${writes.length} validation record${writes.length === 1 ? '' : 's'}`
  return [{ type: 'Normal', reason: 'ValidationRecordsCreated', message }, ...overwritten]
}

/** In Validated the records themselves are looked at now and then. */
export function looksAtRecords(attempt: number): boolean {
  return attempt % 6 === 5
}
