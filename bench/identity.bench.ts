// `npm run bench -- identity [--bindings 100,300,1000] [--direct | --children] [--real] [--existing 10000] [--day [BINDINGS]] [--budget] [--full]`:
// what a binding takes, one at a time and many at once; a restart; a start over thousands that are there; memory; a day at rest. `--full`
// is all of it with 10,000 bindings at once, on our API server and on the real one, which takes half an hour. Each is a process of its own,
// over sockets: the API servers (hub and workload cluster; ours over TLS in one process, or two kube-apiservers and their etcd with --real),
// AWS with the resources operator in the place of ACK, the identity operator. This one creates and watches. `BENCH_NODE_FLAGS` are flags
// for the identity operator's process. `--budget` says for each binding what was asked of whom, and which process computed how long.
import type { KubeObject } from '#kube'
import { serviceAccounts } from '#kube'
import type { KubeClient } from '#kube/client'
import { resourceCrds } from '#operators/resources'
import { configKind, roleKind, type ServiceAccountRole } from '../src/operators/identity/api.ts'
import { openClient } from './identity/access.ts'
import { inTurns, measureBound } from './identity/bound.ts'
import { printBudget } from './identity/budget.ts'
import type { CloudUp } from './identity/cloud-process.ts'
import { cluster, contentsOf, isReady, publish, region, roleOf } from './identity/contents.ts'
import { day } from './identity/day.ts'
import { each, ms } from './identity/print.ts'
import { bundlePrograms, cpuMsOf, Program } from './identity/programs.ts'
import { embeddedServers, realServers, type Servers } from './identity/servers.ts'
import type { Counts } from './identity/tally.ts'

export async function run(args: readonly string[]): Promise<void> {
  const full = args.includes('--full')
  const sizes = numbersAfter(args, '--bindings') ?? (full ? [100, 300, 1_000, 10_000] : [100, 300, 1_000])
  const writers = args.includes('--direct') ? [true] : args.includes('--children') ? [false] : [false, true]
  const existing = numbersAfter(args, '--existing')?.[0] ?? (full ? 10_000 : 0)
  const servers = full ? [false, true] : [args.includes('--real')]
  await bundlePrograms()
  for (const real of servers) {
    console.log(`\n${real ? 'two kube-apiservers with one etcd' : 'API servers of ours, in one process'}, over TLS`)
    for (const direct of writers) await measure({ direct, real, sizes, existing, budget: args.includes('--budget') })
  }
  if (full || args.includes('--day')) await day(numbersAfter(args, '--day')?.[0] ?? (full ? 1_000 : 20))
}

function numbersAfter(args: readonly string[], flag: string): readonly number[] | undefined {
  if (!args.includes(flag)) return undefined
  const counts = (args[args.indexOf(flag) + 1] ?? '')
    .split(',')
    .map(Number)
    .filter(count => count >= 0)
  return counts.length === 0 ? undefined : counts
}

interface Measuring {
  readonly direct: boolean
  readonly real: boolean
  readonly sizes: readonly number[]
  /** Start over so many that converged before. */
  readonly existing: number
  /** Say where each millisecond of a binding goes. */
  readonly budget: boolean
}

async function measure({ direct, real, sizes, existing, budget }: Measuring): Promise<void> {
  console.log(`\nthrough ${direct ? 'calls of our own (--aws-writer direct)' : 'child objects and the resources operator'}`)
  const world = await open({ direct, real, budget })
  try {
    await configure(world)
    await one(world)
    for (const size of sizes) if (size > 0) await many(world, size)
    await restart(world)
    if (existing > 0 && !direct) await existingBindings(world, existing)
  } finally {
    await world.close()
  }
}

interface World {
  readonly servers: Servers
  readonly client: KubeClient
  readonly targetClient: KubeClient
  readonly cloud: Program
  /** The one that runs; replaced by a restart. */
  operator: Program
  readonly direct: boolean
  readonly budget: boolean
  startOperator(servers?: Pick<Servers, 'hub' | 'target'>): Program
  /** Writes a second that the hub lets through at most. */
  readonly boundPerSecond: number
  close(): Promise<void>
}

async function open({ direct, real, budget }: Pick<Measuring, 'direct' | 'real' | 'budget'>): Promise<World> {
  const contents = contentsOf(resourceCrds({ services: ['iam', 's3'] }))
  const servers = await (real ? realServers(contents) : embeddedServers(contents))
  const client = openClient(servers.hub)
  const targetClient = openClient(servers.target)
  await publish(client, servers.target.origin)
  const boundPerSecond = await measureBound(client)
  const cloud = new Program('cloud-process', { hub: servers.hub, operator: !direct })
  const aws = (await cloud.heard()) as CloudUp
  const startOperator = ({ hub, target }: Pick<Servers, 'hub' | 'target'> = servers): Program =>
    new Program('operator-process', { hub, target, aws, direct })
  const world: World = {
    servers,
    client,
    targetClient,
    cloud,
    operator: startOperator(),
    direct,
    budget,
    startOperator,
    boundPerSecond,
    close: async () => {
      await world.operator.stop()
      await cloud.stop()
      await Promise.all([client.close(), targetClient.close()])
      await servers.close()
    },
  }
  return world
}

async function configure({ client, operator }: World): Promise<void> {
  const config = {
    apiVersion: configKind.apiVersion,
    kind: 'AWSWorkloadIdentityConfig',
    metadata: { namespace: cluster, name: 'default' },
    spec: { type: 'SelfHostedIRSA', region },
  }
  await operator.ask('start')
  const began = performance.now()
  await client.create(configKind.type, config as KubeObject)
  while (!isReady(await client.get(configKind.type, { namespace: cluster, name: 'default' }))) await nap(5)
  const took = performance.now() - began
  const { onHub, onTarget } = await operator.ask('counts')
  console.log(`a config: Ready after ${ms(took)}, ${onHub + onTarget} writes besides Events (goal 20)`)
}

/** One after another on an idle system, from the create to Ready as a watcher of the API sees it. */
async function one(world: World): Promise<void> {
  const took: number[] = []
  const rounds = 40
  const before = await askBoth(world, 'start')
  for (let index = 0; index < rounds; index++) {
    const name = `one-${index}`
    await makeAccount(world, name)
    const began = performance.now()
    const ready = whenReady(world, new Set([name]))
    await makeRole(world, name)
    await ready
    took.push(performance.now() - began)
    await nap(20)
  }
  took.sort((a, b) => a - b)
  const at = (share: number): string => ms(took[Math.min(took.length - 1, Math.floor(took.length * share))] ?? 0)
  const after = await askBoth(world, 'counts')
  const { own, ack } = after
  console.log(
    `one binding on an idle system: p50 ${at(0.5)}, p99 ${at(0.99)} (goals 50 and 250 ms); writes besides Events: ${each(own.onHub, rounds)} on the hub and ${each(own.onTarget, rounds)} on the target by us, ${each(ack.onHub, rounds)} by the resources operator (goal ${world.direct ? 3 : 6} in all); Events: ${each(own.events + ack.events, rounds)}`,
  )
  if (world.budget) printBudget({ own, ack, cpu: spentSince(before.cpu, after.cpu) }, rounds)
}

/** The share: writes times what a write takes at the bound, of the time until the last was Ready. */
async function many(world: World, size: number): Promise<void> {
  const names = Array.from({ length: size }, (_, index) => `many-${size}-${index}`)
  await inTurns(names, name => makeAccount(world, name))
  const before = await askBoth(world, 'start')
  const began = performance.now()
  const ready = whenReady(world, new Set(names))
  await inTurns(names, name => makeRole(world, name))
  const created = performance.now() - began
  await ready
  const took = performance.now() - began
  const { own, ack, cpu } = await askBoth(world, 'counts')
  const writes = size + own.writes + ack.writes
  const leastMs = (writes / world.boundPerSecond) * 1_000
  const cpuOf = (who: keyof typeof cpu): string => `${((cpu[who] - before.cpu[who]) / size).toFixed(1)} ms`
  console.log(
    `${size} bindings at once: all Ready after ${ms(took)} (${Math.round((size / took) * 1_000)}/s; created within ${ms(created)}), ${each(writes, size)} writes each, of which ${each(own.events + ack.events, size)} Events; ${Math.round((100 * leastMs) / took)} % of the measured bound of ${Math.round(world.boundPerSecond)} writes/s (goal 85 %)
    processor time a binding: us ${cpuOf('own')}, AWS${world.direct ? '' : ' and resources operator'} ${cpuOf('cloud')}, API servers ${cpuOf('servers')}, etcd ${cpuOf('etcd')}, the bench ${cpuOf('bench')}
    us: ${each(own.passes, size)} passes a binding (${each(own.idlePasses, size)} without a write), ${each(own.hub.requests + own.target.requests, size)} requests, ${kb(own, 'sentBytes', size)} kB sent and ${kb(own, 'receivedBytes', size)} kB received each${troubles(own)}; heap ${own.heapMb.toFixed(0)} MB, resident ${own.rssMb.toFixed(0)} MB`,
  )
  if (world.budget) printBudget({ own, ack, cpu: spentSince(before.cpu, cpu) }, size)
}

function kb({ hub, target }: Counts, which: 'sentBytes' | 'receivedBytes', size: number): string {
  return ((hub[which] + target[which]) / size / 1_000).toFixed(1)
}

function troubles(counts: Counts): string {
  const told = Object.entries(counts.troubles).map(([reason, count]) => `${count} ${reason}`)
  return told.length === 0 ? '' : `; troubles: ${told.join(', ')}`
}

/** A new process over what is there. */
async function restart(world: World): Promise<void> {
  await world.operator.stop()
  const { items } = await world.client.listAll<ServiceAccountRole>(roleKind.type, { namespace: cluster })
  world.operator = world.startOperator()
  await untilQuiet('restart of the converged manager', world.operator, items.length)
}

/** A process over copies of a binding that converged. */
async function existingBindings(world: World, count: number): Promise<void> {
  const { servers, client } = world
  if (servers.multiply === undefined) return
  const { metadata } = await client.get(roleKind.type, { namespace: cluster, name: 'one-0' })
  const held = (await client.listAll(roleKind.type, { namespace: cluster })).items.length
  await world.operator.stop()
  const copies = Math.max(0, count - held)
  const { hub, target } = await servers.multiply({ namespace: cluster, name: 'one-0', uid: metadata.uid, count: copies })
  world.operator = world.startOperator({ hub, target })
  await untilQuiet('start-up', world.operator, held + copies)
}

/** V8 gives back what starting took when it is asked for little for some seconds; of a few bindings it took nothing. */
const settlingMs = (bindings: number): number => (bindings < 1_000 ? 0 : 10_000)

async function untilQuiet(what: string, operator: Program, bindings: number): Promise<void> {
  const began = performance.now()
  let passes = -1
  let quietAt = performance.now()
  for (;;) {
    const seen = (await operator.ask('counts')).passes
    if (seen !== passes) quietAt = performance.now()
    else if (performance.now() - quietAt > 2_000 && seen >= bindings) break
    passes = seen
    await nap(50)
  }
  const cpu = cpuMsOf([operator.pid])
  await nap(settlingMs(bindings))
  const { writes, events, heapMb, rssMb } = await operator.ask('memory')
  console.log(
    `${what} with ${bindings} bindings: quiet after ${ms(quietAt - began)}, ${passes} passes, ${writes} writes, Events included (${events}; goal 0), ${ms(cpu)} of a core; ${ms(settlingMs(bindings))} later resident ${rssMb.toFixed(0)} MB (goal 160 MB at 10,000); after a collection its heap is ${heapMb.toFixed(0)} MB`,
  )
}

/** Milliseconds of processor time of each process. */
type CpuTimes = Readonly<Record<'own' | 'cloud' | 'servers' | 'etcd' | 'bench', number>>

function spentSince(before: CpuTimes, after: CpuTimes): Record<string, number> {
  const who = { own: 'us', cloud: 'AWS and resources operator', servers: 'API servers', etcd: 'etcd', bench: 'the bench' }
  return Object.fromEntries(
    Object.entries(who).map(([key, name]) => [name, after[key as keyof CpuTimes] - before[key as keyof CpuTimes]]),
  )
}

async function askBoth(
  { operator, cloud, servers }: World,
  order: 'start' | 'counts',
): Promise<{ own: Counts; ack: Counts; cpu: CpuTimes }> {
  const cpu = {
    own: cpuMsOf([operator.pid]),
    cloud: cpuMsOf([cloud.pid]),
    servers: cpuMsOf(servers.pids),
    etcd: cpuMsOf(servers.etcdPids),
    bench: cpuMsOf([process.pid]),
  }
  return { own: await operator.ask(order), ack: await cloud.ask(order), cpu }
}

/** Resolves when each of these was seen Ready. A watch that falls behind is ended by the server: then it is looked again. */
async function whenReady({ client }: World, names: Set<string>): Promise<void> {
  const take = (role: ServiceAccountRole): boolean =>
    names.has(role.metadata.name) && isReady(role) && names.delete(role.metadata.name)
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

function nap(forMs: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, forMs))
}
