// What a pass says of a set some of whose clusters refused (§4.4, cases 171-174). Values in, status out.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ResourceType } from '#kube'
import { type Action, type Outcome, type Report, type ReportInput, Trouble } from '#runtime'
import { type ReplicaSetStatus, replicaSetKind, roleKind } from '../api/kinds.ts'
import { reportReplicaSet } from './report.ts'
import type { ReplicaSetSeen } from './seen.ts'

const refused = new Trouble({ kind: 'stop', reason: 'Forbidden', message: 'no leave' })
const taken = new Trouble({ kind: 'stop', reason: 'OwnedByAnother', message: 'not ours' })
const lost = new Trouble({ kind: 'stop', reason: 'NotLeader', message: 'another leads' })

const object = (namespace: string) => ({ metadata: { namespace, name: 'app' } })
const write = (kind: 'create' | 'delete', cluster: string, more: object = {}, type: ResourceType = roleKind.type): Action =>
  ({ kind, type, object: object(cluster), ...more }) as unknown as Action
const patch = (namespace: string): Action =>
  ({ kind: 'patch', type: roleKind.type, key: { namespace, name: 'app' } }) as unknown as Action
const failed = (action: Action, trouble = refused): Outcome => ({ kind: 'failed', action, trouble })
const done = (action: Action): Outcome => ({ kind: 'done', action, changed: true })

const conditions = ['PlacementResolved', 'AWSServiceAccountRolesApplied', 'AWSServiceAccountRolesReady', 'Ready'].map(
  type => ({ type, status: 'True', reason: 'Planned', message: '' }) as const,
)
const cluster = (clusterName: string, reason: string) => ({
  clusterName,
  namespace: clusterName,
  name: 'app',
  phase: 'Pending',
  reason,
})
const clusters = [cluster('a', 'ImmutableChildDrift'), cluster('b', 'ChildrenPending'), cluster('c', 'ImmutableChildDrift')]
const planned = {
  rollout: {},
  clusters,
  desiredClusterCount: 9,
  appliedClusterCount: 7,
  readyClusterCount: 5,
  staleClusterCount: 4,
  conflictCount: 3,
  failureCount: 2,
} as unknown as ReplicaSetStatus

function reportOf(outcomes: readonly Outcome[], status: object | null = planned, metadata: object = {}): Report | undefined {
  const input = {
    plan: { actions: [], conditions, status: status ?? undefined, next: { kind: 'await-change' } },
    outcomes,
    failures: 1,
    current: [],
    generation: 1,
    summary: 'Ready',
    seen: { claim: { metadata: { name: 'app', ...metadata } } } as unknown as ReplicaSetSeen,
  }
  return reportReplicaSet(input as unknown as ReportInput & { readonly seen: ReplicaSetSeen })
}

/** desired, applied, ready, stale, conflicts, failures */
const counted = (report: Report | undefined): readonly unknown[] =>
  ['desired', 'applied', 'ready', 'stale']
    .map(name => `${name}ClusterCount`)
    .concat('conflictCount', 'failureCount')
    .map(name => report?.status?.[name])
const said = (report: Report | undefined): readonly string[] =>
  (report?.conditions ?? []).map(({ type, reason, message }) => `${type}/${reason}${message === '' ? '' : `: ${message}`}`)
const plan = [9, 7, 5, 4, 3, 2]

for (const [what, outcomes, counts] of [
  ['one that cannot be made has failed, and is not written', [failed(write('create', 'b'))], [9, 6, 5, 4, 3, 3]],
  ['one that cannot be put right neither', [failed(patch('b'))], [9, 6, 5, 4, 3, 3]],
  ['one that is somebody else’s is a conflict', [failed(write('create', 'b'), taken)], [9, 6, 5, 4, 4, 2]],
  ['one that was to be replaced is not stale besides', [failed(write('delete', 'c'))], [9, 6, 5, 3, 3, 3]],
  ['two of them count twice', [failed(write('create', 'b')), failed(write('delete', 'a'))], [9, 5, 5, 3, 3, 4]],
  ['one that does not go is stale still', [failed(write('delete', 'z', { precondition: 'any-version' }))], plan],
] as readonly (readonly [string, readonly Outcome[], readonly number[]])[])
  test(`of the clusters ${what} [#171, #174]`, () => assert.deepEqual(counted(reportOf([done(patch('x')), ...outcomes])), counts))

test('what was not counted counts from nothing', () => {
  const report = reportOf([failed(write('create', 'b'), taken)], { rollout: {}, appliedClusterCount: 1 })
  assert.deepEqual(counted(report), [undefined, undefined, undefined, undefined, 1, undefined])
  assert.deepEqual(counted(reportOf([failed(write('create', 'b'))], { rollout: {} })), [
    undefined,
    -1,
    undefined,
    undefined,
    undefined,
    1,
  ])
})

test('a refusal is told with its cluster, and the conditions that sum up are put in their places', () => {
  const report = reportOf([failed(write('create', 'b')), failed(write('delete', 'z', { precondition: 'any-version' }))])
  const left = '; the Role in namespace z does not go: no leave'
  const message = `3 clusters failed; status.failedClusters says why${left}`
  assert.deepEqual(said(report), [
    'PlacementResolved/Planned',
    `AWSServiceAccountRolesApplied/ChildApplyFailed: ${message}`,
    `AWSServiceAccountRolesReady/ChildrenPending: ${message}`,
    `Ready/ChildApplyFailed: ${message}`,
  ])
  const broken = { clusterName: 'b', phase: 'Failed', reason: 'ChildApplyFailed', message: 'no leave' }
  assert.deepEqual(report?.status?.failedClusters, [broken])
  assert.deepEqual(report?.status?.clusters, [clusters[0], { ...clusters[1], ...broken }, clusters[2]])
})

test('of a set that goes the first refusal is what blocks it', () => {
  const going = { deletionTimestamp: '2026-01-01T00:00:00Z' }
  const report = reportOf([failed(write('delete', 'a')), failed(write('delete', 'b'), taken)], {}, going)
  assert.deepEqual(said(report), ['CleanupBlocked/ChildApplyFailed: no leave', 'Ready/ChildApplyFailed: no leave'])
})

for (const [what, outcomes, status] of [
  ['a lost lease', [failed(write('create', 'b'), lost)], planned],
  ['a finalizer that cannot be added', [failed(write('create', 'b', {}, replicaSetKind.type))], planned],
  ['an event that cannot be recorded', [failed({ kind: 'record-event' } as unknown as Action)], planned],
  ['a refusal in a plan that counted nothing', [failed(write('create', 'b'))], {}],
  ['a refusal in a plan without a status', [failed(write('create', 'b'))], null],
] as readonly (readonly [string, readonly Outcome[], object | null])[])
  test(`${what} is nothing of a cluster, and is left to the engine`, () =>
    assert.equal(
      said(reportOf(outcomes, status)).some(each => each.startsWith('AWSServiceAccountRoles') && !each.endsWith('Planned')),
      false,
    ))
