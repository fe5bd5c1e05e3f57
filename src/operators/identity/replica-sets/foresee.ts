// What a set would do on the hub as it stands, before its manifest is written there: the decision of the controller itself, over lists that were
// just read in place of caches.
import { given, type Instant } from '#base'
import { type Placement, type PlacementDecision, placementLabels, type RolloutRules, resolvePlacement } from '#fleet'
import { type Condition, type KubeObject, type StoredObject } from '#kube'
import type { Action, Plan } from '#runtime'
import {
  type FailedCluster,
  type ServiceAccountRoleReplicaSet as ReplicaSet,
  type ReplicaSetStatus,
  type ServiceAccountRole,
} from '../api/kinds.ts'
import { ownChildTest } from './child.ts'
import { decideReplicaSet } from './decide.ts'
import type { PlacementSeen, ReplicaSetSeen } from './seen.ts'
import { selectedOf } from './selection.ts'
import { refsOf } from './sources.ts'

/** All of the hub. */
export interface HubLists {
  readonly placements: readonly Placement[]
  readonly decisions: readonly PlacementDecision[]
  readonly roles: readonly ServiceAccountRole[]
  readonly namespaces: readonly StoredObject[]
}

export type RolloutForesight =
  /** Which clusters are meant cannot be told; why. */
  | { readonly kind: 'unresolved'; readonly message: string }
  /** Nothing would be rolled out: the set or its strategy cannot be followed. */
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'known'; readonly rollout: ForeseenRollout }

/** Names of clusters, in their order. */
export interface ForeseenRollout {
  readonly selected: number
  readonly creates: readonly string[]
  readonly changes: readonly string[]
  /** The Role there is for another ServiceAccount: it goes, and comes back. */
  readonly replaces: readonly string[]
  /** Clusters that no placement means any more. */
  readonly removes: readonly string[]
  /** How many wait for their turn. */
  readonly waiting: number
  /** Where something is in the way; as many as the status of a set lists. */
  readonly broken: readonly FailedCluster[]
  /** Why nothing new begins, where somebody paused the rollout or too many clusters failed; and why what is selected may not be all. */
  readonly remarks: readonly string[]
}

export interface ForeseeOptions {
  readonly rules: RolloutRules
  readonly now: Instant
}

/** Checked against the definition of the kind, with its defaults. */
export type ReplicaSetManifest = KubeObject & Pick<ReplicaSet, 'spec'>

/** `live` is the set that the manifest would change. */
export function foreseeRollout(
  manifest: ReplicaSetManifest,
  live: ReplicaSet | undefined,
  hub: HubLists,
  { rules, now }: ForeseeOptions,
): RolloutForesight {
  if (live?.metadata.deletionTimestamp !== undefined) return { kind: 'refused', message: 'the set is being deleted' }
  const claim = claimOf(manifest, live)
  const seen = lookAt(claim, hub)
  const plan = decideReplicaSet(seen, now, { rules })
  const isFalse = (type: string): Condition | undefined =>
    plan.conditions.find(one => one.type === type && one.status === 'False')
  const unresolved = isFalse('PlacementResolved')
  if (unresolved !== undefined) return { kind: 'unresolved', message: unresolved.message }
  const refused = isFalse('Ready')
  if (plan.status === undefined) return { kind: 'refused', message: refused?.message ?? 'nothing would be done' }
  return { kind: 'known', rollout: rolloutOf(plan, plan.status, seen) }
}

/** As it would stand on the server: what the manifest does not say stays. */
function claimOf({ metadata, ...manifest }: ReplicaSetManifest, live: ReplicaSet | undefined): ReplicaSet {
  const { name = '', namespace = '' } = metadata
  const { metadata: held = { uid: '', resourceVersion: '' }, status } = live ?? {}
  const labels = { ...live?.metadata.labels, ...metadata.labels }
  const annotations = { ...live?.metadata.annotations, ...metadata.annotations }
  return { ...manifest, metadata: { ...held, name, namespace, labels, annotations }, ...given({ status }) }
}

function lookAt(claim: ReplicaSet, { placements, decisions, roles, namespaces }: HubLists): ReplicaSetSeen {
  const home = claim.metadata.namespace ?? ''
  const seen = refsOf(claim).map((ref): PlacementSeen => {
    const placement = placements.find(({ metadata }) => metadata.namespace === home && metadata.name === ref.name)
    const own = decisions.filter(decision => decision.metadata.namespace === home && isFor(decision, ref.name))
    return { ref, resolution: resolvePlacement(ref.name, placement, own) }
  })
  const selected = selectedOf(seen)
  const isOwn = ownChildTest(claim)
  const named = roles.filter(({ metadata }) => metadata.name === claim.metadata.name)
  const children = new Map(named.filter(isOwn).map(role => [namespaceOf(role), role]))
  const unselected = [...children.values()].filter(role => !selected.has(namespaceOf(role)))
  const isDone = seen.every(({ resolution }) => resolution.ok && resolution.unfinished === undefined)
  return {
    claim,
    placements: seen,
    children,
    foreign: new Set(named.filter(role => !isOwn(role)).map(namespaceOf)),
    namespaces: new Map(
      namespaces.map(({ metadata }) => [metadata.name, metadata.deletionTimestamp === undefined ? 'there' : 'going'] as const),
    ),
    strays: isDone ? unselected : [],
    kept: isDone ? 0 : unselected.length,
    remaining: [...children.values()],
  }
}

function isFor(decision: PlacementDecision, placement: string): boolean {
  return decision.metadata.labels?.[placementLabels.placement] === placement
}

function namespaceOf({ metadata }: StoredObject): string {
  return metadata.namespace ?? ''
}

function rolloutOf({ actions, conditions }: Plan, status: ReplicaSetStatus, { placements }: ReplicaSetSeen): ForeseenRollout {
  const steps = actions.flatMap(branchesOf).filter(isOfRole)
  const having = (test: (action: RoleAction) => boolean): readonly string[] => steps.filter(test).map(clusterOf).toSorted()
  const { total = 0, updating = 0, succeeded = 0, failed = 0, timedOut = 0 } = status.rollout ?? {}
  const stops = conditions.filter(
    ({ type, status: is }) => is === 'True' && (type === 'RolloutPaused' || type === 'RolloutStopped'),
  )
  return {
    selected: total,
    creates: having(({ kind }) => kind === 'create'),
    changes: having(({ kind }) => kind === 'patch'),
    replaces: having(action => action.kind === 'delete' && action.precondition !== 'any-version'),
    removes: having(action => action.kind === 'delete' && action.precondition === 'any-version'),
    waiting: Math.max(0, total - updating - succeeded - failed - timedOut),
    broken: status.failedClusters ?? [],
    remarks: [...placements.flatMap(unfinishedOf), ...stops.map(({ message }) => message)],
  }
}

function unfinishedOf({ resolution }: PlacementSeen): readonly string[] {
  return resolution.ok && resolution.unfinished !== undefined ? [resolution.unfinished] : []
}

function branchesOf(action: Action): readonly Action[] {
  return action.kind === 'together' ? action.branches.flat().flatMap(branchesOf) : [action]
}

type RoleAction = Extract<Action, { readonly kind: 'create' | 'patch' | 'delete' }>

/** A set writes Roles and nothing else, besides its finalizer and its events. */
function isOfRole(action: Action): action is RoleAction {
  return action.kind === 'create' || action.kind === 'patch' || action.kind === 'delete'
}

function clusterOf(action: RoleAction): string {
  return action.kind === 'patch' ? action.key.namespace : (action.object.metadata.namespace ?? '')
}
