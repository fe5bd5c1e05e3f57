// Which objects would write the same names into the same zones: with policy sync, each would take the records of the other away or leave
// them half done. Only what is certain counts; two patterns that might meet do not.
import type { DnsSpec, Domain } from '../api/spec.ts'
import { namedSecret } from '../api/spec.ts'
import { renderLabelFilter } from '../domains/label-filter.ts'

export interface Contender {
  readonly name: string
  /** When it was made. */
  readonly since: string
  readonly ownerId: string
  readonly spec: DnsSpec
}

export function areRivals(a: Contender, b: Contender): boolean {
  if (a.name === b.name || !shareZones(a.spec, b.spec) || !shareDomains(a.spec.domains, b.spec.domains)) return false
  return a.ownerId === b.ownerId || shareSources(a.spec, b.spec)
}

/** Those that came before it, write under its owner id, and meet it: their records are not its own to change. */
export function eldersOf(own: Contender, others: readonly Contender[]): readonly string[] {
  const age = ({ since, name }: Contender): string => `${since} ${name}`
  return others.filter(other => age(other) < age(own) && areRivals(own, other)).map(({ name }) => name)
}

/** Objects that name no zones mean all that their credentials see: only alike credentials are known to see the same. */
function shareZones(a: DnsSpec, b: DnsSpec): boolean {
  if (a.provider.type !== b.provider.type) return false
  const [mine = [], others = []] = [a.zones, b.zones]
  if (mine.length > 0 && others.length > 0) return mine.some(zone => others.includes(zone))
  return accessOf(a) === accessOf(b)
}

function accessOf(spec: DnsSpec): string {
  const { aws, gcp, infoblox } = spec.provider
  const parts = [namedSecret(spec), aws?.assumeRole?.arn, aws?.workloadIdentity?.roleARN, gcp?.project, infoblox?.gridHost]
  return JSON.stringify(parts)
}

function shareDomains(a: readonly Domain[] = [], b: readonly Domain[] = []): boolean {
  const [mine, others] = [included(a), included(b)]
  if (mine.length === 0 || others.length === 0) return true
  return mine.some(one => others.some(other => meet(one, other)))
}

function included(domains: readonly Domain[]): readonly Domain[] {
  return domains.filter(({ filterType }) => filterType === 'Include')
}

function meet(a: Domain, b: Domain): boolean {
  if (a.matchType === 'Pattern' || b.matchType === 'Pattern') return a.pattern !== undefined && a.pattern === b.pattern
  const [one, other] = [dotted(a.name), dotted(b.name)]
  return one.endsWith(other) || other.endsWith(one)
}

function dotted(name = ''): string {
  return `.${name.toLowerCase().replace(/^\.+|\.+$/g, '')}`
}

function shareSources(a: DnsSpec, b: DnsSpec): boolean {
  if (a.source.type !== b.source.type) return false
  if (a.source.namespace !== undefined && b.source.namespace !== undefined && a.source.namespace !== b.source.namespace)
    return false
  const [mine, others] = [renderLabelFilter(a.source.labelFilter), renderLabelFilter(b.source.labelFilter)]
  return mine === undefined || others === undefined || mine === others
}
