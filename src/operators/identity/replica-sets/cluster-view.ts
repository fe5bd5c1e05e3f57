// One selected cluster: how it is, what a rollout would do there, and what the planner is told of it (§4.4).
import type { ClusterProgress, RolloutRules } from '#fleet'
import { findCondition, isConditionTrue } from '#kube'
import type { Reason } from '../api/conditions.ts'
import type { ClusterPhase, ServiceAccountRole } from '../api/kinds.ts'
import { type ChildWanted, changedAt, hasOtherAccount, type RepairOperation, repairsOf } from './child.ts'
import type { ReplicaSetSeen } from './seen.ts'

export type ClusterStep =
  | { readonly kind: 'create' }
  | { readonly kind: 'repair'; readonly child: ServiceAccountRole; readonly operations: readonly RepairOperation[] }
  /** Its ServiceAccount cannot be changed: it goes, and comes back. */
  | { readonly kind: 'replace'; readonly child: ServiceAccountRole }
  | { readonly kind: 'none' }

export interface ClusterView {
  readonly cluster: string
  readonly phase: ClusterPhase
  readonly reason: Reason
  readonly message: string
  readonly progress: ClusterProgress
  /** What it needs once its turn has come. */
  readonly step: ClusterStep
}

export interface ViewOptions {
  readonly wanted: ChildWanted
  readonly rules: RolloutRules
  /** Since when the rollout goes on; absent before its first status. */
  readonly rolloutSince: number | undefined
  /** Times from before it do not count any more. */
  readonly retrySince: number | undefined
  /** When the time of a cluster was over, as the status has it. */
  readonly timedOutAt: ReadonlyMap<string, number>
}

export function viewCluster(cluster: string, seen: ReplicaSetSeen, options: ViewOptions): ClusterView {
  const view = lookAtCluster(cluster, seen, options)
  const timedOutAt = options.timedOutAt.get(cluster)
  return timedOutAt === undefined ? view : { ...view, progress: { ...view.progress, timedOutAt } }
}

function lookAtCluster(cluster: string, seen: ReplicaSetSeen, options: ViewOptions): ClusterView {
  const child = seen.children.get(cluster)
  const namespace = seen.namespaces.get(cluster)
  if (namespace === undefined || (namespace === 'going' && child === undefined)) {
    const message =
      namespace === undefined ? `namespace ${cluster} does not exist; create it` : `namespace ${cluster} is being deleted`
    return failed(cluster, { phase: 'Failed', reason: 'ClusterNamespaceMissing', message }, options)
  }
  if (child === undefined && seen.foreign.has(cluster)) {
    const message = `a Role ${seen.claim.metadata.name} in namespace ${cluster} is not of this set; delete or rename it`
    return failed(cluster, { phase: 'Conflict', reason: 'ChildConflict', message }, options)
  }
  if (child === undefined) return toApply(cluster, { kind: 'create' }, false)
  return viewChild(cluster, child, options)
}

function viewChild(cluster: string, child: ServiceAccountRole, options: ViewOptions): ClusterView {
  const { wanted, rules } = options
  const isGoing = child.metadata.deletionTimestamp !== undefined
  const isDown = isGoing || !isReadyNow(child)
  if (hasOtherAccount(child, wanted)) return toApply(cluster, { kind: 'replace', child }, isDown)
  const operations = repairsOf(child, wanted, rules === 'ocm' ? 'all' : 'own')
  if (operations.length > 0 && !isGoing) return toApply(cluster, { kind: 'repair', child, operations }, isDown)
  const ready = findCondition(child.status?.conditions, 'Ready')
  const readySince = ready === undefined ? undefined : Date.parse(ready.lastTransitionTime)
  const step: ClusterStep = { kind: 'none' }
  if (!isDown) {
    const since = rules === 'ocm' ? readySince : latest(readySince, changedAt(child))
    const progress: ClusterProgress = { cluster, state: 'Succeeded', ...sinceOf(since) }
    return { cluster, phase: 'Ready', reason: 'Ready', message: '', progress, step }
  }
  const begun = rules === 'ocm' ? readySince : latest(readySince, changedAt(child), bornAt(child), options.retrySince)
  const message = isGoing ? 'the Role is being deleted' : (ready?.message ?? 'the Role says nothing yet')
  const progress: ClusterProgress = { cluster, state: 'Progressing', ...sinceOf(begun) }
  return { cluster, phase: 'Pending', reason: 'ChildrenPending', message, progress, step }
}

/** True, and of the generation that stands there now: an older success is none (case 163). */
function isReadyNow(child: ServiceAccountRole): boolean {
  const { observedGeneration } = findCondition(child.status?.conditions, 'Ready') ?? {}
  return isConditionTrue(child, 'Ready') && observedGeneration === child.metadata.generation
}

function toApply(cluster: string, step: ClusterStep, isDown: boolean): ClusterView {
  const progress: ClusterProgress = { cluster, state: 'ToApply', isDown }
  return { cluster, phase: 'Pending', reason: 'RolloutPending', message: 'its turn has not come yet', progress, step }
}

/**
 * What failed without a time of its own has failed since the rollout began, or since it was tried again: the library gives it a fresh
 * deadline at each look, which never ends.
 */
function failed(
  cluster: string,
  said: Pick<ClusterView, 'phase' | 'reason' | 'message'>,
  { rules, rolloutSince, retrySince }: ViewOptions,
): ClusterView {
  const since = rules === 'ocm' ? undefined : latest(rolloutSince, retrySince)
  return { cluster, ...said, progress: { cluster, state: 'Failed', ...sinceOf(since) }, step: { kind: 'none' } }
}

function latest(...times: readonly (number | undefined)[]): number | undefined {
  const known = times.flatMap(time => (time === undefined || Number.isNaN(time) ? [] : [time]))
  return known.length === 0 ? undefined : Math.max(...known)
}

function bornAt({ metadata }: ServiceAccountRole): number | undefined {
  return metadata.creationTimestamp === undefined || metadata.creationTimestamp === null
    ? undefined
    : Date.parse(metadata.creationTimestamp)
}

function sinceOf(since: number | undefined): { readonly since?: number } {
  return since === undefined || Number.isNaN(since) ? {} : { since }
}
