// The lookups of sets, placements and decisions, and what is kept of each.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { placementDecisionKind } from '#fleet'
import type { ResourceType, StoredObject } from '#kube'
import type { Reads } from '#runtime'
import { type ServiceAccountRoleReplicaSet as ReplicaSet, replicaSetKind } from '../api/kinds.ts'
import {
  decidedCount,
  decisionSource,
  namespaceSource,
  placementOf,
  placementSource,
  refsOf,
  replicaSetSource,
  setsOfCluster,
} from './sources.ts'

function decision(placement: string | undefined, clusters?: readonly string[], namespace = 'platform'): StoredObject {
  const labels = placement === undefined ? {} : { 'cluster.open-cluster-management.io/placement': placement }
  const status = clusters && { decisions: clusters.map(clusterName => ({ clusterName, reason: '' })) }
  return { metadata: { namespace, name: 'd', labels }, status } as unknown as StoredObject
}

function setOf(name: string, refs?: readonly string[], namespace: string | undefined = 'platform'): ReplicaSet {
  const metadata = { name, ...(namespace !== '' && { namespace }) }
  return { metadata, spec: refs && { placementRefs: refs.map(ref => ({ name: ref })) } } as unknown as ReplicaSet
}

/** Indexes over these, as a cache keeps them. */
function worldWith(decisions: readonly StoredObject[], sets: readonly ReplicaSet[], isSynced = true): Reads {
  const sources = [
    { source: decisionSource, objects: decisions },
    { source: replicaSetSource, objects: sets },
  ]
  const byIndex = (type: ResourceType, index: string, value: string): unknown[] => {
    const { source, objects } = sources.find(one => one.source.type === type) ?? { objects: [] }
    const values = source?.indexes?.[index]
    assert.ok(values !== undefined, index)
    return objects.filter(object => values.of(object).includes(value))
  }
  return { byIndex, isSynced: (type: ResourceType) => type === placementDecisionKind.type && isSynced } as unknown as Reads
}

test('a hub may lack the kinds of placements, and of a namespace no more is kept than that it is there', () => {
  assert.deepEqual([placementSource.optional, decisionSource.optional, replicaSetSource.optional], [true, true, undefined])
  assert.equal(namespaceSource.metadataOnly, true)
  assert.equal(replicaSetSource.type, replicaSetKind.type)
})

for (const [what, object, key] of [
  ['with a label', decision('p'), { namespace: 'platform', name: 'p' }],
  ['without one', decision(undefined), undefined],
  ['with an empty one', decision(''), undefined],
  ['without labels', { metadata: { name: 'd' } } as unknown as StoredObject, undefined],
] as const)
  test(`a decision ${what} is for ${key === undefined ? 'nobody' : 'that placement'}`, () =>
    assert.deepEqual(placementOf(object), key))

test('the clusters that the placements of a set decided on are counted, as far as they are known', () => {
  const decisions = [decision('p', ['a', 'b']), decision('p', ['c']), decision('q', ['a']), decision('q'), decision('r', ['x'])]
  const set = setOf('app', ['p', 'q'])
  assert.equal(decidedCount(set, worldWith(decisions, [])), 4)
  assert.equal(decidedCount(set, worldWith([decision('q')], [])), 0)
  assert.equal(decidedCount(set, worldWith([decision('p', ['a'], 'elsewhere')], [])), 0, 'of another namespace')
  assert.equal(decidedCount(set, worldWith(decisions, [], false)), 0, 'where the hub has not been listed')
})

test('the sets that mean a cluster are found by the decisions, each once', () => {
  const sets = [setOf('one', ['p', 'q']), setOf('two', ['q']), setOf('three', ['r']), setOf('four')]
  const decisions = [decision('p', ['a']), decision('q', ['a', 'b', 'a']), decision('r', ['b']), decision(undefined, ['a'])]
  const named = (cluster: string, world = worldWith(decisions, sets)): readonly string[] =>
    setsOfCluster(world, cluster).map(({ metadata }) => metadata.name)
  assert.deepEqual(named('a'), ['one', 'two'])
  assert.deepEqual(named('b'), ['one', 'two', 'three'])
  assert.deepEqual(named('c'), [])
  assert.deepEqual(named('a', worldWith(decisions, sets, false)), [], 'where the hub has not been listed')
})

test('a set without placements refers to none', () => {
  assert.deepEqual([refsOf(setOf('app')), refsOf({ spec: {} }), refsOf(setOf('app', ['p']))], [[], [], [{ name: 'p' }]])
})
