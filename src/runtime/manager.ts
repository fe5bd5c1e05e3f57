// Assembles an operator process: caches of the hub and of the target clusters, controllers, an election, metrics, health. One abort at the root ends all
// of it, in the reverse order, in bounded time, and leaves no timer and no watch behind (L5).
import type { Clock, Seams } from '#base'
import { type ObjectKey, type ResourceType, resourceNameOf } from '#kube'
import type { KubeClient } from '#kube/client'
import type { ClaimKey } from './claim-key.ts'
import { type Companion, runCompanions } from './companion.ts'
import { Controller, type JudgedChange, type MappingFailed, type Take } from './controller/controller.ts'
import type { AnyController } from './controller/definition.ts'
import type { PassRecord } from './controller/pass.ts'
import { Election, type ElectionOptions } from './election/election.ts'
import { openFence } from './election/fence.ts'
import { termsOfAll } from './election/terms.ts'
import type { HealthCheck } from './health.ts'
import { type CacheMove, Caches, readsOver } from './informer/caches.ts'
import type { Change } from './informer/change.ts'
import type { InformerLimits } from './informer/limits.ts'
import type { Reads } from './informer/reads.ts'
import type { Source } from './informer/source.ts'
import { type EngineMetrics, engineMetrics } from './metrics/engine.ts'
import { Metrics } from './metrics/registry.ts'
import type { CachedObject, Target, Unavailable } from './plan/target.ts'
import { openScope } from './scope.ts'
import { shardLeaseName } from './shards/lease-names.ts'
import { Shards } from './shards/shards.ts'
import { TargetClusters } from './targets/target-clusters.ts'
import type { Tracer } from './trace.ts'

export interface ManagerOptions {
  readonly client: KubeClient
  readonly seams: Pick<Seams, 'clock' | 'random' | 'log'>
  readonly controllers: readonly AnyController[]
  readonly companions?: readonly Companion[]
  /** The process, unique: in events and as the holder of the lease. */
  readonly identity: string
  /** Among several managers of one process: in the metrics of its caches. */
  readonly name?: string
  /** Absent: this is the only process, by construction. The lease is kept by the manager's own client unless another is given. */
  readonly election?: Omit<
    ElectionOptions,
    'client' | 'clock' | 'random' | 'log' | 'identity' | 'isWanted' | 'isPersonal' | 'isShared' | 'onChange' | 'onFailed'
  > &
    Partial<Pick<ElectionOptions, 'client'>> & {
      /** Into how many parts replicas divide the work by namespaces, instead of one that leads over all of it. */
      readonly shards?: number
    }
  readonly metrics?: Metrics
  readonly informerLimits?: Partial<InformerLimits>
  readonly listing?: 'stream' | 'pages'
  readonly callTimeoutMs?: number
  /** Decides and reads, and changes nothing. */
  readonly pretend?: boolean
  readonly tracer?: Tracer
  readonly onTake?: (take: Take) => void
  readonly onPass?: (record: PassRecord) => void
  /** Each change of a claim: for metrics. */
  readonly onJudged?: (judged: JudgedChange) => void
  readonly onMappingFailed?: (failed: MappingFailed) => void
  /** Each change of a cache, of the hub or of a target: for tests and the simulator. */
  readonly onMove?: (move: CacheMove) => void
}

export interface Manager {
  readonly controllers: readonly Controller[]
  readonly targets: TargetClusters
  readonly world: Reads
  readonly metrics: Metrics
  readonly live: readonly HealthCheck[]
  readonly ready: readonly HealthCheck[]
  /** Whether this replica works on what is in that namespace, or in that cluster; always so where one leads over everything. */
  isOurs(namespace: string): boolean
  /** Called whenever `isOurs` may say something else. */
  onShareChanged(listener: () => void): void
  /** Runs until the signal aborts. Rejects only for a defect. */
  run(signal: AbortSignal): Promise<void>
  /** Resolves when the hub's caches hold whole lists. */
  whenSynced(signal: AbortSignal): Promise<void>
}

export function createManager(options: ManagerOptions): Manager {
  const { client, seams } = options
  const { clock, random, log } = seams
  const { companions = [] } = options
  const metrics = options.metrics ?? new Metrics()
  const fieldManagers = options.controllers.map(({ name, fieldManager }) => fieldManager ?? name)
  const common = {
    clock,
    log,
    fieldManagers,
    ...(options.informerLimits === undefined ? {} : { limits: options.informerLimits }),
    ...(options.listing === undefined ? {} : { listing: options.listing }),
    ...(options.callTimeoutMs === undefined ? {} : { callTimeoutMs: options.callTimeoutMs }),
  }
  const hub = new Caches({
    ...common,
    client,
    random: random.fork('hub'),
    // A kind that was missing is there: whoever asked for it in vain asks again.
    onState: (_type, state) => {
      if (state.kind === 'live') for (const controller of controllers) controller.onClusterBack(undefined)
    },
    ...(options.onMove === undefined ? {} : { onMove: options.onMove }),
  })
  const targets = new TargetClusters({
    ...common,
    random: random.fork('targets'),
    ...(options.onMove === undefined ? {} : { onMove: options.onMove }),
  })
  const worldOf = (strict: boolean): Reads => {
    const { callTimeoutMs } = options
    const cluster = (name: string): Reads | undefined => (name === '' ? world : targets.reads(name, strict))
    const world = readsOver(hub, { cluster, names: () => targets.names(), strict, callTimeoutMs })
    return world
  }
  const world = worldOf(true)
  const mappingWorld = worldOf(false)
  const target = (cluster: string | undefined): Target | undefined => {
    const caches = cluster === undefined ? hub : targets.caches(cluster)
    return caches === undefined ? undefined : targetOf(caches, cluster)
  }
  const gauges = engineMetrics(metrics)
  const election = openElection(options, gauges)
  const terms = election instanceof Shards ? election : termsOfAll(election ?? openFence)
  const shareListeners: (() => void)[] = []
  const shareChanged = (): void => {
    for (const listener of shareListeners) listener()
  }
  const controllers = options.controllers.map(
    definition =>
      new Controller({
        definition,
        clock,
        random,
        log,
        world,
        mappingWorld,
        terms,
        metrics: gauges,
        instance: options.identity,
        target,
        ...(options.callTimeoutMs === undefined ? {} : { callTimeoutMs: options.callTimeoutMs }),
        ...(options.pretend === undefined ? {} : { pretend: options.pretend }),
        ...(options.tracer === undefined ? {} : { tracer: options.tracer }),
        ...(options.onTake === undefined ? {} : { onTake: options.onTake }),
        onPass: record => {
          for (const { onPass } of companions) onPass?.(record)
          options.onPass?.(record)
        },
        ...(options.onJudged === undefined ? {} : { onJudged: options.onJudged }),
        ...(options.onMappingFailed === undefined ? {} : { onMappingFailed: options.onMappingFailed }),
      }),
  )
  for (const controller of controllers) subscribe(controller, hub, targets, mappingWorld)
  metrics.collect(() => {
    collect({ name: options.name, controllers, hub, targets, gauges })
    if (election instanceof Shards) collectShare(election, options.election?.lease.name ?? '', gauges)
  })

  return {
    controllers,
    targets,
    world,
    metrics,
    live: [{ name: 'ping', check: () => ({ ok: true }) }],
    ready: [{ name: 'caches', check: () => readiness(hub) }],
    whenSynced: signal => hub.whenSynced(signal),
    isOurs: namespace => !(election instanceof Shards) || election.of({ cluster: '', namespace }) !== undefined,
    onShareChanged: listener => void shareListeners.push(listener),
    run: async signal => {
      const root = openScope({ parents: [signal] })
      hub.start(root.signal)
      targets.start(root.signal)
      const accompany = (term: AbortSignal): Promise<void> => runCompanions(companions, { world, controllers, clock, log }, term)
      const lead = (term: AbortSignal): Promise<void> => leadTerm({ hub, controllers, accompany }, [root.signal, term])
      const takeUp = (shards: Shards, shard: number): void => {
        shareChanged()
        const isOfShard = (key: ClaimKey): boolean => shards.shardOf(key) === shard
        for (const controller of controllers) controller.takeUp(claimsOf(controller, hub, targets).filter(isOfShard))
      }
      const share = async (shards: Shards): Promise<void> => {
        // Workers are there all the time, and take what is of the shards that are held.
        const working = leadTerm({ hub, controllers, accompany: () => Promise.resolve() }, [root.signal])
        await warmed(hub, clock, root.signal)
        const work = { onTaken: (shard: number) => takeUp(shards, shard), onGiven: shareChanged, beside: accompany }
        await Promise.all([working, shards.run(root.signal, work)])
      }
      try {
        if (election instanceof Shards) await share(election)
        else await (election === undefined ? lead(root.signal) : election.run(root.signal, lead))
      } finally {
        root.end(new Error('the manager stops'))
        for (const controller of controllers) controller.close()
        await Promise.all([hub.stopped(), targets.stopped()])
      }
    },
  }
}

/** By which a leader, or the holders of shards, are found; none for a process that is alone. */
function openElection(
  { client, seams: { clock, random, log }, identity, election }: ManagerOptions,
  { masterStatus }: EngineMetrics,
): Election | Shards | undefined {
  if (election === undefined) return undefined
  const { shards: count, ...own } = election
  const common = { client, ...own, clock, random: random.fork('election'), log, identity }
  const { name } = election.lease
  const tell = (lease: string, isHeld: boolean): void => masterStatus.set(isHeld ? 1 : 0, { name: lease })
  if (count === undefined) {
    tell(name, false)
    return new Election({ ...common, onChange: leading => tell(name, leading) })
  }
  return new Shards({
    ...common,
    count,
    onChange: (shard, isHeld) => tell(shardLeaseName({ ...election.lease, count }, shard), isHeld),
  })
}

/** What a replica may take before it takes part although it has not seen everything: a kind may be missing for good. */
const warmMsMax = 10_000

/** Whoever takes work over knows the hub by then, so that nothing waits for a first list. */
async function warmed(hub: Caches, clock: Clock, signal: AbortSignal): Promise<void> {
  const scope = openScope({ parents: [signal], deadline: { clock, ms: warmMsMax, what: 'the first list' } })
  try {
    await hub.whenSynced(scope.signal)
  } catch (error) {
    if (!scope.signal.aborted) throw error
  } finally {
    scope.end()
  }
}

function claimsOf({ definition: { claims } }: Controller, hub: Caches, targets: TargetClusters): readonly ClaimKey[] {
  const all = claims.on === 'targets' ? [...targets.members()] : [['', hub] as const]
  return all.flatMap(([cluster, caches]) =>
    caches.list(claims.type).map(({ metadata }) => ({ cluster, namespace: metadata.namespace ?? '', name: metadata.name })),
  )
}

interface Leading {
  readonly hub: Caches
  readonly controllers: readonly Controller[]
  accompany(term: AbortSignal): Promise<void>
}

/** Nothing is decided before the hub is known; a target is known when it is known. */
async function leadTerm({ hub, controllers, accompany }: Leading, signals: readonly AbortSignal[]): Promise<void> {
  const term = openScope({ parents: signals })
  try {
    await Promise.all([
      accompany(term.signal),
      ...controllers.map(async controller => {
        const { claims, watches = [] } = controller.definition
        // Only what this one reads: a kind that is missing for another operator is no business of this one.
        const types = [claims, ...watches].filter(({ on }) => on !== 'targets').map(({ type }) => type)
        await hub.whenSynced(term.signal, types)
        await controller.run(term.signal)
      }),
    ])
  } catch (error) {
    if (!term.signal.aborted) throw error
  } finally {
    term.end()
  }
}

function subscribe(controller: Controller, hub: Caches, targets: TargetClusters, world: Reads): void {
  const { definition } = controller
  const want = (source: Source, on: 'hub' | 'targets', listener: (cluster: string, change: Change) => void): void => {
    if (on === 'hub') hub.want(source, change => listener('', change))
    else targets.want({ source, listener })
  }
  want(definition.claims, definition.claims.on ?? 'hub', (cluster, change) => controller.onClaim(cluster, change))
  for (const watch of definition.watches ?? []) {
    want(watch, watch.on ?? 'hub', (cluster, change) => controller.onWatched(watch, cluster, change))
  }
  const { toClaimsOfCluster } = definition
  targets.onBack(cluster => controller.onClusterBack(cluster))
  targets.onChange((cluster, event) => {
    if (event === 'left') controller.onClusterLeft(cluster)
  })
  if (toClaimsOfCluster === undefined) return
  targets.onChange(cluster => {
    for (const key of toClaimsOfCluster(cluster, world)) controller.add(key)
  })
}

function targetOf(caches: Caches, cluster: string | undefined): Target {
  return {
    ...(cluster === undefined ? {} : { cluster }),
    client: caches.client,
    unavailable: () => (cluster === undefined ? undefined : unavailability(caches, cluster)),
    follow: (type: ResourceType, key: ObjectKey) => {
      const informer = caches.informerOf(type, key)
      // A write to a cluster that left meanwhile is seen by nobody: the one that comes in its place lists what is there.
      if (informer === undefined || (informer.state.kind === 'behind' && informer.state.why === 'stopped')) return undefined
      return {
        hasReached: written => informer.cache.hasReached(written),
        whenReached: (written, reached) => informer.cache.whenReached(written, reached),
        relist: why => informer.relist(why),
        isOver: () => informer.state.kind === 'behind' && informer.state.why === 'stopped',
      }
    },
    cached: (type, key): CachedObject => {
      if (caches.informerOf(type, key)?.cache.synced !== true) return { kind: 'unwatched' }
      const object = caches.find(type, key)
      if (object !== undefined) return { kind: 'present', object, partial: caches.isPartial(type) }
      return caches.isFiltered(type) ? { kind: 'unwatched' } : { kind: 'absent' }
    },
  }
}

/** A broken stream is opened again within a second or two, and stands for a second before it counts. A cluster that is away stays broken. */
const brokenMsMax = 5_000

/**
 * A member whose caches cannot follow it will not take writes either, and its informers notice first when it is back. That one stream
 * ended says nothing yet: a claim that is looked at in that second would be told of an outage, and of its end a second later.
 */
function unavailability(caches: Caches, cluster: string): Unavailable | undefined {
  for (const informer of caches.informers()) {
    const { cache, state } = informer
    const isBroken = state.kind === 'behind' && ['unreachable', 'unauthenticated', 'error'].includes(state.why)
    if (isBroken && (!cache.synced || informer.behindMs() > brokenMsMax)) {
      return { reason: 'DependencyDown', message: `cluster ${cluster} does not answer as it should (${state.why})` }
    }
    if (!cache.synced && state.kind === 'behind' && state.why === 'starting') {
      return { reason: 'CacheStarting', message: `cluster ${cluster} is being listed` }
    }
  }
  return undefined
}

function readiness(hub: Caches): { ok: true } | { ok: false; why: string } {
  for (const informer of hub.unsettled()) {
    const { state } = informer
    const why = state.kind === 'behind' ? `${state.why}: ${state.message}` : 'listing'
    return { ok: false, why: `${resourceNameOf(informer.type)} has not been listed yet (${why})` }
  }
  return { ok: true }
}

interface Collected {
  readonly name: string | undefined
  readonly controllers: readonly Controller[]
  readonly hub: Caches
  readonly targets: TargetClusters
  readonly gauges: ReturnType<typeof engineMetrics>
}

function collect({ name, controllers, hub, targets, gauges }: Collected): void {
  const own = name === undefined ? {} : { operator: name }
  for (const controller of controllers) controller.collect()
  for (const [cluster, caches] of [['hub', hub] as const, ...targets.members()]) {
    for (const informer of caches.informers()) {
      const labels = { ...own, cluster, resource: resourceNameOf(informer.type) }
      gauges.informerObjects.set(informer.cache.store.size, labels)
      gauges.informerBehindSeconds.set(informer.behindMs() / 1_000, labels)
      gauges.informerEvents.set(informer.counts.events, labels)
      gauges.informerLists.set(informer.counts.lists, labels)
    }
  }
}

function collectShare({ held, members }: Shards, name: string, gauges: EngineMetrics): void {
  gauges.shardsHeld.set(held.length, { name })
  gauges.shardMembers.set(members, { name })
}
