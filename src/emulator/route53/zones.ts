// Operations on hosted zones.
import type { Random } from '#base'
import { ServiceError } from '../error.ts'
import type { Call, Context } from '../service.ts'
import { SortedMap } from '../state/sorted-map.ts'
import { type ChangeInfo, changeInfo, submitChange } from './changes.ts'
import { route53Failure } from './errors.ts'
import { bareId, drawnId, zoneArn } from './ids.ts'
import { newestSets, onlyVersion, type RecordSet, type Route53State, recordKey, type Vpc, withSets, type Zone } from './model.ts'
import { parseDnsName, reversedLabels } from './names.ts'
import { route53Quotas } from './quotas.ts'

type Call53<I> = Call<Route53State, I>

/** The caller's zone. A zone of another account is refused, not denied to exist, as AWS does. */
export function zoneOfCaller(call: Context<Route53State>, givenId: string): Zone {
  const id = bareId(givenId)
  const zone = call.store.get().zones.get(id)
  if (zone !== undefined) return zone
  if (call.stores().some(other => other.account !== call.account && other.store.get().zones.has(id))) {
    throw new ServiceError('AccessDenied', 403, 'User is not authorized to access this resource')
  }
  throw route53Failure('NoSuchHostedZone', `No hosted zone found with ID: ${id}`)
}

export function putZone(call: Context<Route53State>, zone: Zone): void {
  const state = call.store.get()
  call.store.set({ ...state, zones: state.zones.set(zone.id, zone) })
}

export function renderZone(zone: Zone): object {
  return {
    Id: `/hostedzone/${zone.id}`,
    Name: zone.name,
    CallerReference: zone.callerReference,
    Config: { ...(zone.comment !== undefined && { Comment: zone.comment }), PrivateZone: zone.privateZone },
    ResourceRecordSetCount: newestSets(zone).size,
  }
}

interface CreateHostedZoneInput {
  readonly Name: string
  readonly CallerReference: string
  readonly HostedZoneConfig?: { readonly Comment?: string; readonly PrivateZone?: boolean }
  readonly VPC?: Vpc
  readonly DelegationSetId?: string
}

export function createHostedZone(call: Call53<CreateHostedZoneInput>): object {
  call.authorise({ action: 'route53:CreateHostedZone', resource: '*' })
  const { input, now } = call
  const state = call.store.get()
  const parsed = parseDnsName(input.Name)
  if (!parsed.ok) throw route53Failure('InvalidDomainName', `The domain name '${input.Name}' is invalid: ${parsed.problem}`)
  if (parsed.labels[0]?.includes('\\052') === true)
    throw route53Failure(
      'InvalidDomainName',
      `The domain name '${input.Name}' is invalid: the leftmost label may hold no asterisk`,
    )
  // Top-level domains are nobody's to have; inside a VPC a zone may have any name.
  if (parsed.labels.length === 1 && input.VPC === undefined)
    throw route53Failure('InvalidDomainName', `${input.Name} is reserved by AWS!`)
  if (input.DelegationSetId !== undefined) {
    throw route53Failure('NoSuchDelegationSet', `No delegation set found with ID: ${bareId(input.DelegationSetId)}`)
  }
  if (input.HostedZoneConfig?.PrivateZone === true && input.VPC === undefined) {
    throw route53Failure('InvalidInput', 'A private hosted zone must be created with a VPC.')
  }
  if (state.callerReferences.has(input.CallerReference)) {
    throw route53Failure(
      'HostedZoneAlreadyExists',
      `A hosted zone has already been created with the specified caller reference: ${input.CallerReference}`,
    )
  }
  if (state.zones.size >= call.quota(route53Quotas.hostedZones)) {
    throw route53Failure('TooManyHostedZones', `Limits Exceeded: MAX_HOSTED_ZONES_BY_OWNER - Cannot create more hosted zones.`)
  }
  if (input.VPC !== undefined) refuseSecondInVpc(state, parsed.name, input.VPC)
  const zone = newZone(call, parsed.name)
  call.store.set({
    ...state,
    zones: state.zones.set(zone.id, zone),
    callerReferences: state.callerReferences.set(input.CallerReference, zone.id),
  })
  const change = submitChange(call, zone.id)
  putZone(call, { ...zone, versions: onlyVersion({ submittedMs: now, visibleMs: change.insyncMs, sets: newestSets(zone) }) })
  return {
    HostedZone: renderZone(zone),
    ChangeInfo: changeInfo(change, now),
    ...(zone.privateZone ? { VPC: zone.vpcs[0] } : { DelegationSet: { NameServers: zone.nameServers } }),
    Location: `https://route53.amazonaws.com/2013-04-01/hostedzone/${zone.id}`,
  }
}

function newZone(call: Call53<CreateHostedZoneInput>, name: string): Zone {
  const { input, now } = call
  const random = call.random(`zone/${input.CallerReference}`)
  const nameServers = input.VPC === undefined ? drawnNameServers(random) : privateNameServers
  const sets = [
    { Name: name, Type: 'NS', TTL: 172_800, ResourceRecords: nameServers.map(server => ({ Value: `${server}.` })) },
    {
      Name: name,
      Type: 'SOA',
      TTL: 900,
      ResourceRecords: [{ Value: `${nameServers[0]}. awsdns-hostmaster.amazon.com. 1 7200 900 1209600 86400` }],
    },
  ] as const satisfies readonly RecordSet[]
  const comment = input.HostedZoneConfig?.Comment
  return {
    id: `Z${drawnId(random, 20)}`,
    partition: call.partition,
    account: call.account,
    name,
    callerReference: input.CallerReference,
    ...(comment !== undefined && comment !== '' && { comment }),
    privateZone: input.VPC !== undefined,
    vpcs: input.VPC === undefined ? [] : [input.VPC],
    nameServers,
    createdMs: now,
    versions: onlyVersion({ submittedMs: now, visibleMs: now, sets: SortedMap.from(sets.map(set => [recordKey(set), set])) }),
  }
}

const privateNameServers = ['ns-1536.awsdns-00.co.uk', 'ns-0.awsdns-00.com', 'ns-1024.awsdns-00.org', 'ns-512.awsdns-00.net']

/** One server under each of four domains, numbered as the real ones are: 512 under each, eight in a group. */
function drawnNameServers(random: Random): readonly string[] {
  return ['com', 'net', 'org', 'co.uk'].map((domain, index) => {
    const number = index * 512 + random.integer(512)
    const group = String(Math.floor((number % 512) / 8)).padStart(2, '0')
    return `ns-${number}.awsdns-${group}.${domain}`
  })
}

export function getHostedZone(call: Call53<{ readonly Id: string }>): object {
  call.authorise({ action: 'route53:GetHostedZone', resource: zoneArn(call.partition, call.input.Id) })
  const zone = zoneOfCaller(call, call.input.Id)
  return {
    HostedZone: renderZone(zone),
    ...(zone.privateZone ? { VPCs: zone.vpcs } : { DelegationSet: { NameServers: zone.nameServers } }),
  }
}

export function updateHostedZoneComment(call: Call53<{ readonly Id: string; readonly Comment?: string }>): object {
  call.authorise({ action: 'route53:UpdateHostedZoneComment', resource: zoneArn(call.partition, call.input.Id) })
  const { comment: _, ...zone } = zoneOfCaller(call, call.input.Id)
  const comment = call.input.Comment
  const updated: Zone = comment === undefined || comment === '' ? zone : { ...zone, comment }
  putZone(call, updated)
  return { HostedZone: renderZone(updated) }
}

export function deleteHostedZone(call: Call53<{ readonly Id: string }>): { ChangeInfo: ChangeInfo } {
  call.authorise({ action: 'route53:DeleteHostedZone', resource: zoneArn(call.partition, call.input.Id) })
  const zone = zoneOfCaller(call, call.input.Id)
  const extra = [...newestSets(zone).values()].some(set => set.Name !== zone.name || (set.Type !== 'NS' && set.Type !== 'SOA'))
  if (extra) {
    throw route53Failure(
      'HostedZoneNotEmpty',
      'The specified hosted zone contains non-required resource record sets and so cannot be deleted.',
    )
  }
  const state = call.store.get()
  call.store.set({ ...state, zones: state.zones.delete(zone.id), tags: state.tags.delete(`hostedzone/${zone.id}`) })
  return { ChangeInfo: changeInfo(submitChange(call, zone.id), call.now) }
}

interface ListHostedZonesInput {
  readonly Marker?: string
  readonly MaxItems?: number
  readonly HostedZoneType?: string
  readonly DelegationSetId?: string
}

export function listHostedZones(call: Call53<ListHostedZonesInput>): object {
  call.authorise({ action: 'route53:ListHostedZones', resource: '*' })
  const { Marker, HostedZoneType } = call.input
  const limit = pageSize(call.input.MaxItems, 100)
  const page: Zone[] = []
  let next: string | undefined
  for (const [id, zone] of call.store.get().zones.entries(Marker === undefined ? {} : { from: bareId(Marker) })) {
    if (HostedZoneType === 'PrivateHostedZone' && !zone.privateZone) continue
    if (page.length === limit) {
      next = id
      break
    }
    page.push(zone)
  }
  return {
    HostedZones: page.map(renderZone),
    ...(Marker !== undefined && { Marker }),
    IsTruncated: next !== undefined,
    ...(next !== undefined && { NextMarker: next }),
    MaxItems: limit,
  }
}

/** `MaxItems` above the largest page is lowered to it; below 1 is refused. */
export function pageSize(asked: number | undefined, max: number): number {
  if (asked === undefined) return max
  if (!Number.isInteger(asked) || asked < 1) throw route53Failure('InvalidInput', `Invalid MaxItems value: ${asked}`)
  return Math.min(asked, max)
}

interface ByNameInput {
  readonly DNSName?: string
  readonly HostedZoneId?: string
  readonly MaxItems?: number
}

export function listHostedZonesByName(call: Call53<ByNameInput>): object {
  call.authorise({ action: 'route53:ListHostedZonesByName', resource: '*' })
  const { DNSName, HostedZoneId } = call.input
  if (HostedZoneId !== undefined && DNSName === undefined) {
    throw route53Failure('InvalidInput', 'A hosted zone ID may only be specified together with a DNS name')
  }
  const limit = pageSize(call.input.MaxItems, 100)
  const sorted = [...call.store.get().zones.values()].sort((a, b) => (byNameKey(a.name, a.id) < byNameKey(b.name, b.id) ? -1 : 1))
  const start = DNSName === undefined ? '' : byNameKey(startName(DNSName), HostedZoneId === undefined ? '' : bareId(HostedZoneId))
  const rest = sorted.filter(zone => byNameKey(zone.name, zone.id) >= start)
  const next = rest[limit]
  return {
    HostedZones: rest.slice(0, limit).map(renderZone),
    ...(DNSName !== undefined && { DNSName: startName(DNSName) }),
    ...(HostedZoneId !== undefined && { HostedZoneId }),
    IsTruncated: next !== undefined,
    ...(next !== undefined && { NextDNSName: next.name, NextHostedZoneId: next.id }),
    MaxItems: limit,
  }
}

function startName(text: string): string {
  const parsed = parseDnsName(text)
  if (!parsed.ok) throw route53Failure('InvalidDomainName', `The domain name '${text}' is invalid: ${parsed.problem}`)
  return parsed.name
}

function byNameKey(name: string, id: string): string {
  return `${reversedLabels(name)}\0\0${id}`
}

export function getHostedZoneCount(call: Call53<object>): object {
  call.authorise({ action: 'route53:GetHostedZoneCount', resource: '*' })
  return { HostedZoneCount: call.store.get().zones.size }
}

interface VpcInput {
  readonly HostedZoneId: string
  readonly VPC: Vpc
  readonly Comment?: string
}

export function associateVpc(call: Call53<VpcInput>): object {
  call.authorise({ action: 'route53:AssociateVPCWithHostedZone', resource: zoneArn(call.partition, call.input.HostedZoneId) })
  const zone = zoneOfCaller(call, call.input.HostedZoneId)
  const { VPC } = call.input
  if (!zone.privateZone) {
    throw route53Failure('PublicZoneVPCAssociation', 'Public hosted zones cannot be associated with a VPC.')
  }
  if (zone.vpcs.some(other => other.VPCId === VPC.VPCId)) {
    throw route53Failure('ConflictingDomainExists', `The VPC ${VPC.VPCId} is already associated with the hosted zone ${zone.id}.`)
  }
  refuseSecondInVpc(call.store.get(), zone.name, VPC)
  return changedVpcs(call, zone, [...zone.vpcs, VPC])
}

export function disassociateVpc(call: Call53<VpcInput>): object {
  call.authorise({
    action: 'route53:DisassociateVPCFromHostedZone',
    resource: zoneArn(call.partition, call.input.HostedZoneId),
  })
  const zone = zoneOfCaller(call, call.input.HostedZoneId)
  const { VPC } = call.input
  const rest = zone.vpcs.filter(other => other.VPCId !== VPC.VPCId)
  if (rest.length === zone.vpcs.length) {
    throw route53Failure('VPCAssociationNotFound', `The VPC ${VPC.VPCId} is not associated with the hosted zone ${zone.id}.`)
  }
  if (rest.length === 0) {
    throw route53Failure('LastVPCAssociation', `The VPC ${VPC.VPCId} is the only one associated with the hosted zone ${zone.id}.`)
  }
  return changedVpcs(call, zone, rest)
}

function changedVpcs(call: Call53<VpcInput>, zone: Zone, vpcs: readonly Vpc[]): object {
  const change = submitChange(call, zone.id, call.input.Comment)
  putZone(call, withSets({ ...zone, vpcs }, newestSets(zone), { now: call.now, delayMs: change.insyncMs - call.now }))
  return { ChangeInfo: changeInfo(change, call.now) }
}

/** Two zones of one name would answer differently inside one VPC. */
function refuseSecondInVpc(state: Route53State, name: string, vpc: Vpc): void {
  for (const zone of state.zones.values()) {
    if (!zone.privateZone || zone.name !== name || !zone.vpcs.some(other => other.VPCId === vpc.VPCId)) continue
    throw route53Failure(
      'ConflictingDomainExists',
      `The VPC ${vpc.VPCId} in region ${vpc.VPCRegion} has already been associated with the hosted zone ${zone.id} with the same domain name.`,
    )
  }
}

export function listHostedZonesByVpc(
  call: Call53<{ readonly VPCId: string; readonly VPCRegion: string; readonly MaxItems?: number; readonly NextToken?: string }>,
): object {
  call.authorise({ action: 'route53:ListHostedZonesByVPC', resource: '*' })
  const limit = pageSize(call.input.MaxItems, 100)
  const start = call.input.NextToken === undefined ? undefined : call.tokens.open(call.input.NextToken, call.input.VPCId)
  if (call.input.NextToken !== undefined && start === undefined) throw route53Failure('InvalidInput', 'Invalid pagination token')
  const zones = [...call.store.get().zones.entries(start === undefined ? {} : { from: start })]
    .map(([, zone]) => zone)
    .filter(zone => zone.vpcs.some(vpc => vpc.VPCId === call.input.VPCId))
  const next = zones[limit]
  return {
    HostedZoneSummaries: zones
      .slice(0, limit)
      .map(zone => ({ HostedZoneId: zone.id, Name: zone.name, Owner: { OwningAccount: zone.account } })),
    MaxItems: limit,
    ...(next !== undefined && { NextToken: call.tokens.seal(next.id, call.input.VPCId) }),
  }
}
