// What the status of a set says by placement: how it is resolved, what it selects, and how far its rollout is.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FleetPlan } from '#fleet'
import type { PlacementStatus, ServiceAccountRoleReplicaSet as ReplicaSet } from '../api/kinds.ts'
import { placementStatuses, resolvedText, unresolvedStatuses } from './placement-status.ts'
import type { PlacementSeen } from './seen.ts'

const now = Date.parse('2026-01-02T00:00:00Z')
const before = '2026-01-01T00:00:00Z'
const counts = { total: 2, updating: 0, succeeded: 2, failed: 0, timedOut: 0 }

const setWith = (placements?: readonly PlacementStatus[]): ReplicaSet =>
  ({ metadata: { name: 'app', generation: 3 }, status: placements && { placements } }) as unknown as ReplicaSet

function placement(name: string, clusters: readonly string[] | undefined, unfinished?: string): PlacementSeen {
  const groups = [{ name: '', index: 0, clusters: clusters ?? [] }]
  const done = { ok: true as const, groups, decisionGroupCount: 1, selectedClusterCount: 0, ...(unfinished && { unfinished }) }
  return { ref: { name }, resolution: clusters === undefined ? { ok: false, message: `${name} is not there` } : done }
}

const planOf = (...names: readonly string[]): FleetPlan =>
  ({ placements: names.map(name => ({ name, counts, availableDecisionGroups: `1 of ${name}` })) }) as unknown as FleetPlan

const told = (statuses: readonly PlacementStatus[]): readonly unknown[] =>
  statuses.map(({ name, selectedClusterCount, availableDecisionGroups, rollout, conditions }) => [
    name,
    selectedClusterCount,
    availableDecisionGroups,
    rollout?.total,
    ...(conditions ?? []).map(({ status, reason, message }) => `${status} ${reason}: ${message}`),
  ])

const resolved = 'True Resolved: the placement is resolved'

test('each placement that is planned says its own groups and rollout; one that is not says how it is resolved', () => {
  const placements = [placement('p', ['a', 'b']), placement('q', ['c'], 'q is not done'), placement('r', [])]
  assert.deepEqual(told(placementStatuses(setWith(), placements, planOf('p', 'q'), now)), [
    ['p', 2, '1 of p', 2, resolved],
    ['q', 1, '1 of q', 2, `${resolved}; q is not done`],
    ['r', undefined, undefined, undefined, resolved],
  ])
})

test('a rollout that goes on as before keeps the time of its condition', () => {
  const condition = (lastTransitionTime: string) => ({
    type: 'Progressing',
    status: 'False' as const,
    reason: 'Complete',
    message: '2 of 2',
    observedGeneration: 3,
    lastTransitionTime,
  })
  const held = setWith([{ name: 'p', rollout: { conditions: [condition(before)] } }])
  const [status] = placementStatuses(held, [placement('p', ['a', 'b'])], planOf('p'), now)
  assert.deepEqual(
    status?.rollout?.conditions?.map(({ reason, lastTransitionTime }) => [reason, lastTransitionTime]),
    [['Complete', before]],
  )
})

test('where one placement cannot be resolved, what was said of the rollouts stays, and how many it selected', () => {
  const held = setWith([
    { name: 'p', selectedClusterCount: 7, availableDecisionGroups: '3', rollout: { total: 7 } },
    { name: 'q', selectedClusterCount: 2 },
  ])
  const placements = [placement('p', undefined), placement('q', ['a']), placement('r', undefined)]
  assert.deepEqual(told(unresolvedStatuses(held, placements, now)), [
    ['p', 7, '3', 7, 'False PlacementUnavailable: p is not there'],
    ['q', 1, undefined, undefined, resolved],
    ['r', undefined, undefined, undefined, 'False PlacementUnavailable: r is not there'],
  ])
  assert.deepEqual(told(unresolvedStatuses(setWith([{ name: 'p' }]), placements.slice(0, 1), now)), [
    ['p', undefined, undefined, undefined, 'False PlacementUnavailable: p is not there'],
  ])
})

for (const [what, placements, kept, words] of [
  ['all placements are done', [placement('p', ['a'])], 3, 'the placements are resolved'],
  ['one is not done', [placement('p', ['a'], 'p waits'), placement('q', ['b'])], 0, 'the placements are resolved; p waits'],
  ['none is there', [], 0, 'the placements are resolved'],
  ['one cannot be resolved', [placement('p', undefined)], 1, 'the placements are resolved'],
  [
    'one is not done and a Role stays meanwhile',
    [placement('p', ['a'], 'p waits')],
    1,
    'the placements are resolved; p waits; Roles that stay meanwhile although their cluster is not selected: 1',
  ],
] as const)
  test(`where ${what}, that is said of all of them`, () => assert.equal(resolvedText(placements, kept), words))
