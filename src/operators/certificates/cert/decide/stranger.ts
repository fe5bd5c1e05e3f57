// The status names a certificate that is not ours by its own tags: somebody wrote another object's ARN there, or a stranger's. It is neither
// shown, nor published, nor changed; what was made for this object is found by its marks, as where a status was wiped.
import { renderTime } from '#kube'
import type { CertStatus } from '../../api/status.ts'
import { hashOfCertificate, ownershipOf } from '../../aws/certificate.ts'
import type { Look, Sighted } from '../seen.ts'
import type { CertSettings } from '../settings.ts'
import { noCertificate } from './fields.ts'
import { type StatusChange, type Verdict, waits } from './verdict.ts'

export function strangerNamed(seen: Sighted, settings: CertSettings): Verdict | undefined {
  const isCurrent = isStranger(seen, seen.current, settings)
  const isPending = isStranger(seen, seen.pending, settings)
  if (!isCurrent && !isPending) return undefined
  const message = 'the certificate that the status named is not of this object by its tags; what is its own is looked for'
  const status = isCurrent ? withoutCurrent(seen, isPending) : { pendingCertificateArn: undefined, request: searchedFor(seen) }
  const events = [{ type: 'Warning', reason: 'CertificateMissing', message }] as const
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
  const { namespace = '', name, uid } = claim.metadata
  const whose = ownershipOf(look.tags, { clusterId, namespace, name, uid })
  const isAsAsked = hashOfCertificate(look.certificate) === claim.status?.request?.specHash
  return whose === 'another' || (whose === 'nobody' && (look.isByAnother === true || !isAsAsked))
}
