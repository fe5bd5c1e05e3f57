// An object that carries our finalizer and whose status names no request: nothing was asked for yet, since something stood in the way, or
// somebody wiped the status, or the intent alone. Or the status of another object was written over it. What was made for it is found by its
// marks; nothing is asked for a second time.
import { renderTime } from '#kube'
import { finalizer } from '../../api/labels.ts'
import type { CertStatus } from '../../api/status.ts'
import { type CloudCertificate, hashOfCertificate, ownerOf, ownershipOf } from '../../aws/certificate.ts'
import type { Look, Sighted } from '../seen.ts'
import type { CertSettings } from '../settings.ts'
import { adoptedArn } from './adopt.ts'
import { lastRevision, listedArns, nextRequest, noCertificate, supersededMax, targetOf } from './fields.ts'
import { isAlive, untilShown } from './open-request.ts'
import { type StatusChange, type Verdict, verdict, waits } from './verdict.ts'

/** What was asked for may be there, and the status does not name it. */
export function isLost(seen: Sighted, settings: Pick<CertSettings, 'dryRun'>): boolean {
  return mayHaveLostStatus(seen, settings) || mayHaveLostIntent(seen, settings) || isOverwritten(seen)
}

/**
 * An intent, while the status does not list a certificate of the object that another one made: the status of another object, or of an earlier
 * day, was written here.
 */
export function isOverwritten(seen: Sighted): boolean {
  const { state, request } = seen.claim.status ?? {}
  const isOpen = state === 'Pending' && request !== undefined && targetOf(seen).arn === undefined
  return isOpen && seen.isAnyUnlisted === true
}

/** A new object has no finalizer before its first pass, and costs no search. */
export function mayHaveLostStatus(seen: Pick<Sighted, 'claim'>, settings: Pick<CertSettings, 'dryRun'>): boolean {
  const { certificateArn, pendingCertificateArn } = seen.claim.status ?? {}
  const isNamed = certificateArn !== undefined || pendingCertificateArn !== undefined
  return !isNamed && isWithoutIntent(seen, settings) && adoptedArn(seen) === undefined
}

/** While one serves, what the spec asks for beside it has an intent from its first moment: it was wiped. */
export function mayHaveLostIntent(seen: Pick<Sighted, 'claim'>, settings: Pick<CertSettings, 'dryRun'>): boolean {
  const { state, certReady, pendingCertificateArn } = seen.claim.status ?? {}
  const isOpen = state === 'Pending' && certReady === true && pendingCertificateArn === undefined
  return isOpen && isWithoutIntent(seen, settings)
}

function isWithoutIntent({ claim }: Pick<Sighted, 'claim'>, { dryRun }: Pick<CertSettings, 'dryRun'>): boolean {
  const isOurs = claim.metadata.finalizers?.includes(finalizer) === true
  return isOurs && claim.status?.request === undefined && !dryRun && !claim.spec.dryRun
}

/**
 * The certificate that fits is current again, or on its way beside the one that serves; the others are listed, so that they go with the object.
 * `undefined` where there is none. Nothing is taken up before ACM lists all of them: the one that fits may be the last.
 */
export function takeUpAgain(seen: Sighted): Verdict | undefined {
  const { owned = [], isAwaited } = seen
  if (isAwaited === true) return waits(11, 'Pending', wantsIt, { next: untilShown })
  if (owned.length === 0) return undefined
  const found = aliveAsWanted(seen) ?? anyAlive(seen)
  if (found !== undefined) return takenUp(seen, found)
  // What died is never asked for again with its own token, which would name it for an hour.
  return waits(11, 'Pending', wantsIt, { status: { ...listUnlisted(seen), request: nextRequest(seen) }, next: 'at-once' })
}

/** What is wanted, where it is there and its own status was written over. It is waited for as long as ACM may not show it yet. */
export function takeUpWanted(seen: Sighted): Verdict | undefined {
  if (seen.isAwaited === true) return waits(11, 'Pending', wantsIt, { next: untilShown })
  const found = aliveAsWanted(seen)
  return found === undefined ? undefined : takenUp(seen, found)
}

function takenUp(seen: Sighted, found: CloudCertificate): Verdict {
  const { arn } = found
  const place = seen.claim.status?.certReady === true ? { pendingCertificateArn: arn } : { certificateArn: arn, certReady: false }
  const request = { requestedAt: renderTime(seen.nowMs), specHash: hashOfCertificate(found), revision: lastRevision(seen) }
  const status = { ...listUnlisted(seen, found), ...place, request }
  return verdict(10, 'Created', { status, next: 'at-once', wait: wantsIt })
}

function aliveAsWanted(seen: Sighted): CloudCertificate | undefined {
  return aliveOf(seen).find(each => hashOfCertificate(each) === seen.wanted.hash)
}

/** Beside one that serves, only what is wanted takes a place. */
function anyAlive(seen: Sighted): CloudCertificate | undefined {
  return seen.claim.status?.certReady === true ? undefined : aliveOf(seen)[0]
}

/** What serves, or was replaced, is not what is on its way. */
function aliveOf({ claim, owned = [] }: Sighted): readonly CloudCertificate[] {
  const listed = new Set(claim.status?.certReady === true ? listedArns(claim) : [])
  return owned.map(({ certificate }) => certificate).filter(each => isAlive(each) && !listed.has(each.arn))
}

/** What is ours, and what no field names: it goes in its time. */
export function listUnlisted({ claim, owned = [], nowMs }: Sighted, found?: CloudCertificate): StatusChange {
  const listed = new Set(listedArns(claim))
  const unlisted = owned
    .filter(({ certificate: { arn } }) => arn !== found?.arn && !listed.has(arn))
    .map(({ certificate: { arn, inUseBy } }) => ({ arn, supersededAt: renderTime(nowMs), inUse: inUseBy.length > 0 }))
  const { supersededCertificates: before = [] } = claim.status ?? {}
  const kept = before.filter(({ arn }) => arn !== found?.arn)
  if (unlisted.length === 0 && kept.length === before.length) return {}
  const after = [...kept, ...unlisted].slice(0, supersededMax)
  return { supersededCertificates: after.length === 0 ? undefined : after }
}

const wantsIt = { reason: 'Requesting', message: 'the certificate is being requested' } as const

/**
 * The status names a certificate that is not ours by its own tags: somebody wrote another object's ARN there, or a stranger's. It is neither
 * shown, nor published, nor changed; what was made for this object is found by its marks, as where a status was wiped.
 */
export function strangerNamed(seen: Sighted, settings: CertSettings): Verdict | undefined {
  const isCurrent = isStranger(seen, seen.current, settings)
  const isPending = isStranger(seen, seen.pending, settings)
  if (!isCurrent && !isPending) return undefined
  const message = 'the certificate that the status named is not of this object by its tags; what is its own is looked for'
  const status = isCurrent ? withoutCurrent(seen, isPending) : { pendingCertificateArn: undefined, request: searchedFor(seen) }
  const events = [{ type: 'Warning', reason: 'CertificateMissing', message }] as const
  return waits(32, 'Pending', { reason: 'CertificateMissing', message }, { status, events, next: 'at-once' })
}

/**
 * The status names a certificate that is not there, and not by a word of this process: another object's that went may have been written there.
 * Before another one is asked for, what is its own is looked for by its marks.
 */
export function unknownGone(seen: Sighted): Verdict | undefined {
  const { current, claim } = seen
  if (current.kind !== 'absent' || !current.isConfirmed || current.isByAnother !== true) return undefined
  if (claim.status?.pendingCertificateArn !== undefined) return undefined
  const message = 'the certificate that the status named is not in ACM; what was made for this object is looked for'
  const request = { ...nextRequest(seen), requestedAt: renderTime(0) }
  const events = [{ type: 'Warning', reason: 'CertificateMissing', message }] as const
  const status = { ...noCertificate, request }
  return waits(32, 'Pending', { reason: 'CertificateMissing', message }, { status, events, next: 'at-once' })
}

/** What is on its way takes the first place; without it all that is ours is searched, as where a status was wiped. */
function withoutCurrent({ claim }: Sighted, isPending: boolean): StatusChange {
  const own = isPending ? undefined : claim.status?.pendingCertificateArn
  const rest = own === undefined ? { request: undefined } : { certificateArn: own }
  return { ...noCertificate, pendingCertificateArn: undefined, ...rest }
}

/** Its token may be too old to ask with: what it made is searched first. */
function searchedFor({ claim }: Sighted): CertStatus['request'] {
  const { request } = claim.status ?? {}
  return request === undefined ? undefined : { ...request, requestedAt: renderTime(0) }
}

/** One without any mark may be our own that somebody untagged: it is a stranger's where a hand wrote its ARN, or where it is not what was asked for. */
function isStranger({ claim }: Sighted, look: Look, { clusterId }: CertSettings): boolean {
  if (look.kind !== 'present' || look.tags === undefined) return false
  const whose = ownershipOf(look.tags, ownerOf(claim, clusterId))
  const isAsAsked = hashOfCertificate(look.certificate) === claim.status?.request?.specHash
  return whose === 'another' || (whose === 'nobody' && (look.isByAnother === true || !isAsAsked))
}
