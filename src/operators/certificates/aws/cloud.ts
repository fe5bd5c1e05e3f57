// What is read of ACM and Route 53. What is written stands in plans, as whole calls.
import type { Tags, Values } from '#aws'
import { type Clock, given } from '#base'
import { normalName, recordName } from '../names/domain-name.ts'
import type { RegisteredZone } from '../zones/registry.ts'
import type { LayerCaller, LayeredCall } from './call.ts'
import {
  type CertificateOwner,
  type CloudCertificate,
  isHalfOwned,
  isOwnedBy,
  parseCertificate,
  parseTags,
} from './certificate.ts'
import { CertificateList } from './certificate-list.ts'
import { faultOf, isAbsence } from './faults.ts'
import type { CallBuckets } from './limiter.ts'
import type { ListedCertificate } from './listed.ts'
import { record, records, text } from './values.ts'

/** What stands at the name of a record. */
export type Standing =
  | { readonly kind: 'absent' }
  | { readonly kind: 'zone-gone' }
  | { readonly kind: 'present'; readonly type: string; readonly values: readonly string[]; readonly ttl: number | undefined }

export interface ZoneFacts {
  readonly exists: boolean
  readonly name?: string
  readonly isPrivate?: boolean
  /** Those that answer for it once its parent names them; a private zone has none that the world asks. Sorted, as they are compared. */
  readonly nameServers?: readonly string[]
}

export interface OwnedCertificate {
  readonly certificate: CloudCertificate
  readonly tags: Tags
}

export class CertificateCloud {
  readonly #caller: LayerCaller
  readonly #list: CertificateList

  readonly #pace: Pick<CallBuckets, 'awaitTurn'> | undefined

  /** Without a pace nobody waits. */
  constructor(caller: LayerCaller, clock: Pick<Clock, 'monotonicMs'>, pace?: Pick<CallBuckets, 'awaitTurn'>) {
    this.#caller = caller
    this.#pace = pace
    this.#list = new CertificateList(caller, clock)
  }

  call(call: LayeredCall, signal: AbortSignal, beforeTry?: () => void): Promise<Values> {
    return this.#caller(call, { signal, ...given({ beforeTry }) })
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

  /** Whose it is, by its tags. One answer may leave out a mark: who is half ours is asked again before it is taken for a stranger. */
  async marks(arn: string, owner: CertificateOwner, signal: AbortSignal): Promise<Tags> {
    const tags = await this.tags(arn, signal)
    return isHalfOwned(tags, owner) ? this.tags(arn, signal) : tags
  }

  /**
   * All of these regions, as far as lists tell of them; `undefined` is the operator's own region. `who` comes back for them.
   * @throws LimiterBusy while one is not complete.
   */
  async listed(
    who: string,
    regions: readonly (string | undefined)[],
    signal: AbortSignal,
  ): Promise<readonly (ListedCertificate & { readonly region: string | undefined })[]> {
    const all = []
    for (const region of regions)
      for (const listed of await this.#list.all({ who, region, signal })) all.push({ ...listed, region })
    return all
  }

  /** @throws LimiterBusy while it is not the turn of `who` to ask for a certificate. */
  awaitRequest(who: string): void {
    this.#pace?.awaitTurn({ service: 'acm', operation: 'RequestCertificate', input: {}, comesBackAs: who })
  }

  /** The look of `who` is at its end: its next one wants lists of its own time. */
  lookEnded(who: string): void {
    this.#list.answered(who)
  }

  /** Certificates of this primary name that carry the owner's tags: issued ones first, then the newest. */
  async owned(domainName: string, owner: CertificateOwner, signal: AbortSignal): Promise<readonly OwnedCertificate[]> {
    const found: OwnedCertificate[] = []
    const listed = await this.listed(owner.uid, [undefined], signal)
    for (const { arn } of listed.filter(each => each.domainName === domainName)) {
      const certificate = await this.certificate(arn, { signal, isFresh: true })
      if (certificate === undefined) continue
      const tags = await this.marks(arn, owner, signal).catch((error: unknown) => {
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
      const { NameServers } = record(output.DelegationSet)
      const servers = Array.isArray(NameServers) ? NameServers.map(each => recordName(String(each))).sort() : undefined
      const isPrivate = config.PrivateZone === true
      return { exists: true, name: normalName(text(found.Name) ?? ''), isPrivate, ...given({ nameServers: servers }) }
    } catch (error) {
      if (faultOf(error)?.class === 'zone-gone') return { exists: false }
      throw error
    }
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
