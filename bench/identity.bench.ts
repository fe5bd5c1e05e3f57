// The figures of the identity operator: `npm run bench -- identity [--bindings 100,300,1000] [--direct | --children] [--day] [--real]`. Hub,
// workload cluster, AWS, the resources operator (in the place of ACK) and the identity operator in one process, over in-process
// transports; with --real the two API servers are kube-apiservers beside it. Real time but for the day at rest.
import { AwsClients, inProcessTransport, staticCredentials } from '#aws/client'
import { type Clock, memoryFiles, seededRandom, silentLog, systemClock, systemKeys } from '#base'
import { createAws } from '#emulator'
import { type KubeObject, renderCrd, serviceAccounts } from '#kube'
import type { KubeClient } from '#kube/client'
import { createIdentityOperator, S3IssuerStore } from '#operators/identity'
import { createResourcesOperator } from '#operators/resources'
import { createManager, type PassRecord } from '#runtime'
import { configKind, renderIdentityCrds, roleKind, type ServiceAccountRole } from '../src/operators/identity/api.ts'
import { healthyStatus } from '../src/operators/identity/inventory/cluster-profile.fixture.ts'
import { clusterProfileKind, managedClusterLabels } from '../src/operators/identity/inventory/cluster-profile.ts'
import { roomWorld } from '../test/identity/room-world.ts'
import { heapAfterCollection, inTurns, measureBound, roleOf } from './identity/bound.ts'
import { embeddedServers, realServers, type Servers } from './identity/servers.ts'

const region = 'us-east-1'
const account = '111122223333'
const cluster = 'edge'

export async function run(args: readonly string[]): Promise<void> {
  const counts = (args[args.indexOf('--bindings') + 1] ?? '')
    .split(',')
    .map(Number)
    .filter(count => count > 0)
  const sizes = args.includes('--bindings') ? counts : [100, 300, 1_000]
  const writers = args.includes('--direct') ? [true] : args.includes('--children') ? [false] : [false, true]
  const real = args.includes('--real')
  console.log(real ? 'two kube-apiservers with one etcd' : 'API servers of ours, in this process')
  for (const direct of writers) await measure(direct, sizes, real)
  if (args.includes('--day')) await day()
}

/** A converged cluster with its bindings for one day of a clock that is moved by hand. */
async function day(): Promise<void> {
  await using world = roomWorld()
  await world.addCluster(cluster)
  await world.makeConfig(cluster, { type: 'SelfHostedIRSA', region })
  const running = world.start()
  const bindings = 20
  for (let index = 0; index < bindings; index++) await world.makeRole(cluster, `app-${index}`)
  await world.advance(60_000)
  running.passes.length = 0
  world.aws.calls.clear()
  for (const kind of ['Bucket', 'OpenIDConnectProvider', 'Role', 'Policy']) world.ack.down.add(kind)
  const began = performance.now()
  await world.advance(24 * 3_600_000)
  const writes = running.passes.flatMap(pass => pass.writes).length
  const calls = new Set(world.aws.calls.all().map(({ operation }) => operation))
  console.log(
    `\na virtual day at rest, ${bindings} bindings: ${running.passes.length} passes, ${writes} writes (goal 0), ${world.aws.calls.count()} AWS calls (${[...calls].join(', ')}; budget two an hour and cluster) in ${ms(performance.now() - began)}`,
  )
}

async function measure(direct: boolean, sizes: readonly number[], real: boolean): Promise<void> {
  console.log(`\nthrough ${direct ? 'calls of our own (--aws-writer direct)' : 'child objects and the resources operator'}`)
  const world = await open(direct, real)
  try {
    await one(world)
    for (const size of sizes) await many(world, size)
    await restart(world)
  } finally {
    await world.close()
  }
}

interface World {
  /** Creates and patches of one process a second, when nobody watches: what the hub lets through at most. */
  readonly boundPerSecond: number
  readonly client: KubeClient
  readonly targetClient: KubeClient
  /** Passes of the identity operator since the last look at them. */
  readonly passes: PassRecord[]
  readonly childPasses: PassRecord[]
  stop(): Promise<void>
  start(options?: { readonly alone?: boolean }): Promise<void>
  close(): Promise<void>
}

async function open(direct: boolean, real: boolean): Promise<World> {
  const clock = systemClock
  // An account of AWS that asked for more: a thousand roles are the default.
  const knobs = { quotas: { roles: 100_000, policies: 100_000 } }
  const aws = createAws({ clock, seed: 1, accounts: [account], region, profile: 'instant', knobs })
  const random = seededRandom(1)
  const credentials = staticCredentials(aws.adminCredentials())
  const transport = inProcessTransport(aws.handle)
  // The cloud is unlimited here: what is measured is ours, and not how long an account of AWS makes us wait.
  const rates = { iam: undefined, s3: undefined, eks: undefined, sts: undefined }
  const clients = new AwsClients({ credentials, transport, clock, random, rates })
  const resources = createResourcesOperator({
    services: ['iam', 's3'],
    aws: clients,
    home: { account, region, partition: 'aws' },
    nowMs: () => clock.now(),
    fieldExport: false,
    workers: 10,
  })
  const contents = { hub: hubObjects(resources.crds), target: [namespace('aws-pod-identity-webhook')] }
  const servers: Servers = await (real ? realServers(contents) : embeddedServers(contents))
  const client = await servers.hub()
  const targetClient = await servers.target()
  const passes: PassRecord[] = []
  const childPasses: PassRecord[] = []
  let stopping: (() => Promise<void>) | undefined
  const start: World['start'] = async ({ alone = false } = {}) => {
    const remote = await servers.target()
    const operator = createIdentityOperator({
      seams: seamsOf(clock),
      store: new S3IssuerStore({ clients, clock }),
      providers: [],
      clientOf: () => remote,
      ...(direct ? { direct: { clients, region } } : {}),
    })
    const seams = { clock, random, log: silentLog }
    const identity = createManager({
      client: await servers.hub(),
      seams,
      controllers: operator.controllers,
      identity: 'a',
      onPass: pass => void passes.push(pass),
    })
    operator.attach(identity)
    const children = createManager({
      client: await servers.hub(),
      seams,
      controllers: resources.controllers,
      identity: 'b',
      onPass: pass => void childPasses.push(pass),
    })
    const stop = new AbortController()
    const running = [identity.run(stop.signal), ...(alone || direct ? [] : [children.run(stop.signal)])]
    stopping = async () => {
      stop.abort(new Error('enough'))
      await Promise.all(running)
      await operator.close()
    }
  }
  await publish(client)
  const boundPerSecond = await measureBound(client)
  const world: World = {
    boundPerSecond,
    client,
    targetClient,
    passes,
    childPasses,
    start,
    stop: async () => stopping?.(),
    close: async () => {
      await stopping?.()
      await servers.close()
      await aws.close()
    },
  }
  await start()
  const config = {
    apiVersion: configKind.apiVersion,
    kind: 'AWSWorkloadIdentityConfig',
    metadata: { namespace: cluster, name: 'default' },
    spec: { type: 'SelfHostedIRSA', region },
  }
  const began = performance.now()
  await client.create(configKind.type, config as KubeObject)
  await until(async () => isReady(await client.get(configKind.type, { namespace: cluster, name: 'default' })))
  const writes = passes.flatMap(pass => pass.writes).filter(({ type }) => type.kind !== 'Event').length
  console.log(`a config: Ready after ${ms(performance.now() - began)}, ${writes} writes besides Events (goal 20)`)
  return world
}

/** One after another on an idle system, from the create to Ready as a watcher of the API sees it. */
async function one(world: World): Promise<void> {
  const took: number[] = []
  world.passes.length = 0
  world.childPasses.length = 0
  const rounds = 40
  for (let index = 0; index < rounds; index++) {
    const name = `one-${index}`
    await makeAccount(world, name)
    const began = performance.now()
    const ready = whenReady(world, new Set([name]))
    await makeRole(world, name)
    await ready
    took.push(performance.now() - began)
    await new Promise(resolve => setTimeout(resolve, 20))
  }
  took.sort((a, b) => a - b)
  const at = (share: number): string => ms(took[Math.min(took.length - 1, Math.floor(took.length * share))] ?? 0)
  const writesOf = (passes: readonly PassRecord[]): number =>
    passes.flatMap(({ writes }) => writes).filter(({ type }) => type.kind !== 'Event').length / rounds
  const [own, child] = [writesOf(world.passes), writesOf(world.childPasses)]
  console.log(
    `one binding on an idle system: p50 ${at(0.5)}, p99 ${at(0.99)} (goals 50 and 250 ms); writes besides Events: ${own.toFixed(1)} by us, ${child.toFixed(1)} by the resources operator`,
  )
}

async function many(world: World, size: number): Promise<void> {
  const names = Array.from({ length: size }, (_, index) => `many-${size}-${index}`)
  await inTurns(names, name => makeAccount(world, name))
  world.passes.length = 0
  world.childPasses.length = 0
  const cpu = process.cpuUsage()
  const began = performance.now()
  const ready = whenReady(world, new Set(names))
  await inTurns(names, name => makeRole(world, name))
  const created = performance.now() - began
  await ready
  const took = performance.now() - began
  const writes = names.length + [...world.passes, ...world.childPasses].flatMap(pass => pass.writes).length
  const perSecond = (writes / took) * 1_000
  const { user, system } = process.cpuUsage(cpu)
  const passes = world.passes.length + world.childPasses.length
  const heap = Math.round(process.memoryUsage().heapUsed / 1e6)
  console.log(
    `${size} bindings at once: all Ready after ${ms(took)} (${Math.round((size / took) * 1_000)}/s; created within ${ms(created)}), ${Math.round(perSecond)} writes/s in all, ${Math.round((100 * perSecond) / world.boundPerSecond)} % of the measured bound of ${Math.round(world.boundPerSecond)}/s (goal 85 %); ${ms((user + system) / 1_000)} of one core for the whole world, ${(passes / size).toFixed(1)} passes a binding, heap of the whole world ${heap} MB`,
  )
}

/** Without those who look after the children: what a process of the identity operator costs. */
async function restart(world: World): Promise<void> {
  await world.stop()
  const { metadata: _, items } = await world.client.listAll<ServiceAccountRole>(roleKind.type, { namespace: cluster })
  const before = heapAfterCollection()
  world.passes.length = 0
  world.childPasses.length = 0
  const cpu = process.cpuUsage()
  const began = performance.now()
  await world.start({ alone: true })
  let seen = -1
  let quietAt = performance.now()
  while (world.passes.length !== seen || performance.now() - quietAt < 1_000) {
    if (world.passes.length !== seen) quietAt = performance.now()
    seen = world.passes.length
    await new Promise(resolve => setTimeout(resolve, 50))
  }
  const { user, system } = process.cpuUsage(cpu)
  const writes = world.passes.flatMap(pass => pass.writes).length
  const passes = world.passes.length
  // What the bench itself remembers of each pass is not the operator's.
  world.passes.length = 0
  const grown = (heapAfterCollection() - before) / 1e6
  console.log(
    `restart of the converged manager with ${items.length} bindings: quiet after ${ms(quietAt - began)}, ${passes} passes, ${writes} writes (goal 0), ${ms((user + system) / 1_000)} of a core; its heap is ${grown.toFixed(0)} MB (goal 110 MB at 10,000)`,
  )
}

/** Resolves when each of these was seen Ready. A watch that falls behind is ended by the server: then it is looked again. */
async function whenReady({ client }: World, names: Set<string>): Promise<void> {
  const take = (role: ServiceAccountRole): boolean => isReady(role) && names.delete(role.metadata.name)
  while (names.size > 0) {
    const { items, metadata } = await client.listAll<ServiceAccountRole>(roleKind.type, { namespace: cluster })
    items.forEach(take)
    const { resourceVersion } = metadata
    for await (const event of client.watch<ServiceAccountRole>(roleKind.type, { namespace: cluster, resourceVersion })) {
      if (event.type === 'ERROR' || names.size === 0) break
      if (event.type === 'ADDED' || event.type === 'MODIFIED') take(event.object)
      if (names.size === 0) break
    }
  }
}

function isReady(
  object:
    | { readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] } }
    | KubeObject,
): boolean {
  const { status } = object as {
    readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] }
  }
  return status?.conditions?.some(({ type, status: value }) => type === 'Ready' && value === 'True') === true
}

async function makeAccount({ targetClient }: World, name: string): Promise<void> {
  await targetClient.create(serviceAccounts, {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { namespace: 'default', name },
  })
}

async function makeRole({ client }: World, name: string): Promise<void> {
  await client.create(roleKind.type, roleOf(cluster, name))
}

async function publish(client: KubeClient): Promise<void> {
  const { type, apiVersion } = clusterProfileKind
  const labels = managedClusterLabels(cluster)
  await client.create(type, {
    apiVersion,
    kind: type.kind,
    metadata: { namespace: 'inventory', name: cluster, labels },
    spec: { clusterManager: { name: 'ocm' } },
  } as KubeObject)
  const status = healthyStatus(Date.now(), { name: 'in-process', cluster: { server: 'https://edge' } })
  await client.patch(type, { namespace: 'inventory', name: cluster }, 'merge', { status }, { subresource: 'status' })
}

function seamsOf(clock: Clock): Parameters<typeof createIdentityOperator>[0]['seams'] {
  const refuse = (): never => {
    throw new Error('the bench has no network')
  }
  return {
    clock,
    random: seededRandom(1),
    log: silentLog,
    keys: systemKeys,
    net: { dial: refuse, listen: refuse },
    files: memoryFiles(),
    programs: { run: refuse },
    env: {},
  }
}

function hubObjects(crds: readonly KubeObject[]): readonly KubeObject[] {
  const operatorConfig = {
    apiVersion: configKind.apiVersion,
    kind: 'AWSWorkloadIdentityOperatorConfig',
    metadata: { name: 'default' },
    spec: {},
  }
  return [
    ...renderIdentityCrds(),
    renderCrd(clusterProfileKind),
    ...crds,
    namespace('inventory'),
    namespace(cluster),
    namespace('bound'),
    operatorConfig as KubeObject,
  ]
}

function namespace(name: string): KubeObject {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise(resolve => setTimeout(resolve, 5))
}

function ms(value: number): string {
  return value >= 1_000 ? `${(value / 1_000).toFixed(2)} s` : `${value.toFixed(0)} ms`
}
