// What Route 53 remembers: zones with their record sets, changes on their way, health checks, tags. A write takes hold here at
// once; the DNS sees it when its change is INSYNC. A zone therefore keeps the older versions of its sets until nobody sees them.
import { type Instant, invariant } from '#base'
import { SortedMap } from '../state/sorted-map.ts'
import { reversedLabels } from './names.ts'
import type { RecordType } from './record-data.ts'

export interface Route53State {
  /** By id. */
  readonly zones: SortedMap<Zone>
  /** The changes by id, in two generations: see `withChange`. */
  readonly changes: SortedMap<SubmittedChange>
  readonly olderChanges: SortedMap<SubmittedChange>
  /** When the latest change is in sync: a timer is set for that instant. */
  readonly lastInsyncMs: Instant | undefined
  readonly healthChecks: SortedMap<Route53HealthCheck>
  /** `account/caller-reference` of every zone ever made, with its id: a reference is never good for a second zone. */
  readonly callerReferences: SortedMap<string>
  /** The tags of zones and health checks, by `hostedzone/ID` or `healthcheck/ID`. */
  readonly tags: SortedMap<Readonly<Record<string, string>>>
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
  /** By `versionKey`, oldest first; the last is what the API shows. A busy zone has thousands on their way to the DNS. */
  readonly versions: SortedMap<ZoneVersion>
}

export interface ZoneVersion {
  readonly submittedMs: Instant
  /** The DNS answers from this version on from this moment. */
  readonly visibleMs: Instant
  /** The record sets by `recordKey`, which makes the order of the map the order of lists. */
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

export interface SubmittedChange {
  readonly id: string
  readonly account: string
  readonly submittedMs: Instant
  readonly insyncMs: Instant
  readonly comment?: string
}

export interface Route53HealthCheck {
  readonly id: string
  readonly account: string
  readonly callerReference: string
  readonly config: Readonly<Record<string, unknown>>
  readonly version: number
}

export const emptyRoute53: Route53State = {
  zones: SortedMap.empty(),
  changes: SortedMap.empty(),
  olderChanges: SortedMap.empty(),
  lastInsyncMs: undefined,
  healthChecks: SortedMap.empty(),
  callerReferences: SortedMap.empty(),
  tags: SortedMap.empty(),
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
  const newest = zone.versions.last()?.[1]
  invariant(newest !== undefined, 'a zone has at least one version', { zone: zone.id })
  return newest.sets
}

/** What the DNS answers from; `undefined` before the zone itself has reached it. */
export function visibleSets(zone: Zone, now: Instant): SortedMap<RecordSet> | undefined {
  return zone.versions.floor(versionKey(now))?.[1].sets
}

/** A zone's sets where nothing older is to be seen any more. */
export function onlyVersion(version: ZoneVersion): SortedMap<ZoneVersion> {
  return SortedMap.from([[versionKey(version.visibleMs), version]])
}

/** What becomes visible at the same moment is one to the DNS. Text order must be the order of instants, which 16 digits hold. */
function versionKey(visibleMs: Instant): string {
  return String(Math.max(0, Math.floor(visibleMs))).padStart(16, '0')
}

/** The zone with new sets, which the DNS sees in `delayMs`, never before those of an earlier change. */
export function withSets(zone: Zone, sets: SortedMap<RecordSet>, when: { now: Instant; delayMs: number }): Zone {
  const { now, delayMs } = when
  const visibleMs = Math.max(now + delayMs, zone.versions.last()?.[1].visibleMs ?? 0)
  const version = { submittedMs: now, visibleMs, sets }
  if (visibleMs <= now) return { ...zone, versions: onlyVersion(version) }
  let { versions } = zone
  const [seen = ''] = versions.floor(versionKey(now)) ?? []
  for (let first = versions.first(); first !== undefined && first[0] < seen; first = versions.first()) {
    versions = versions.delete(first[0])
  }
  return { ...zone, versions: versions.set(versionKey(visibleMs), version) }
}

/** GetChange answers for at least this many of the latest changes. */
const changesKeptMax = 20_000

/** When a generation is full it becomes the older one, and the one before it is forgotten whole. */
export function withChange(state: Route53State, change: SubmittedChange): Route53State {
  const isFull = state.changes.size >= changesKeptMax
  const changes = (isFull ? SortedMap.empty<SubmittedChange>() : state.changes).set(change.id, change)
  return { ...state, changes, olderChanges: isFull ? state.changes : state.olderChanges, lastInsyncMs: change.insyncMs }
}

export function changeById(state: Route53State, id: string): SubmittedChange | undefined {
  return state.changes.get(id) ?? state.olderChanges.get(id)
}
