// What is read of ACM and Route 53. What is written stands in plans, as whole calls.
import type { Tags, Values } from '#aws'
import { normalName, recordName } from '../names/domain-name.ts'
import type { RegisteredZone } from '../zones/registry.ts'
import type { LayerCaller, LayeredCall } from './call.ts'
import { type CertificateOwner, type CloudCertificate, isOwnedBy, parseCertificate, parseTags } from './certificate.ts'
import { faultOf, isAbsence } from './faults.ts'
import { record, records, text, texts } from './values.ts'

/** What stands at the name of a record. */
export type Standing =
  | { readonly kind: 'absent' }
  | { readonly kind: 'zone-gone' }
  | { readonly kind: 'present'; readonly type: string; readonly values: readonly string[]; readonly ttl: number | undefined }

export interface ZoneFacts {
  readonly exists: boolean
  readonly name?: string
  readonly isPrivate?: boolean
}

export interface OwnedCertificate {
  readonly certificate: CloudCertificate
  readonly tags: Tags
}

/** A line of ListCertificates. */
export interface ListedCertificates {
  readonly arn: string
  readonly domainName: string
  /** Not all of them where `isPartial`. */
  readonly names: readonly string[]
  readonly isPartial: boolean
}

/** The default hides all but two of them. */
const keyTypes = ['RSA_1024', 'RSA_2048', 'RSA_3072', 'RSA_4096', 'EC_prime256v1', 'EC_secp384r1', 'EC_secp521r1'] as const

/** Fifty pages of a hundred: twice as many as an account has without asking for more. */
const pagesMax = 50

export class CertificateCloud {
  readonly #caller: LayerCaller

  constructor(caller: LayerCaller) {
    this.#caller = caller
  }

  call(call: LayeredCall, signal: AbortSignal, beforeTry?: () => void): Promise<Values> {
    return this.#caller(call, { signal, ...(beforeTry === undefined ? {} : { beforeTry }) })
  }

  /** `undefined` when there is none. */
  async certificate(
    arn: string,
    { signal, isFresh = false, region }: { signal: AbortSignal; isFresh?: boolean; region?: string },
  ): Promise<CloudCertificate | undefined> {
    const input = { CertificateArn: arn }
    const place = region === undefined ? {} : { region }
    const output = await unlessAbsent(() =>
      this.call({ service: 'acm', operation: 'DescribeCertificate', input, isFresh, ...place }, signal),
    )
    return output === undefined ? undefined : parseCertificate(record(output.Certificate))
  }

  async tags(arn: string, signal: AbortSignal): Promise<Tags> {
    const input = { CertificateArn: arn }
    const output = await this.call({ service: 'acm', operation: 'ListTagsForCertificate', input }, signal)
    return parseTags(output.Tags)
  }

  /** All of a region, as far as the list tells of them. */
  async list(signal: AbortSignal, region?: string): Promise<readonly ListedCertificates[]> {
    const listed: ListedCertificates[] = []
    let token: unknown
    for (let page = 0; page < pagesMax; page++) {
      const input = { Includes: { keyTypes }, ...(token === undefined ? {} : { NextToken: token }) }
      const place = region === undefined ? {} : { region }
      const output = await this.call({ service: 'acm', operation: 'ListCertificates', input, ...place }, signal)
      for (const summary of records(output.CertificateSummaryList)) listed.push(parseListed(summary))
      token = output.NextToken
      if (token === undefined || token === '') return listed
    }
    throw new Error('ListCertificates does not come to an end')
  }

  /** Certificates of this primary name that carry the owner's tags: issued ones first, then the newest. */
  async owned(domainName: string, owner: CertificateOwner, signal: AbortSignal): Promise<readonly OwnedCertificate[]> {
    const found: OwnedCertificate[] = []
    for (const { arn } of (await this.list(signal)).filter(listed => listed.domainName === domainName)) {
      const certificate = await this.certificate(arn, { signal, isFresh: true })
      if (certificate === undefined) continue
      const tags = await this.tags(arn, signal).catch((error: unknown) => {
        if (isAbsence(error)) return {}
        throw error
      })
      if (isOwnedBy(tags, owner)) found.push({ certificate, tags })
    }
    const rank = ({ certificate }: OwnedCertificate): number => (certificate.status === 'ISSUED' ? 1 : 0)
    return found.sort((a, b) => rank(b) - rank(a) || (b.certificate.createdMs ?? 0) - (a.certificate.createdMs ?? 0))
  }

  /** Without a start type, so that a record of another type is seen too. */
  async standing(zone: RegisteredZone, name: string, signal: AbortSignal): Promise<Standing> {
    const input = { HostedZoneId: zone.id, StartRecordName: name, MaxItems: 1 }
    try {
      const output = await this.call({ service: 'route53', operation: 'ListResourceRecordSets', input, zone }, signal)
      const [set] = records(output.ResourceRecordSets)
      if (set === undefined || recordName(String(set.Name)) !== recordName(name)) return { kind: 'absent' }
      return {
        kind: 'present',
        type: String(set.Type),
        values: records(set.ResourceRecords).map(({ Value }) => String(Value)),
        ttl: typeof set.TTL === 'number' ? set.TTL : undefined,
      }
    } catch (error) {
      if (faultOf(error)?.class === 'zone-gone') return { kind: 'zone-gone' }
      throw error
    }
  }

  /** `unknown`: AWS has forgotten it. */
  async change(id: string, zone: RegisteredZone, signal: AbortSignal): Promise<'PENDING' | 'INSYNC' | 'unknown'> {
    const output = await unlessAbsent(() =>
      this.call({ service: 'route53', operation: 'GetChange', input: { Id: id }, zone }, signal),
    )
    if (output === undefined) return 'unknown'
    return record(output.ChangeInfo).Status === 'INSYNC' ? 'INSYNC' : 'PENDING'
  }

  async zone(zone: RegisteredZone, signal: AbortSignal): Promise<ZoneFacts> {
    try {
      const output = await this.call({ service: 'route53', operation: 'GetHostedZone', input: { Id: zone.id }, zone }, signal)
      const found = record(output.HostedZone)
      const config = record(found.Config)
      return { exists: true, name: normalName(text(found.Name) ?? ''), isPrivate: config.PrivateZone === true }
    } catch (error) {
      if (faultOf(error)?.class === 'zone-gone') return { exists: false }
      throw error
    }
  }
}

function parseListed(summary: Values): ListedCertificates {
  const names = texts(summary.SubjectAlternativeNameSummaries)
  const domainName = normalName(text(summary.DomainName) ?? '')
  return {
    arn: text(summary.CertificateArn) ?? '',
    domainName,
    names: [...new Set([domainName, ...names.map(normalName)])],
    isPartial: summary.HasAdditionalSubjectAlternativeNames === true,
  }
}

async function unlessAbsent(read: () => Promise<Values>): Promise<Values | undefined> {
  try {
    return await read()
  } catch (error) {
    if (isAbsence(error)) return undefined
    throw error
  }
}
