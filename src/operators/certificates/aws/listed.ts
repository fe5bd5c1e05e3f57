// A line of ListCertificates.
import type { Values } from '#aws'
import { normalName } from '../names/domain-name.ts'
import { text, texts } from './values.ts'

export interface ListedCertificate {
  readonly arn: string
  readonly domainName: string
  /** Not all of them where `isPartial`. */
  readonly names: readonly string[]
  readonly isPartial: boolean
}

export function parseListed(summary: Values): ListedCertificate {
  const names = texts(summary.SubjectAlternativeNameSummaries)
  const domainName = normalName(text(summary.DomainName) ?? '')
  return {
    arn: text(summary.CertificateArn) ?? '',
    domainName,
    names: [...new Set([domainName, ...names.map(normalName)])],
    isPartial: summary.HasAdditionalSubjectAlternativeNames === true,
  }
}
