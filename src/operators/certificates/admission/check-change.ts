// Checks of a change against what was there before.
import { annotations, type Cert, type CertSpec } from '../api.ts'
import type { WantedNames } from '../names/wanted.ts'

const why = 'immutable after a certificate was requested; create a new Cert instead'

/** Check 10: what names a certificate stays, once one was requested. */
export function changeErrors(
  before: Cert,
  after: CertSpec,
  names: { readonly before: WantedNames; readonly after: WantedNames },
): readonly string[] {
  const { status, metadata } = before
  const hasOne = (status?.certificateArn ?? '') !== '' || (status?.pendingCertificateArn ?? '') !== ''
  if (!hasOne) return []
  const fields = identityFields.filter(field => (before.spec[field] ?? '') !== (after[field] ?? ''))
  const isRenamed = names.before.primary !== names.after.primary
  const moved = isRenamed && fields.length === 0 ? ['dnsZone'] : []
  const replaced =
    metadata.annotations?.[annotations.allowReplace] === 'true'
      ? []
      : [
          ...(before.spec.keyAlgorithm === after.keyAlgorithm ? [] : ['keyAlgorithm']),
          ...(names.before.issuer === names.after.issuer ? [] : ['issuer']),
        ]
  return [...(isRenamed ? [...fields, ...moved] : []), ...replaced].map(field => `spec.${field}: ${why}`)
}

const identityFields = ['serviceName', 'environment', 'domainName'] as const
