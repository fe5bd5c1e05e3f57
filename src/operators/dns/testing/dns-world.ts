// The operator over an embedded API server that asks its webhooks, on a clock that stands still.
import { type ApiServer, createApiServer } from '#apiserver'
import { given, type HttpExchange, type ManualClock, silentLog } from '#base'
import { deployments, type KubeObject, type ObjectKey, type ResourceType, type StoredObject, secrets } from '#kube'
import { createKubeClient, KubeError } from '#kube/client'
import { Metrics, type Running, type RunningOperator, type TestWorld, testWorld, type WriteRecord, webhookHost } from '#runtime'
import { openCrd } from '../../../runtime/testing/open-crd.ts'
import { dnsValidatingConfiguration } from '../admission/configuration.ts'
import { dnsKind, type ExternalDns, kinds, renderDnsCrd } from '../api/kinds.ts'
import type { ApiVersionName } from '../api/names.ts'
import { createDnsOperator, type DnsOperatorOptions } from '../create-operator.ts'
import { credentialsRequests } from '../credentials/request.ts'
import type { Deployment } from '../operand/deployment.ts'
import { type Platform, plainKubernetes } from '../operand/request.ts'
import type { DnsSettings, DnsSurroundings } from '../settings.ts'

export const operatorNamespace = 'external-dns-operator'
export const operandNamespace = 'external-dns'

export const settings: DnsSettings = {
  operatorNamespace,
  operandNamespace,
  isPlaced: true,
  image: 'registry.example.com/external-dns:v0.14.2',
  operandVersion: '0.14.2',
  trustedCaConfigMap: '',
  storageVersion: 'v1beta1',
  servesWebhooks: true,
  detectsPlatform: true,
  requeueMs: 5_000,
  logScanMs: 60_000,
  logScanLines: 200,
  preflightEnabled: false,
  clusterId: '',
  metricsHost: '127.0.0.1',
  perInstanceRbac: false,
  bindingNamespaces: [operandNamespace],
  monitoring: 'none',
  proxy: {},
  workers: 4,
}

export const openShift: Platform = { isOpenShift: true, type: 'AWS', awsRegion: 'us-east-1', gcpProject: '' }

export interface DnsWorldOptions {
  readonly settings?: Partial<DnsSettings>
  readonly platform?: Platform
  readonly hasRoutes?: boolean
  readonly objects?: readonly KubeObject[]
  /** How AWS is reached, where credentials are tried. */
  readonly sts?: (clock: ManualClock) => NonNullable<DnsOperatorOptions['sts']>
  /** Of the ServiceAccounts' tokens. */
  readonly issuer?: string
  /** Gets between the operator and the server. */
  readonly through?: (exchange: HttpExchange) => HttpExchange
  /** As whom the operator asks the server; the administrator otherwise. */
  readonly exchangeOf?: (server: ApiServer) => HttpExchange
  /** Nobody answers the webhooks. */
  readonly withoutWebhooks?: boolean
}

export interface DnsWorld extends AsyncDisposable {
  readonly world: TestWorld<ApiServer>
  readonly client: TestWorld<ApiServer>['client']
  readonly operator: RunningOperator
  readonly metrics: Metrics
  start(): Running
  /** As a person who applies a manifest. */
  create(spec: object, name?: string, version?: ApiVersionName): Promise<ExternalDns>
  secret(name: string, data: Readonly<Record<string, string>>, namespace?: string): Promise<StoredObject>
  dns(name?: string, version?: ApiVersionName): Promise<ExternalDns>
  deployment(name?: string): Promise<(Deployment & StoredObject) | undefined>
  find<T extends KubeObject = StoredObject>(type: ResourceType, key: ObjectKey): Promise<T | undefined>
  /** `type=status/reason`. */
  said(name?: string): Promise<Readonly<Record<string, string>>>
  settle(): Promise<void>
  advance(ms: number): Promise<void>
  /** What the operator wrote since the last question, and what came of it. */
  writes(): readonly WriteRecord[]
}

export function dnsWorld(options: DnsWorldOptions = {}): DnsWorld {
  const service = { namespace: 'vouch', name: 'vouch-webhook' }
  const world = testWorld(clock =>
    createApiServer({
      seed: 1,
      clock,
      ...given({ issuer: options.issuer }),
      objects: [
        renderDnsCrd({ service }, options.settings?.storageVersion),
        ...['vouch', operatorNamespace, operandNamespace, 'openshift-cloud-credential-operator'].map(namespaceOf),
        dnsValidatingConfiguration({ name: 'vouch', service }),
        ...(options.platform?.isOpenShift === true ? [openCrd(credentialsRequests)] : []),
        ...(options.objects ?? []),
      ],
    }),
  )
  const { clock, server, client } = world
  const surroundings: DnsSurroundings = {
    settings: { ...settings, ...options.settings },
    platform: options.platform ?? plainKubernetes,
    hasRoutes: options.hasRoutes ?? true,
  }
  const metrics = new Metrics()
  const asked = options.exchangeOf?.(server) ?? server.as()
  const exchange = (options.through ?? (plain => plain))(asked)
  const own = createKubeClient({ clock, address: 'operator', exchange })
  const operator = createDnsOperator({
    surroundings,
    client: own,
    log: silentLog,
    metrics,
    clock,
    ...(options.sts === undefined ? {} : { sts: options.sts(clock) }),
  })
  const routes = operator.webhooks ?? {}
  if (options.withoutWebhooks !== true)
    server.serve({ namespace: service.namespace, service: service.name }, webhookHost({ clock, log: silentLog, metrics, routes }))
  const runs: Running[] = []
  const find = <T extends KubeObject>(type: ResourceType, key: ObjectKey): Promise<T | undefined> => client.find<T>(type, key)
  const typeOf = (version: ApiVersionName | undefined): ResourceType => (version === undefined ? dnsKind : kinds[version]).type
  return {
    world,
    client,
    operator,
    metrics,
    start: () => {
      const { controllers, companions = [], telemetry = {} } = operator
      const running = world.start({ controllers, companions, ...telemetry, through: () => exchange })
      operator.attach?.(running.manager)
      runs.push(running)
      return running
    },
    create: (spec, name = 'blue', version = 'v1beta1') =>
      client.create(kinds[version].type, { ...bare(version, name), spec } as KubeObject) as Promise<ExternalDns>,
    secret: (name, data, namespace = operatorNamespace) => {
      const encoded = Object.entries(data).map(([key, value]) => [key, Buffer.from(value).toString('base64')])
      const object = { apiVersion: 'v1', kind: 'Secret', metadata: { namespace, name }, data: Object.fromEntries(encoded) }
      return client.create(secrets, object as KubeObject)
    },
    dns: (name = 'blue', version) => client.get<ExternalDns>(typeOf(version), { namespace: '', name }),
    deployment: (name = 'blue') =>
      find<Deployment & StoredObject>(deployments, { namespace: operandNamespace, name: `external-dns-${name}` }),
    find,
    said: async (name = 'blue') => {
      const { status } = await client.get<ExternalDns>(dnsKind.type, { namespace: '', name })
      return Object.fromEntries((status?.conditions ?? []).map(each => [each.type, `${each.status}/${each.reason}`]))
    },
    settle: () => world.settle(),
    advance: ms => world.advance(ms),
    writes: () => {
      const written = runs.flatMap(({ passes }) => passes.flatMap(pass => pass.writes))
      for (const { passes } of runs) passes.length = 0
      return written.filter(({ verb }) => verb !== 'event')
    },
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  }
}

function bare(version: ApiVersionName, name: string): KubeObject {
  return { apiVersion: kinds[version].apiVersion, kind: 'ExternalDNS', metadata: { name } }
}

function namespaceOf(name: string): KubeObject {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }
}

/** A plain object of AWS that everybody would take. */
export function awsSpec(more: object = {}): object {
  return {
    provider: { type: 'AWS', aws: { credentials: { name: 'dns-creds' } } },
    source: { type: 'Service', fqdnTemplate: ['{{.Name}}.example.com'] },
    domains: [{ filterType: 'Include', matchType: 'Exact', name: 'example.com' }],
    ...more,
  }
}

export const awsKeys = { aws_access_key_id: 'AKIAEXAMPLE', aws_secret_access_key: 'secret' }

/** The words of a refusal, or `allowed`. */
export async function answerOf(call: Promise<unknown>): Promise<string> {
  try {
    await call
    return 'allowed'
  } catch (error) {
    if (!(error instanceof KubeError)) throw error
    return error.status?.message ?? String(error)
  }
}
