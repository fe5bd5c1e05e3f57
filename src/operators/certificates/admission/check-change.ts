// Checks of a change against what was there before.
import { annotations, type Cert } from '../api.ts'
import type { WantedNames } from '../names/wanted.ts'

const why = 'immutable after a certificate was requested; create a new Cert instead'

/** Check 10: what names a certificate stays, once one was requested. What makes another one of it needs the word of the object that is sent. */
export function changeErrors(
  before: Cert,
  { metadata, spec: after }: Cert,
  names: { readonly before: WantedNames; readonly after: WantedNames },
): readonly string[] {
  const { status } = before
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
