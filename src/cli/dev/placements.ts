// Whoever chooses clusters for Placements in the world of `vouch dev`: a stand-in for the controller of Open Cluster Management, by the labels
// of the ClusterProfiles.
import {
  type ClusterProfile,
  chooseGroups,
  clusterNameOf,
  clusterProfileKind,
  type Placement,
  placementKind,
  writePlacement,
} from '#fleet'
import type { StoredObject } from '#kube'
import { followed } from './follow.ts'
import type { Screen } from './screen.ts'
import type { DevWorld } from './world.ts'

/** Follows both until the signal aborts; each change chooses anew. */
export async function choosePlacements({ hub }: DevWorld, screen: Screen, signal: AbortSignal): Promise<void> {
  let work = Promise.resolve()
  let isWaiting = false
  const chooseAll = async (): Promise<void> => {
    isWaiting = false
    const profiles = (await hub.kube.list<ClusterProfile>(clusterProfileKind.type)).items
    const clusters = profiles.map(profile => ({ name: clusterNameOf(profile), labels: profile.metadata.labels ?? {} }))
    for (const { metadata, spec = {} } of (await hub.kube.list<Placement>(placementKind.type)).items) {
      await writePlacement(hub.kube, { namespace: metadata.namespace ?? '', name: metadata.name }, chooseGroups(spec, clusters))
    }
  }
  /** Two evaluations never run at the same time: changes that come during one are served by one more after it. */
  const see = (object: StoredObject): void => {
    if (isWaiting || signal.aborted) return
    isWaiting = true
    work = work.then(chooseAll).catch((error: unknown) => {
      if (!signal.aborted)
        screen.line('failed', `${object.kind} ${object.metadata.name}: no cluster can be chosen: ${String(error)}`)
    })
  }
  await Promise.all(
    [clusterProfileKind, placementKind].map(({ type }) => followed({ kube: hub.kube, type, screen, signal }, see)),
  )
  await work
}
