// Which changes of which clusters a controller hears of.
import type { Controller } from '../controller/controller.ts'
import type { Change } from '../informer/change.ts'
import type { Source } from '../informer/source.ts'
import type { Clusters } from './clusters.ts'

export function subscribe(controller: Controller, { hub, targets }: Clusters): void {
  const { definition } = controller
  const want = (source: Source, on: 'hub' | 'targets', listener: (cluster: string, change: Change) => void): void => {
    if (on === 'hub') hub.want(source, change => listener('', change))
    else targets.want({ source, listener })
  }
  want(definition.claims, definition.claims.on ?? 'hub', (cluster, change) => controller.onClaim(cluster, change))
  for (const watch of definition.watches ?? []) {
    want(watch, watch.on ?? 'hub', (cluster, change) => controller.onWatched(watch, cluster, change))
  }
  targets.onBack(cluster => controller.onClusterBack(cluster))
  targets.onChange((cluster, event) => {
    if (event === 'left') controller.onClusterLeft(cluster)
  })
  targets.onChange(cluster => controller.onClusterChanged(cluster))
  targets.onAway(cluster => controller.onClusterAway(cluster))
}
