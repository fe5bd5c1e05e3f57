// The part of the story that is about a fleet: one ReplicaSet, which comes to the clusters group by group, stops where somebody is in its
// way, and goes on when the way is free.
import type { KubeObject, ObjectKey } from '#kube'
import { replicaSetKind, roleKind, type ServiceAccountRoleReplicaSet } from '#operators/identity'
import { followed, type WithConditions } from './follow.ts'
import { choosePlacements } from './placements.ts'
import { applyManifests, fleetFolder, type ManifestFile, readManifests } from './quickstart.ts'
import { isStopped, rolloutPicture } from './rollout-picture.ts'
import type { Screen } from './screen.ts'
import { until } from './until.ts'
import type { DevCluster, DevWorld } from './world.ts'

const set: ObjectKey = { namespace: 'platform', name: 'invoices' }
/** The groups of clusters in the example's placement. */
const groups = [
  { name: 'canary', clusters: ['edge'] },
  { name: 'staging', clusters: ['stage'] },
  { name: 'production', clusters: ['prod'] },
] as const
const inTheWay = 'stage'
const notYet = 'prod'

/** True when the rollout went as the story says. What it starts runs until the signal aborts, and ends with `running`. */
export async function tellFleet(
  world: DevWorld,
  screen: Screen,
  signal: AbortSignal,
  running: Promise<unknown>[],
): Promise<boolean> {
  screen.chapter('fleet', 'The platform team gives one role to the whole fleet: canary, then staging, then production')
  screen.line('done', 'a stand-in for the placement controller of Open Cluster Management chooses clusters by their labels', {
    cluster: 'hub',
  })
  running.push(choosePlacements(world, screen, signal), followRollout(world, screen, signal))
  const [byHand, hub, clusters] = await Promise.all(
    (['by-hand', 'hub', 'clusters'] as const).map(part => readManifests(part, fleetFolder)),
  )
  for (const file of clusters ?? [])
    for (const cluster of [world.edge, world.prod, world.stage]) await apply(cluster, file, screen)
  // This ServiceAccount is there before the set is applied, so that it is in the way whichever of the two is quicker.
  for (const file of [...(byHand ?? []), ...(hub ?? [])]) await apply(world.hub, file, screen)
  const stopped = until({ what: 'the rollout stops', signal, why: () => told(world) }, async () => isStopped(await read(world)))
  await screen.during(() => 'the rollout goes to the canary', stopped)
  const isAhead = (await world.hub.kube.find(roleKind.type, { namespace: notYet, name: set.name })) !== undefined
  if (isAhead) screen.line('failed', `${notYet} has the role although the group before it has not`, { cluster: notYet })
  else screen.line('refused', `the rollout stopped: ${await told(world)}; ${notYet} was not touched`, aboutSet)
  screen.line('done', `kubectl delete awsserviceaccountrole ${set.name} -n ${inTheWay}`, { cluster: 'hub' })
  await world.hub.kube.delete(roleKind.type, { namespace: inTheWay, name: set.name })
  const done = until({ what: 'the rollout ends', signal, why: () => told(world) }, async () => isEverywhere(await read(world)))
  await screen.during(() => 'the rollout goes on', done)
  if (!isAhead) screen.line('proven', 'the rollout went on: every cluster has the role, by the same few lines', aboutSet)
  return !isAhead
}

const aboutSet = { cluster: 'hub', object: { kind: replicaSetKind.type.kind, name: set.name } }

/** Each step of the rollout is drawn as a picture. */
async function followRollout({ hub }: DevWorld, screen: Screen, signal: AbortSignal): Promise<void> {
  let last = ''
  await followed({ kube: hub.kube, type: replicaSetKind.type, screen, signal }, (object, isThere) => {
    if (object.metadata.name !== set.name || !isThere) return
    const picture = rolloutPicture(groups, asSet(object))
    if (picture === last) return
    last = picture
    screen.line('done', picture, aboutSet)
  })
}

function asSet(object: WithConditions): ServiceAccountRoleReplicaSet['status'] {
  return object.status
}

async function read({ hub }: DevWorld): Promise<ServiceAccountRoleReplicaSet['status']> {
  return (await hub.kube.find<ServiceAccountRoleReplicaSet>(replicaSetKind.type, set))?.status
}

/** The operator's own words for why the rollout does not go on. */
async function told(world: DevWorld): Promise<string> {
  const status = await read(world)
  const failed = (status?.failedClusters ?? []).map(({ clusterName, message = '' }) => `${clusterName}: ${message}`)
  if (failed.length > 0) return failed.join('; ')
  return status?.conditions?.find(({ type }) => type === 'Ready')?.message ?? 'no status yet'
}

function isEverywhere(status: ServiceAccountRoleReplicaSet['status']): boolean {
  const holds = (type: string): boolean => status?.conditions?.some(one => one.type === type && one.status === 'True') === true
  return holds('PlacementRolledOut') && holds('Ready')
}

async function apply({ name: cluster, kube }: DevCluster, { name, objects }: ManifestFile, screen: Screen): Promise<void> {
  screen.line('done', `kubectl apply --server-side -f ${name} (${objects.length} objects)`, { cluster })
  await applyManifests(kube, objects satisfies readonly KubeObject[])
}
