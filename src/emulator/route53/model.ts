// What Route 53 remembers: zones with their record sets, changes on their way, health checks, tags. A write takes hold here at
// once; the DNS sees it when its change is INSYNC. A zone therefore keeps the older versions of its sets until nobody sees them.
import { type Instant, invariant } from '#base'
import { SortedMap } from '../state/sorted-map.ts'
import { reversedLabels } from './names.ts'
import type { RecordType } from './record-data.ts'

export interface Route53State {
  /** By id. */
  readonly zones: SortedMap<Zone>
  /** By id; the oldest are forgotten past `changesKeptMax`. */
  readonly changes: SortedMap<Change>
  readonly healthChecks: SortedMap<HealthCheck>
  /** `account/caller-reference` of every zone ever made, with its id: a reference is never good for a second zone. */
  readonly callerReferences: SortedMap<string>
  /** By `hostedzone/ID` or `healthcheck/ID`. */
  readonly tags: SortedMap<Readonly<Record<string, string>>>
  /** Ids of changes, oldest first. */
  readonly changeOrder: SortedMap<string>
  readonly serial: number
}

export interface Zone {
  readonly id: string
  readonly partition: string
  readonly account: string
  readonly name: string
  readonly callerReference: string
  readonly comment?: string
  readonly privateZone: boolean
  readonly vpcs: readonly Vpc[]
  readonly nameServers: readonly string[]
  readonly createdMs: Instant
  /** Oldest first; the last is what the API shows. */
  readonly versions: readonly ZoneVersion[]
}

export interface ZoneVersion {
  readonly submittedMs: Instant
  /** The DNS answers from this version on from this moment. */
  readonly visibleMs: Instant
  /** By `recordKey`, which makes map order the order of lists. */
  readonly sets: SortedMap<RecordSet>
}

export interface Vpc {
  readonly VPCRegion?: string
  readonly VPCId?: string
}

/** A record set as it stands on the wire, its name in stored form. */
export interface RecordSet {
  readonly Name: string
  readonly Type: RecordType
  readonly SetIdentifier?: string
  readonly Weight?: number
  readonly Region?: string
  readonly GeoLocation?: Readonly<Record<string, string>>
  readonly Failover?: string
  readonly MultiValueAnswer?: boolean
  readonly CidrRoutingConfig?: unknown
  readonly GeoProximityLocation?: unknown
  readonly TTL?: number
  readonly ResourceRecords?: readonly { readonly Value: string }[]
  readonly AliasTarget?: AliasTarget
  readonly HealthCheckId?: string
}

export interface AliasTarget {
  readonly HostedZoneId: string
  readonly DNSName: string
  readonly EvaluateTargetHealth: boolean
}

export interface Change {
  readonly id: string
  readonly account: string
  readonly submittedMs: Instant
  readonly insyncMs: Instant
  readonly comment?: string
}

export interface HealthCheck {
  readonly id: string
  readonly account: string
  readonly callerReference: string
  readonly config: Readonly<Record<string, unknown>>
  readonly version: number
}

export const emptyRoute53: Route53State = {
  zones: SortedMap.empty(),
  changes: SortedMap.empty(),
  healthChecks: SortedMap.empty(),
  callerReferences: SortedMap.empty(),
  tags: SortedMap.empty(),
  changeOrder: SortedMap.empty(),
  serial: 0,
}

export function recordKey(set: Pick<RecordSet, 'Name' | 'Type' | 'SetIdentifier'>): string {
  return `${nameKey(set.Name)}${set.Type}\0${set.SetIdentifier ?? ''}`
}

/** Begins the keys of all sets with exactly this name. */
export function nameKey(name: string): string {
  return `${reversedLabels(name)}\0\0`
}

/** Begins the keys of all sets at or below this name. */
export function treeKey(name: string): string {
  return `${reversedLabels(name)}\0`
}

export function* setsWithPrefix(sets: SortedMap<RecordSet>, prefix: string): Generator<RecordSet> {
  for (const [key, set] of sets.entries({ from: prefix })) {
    if (!key.startsWith(prefix)) return
    yield set
  }
}

export function newestSets(zone: Zone): SortedMap<RecordSet> {
  const newest = zone.versions.at(-1)
  invariant(newest !== undefined, 'a zone has at least one version', { zone: zone.id })
  return newest.sets
}

/** What the DNS answers from; `undefined` before the zone itself has reached it. */
export function visibleSets(zone: Zone, now: Instant): SortedMap<RecordSet> | undefined {
  return zone.versions.findLast(version => version.visibleMs <= now)?.sets
}

/** The zone with new sets, which the DNS sees in `delayMs`, never before those of an earlier change. */
export function withSets(zone: Zone, sets: SortedMap<RecordSet>, when: { now: Instant; delayMs: number }): Zone {
  const { now, delayMs } = when
  const { versions } = zone
  const last = versions.at(-1)
  const visibleMs = Math.max(now + delayMs, last?.visibleMs ?? 0)
  // The one that the DNS answers from is near the beginning: those before it went with an earlier change.
  let seen = 0
  while ((versions[seen + 1]?.visibleMs ?? now + 1) <= now) seen++
  // What becomes visible at the same moment is one to the DNS.
  const end = last?.visibleMs === visibleMs && versions.length - 1 > seen ? -1 : versions.length
  const kept = visibleMs <= now ? [] : versions.slice(seen, end)
  return { ...zone, versions: [...kept, { submittedMs: now, visibleMs, sets }] }
}

/** GetChange answers for at least this many of the latest changes. */
const changesKeptMax = 20_000

export function withChange(state: Route53State, change: Change): Route53State {
  const serial = state.serial + 1
  let changes = state.changes.set(change.id, change)
  let changeOrder = state.changeOrder.set(String(serial).padStart(12, '0'), change.id)
  if (changeOrder.size > changesKeptMax) {
    const [key, id] = changeOrder.first() ?? ['', '']
    changeOrder = changeOrder.delete(key)
    changes = changes.delete(id)
  }
  return { ...state, serial, changes, changeOrder }
}
