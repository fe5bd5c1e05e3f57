// How many ReplicaSets are in which state of their rollout, and how many clusters of all of them: two gauges of a few series each, whatever the
// size of the fleet. Which set it is stands in its conditions.
import { findCondition, isConditionTrue, keyOf, renderKey, type StoredObject } from '#kube'
import type { Change, Gauge, Metrics } from '#runtime'
import type { ConditionType } from '../api/conditions.ts'
import { type ServiceAccountRoleReplicaSet as ReplicaSet, replicaSetKind } from '../api/kinds.ts'

const setStates = ['complete', 'progressing', 'paused', 'stopped', 'unresolved'] as const
type SetState = (typeof setStates)[number]

const clusterStates = ['succeeded', 'updating', 'failed', 'timed_out', 'waiting'] as const
type ClusterCounts = Readonly<Record<(typeof clusterStates)[number], number>>

interface Counted {
  readonly state: SetState
  readonly clusters: ClusterCounts
}

/** To be told of every change of the cache; of other kinds it counts nothing. */
export function createRolloutGauges(metrics: Metrics): (change: Change) => void {
  const sets = metrics.gauge('awio_rollouts', 'ReplicaSets by the state of their rollout.')
  const clusters = metrics.gauge('awio_rollout_clusters', 'Clusters of all ReplicaSets, by how far they are.')
  const counted = new Map<string, Counted>()
  return ({ kind, object }) => {
    if (!isReplicaSet(object)) return
    const key = renderKey(keyOf(object))
    if (kind === 'removed') counted.delete(key)
    else counted.set(key, countOf(object))
    publish([...counted.values()], sets, clusters)
  }
}

function publish(counted: readonly Counted[], sets: Gauge, clusters: Gauge): void {
  for (const state of setStates) sets.set(counted.filter(one => one.state === state).length, { state })
  for (const state of clusterStates)
    clusters.set(
      counted.reduce((sum, one) => sum + one.clusters[state], 0),
      { state },
    )
}

function isReplicaSet(object: StoredObject): object is ReplicaSet {
  return object.kind === replicaSetKind.type.kind
}

function countOf(set: ReplicaSet): Counted {
  const { total = 0, updating = 0, succeeded = 0, failed = 0, timedOut = 0 } = set.status?.rollout ?? {}
  const waiting = Math.max(0, total - updating - succeeded - failed - timedOut)
  return { state: stateOf(set), clusters: { succeeded, updating, failed, timed_out: timedOut, waiting } }
}

/** What somebody has to know first: a rollout that was paused does not go on whatever else is so. */
function stateOf(set: ReplicaSet): SetState {
  const said = (type: ConditionType): string | undefined => findCondition(set.status?.conditions, type)?.status
  if (said('RolloutPaused') === 'True') return 'paused'
  if (said('RolloutStopped') === 'True') return 'stopped'
  if (said('PlacementResolved') === 'False') return 'unresolved'
  // Of a spec that was changed since nobody has said that it is rolled out.
  return isConditionTrue(set, 'PlacementRolledOut') ? 'complete' : 'progressing'
}
