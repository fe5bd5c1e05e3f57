// An object that carries our finalizer and whose status names no request: nothing was asked for yet, since something stood in the way, or
// somebody wiped the status. What was made for it is found by its marks; nothing is asked for a second time.
import { given } from '#base'
import { renderTime } from '#kube'
import { finalizer, tagKeys } from '../../api/labels.ts'
import type { CertStatus } from '../../api/status.ts'
import { hashOfCertificate, ownerOf, ownershipOf } from '../../aws/certificate.ts'
import type { Look, Sighted } from '../seen.ts'
import type { CertSettings } from '../settings.ts'
import { adoptedArn } from './adopt.ts'
import { nextRequest, noCertificate, supersededMax } from './fields.ts'
import { isAlive, untilShown } from './open-request.ts'
import { type StatusChange, type Verdict, verdict, waits } from './verdict.ts'

/** A new object has no finalizer before its first pass, and costs no search. */
export function mayHaveLostStatus({ claim }: Pick<Sighted, 'claim'>, { dryRun }: Pick<CertSettings, 'dryRun'>): boolean {
  const { request, certificateArn, pendingCertificateArn } = claim.status ?? {}
  const isNamed = request !== undefined || certificateArn !== undefined || pendingCertificateArn !== undefined
  const isOurs = claim.metadata.finalizers?.includes(finalizer) === true
  return isOurs && !isNamed && !dryRun && !claim.spec.dryRun && adoptedArn({ claim }) === undefined
}

/**
 * The certificate that fits is current again, and the others are listed, so that they go with the object. `undefined` where there is none.
 * Nothing is taken up before ACM lists all of them: the one that fits may be the last.
 */
export function takeUpAgain({ owned = [], isAwaited, wanted, nowMs }: Sighted): Verdict | undefined {
  if (isAwaited === true) return waits(11, 'Pending', wantsIt, { next: untilShown })
  if (owned.length === 0) return undefined
  const alive = owned.filter(({ certificate }) => isAlive(certificate))
  const found = alive.find(({ certificate }) => hashOfCertificate(certificate) === wanted.hash) ?? alive[0]
  const supersededCertificates = owned
    .filter(each => each !== found)
    .slice(0, supersededMax)
    .map(({ certificate: { arn, inUseBy } }) => ({ arn, supersededAt: renderTime(nowMs), inUse: inUseBy.length > 0 }))
  const kept = given({ supersededCertificates: supersededCertificates.length === 0 ? undefined : supersededCertificates })
  const revision = Math.max(1, ...owned.map(revisionOf))
  const requestedAt = renderTime(nowMs)
  // What died is never asked for again with its own token, which would name it for an hour.
  if (found === undefined)
    return waits(11, 'Pending', wantsIt, {
      status: { ...kept, request: { requestedAt, specHash: wanted.hash ?? '', revision: revision + 1 } },
      next: 'at-once',
    })
  const request = { requestedAt, specHash: hashOfCertificate(found.certificate), revision }
  return verdict(10, 'Created', {
    status: { ...kept, certificateArn: found.certificate.arn, certReady: false, request },
    next: 'at-once',
    wait: wantsIt,
  })
}

const wantsIt = { reason: 'Requesting', message: 'the certificate is being requested' } as const

function revisionOf({ tags }: NonNullable<Sighted['owned']>[number]): number {
  const revision = Number(tags[tagKeys.revision])
  return Number.isSafeInteger(revision) && revision > 0 ? revision : 1
}

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
