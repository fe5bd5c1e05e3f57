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

function hostOf({ endpointPrefix, globalEndpoint }: ServiceModel, { region, fips, dualStack }: EndpointOptions): string {
  const partition = partitionOf(region)
  const { dnsSuffix, dualStackDnsSuffix } = partition
  const fipsPart = fips ? '-fips' : ''
  if (endpointPrefix === 's3') {
    return `s3${fipsPart}.${dualStack ? 'dualstack.' : ''}${region}.${dnsSuffix}`
  }
  // EKS Auth was born dual-stack and has no other name.
  if (endpointPrefix === 'eks-auth') return `eks-auth${fipsPart}.${region}.${dualStackDnsSuffix}`
  if (globalEndpoint?.[partition.id] !== undefined) {
    return dualStack ? `${endpointPrefix}${fipsPart}.global.${dualStackDnsSuffix}` : `${endpointPrefix}${fipsPart}.${dnsSuffix}`
  }
  return `${endpointPrefix}${fipsPart}.${region}.${dualStack ? dualStackDnsSuffix : dnsSuffix}`
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
