// The whole room in one process, on one clock that stands still: an API server, AWS with its DNS, and the operator.
import { type ApiServer, createApiServer } from '#apiserver'
import { type AwsClient, AwsClients, createAwsClient, inProcessTransport, staticCredentials } from '#aws/client'
import { type Dns, given, type HttpExchange, ManualClock, seededRandom, silentLog } from '#base'
import { type Aws, type AwsOptions, createAws, type Profile } from '#emulator'
import { type KubeObject, renderCrd, type StoredCondition } from '#kube'
import { createKubeClient, type KubeClient } from '#kube/client'
import { advanceTo, createManager, type PassRecord, type Running, Runs, runManager } from '#runtime'
import { type Cert, type CertSpec, certKind } from '../api.ts'
import { modelOf } from '../aws/models.ts'
import { records } from '../aws/values.ts'
import { type CertificatesOptions, createCertificatesOperator } from '../create-operator.ts'
import { zoneKeeper } from '../zones/look-after.ts'
import type { RegisteredZone } from '../zones/registry.ts'
import { Zones } from '../zones/zones.ts'

export const account = '111122223333'
export const region = 'eu-west-1'
export const zoneName = 'k8s.acme.dev'

export interface CertWorld extends AsyncDisposable {
  readonly clock: ManualClock
  readonly server: ApiServer
  readonly client: KubeClient
  readonly aws: Aws
  readonly acm: AwsClient
  readonly route53: AwsClient
  /** Makes a hosted zone, once. */
  zone(name: string, options?: { readonly isPrivate?: boolean }): Promise<RegisteredZone>
  start(options?: StartOptions): Running
  settle(): Promise<void>
  advance(ms: number): Promise<void>
  apply(name: string, spec?: Partial<CertSpec>, metadata?: Partial<KubeObject['metadata']>): Promise<void>
  change(name: string, patch: object): Promise<void>
  remove(name: string, namespace?: string): Promise<void>
  cert(name: string, namespace?: string): Promise<Cert | undefined>
  /** ARNs of all certificates that there are. */
  arns(): Promise<readonly string[]>
  /** What stands in the zone besides its own records: `NAME TYPE VALUE`. */
  records(zone: RegisteredZone): Promise<readonly string[]>
  /** One change in the zone, as somebody else makes it. */
  write(
    zone: RegisteredZone,
    action: 'UPSERT' | 'DELETE',
    set: { readonly Name: string; readonly Type: string; readonly values: readonly string[] },
  ): Promise<void>
  /** Reasons of the events of the object, also of those that the server has forgotten. */
  events(name: string): readonly string[]
  /** Operations that were called and did not fail, without looks. */
  writes(): readonly string[]
  /** Until the state is reached; fails when it is not within the time. */
  until(name: string, state: string, withinMs?: number): Promise<Cert>
}

export interface StartOptions extends Partial<Omit<CertificatesOptions, 'seams' | 'clients' | 'zones'>> {
  /** Those that change while it runs are `Zones`. */
  readonly zones?: readonly RegisteredZone[] | Zones
  readonly through?: (exchange: HttpExchange) => HttpExchange
  readonly throughAws?: (exchange: HttpExchange) => HttpExchange
  /** Another user's than the administrator's. */
  readonly credentials?: Parameters<typeof staticCredentials>[0]
  /** Whether Route 53 is asked about the zones, as it is beside the passes. */
  readonly looksAtZones?: boolean
  /** Whether the DNS of the hosted zones is asked for what stands in them. */
  readonly asksDns?: boolean
  /** One of several replicas, of which one leads. */
  readonly replica?: { readonly identity: string; readonly leaseDurationMs: number }
}

export interface WorldOptions {
  readonly seed?: number
  readonly profile?: Profile
  readonly objects?: readonly KubeObject[]
  readonly knobs?: Readonly<Record<string, unknown>>
  readonly accounts?: readonly string[]
  /** Whether permissions are evaluated. */
  readonly enforce?: NonNullable<AwsOptions['enforce']>
}

export function certWorld({
  seed = 1,
  profile = 'async',
  objects = [],
  knobs = {},
  accounts = [],
  enforce,
}: WorldOptions = {}): CertWorld {
  const clock = new ManualClock()
  const server = createApiServer({ seed, clock, name: 'certs', objects: [renderCrd(certKind), ...objects] })
  const client = createKubeClient({ clock, address: 'certs', exchange: server.as() })
  const aws = createAws({
    seed,
    clock,
    accounts: [account, ...accounts],
    region,
    profile,
    knobs,
    ...given({ enforce }),
  })
  const random = seededRandom(seed)
  const service = (name: 'acm' | 'route53'): AwsClient =>
    createAwsClient({
      model: modelOf(name),
      region,
      credentials: staticCredentials(aws.adminCredentials()),
      transport: inProcessTransport(aws.handle),
      clock,
      random: random.fork(name),
    })
  const [acm, route53] = [service('acm'), service('route53')]
  const runs = new Runs()
  const heard: { readonly name: string; readonly reason: string }[] = []
  const made: RegisteredZone[] = []
  const settle = async (): Promise<void> => {
    for (let round = 0; round < 30; round++) {
      await server.settle()
      await clock.advance(0)
    }
  }
  const between = async (): Promise<void> => {
    for (let round = 0; round < 4; round++) await server.settle()
  }
  const world: CertWorld = {
    clock,
    server,
    client,
    aws,
    acm,
    route53,
    settle,
    advance: ms => advanceTo(clock, clock.monotonicMs() + ms, { settle, between, stepMs: ms >= 86_400_000 ? 60_000 : 0 }),
    zone: async (name, { isPrivate = false } = {}) => {
      const { HostedZone } = await route53.call('CreateHostedZone', {
        Name: name,
        CallerReference: `${name}-${made.length}`,
        ...(isPrivate
          ? { HostedZoneConfig: { PrivateZone: true }, VPC: { VPCRegion: region, VPCId: 'vpc-1234567890abcdef0' } }
          : {}),
      })
      const zone = { name, id: (HostedZone as { Id: string }).Id.replace('/hostedzone/', '') }
      made.push(zone)
      return zone
    },
    apply: async (name, spec = {}, metadata = {}) => {
      const whole = { serviceName: name, environment: 'prod', ...spec }
      const object = {
        apiVersion: certKind.apiVersion,
        kind: 'Cert',
        metadata: { namespace: 'default', name, ...metadata },
        spec: whole,
      }
      await client.create(certKind.type, object as KubeObject)
    },
    change: async (name, patch) => {
      await client.patch(certKind.type, { namespace: 'default', name }, 'merge', patch)
    },
    remove: (name, namespace = 'default') => client.delete(certKind.type, { namespace, name }).then(() => {}),
    cert: (name, namespace = 'default') => client.find<Cert>(certKind.type, { namespace, name }),
    arns: async () => {
      const Includes = { keyTypes: ['RSA_2048', 'EC_prime256v1', 'EC_secp384r1'] }
      const { CertificateSummaryList } = await acm.call('ListCertificates', { Includes })
      return records(CertificateSummaryList).map(({ CertificateArn }) => String(CertificateArn))
    },
    records: async zone => {
      const { ResourceRecordSets } = await route53.call('ListResourceRecordSets', { HostedZoneId: zone.id })
      return records(ResourceRecordSets)
        .filter(({ Type }) => Type !== 'NS' && Type !== 'SOA')
        .map(
          ({ Name, Type, ResourceRecords }) =>
            `${String(Name)} ${String(Type)} ${records(ResourceRecords)
              .map(({ Value }) => String(Value))
              .join()}`,
        )
    },
    write: async (zone, Action, { Name, Type, values }) => {
      const ResourceRecordSet = { Name, Type, TTL: 300, ResourceRecords: values.map(Value => ({ Value })) }
      await route53.call('ChangeResourceRecordSets', {
        HostedZoneId: zone.id,
        ChangeBatch: { Changes: [{ Action, ResourceRecordSet }] },
      })
    },
    events: name => [...new Set(heard.filter(event => event.name === name).map(({ reason }) => reason))].sort(),
    writes: () =>
      aws.calls
        .all({ result: 'ok' })
        .filter(({ userAgent }) => userAgent.startsWith('cert-operator'))
        .map(({ operation }) => operation)
        .filter(operation => !/^(?:Describe|List|Get)/.test(operation)),
    until: async (name, state, withinMs = 3_600_000) => {
      const endMs = clock.monotonicMs() + withinMs
      for (;;) {
        const cert = await world.cert(name)
        if (cert?.status?.state === state) return cert
        if (clock.monotonicMs() >= endMs)
          throw new Error(`${name} is ${cert?.status?.state ?? 'not there'}, not ${state}: ${JSON.stringify(cert?.status)}`)
        await world.advance(15_000)
      }
    },
    start: ({
      zones: given = made,
      through,
      throughAws,
      replica,
      looksAtZones = false,
      asksDns = false,
      credentials = aws.adminCredentials(),
      ...more
    } = {}) => {
      const zones = given instanceof Zones ? given : new Zones(given)
      const handle = throughAws === undefined ? aws.handle : throughAws(aws.handle)
      const operator = createCertificatesOperator({
        seams: { clock, random: seededRandom(seed), log: silentLog, dns: dnsOf(aws) },
        region,
        dnsServers: asksDns ? [] : undefined,
        ...more,
        zones,
        clients: new AwsClients({
          credentials: staticCredentials(credentials),
          transport: inProcessTransport(handle),
          clock,
          random: seededRandom(seed).fork('aws'),
          triesMax: 1,
          userAgent: 'cert-operator/test',
        }),
      })
      const passes: PassRecord[] = []
      const exchange = listening(through === undefined ? server.as() : through(server.as()), heard)
      const manager = createManager({
        client: createKubeClient({ clock, address: 'certs', exchange }),
        seams: { clock, random: seededRandom(seed), log: silentLog },
        controllers: operator.controllers,
        ...(looksAtZones ? { companions: [zoneKeeper({ open: { zones }, cloud: operator.cloud, log: silentLog })] } : {}),
        identity: replica?.identity ?? 'certs-test',
        ...(replica === undefined
          ? {}
          : { election: { lease: { namespace: 'default', name: 'certs' }, leaseDurationMs: replica.leaseDurationMs } }),
        onPass: record => void passes.push(record),
      })
      return runs.add({ manager, passes, stop: runManager(manager, clock, settle) })
    },
    [Symbol.asyncDispose]: async () => {
      await runs.stopAll()
      await server.close()
      await aws.close()
    },
  }
  return world
}

/** The hosted zones as a resolver finds them. */
function dnsOf({ dns }: Pick<Aws, 'dns'>): Dns {
  return {
    ask: ({ name, type }) => {
      const { code, records: found } = dns.resolve(name, type)
      const values = found.filter(each => each.type === type).map(({ value }) => value)
      if (code === 'REFUSED') return Promise.resolve({ kind: 'silent' })
      return Promise.resolve(values.length === 0 ? { kind: 'none' } : { kind: 'values', values })
    },
  }
}

/** `type: status reason` of each condition. */
export function told(
  cert: { readonly status?: { readonly conditions?: readonly StoredCondition[] } } | undefined,
): Record<string, string> {
  return Object.fromEntries((cert?.status?.conditions ?? []).map(({ type, status, reason }) => [type, `${status} ${reason}`]))
}

/** Hears which events are recorded. */
function listening(exchange: HttpExchange, told: { readonly name: string; readonly reason: string }[]): HttpExchange {
  return async request => {
    if (request.method === 'POST' && request.target.includes('/events') && request.body instanceof Uint8Array) {
      const event = JSON.parse(Buffer.from(request.body).toString()) as { involvedObject: { name: string }; reason: string }
      told.push({ name: event.involvedObject.name, reason: event.reason })
    }
    return exchange(request)
  }
}
