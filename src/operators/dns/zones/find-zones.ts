// Which zones the credentials can see that fit what an object asks for.
import type { AwsClient } from '#aws/client'
import { given } from '#base'
import type { Domain } from '../api/spec.ts'

export interface ZoneWish {
  /** Zones whose name is one of these, or above or below one; all when there is none. */
  readonly domains: readonly string[]
  readonly zoneType: string | undefined
  readonly zoneTags: Readonly<Record<string, string>>
}

/** Ids in byte order, so that two looks at the same zones say the same. */
export async function findZones(route53: AwsClient, wish: ZoneWish, signal: AbortSignal): Promise<readonly string[]> {
  const found = (await allZones(route53, signal)).filter(zone => fits(zone, wish))
  const tagged = Object.keys(wish.zoneTags).length === 0 ? found : await withTags(route53, found, { wish, signal })
  return tagged.map(({ id }) => id).sort()
}

/** Names of domains that bound the zones; a pattern bounds nothing that could be told before there are names. */
export function boundingDomains(domains: readonly Domain[] = []): readonly string[] {
  return domains.flatMap(({ filterType, matchType, name = '' }) =>
    filterType === 'Include' && matchType === 'Exact' && name !== '' ? [name] : [],
  )
}

interface SeenZone {
  readonly id: string
  readonly name: string
  readonly isPrivate: boolean
}

/** An account has at most a few thousand zones; more pages than that are a server that goes in circles. */
const pagesMax = 200

/** As the account has them, page by page. */
export async function allZones(route53: AwsClient, signal: AbortSignal): Promise<readonly SeenZone[]> {
  const zones: SeenZone[] = []
  let marker: string | undefined
  for (let page = 0; page < pagesMax; page++) {
    const input = { MaxItems: 100, ...given({ Marker: marker }) }
    const { HostedZones, NextMarker, IsTruncated } = await route53.call('ListHostedZones', input, { signal })
    zones.push(...(Array.isArray(HostedZones) ? HostedZones.map(readZone) : []))
    if (IsTruncated !== true || typeof NextMarker !== 'string') break
    marker = NextMarker
  }
  return zones
}

function readZone(zone: unknown): SeenZone {
  const { Id, Name, Config } = Object(zone) as { Id?: unknown; Name?: unknown; Config?: { PrivateZone?: unknown } }
  return { id: String(Id).replace('/hostedzone/', ''), name: dotted(String(Name)), isPrivate: Config?.PrivateZone === true }
}

function fits({ name, isPrivate }: SeenZone, { domains, zoneType }: ZoneWish): boolean {
  if (zoneType !== undefined && isPrivate !== (zoneType === 'Private')) return false
  return domains.length === 0 || domains.map(dotted).some(domain => domain.endsWith(name) || name.endsWith(domain))
}

/** With a dot in front, so that one name ends with another only at the border of a label. */
function dotted(name: string): string {
  return `.${name.toLowerCase().replace(/^\.+|\.+$/g, '')}`
}

/** As many as one call takes. */
const tagsAtOnce = 10

async function withTags(
  route53: AwsClient,
  zones: readonly SeenZone[],
  { wish, signal }: { readonly wish: ZoneWish; readonly signal: AbortSignal },
): Promise<readonly SeenZone[]> {
  const kept: SeenZone[] = []
  for (let at = 0; at < zones.length; at += tagsAtOnce) {
    const some = zones.slice(at, at + tagsAtOnce)
    const input = { ResourceType: 'hostedzone', ResourceIds: some.map(({ id }) => id) }
    const { ResourceTagSets } = await route53.call('ListTagsForResources', input, { signal })
    const byId = new Map((Array.isArray(ResourceTagSets) ? ResourceTagSets : []).map(readTags))
    kept.push(...some.filter(({ id }) => Object.entries(wish.zoneTags).every(([key, value]) => byId.get(id)?.[key] === value)))
  }
  return kept
}

function readTags(set: unknown): readonly [string, Readonly<Record<string, string>>] {
  const { ResourceId, Tags } = Object(set) as { ResourceId?: unknown; Tags?: readonly { Key?: string; Value?: string }[] }
  return [String(ResourceId), Object.fromEntries((Tags ?? []).map(({ Key = '', Value = '' }) => [Key, Value]))]
}

/** What is known of the zones of one object, from look to look. */
export interface KnownZones {
  readonly zones: readonly string[]
  /** Those that the last look did not find: gone when the next does not find them either. */
  readonly doubted: readonly string[]
}

/** A zone goes when two looks in a row miss it; one that is new comes at the end, so that no port moves for it. */
export function agree({ zones, doubted }: KnownZones, found: readonly string[]): KnownZones {
  const kept = zones.filter(zone => found.includes(zone) || !doubted.includes(zone))
  const fresh = found.filter(zone => !zones.includes(zone))
  return { zones: [...kept, ...fresh], doubted: kept.filter(zone => !found.includes(zone)) }
}

/** As many as an object may name. */
export const zonesMax = 10
