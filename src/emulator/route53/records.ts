// Operations on record sets, and the answers that they make.
import type { Call, Context } from '../service.ts'
import { batchLimits, plannedSets, type RequestedChange } from './change-batch.ts'
import { changeInfo, submitChange } from './changes.ts'
import { answerOfZone, type DnsWorld } from './dns.ts'
import { route53Failure } from './errors.ts'
import { bareId, zoneArn } from './ids.ts'
import { nameKey, newestSets, type RecordSet, type Route53State, withSets } from './model.ts'
import { parseDnsName } from './names.ts'
import { route53Quotas } from './quotas.ts'
import { pageSize, putZone, zoneOfCaller } from './zones.ts'

type Call53<I> = Call<Route53State, I>

interface ChangeInput {
  readonly HostedZoneId: string
  readonly ChangeBatch: { readonly Comment?: string; readonly Changes: readonly RequestedChange[] }
}

export function changeResourceRecordSets(call: Call53<ChangeInput>): object {
  const { HostedZoneId, ChangeBatch } = call.input
  const sets = ChangeBatch.Changes.map(change => change.ResourceRecordSet)
  call.authorise({
    action: 'route53:ChangeResourceRecordSets',
    resource: zoneArn(call.partition, HostedZoneId),
    context: {
      'route53:ChangeResourceRecordSetsNormalizedRecordNames': unique(sets.map(normalisedName)),
      'route53:ChangeResourceRecordSetsRecordTypes': unique(sets.map(set => set.Type)),
      'route53:ChangeResourceRecordSetsActions': unique(ChangeBatch.Changes.map(change => change.Action)),
    },
  })
  const zone = zoneOfCaller(call, HostedZoneId)
  const { knobs, now } = call
  const last = zone.versions.last()?.[1]
  if (knobs.priorRequestNotCompleteMs > 0 && last !== undefined && last.submittedMs + knobs.priorRequestNotCompleteMs > now) {
    throw route53Failure(
      'PriorRequestNotComplete',
      'The request was rejected because Route 53 was still processing a prior request.',
    )
  }
  const state = call.store.get()
  for (const set of sets) {
    if (set.HealthCheckId === undefined || state.healthChecks.has(set.HealthCheckId)) continue
    throw route53Failure('NoSuchHealthCheck', `No health check exists with the specified ID: ${set.HealthCheckId}`)
  }
  const planned = plannedSets(zone, ChangeBatch.Changes, id => state.zones.get(id), {
    ...batchLimits,
    setsPerZoneMax: call.quota(route53Quotas.recordsPerZone),
  })
  const change = submitChange(call, zone.id, ChangeBatch.Comment)
  putZone(call, withSets(zone, planned, { now, delayMs: change.insyncMs - now }))
  return { ChangeInfo: changeInfo(change, now) }
}

function unique(values: readonly string[]): readonly string[] {
  return [...new Set(values)]
}

/** As the condition key has it: the stored form without its last dot. */
function normalisedName(set: RecordSet): string {
  const parsed = parseDnsName(set.Name)
  return parsed.ok ? parsed.name.slice(0, -1) : set.Name
}

interface ListInput {
  readonly HostedZoneId: string
  readonly StartRecordName?: string
  readonly StartRecordType?: string
  readonly StartRecordIdentifier?: string
  readonly MaxItems?: number
}

export function listResourceRecordSets(call: Call53<ListInput>): object {
  call.authorise({ action: 'route53:ListResourceRecordSets', resource: zoneArn(call.partition, call.input.HostedZoneId) })
  const zone = zoneOfCaller(call, call.input.HostedZoneId)
  const limit = pageSize(call.input.MaxItems, 300)
  const page: RecordSet[] = []
  let next: RecordSet | undefined
  for (const [, set] of newestSets(zone).entries({ from: startKey(call.input) })) {
    if (page.length === limit) {
      next = set
      break
    }
    page.push(set)
  }
  return {
    ResourceRecordSets: page,
    IsTruncated: next !== undefined,
    ...(next !== undefined && { NextRecordName: next.Name, NextRecordType: next.Type }),
    ...(next?.SetIdentifier !== undefined && { NextRecordIdentifier: next.SetIdentifier }),
    MaxItems: limit,
  }
}

function startKey({ StartRecordName, StartRecordType, StartRecordIdentifier }: ListInput): string {
  if (StartRecordType !== undefined && StartRecordName === undefined) {
    throw route53Failure('InvalidInput', 'A record type may only be specified together with a record name')
  }
  if (StartRecordIdentifier !== undefined && StartRecordType === undefined) {
    throw route53Failure('InvalidInput', 'A record identifier may only be specified together with a record type')
  }
  if (StartRecordName === undefined) return ''
  const parsed = parseDnsName(StartRecordName)
  if (!parsed.ok) throw route53Failure('InvalidInput', `Invalid record name: '${StartRecordName}' (${parsed.problem})`)
  if (StartRecordType === undefined) return nameKey(parsed.name)
  return `${nameKey(parsed.name)}${StartRecordType}\0${StartRecordIdentifier ?? ''}`
}

export function testDnsAnswer(
  call: Call53<{ readonly HostedZoneId: string; readonly RecordName: string; readonly RecordType: string }>,
): object {
  call.authorise({ action: 'route53:TestDNSAnswer', resource: '*' })
  const zone = zoneOfCaller(call, call.input.HostedZoneId)
  const { RecordName, RecordType } = call.input
  const answer = answerOfZone(dnsWorld(call), zone, { name: RecordName, type: RecordType, at: call.now })
  return {
    Nameserver: zone.nameServers[0],
    RecordName,
    RecordType,
    RecordData: [...answer.records, ...answer.authority.filter(record => record.type === RecordType)].map(record => record.value),
    ResponseCode: answer.code,
    Protocol: 'UDP',
  }
}

/** The zones of all accounts of the partition. */
export function dnsWorld(context: Context<Route53State>): DnsWorld {
  return {
    zones: context.stores().flatMap(({ store }) => [...store.get().zones.values()]),
    delegateOrphanZones: context.knobs.delegateOrphanZones,
    random: context.random(`dns/${context.now}`),
  }
}

export function getHostedZoneLimit(call: Call53<{ readonly HostedZoneId: string; readonly Type: string }>): object {
  call.authorise({ action: 'route53:GetHostedZoneLimit', resource: zoneArn(call.partition, call.input.HostedZoneId) })
  const zone = zoneOfCaller(call, call.input.HostedZoneId)
  const { Type } = call.input
  const byVpc = Type === 'MAX_VPCS_ASSOCIATED_BY_ZONE'
  return {
    Limit: { Type, Value: byVpc ? 300 : call.quota(route53Quotas.recordsPerZone) },
    Count: byVpc ? zone.vpcs.length : newestSets(zone).size,
  }
}

export function getAccountLimit(call: Call53<{ readonly Type: string }>): object {
  call.authorise({ action: 'route53:GetAccountLimit', resource: '*' })
  const { Type } = call.input
  const state = call.store.get()
  if (Type === 'MAX_HOSTED_ZONES_BY_OWNER')
    return { Limit: { Type, Value: call.quota(route53Quotas.hostedZones) }, Count: state.zones.size }
  if (Type === 'MAX_HEALTH_CHECKS_BY_OWNER') return { Limit: { Type, Value: healthChecksMax }, Count: state.healthChecks.size }
  return { Limit: { Type, Value: otherLimits[Type] ?? 100 }, Count: 0 }
}

/** AWS's default quota. */
export const healthChecksMax = 200

const otherLimits: Readonly<Record<string, number>> = {
  MAX_REUSABLE_DELEGATION_SETS_BY_OWNER: 100,
  MAX_TRAFFIC_POLICIES_BY_OWNER: 50,
  MAX_TRAFFIC_POLICY_INSTANCES_BY_OWNER: 5,
}

/** DNSSEC is out of scope; its state is readable because controllers ask. */
export function getDnssec(call: Call53<{ readonly HostedZoneId: string }>): object {
  call.authorise({ action: 'route53:GetDNSSEC', resource: zoneArn(call.partition, bareId(call.input.HostedZoneId)) })
  zoneOfCaller(call, call.input.HostedZoneId)
  return { Status: { ServeSignature: 'NOT_SIGNING' }, KeySigningKeys: [] }
}
