// A certificate that is there already, taken over without another request. Both sides have to say so: the Cert names its ARN, and its own tags
// name the Cert. Who may write tags in AWS gives it away; who may write Certs alone gets nothing.
import { annotations, finalizer, managedBy, tagKeys } from '../../api/labels.ts'
import { hashOfCertificate, isGivenTo, ownerOf } from '../../aws/certificate.ts'
import type { Sighted } from '../seen.ts'
import type { CertSettings } from '../settings.ts'
import { certificateCall, ownerTags, tagList } from './calls.ts'
import { isOfOtherNames, nextRequest } from './fields.ts'
import { appliedTags } from './tags.ts'
import { type Verdict, verdict, waits } from './verdict.ts'

/** Which one the Cert names, as long as nothing was ever requested for it. */
export function adoptedArn({ claim }: Pick<Sighted, 'claim'>): string | undefined {
  const { request, certificateArn, pendingCertificateArn } = claim.status ?? {}
  const isNew = request === undefined && certificateArn === undefined && pendingCertificateArn === undefined
  return isNew ? claim.metadata.annotations?.[annotations.adopt] : undefined
}

/** Others are not asked for. */
export function isCertificateArn(text: string): boolean {
  return /^arn:aws[a-z-]*:acm:[a-z0-9-]+:\d{12}:certificate\/[\w-]+$/.test(text)
}

/** Nothing is requested as long as the annotation stands: a person decides for the one or the other. */
export function judgeAdoption(seen: Sighted, arn: string, settings: CertSettings): Verdict {
  const { claim, given } = seen
  const owner = ownerOf(claim, settings.clusterId)
  if (!isCertificateArn(arn)) return waits(10, 'Pending', requesting('what is to be adopted is no ARN of a certificate'))
  if (given.kind === 'unasked') return waits(10, 'Pending', requesting('the certificate is being looked up'), { next: 'at-once' })
  if (given.kind === 'absent')
    return waits(10, 'Pending', {
      reason: 'CertificateMissing',
      message: 'ACM has no certificate of the ARN that is to be adopted',
    })
  const { certificate, tags = {} } = given
  // First: of a certificate that nobody gave, whoever writes Certs learns nothing.
  if (!isGivenTo(tags, owner)) return waits(10, 'Pending', requesting(askForTags(owner)))
  const trouble = troubleOf(seen)
  if (trouble !== undefined) return waits(10, 'Pending', requesting(trouble))
  const request = nextRequest(seen)
  const Tags = tagList({ ...claim.spec.tags, ...ownerTags(claim, settings.clusterId, request.revision) })
  return verdict(10, 'Created', {
    // Marked for an object that is gone it could be given to no other one.
    actions: [{ ...certificateCall('tag', arn, { Tags }), heldBy: finalizer }],
    status: { certificateArn: certificate.arn, certReady: false, request, ...appliedTags(claim) },
    wait: requesting('the certificate is being adopted'),
    next: 'at-once',
  })
}

/** Why it cannot be what the Cert asks for. */
function troubleOf({ given, wanted }: Sighted): string | undefined {
  if (given.kind !== 'present') return undefined
  const { certificate } = given
  const { type, status, names } = certificate
  if (type === 'IMPORTED')
    return 'the certificate that is to be adopted was imported: ACM does not renew it, and requests none like it'
  if (status !== 'ISSUED' && status !== 'PENDING_VALIDATION') return `the certificate that is to be adopted is ${status}`
  if (hashOfCertificate(certificate) === wanted.hash) return undefined
  const asked = wanted.names.map(({ name }) => name)
  return isOfOtherNames(wanted, certificate)
    ? `the certificate that is to be adopted is for ${listOf(names)}, the Cert asks for ${listOf(asked)}`
    : 'the certificate that is to be adopted has another primary name, key algorithm or issuer than the Cert asks for'
}

function askForTags({ clusterId, namespace, name }: { clusterId: string; namespace: string; name: string }): string {
  const pairs = [
    [tagKeys.managedBy, managedBy],
    ...(clusterId === '' ? [] : [[tagKeys.cluster, clusterId]]),
    [tagKeys.namespace, namespace],
    [tagKeys.name, name],
  ]
  const tags = pairs.map(([key, value]) => `${key}=${value}`).join(', ')
  return `to be adopted the certificate needs the tags ${tags}, and no tag ${tagKeys.uid} of another object`
}

function listOf(names: readonly string[]): string {
  const shown = names.slice(0, 3).join(', ')
  return names.length > 3 ? `${shown} and ${names.length - 3} more` : shown
}

const requesting = (message: string) => ({ reason: 'Requesting', message }) as const
