// A certificate that is issued becomes the current one, in one write of the status.
import { given } from '#base'
import { type CloudCertificate, hashOfCertificate } from '../../aws/certificate.ts'
import type { Sighted } from '../seen.ts'
import type { CertSettings } from '../settings.ts'
import { certificateFields, isOfOtherNames, nextRequest, targetOf } from './fields.ts'
import { supersededWith } from './pending.ts'
import { withRecordsOf } from './records.ts'
import { touchUp } from './touch-up.ts'
import { type StatusChange, type Verdict, verdict } from './verdict.ts'

export function becomesReady(
  seen: Sighted,
  certificate: CloudCertificate,
  { row, settings }: { readonly row: number; readonly settings: CertSettings },
): Verdict {
  const { isReplacement, look } = targetOf(seen)
  const isOther = isReplacementWanted(seen, certificate)
  // What it was asked for with may have changed since.
  const hasTags = look.kind === 'present' && look.tags !== undefined && !isOther
  const current = seen.claim.status?.certificateArn
  const replaces = isReplacement && current !== undefined && current !== certificate.arn
  const wasInUse = seen.current.kind === 'present' && seen.current.certificate.inUseBy.length > 0
  const touch = hasTags ? touchUp(seen.claim, look, settings) : undefined
  const ready = verdict(row, 'Ready', {
    actions: touch?.actions ?? [],
    ...given({ heldUp: touch?.heldUp }),
    status: {
      ...touch?.status,
      ...certificateFields(certificate, true),
      pendingCertificateArn: undefined,
      lastFailure: undefined,
      ...proven(seen, certificate),
      ...(replaces ? supersededWith(seen, { arn: current, inUse: wasInUse, by: certificate.arn }) : {}),
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
  return isOther ? thenReplaced(seen, ready) : ready
}

export const replacing = {
  reason: 'ReplacementInProgress',
  message: 'another certificate is being requested; the current one stays until then',
} as const

/** Whether it is neither what the spec asks for nor what was asked for by it. */
export function isReplacementWanted({ claim, wanted }: Sighted, certificate: CloudCertificate): boolean {
  const have = hashOfCertificate(certificate)
  if (wanted.hash === undefined || wanted.hash === have) return false
  return wanted.hash !== (claim.status?.request?.specHash ?? have) || isOfOtherNames(wanted, certificate)
}

/** The spec changed before anybody saw that ACM had issued: it serves, and it is not what Ready would say (S8, S27). */
function thenReplaced(seen: Sighted, { status, ...ready }: Verdict): Verdict {
  return {
    ...ready,
    row: 31,
    state: 'Pending',
    wait: replacing,
    status: { ...status, request: nextRequest(seen) },
    next: 'at-once',
  }
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
