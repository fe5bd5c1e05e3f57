// Whether the world sees a validation record that stands in its zone, as name servers tell. It decides nothing: what it finds is told beside the
// wait for ACM, which looks for itself. Servers that do not answer are left alone for a while, so that nobody's worker waits at them.
import { BoundedCache, type Clock, type Dns, type DnsAnswer } from '#base'
import { recordName } from '../names/domain-name.ts'
import type { RegisteredZone } from './registry.ts'
import type { Zones } from './zones.ts'

/** How the DNS leads past the zone. */
export interface Astray {
  /** The zone, or a name within it that is delegated further. */
  readonly name: string
  /** Who answers for the name. None: nobody that we know of. */
  readonly servers: readonly string[]
  /** Of the hosted zone, in which the record stands. */
  readonly own: readonly string[]
}

export interface RecordToFind {
  readonly name: string
  readonly value: string
  readonly zone: RegisteredZone
}

/** Asked for nothing else while it lasts: several passes may come within a minute. */
const believedMs = 4 * 60_000
/** What was found stays said while nobody answers. */
const keptMs = 3_600_000
const quietMs = 5 * 60_000
const timeoutMs = 2_000
const cutsMax = 8
const serversMax = 8
const entriesMax = 2_000

interface Found {
  readonly astray: Astray | undefined
  readonly atMs: number
}

interface Tools {
  readonly dns: Dns
  /** None: those of the machine. */
  readonly servers: readonly string[]
  readonly clock: Pick<Clock, 'monotonicMs'>
  readonly zones: Pick<Zones, 'facts'>
}

export class DnsLooks {
  readonly #tools: Tools
  readonly #found = new BoundedCache<string, Found>(entriesMax)
  #quietUntilMs = Number.NEGATIVE_INFINITY

  constructor(tools: Tools) {
    this.#tools = tools
  }

  /** `undefined`: the record is seen, or nobody can tell. */
  async astray(record: RecordToFind): Promise<Astray | undefined> {
    const key = `${record.zone.id}/${record.name}`
    const { clock, zones } = this.#tools
    const before = this.#found.get(key)
    const ageMs = clock.monotonicMs() - (before?.atMs ?? Number.NEGATIVE_INFINITY)
    if (ageMs < believedMs) return before?.astray
    const own = zones.facts(record.zone)?.nameServers ?? []
    // Without those of the zone there is nothing to compare with.
    const found = own.length === 0 || clock.monotonicMs() < this.#quietUntilMs ? 'unknown' : await this.#ask(record, own)
    if (found === 'unknown') return ageMs < keptMs ? before?.astray : undefined
    const astray = found === 'seen' ? undefined : found
    this.#found.set(key, { astray, atMs: clock.monotonicMs() }, 1)
    return astray
  }

  async #ask({ name, value, zone }: RecordToFind, own: readonly string[]): Promise<Astray | 'seen' | 'unknown'> {
    const record = await this.#answer(name, 'CNAME')
    if (record.kind === 'silent') return 'unknown'
    if (record.kind === 'values' && record.values.some(found => recordName(found) === recordName(value))) return 'seen'
    for (const cut of cutsOf(name, zone.name)) {
      const servers = await this.#answer(cut, 'NS')
      if (servers.kind === 'silent') return 'unknown'
      const named = servers.kind === 'values' ? serversOf(servers.values) : []
      // The way leads here: what was written lately is not seen everywhere at once.
      if (named.some(server => own.includes(server))) return 'seen'
      if (named.length > 0 || cut === zone.name) return { name: cut, servers: named, own }
    }
    return 'unknown'
  }

  async #answer(name: string, type: 'CNAME' | 'NS'): Promise<DnsAnswer> {
    const { dns, servers, clock } = this.#tools
    const answer = await dns.ask({ name, type, servers, timeoutMs })
    if (answer.kind === 'silent') this.#quietUntilMs = clock.monotonicMs() + quietMs
    return answer
  }
}

/** What stands in the DNS is anybody's text: only names come into messages, and few. */
function serversOf(values: readonly string[]): readonly string[] {
  const names = values.map(recordName).filter(name => /^[a-z\d._-]{1,253}$/.test(name))
  return names.sort().slice(0, serversMax)
}

/** Where another zone may begin: from the name that the record proves up to its zone. */
function cutsOf(record: string, zone: string): readonly string[] {
  const cuts: string[] = []
  for (let name = parentOf(record); name !== zone && name.endsWith(`.${zone}`); name = parentOf(name)) cuts.push(name)
  return [...cuts.slice(0, cutsMax), zone]
}

function parentOf(name: string): string {
  return name.slice(name.indexOf('.') + 1)
}

/** In words, with the next step. */
export function astrayMessage({ name, servers, own }: Astray, { name: zone, id }: RegisteredZone): string {
  const ours = own.join(', ')
  const stands = `the records stand in the hosted zone ${id} of "${zone}", and the DNS does not lead there:`
  if (name !== zone)
    return `${stands} "${name}" is delegated to ${servers.join(', ')}; configure the hosted zone of "${name}", or take its NS records out of "${zone}"`
  const mend = `name ${ours} in the NS records of "${zone}" in its parent zone or at its registrar`
  if (servers.length === 0) return `${stands} no name servers of "${zone}" are found; ${mend}`
  return `${stands} "${zone}" is delegated to ${servers.join(', ')}; ${mend}, or configure the hosted zone that they serve`
}
