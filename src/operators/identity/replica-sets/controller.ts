// The ReplicaSet controller: from a template and placements to one Role in the namespace of each cluster that is meant, in the order that
// the rollout strategies say. What a Role then does is the Role controller's.
import { given } from '#base'
import type { RolloutRules } from '#fleet'
import { findCondition, keyOf, type ObjectKey, type StoredObject } from '#kube'
import { type AnyController, type Change, defineController, isEqualJson, type Reads, type Targets, type Watch } from '#runtime'
import {
  configKind,
  type ServiceAccountRoleReplicaSet as ReplicaSet,
  type ReplicaSetSpec,
  replicaSetKind,
  roleKind,
  type ServiceAccountRole,
} from '../api/kinds.ts'
import { annotations, operatorName } from '../api/labels.ts'
import { transitionEvents } from '../api/transition-events.ts'
import { roleSource } from '../role/sources.ts'
import { decideReplicaSet } from './decide.ts'
import { observeReplicaSet } from './observe.ts'
import { reportReplicaSet } from './report.ts'
import type { ReplicaSetSeen } from './seen.ts'
import {
  decidedCount,
  decisionSource,
  namespaceSource,
  placementOf,
  placementSource,
  replicaSetSource,
  setsOfCluster,
  setsOfPlacement,
} from './sources.ts'

/** Metric label and name of the controller. */
export const replicaSetControllerName = 'AWSServiceAccountRoleReplicaSet'

export interface ReplicaSetControllerOptions {
  /** How rollouts are planned; `safe` when absent. */
  readonly rules?: RolloutRules
  readonly workers?: number
}

export function createReplicaSetController({ rules = 'safe', workers }: ReplicaSetControllerOptions): AnyController {
  return defineController<ReplicaSetSeen | undefined>({
    name: replicaSetControllerName,
    fieldManager: operatorName,
    claims: replicaSetSource,
    status: { kind: 'subresource', observedGeneration: true, decidedOnce: ['retry', 'completedTemplate'] },
    watches,
    reconciler: {
      observe: observeReplicaSet,
      decide: (seen, now) => decideReplicaSet(seen, now, { rules }),
      report: reportReplicaSet,
    },
    eventsOf: transitionEvents,
    ...given({ workers }),
  })
}

const watches: readonly Watch[] = [
  { ...roleSource, name: 'replicaSetsForRole', isWorth: concernsSet, toClaims: setsOfRole, pauseMs },
  {
    ...placementSource,
    name: 'replicaSetsForOCMPlacement',
    toClaims: (object, world) => keys(setsOfPlacement(world, keyOf(object))),
  },
  { ...decisionSource, name: 'replicaSetsForOCMPlacementDecision', toClaims: setsOfDecision },
  {
    ...namespaceSource,
    name: 'replicaSetsForNamespace',
    isWorth: comesOrGoes,
    toClaims: ({ metadata }, world) => keys(setsOfCluster(world, metadata.name)),
    pauseMs,
  },
  // A Role is refused where there is no Config: its coming is what such a set waits for (case 172).
  {
    type: configKind.type,
    name: 'replicaSetsForConfig',
    isWorth: comesOrGoes,
    toClaims: ({ metadata }, world) => keys(setsOfCluster(world, metadata.namespace ?? '')),
    pauseMs,
  },
]

/** Some twenty times what a look at one cluster of a set takes, so that the Roles themselves have most of the process. */
const pauseMsPerCluster = 0.2

function pauseMs(set: ObjectKey, world: Reads): number {
  const found = world.find<ReplicaSet>(replicaSetKind.type, set)
  return found === undefined ? 0 : Math.floor(decidedCount(found, world) * pauseMsPerCluster)
}

function setsOfDecision(object: StoredObject, world: Reads): Targets {
  const placement = placementOf(object)
  return placement === undefined ? [] : keys(setsOfPlacement(world, placement))
}

/** The set that the Role names; of a Role that names none, the sets in whose way it may be by its name or its ServiceAccount. */
function setsOfRole(object: StoredObject, world: Reads): Targets {
  const owner = ownerOf(object)
  if (!isRole(object)) return []
  const { metadata, spec } = object
  const others = setsOfCluster(world, metadata.namespace ?? '').filter(
    set => set.metadata.name === metadata.name || isEqualJson(accountOf(set), spec.serviceAccount),
  )
  return [...(owner === undefined ? [] : [owner]), ...keys(others)]
}

/** A set from before the schema wanted a template has none. */
function accountOf({ spec }: { readonly spec?: Partial<ReplicaSetSpec> }): unknown {
  return spec?.template?.spec?.serviceAccount
}

/** What is no `namespace/name` names nobody (case 182). */
function ownerOf({ metadata }: StoredObject): ObjectKey | undefined {
  const [namespace = '', name = '', ...rest] = (metadata.annotations?.[annotations.replicaSetOwnerRef] ?? '').split('/')
  return namespace === '' || name === '' || rest.length > 0 ? undefined : { namespace, name }
}

/** A Role tells of much that is nothing to its set: of its status only whether it is Ready, and since when. */
export function concernsSet(change: Change): boolean {
  return change.kind !== 'changed' || !isEqualJson(setView(change.previous), setView(change.object))
}

function setView(object: StoredObject): readonly unknown[] {
  if (!isRole(object)) return []
  const { metadata, spec, status } = object
  const { uid, generation, deletionTimestamp, labels: words, annotations: notes } = metadata
  const ready = findCondition(status?.conditions, 'Ready')
  return [uid, generation, deletionTimestamp, words, notes, spec, ready]
}

function isRole(object: StoredObject): object is ServiceAccountRole {
  return object.kind === roleKind.type.kind
}

function comesOrGoes(change: Change): boolean {
  if (change.kind !== 'changed') return true
  return change.previous.metadata.deletionTimestamp !== change.object.metadata.deletionTimestamp
}

function keys(sets: readonly StoredObject[]): Targets {
  return sets.map(({ metadata }) => ({ namespace: metadata.namespace ?? '', name: metadata.name }))
}
