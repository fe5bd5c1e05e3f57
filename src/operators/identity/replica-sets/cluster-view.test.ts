// What is seen of one cluster of a set: where it stands, and since when. Values in, a view out.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StoredObject } from '#kube'
import { type ServiceAccountRoleReplicaSet as ReplicaSet, replicaSetKind, type ServiceAccountRole } from '../api/kinds.ts'
import { setNamespace, templateOf } from '../testing/set-world.ts'
import { buildChild, wantedChild } from './child.ts'
import { type ClusterView, viewCluster } from './cluster-view.ts'
import type { ReplicaSetSeen } from './seen.ts'

const set = replicaSetKind.make(
  { namespace: setNamespace, name: 'app', uid: 'u', resourceVersion: '1', generation: 1 },
  { placementRefs: [{ name: 'p' }], template: templateOf('app') },
) as unknown as ReplicaSet
const wanted = wantedChild(set, set.spec.template)
const [born, changed, told, retried] = [1, 2, 3, 4].map(hour => Date.UTC(2026, 0, 1, hour)) as [number, number, number, number]
const text = (ms: number): string => new Date(ms).toISOString()

/** A Role that was made, changed and heard of at those times. */
function roleOf(metadata: object = {}, ready: object | null = { status: 'False' }): ServiceAccountRole {
  const built = buildChild(set, 'a', wanted) as StoredObject
  const times = [born, changed].map(ms => ({ manager: 'aws-workload-identity-operator', operation: 'Apply', time: text(ms) }))
  const condition = {
    type: 'Ready',
    reason: 'X',
    message: 'why',
    observedGeneration: 1,
    lastTransitionTime: text(told),
    ...ready,
  }
  return {
    ...built,
    metadata: { ...built.metadata, generation: 1, creationTimestamp: text(born), managedFields: times, ...metadata },
    status: { conditions: ready === null ? [] : [condition] },
  } as unknown as ServiceAccountRole
}

interface More {
  readonly child?: ServiceAccountRole
  readonly namespace?: 'there' | 'going' | 'absent'
  readonly rules?: 'safe' | 'ocm'
  readonly retrySince?: number
  readonly rolloutSince?: number
}

function view({ child, namespace = 'there', rules = 'safe', retrySince, rolloutSince }: More): ClusterView {
  const seen = {
    claim: set,
    children: new Map(child === undefined ? [] : [['a', child]]),
    namespaces: new Map(namespace === 'absent' ? [] : [['a', namespace]]),
    foreign: new Set(),
  } as unknown as ReplicaSetSeen
  return viewCluster('a', seen, { wanted, rules, rolloutSince, retrySince, timedOutAt: new Map() })
}

for (const [what, more, reason, message] of [
  ['is missing', { namespace: 'absent' }, 'ClusterNamespaceMissing', 'namespace a does not exist; create it'],
  ['goes, and its Role has gone', { namespace: 'going' }, 'ClusterNamespaceMissing', 'namespace a is being deleted'],
  ['goes, and its Role is there', { namespace: 'going', child: roleOf() }, 'ChildrenPending', 'why'],
  ['is there', {}, 'RolloutPending', 'its turn has not come yet'],
] as readonly (readonly [string, More, string, string])[])
  test(`a cluster whose namespace ${what} is told: ${message}`, () => {
    const { reason: said, message: words } = view(more)
    assert.deepEqual([said, words], [reason, message])
  })

test('a cluster without a Role is none that is down', () =>
  assert.equal('isDown' in view({}).progress && view({}).progress.isDown, false))

for (const [what, more, since] of [
  ['works on it since it was heard of last', { child: roleOf() }, told],
  ['works on it since it was changed last, where it says nothing', { child: roleOf({}, null) }, changed],
  ['works on it since it was made, where nobody knows of a change', { child: roleOf({ managedFields: [] }, null) }, born],
  ['works on it since it was tried again', { child: roleOf(), retrySince: retried }, retried],
  ['works on it since nobody knows when', { child: roleOf({ managedFields: [], creationTimestamp: null }, null) }, undefined],
  ['works on it since it was heard of, as the library has it', { child: roleOf(), rules: 'ocm', retrySince: retried }, told],
  ['works on it since nobody knows when, as the library has it', { child: roleOf({}, null), rules: 'ocm' }, undefined],
  ['has it since it was heard of', { child: roleOf({}, { status: 'True' }) }, told],
  [
    'has it since it was changed, where that was later',
    { child: roleOf({}, { status: 'True', lastTransitionTime: text(born) }) },
    changed,
  ],
  [
    'has it since it was heard of, as the library has it',
    { child: roleOf({}, { status: 'True', lastTransitionTime: text(born) }), rules: 'ocm' },
    born,
  ],
  ['failed since the rollout began', { namespace: 'absent', rolloutSince: born }, born],
  ['failed since it was tried again', { namespace: 'absent', rolloutSince: born, retrySince: retried }, retried],
  ['failed at each look anew, as the library has it', { namespace: 'absent', rolloutSince: born, rules: 'ocm' }, undefined],
  ['failed since nobody knows when', { namespace: 'absent' }, undefined],
] as readonly (readonly [string, More, number | undefined])[])
  test(`a cluster ${what}`, () => {
    const { progress } = view(more)
    assert.equal('since' in progress ? progress.since : undefined, since)
  })
