// From a plan and what became of it to what the status says. What was done is recorded even where a later step failed: an ARN that is not
// written down would have to be searched for.
import { boundText } from '#kube'
import type { Outcome, Report, ReportInput, Trouble } from '#runtime'
import { failuresOf } from '#runtime'
import { conditionTypes, type FailureReason, failureReasonOf } from '../api/conditions.ts'
import type { CertValidationRecord } from '../api/status.ts'
import { record, records, text } from '../aws/values.ts'
import { sanitise } from '../sanitise.ts'
import { type CertAction, type CloudAction, isCloudAction } from './cloud-action.ts'
import { conditionsOf } from './conditions.ts'
import { judge, sight } from './decide/decide.ts'
import { stateOf } from './decide/deletion.ts'
import { listedArns, noCertificate } from './decide/fields.ts'
import type { StatusChange, Verdict } from './decide/verdict.ts'
import { verdict } from './decide/verdict.ts'
import type { CertSeen, Sighted } from './seen.ts'
import type { CertSettings } from './settings.ts'
import { nextFailure, statusAfter } from './status.ts'

type Input = ReportInput<CertAction> & { readonly seen: CertSeen }

/** Weather that passes within this many tries is not worth a status write that wakes every watcher. */
const silentFailuresMax = 2

export function reportCert(input: Input, settings: CertSettings): Report | undefined {
  const seen = sight(input.seen)
  if (seen === undefined) return undefined
  const judged = judge(seen, settings)
  const [trouble] = failuresOf(input.outcomes)
  if (trouble !== undefined) return reportTrouble(seen, judged, { trouble, input })
  if (judged.isSilent === true || judged.isRelease === true) return undefined
  if (judged.isAside === true) return { conditions: [], status: judged.status }
  const status = { ...statusAfter(seen, judged), ...learned(seen, judged, input.outcomes) }
  return { conditions: conditionsOf(seen, judged, status), status, forgotten: forgotten(judged) }
}

function forgotten({ planned }: Verdict): readonly string[] {
  return planned === undefined ? [conditionTypes.dryRun] : []
}

interface Failed {
  readonly trouble: Trouble
  readonly input: Input
}

function reportTrouble(seen: Sighted, judged: Verdict, { trouble, input }: Failed): Report | undefined {
  const done = learned(seen, judged, input.outcomes)
  const refused = refusalOf(trouble)
  if (refused !== undefined && isGood(seen, judged, input)) return reportHeldUp(seen, judged, { refused, done, input })
  if (refused !== undefined) return reportRefusal(seen, refused, done)
  if (seen.claim.metadata.deletionTimestamp !== undefined) return reportBlocked(seen, trouble, input.failures)
  const isTold = trouble.kind !== 'soon' && trouble.reason !== 'NotLeader' && input.failures > silentFailuresMax
  if (Object.keys(done).length === 0 && !isTold) return undefined
  const message = sanitise(trouble.message)
  const unavailable = { type: 'Ready', status: 'Unknown', reason: 'AWSUnavailable', message } as const
  return { conditions: isTold && seen.claim.status?.certReady !== true ? [unavailable] : [], status: done }
}

function refusalOf({ reason, message }: Trouble): { readonly reason: FailureReason; readonly message: string } | undefined {
  const known = failureReasonOf(reason)
  return known === undefined ? undefined : { reason: known, message: boundText(sanitise(message), 1_024) }
}

/** The certificate was seen to be issued in this very look; where it becomes the current one by it, only touches of it may be refused. */
function isGood({ claim }: Sighted, { state }: Verdict, { outcomes }: Input): boolean {
  if (state !== 'Ready' || claim.metadata.deletionTimestamp !== undefined) return false
  return claim.status?.state === 'Ready' || touches.has(refusedPurpose(outcomes))
}

/** What changes a certificate that serves to what its spec asks for. */
const touches = new Set<CloudAction['purpose'] | undefined>(['tag', 'untag', 'options'])

function refusedPurpose(outcomes: readonly Outcome[]): CloudAction['purpose'] | undefined {
  const refused = outcomes.find(({ kind }) => kind === 'failed')?.action
  return refused !== undefined && isCloudAction(refused) ? refused.purpose : undefined
}

/** S27: what the spec asks for was left out, since another call was refused before it. */
function isUntouched({ kind, action }: Outcome): boolean {
  return kind === 'skipped' && isCloudAction(action) && touches.has(action.purpose)
}

/** Row 43: what is refused for a certificate that is good is told and tried again, and takes nothing from it. */
function reportHeldUp(
  seen: Sighted,
  judged: Verdict,
  {
    refused,
    done,
    input,
  }: { readonly refused: NonNullable<Verdict['failure']>; readonly done: StatusChange; readonly input: Input },
): Report {
  const { reason, message } = refused
  const isOfRecords = refusedPurpose(input.outcomes) === 'write-records'
  const isRecordsTrouble = isOfRecords && (reason === 'AccessDenied' || reason === 'RecordConflict')
  const isHeldUp = !isRecordsTrouble || input.outcomes.some(isUntouched)
  const told = { ...(isRecordsTrouble ? { recordsTrouble: { reason, message } } : {}), ...(isHeldUp ? { heldUp: refused } : {}) }
  const after = verdict(43, 'Ready', { status: fieldsOf(judged), ...told })
  const status = { ...statusAfter(seen, after), ...done }
  return { conditions: conditionsOf(seen, after, status), status }
}

/** What was seen of the certificate; these speak of what was to be done. */
function fieldsOf({ status }: Verdict): StatusChange {
  return Object.fromEntries(Object.entries(status).filter(([name]) => !deeds.has(name)))
}

const deeds = new Set(['appliedTags', 'answered', 'validationRecords', 'request'])

/** A refusal of a call: the Cert failed, and a certificate that is good stays good. */
function reportRefusal(seen: Sighted, failure: NonNullable<Verdict['failure']>, done: StatusChange): Report {
  const { claim, nowMs } = seen
  if (claim.metadata.deletionTimestamp !== undefined)
    return blockedReport(seen, { reason: 'AccessDenied', message: failure.message })
  const isRecords =
    failure.reason === 'RecordConflict' ? { recordsTrouble: { reason: 'RecordConflict', message: failure.message } as const } : {}
  const judged = verdict(0, 'Failed', { failure, ...isRecords })
  const lastFailure = nextFailure(claim.status, failure, { nowMs, isSame: false })
  const status = { ...statusAfter(seen, judged), ...done, lastFailure }
  return { conditions: conditionsOf(seen, judged, status), status }
}

function reportBlocked(seen: Sighted, trouble: Trouble, failures: number): Report | undefined {
  if (trouble.kind === 'soon') return undefined
  if (trouble.reason === 'CertificateInUse') return blockedReport(seen, { reason: 'CertificateInUse', message: trouble.message })
  return failures > silentFailuresMax ? blockedReport(seen, { reason: 'AWSUnavailable', message: trouble.message }) : undefined
}

function blockedReport(seen: Sighted, blocked: NonNullable<Verdict['blocked']>): Report {
  const judged = verdict(2, stateOf(seen), { blocked })
  const status = statusAfter(seen, judged)
  return { conditions: conditionsOf(seen, judged, status), status }
}

/** What the calls themselves told. */
function learned(seen: Sighted, judged: Verdict, outcomes: readonly Outcome[]): StatusChange {
  const changes: StatusChange[] = []
  for (const outcome of outcomes) {
    if (outcome.kind !== 'done' || !isCloudAction(outcome.action)) continue
    const { purpose, input } = outcome.action
    const value = record(outcome.value)
    const [arn, changeId] = [text(value.arn), text(value.changeId)]
    if (purpose === 'delete-certificate' && value.isForeign !== true)
      changes.push(withoutCertificate(seen, String(input.CertificateArn), merged(changes)))
    if (purpose === 'delete-certificate' && value.isAnothers === true)
      changes.push(withoutSuperseded(seen, String(input.CertificateArn), merged(changes)))
    if (purpose === 'request' && arn !== undefined)
      changes.push(requested(seen, arn), withoutSuperseded(seen, arn, { ...judged.status, ...merged(changes) }))
    if (purpose === 'write-records') {
      const before = changes.findLast(each => each.validationRecords !== undefined)?.validationRecords
      const entries = before ?? judged.status.validationRecords ?? []
      changes.push({ validationRecords: submitted(entries, input, changeId) })
    }
  }
  return merged(changes)
}

function requested({ claim }: Sighted, arn: string): StatusChange {
  const keys = Object.keys(claim.spec.tags).sort()
  const appliedTags = keys.length === 0 ? undefined : keys
  return claim.status?.certReady === true
    ? { pendingCertificateArn: arn, state: 'Created', appliedTags }
    : { certificateArn: arn, certReady: false, state: 'Created', appliedTags }
}

function merged(changes: readonly StatusChange[]): StatusChange {
  return changes.reduce((all, change) => ({ ...all, ...change }), {})
}

/** P5: what we saw deleted is not looked for again. While the object goes, the intent goes with its last certificate. */
function withoutCertificate({ claim, deletion }: Sighted, arn: string, before: StatusChange): StatusChange {
  const status = { ...claim.status, ...before }
  const supersededCertificates = status.supersededCertificates?.filter(entry => entry.arn !== arn)
  const left: StatusChange = {
    ...(status.certificateArn === arn ? noCertificate : {}),
    ...(status.pendingCertificateArn === arn ? { pendingCertificateArn: undefined } : {}),
    ...(status.supersededCertificates === undefined
      ? {}
      : { supersededCertificates: supersededCertificates?.length === 0 ? undefined : supersededCertificates }),
  }
  const after = { ...status, ...left }
  const isEmpty =
    after.certificateArn === undefined && after.pendingCertificateArn === undefined && after.supersededCertificates === undefined
  const listed = new Set(listedArns(claim))
  const isAllListed = [...(deletion?.certificates.keys() ?? [])].every(each => listed.has(each))
  // In Pending another one may have been asked for, whose answer was lost; what the status does not list may be in use.
  const isDone = isEmpty && isAllListed && claim.metadata.deletionTimestamp !== undefined && claim.status?.state !== 'Pending'
  return isDone ? { ...left, request: undefined } : left
}

/** It was never ours to replace, or is in its place again: nothing comes of listing it. */
function withoutSuperseded({ claim }: Sighted, arn: string, before: StatusChange): StatusChange {
  const listed = { ...claim.status, ...before }.supersededCertificates ?? []
  const kept = listed.filter(entry => entry.arn !== arn)
  return kept.length === listed.length ? {} : { supersededCertificates: kept.length === 0 ? undefined : kept }
}

function submitted(
  entries: readonly CertValidationRecord[],
  input: CloudAction['input'],
  changeId: string | undefined,
): readonly CertValidationRecord[] {
  const changed = records(record(input.ChangeBatch).Changes).map(({ ResourceRecordSet }) => record(ResourceRecordSet).Name)
  const names = new Set<unknown>(changed)
  return entries.map(entry =>
    entry.zoneId === input.HostedZoneId && names.has(entry.name) && changeId !== undefined ? { ...entry, changeId } : entry,
  )
}
