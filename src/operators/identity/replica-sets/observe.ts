// Reads what a decision about a ReplicaSet rests on: from the caches, but for what something would be destroyed by: before a child is
// taken for unwanted the selection is read from the server, and before a set is let go its children are looked for there (P4, S26).
import {
  type Placement,
  type PlacementDecision,
  placementDecisionKind,
  placementKind,
  placementLabels,
  resolvePlacement,
} from '#fleet'
import { keyOf, namespaces, type ObjectKey } from '#kube'
import type { Reads } from '#runtime'
import {
  type ServiceAccountRoleReplicaSet as ReplicaSet,
  replicaSetKind,
  roleKind,
  type ServiceAccountRole,
} from '../api/kinds.ts'
import { labels } from '../api/labels.ts'
import { rolesNaming } from '../role/sources.ts'
import { ownChildTest, setNameOf } from './child.ts'
import type { ReplicaSetSeen } from './seen.ts'
import { selectedOf } from './selection.ts'
import { decisionsNaming, findPlacement, refsOf } from './sources.ts'

/** `undefined`: there is no such set. */
export async function observeReplicaSet(key: ObjectKey, world: Reads, signal: AbortSignal): Promise<ReplicaSetSeen | undefined> {
  const claim = world.find<ReplicaSet>(replicaSetKind.type, key)
  if (claim === undefined) return undefined
  const own = rolesNaming(world, setNameOf(claim)).filter(ownChildTest(claim))
  const children = new Map(own.map(role => [role.metadata.namespace ?? '', role]))
  const nothing = {
    claim,
    placements: [],
    children,
    foreign: new Set<string>(),
    namespaces: new Map(),
    strays: [],
    kept: 0,
    remaining: own,
  }
  if (claim.metadata.deletionTimestamp !== undefined) {
    return { ...nothing, remaining: own.length > 0 ? own : await readRemaining(claim, world, signal) }
  }
  const placements = lookAtPlacements(claim, world)
  const selected = selectedOf(placements)
  const unselected = own.filter(({ metadata }) => !selected.has(metadata.namespace ?? ''))
  const strays = await confirmStrays(claim, world, signal, unselected)
  return {
    claim,
    placements,
    children,
    foreign: foreignOf(claim, world, selected, children),
    namespaces: namespacesOf(world, selected),
    strays,
    kept: unselected.length - strays.length,
    remaining: own,
  }
}

function lookAtPlacements(claim: ReplicaSet, world: Reads): ReplicaSetSeen['placements'] {
  // No pass begins before the kinds that are there have been listed: what is not in step is not installed.
  if (![placementKind, placementDecisionKind].every(({ type }) => world.isSynced(type))) {
    const message = 'the hub does not serve placements.cluster.open-cluster-management.io; install Open Cluster Management'
    return refsOf(claim).map(ref => ({ ref, resolution: { ok: false, message } }))
  }
  return refsOf(claim).map(ref => {
    const key = { namespace: claim.metadata.namespace ?? '', name: ref.name }
    return { ref, resolution: resolvePlacement(ref.name, findPlacement(world, key), decisionsNaming(world, key)) }
  })
}

function foreignOf(
  { metadata }: ReplicaSet,
  world: Reads,
  selected: ReadonlySet<string>,
  children: ReplicaSetSeen['children'],
): ReadonlySet<string> {
  const { name } = metadata
  const isForeign = (namespace: string): boolean =>
    !children.has(namespace) && world.find(roleKind.type, { namespace, name }) !== undefined
  return new Set([...selected].filter(isForeign))
}

function namespacesOf(world: Reads, selected: ReadonlySet<string>): ReplicaSetSeen['namespaces'] {
  const found = new Map<string, 'there' | 'going'>()
  for (const name of selected) {
    const namespace = world.find(namespaces, { namespace: '', name })
    if (namespace !== undefined) found.set(name, namespace.metadata.deletionTimestamp === undefined ? 'there' : 'going')
  }
  return found
}

/**
 * Of the children that look unwanted those that the server says are: a cache that is behind must not take an identity away. While a
 * Placement is not done, by its own word, nothing is unwanted.
 */
async function confirmStrays(
  claim: ReplicaSet,
  world: Reads,
  signal: AbortSignal,
  unselected: readonly ServiceAccountRole[],
): Promise<readonly ServiceAccountRole[]> {
  const going = unselected.filter(isGoing)
  // Nothing is to be destroyed any more.
  if (going.length === unselected.length) return going
  const namespace = claim.metadata.namespace ?? ''
  // What the set refers to now may be more than the cache says.
  const now = await world.read<ReplicaSet>(replicaSetKind.type, keyOf(claim), signal)
  if (now?.metadata.uid !== claim.metadata.uid) return going
  const selected = new Set<string>()
  for (const { name } of refsOf(now)) {
    const placement = await world.read<Placement>(placementKind.type, { namespace, name }, signal)
    const labelSelector = `${placementLabels.placement}=${name}`
    const decisions = await world.readAll<PlacementDecision>(placementDecisionKind.type, { namespace, labelSelector }, signal)
    const resolution = resolvePlacement(name, placement, decisions)
    if (!resolution.ok || resolution.unfinished !== undefined) return going
    for (const cluster of resolution.groups.flatMap(({ clusters }) => clusters)) selected.add(cluster)
  }
  return unselected.filter(role => isGoing(role) || !selected.has(role.metadata.namespace ?? ''))
}

function isGoing({ metadata }: ServiceAccountRole): boolean {
  return metadata.deletionTimestamp !== undefined
}

/** By the label of our uid, and one by one where the status says that there was one: no list alone says that nothing is left (S26). */
async function readRemaining(claim: ReplicaSet, world: Reads, signal: AbortSignal): Promise<readonly ServiceAccountRole[]> {
  const labelSelector = `${labels.replicaSetUid}=${claim.metadata.uid}`
  const listed = await world.readAll<ServiceAccountRole>(roleKind.type, { labelSelector }, signal)
  const isOwn = ownChildTest(claim)
  const own = listed.filter(isOwn)
  if (own.length > 0) return own
  for (const { clusterName: namespace } of claim.status?.clusters ?? []) {
    const role = await world.read<ServiceAccountRole>(roleKind.type, { namespace, name: claim.metadata.name }, signal)
    if (role !== undefined && isOwn(role)) return [role]
  }
  return []
}
