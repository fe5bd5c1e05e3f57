// What is refused in the newest version and only warned of in older ones, whose objects may be there already; and what is warned of in all.
import { dnsSubdomainErrors, labelValueErrors } from '#kube'
import type { DnsSpec } from '../api/spec.ts'
import { labelFilterProblem } from '../domains/label-filter.ts'
import { isRoleArn } from '../domains/role-arn.ts'
import { discoveryRefusal } from '../zones/refusals.ts'
import { fixedLabelLength, templateProblem } from './go-template.ts'

export interface CautionContext {
  readonly name: string
  /** Whether the cluster serves Routes. */
  readonly hasRoutes: boolean
  readonly isOpenShift: boolean
}

/** Refused in the newest version. */
export function newRefusals(spec: DnsSpec, { name, hasRoutes, isOpenShift }: CautionContext): readonly string[] {
  const { source, provider } = spec
  const selector = labelFilterProblem(source.labelFilter)
  const template = (source.fqdnTemplate ?? []).flatMap(text => {
    const problem = templateProblem(text)
    return problem === undefined ? [] : [`fqdnTemplate is no Go template: ${problem}`]
  })
  // Whether this process tries credentials is not the author's to know: that is said in the status.
  const looking = discoveryRefusal(spec, { isOpenShift, triesCredentials: true })
  return [
    ...zoneRefusals(spec),
    ...(looking === undefined ? [] : [looking]),
    ...(selector === undefined ? [] : [`labelFilter is no label selector: ${selector}`]),
    ...roleRefusals(spec),
    ...(source.type === 'OpenShiftRoute' && !hasRoutes
      ? ['source OpenShiftRoute needs the Route API, which this cluster has not']
      : []),
    ...nameRefusals(name),
    ...template.slice(0, 1),
    ...(provider.type !== 'AWS' && provider.aws?.assumeRole !== undefined ? ['assumeRole is for the provider AWS alone'] : []),
  ]
}

function zoneRefusals({ zones = [], provider }: DnsSpec): readonly string[] {
  const repeated = zones.find((zone, index) => zones.indexOf(zone) !== index)
  const bad = zones.find(zone => zone !== '' && !isZoneId(provider.type, zone))
  return [
    ...(repeated === undefined ? [] : [`zone "${repeated}" is there more than once`]),
    ...(zones.includes('') ? ['a zone is empty'] : []),
    ...(bad === undefined ? [] : [`"${bad}" is no zone id of ${provider.type}`]),
  ]
}

function isZoneId(provider: string, zone: string): boolean {
  if (provider === 'AWS') return /^(\/hostedzone\/)?Z[A-Z0-9]{1,31}$/.test(zone)
  if (provider === 'Azure')
    return /^\/subscriptions\/[^/]+\/resourcegroups\/[^/]+\/providers\/microsoft\.network\/(private)?dnszones\/[^/]+$/i.test(zone)
  return true
}

function roleRefusals({ provider: { aws } }: DnsSpec): readonly string[] {
  const { arn = '', externalID } = aws?.assumeRole ?? {}
  const identity = aws?.workloadIdentity
  return [
    ...(arn !== '' && !isRoleArn(arn) ? [`"${arn}" is not the ARN of an IAM role`] : []),
    ...(externalID !== undefined && arn === '' ? ['externalID needs the arn of a role'] : []),
    ...(identity !== undefined && aws?.credentials !== undefined ? ['credentials and workloadIdentity exclude each other'] : []),
  ]
}

function nameRefusals(name: string): readonly string[] {
  const trouble = name === '' ? [] : [...labelValueErrors(name), ...dnsSubdomainErrors(name)]
  return trouble.length === 0 ? [] : [`the name cannot be the value of a label: ${trouble[0]}`]
}

/** Allowed in every version, and hardly ever meant. */
export function cautions(spec: DnsSpec): readonly string[] {
  const { domains = [], source, zones = [] } = spec
  const has = (filterType: string, matchType: string): boolean =>
    domains.some(domain => domain.filterType === filterType && domain.matchType === matchType)
  const [includes, excludes] = [has('Include', 'Pattern'), has('Exclude', 'Pattern')]
  const isMixed = domains.some(({ matchType }) => matchType === 'Exact') && (includes || excludes)
  return [
    ...(isMixed ? ['Exact and Pattern domains are mixed: the operand ignores every Exact one once a Pattern is included'] : []),
    ...(excludes && !includes ? ['a Pattern is excluded and none included: operands up to 0.14 ignore the exclusion'] : []),
    ...(excludes && includes ? ['Patterns are included and excluded: operands up to 0.14 apply the exclusion alone'] : []),
    ...(source.hostnameAnnotation === 'Allow'
      ? ['hostnameAnnotation Allow lets whoever may write such objects choose any DNS name in the zones']
      : []),
    ...(zones.length === 0 && domains.length === 0 && (spec.zoneDiscovery?.mode ?? 'None') === 'None'
      ? ['neither zones nor domains are named: all zones that the credentials can see are managed']
      : []),
    ...labelCautions(spec),
  ]
}

/** The record that tells the owner is a name with more in front. */
function labelCautions({ provider, source }: DnsSpec): readonly string[] {
  const isWildcardAzure = provider.type === 'Azure'
  return (source.fqdnTemplate ?? []).flatMap(text => {
    const isWildcard = text.startsWith('*')
    const max = isWildcard && isWildcardAzure ? 42 : 44
    return fixedLabelLength(text) > max
      ? [`a name of fqdnTemplate begins with a label longer than ${max}, which leaves no room for its owner's record`]
      : []
  })
}
