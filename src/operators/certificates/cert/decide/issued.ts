// A certificate that is issued becomes the current one, in one write of the status.
import { given } from '#base'
import type { CloudCertificate } from '../../aws/certificate.ts'
import type { Sighted } from '../seen.ts'
import type { CertSettings } from '../settings.ts'
import { certificateFields, targetOf } from './fields.ts'
import { supersededWith } from './pending.ts'
import { withRecordsOf } from './records.ts'
import { appliedTags } from './tags.ts'
import { touchUp } from './touch-up.ts'
import { type StatusChange, type Verdict, verdict } from './verdict.ts'

export function becomesReady(
  seen: Sighted,
  certificate: CloudCertificate,
  { row, settings }: { readonly row: number; readonly settings: CertSettings },
): Verdict {
  const { isReplacement, look } = targetOf(seen)
  // What it was asked for with may have changed since.
  const hasTags = look.kind === 'present' && look.tags !== undefined
  const current = seen.claim.status?.certificateArn
  const replaces = isReplacement && current !== undefined && current !== certificate.arn
  const wasInUse = seen.current.kind === 'present' && seen.current.certificate.inUseBy.length > 0
  return verdict(row, 'Ready', {
    actions: hasTags ? touchUp(seen.claim, look, settings) : [],
    status: {
      ...(hasTags ? appliedTags(seen.claim) : {}),
      ...certificateFields(certificate, true),
      pendingCertificateArn: undefined,
      lastFailure: undefined,
      ...proven(seen, certificate),
      ...(replaces ? supersededWith(seen, current, wasInUse) : {}),
    },
    events: [
      replaces
        ? {
            type: 'Normal',
            reason: 'CertificateReplaced',
            message: 'another certificate is current; the one before is listed as superseded',
          }
        : { type: 'Normal', reason: 'CertificateIssued', message: `the certificate for ${certificate.domainName} is issued` },
    ],
  })
}

/** ACM saw the records in the DNS: nothing of them is on its way any more. */
function proven(seen: Sighted, { validations }: CloudCertificate): StatusChange {
  const before = withRecordsOf(seen, [targetOf(seen).look]) ?? seen.claim.status?.validationRecords
  if (before === undefined) return {}
  const statusOf = (domains: readonly string[]): string | undefined =>
    validations.find(({ domain, status }) => status !== undefined && domains.includes(domain))?.status
  return {
    validationRecords: before.map(({ name, type, value, zoneId, domains, domainStatus: held }) => {
      const domainStatus = statusOf(domains) ?? held
      return { name, type, value, zoneId, domains, phase: 'InSync', ...given({ domainStatus }) }
    }),
  }
}
