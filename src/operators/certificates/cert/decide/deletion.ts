// Deletion: certificates first, so that one that is in use never loses the records that renew it; records only where nobody else needs
// them; the finalizer last.
import type { Action } from '#runtime'
import { conditionTypes } from '../../api/conditions.ts'
import { certKind } from '../../api/kinds.ts'
import { annotations, finalizer, publishFinalizer } from '../../api/labels.ts'
import type { CertState } from '../../api/status.ts'
import { isOwnedBy, ownerOf } from '../../aws/certificate.ts'
import { recordName } from '../../names/domain-name.ts'
import type { CertAction, CloudAction } from '../cloud-action.ts'
import { withRoom } from '../room.ts'
import type { DeletionSeen, ListedRecord, Look, Sighted } from '../seen.ts'
import type { CertSettings } from '../settings.ts'
import { attemptIn } from './backoff.ts'
import { deleteCertificateCall, deleteRecordCall } from './calls.ts'
import { nextRequest, noCertificate } from './fields.ts'
import { isOnItsWay, mayComeToLight } from './open-request.ts'
import { type ToldOnce, type Verdict, verdict } from './verdict.ts'

/** What a deletion by this spec does: nothing is looked at where nothing is taken away. */
export function takesAway({ claim }: Pick<Sighted, 'claim'>): boolean {
  const { spec, metadata } = claim
  const isOrphaned = metadata.annotations?.[annotations.forceOrphan] === 'true'
  return !isOrphaned && spec.deleteOnRemoval && !isDryRunOnly(claim)
}

/** Nothing was ever made for it. */
function isDryRunOnly({ spec, status }: Sighted['claim']): boolean {
  return spec.dryRun && status?.certificateArn === undefined && status?.request === undefined
}

export function judgeDeletion(seen: Sighted, settings: CertSettings): Verdict {
  const { claim, deletion } = seen
  if (claim.metadata.finalizers?.includes(finalizer) !== true)
    return verdict(1, stateOf(seen), { next: 'await', isRelease: true })
  if (claim.metadata.annotations?.[annotations.forceOrphan] === 'true')
    return release(
      seen,
      [{ type: 'Normal', reason: 'CertificateOrphaned', message: 'let go; nothing in AWS was touched' }],
      settings,
    )
  if (!takesAway(seen))
    return release(
      seen,
      [{ type: 'Normal', reason: 'CertificateRetained', message: 'the certificate and its records stay in AWS' }],
      settings,
    )
  if (deletion === undefined) return verdict(2, stateOf(seen))
  return removeCertificates(seen, deletion, settings) ?? removeRecords(seen, deletion, settings)
}

const removed: ToldOnce = { type: 'Normal', reason: 'CertificateDeleted', message: 'the certificate was deleted' }

function removeCertificates(seen: Sighted, deletion: DeletionSeen, settings: CertSettings): Verdict | undefined {
  const ours = [...deletion.certificates].filter(([, look]) => isOurs(seen, look, settings))
  const mayCome = mayComeToLight(seen) || isHidden(seen, deletion) || seen.isAwaited === true
  if (ours.length === 0) return mayCome ? verdict(2, stateOf(seen), unseen) : undefined
  const inUse = ours.flatMap(([, look]) => (look.kind === 'present' ? look.certificate.inUseBy : []))
  const free = freeCertificates(seen, deletion, settings)
  const actions: CloudAction[] = withRoom(seen.claim.status?.validationRecords ?? [], free).map(arn =>
    deleteCertificateCall(seen.claim, settings.clusterId, arn),
  )
  // What is found without an intent was forgotten: with one it is looked for until nothing is left.
  // Told with the last of them: once it is gone nothing says any more that there was one.
  const status = { request: seen.claim.status?.request ?? nextRequest(seen) }
  if (inUse.length === 0) return verdict(2, stateOf(seen), { actions, status, events: [removed], next: 'at-once' })
  const message = `certificate is in use by ${inUse.length} resource(s): ${kindsOf(inUse).join(', ')}`
  return verdict(2, stateOf(seen), {
    actions,
    status,
    blocked: { reason: 'CertificateInUse', message },
    events: isTold(seen, message) ? [] : [{ type: 'Warning', reason: 'DeletionBlocked', message }],
    next: { afterMs: blockedMs(seen), why: 'the certificate is in use' },
  })
}

/** Those that nothing keeps. */
export function freeCertificates(
  seen: Sighted,
  { certificates }: DeletionSeen,
  settings: CertSettings,
): readonly (readonly [arn: string, look: Look])[] {
  const isFree = (look: Look): boolean => look.kind === 'present' && look.certificate.inUseBy.length === 0
  return [...certificates].filter(([, look]) => isFree(look) && isOurs(seen, look, settings))
}

/** Said once; it is repeated only where the words change. */
function isTold({ claim }: Sighted, message: string): boolean {
  return claim.status?.conditions?.some(each => each.type === conditionTypes.deletionBlocked && each.message === message) === true
}

const unseen: Parameters<typeof verdict>[2] = {
  blocked: {
    reason: 'AWSUnavailable',
    message: 'the certificate was asked for a moment ago: it may be there and not be visible yet',
  },
  next: { afterMs: 30_000, why: 'ACM shows what was asked for late' },
}

export const unsettled = {
  blocked: {
    reason: 'AWSUnavailable',
    message:
      'AWS does not show a validation record, or a certificate that may need one: it is looked at again before the object goes',
  },
  next: { afterMs: 30_000, why: 'an absence is looked at twice' },
} as const

export const listedTwice = { afterMs: 5_000, why: 'a list may leave one out, and is read twice' } as const

/** Somebody wiped the intent, and ACM does not show yet what the status names. */
function isHidden({ claim }: Sighted, { certificates }: DeletionSeen): boolean {
  return claim.status?.request === undefined && [...certificates.values()].some(isOnItsWay)
}

/** An object that goes does not say until its end that a certificate serves it which is not its own. */
export function withoutStranger(seen: Sighted, judged: Verdict, settings: CertSettings): Verdict {
  // What is said with the ARN is not said in this pass, but in the next one.
  if (judged.isAside === true) return judged
  const { certificateArn = '' } = seen.claim.status ?? {}
  const look = seen.deletion?.certificates.get(certificateArn)
  const isStrangers = look?.kind === 'present' && !isOurs(seen, look, settings)
  return isStrangers ? { ...judged, status: { ...judged.status, ...noCertificate } } : judged
}

/** One without our own tags was never ours to delete, whatever the status says. */
function isOurs({ claim }: Sighted, look: Look, { clusterId }: CertSettings): boolean {
  return look.kind === 'present' && isOwnedBy(look.tags ?? {}, ownerOf(claim, clusterId))
}

const blockedMsMin = 30_000
const blockedMsMax = 300_000

function blockedMs({ claim, draw }: Sighted): number {
  const attempt = attemptIn(claim, stateOf({ claim }))
  return Math.round(Math.min(blockedMsMax, blockedMsMin * 2 ** Math.min(attempt, 20)) * (0.9 + draw * 0.2))
}

/** `arn:…:loadbalancer/app/…` is a `loadbalancer`. */
function kindsOf(arns: readonly string[]): readonly string[] {
  const kinds = arns.map(arn => {
    const [service = '', , , resource = ''] = arn.split(':').slice(2)
    return resource === '' ? service || 'resource' : (resource.split(/[/:]/)[0] ?? 'resource')
  })
  return [...new Set(kinds)].sort()
}

function removeRecords(seen: Sighted, deletion: DeletionSeen, settings: CertSettings): Verdict {
  if (deletion.records?.some(({ reference }) => reference === 'unsettled') === true) return verdict(2, stateOf(seen), unsettled)
  if (deletion.records?.some(({ reference }) => reference === 'unlisted') === true)
    return verdict(2, stateOf(seen), { next: listedTwice })
  const { actions, kept } = removalsOf(deletion.records ?? [], settings)
  const hadOne = seen.claim.status?.certificateArn !== undefined || deletion.certificates.size > 0
  return release(seen, [...(hadOne ? [removed] : []), ...kept], settings, actions)
}

/** What is taken out of the zones: what nobody needs, and stands as we wrote it. */
export function removalsOf(
  records: readonly ListedRecord[],
  settings: Pick<CertSettings, 'recordCleanup'>,
): { readonly actions: readonly CloudAction[]; readonly kept: readonly ToldOnce[] } {
  const kept: ToldOnce[] = []
  const actions: CloudAction[] = []
  for (const { name, value, zone, standing, reference } of records) {
    if (reference === 'unknown')
      kept.push({
        type: 'Warning',
        reason: 'ValidationRecordKept',
        message: `the record ${name} stays: whether another certificate needs it could not be told`,
      })
    if (reference !== 'none' || standing?.kind !== 'present') continue
    // Somebody took it over: it is not ours any more.
    const isAsWeWroteIt = standing.type === 'CNAME' && standing.values.some(each => recordName(each) === recordName(value))
    if (isAsWeWroteIt && settings.recordCleanup === 'IfUnreferenced') actions.push(deleteRecordCall(zone, name, standing))
  }
  return { actions, kept }
}

/** The last step: the object may go. */
function release(
  seen: Sighted,
  events: readonly ToldOnce[],
  { publishes }: Pick<CertSettings, 'publishes'>,
  first: readonly CloudAction[] = [],
): Verdict {
  const { claim } = seen
  // Nobody takes out what was published while that is switched off: what stands there stays.
  const isLeftOver = !publishes && claim.metadata.finalizers?.includes(publishFinalizer) === true
  const finalizers = isLeftOver ? [publishFinalizer, finalizer] : [finalizer]
  const last: readonly Action<CertAction>[] = [
    ...first,
    ...finalizers.map(name => ({ kind: 'remove-finalizer', type: certKind.type, object: claim, finalizer: name }) as const),
  ]
  return verdict(2, stateOf(seen), { actions: last, events, next: 'await', isRelease: true })
}

export function stateOf({ claim }: Pick<Sighted, 'claim'>): CertState {
  const state = claim.status?.state
  return state === 'Created' || state === 'Validated' || state === 'Ready' || state === 'Failed' ? state : 'Pending'
}
