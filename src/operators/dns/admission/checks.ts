// What an ExternalDNS must be, whoever sends it: the checks and the words of the existing operator's webhook, in its order.
import { quote } from '#schema'
import type { DnsSpec, Domain, ProviderSpec } from '../api/spec.ts'
import { goPatternProblem } from '../domains/go-pattern.ts'
import { isArn } from '../domains/role-arn.ts'

export interface CheckContext {
  readonly isOpenShift: boolean
  /** The newest version has the source CRD; older ones have the word alone. */
  readonly isNewest: boolean
  /** The object that is there says CRD already, and may go on saying it. */
  readonly hadCrdSource: boolean
}

/** Each text once. Empty: the object is well. */
export function refusals(spec: DnsSpec, context: CheckContext): readonly string[] {
  const found = [
    domainRefusal(spec.domains),
    ...sourceRefusals(spec, context),
    providerRefusal(spec.provider, context),
    arnRefusal(spec),
  ]
  return [...new Set(found.filter(text => text !== undefined))]
}

/** As Go joins several errors. */
export function joinRefusals(texts: readonly string[]): string {
  return texts.length === 1 ? (texts[0] ?? '') : `[${texts.join(', ')}]`
}

/** Of the first bad entry alone. */
function domainRefusal(domains: readonly Domain[] = []): string | undefined {
  for (const domain of domains) {
    const refusal = refuseDomain(domain)
    if (refusal !== undefined) return refusal
  }
  return undefined
}

function refuseDomain({ matchType, name = '', pattern = '' }: Domain): string | undefined {
  switch (matchType) {
    case 'Exact':
      return name === '' ? '"Name" cannot be empty when match type is "Exact"' : undefined
    case 'Pattern': {
      if (pattern === '') return '"Pattern" cannot be empty when match type is "Pattern"'
      const problem = goPatternProblem(pattern)
      return problem === undefined ? undefined : `invalid pattern for "Pattern" match type: ${problem}`
    }
    default:
      return `unsupported match type ${quote(matchType ?? '')}`
  }
}

function sourceRefusals({ source }: DnsSpec, { isNewest, hadCrdSource }: CheckContext): readonly (string | undefined)[] {
  const { type, hostnameAnnotation, fqdnTemplate = [] } = source
  const isRefusedCrd = type === 'CRD' && !isNewest && !hadCrdSource
  // An endpoint of its own kind says its names itself.
  const namesItself = type === 'OpenShiftRoute' || (isNewest && type === 'CRD')
  const isNameless = !namesItself && hostnameAnnotation === 'Ignore' && fqdnTemplate.length === 0
  return [
    isRefusedCrd ? 'CRD source is not implemented' : undefined,
    isNameless ? '"fqdnTemplate" must be specified when "hostnameAnnotation" is "Ignore"' : undefined,
  ]
}

function providerRefusal(provider: ProviderSpec, { isOpenShift }: CheckContext): string | undefined {
  switch (provider.type) {
    case 'AWS':
      return isOpenShift || provider.aws?.workloadIdentity !== undefined
        ? undefined
        : nameless(provider.aws?.credentials?.name, 'credentials secret must be specified when provider type is AWS')
    case 'Azure':
      return isOpenShift
        ? undefined
        : nameless(provider.azure?.configFile?.name, 'config file name must be specified when provider type is Azure')
    case 'GCP':
      return isOpenShift
        ? undefined
        : nameless(provider.gcp?.credentials?.name, 'credentials secret must be specified when provider type is GCP')
    case 'BlueCat':
      return nameless(provider.blueCat?.configFile?.name, 'config file name must be specified when provider type is BlueCat')
    case 'Infoblox':
      return infobloxRefusal(provider.infoblox)
    default:
      return undefined
  }
}

function nameless(name: string | undefined, refusal: string): string | undefined {
  return name === undefined || name === '' ? refusal : undefined
}

function infobloxRefusal(infoblox: ProviderSpec['infoblox']): string | undefined {
  const { wapiVersion = '', wapiPort = 0, gridHost = '', credentials } = infoblox ?? {}
  const isWhole = wapiVersion !== '' && wapiPort !== 0 && gridHost !== '' && (credentials?.name ?? '') !== ''
  return isWhole
    ? undefined
    : '"WAPIVersion", "WAPIPort", "GridHost" and credentials file must be specified when provider is Infoblox'
}

/** Whatever the provider is. */
function arnRefusal({ provider }: DnsSpec): string | undefined {
  const role = provider.aws?.assumeRole
  if (role === undefined) return undefined
  const { arn = '' } = role
  return isArn(arn) ? undefined : `arn ${quote(arn)} is not a valid AWS ARN`
}
