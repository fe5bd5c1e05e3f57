// The status names a certificate that is not ours by its own tags: somebody wrote another object's ARN there, or a stranger's. It is neither
// shown, nor published, nor changed; what was made for this object is found by its marks, as where a status was wiped.
import { hashOfCertificate, ownershipOf } from '../../aws/certificate.ts'
import type { Look, Sighted } from '../seen.ts'
import type { CertSettings } from '../settings.ts'
import { noCertificate } from './fields.ts'
import { type Verdict, waits } from './verdict.ts'

export function strangerNamed(seen: Sighted, settings: CertSettings): Verdict | undefined {
  const isCurrent = isStranger(seen, seen.current, settings)
  const isPending = isStranger(seen, seen.pending, settings)
  if (!isCurrent && !isPending) return undefined
  const message = 'the certificate that the status named is not of this object by its tags; what is its own is looked for'
  const status = {
    ...(isCurrent ? noCertificate : {}),
    ...(isPending ? { pendingCertificateArn: undefined } : {}),
    request: undefined,
  }
  const events = [{ type: 'Warning', reason: 'CertificateMissing', message }] as const
  return waits(32, 'Pending', { reason: 'CertificateMissing', message }, { status, events, next: 'at-once' })
}

/** One without any mark may be our own that somebody untagged: it is a stranger's where a hand wrote its ARN, or where it is not what was asked for. */
function isStranger({ claim }: Sighted, look: Look, { clusterId }: CertSettings): boolean {
  if (look.kind !== 'present' || look.tags === undefined) return false
  const { namespace = '', name, uid } = claim.metadata
  const whose = ownershipOf(look.tags, { clusterId, namespace, name, uid })
  const isAsAsked = hashOfCertificate(look.certificate) === claim.status?.request?.specHash
  return whose === 'another' || (whose === 'nobody' && (look.isByAnother === true || !isAsAsked))
}
