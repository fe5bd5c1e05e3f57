// Which service and region a request is for. Host names decide when they can; behind an override address, where all services share one
// host, the request itself has to say. Each service brings what its requests are known by.

/** What the requests of a service are known by. */
export interface ServiceAddress {
  /** First labels of its host names; clients sign under them too. */
  readonly hosts: readonly string[]
  /** Names under which clients sign, where no host begins so. */
  readonly signingNames?: readonly string[]
  /** The region of a host name that names none; otherwise the signature's scope says it. */
  readonly globalRegion?: string
  /** The same in China; `cn-north-1` when absent. */
  readonly globalRegionOfChina?: string
  /** What `x-amz-target` begins with, up to the dot. */
  readonly target?: string
  /** The form's `Version`. */
  readonly formVersion?: string
  /** Paths of requests that nothing else names: no other service has one like it. */
  readonly path?: RegExp
  /** Reads host names of another form: S3's hold the bucket. */
  readonly readHost?: (labels: readonly string[], suffix: string) => Place | undefined
  /** Public documents of token issuers that lie beside the service, by host name and by path. */
  readonly issuers?: { readonly readHost: (labels: readonly string[]) => Place | undefined; readonly path: RegExp }
}

/** What a host name says beside the service. */
interface Place {
  readonly region: string | undefined
  readonly bucket: string | undefined
}

/** A service that AWS has and the emulator has not, by the name that the request gives it. */
export interface Unserved {
  readonly unserved: string
}

export interface RequestAddress {
  /** The name of a service, or `issuer`. */
  readonly service: string | Unserved
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

/** Reads the addresses of the services that are there. */
export class AddressBook {
  readonly #services: readonly Entry[]
  readonly #byHost: ReadonlyMap<string, Entry>
  readonly #bySigningName: ReadonlyMap<string, Entry>

  constructor(services: readonly Entry[]) {
    this.#services = services
    this.#byHost = new Map(services.flatMap(entry => entry.address.hosts.map(host => [host, entry] as const)))
    const signing = ({ address }: Entry): readonly string[] => [...address.hosts, ...(address.signingNames ?? [])]
    this.#bySigningName = new Map(services.flatMap(entry => signing(entry).map(name => [name, entry] as const)))
  }

  addressOf(request: Addressed): RequestAddress {
    const host = withoutPort(request.host).toLowerCase()
    const named = this.#byHostName(host)
    const scope = scopeOf(request)
    if (named !== undefined) return { ...named, region: named.region ?? scope?.region, hostNamed: true }
    const service = this.#byRequest(request, scope?.service)
    const bucket = service === fallback ? localBucket(host) : undefined
    return { service, region: scope?.region, bucket, hostNamed: false }
  }

  #byHostName(host: string): Omit<RequestAddress, 'hostNamed'> | undefined {
    const suffix = ['.amazonaws.com.cn', '.amazonaws.com', '.api.aws'].find(ending => host.endsWith(ending))
    if (suffix === undefined) return undefined
    const labels = host.slice(0, -suffix.length).split('.')
    for (const { name, address } of this.#services) {
      const place = address.readHost?.(labels, suffix)
      if (place !== undefined) return { service: name, ...place }
      const issuer = address.issuers?.readHost(labels)
      if (issuer !== undefined) return { service: 'issuer', ...issuer }
    }
    const entry = this.#byHost.get(labels[0] ?? '')
    if (entry === undefined || labels.length > 2) return undefined
    const region = labels[1]
    if (region !== undefined && region !== 'us-gov' && !regionForm.test(region)) return undefined
    const named = region === 'us-gov' ? 'us-gov-west-1' : region
    return { service: entry.name, region: named ?? globalRegion(entry, suffix), bucket: undefined }
  }

  #byRequest(request: Addressed, scopeService: string | undefined): RequestAddress['service'] {
    const target = request.headers['x-amz-target']
    const prefix = target?.split('.')[0]
    const targeted = target?.includes('.') ? this.#find(({ address }) => address.target === prefix) : undefined
    const known = targeted ?? this.#bySigningName.get(scopeService ?? '')
    if (known !== undefined) return known.name
    const version = request.query.get('Version') ?? request.formVersion()
    const byForm = version === undefined ? undefined : this.#find(({ address }) => address.formVersion === version)
    if (byForm !== undefined) return byForm.name
    // Whoever signs for another service would otherwise be told of a bucket with the name of its path.
    const other = scopeService ?? prefix
    return other === undefined || !/^[\w-]+$/.test(other) ? this.#byPath(request.path) : { unserved: other }
  }

  /** What no service claims is a bucket and a key. */
  #byPath(path: string): string {
    const owner = this.#find(({ address }) => address.path?.test(path) === true)
    if (owner !== undefined) return owner.name
    return this.#services.some(({ address }) => address.issuers?.path.test(path) === true) ? 'issuer' : fallback
  }

  #find(wanted: (entry: Entry) => boolean): Entry | undefined {
    return this.#services.find(wanted)
  }
}

/** Whose names under `localhost` are buckets, and whose every path is. */
const fallback = 's3'

interface Entry {
  readonly name: string
  readonly address: ServiceAddress
}

function globalRegion({ address }: Entry, suffix: string): string | undefined {
  return suffix === '.amazonaws.com.cn' ? (address.globalRegionOfChina ?? 'cn-north-1') : address.globalRegion
}

/** As in `eu-central-1`. */
export const regionForm: RegExp = /^[a-z]{2}(?:-[a-z]+)+-\d+$/

function localBucket(host: string): string | undefined {
  if (!host.endsWith('.localhost')) return undefined
  const name = host.slice(0, -'.localhost'.length)
  return name === 's3' ? undefined : name.endsWith('.s3') ? name.slice(0, -3) : name
}

function scopeOf(request: Addressed): { readonly region: string; readonly service: string } | undefined {
  const header = /Credential=([^,\s]+)/.exec(request.headers['authorization'] ?? '')?.[1]
  const parts = (header ?? request.query.get('X-Amz-Credential'))?.split('/') ?? []
  const [region, service] = parts.slice(-3)
  return region === undefined || service === undefined || parts.length < 5 ? undefined : { region, service }
}

function withoutPort(host: string): string {
  if (host.startsWith('[')) return host.slice(0, host.indexOf(']') + 1)
  const colon = host.indexOf(':')
  return colon === -1 ? host : host.slice(0, colon)
}
