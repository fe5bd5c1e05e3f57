// Where a service is reached and for what a request is signed.
import type { ServiceModel } from '../../model/service-model.ts'
import { isRegion, partitionOf } from '../../names/partition.ts'

export interface EndpointOptions {
  readonly region: string
  /** An address of the caller's choice; wins over everything. */
  readonly endpoint?: string | undefined
  readonly fips?: boolean | undefined
  readonly dualStack?: boolean | undefined
}

export interface Endpoint {
  readonly url: URL
  readonly signingRegion: string
  /** Where the signature's scope is not that of the service. */
  readonly signingName?: string
  /** True for an address of the caller's choice: no host prefix and no bucket is put before its host. */
  readonly isCustom: boolean
}

/** A client that cannot be made with what it was given. */
export class ClientConfigError extends Error {
  readonly code = 'client-config'
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'ClientConfigError'
  }
}

export function resolveEndpoint(model: ServiceModel, options: EndpointOptions): Endpoint {
  const { region } = options
  if (!isRegion(region)) throw new ClientConfigError(`${JSON.stringify(region.slice(0, 100))} is no AWS region`)
  const partition = partitionOf(region)
  const global = model.globalEndpoint?.[partition.id]
  if (options.endpoint !== undefined) {
    return { url: parseEndpoint(options.endpoint), signingRegion: global?.region ?? region, isCustom: true }
  }
  const plain = !options.fips && !options.dualStack
  if (global !== undefined && plain)
    return { url: new URL(`https://${global.host}`), signingRegion: global.region, isCustom: false }
  const host = hostOf(model, options)
  return { url: new URL(`https://${host}`), signingRegion: global?.region ?? region, isCustom: false }
}

function hostOf({ endpointPrefix, globalEndpoint }: ServiceModel, options: EndpointOptions): string {
  const { region, dualStack } = options
  const { id, dnsSuffix, dualStackDnsSuffix } = partitionOf(region)
  const name = fipsName(endpointPrefix, { ...options, partition: id })
  if (endpointPrefix === 's3') return `${name}.${dualStack ? 'dualstack.' : ''}${region}.${dnsSuffix}`
  // EKS Auth was born dual-stack and has no other name.
  if (endpointPrefix === 'eks-auth') return `${name}.${region}.${dualStackDnsSuffix}`
  const global = globalEndpoint?.[id]
  if (global === undefined) return `${name}.${region}.${dualStack ? dualStackDnsSuffix : dnsSuffix}`
  if (id === 'aws-us-gov') return dualStack ? `${name}.us-gov.${dualStackDnsSuffix}` : global.host
  return dualStack ? `${name}.global.${dualStackDnsSuffix}` : `${name}.${dnsSuffix}`
}

/** Services whose ordinary endpoints in the GovCloud partition are the FIPS ones. */
const fipsInGovCloud = new Set(['acm', 'eks', 'iam', 'route53', 'sts'])

function fipsName(prefix: string, { fips, dualStack, partition }: EndpointOptions & { readonly partition: string }): string {
  if (!fips) return prefix
  if (partition === 'aws-us-gov' && !dualStack && fipsInGovCloud.has(prefix)) return prefix
  return prefix === 'eks' && partition === 'aws' && !dualStack ? 'fips.eks' : `${prefix}-fips`
}

function parseEndpoint(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || (url.protocol !== 'https:' && url.protocol !== 'http:') || url.search !== '' || url.hash !== '') {
    throw new ClientConfigError(`${JSON.stringify(text.slice(0, 200))} is no endpoint: expected http(s)://HOST[:PORT][/PATH]`)
  }
  return url
}

/**
 * The endpoint that the environment asks for: `AWS_ENDPOINT_URL_<SERVICE>` before `AWS_ENDPOINT_URL`, unless
 * `AWS_IGNORE_CONFIGURED_ENDPOINT_URLS` is set.
 */
export function endpointFromEnvironment(
  env: Readonly<Record<string, string | undefined>>,
  serviceId: string,
): string | undefined {
  if (env['AWS_IGNORE_CONFIGURED_ENDPOINT_URLS']?.toLowerCase() === 'true') return undefined
  const own = env[`AWS_ENDPOINT_URL_${serviceId.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')}`]
  return own || env['AWS_ENDPOINT_URL'] || undefined
}
