// `npm run bench -- fleet [--clusters 10,100] [--bindings 10] [--memory] [--self-hosted]`: a ReplicaSet for each binding over that many clusters: until all are Ready by
// each strategy, what it writes, a change of every set until the last cluster has it, a restart, one cluster that is away, memory. Processes of
// their own: hub and clusters (embedded API servers in one process, each on a port of its own, over TLS), AWS, the identity operator
// (`--aws-writer direct`). With 1,000 clusters and 100 bindings the process of the servers takes 7 GB, and the first part 40 minutes.
import { availableParallelism, loadavg } from 'node:os'
import type { StoredObject } from '#kube'
import type { KubeClient, WatchEvent } from '#kube/client'
import {
  configKind,
  replicaSetKind,
  roleKind,
  type ServiceAccountRole,
  type ServiceAccountRoleReplicaSet,
} from '../src/operators/identity/api.ts'
import { type Access, openClient, type Traffic } from './identity/access.ts'
import type { CloudUp } from './identity/cloud-process.ts'
import type { FleetUp } from './identity/fleet-process.ts'
import type { OperatorStart } from './identity/operator-process.ts'
import { ms } from './identity/print.ts'
import { bundlePrograms, cpuMsOf, Program } from './identity/programs.ts'

const policy = (name: string): string => `arn:aws:iam::aws:policy/${name}`
const strategies = {
  all: { type: 'All' },
  tenth: { type: 'Progressive', progressive: { maxConcurrency: '10%' } },
  groups: { type: 'ProgressivePerGroup', progressivePerGroup: {} },
} as const
type Strategy = keyof typeof strategies

export async function run(args: readonly string[]): Promise<void> {
  const after = (flag: string): readonly number[] | undefined =>
    args.includes(flag) ? (args[args.indexOf(flag) + 1] ?? '').split(',').map(Number) : undefined
  const [bindings = 10] = after('--bindings') ?? []
  await bundlePrograms()
  const quietMb: (readonly [clusters: number, heapMb: number])[] = []
  for (const clusters of after('--clusters') ?? [10, 100])
    quietMb.push([
      clusters,
      await measure({ clusters, bindings, memoryOnly: args.includes('--memory'), selfHosted: args.includes('--self-hosted') }),
    ])
  // The program itself is the same at every size: what a cluster costs is seen between two of them.
  for (const [index, [clusters, heapMb]] of quietMb.entries()) {
    const [fewer, heapOfFewer] = quietMb[index - 1] ?? []
    if (fewer === undefined || heapOfFewer === undefined) continue
    const each = ((heapMb - heapOfFewer) / (clusters - fewer)) * 1_024
    console.log(`\neach quiet cluster from ${fewer} to ${clusters}: ${each.toFixed(0)} kB of heap`)
  }
}

interface Fleet {
  readonly clusters: number
  readonly bindings: number
  /** What a quiet cluster costs, and no more. */
  readonly memoryOnly: boolean
  readonly selfHosted: boolean
}

/** Returns the heap of the operator while nothing moves. */
async function measure({ clusters, bindings, memoryOnly, selfHosted }: Fleet): Promise<number> {
  console.log(`\n${clusters} clusters, ${bindings} sets: ${clusters * bindings} bindings`)
  const names = Array.from({ length: bindings }, (_, index) => `set-${index}`)
  const more = ['tenth', 'groups', 'with-all', 'with-one-away']
  const servers = new Program('fleet-process')
  servers.send({ clusters, accounts: [...names, ...more], selfHosted })
  const { hub, targets } = (await servers.heard()) as FleetUp
  const cloud = new Program('cloud-process', { hub, operator: false })
  const aws = (await cloud.heard()) as CloudUp
  const client = openClient(hub)
  const start = (): Program => new Program('operator-process', { hub, target: targets, aws, direct: true, uncounted: memoryOnly })
  let operator = start()
  try {
    if (selfHosted) await untilInstalled(client)
    await quiet(operator)
    const empty = await operator.ask('memory')
    say(
      'quiet, no binding',
      `${((empty.heapMb / clusters) * 1024).toFixed(0)} kB of heap for each cluster, all else included (${empty.heapMb.toFixed(0)} MB of heap, ${empty.rssMb.toFixed(0)} MB in all)`,
    )
    if (memoryOnly) return empty.heapMb
    await timed('all at once', { operator, servers, cloud, count: clusters * bindings }, async () => {
      for (const name of names) await makeSet(client, name, 'all')
      await untilRolledOut(client, names, clusters)
    })
    for (const strategy of ['tenth', 'groups'] as const)
      await timed(
        strategy === 'tenth' ? 'one set, a tenth at a time' : 'one set, four groups',
        { operator, servers, cloud, count: clusters },
        async () => {
          await makeSet(client, strategy, strategy)
          await untilRolledOut(client, [strategy], clusters)
        },
      )
    await timed('one policy more in every set', { operator, servers, cloud, count: clusters * bindings }, async () => {
      const spec = { template: { spec: { policyARNs: [policy('ReadOnlyAccess'), policy('AmazonS3ReadOnlyAccess')] } } }
      for (const name of names) await client.patch(replicaSetKind.type, { namespace: 'platform', name }, 'merge', { spec })
      await untilRolledOut(client, names, clusters)
    })
    const full = await operator.ask('memory')
    const total = clusters * (bindings + 2)
    say(
      'memory',
      `${full.heapMb.toFixed(0)} MB of heap, ${full.rssMb.toFixed(0)} MB in all, with ${total} bindings: ${(((full.heapMb - empty.heapMb) / total) * 1024).toFixed(1)} kB each`,
    )
    await operator.stop()
    operator = start()
    await operator.ask('start')
    const began = performance.now()
    await quiet(operator, total)
    const { writes, onHub, onTarget, passes } = await operator.ask('counts')
    say(
      'restart',
      `${ms(performance.now() - began)} until quiet for two seconds, ${passes} passes, ${writes} writes (${onHub} on the hub, ${onTarget} on clusters)`,
    )
    if (clusters <= leasesClustersMax) {
      await operator.stop()
      await leasesAtRest({ hub, target: targets, aws, direct: true })
      operator = start()
      await quiet(operator)
    }
    const well = await latencies(hub, 'with-all', clusters, clusters)
    servers.send({ away: true })
    await servers.heard()
    const away = await latencies(hub, 'with-one-away', clusters, clusters - 1)
    say('a new binding of each cluster, created to Ready', `p99 ${ms(well)}; of the others with one cluster away ${ms(away)}`)
    return empty.heapMb
  } finally {
    await operator.stop()
    await cloud.stop()
    await client.close()
    await servers.stop()
  }
}

/** How many clusters there are is nothing to a lease, and beside many of them eight more starts would take longer than all else. */
const leasesClustersMax = 10

/** What is written to leases when nobody has anything to do: by one replica that leads, by three of which one does, by three that share. */
async function leasesAtRest(operator: OperatorStart): Promise<void> {
  for (const [replicas, shards] of [
    [1, undefined],
    [3, undefined],
    [1, 8],
    [3, 8],
  ] as const) {
    const all = Array.from({ length: replicas }, (_, index): OperatorStart => {
      const name = `replica-${index}`
      return { ...operator, replica: shards === undefined ? { name } : { name, shards } }
    }).map(argument => new Program('operator-process', argument))
    // Until the leases are where they stay, and the last renewals of work that comes with that are over.
    await nap(45_000)
    const began = performance.now()
    for (const one of all) await one.ask('start')
    await nap(60_000)
    const counts = await Promise.all(all.map(one => one.ask('counts')))
    const [written, others] = [true, false].map(ofLeases => sum(counts.map(({ hub }) => writesOf(hub, ofLeases))))
    const seconds = (performance.now() - began) / 1_000
    const how = shards === undefined ? 'one leads' : `${shards} shards`
    say(
      `at rest, ${replicas} replica${replicas === 1 ? '' : 's'}, ${how}`,
      `${written} writes of leases in ${seconds.toFixed(0)} s: ${((written ?? 0) / seconds).toFixed(2)} a second in all; ${others} other writes`,
    )
    for (const one of all) await one.stop()
  }
}

function writesOf({ calls }: Traffic, ofLeases: boolean): number {
  const isWrite = ([what]: readonly [string, unknown]): boolean => !/^(get|list|watch) /.test(what)
  const wanted = Object.entries(calls).filter(call => isWrite(call) && call[0].endsWith(' leases') === ofLeases)
  return sum(wanted.map(([, { count }]) => count))
}

function sum(counts: readonly number[]): number {
  return counts.reduce((all, one) => all + one, 0)
}

interface Timed {
  readonly operator: Program
  readonly servers: Program
  readonly cloud: Program
  readonly count: number
}

/** What bounds it is whoever was busy: the operator, the process of all API servers, AWS, or others on this machine. */
async function timed(what: string, { operator, servers, cloud, count }: Timed, work: () => Promise<void>): Promise<void> {
  await operator.ask('start')
  const busy = [operator, servers, cloud].map(({ pid }) => pid)
  const cpu = busy.map(pid => cpuMsOf([pid]))
  const began = performance.now()
  await work()
  const tookMs = performance.now() - began
  const { onHub, onTarget } = await operator.ask('counts')
  const spent = busy.map((pid, index) => cpuMsOf([pid]) - (cpu[index] ?? 0))
  const [own, theirs, clouds] = spent.map(
    spentMs => `${((spentMs / tookMs) * 100).toFixed(0)} % of a core (${(spentMs / count).toFixed(1)} ms each)`,
  )
  const rate = (count / tookMs) * 1_000
  say(
    what,
    `${ms(tookMs)}, ${rate.toFixed(0)} a second; ${(onHub / count).toFixed(2)} writes on the hub and ${(onTarget / count).toFixed(2)} on clusters for each; operator ${own}, API servers ${theirs}, AWS ${clouds}; the machine's load is ${loadavg()[0]?.toFixed(1)} on ${availableParallelism()} cores`,
  )
}

function makeSet(client: KubeClient, name: string, strategy: Strategy): Promise<unknown> {
  const placementRefs = [{ name: 'all', rolloutStrategy: strategies[strategy] }]
  const template = { spec: { serviceAccount: { namespace: 'default', name }, policyARNs: [policy('ReadOnlyAccess')] } }
  return client.create(
    replicaSetKind.type,
    replicaSetKind.make({ namespace: 'platform', name }, { placementRefs, template } as never),
  )
}

async function untilRolledOut(client: KubeClient, names: readonly string[], clusters: number): Promise<void> {
  const isDone = ({ metadata, status }: ServiceAccountRoleReplicaSet): boolean =>
    status?.observedGeneration === metadata.generation &&
    status?.readyClusterCount === clusters &&
    status.conditions?.some(one => one.type === 'PlacementRolledOut' && one.status === 'True') === true
  // A set with a thousand clusters in its status is much to read: one at a time, so that whoever asks is not what is measured.
  for (const name of names)
    for (;;) {
      const began = performance.now()
      if (isDone(await client.get<ServiceAccountRoleReplicaSet>(replicaSetKind.type, { namespace: 'platform', name }))) break
      await nap(Math.max(50, 20 * (performance.now() - began)))
    }
}

/** Nobody runs Deployments there, so each Config ends with waiting for that of the webhook: from then on the whole runtime is followed. */
async function untilInstalled(client: KubeClient): Promise<void> {
  const untilMs = performance.now() + 300_000
  for (;;) {
    const { items } = await client.list<StoredObject & WithConditions>(configKind.type)
    const said = items.map(({ status }) => status?.conditions?.find(({ type }) => type === 'Ready')?.reason ?? 'nothing')
    const waiting = said.filter(reason => !reason.includes('WebhookDeployment'))
    if (waiting.length === 0) return
    if (performance.now() > untilMs) throw new Error(`${waiting.length} Configs say ${[...new Set(waiting)].join(', ')}`)
    await nap(1_000)
  }
}

interface WithConditions {
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly reason?: string }[] }
}

/** From the creation of each binding to its readiness, as a watch of the hub sees them; the 99th of a hundred. */
async function latencies(hub: Access, name: string, clusters: number, wanted: number): Promise<number> {
  const made = new Map<string, number>()
  const ready = new Map<string, number>()
  const stop = new AbortController()
  // Of its own: what a watch of a hundred thousand bindings leaves in a connection is in nobody's way.
  const [watcher, client] = [openClient(hub), openClient(hub)]
  const note = (event: WatchEvent<ServiceAccountRole>): void => {
    if ((event.type !== 'ADDED' && event.type !== 'MODIFIED') || event.object.metadata.name !== name) return
    const { metadata, status } = event.object
    const at = metadata.namespace ?? ''
    if (!made.has(at)) made.set(at, performance.now())
    if (status?.conditions?.some(one => one.type === 'Ready' && one.status === 'True') === true && !ready.has(at))
      ready.set(at, performance.now())
  }
  const watching = (async () => {
    // A watch ends now and then, and whoever does not open it again waits for ever.
    while (!stop.signal.aborted) {
      const events = watcher.watch<ServiceAccountRole>(roleKind.type, {
        sendInitialEvents: true,
        allowBookmarks: true,
        signal: stop.signal,
      })
      try {
        for await (const event of events) note(event)
      } catch (error) {
        if (!stop.signal.aborted) console.log(`  the watch of ${name} ended: ${String(error)}`)
      }
    }
  })()
  await nap(500)
  await makeSet(client, name, 'all')
  while (made.size < clusters || ready.size < wanted) await nap(20)
  stop.abort(new Error('enough'))
  await watching
  await Promise.all([watcher.close(), client.close()])
  const took = [...ready].map(([at, readyMs]) => readyMs - (made.get(at) ?? readyMs)).toSorted((a, b) => a - b)
  return took[Math.min(took.length - 1, Math.ceil(took.length * 0.99) - 1)] ?? 0
}

/** No pass for two seconds, after as many as there have to be: before them, much is still being listed. For a minute without one it is told. */
async function quiet(operator: Program, passesMin = 1): Promise<void> {
  let passes = 0
  let quietAt = performance.now()
  for (;;) {
    const seen = (await operator.ask('counts')).passes
    const quietMs = performance.now() - quietAt
    if (seen !== passes || seen === 0) quietAt = performance.now()
    else if (quietMs > 60_000) throw new Error(`${seen} passes, where ${passesMin} were to come`)
    else if (quietMs > 2_000 && seen >= passesMin) return
    passes = seen
    await nap(100)
  }
}

function say(what: string, figures: string): void {
  console.log(`  ${what}: ${figures}`)
}

function nap(forMs: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, forMs))
}
