// Assembles an operator process: caches of the hub and of the target clusters, controllers, an election, metrics, health. One abort at the root ends all
// of it, in the reverse order, in bounded time, and leaves no timer and no watch behind (L5).

import { given } from '#base'
import { Controller } from '../controller/controller.ts'
import type { AnyController } from '../controller/definition.ts'
import type { Election } from '../election/election.ts'
import { openFence } from '../election/fence.ts'
import { type Terms, termsOfAll } from '../election/terms.ts'
import type { HealthCheck } from '../health.ts'
import type { Reads } from '../informer/reads.ts'
import { type EngineMetrics, engineMetrics } from '../metrics/engine.ts'
import { Metrics } from '../metrics/registry.ts'
import { Shards } from '../shards/shards.ts'
import type { TargetClusters } from '../targets/target-clusters.ts'
import { Clusters } from './clusters.ts'
import { openElection } from './elect.ts'
import { collect, collectShare } from './gauges.ts'
import type { ManagerOptions } from './options.ts'
import { subscribe } from './subscribe.ts'
import { Work } from './work.ts'

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
  const { metrics = new Metrics(), companions = [] } = options
  const gauges = engineMetrics(metrics)
  const clusters = new Clusters(options, () => {
    // Whoever asked for it in vain asks again.
    for (const controller of controllers) controller.onClusterBack(undefined)
  })
  const election = openElection(options, gauges)
  const parts = { options, clusters, gauges, terms: termsOf(election) }
  const controllers = options.controllers.map(definition => controllerOf(definition, parts))
  for (const controller of controllers) subscribe(controller, clusters)
  metrics.collect(() => {
    collect({ name: options.name, controllers, clusters, gauges })
    if (election instanceof Shards) collectShare(election, options.election?.lease.name ?? '', gauges)
  })
  const shareListeners: (() => void)[] = []
  const onShareChanged = (): void => {
    for (const listener of shareListeners) listener()
  }
  const work = new Work({ seams: options.seams, companions, clusters, controllers, onShareChanged })
  return {
    controllers,
    targets: clusters.targets,
    world: clusters.world,
    metrics,
    live: [{ name: 'ping', check: () => ({ ok: true }) }],
    ready: [{ name: 'caches', check: () => clusters.readiness() }],
    whenSynced: signal => clusters.hub.whenSynced(signal),
    isOurs: namespace => !(election instanceof Shards) || election.of({ cluster: '', namespace }) !== undefined,
    onShareChanged: listener => void shareListeners.push(listener),
    run: signal => work.run(election, signal),
  }
}

function termsOf(election: Election | Shards | undefined): Terms {
  return election instanceof Shards ? election : termsOfAll(election ?? openFence)
}

interface Parts {
  readonly options: ManagerOptions
  readonly clusters: Clusters
  readonly gauges: EngineMetrics
  readonly terms: Terms
}

function controllerOf(definition: AnyController, { options, clusters, gauges, terms }: Parts): Controller {
  const { seams, companions = [], callTimeoutMs, pretend, tracer, onTake, onJudged, onMappingFailed } = options
  return new Controller({
    definition,
    clock: seams.clock,
    random: seams.random,
    log: seams.log,
    world: clusters.world,
    mappingWorld: clusters.mappingWorld,
    terms,
    metrics: gauges,
    instance: options.identity,
    target: cluster => clusters.target(cluster),
    ...given({ callTimeoutMs, pretend, tracer, onTake }),
    onPass: record => {
      for (const { onPass } of companions) onPass?.(record)
      options.onPass?.(record)
    },
    ...given({ onJudged, onMappingFailed }),
  })
}
