// The clusters of a set as lines and numbers (§4.4).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ClusterStatus, ServiceAccountRoleReplicaSet as ReplicaSet } from '../api/kinds.ts'
import { brokenCluster, countersOf, listsOf, omittedText, tallyOf, timedOutAtOf, withBroken } from './tally.ts'

const line = (clusterName: string, phase: string, reason: string): ClusterStatus =>
  ({ clusterName, namespace: clusterName, name: 'app', phase, reason }) as ClusterStatus
const many = (count: number, phase = 'Ready'): readonly ClusterStatus[] =>
  Array.from({ length: count }, (_, turn) => line(`c${String(turn).padStart(3, '0')}`, phase, 'X'))

test('each cluster is counted by where it stands', () => {
  const clusters = [
    line('a', 'Ready', 'RolloutPending'),
    line('b', 'Pending', 'RolloutPending'),
    line('c', 'Pending', 'ChildrenPending'),
    line('d', 'Pending', 'ImmutableChildDrift'),
    line('e', 'Failed', 'ImmutableChildDrift'),
    line('f', 'TimedOut', 'RolloutTimedOut'),
    line('g', 'Conflict', 'ChildConflict'),
  ]
  const tally = tallyOf(clusters, 9, 2)
  assert.deepEqual(tally, { desired: 9, ready: 1, applied: 3, stale: 3, conflicts: 1, failures: 2 })
  assert.deepEqual(countersOf(tally), {
    desiredClusterCount: 9,
    readyClusterCount: 1,
    appliedClusterCount: 3,
    staleClusterCount: 3,
    conflictCount: 1,
    failureCount: 2,
  })
  const none = countersOf(tallyOf([], 0, 0))
  assert.deepEqual(
    Object.values(none).filter(value => value !== undefined),
    [],
  )
})

test('a status lists a hundred clusters and fifty that failed, and says how many it leaves out', () => {
  const { clusters, failedClusters } = listsOf(many(101, 'Failed')) as Record<string, readonly unknown[]>
  assert.deepEqual([clusters?.length, failedClusters?.length], [100, 50])
  const phases = ['Ready', 'Pending', 'Failed', 'Conflict', 'TimedOut'].map(phase => line(phase, phase, 'X'))
  const broken = listsOf(phases).failedClusters as readonly ClusterStatus[]
  assert.deepEqual(
    broken.map(({ phase }) => phase),
    ['Failed', 'Conflict', 'TimedOut'],
  )
  assert.deepEqual(
    [100, 101, 102].map(count => omittedText(many(count))),
    ['', '; 1 more clusters are not listed', '; 2 more clusters are not listed'],
  )
})

test('clusters that turn out broken are told in their line and among the failed, once, by name', () => {
  const held = [line('a', 'Failed', 'Old'), line('c', 'Failed', 'Old')]
  const broken = [
    brokenCluster('d', 'failed', 'no'),
    brokenCluster('c', 'conflict', 'not ours'),
    brokenCluster('b', 'failed', 'no'),
  ]
  const lists = withBroken({ clusters: [line('b', 'Pending', 'X')], failedClusters: held }, broken)
  assert.deepEqual(lists.clusters, [{ ...line('b', 'Failed', 'ChildApplyFailed'), message: 'no' }])
  assert.deepEqual(
    (lists.failedClusters as readonly ClusterStatus[]).map(({ clusterName, reason }) => `${clusterName} ${reason}`),
    ['a Old', 'b ChildApplyFailed', 'c ChildConflict', 'd ChildApplyFailed'],
  )
  assert.deepEqual(withBroken({}, []), { clusters: undefined, failedClusters: undefined })
  assert.equal(brokenCluster('a', 'failed', 'x'.repeat(1_000)).message.length, 256)
})

test('a time that lies more than a day ahead was not written by us, and is none', () => {
  const day = 86_400_000
  const at = Date.parse('2026-01-02T00:00:00Z')
  const timedOutAt = new Date(at).toISOString()
  const set = {
    status: { clusters: [{ clusterName: 'a', timedOutAt }], failedClusters: [{ clusterName: 'b' }] },
  } as unknown as ReplicaSet
  assert.deepEqual([...timedOutAtOf(set, at - day)], [['a', at]])
  assert.deepEqual([...timedOutAtOf(set, at - day - 1)], [])
})
