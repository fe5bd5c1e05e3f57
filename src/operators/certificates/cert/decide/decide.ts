// What to do about a Cert: a total, pure function from what was seen to a plan. Which row of the transition table it follows stands in the
// verdict, so that each row has its test.
import { renderDuration } from '#base'
import { type Condition, type Occurrence, referenceTo } from '#kube'
import { type Action, emptyPlan, type Plan } from '#runtime'
import { failureReasonOf } from '../../api/conditions.ts'
import { certKind } from '../../api/kinds.ts'
import { annotations, finalizer } from '../../api/labels.ts'
import { weather } from '../../aws/faults.ts'
import { type CertAction, isCloudAction } from '../cloud-action.ts'
import { conditionsOf } from '../conditions.ts'
import type { CertSeen, Look, Sighted } from '../seen.ts'
import type { CertSettings } from '../settings.ts'
import { statusAfter } from '../status.ts'
import { goBack, isAnswered, isBack, serveAgain } from './back.ts'
import { attemptIn, intervalMs } from './backoff.ts'
import { judgeRequested } from './created.ts'
import { absentTwice, currentGone, isCurrentGone } from './current-gone.ts'
import { judgeDeletion, stateOf, withoutStranger } from './deletion.ts'
import { endingOf } from './ended.ts'
import { judgeFailed, overtaken } from './failed.ts'
import { certificateFields, isToldReady } from './fields.ts'
import { mayHaveLostStatus, strangerNamed, unknownGone } from './lost-status.ts'
import { makeRoom } from './make-room.ts'
import { judgePending } from './pending.ts'
import { judgeReady } from './ready.ts'
import { withRecordsOf } from './records.ts'
import { failed, type Verdict, verdict, waits } from './verdict.ts'

export function decide(seen: CertSeen, settings: CertSettings): Plan<CertAction> {
  const sighted = sight(seen)
  return sighted === undefined ? emptyPlan : planOf(sighted, judge(sighted, settings), settings)
}

export function sight(seen: CertSeen): Sighted | undefined {
  const { claim, wanted } = seen
  return claim === undefined || wanted === undefined ? undefined : { ...seen, claim, wanted }
}

/** The verdict alone: for reports, which speak of the same pass, and for tests of the table. */
export function judge(seen: Sighted, settings: CertSettings): Verdict {
  const { claim } = seen
  const isDeleting = claim.metadata.deletionTimestamp !== undefined
  if (seen.fault !== undefined) return judgeFault(seen, seen.fault, isDeleting)
  if (isDeleting)
    return withoutStranger(seen, makeRoom(seen, settings) ?? onRecordFirst(seen, judgeDeletion(seen, settings)), settings)
  if (claim.metadata.annotations?.[annotations.paused] === 'true') return paused(seen)
  const stranger = strangerNamed(seen, settings) ?? unknownGone(seen)
  if (stranger !== undefined) return stranger
  const judged = judgeLiving(seen, settings)
  return makeRoom(seen, settings) ?? withCurrent(seen, onRecordFirst(seen, judged))
}

function judgeLiving(seen: Sighted, settings: CertSettings): Verdict {
  if (isCurrentGone(seen)) return currentGone(seen)
  if (isAnswered(seen)) return serveAgain(seen, settings)
  return isBack(seen) ? goBack(seen, settings) : judgeState(seen, settings)
}

/** P2, backwards: a certificate goes only when the records that it asked for are in the status. */
function onRecordFirst(seen: Sighted, judged: Verdict): Verdict {
  const leaving = judged.actions.flatMap(action =>
    isCloudAction(action) && action.purpose === 'delete-certificate' ? [lookAt(seen, String(action.input.CertificateArn))] : [],
  )
  const validationRecords = withRecordsOf(
    seen,
    leaving.filter(look => look !== undefined),
  )
  if (validationRecords === undefined) return judged
  return verdict(judged.row, stateOf(seen), { isAside: true, status: { validationRecords }, next: 'at-once' })
}

function lookAt({ claim, current, pending, superseded, deletion }: Sighted, arn: string): Look | undefined {
  const { certificateArn, pendingCertificateArn } = claim.status ?? {}
  const own = arn === pendingCertificateArn ? pending : arn === certificateArn ? current : undefined
  return deletion?.certificates.get(arn) ?? own ?? superseded.get(arn)
}

function judgeState(seen: Sighted, settings: CertSettings): Verdict {
  switch (seen.claim.status?.state) {
    case 'Pending':
      return judgePending(seen, settings)
    case 'Created':
      return overtaken(seen, settings) ?? judgeRequested(seen, 'Created', settings)
    case 'Validated':
      return overtaken(seen, settings) ?? judgeRequested(seen, 'Validated', settings)
    case 'Ready':
      return overtaken(unserved(seen), settings) ?? judgeReady(seen, settings)
    case 'Failed':
      return judgeFailed(seen, settings)
    default:
      return firstSight(seen, settings)
  }
}

/** As if nothing served: the current certificate is then the one that is on its way. */
function unserved(seen: Sighted): Sighted {
  const { claim } = seen
  return { ...seen, claim: { ...claim, status: { ...claim.status, certReady: false } } }
}

/** Row 5. Where nothing keeps it from AWS the intent is written with the finalizer, and the request follows at once. */
function firstSight(seen: Sighted, settings: CertSettings): Verdict {
  const { certificateArn, pendingCertificateArn } = seen.claim.status ?? {}
  if (certificateArn !== undefined || pendingCertificateArn !== undefined)
    return waits(5, 'Pending', lookingUp, { next: 'at-once' })
  const first = judgePending(seen, settings)
  if (first.row === 11 && mayHaveLostStatus(seen, settings)) return waits(5, 'Pending', lookingUp, { next: 'at-once' })
  return { ...first, row: first.row === 11 ? 5 : first.row, actions: [] }
}

const lookingUp = { reason: 'Requesting', message: 'the certificate is being looked up' } as const

/** Row 4. */
function paused(seen: Sighted): Verdict {
  const afterMs = 3_600_000
  const next = { afterMs, why: 'it is paused' }
  const state = stateOf(seen)
  if (state === 'Failed') {
    return { ...failed(4, failureOf(seen)), next }
  }
  return waits(4, state, { reason: 'Paused', message: 'it is paused by annotation' }, { next })
}

function failureOf({ claim }: Sighted): NonNullable<Verdict['failure']> {
  const { reason, message } = claim.status?.lastFailure ?? { reason: 'IssuanceFailed', message: '' }
  return { reason: failureReasonOf(reason) ?? 'IssuanceFailed', message }
}

/** While another one is on its way, the current certificate has a life as well. */
function withCurrent(seen: Sighted, judged: Verdict): Verdict {
  const { current, claim, nowMs } = seen
  const isApart = claim.status?.certReady === true && claim.status.state !== 'Ready' && judged.state !== 'Ready'
  if (!isApart || judged.row === 32) return judged
  if (current.kind === 'absent' && judged.next === 'interval') return { ...judged, next: absentTwice }
  if (current.kind !== 'present') return judged
  const isGood = current.certificate.status === 'ISSUED' && endingOf(current.certificate, nowMs) === undefined
  return { ...judged, status: { ...certificateFields(current.certificate, isGood), ...judged.status } }
}

/** At the time it was told, and before what has not begun: others wait for what it reads. */
function comesBack({ retryAfterMs = 0, message }: NonNullable<Sighted['fault']>): Verdict['next'] {
  return { afterMs: retryAfterMs, why: message, lane: 'begun' }
}

const deniedTries = 3
const deniedMs = 300_000

/**
 * A permission may be on its way: soon at first, and then not more often than people change permissions. What stays in its state counts no
 * failures: there the condition says since when it is denied.
 */
function deniedAgainMs({ claim, nowMs }: Sighted, isSinceCondition: boolean): number {
  const { lastFailure, conditions = [] } = claim.status ?? {}
  const count = lastFailure?.count ?? 0
  if (!isSinceCondition) return count < deniedTries ? 1_000 * 2 ** count : deniedMs
  const told = conditions.filter(({ reason }) => reason === 'AccessDenied').map(each => Date.parse(each.lastTransitionTime))
  const sinceMs = told.length === 0 ? 0 : Math.abs(nowMs - Math.max(...told))
  return sinceMs < 1_000 * 2 ** deniedTries ? Math.max(1_000, sinceMs) : deniedMs
}

/** What could not be compared with its spec is not carried out, and must not count as done; else it is only the records that nobody sees. */
function deniedLook({ claim }: Sighted, message: string): Pick<Verdict, 'heldUp' | 'recordsTrouble'> {
  const trouble = { reason: 'AccessDenied', message } as const
  const isGood = claim.metadata.deletionTimestamp === undefined && claim.status?.state === 'Ready'
  return isGood && !isToldReady(claim) ? { heldUp: trouble } : { recordsTrouble: trouble }
}

/** Rows 42 and 43, and weather. */
function judgeFault(seen: Sighted, fault: NonNullable<Sighted['fault']>, isDeleting: boolean): Verdict {
  const state = stateOf(seen)
  const blocked = { reason: fault.class === 'denied' ? 'AccessDenied' : 'AWSUnavailable', message: fault.message } as const
  const onDeletion = isDeleting ? { blocked } : {}
  if (fault.isOurPace === true) return verdict(42, state, { next: comesBack(fault), isSilent: true })
  if (fault.class === 'held-back' || fault.class === 'conflict') {
    const afterMs = (fault.retryAfterMs ?? 30_000) * (1 + seen.draw * 0.1)
    return verdict(42, state, { ...onDeletion, next: { afterMs, why: fault.message }, ...(isDeleting ? {} : { isSilent: true }) })
  }
  if (fault.class === 'denied') {
    const afterMs = deniedAgainMs(seen, isDeleting || seen.claim.status?.certReady === true)
    const next = { afterMs, why: 'AWS denies access' }
    const told = { type: 'Warning', reason: 'AccessDenied', message: fault.message } as const
    const isNew = seen.claim.status?.conditions?.every(({ reason }) => reason !== 'AccessDenied') !== false
    const common = { ...onDeletion, next, events: isNew ? [told] : [] }
    if (isDeleting || seen.claim.status?.certReady === true)
      return verdict(43, state, { ...common, ...deniedLook(seen, fault.message) })
    return failed(43, { reason: 'AccessDenied', message: fault.message }, common)
  }
  return verdict(43, state, {
    ...onDeletion,
    actions: [{ kind: 'act:fault', summary: fault.message, trouble: weather(fault) }],
  })
}

/** Nothing but the verdict's own calls is left to choose. */
export function planOf(seen: Sighted, judged: Verdict, settings: CertSettings): Plan<CertAction> {
  const { claim } = seen
  const isDeleting = claim.metadata.deletionTimestamp !== undefined
  const status = judged.isAside === true ? judged.status : statusAfter(seen, judged)
  const actions: Action<CertAction>[] = [
    ...(isDeleting ? [] : [{ kind: 'add-finalizer', type: certKind.type, object: claim, finalizer } as const]),
    ...judged.actions.filter(action => action.kind !== 'remove-finalizer'),
    ...(judged.isRelease === true || judged.isAside === true ? [] : counted(seen, judged)),
    ...eventsOf(seen, judged),
    // The end of an object is told before it goes: where the answer is lost, nobody tells it afterwards.
    ...judged.actions.filter(action => action.kind === 'remove-finalizer'),
  ]
  const isMute = judged.isSilent === true || judged.isRelease === true || judged.isAside === true
  const conditions: readonly Condition[] = isMute ? [] : conditionsOf(seen, judged, status)
  return {
    actions,
    conditions,
    ...(conditions.length === 0 && judged.isAside !== true ? {} : { status }),
    next: nextOf(seen, judged, settings),
  }
}

function nextOf(seen: Sighted, judged: Verdict, settings: CertSettings): Plan['next'] {
  if (judged.next === 'await') return { kind: 'await-change' }
  if (judged.next === 'at-once') return { kind: 'look-again', afterMs: 0, why: 'the next step needs no wait', lane: 'begun' }
  if (judged.next !== 'interval') return { kind: 'look-again', ...judged.next }
  const { state } = judged
  const attempt = attemptIn(seen.claim, state)
  const afterMs = intervalMs({ state, attempt, draw: seen.draw }, settings)
  return {
    kind: 'look-again',
    afterMs,
    why: `${state} is looked at every ${renderDuration(afterMs)}`,
    ...(state === 'Ready' ? { lane: 'drift' as const } : {}),
  }
}

/** States in which the counter decides something. At rest nothing is written. */
const countedStates = new Set<string>(['Pending', 'Created', 'Validated'])

function counted(seen: Sighted, judged: Verdict): readonly Action<CertAction>[] {
  const { claim } = seen
  const notes = claim.metadata.annotations ?? {}
  const isSame = notes[annotations.attemptsState] === judged.state
  const isWaiting = judged.next === 'interval' || judged.blocked !== undefined
  const counts = countedStates.has(judged.state) || judged.blocked !== undefined
  if (judged.isSilent === true || (isSame && !(counts && isWaiting))) return []
  const attempt = isSame ? attemptIn(claim, judged.state) + 1 : 0
  const body = {
    metadata: { annotations: { [annotations.attempts]: String(attempt), [annotations.attemptsState]: judged.state } },
  }
  const { namespace = '', name, uid } = claim.metadata
  return [{ kind: 'patch', type: certKind.type, key: { namespace, name }, patch: 'merge', body, uid }]
}

function eventsOf({ claim }: Sighted, { events, planned }: Verdict): readonly Action<CertAction>[] {
  const regarding = referenceTo(claim)
  const all: readonly Omit<Occurrence, 'regarding'>[] = [
    ...events,
    ...(planned === undefined ? [] : [{ type: 'Normal' as const, reason: 'DryRun', message: planned.join('; ') }]),
  ]
  if (all.length === 0) return []
  // What is told here is news each time: where nothing else of the pass changes anything, the notice itself stands for the change.
  const notice = { kind: 'act:notice', summary: all.map(({ reason }) => reason).join(', ') } as const
  return [notice, ...all.map(event => ({ kind: 'record-event', regarding, ...event }) as const)]
}
