// What the ReplicaSet controller keeps besides Roles, and the lookups over it: placements, their decisions, namespaces of the hub.
import { type Placement, type PlacementDecision, placementDecisionKind, placementKind, placementLabels } from '#fleet'
import { namespaces, type ObjectKey, type StoredObject } from '#kube'
import { indexBy, keepOwnFields, type Reads, type Source, type SourceIndex } from '#runtime'
import {
  type PlacementRef,
  type ServiceAccountRoleReplicaSet as ReplicaSet,
  type ReplicaSetSpec,
  replicaSetKind,
} from '../api/kinds.ts'

const placementIndex = 'spec.placementRefs.name'
const decisionIndex = 'placement'
const clusterIndex = 'decided-cluster'

const byPlacement: SourceIndex = indexBy<ReplicaSet>(set =>
  refsOf(set).map(({ name }) => `${set.metadata.namespace ?? ''}/${name}`),
)
const byName: SourceIndex = indexBy<PlacementDecision>(decision => {
  const placement = placementOf(decision)
  return placement === undefined ? [] : [`${placement.namespace}/${placement.name}`]
})
const byCluster: SourceIndex = indexBy<PlacementDecision>(({ status }) => [
  ...new Set((status?.decisions ?? []).map(({ clusterName }) => clusterName)),
])

export const replicaSetSource: Source = {
  type: replicaSetKind.type,
  project: keepOwnFields([]),
  indexes: { [placementIndex]: byPlacement },
}

/** A hub without Open Cluster Management has neither kind, and then no set selects anything. */
export const placementSource: Source = { type: placementKind.type, optional: true }
export const decisionSource: Source = {
  type: placementDecisionKind.type,
  optional: true,
  indexes: { [decisionIndex]: byName, [clusterIndex]: byCluster },
}

/** Of a namespace it matters that it is there, and that it is not going. */
export const namespaceSource: Source = { type: namespaces, metadataOnly: true }

/** The Placement that a decision is for; `undefined` for one without the label. */
export function placementOf({ metadata }: StoredObject): ObjectKey | undefined {
  const name = metadata.labels?.[placementLabels.placement]
  return name === undefined || name === '' ? undefined : { namespace: metadata.namespace ?? '', name }
}

export function findPlacement(world: Reads, key: ObjectKey): Placement | undefined {
  return world.find<Placement>(placementKind.type, key)
}

/** All that have the placement's name in their label, whoever made them. */
export function decisionsNaming(world: Reads, { namespace, name }: ObjectKey): readonly PlacementDecision[] {
  return world.byIndex<PlacementDecision>(placementDecisionKind.type, decisionIndex, `${namespace}/${name}`)
}

/** How many clusters the placements of a set have decided on, as far as the hub has been listed; one that two of them chose counts twice. */
export function decidedCount(set: ReplicaSet, world: Reads): number {
  if (!world.isSynced(placementDecisionKind.type)) return 0
  const namespace = set.metadata.namespace ?? ''
  const decisions = refsOf(set).flatMap(({ name }) => decisionsNaming(world, { namespace, name }))
  return decisions.reduce((count, { status }) => count + (status?.decisions?.length ?? 0), 0)
}

/** The sets that a placement selects for. */
export function setsOfPlacement(world: Reads, { namespace, name }: ObjectKey): readonly ReplicaSet[] {
  return world.byIndex<ReplicaSet>(replicaSetKind.type, placementIndex, `${namespace}/${name}`)
}

/** The sets that mean this cluster now, by the decisions; each once. */
export function setsOfCluster(world: Reads, cluster: string): readonly ReplicaSet[] {
  if (!world.isSynced(placementDecisionKind.type)) return []
  const decisions = world.byIndex<PlacementDecision>(placementDecisionKind.type, clusterIndex, cluster)
  const placements = decisions.map(placementOf).filter(placement => placement !== undefined)
  return [...new Set(placements.flatMap(placement => setsOfPlacement(world, placement)))]
}

/** Of a set from before the schema wanted them there may be none: an index and a mapping must not fail for it. */
export function refsOf({ spec }: { readonly spec?: Partial<ReplicaSetSpec> }): readonly PlacementRef[] {
  return spec?.placementRefs ?? []
}
