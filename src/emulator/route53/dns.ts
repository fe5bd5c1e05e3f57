// The DNS that the stored zones make (§10.5): which zone answers, wildcards after RFC 4592, CNAME chains, aliases, weights.
// Only what is INSYNC is visible. ACM looks its validation records up here.
import type { Instant, Random } from '#base'
import type { DnsRecord, DnsReply } from '../dns/reply.ts'
import type { SortedMap } from '../state/sorted-map.ts'
import { nameKey, type RecordSet, setsWithPrefix, treeKey, visibleSets, type Zone } from './model.ts'
import { canonicalName, isWithin, labelsOf, parentName } from './names.ts'

export interface DnsQuestion {
  readonly name: string
  readonly type: string
  /** The id of the VPC that asks, which sees its private zones first; absent for the public view. */
  readonly vpc?: string
  readonly at: Instant
}

export interface DnsWorld {
  /** Of all accounts of the partition. */
  readonly zones: readonly Zone[]
  /** A zone without an emulated parent counts as delegated. */
  readonly delegateOrphanZones: boolean
  /** Weighted sets draw from here. */
  readonly random: Random
}

/** Longer chains are a loop or a mistake; resolvers give up too. */
const chainMax = 8

export function resolveDns(world: DnsWorld, question: DnsQuestion): DnsReply {
  const records: DnsRecord[] = []
  let name = canonicalName(question.name)
  for (let hop = 0; hop <= chainMax; hop++) {
    const zone = zoneFor(world, { ...question, name })
    const step = zone === undefined ? refused : lookUp(world, zone, { ...question, name }, 0)
    records.push(...step.records)
    if (step.cname === undefined) {
      const code = hop > 0 && step.code === 'REFUSED' ? 'NOERROR' : step.code
      return { code, records, authority: step.authority }
    }
    if (question.type === 'CNAME') return { code: 'NOERROR', records, authority: [] }
    name = canonicalName(step.cname)
  }
  return failed
}

/** TestDNSAnswer asks one zone, delegated or not, and does not leave it. */
export function answerOfZone(world: DnsWorld, zone: Zone, question: DnsQuestion): DnsReply {
  const name = canonicalName(question.name)
  return isWithin(name, zone.name) ? lookUp(world, zone, { ...question, name }, 0) : refused
}

interface Step extends DnsReply {
  /** Where the search goes on. */
  readonly cname?: string
}

const refused: Step = { code: 'REFUSED', records: [], authority: [] }
const failed: Step = { code: 'SERVFAIL', records: [], authority: [] }

function lookUp(world: DnsWorld, zone: Zone, question: DnsQuestion, depth: number): Step {
  const sets = visibleSets(zone, question.at)
  if (depth > chainMax) return failed
  if (sets === undefined) return refused
  const elsewhere = delegation(zone, sets, question)
  if (elsewhere !== undefined) return { code: 'NOERROR', records: [], authority: recordsOf(elsewhere, elsewhere.Name) }
  const authority = startOf(zone, sets)
  const owner = ownerOf(zone, sets, question.name)
  if (owner === undefined) return { code: 'NXDOMAIN', records: [], authority }
  const here = [...setsWithPrefix(sets, nameKey(owner))]
  const [cname] = pick(here, 'CNAME', world.random)
  if (cname !== undefined && cname.AliasTarget === undefined) {
    const records = recordsOf(cname, question.name)
    return { code: 'NOERROR', records, authority: [], ...(records[0] !== undefined && { cname: records[0].value }) }
  }
  const found = cname === undefined ? pick(here, question.type, world.random) : [cname]
  const alias = found[0]?.AliasTarget
  if (alias !== undefined) return followAlias(world, zone, { question, target: alias.DNSName, depth })
  const records = found.flatMap(set => recordsOf(set, question.name))
  return { code: 'NOERROR', records, authority: records.length === 0 ? authority : [] }
}

/** The zone's SOA, by which resolvers know how long to remember that there is nothing. */
function startOf(zone: Zone, sets: SortedMap<RecordSet>): DnsRecord[] {
  return [...setsWithPrefix(sets, `${nameKey(zone.name)}SOA\0`)].flatMap(set => recordsOf(set, zone.name))
}

/** The NS set between the zone's top and the name: whatever the zone holds below it is not asked for. DS records stand above such a cut. */
function delegation(zone: Zone, sets: SortedMap<RecordSet>, { name, type }: DnsQuestion): RecordSet | undefined {
  const names = namesBelow(zone.name, name).filter(cut => type !== 'DS' || cut !== name)
  return names.map(cut => [...setsWithPrefix(sets, `${nameKey(cut)}NS\0`)][0]).find(set => set !== undefined)
}

/** The names from one label below the top down to the name itself. */
function namesBelow(top: string, name: string): readonly string[] {
  const names: string[] = []
  for (let at: string | undefined = name; at !== undefined && at !== top; at = parentName(at)) names.unshift(at)
  return names
}

function recordsOf(set: RecordSet, name: string): DnsRecord[] {
  return (set.ResourceRecords ?? []).map(record => ({ name, type: set.Type, ttl: set.TTL ?? 0, value: record.Value }))
}

/** An alias answers with its target's values under its own name. Targets outside our zones (load balancers) have no address here. */
function followAlias(world: DnsWorld, zone: Zone, alias: { question: DnsQuestion; target: string; depth: number }): Step {
  const { question, target, depth } = alias
  const answer = isWithin(target, zone.name)
    ? lookUp(world, zone, { ...question, name: target }, depth + 1)
    : resolveDns(world, { ...question, name: target })
  if (answer.code === 'SERVFAIL') return answer
  const records = answer.records.filter(record => record.type === question.type)
  return { code: 'NOERROR', records: records.map(record => ({ ...record, name: question.name })), authority: [] }
}

/** The name whose sets answer: itself, or the wildcard below its closest existing ancestor. */
function ownerOf(zone: Zone, sets: SortedMap<RecordSet>, name: string): string | undefined {
  if (exists(sets, name)) return name
  for (let parent = parentName(name); parent !== undefined && isWithin(parent, zone.name); parent = parentName(parent)) {
    const wildcard = `\\052.${parent}`
    if (exists(sets, wildcard)) return wildcard
    if (exists(sets, parent)) return undefined
  }
  return undefined
}

/** Also true of a name that has nothing but names below it. */
function exists(sets: SortedMap<RecordSet>, name: string): boolean {
  const [found] = setsWithPrefix(sets, treeKey(name))
  return found !== undefined
}

/** Of several sets of a name and type: all multi-value ones, one by weight where they have weights, else the first. */
function pick(here: readonly RecordSet[], type: string, random: Random): readonly RecordSet[] {
  const sets = here.filter(set => set.Type === type)
  if (sets.length <= 1 || sets.every(set => set.MultiValueAnswer === true)) return sets
  const total = sets.reduce((sum, set) => sum + (set.Weight ?? 0), 0)
  if (total === 0) return sets.slice(0, 1)
  let at = random.integer(total)
  for (const set of sets) {
    at -= set.Weight ?? 0
    if (at < 0) return [set]
  }
  return sets.slice(0, 1)
}

/** The zone with the longest name above the question's that the view can see. */
function zoneFor(world: DnsWorld, question: DnsQuestion): Zone | undefined {
  const candidates = world.zones
    .filter(zone => isWithin(question.name, zone.name) && visibleSets(zone, question.at) !== undefined)
    .sort((a, b) => labelsOf(b.name).length - labelsOf(a.name).length || a.createdMs - b.createdMs || (a.id < b.id ? -1 : 1))
  const { vpc } = question
  const inside = candidates.find(zone => zone.privateZone && vpc !== undefined && zone.vpcs.some(other => other.VPCId === vpc))
  if (inside !== undefined) return inside
  const open = candidates.filter(zone => !zone.privateZone)
  return open.find(zone => isDelegated(zone, open, question.at, world.delegateOrphanZones))
}

/** A zone answers when the NS set in its parent zone names its servers, or when the emulator has no parent zone for it. */
function isDelegated(zone: Zone, zones: readonly Zone[], at: Instant, delegateOrphans: boolean): boolean {
  const parents = zones.filter(other => other.name !== zone.name && isWithin(zone.name, other.name))
  const nearest = Math.max(0, ...parents.map(parent => labelsOf(parent.name).length))
  const direct = parents.filter(parent => labelsOf(parent.name).length === nearest)
  if (direct.length === 0) return delegateOrphans && zones.find(other => other.name === zone.name) === zone
  return direct.some(parent => {
    const sets = visibleSets(parent, at)
    const [delegation] = sets === undefined ? [] : setsWithPrefix(sets, `${nameKey(zone.name)}NS\0`)
    const servers = delegation?.ResourceRecords?.map(record => canonicalName(record.Value)) ?? []
    return servers.some(server => zone.nameServers.includes(server.slice(0, -1)))
  })
}
