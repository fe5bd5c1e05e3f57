// Change batches: all or nothing. Every change is judged against the zone as the changes before it leave it, all complaints are
// gathered, and only a batch without any becomes writes.
import { limits } from '#aws'
import type { SortedMap } from '../state/sorted-map.ts'
import { route53Failure } from './errors.ts'
import { nameKey, newestSets, type RecordSet, recordKey, setsWithPrefix, type Zone } from './model.ts'
import { isWithin, parseDnsName } from './names.ts'
import { nameFaults, recordDataProblem, recordTypes } from './record-data.ts'

export interface RequestedChange {
  readonly Action: 'CREATE' | 'DELETE' | 'UPSERT'
  readonly ResourceRecordSet: RecordSet
}

export interface BatchLimits {
  readonly recordsPerBatchMax: number
  readonly valueCharactersMax: number
  readonly recordsPerSetMax: number
  readonly setsPerZoneMax: number
}

/** §10.2. The number of values in one set is AWS's documented 400; sets per zone is a quota. */
export const batchLimits: BatchLimits = {
  recordsPerBatchMax: limits['route53/changes-per-batch'].value,
  valueCharactersMax: limits['route53/value-characters-per-batch'].value,
  recordsPerSetMax: 400,
  setsPerZoneMax: 10_000,
}

/** Looks an alias's target zone up; `undefined` for zones that are not ours, such as a load balancer's. */
export type ZoneOf = (id: string) => Zone | undefined

/** The zone's sets after the batch, or throws `InvalidInput` or `InvalidChangeBatch`. */
export function plannedSets(
  zone: Zone,
  changes: readonly RequestedChange[],
  zoneOf: ZoneOf,
  limits: BatchLimits = batchLimits,
): SortedMap<RecordSet> {
  if (changes.length === 0) throw route53Failure('InvalidInput', 'Invalid request: the change batch holds no changes')
  for (const change of changes) checkForm(change)
  const complaints = sizeComplaints(changes, limits)
  const actions = new Map<string, string>()
  const written: RecordSet[] = []
  let sets = newestSets(zone)

  for (const change of changes) {
    const set = canonicalSet(change.ResourceRecordSet, complaints)
    if (set === undefined) continue
    const key = recordKey(set)
    const found = orderComplaints(set, change.Action, actions.get(key))
    actions.set(key, change.Action)
    if (!isWithin(set.Name, zone.name)) found.push(`RRSet with DNS name ${set.Name} is not permitted in zone ${zone.name}`)
    const current = sets.get(key)
    if (change.Action === 'DELETE') found.push(...deleteComplaints(zone, set, current))
    else {
      if (change.Action === 'CREATE' && current !== undefined)
        found.push(`Tried to create ${describe(set)} but it already exists`)
      found.push(...valueComplaints(set, limits), ...aliasComplaints({ zone, sets, zoneOf }, set))
    }
    complaints.push(...found)
    if (found.length > 0) continue
    if (change.Action === 'DELETE') sets = sets.delete(key)
    else {
      sets = sets.set(key, set)
      written.push(set)
    }
  }
  complaints.push(...written.flatMap(set => neighbourComplaints(zone, sets, set)))
  if (sets.size > limits.setsPerZoneMax) {
    complaints.push(`The number of resource record sets exceeds the limit of ${limits.setsPerZoneMax} for zone ${zone.name}`)
  }
  if (complaints.length > 0) throw route53Failure('InvalidChangeBatch', `[${[...new Set(complaints)].join(', ')}]`)
  return sets
}

/** One set may come up once in a batch, or as DELETE and then CREATE. */
function orderComplaints(set: RecordSet, action: string, earlier: string | undefined): string[] {
  if (earlier === undefined || (earlier === 'DELETE' && action === 'CREATE')) return []
  return [`The request contains an invalid set of changes for a resource record set '${set.Type} ${set.Name}'`]
}

/** `resource record set [name='n.', type='A', set identifier='x']`, as in the messages of the service. */
function describe(set: RecordSet): string {
  const identifier = set.SetIdentifier === undefined ? '' : `, set identifier='${set.SetIdentifier}'`
  return `resource record set [name='${set.Name}', type='${set.Type}'${identifier}]`
}

/** Members that contradict each other or are missing: `InvalidInput`, for the first one found. */
function checkForm(change: RequestedChange): void {
  const set = change.ResourceRecordSet
  const where = `in Change with [Action=${change.Action}, Name=${set.Name}, Type=${set.Type}, SetIdentifier=${set.SetIdentifier ?? 'null'}]`
  const refuse = (what: string): never => {
    throw route53Failure('InvalidInput', `Invalid request: ${what} ${where}`)
  }
  if (!recordTypes.includes(set.Type)) refuse(`Unknown record type '${set.Type}'`)
  const plain = set.TTL !== undefined && set.ResourceRecords !== undefined && set.ResourceRecords.length > 0
  const some = set.TTL !== undefined || (set.ResourceRecords !== undefined && set.ResourceRecords.length > 0)
  const expected =
    'Expected exactly one of [AliasTarget, all of [TTL, and ResourceRecords], or TrafficPolicyInstanceId], but found'
  if (set.AliasTarget !== undefined && some) refuse(`${expected} more than one`)
  if (set.AliasTarget === undefined && !plain) refuse(`${expected} none`)
  if (set.TTL !== undefined && (set.TTL < 0 || set.TTL > 2_147_483_647)) refuse(`TTL ${set.TTL} is out of range`)
  const routing = routingOf(set)
  if (routing.length > 1) {
    refuse('Expected exactly one of [Weight, Region, Failover, GeoLocation, or MultiValueAnswer], but found more than one')
  }
  if (routing.length === 1 && set.SetIdentifier === undefined) refuse("Missing field 'SetIdentifier'")
  if (routing.length === 0 && set.SetIdentifier !== undefined) {
    refuse('Expected exactly one of [Weight, Region, Failover, GeoLocation, or MultiValueAnswer], but found none')
  }
}

const routingMembers = [
  'Weight',
  'Region',
  'Failover',
  'GeoLocation',
  'MultiValueAnswer',
  'CidrRoutingConfig',
  'GeoProximityLocation',
] as const

function routingOf(set: RecordSet): readonly string[] {
  return routingMembers.filter(member => set[member] !== undefined)
}

/** Records and characters of values; an UPSERT counts twice, since it may be a delete and a create. */
function sizeComplaints(changes: readonly RequestedChange[], limits: BatchLimits): string[] {
  let records = 0
  let characters = 0
  for (const change of changes) {
    const times = change.Action === 'UPSERT' ? 2 : 1
    const values = change.ResourceRecordSet.ResourceRecords ?? []
    records += times * Math.max(1, values.length)
    characters += times * values.reduce((sum, record) => sum + record.Value.length, 0)
  }
  const complaints: string[] = []
  if (records > limits.recordsPerBatchMax) complaints.push(`Number of records limit of ${limits.recordsPerBatchMax} exceeded.`)
  if (characters > limits.valueCharactersMax) complaints.push(`RDATA character limit of ${limits.valueCharactersMax} exceeded.`)
  return complaints
}

function canonicalSet(given: RecordSet, complaints: string[]): RecordSet | undefined {
  const name = parseDnsName(given.Name)
  if (!name.ok) {
    complaints.push(`FATAL problem: ${nameFaults[name.problem] ?? name.problem} encountered with '${given.Name}'`)
    return undefined
  }
  if (given.AliasTarget === undefined) return { ...given, Name: name.name }
  const target = parseDnsName(given.AliasTarget.DNSName)
  if (!target.ok) {
    complaints.push(
      `FATAL problem: ${nameFaults[target.problem] ?? target.problem} encountered with '${given.AliasTarget.DNSName}'`,
    )
    return undefined
  }
  return { ...given, Name: name.name, AliasTarget: { ...given.AliasTarget, DNSName: target.name } }
}

function deleteComplaints(zone: Zone, set: RecordSet, current: RecordSet | undefined): string[] {
  if (current === undefined) return [`Tried to delete ${describe(set)} but it was not found`]
  if (!sameContent(set, current)) {
    return [`Tried to delete ${describe(set)} but the values provided do not match the current values`]
  }
  if (set.Name !== zone.name) return []
  if (set.Type === 'SOA') return ['A HostedZone must contain exactly one SOA record.']
  if (set.Type === 'NS') return ['A HostedZone must contain at least one NS record for the zone itself.']
  return []
}

function sameContent(a: RecordSet, b: RecordSet): boolean {
  return contentOf(a) === contentOf(b)
}

/** The order of the values is no part of a set. */
function contentOf(set: RecordSet): string {
  const values = (set.ResourceRecords ?? []).map(record => record.Value).sort()
  const rest = [set.TTL, set.AliasTarget?.HostedZoneId, set.AliasTarget?.DNSName, set.AliasTarget?.EvaluateTargetHealth]
  return JSON.stringify([values, rest, routingMembers.map(member => set[member]), set.HealthCheckId])
}

function valueComplaints(set: RecordSet, limits: BatchLimits): string[] {
  const complaints: string[] = []
  const values = (set.ResourceRecords ?? []).map(record => record.Value)
  if (values.length > limits.recordsPerSetMax)
    complaints.push(`Cannot have more than ${limits.recordsPerSetMax} records in a RRSet.`)
  if (values.length > 1 && (set.Type === 'CNAME' || set.Type === 'SOA')) {
    complaints.push(`RRSet of type ${set.Type} with DNS name ${set.Name} may only have one record.`)
  }
  const seen = new Set<string>()
  for (const value of values) {
    const problem = recordDataProblem(set.Type, value)
    if (problem !== undefined) complaints.push(problem)
    if (seen.has(value)) complaints.push(`Duplicate Resource Record: '${value}'`)
    seen.add(value)
  }
  return complaints
}

/** An alias into one of our zones must name a set of its type that is there; other zones belong to other services. */
function aliasComplaints(from: { zone: Zone; sets: SortedMap<RecordSet>; zoneOf: ZoneOf }, set: RecordSet): string[] {
  const alias = set.AliasTarget
  if (alias === undefined) return []
  if (set.Type === 'NS' || set.Type === 'SOA') return [`RRSet of type ${set.Type} with DNS name ${set.Name} cannot be an alias`]
  const id = alias.HostedZoneId.replace(/^\/hostedzone\//, '')
  const target = id === from.zone.id ? from.zone : from.zoneOf(id)
  if (target === undefined) return []
  const where = `Tried to create an alias that targets ${alias.DNSName}, type ${set.Type} in zone ${id}, but`
  if (!isWithin(alias.DNSName, target.name)) return [`${where} the alias target name does not lie within the target zone`]
  const sets = target === from.zone ? from.sets : newestSets(target)
  const [found] = setsWithPrefix(sets, `${nameKey(alias.DNSName)}${set.Type}\0`)
  return found === undefined ? [`${where} that target was not found`] : []
}

/** Of a region or a place there is one set, and one that is primary or secondary. */
function isSameAnswer(a: RecordSet, b: RecordSet): boolean {
  const placeOf = ({ GeoLocation: place = {} }: RecordSet): string =>
    [place['ContinentCode'], place['CountryCode'], place['SubdivisionCode']].join()
  const isSame = (member: 'Region' | 'Failover'): boolean => a[member] !== undefined && a[member] === b[member]
  return (
    isSame('Region') ||
    isSame('Failover') ||
    (a.GeoLocation !== undefined && b.GeoLocation !== undefined && placeOf(a) === placeOf(b))
  )
}

/** What may not stand beside each other under one name, judged on the zone as the whole batch leaves it. */
function neighbourComplaints(zone: Zone, sets: SortedMap<RecordSet>, set: RecordSet): string[] {
  const complaints: string[] = []
  const siblings = [...setsWithPrefix(sets, nameKey(set.Name))]
  if (set.Type === 'CNAME' && set.Name === zone.name) {
    complaints.push(`RRSet of type CNAME with DNS name ${set.Name} is not permitted at apex in zone ${zone.name}`)
  } else if (siblings.some(other => (other.Type === 'CNAME') !== (set.Type === 'CNAME'))) {
    complaints.push(
      `RRSet of type ${set.Type} with DNS name ${set.Name} is not permitted as it conflicts with other records with the same DNS name in zone ${zone.name}`,
    )
  }
  if (set.Type === 'SOA' && set.Name !== zone.name)
    complaints.push(`RRSet of type SOA with DNS name ${set.Name} is only permitted at apex in zone ${zone.name}`)
  const twin = siblings.find(other => other.Type === set.Type && other !== set && isSameAnswer(other, set))
  if (twin !== undefined)
    complaints.push(
      `RRSet with DNS name ${set.Name}, type ${set.Type}, SetIdentifier ${set.SetIdentifier ?? 'null'} cannot be created as the RRSet with SetIdentifier ${twin.SetIdentifier ?? 'null'} answers the same askers already`,
    )
  if (siblings.some(other => other.Type === set.Type && routingOf(other).join() !== routingOf(set).join())) {
    complaints.push(
      `RRSet with DNS name ${set.Name}, type ${set.Type}, SetIdentifier ${set.SetIdentifier ?? 'null'} cannot be created as other RRSets exist with the same name and type that use another routing policy.`,
    )
  }
  return complaints
}
