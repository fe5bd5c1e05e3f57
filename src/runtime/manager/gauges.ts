// What a manager says of itself when its metrics are read.
import { resourceNameOf } from '#kube'
import type { Controller } from '../controller/controller.ts'
import type { EngineMetrics } from '../metrics/engine.ts'
import type { Shards } from '../shards/shards.ts'
import type { Clusters } from './clusters.ts'

interface Collected {
  readonly name: string | undefined
  readonly controllers: readonly Controller[]
  readonly clusters: Clusters
  readonly gauges: EngineMetrics
}

export function collect({ name, controllers, clusters, gauges }: Collected): void {
  const own = name === undefined ? {} : { operator: name }
  for (const controller of controllers) controller.collect()
  for (const [cluster, caches] of [['hub', clusters.hub] as const, ...clusters.targets.members()]) {
    for (const informer of caches.informers()) {
      const labels = { ...own, cluster, resource: resourceNameOf(informer.type) }
      gauges.informerObjects.set(informer.cache.store.size, labels)
      gauges.informerBehindSeconds.set(informer.behindMs() / 1_000, labels)
      gauges.informerEvents.set(informer.counts.events, labels)
      gauges.informerLists.set(informer.counts.lists, labels)
    }
  }
}

export function collectShare({ held, members }: Shards, name: string, gauges: EngineMetrics): void {
  gauges.shardsHeld.set(held.length, { name })
  gauges.shardMembers.set(members, { name })
}
