// What an ExternalDNS asks for, in the one form that can hold the fields of every version. What a user sends may still be anything that its
// schema lets through, and what was stored before a schema became strict, anything at all.
import type { LabelSelectorObject } from '#kube'

export interface DnsSpec {
  readonly domains?: readonly Domain[]
  readonly provider: ProviderSpec
  readonly source: SourceSpec
  readonly zones?: readonly string[]
  readonly intervalSeconds?: number
  readonly ownership?: { readonly ownerID?: string; readonly txtPrefix?: string; readonly policy?: string }
  readonly zoneDiscovery?: { readonly mode?: string }
  readonly operand?: OperandSpec
  readonly preflight?: { readonly enabled?: boolean; readonly intervalSeconds?: number; readonly simulate?: boolean }
  readonly dryRun?: boolean
}

export interface Domain {
  readonly filterType: string
  readonly matchType: string
  readonly name?: string
  readonly pattern?: string
}

export interface Named {
  readonly name: string
}

export interface ProviderSpec {
  readonly type: string
  readonly aws?: AwsSpec
  readonly gcp?: { readonly project?: string; readonly credentials?: Named }
  readonly azure?: { readonly configFile?: Named }
  readonly blueCat?: { readonly configFile?: Named }
  readonly infoblox?: InfobloxSpec
}

export interface AwsSpec {
  readonly credentials?: Named
  readonly assumeRole?: { readonly arn?: string; readonly externalID?: string }
  readonly workloadIdentity?: WorkloadIdentity
  readonly region?: string
  readonly preferCNAME?: boolean
  readonly zoneType?: string
  readonly zoneTags?: Readonly<Record<string, string>>
}

export interface WorkloadIdentity {
  readonly mode: string
  readonly roleARN?: string
  readonly audience?: string
  readonly tokenExpirationSeconds?: number
  readonly regionalEndpoints?: boolean
  readonly projectToken?: boolean
  readonly bindingRef?: BindingRef
}

export interface BindingRef {
  readonly apiVersion?: string
  readonly kind?: string
  readonly namespace?: string
  readonly name?: string
  readonly create?: boolean
}

export interface InfobloxSpec {
  readonly credentials?: Named
  readonly gridHost?: string
  readonly wapiPort?: number
  readonly wapiVersion?: string
  readonly maxResults?: number
  readonly view?: string
}

export interface SourceSpec {
  readonly type: string
  readonly labelFilter?: LabelSelectorObject | null
  readonly service?: { readonly serviceType?: readonly string[] }
  readonly openshiftRouteOptions?: { readonly routerName?: string }
  readonly hostnameAnnotation?: string
  readonly fqdnTemplate?: readonly string[]
  readonly crd?: { readonly kind?: string; readonly version?: string }
  readonly namespace?: string
  readonly annotationFilter?: string
  readonly ingressClassNames?: readonly string[]
}

export interface OperandSpec {
  readonly logLevel?: string
  readonly resources?: Readonly<Record<string, unknown>>
  readonly nodeSelector?: Readonly<Record<string, string>>
  readonly tolerations?: readonly Readonly<Record<string, unknown>>[]
  readonly priorityClassName?: string
  readonly imagePullSecrets?: readonly Named[]
  readonly cleanup?: boolean
}

/** The Secret that an object names for its provider; the empty name of the older versions says the same as none. */
export function namedSecret({ provider }: DnsSpec): string {
  switch (provider.type) {
    case 'AWS':
      return provider.aws?.credentials?.name ?? ''
    case 'GCP':
      return provider.gcp?.credentials?.name ?? ''
    case 'Azure':
      return provider.azure?.configFile?.name ?? ''
    case 'BlueCat':
      return provider.blueCat?.configFile?.name ?? ''
    case 'Infoblox':
      return provider.infoblox?.credentials?.name ?? ''
    default:
      return ''
  }
}

/** Providers for which OpenShift hands out credentials itself. */
export function isManagedProvider(type: string): boolean {
  return type === 'AWS' || type === 'GCP' || type === 'Azure'
}
