// Which service and region a request is for (spec §2.2, §2.3). Host names decide when they can; behind an override address, where
// all services share one host, the request itself has to say.
import type { ServiceName } from '../service.ts'

/** A service that AWS has and the emulator has not, by the name that the request gives it. */
export interface Unserved {
  readonly unserved: string
}

export interface Address {
  readonly service: ServiceName | 'issuer' | Unserved
  /** From the host name or the signature's scope; `undefined` when neither says. */
  readonly region: string | undefined
  /** From a virtual-host style S3 name. */
  readonly bucket: string | undefined
  /** True when the host name is one of AWS's and chose the service. */
  readonly hostNamed: boolean
}

export interface Addressed {
  readonly host: string
  readonly path: string
  readonly query: ReadonlyMap<string, string>
  readonly headers: Readonly<Record<string, string>>
  /** The form's `Version`, when the body is a form. */
  readonly formVersion: () => string | undefined
}

export function addressOf(request: Addressed): Address {
  const host = withoutPort(request.host).toLowerCase()
  const named = byHost(host)
  const scope = scopeOf(request)
  if (named !== undefined) return { ...named, region: named.region ?? scope?.region, hostNamed: true }
  const service = byRequest(request, scope?.service)
  const bucket = service === 's3' ? localBucket(host) : undefined
  return { service, region: scope?.region, bucket, hostNamed: false }
}

/** `aws`, `aws-cn` or `aws-us-gov`. */
export function partitionOf(region: string): string {
  if (region.startsWith('cn-')) return 'aws-cn'
  return region.startsWith('us-gov-') ? 'aws-us-gov' : 'aws'
}

const regionForm = /^[a-z]{2}(?:-[a-z]+)+-\d+$/

const hostServices: Readonly<Record<string, ServiceName>> = {
  iam: 'iam',
  sts: 'sts',
  'sts-fips': 'sts',
  eks: 'eks',
  'eks-auth': 'eks-auth',
  acm: 'acm',
  route53: 'route53',
  organizations: 'organizations',
  servicequotas: 'servicequotas',
  tagging: 'tagging',
}

type HostAddress = Pick<Address, 'service' | 'region' | 'bucket'>

function byHost(host: string): HostAddress | undefined {
  const suffix = ['.amazonaws.com.cn', '.amazonaws.com', '.api.aws'].find(ending => host.endsWith(ending))
  if (suffix === undefined) return undefined
  const labels = host.slice(0, -suffix.length).split('.')
  const bucketHost = suffix === '.api.aws' ? undefined : byS3Host(labels)
  if (bucketHost !== undefined) return bucketHost
  if (labels[0] === 'oidc' && labels[1] === 'eks') return { service: 'issuer', region: labels[2], bucket: undefined }
  const service = hostServices[labels[0] ?? '']
  if (service === undefined || labels.length > 2) return undefined
  const region = labels[1]
  if (region !== undefined && region !== 'us-gov' && !regionForm.test(region)) return undefined
  return { service, region: region === 'us-gov' ? 'us-gov-west-1' : (region ?? globalRegion(service, suffix)), bucket: undefined }
}

/** `sts.amazonaws.com` behaves as us-east-1; the others without a region take the scope's. */
function globalRegion(service: ServiceName, suffix: string): string | undefined {
  if (suffix === '.amazonaws.com.cn') return 'cn-north-1'
  return service === 'sts' ? 'us-east-1' : undefined
}

/** The S3 label may stand anywhere near the end; all before it is the bucket, which may hold dots. */
function byS3Host(labels: readonly string[]): HostAddress | undefined {
  const last = labels.at(-1) ?? ''
  const found = (region: string | undefined, used: number): HostAddress => ({
    service: 's3',
    region,
    bucket: labels.length > used ? labels.slice(0, -used).join('.') : undefined,
  })
  if (last === 's3') return found(undefined, 1)
  if (last.startsWith('s3-') && regionForm.test(last.slice(3))) return found(last.slice(3), 1)
  if (!regionForm.test(last)) return undefined
  if (labels.at(-2) === 's3') return found(last, 2)
  return labels.at(-2) === 'dualstack' && labels.at(-3) === 's3' ? found(last, 3) : undefined
}

function localBucket(host: string): string | undefined {
  if (!host.endsWith('.localhost')) return undefined
  const name = host.slice(0, -'.localhost'.length)
  return name === 's3' ? undefined : name.endsWith('.s3') ? name.slice(0, -3) : name
}

const targetServices: readonly (readonly [prefix: string, service: ServiceName])[] = [
  ['CertificateManager.', 'acm'],
  ['AWSOrganizationsV20161128.', 'organizations'],
  ['ServiceQuotasV20190624.', 'servicequotas'],
  ['ResourceGroupsTaggingAPI_20170126.', 'tagging'],
]

function byRequest(request: Addressed, scopeService: string | undefined): Address['service'] {
  const target = request.headers['x-amz-target']
  const targeted = target === undefined ? undefined : targetServices.find(([prefix]) => target.startsWith(prefix))
  if (targeted !== undefined) return targeted[1]
  const scoped = scopeService === 's3' ? 's3' : hostServices[scopeService ?? '']
  if (scoped !== undefined) return scoped
  const version = request.query.get('Version') ?? request.formVersion()
  if (version === '2010-05-08') return 'iam'
  if (version === '2011-06-15') return 'sts'
  // Whoever signs for another service would otherwise be told of a bucket with the name of its path.
  const other = scopeService ?? target?.split('.')[0]
  return other === undefined || !/^[\w-]+$/.test(other) ? byPath(request.path) : { unserved: other }
}

function byPath(path: string): ServiceName | 'issuer' {
  if (path.startsWith('/2013-04-01/')) return 'route53'
  if (/^\/clusters\/[^/]+\/assume-role-for-pod-identity\/?$/.test(path)) return 'eks-auth'
  if (/^\/clusters(?:\/|$)/.test(path) || /^\/tags\/arn(?::|%3A)[a-z-]+(?::|%3A)eks(?::|%3A)/i.test(path)) return 'eks'
  return /^\/id\/[0-9A-Fa-f]{32}\//.test(path) ? 'issuer' : 's3'
}

function scopeOf(request: Addressed): { readonly region: string; readonly service: string } | undefined {
  const header = /Credential=([^,\s]+)/.exec(request.headers['authorization'] ?? '')?.[1]
  const parts = (header ?? request.query.get('X-Amz-Credential'))?.split('/')
  if (parts === undefined || parts.length < 5) return undefined
  return { region: parts.at(-3) as string, service: parts.at(-2) as string }
}

function withoutPort(host: string): string {
  if (host.startsWith('[')) return host.slice(0, host.indexOf(']') + 1)
  const colon = host.indexOf(':')
  return colon === -1 ? host : host.slice(0, colon)
}
