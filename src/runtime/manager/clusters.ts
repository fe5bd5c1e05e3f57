// What a process knows of clusters: caches of the hub and of each target, and how controllers read and write through them.
import { given } from '#base'
import type { ObjectKey, ResourceType } from '#kube'
import { resourceNameOf } from '#kube'
import type { HealthAnswer } from '../health.ts'
import { Caches } from '../informer/caches.ts'
import type { Reads } from '../informer/reads.ts'
import { readsOver } from '../informer/reads-over.ts'
import type { CachedObject, Target, Unavailable } from '../plan/target.ts'
import { TargetClusters } from '../targets/target-clusters.ts'
import type { ManagerOptions } from './options.ts'

export class Clusters {
  readonly hub: Caches
  readonly targets: TargetClusters
  /** For decisions: a cache that is not whole refuses to answer. */
  readonly world: Reads
  /** For mappings, whose claims come up by themselves. */
  readonly mappingWorld: Reads
  readonly #callTimeoutMs: number | undefined

  /** `onKindBack`: a kind of the hub that was missing is there. */
  constructor(options: ManagerOptions, onKindBack: () => void) {
    const { client, seams, informerLimits, listing, callTimeoutMs, onMove } = options
    const { clock, random, log } = seams
    const common = {
      clock,
      log,
      fieldManagers: options.controllers.map(({ name, fieldManager }) => fieldManager ?? name),
      ...given({ limits: informerLimits, listing, callTimeoutMs, onMove }),
    }
    this.hub = new Caches({
      ...common,
      client,
      random: random.fork('hub'),
      onState: (_type, state) => {
        if (state.kind === 'live') onKindBack()
      },
    })
    this.targets = new TargetClusters({ ...common, random: random.fork('targets') })
    this.#callTimeoutMs = callTimeoutMs
    this.world = this.#worldOf(true)
    this.mappingWorld = this.#worldOf(false)
  }

  /** Where something is written; `undefined` for a cluster that is not in the fleet. */
  target(cluster: string | undefined): Target | undefined {
    const caches = cluster === undefined ? this.hub : this.targets.caches(cluster)
    return caches === undefined ? undefined : targetOf(caches, cluster)
  }

  /** Whether the hub's kinds were listed once, and if not, which was not and why. */
  readiness(): HealthAnswer {
    for (const informer of this.hub.unsettled()) {
      const { state } = informer
      const why = state.kind === 'behind' ? `${state.why}: ${state.message}` : 'listing'
      return { ok: false, why: `${resourceNameOf(informer.type)} has not been listed yet (${why})` }
    }
    return { ok: true }
  }

  start(signal: AbortSignal): void {
    this.hub.start(signal)
    this.targets.start(signal)
  }

  async stopped(): Promise<void> {
    await Promise.all([this.hub.stopped(), this.targets.stopped()])
  }

  #worldOf(strict: boolean): Reads {
    const cluster = (name: string): Reads | undefined => (name === '' ? world : this.targets.reads(name, strict))
    const names = (): readonly string[] => this.targets.names()
    const world = readsOver(this.hub, { cluster, names, strict, callTimeoutMs: this.#callTimeoutMs })
    return world
  }
}

function targetOf(caches: Caches, cluster: string | undefined): Target {
  return {
    ...given({ cluster }),
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
