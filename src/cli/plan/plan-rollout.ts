// What comes of a ReplicaSet beyond the set itself: in which clusters a Role would be made, changed or taken away first, what would wait, and
// what is in the way. In lines for people, below the change of the set.
import { type Placement, type PlacementDecision, placementDecisionKind, placementKind, type RolloutRules } from '#fleet'
import { type KubeObject, namespaces, type ObjectKey, type ResourceType, type StoredObject } from '#kube'
import { KubeError } from '#kube/client'
import {
  type ForeseenRollout,
  foreseeRollout,
  type HubLists,
  type ReplicaSetManifest,
  replicaSetKind,
  roleKind,
  type ServiceAccountRole,
  type ServiceAccountRoleReplicaSet,
} from '#operators/identity'

/** The hub of a plan. What is not installed there has no objects. */
export interface HubReads {
  find<T extends StoredObject>(type: ResourceType, key: ObjectKey): Promise<T | undefined>
  list<T extends StoredObject>(type: ResourceType): Promise<readonly T[]>
  /** In all namespaces. */
  named<T extends StoredObject>(type: ResourceType, name: string): Promise<readonly T[]>
}

export interface PlannedRollout {
  /** Nothing would be rolled out before something else is mended. */
  readonly isBlocked: boolean
  readonly details: readonly string[]
}

export function isReplicaSet(manifest: KubeObject): manifest is ReplicaSetManifest {
  const { apiVersion, kind } = manifest
  return apiVersion === replicaSetKind.apiVersion && kind === replicaSetKind.type.kind
}

export async function planRollout(
  manifest: ReplicaSetManifest,
  hub: HubReads | undefined,
  { rules, now }: { readonly rules: RolloutRules; readonly now: number },
): Promise<PlannedRollout> {
  if (hub === undefined) return open('which clusters: the hub was not looked at')
  try {
    const { namespace = '', name = '' } = manifest.metadata
    const live = await hub.find<ServiceAccountRoleReplicaSet>(replicaSetKind.type, { namespace, name })
    const foreseen = foreseeRollout(manifest, live, await hubLists(hub, name), { rules, now })
    switch (foreseen.kind) {
      case 'unresolved':
        return open(`which clusters cannot be told: ${foreseen.message}`)
      case 'refused':
        return { isBlocked: true, details: [foreseen.message] }
      default:
        return { isBlocked: false, details: linesOf(foreseen.rollout) }
    }
  } catch (error) {
    // Whoever plans may not be allowed to look at all of the hub; the set itself is planned all the same.
    if (error instanceof KubeError && error.httpStatus === 403) return open(`which clusters cannot be told: ${error.message}`)
    throw error
  }
}

function open(line: string): PlannedRollout {
  return { isBlocked: false, details: [line] }
}

async function hubLists(hub: HubReads, name: string): Promise<HubLists> {
  return {
    placements: await hub.list<Placement>(placementKind.type),
    decisions: await hub.list<PlacementDecision>(placementDecisionKind.type),
    roles: await hub.named<ServiceAccountRole>(roleKind.type, name),
    namespaces: await hub.list(namespaces),
  }
}

function linesOf({
  selected,
  creates,
  changes,
  replaces,
  removes,
  waiting,
  broken,
  remarks,
}: ForeseenRollout): readonly string[] {
  const where = (what: string, clusters: readonly string[]): readonly string[] =>
    clusters.length === 0 ? [] : [`${what} in ${clusters.length} now: ${shown(clusters)}`]
  return [
    `clusters: ${selected} selected`,
    ...where('a Role is made', creates),
    ...where('the Role is changed', changes),
    ...where('the Role is made anew, for it has another ServiceAccount,', replaces),
    ...where('the Role is taken away', removes),
    ...(waiting === 0 ? [] : [`${waiting} wait for their turn`]),
    ...remarks,
    ...broken.map(({ clusterName, message = '' }) => `${clusterName}: ${message}`),
  ]
}

/** More are a list that nobody reads. */
const namesMax = 20

function shown(clusters: readonly string[]): string {
  const more = clusters.length - namesMax
  return `${clusters.slice(0, namesMax).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}
