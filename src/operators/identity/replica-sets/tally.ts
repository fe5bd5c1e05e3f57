// The clusters of a set after a pass: one line each, and the counters that are made of them (§4.4).
import { compareText, type Instant } from '#base'
import type { FleetPlan } from '#fleet'
import { boundText, renderTime } from '#kube'
import type { ClusterStatus, ServiceAccountRoleReplicaSet as ReplicaSet, ReplicaSetStatus } from '../api/kinds.ts'
import type { ClusterView } from './cluster-view.ts'

/** The API's own limits of the two lists. */
const clustersMax = 100
const failedMax = 50
/** What is told of one cluster; a hundred of them stand in one status. */
const messageLengthMax = 256

export interface ClusterTally {
  readonly desired: number
  readonly applied: number
  readonly ready: number
  readonly stale: number
  readonly conflicts: number
  readonly failures: number
}

/** What a cluster comes to when its turn is done; `acted` says that it was in the rollout and waited. */
export function tellCluster(view: ClusterView, plan: FleetPlan, setName: string): ClusterStatus {
  const common = { clusterName: view.cluster, namespace: view.cluster, name: setName, ...outOfTime(plan, view.cluster) }
  if (plan.timedOut.has(view.cluster)) {
    return { ...common, phase: 'TimedOut', reason: 'RolloutTimedOut', ...said(`not ready within its deadline: ${view.message}`) }
  }
  if (!plan.rollout.has(view.cluster) || view.phase !== 'Pending') {
    return { ...common, phase: view.phase, reason: view.reason, ...said(view.message) }
  }
  const reason = view.step.kind === 'replace' ? 'ImmutableChildDrift' : 'ChildrenPending'
  const message = view.progress.state === 'ToApply' ? 'the Role was written just now' : view.message
  return { ...common, phase: 'Pending', reason, ...said(message) }
}

/** A status has whole seconds, and its time is not over before the last of them. */
function outOfTime({ timedOutAt }: FleetPlan, cluster: string): { readonly timedOutAt?: string } {
  const at = timedOutAt.get(cluster)
  return at === undefined ? {} : { timedOutAt: renderTime(Math.ceil(at / 1000) * 1000) }
}

/** By more no clock is behind: what lies further ahead was not written by us. */
const aheadMsMax = 86_400_000

/** What `outOfTime` told, of the clusters that the lists have room for: of others nothing is remembered. */
export function timedOutAtOf({ status }: ReplicaSet, now: Instant): ReadonlyMap<string, Instant> {
  const told = [...(status?.clusters ?? []), ...(status?.failedClusters ?? [])]
  const times = told.map(({ clusterName, timedOutAt }) => [clusterName, Date.parse(timedOutAt ?? '')] as const)
  return new Map(times.filter(([, at]) => at - now <= aheadMsMax))
}

export function tallyOf(clusters: readonly ClusterStatus[], desired: number, strays: number): ClusterTally {
  const having = (test: (cluster: ClusterStatus) => boolean): number => clusters.filter(test).length
  const drifted = having(cluster => isPending(cluster) && cluster.reason === 'ImmutableChildDrift')
  return {
    desired,
    ready: having(({ phase }) => phase === 'Ready'),
    applied: having(isApplied),
    stale: drifted + strays,
    conflicts: having(({ phase }) => phase === 'Conflict'),
    failures: having(({ phase }) => phase === 'Failed' || phase === 'TimedOut'),
  }
}

function isApplied({ phase, reason }: ClusterStatus): boolean {
  return phase === 'Ready' || (phase === 'Pending' && reason !== 'RolloutPending')
}

function isPending({ phase }: ClusterStatus): boolean {
  return phase === 'Pending'
}

/** Zeros are left out, as the reference leaves them out. */
export function countersOf(tally: ClusterTally): Readonly<Record<string, unknown>> {
  return {
    desiredClusterCount: tally.desired || undefined,
    appliedClusterCount: tally.applied || undefined,
    readyClusterCount: tally.ready || undefined,
    staleClusterCount: tally.stale || undefined,
    conflictCount: tally.conflicts || undefined,
    failureCount: tally.failures || undefined,
  }
}

/** The first of each list by name. */
export function listsOf(clusters: readonly ClusterStatus[]): Readonly<Record<string, unknown>> {
  const broken = clusters.filter(({ phase }) => phase === 'Failed' || phase === 'Conflict' || phase === 'TimedOut')
  return {
    clusters: orNothing(clusters.slice(0, clustersMax)),
    failedClusters: orNothing(broken.slice(0, failedMax).map(({ namespace: _namespace, name: _name, ...cluster }) => cluster)),
  }
}

/** The lists of a status in which these clusters turned out to be broken. */
export function withBroken(
  { clusters = [], failedClusters = [] }: Pick<ReplicaSetStatus, 'clusters' | 'failedClusters'>,
  broken: readonly BrokenCluster[],
): Readonly<Record<string, unknown>> {
  const byName = new Map(broken.map(cluster => [cluster.clusterName, cluster]))
  const others = failedClusters.filter(({ clusterName }) => !byName.has(clusterName))
  const failed = [...others, ...broken].toSorted((a, b) => compareText(a.clusterName, b.clusterName))
  return {
    clusters: orNothing(clusters.map(cluster => ({ ...cluster, ...byName.get(cluster.clusterName) }))),
    failedClusters: orNothing(failed.slice(0, failedMax)),
  }
}

export interface BrokenCluster {
  readonly clusterName: string
  readonly phase: 'Failed' | 'Conflict'
  readonly reason: 'ChildApplyFailed' | 'ChildConflict'
  readonly message: string
}

export function brokenCluster(clusterName: string, kind: 'failed' | 'conflict', message: string): BrokenCluster {
  const bounded = boundText(message, messageLengthMax)
  return kind === 'failed'
    ? { clusterName, phase: 'Failed', reason: 'ChildApplyFailed', message: bounded }
    : { clusterName, phase: 'Conflict', reason: 'ChildConflict', message: bounded }
}

/** How many a reader of the status does not see (14.1 L15). */
export function omittedText(clusters: readonly ClusterStatus[]): string {
  const left = clusters.length - clustersMax
  return left > 0 ? `; ${left} more clusters are not listed` : ''
}

function orNothing<T>(list: readonly T[]): readonly T[] | undefined {
  return list.length === 0 ? undefined : list
}

function said(message: string): { readonly message?: string } {
  return message === '' ? {} : { message: boundText(message, messageLengthMax) }
}
