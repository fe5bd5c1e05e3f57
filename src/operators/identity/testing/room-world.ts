// The whole room in one process, on one clock that stands still: a hub, workload clusters, AWS, stand-ins for ACK, and the operator.
import { type ApiServer, createApiServer } from '#apiserver'
import { serviceModel } from '#aws'
import { type AwsClient, AwsClients, createAwsClient, inProcessTransport, staticCredentials } from '#aws/client'
import { given, type HttpExchange, ManualClock, memoryFiles, seededRandom, silentLog } from '#base'
import { type Aws, createAws } from '#emulator'
import { clusterProfileKind, managedClusterLabels, placementDecisionKind, placementKind } from '#fleet'
import {
  customResourceDefinitions,
  type KubeObject,
  namespaces,
  renderCrd,
  type StoredCondition,
  type StoredObject,
  serviceAccounts,
} from '#kube'
import { createKubeClient, type KubeClient } from '#kube/client'
import { createResourcesOperator } from '#operators/resources'
import { type AnyController, advanceTo, createManager, type PassRecord, type Running, Runs, runManager } from '#runtime'
import { healthyStatus } from '../../../fleet/testing/profiles.ts'
import {
  type ConfigSpec,
  configKind,
  type RoleSpec,
  renderIdentityCrds,
  roleKind,
  type ServiceAccountRole,
  singletonName,
  type WorkloadIdentityConfig,
} from '../api.ts'
import { bucketKind, roleKind as iamRoleKind, policyKind, providerKind } from '../children/kinds.ts'
import { S3IssuerStore } from '../config/issuer-store.ts'
import { createIdentityOperator, type IdentityOperatorOptions } from '../create-operator.ts'
import { type Ack, account, ackCrds, createAck } from './ack.ts'
import { pooledKeys } from './keys.fixture.ts'

/** AWS's own, so that nobody has to make it. */
export const policyArn = 'arn:aws:iam::aws:policy/ReadOnlyAccess'
export const region = 'us-east-1'
export const webhookNamespace = 'aws-pod-identity-webhook'

export interface RoomWorld extends AsyncDisposable {
  readonly clock: ManualClock
  readonly hub: ApiServer
  readonly client: KubeClient
  readonly aws: Aws
  readonly ack: Ack
  readonly targets: ReadonlyMap<string, Target>
  s3(): AwsClient
  iam(): AwsClient
  /** A workload cluster with its hub namespace; `publish: false` leaves out the ClusterProfile. */
  addCluster(name: string, options?: ClusterOptions): Promise<Target>
  publish(name: string, properties?: Readonly<Record<string, string>>): Promise<void>
  start(options?: StartOptions): Running
  /** Lets everything happen that can, ACK included; time stands still. */
  settle(): Promise<void>
  advance(ms: number): Promise<void>
  /** The calendar moves on, and as much is lived through as it takes everybody to notice. */
  later(ms: number): Promise<void>
  config(namespace: string): Promise<WorkloadIdentityConfig | undefined>
  /** A Role for a ServiceAccount of the cluster, which is made too. */
  makeRole(namespace: string, name: string, spec?: Partial<RoleSpec>): Promise<void>
  role(namespace: string, name: string): Promise<ServiceAccountRole | undefined>
  /** A kind that `withoutCrds` left out. */
  installAckCrd(name: string): Promise<void>
  makeConfig(namespace: string, spec: ConfigSpec, metadata?: Partial<StoredObject['metadata']>): Promise<void>
}

export interface Target {
  readonly name: string
  readonly server: ApiServer
  readonly client: KubeClient
}

export interface ClusterOptions {
  readonly publish?: boolean
  readonly issuer?: string
  readonly withoutWebhookNamespace?: boolean
  /** Nobody there brings Deployments up. */
  readonly withoutControllers?: boolean
  readonly properties?: Readonly<Record<string, string>>
}

export interface StartOptions extends Partial<IdentityOperatorOptions> {
  /** In the same process. */
  readonly beside?: readonly AnyController[]
  /** Gets between the operator and the hub. */
  readonly through?: (exchange: HttpExchange) => HttpExchange
  readonly throughAws?: (exchange: HttpExchange) => HttpExchange
  readonly throughTarget?: (exchange: HttpExchange) => HttpExchange
}

export interface RoomOptions {
  readonly seed?: number
  /** Without it there is an empty operator config. */
  readonly withoutOperatorConfig?: boolean
  readonly withoutCrds?: readonly string[]
  /** Of strangers, besides ours. */
  readonly accounts?: readonly string[]
  readonly objects?: readonly KubeObject[]
  /** Whose permissions are evaluated; those of role sessions when absent. */
  readonly enforce?: 'adminOnly' | 'full'
}

export function roomWorld(options: RoomOptions = {}): RoomWorld {
  const clock = new ManualClock()
  const seed = options.seed ?? 1
  const hub = createApiServer({ seed, clock, name: 'hub', objects: hubObjects(options) })
  const client = createKubeClient({ clock, address: 'hub', exchange: hub.as() })
  const aws = createAws({
    seed,
    clock,
    accounts: [account, ...(options.accounts ?? [])],
    region,
    profile: 'instant',
    enforce: options.enforce ?? 'adminOnly',
  })
  const random = seededRandom(seed)
  const awsClient = (service: 'iam' | 's3' | 'eks'): AwsClient =>
    createAwsClient({
      model: serviceModel(service),
      region,
      credentials: staticCredentials(aws.adminCredentials()),
      transport: inProcessTransport(aws.handle),
      clock,
      random: random.fork(service),
    })
  const clients = { iam: awsClient('iam'), s3: awsClient('s3'), eks: awsClient('eks') }
  const ack = createAck(client, service => clients[service])
  const targets = new Map<string, Target>()
  const runs = new Runs()
  const keys = pooledKeys()

  const settleOnce = async (rounds = 12): Promise<void> => {
    for (let round = 0; round < rounds; round++) {
      await hub.settle()
      for (const { server } of targets.values()) await server.settle()
      await clock.advance(0)
    }
  }
  const settle = async (): Promise<void> => {
    for (let round = 0; round < 40; round++) {
      await settleOnce()
      if (!(await ack.look())) break
    }
    await settleOnce()
  }
  /** Hours are looked at half a minute at a time, a minute timer by timer. */
  const stepFor = (ms: number): number => (ms >= 300_000 ? 30_000 : 0)

  const world: RoomWorld = {
    clock,
    hub,
    client,
    aws,
    ack,
    targets,
    s3: () => clients.s3,
    iam: () => clients.iam,
    settle,
    advance: ms => {
      let before = hub.revision
      const between = async (): Promise<void> => {
        await settleOnce(2)
        if (hub.revision !== before) await ack.look()
        before = hub.revision
      }
      return advanceTo(clock, clock.monotonicMs() + ms, { settle, between, stepMs: stepFor(ms) })
    },
    later: async ms => {
      clock.jump(ms)
      await world.advance(11 * 60_000)
    },
    addCluster: async (name, more = {}) => {
      const server = createApiServer({
        seed: `${seed}-${name}`,
        clock,
        name,
        ...given({ issuer: more.issuer }),
        ...(more.withoutControllers === true ? { controllers: 'none' } : {}),
        objects: more.withoutWebhookNamespace === true ? [] : [namespaceObject(webhookNamespace)],
      })
      const target = { name, server, client: createKubeClient({ clock, address: name, exchange: server.as() }) }
      targets.set(name, target)
      await client.create(namespaces, namespaceObject(name))
      if (more.publish !== false) await world.publish(name, more.properties)
      return target
    },
    publish: async (name, properties = {}) => {
      const { type, apiVersion } = clusterProfileKind
      const metadata = {
        namespace: 'inventory',
        name,
        labels: managedClusterLabels(name),
      }
      const profile = { apiVersion, kind: type.kind, metadata, spec: { clusterManager: { name: 'ocm' } } }
      if ((await client.find(type, { namespace: 'inventory', name })) === undefined) await client.create(type, profile)
      const status = healthyStatus(clock.now(), { name: 'in-process', cluster: { server: `https://${name}` } }, properties)
      await client.patch(type, { namespace: 'inventory', name }, 'merge', { status }, { subresource: 'status' })
    },
    config: namespace => client.find<WorkloadIdentityConfig>(configKind.type, { namespace, name: singletonName }),
    makeConfig: async (namespace, spec, metadata = {}) => {
      const { apiVersion, type } = configKind
      await client.create(type, {
        apiVersion,
        kind: type.kind,
        metadata: { namespace, name: singletonName, ...metadata },
        spec,
      } as KubeObject)
    },
    installAckCrd: async name => {
      const crd = ackCrds.find(({ metadata }) => metadata.name === name)
      if (crd !== undefined) await client.create(customResourceDefinitions, crd)
    },
    role: (namespace, name) => client.find<ServiceAccountRole>(roleKind.type, { namespace, name }),
    makeRole: async (namespace, name, spec = {}) => {
      const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { namespace: 'default', name } }
      const target = targets.get(namespace)?.client
      if ((await target?.find(serviceAccounts, { namespace: 'default', name })) === undefined) {
        await target?.create(serviceAccounts, account)
      }
      const whole = { serviceAccount: { namespace: 'default', name }, policyARNs: [policyArn], ...spec }
      await client.create(roleKind.type, {
        apiVersion: roleKind.apiVersion,
        kind: roleKind.type.kind,
        metadata: { namespace, name },
        spec: whole,
      } as KubeObject)
    },
    start: ({ beside, through, throughAws, throughTarget, ...more } = {}) =>
      runs.add(startOperator(world, { seed, keys, beside, through, throughAws, throughTarget, more })),
    [Symbol.asyncDispose]: async () => {
      await runs.stopAll()
      await hub.close()
      for (const { server } of targets.values()) await server.close()
      await aws.close()
    },
  }
  return world
}

function startOperator(
  world: RoomWorld,
  options: {
    readonly seed: number
    readonly keys: ReturnType<typeof pooledKeys>
    readonly beside: StartOptions['beside']
    readonly through: StartOptions['through'] | undefined
    readonly throughAws: StartOptions['throughAws'] | undefined
    readonly throughTarget: StartOptions['throughTarget'] | undefined
    readonly more: Partial<IdentityOperatorOptions>
  },
): Running {
  const { clock, hub, aws, targets } = world
  const { seed, keys, beside = [], through, throughAws, throughTarget, more } = options
  /** One client for each cluster, as long as the operator lives. */
  const clients = new Map<string, KubeClient>()
  const clientOf = (name: string): KubeClient | undefined => {
    const target = targets.get(name)
    if (target === undefined || throughTarget === undefined) return target?.client
    const client = clients.get(name) ?? createKubeClient({ clock, address: name, exchange: throughTarget(target.server.as()) })
    clients.set(name, client)
    return client
  }
  const random = seededRandom(seed)
  const refuse = (): never => {
    throw new Error('the world has no network')
  }
  const awsHandle = throughAws === undefined ? aws.handle : throughAws(aws.handle)
  const awsClients = new AwsClients({
    credentials: staticCredentials(aws.adminCredentials()),
    transport: inProcessTransport(awsHandle),
    clock,
    random: random.fork('aws'),
  })
  const operator = createIdentityOperator({
    seams: {
      clock,
      random,
      log: silentLog,
      keys,
      net: { dial: refuse, listen: refuse } as never,
      files: memoryFiles(),
      programs: { run: refuse },
      env: {},
    },
    store: new S3IssuerStore({ clients: awsClients, clock }),
    providers: [],
    clientOf: profile => clientOf(profile.metadata.name),
    ...more,
  })
  const exchange = through === undefined ? hub.as() : through(hub.as())
  const passes: PassRecord[] = []
  const manager = createManager({
    client: createKubeClient({ clock, address: 'hub', exchange }),
    seams: { clock, random, log: silentLog },
    controllers: [...operator.controllers, ...beside],
    identity: 'room-test',
    onPass: record => void passes.push(record),
  })
  operator.attach(manager)
  const stop = runManager(manager, clock, world.settle)
  return {
    manager,
    passes,
    stop: async () => {
      await stop()
      await operator.close()
    },
  }
}

function hubObjects({ withoutCrds = [], withoutOperatorConfig = false, objects = [] }: RoomOptions): readonly KubeObject[] {
  const operatorConfig = {
    apiVersion: configKind.apiVersion,
    kind: 'AWSWorkloadIdentityOperatorConfig',
    metadata: { name: singletonName },
    spec: { selfHostedIRSA: { webhookNamespace } },
  }
  return [
    ...renderIdentityCrds(),
    renderCrd(clusterProfileKind),
    renderCrd(placementKind),
    renderCrd(placementDecisionKind),
    ...ackCrds.filter(({ metadata }) => !withoutCrds.includes(metadata.name ?? '')),
    namespaceObject('inventory'),
    ...(withoutOperatorConfig ? [] : [operatorConfig]),
    ...objects,
  ]
}

export function namespaceObject(name: string): KubeObject {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }
}

/** Of `--aws-writer direct`: its calls go by the name `direct`. */
export function directly(world: Pick<RoomWorld, 'aws' | 'clock'>): Partial<IdentityOperatorOptions> {
  return { direct: { clients: clientsFor(world, 'direct'), region } }
}

/** Child objects with our own operator of resources, whose calls go by the name `resources`, in place of the stand-ins for ACK. */
export function throughChildren(world: Pick<RoomWorld, 'ack' | 'aws' | 'clock'>): StartOptions {
  const kinds = [iamRoleKind, policyKind, providerKind, bucketKind].map(({ type }) => type.kind)
  for (const kind of kinds) world.ack.down.add(kind)
  const { controllers } = createResourcesOperator({
    services: ['iam', 's3'],
    kinds,
    aws: clientsFor(world, 'resources'),
    home: { account, partition: 'aws', region },
    nowMs: () => world.clock.now(),
    fieldExport: false,
  })
  return { beside: controllers }
}

function clientsFor({ aws, clock }: Pick<RoomWorld, 'aws' | 'clock'>, userAgent: string): AwsClients {
  return new AwsClients({
    credentials: staticCredentials(aws.adminCredentials()),
    transport: inProcessTransport(aws.handle),
    clock,
    random: seededRandom(7),
    userAgent,
  })
}

/** `type: status reason` of each condition, for comparing at a glance. */
export function told(
  object: { readonly status?: { readonly conditions?: readonly StoredCondition[] } } | undefined,
): Readonly<Record<string, string>> {
  return Object.fromEntries((object?.status?.conditions ?? []).map(({ type, status, reason }) => [type, `${status} ${reason}`]))
}
