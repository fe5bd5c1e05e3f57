import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Placement, type PlacementDecision, placementDecisionKind, placementKind, placementLabels } from '#fleet'
import { namespaces, type ResourceType, renderCrd, type StoredObject } from '#kube'
import type { Reads } from '#runtime'
import {
  type ServiceAccountRoleReplicaSet as ReplicaSet,
  replicaSetKind,
  roleKind,
  type ServiceAccountRole,
} from '../api/kinds.ts'
import { setNamespace, templateOf } from '../testing/set-world.ts'
import { buildChild, wantedChild } from './child.ts'
import { observeReplicaSet } from './observe.ts'

const key = { namespace: setNamespace, name: 'app' }

function setFor(placements: readonly string[], uid = 'set-1'): ReplicaSet {
  const metadata = { ...key, uid, resourceVersion: '1', generation: 1 }
  const spec = { placementRefs: placements.map(name => ({ name })), template: templateOf('app') }
  return { apiVersion: replicaSetKind.apiVersion, kind: replicaSetKind.type.kind, metadata, spec } as ReplicaSet
}

function placementFor(name: string): Placement {
  const metadata = { namespace: setNamespace, name, uid: `uid-${name}` }
  return { kind: 'Placement', metadata, status: { numberOfSelectedClusters: 1 } } as unknown as Placement
}

/** Placement p chooses a, and q chooses b. */
function decisionFor(name: string, clusterName: string): PlacementDecision {
  const metadata = {
    namespace: setNamespace,
    name: `${name}-1`,
    labels: { [placementLabels.placement]: name, [placementLabels.groupIndex]: '0' },
    ownerReferences: [{ kind: 'Placement', name, uid: `uid-${name}`, controller: true }],
  }
  return {
    kind: 'PlacementDecision',
    metadata,
    status: { decisions: [{ clusterName, reason: '' }] },
  } as unknown as PlacementDecision
}

const chosen = { p: decisionFor('p', 'a'), q: decisionFor('q', 'b') }

function childIn(cluster: string): ServiceAccountRole {
  const set = setFor(['p'])
  return buildChild(set, cluster, wantedChild(set, set.spec.template)) as ServiceAccountRole
}

/** A cache that has the set as `cached`, and a server that has it as `served`. */
function world(cached: ReplicaSet, served: ReplicaSet | undefined): Reads {
  const nameOf = (value: string): 'p' | 'q' => (value.endsWith('/q') ? 'q' : 'p')
  const answer = (type: ResourceType, name: string): StoredObject | undefined => {
    if (type === placementKind.type) return placementFor(name)
    return type === namespaces ? ({ kind: 'Namespace', metadata: { name } } as StoredObject) : undefined
  }
  const reads = {
    isSynced: () => true,
    find: (type: ResourceType, { name }: { name: string }) => (type === replicaSetKind.type ? cached : answer(type, name)),
    byIndex: (type: ResourceType, _index: string, value: string) => {
      if (type === roleKind.type) return [childIn('a'), childIn('b')]
      return type === placementDecisionKind.type ? [chosen[nameOf(value)]] : []
    },
    read: async (type: ResourceType, { namespace, name }: { namespace: string; name: string }) => {
      assert.equal(namespace, setNamespace)
      return type === replicaSetKind.type ? served : answer(type, name)
    },
    readAll: async (_type: ResourceType, { labelSelector }: { labelSelector: string }) => [
      chosen[nameOf(labelSelector.replace('=', '/'))],
    ],
  }
  return reads as unknown as Reads
}

async function straysOf(reads: Reads): Promise<readonly (string | undefined)[]> {
  const seen = await observeReplicaSet(key, reads, new AbortController().signal)
  return (seen?.strays ?? []).map(({ metadata }) => metadata.namespace)
}

test('a Role is taken away when the set refers to its cluster neither in the cache nor on the server', async () => {
  assert.deepEqual(await straysOf(world(setFor(['p']), setFor(['p']))), ['b'])
})

test('a cache of the set that is behind takes no Role away', async () => {
  assert.deepEqual(await straysOf(world(setFor(['p']), setFor(['p', 'q']))), [])
  assert.deepEqual(await straysOf(world(setFor(['p']), setFor(['p'], 'set-2'))), [], 'another set of this name')
  assert.deepEqual(await straysOf(world(setFor(['p']), undefined)), [], 'a set that is gone')
})

test('what is seen of a set are its clusters: whose Roles are ours, which namespaces are there, and who else has the name', async () => {
  const set = setFor(['p', 'q'])
  const isGoing = { deletionTimestamp: '2026-01-01T00:00:00Z' }
  const base = world(set, set)
  const find = (type: ResourceType, { namespace, name }: { namespace: string; name: string }): unknown => {
    if (type === roleKind.type) return namespace === 'b' ? { metadata: { namespace, name } } : undefined
    if (type === namespaces) return name === 'a' ? { metadata: { name, ...isGoing } } : { metadata: { name } }
    return base.find(type, { namespace, name })
  }
  const byIndex = (type: ResourceType, index: string, value: string): unknown =>
    type === roleKind.type ? [childIn('a'), childIn('c')] : base.byIndex(type, index, value)
  const seen = await observeReplicaSet(key, { ...base, find, byIndex } as unknown as Reads, new AbortController().signal)
  assert.deepEqual([...(seen?.children.keys() ?? [])], ['a', 'c'])
  assert.deepEqual([...(seen?.foreign ?? [])], ['b'])
  assert.deepEqual(
    [...(seen?.namespaces ?? [])],
    [
      ['a', 'going'],
      ['b', 'there'],
    ],
  )
  assert.deepEqual([seen?.strays.map(({ metadata }) => metadata.namespace), seen?.kept], [['c'], 0])
})

test('of clusters without a Role, nobody is foreign', async () => {
  const seen = await observeReplicaSet(key, world(setFor(['p', 'q']), setFor(['p', 'q'])), new AbortController().signal)
  assert.deepEqual([...(seen?.foreign ?? [])], [])
})

for (const [what, lacking] of [
  ['placements', placementKind.type],
  ['decisions', placementDecisionKind.type],
] as const)
  test(`a hub that does not serve ${what} is told as such`, async () => {
    const set = setFor(['p'])
    const hub = { ...world(set, set), isSynced: (type: ResourceType) => type !== lacking, byIndex: () => [] }
    const seen = await observeReplicaSet(key, hub as unknown as Reads, new AbortController().signal)
    const message = 'the hub does not serve placements.cluster.open-cluster-management.io; install Open Cluster Management'
    assert.deepEqual(seen?.placements, [{ ref: { name: 'p' }, resolution: { ok: false, message } }])
  })

test('a set that is not there is not seen', async () => {
  const nobody = { find: () => undefined } as unknown as Reads
  assert.equal(await observeReplicaSet(key, nobody, new AbortController().signal), undefined)
})

/** Placement p as the server has it: not done. */
function unfinished(reads: Reads): Reads {
  const read = async (type: ResourceType, at: { namespace: string; name: string }): Promise<unknown> => {
    const found = await reads.read(type, at, new AbortController().signal)
    return type === placementKind.type ? { ...(found as object), status: undefined } : found
  }
  return { ...reads, read } as unknown as Reads
}

test('while a Placement is not done by its own word, a Role stays, and is counted; one that goes is on its way', async () => {
  const set = setFor(['p'])
  const signal = new AbortController().signal
  const seen = await observeReplicaSet(key, unfinished(world(set, set)), signal)
  assert.deepEqual([seen?.strays, seen?.kept], [[], 1])
  const goes = { ...childIn('b'), metadata: { ...childIn('b').metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } }
  const base = unfinished(world(set, set))
  const byIndex = (type: ResourceType, index: string, value: string): unknown =>
    type === roleKind.type ? [childIn('a'), goes, childIn('c')] : base.byIndex(type, index, value)
  const mixed = await observeReplicaSet(key, { ...base, byIndex } as unknown as Reads, signal)
  assert.deepEqual([mixed?.strays.map(({ metadata }) => metadata.namespace), mixed?.kept], [['b'], 1])
})

test('where all that is unwanted goes already, the server is not asked', async () => {
  const set = setFor(['p'])
  const goes = { ...childIn('b'), metadata: { ...childIn('b').metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } }
  const base = world(set, set)
  const byIndex = (type: ResourceType, index: string, value: string): unknown =>
    type === roleKind.type ? [childIn('a'), goes] : base.byIndex(type, index, value)
  const read = (): Promise<never> => Promise.reject(new Error('asked'))
  const seen = await observeReplicaSet(key, { ...base, byIndex, read } as unknown as Reads, new AbortController().signal)
  assert.deepEqual([seen?.strays.map(({ metadata }) => metadata.namespace), seen?.kept], [['b'], 0])
})

const going = (): ReplicaSet => {
  const set = setFor(['p'])
  return { ...set, metadata: { ...set.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } }
}

async function remainingOf(set: ReplicaSet, answers: Pick<Reads, 'read' | 'readAll'>): Promise<readonly (string | undefined)[]> {
  const blind = { find: () => set, byIndex: () => [], ...answers } as unknown as Reads
  const seen = await observeReplicaSet(key, blind, new AbortController().signal)
  return (seen?.remaining ?? []).map(({ metadata }) => metadata.namespace)
}

test('a Role that the cache does not show holds a set that goes, found by a list or one by one [S26]', async () => {
  const read = (async (_type: ResourceType, { namespace }: { namespace: string }) =>
    namespace === 'b' ? childIn('b') : undefined) as unknown as Reads['read']
  const none = (async () => []) as unknown as Reads['readAll']
  const all = (async () => [childIn('a')]) as unknown as Reads['readAll']
  assert.deepEqual(await remainingOf(going(), { read, readAll: all }), ['a'])
  const others = (async () => [{ metadata: { namespace: 'c', name: 'app' } }]) as unknown as Reads['readAll']
  assert.deepEqual(await remainingOf(going(), { read, readAll: others }), [], 'a Role with the label alone is none of it')
  assert.deepEqual(await remainingOf(going(), { read, readAll: none }), [])
  const clusters = ['a', 'b'].map(clusterName => ({ clusterName, phase: 'Ready' as const }))
  assert.deepEqual(await remainingOf({ ...going(), status: { clusters } }, { read, readAll: none }), ['b'])
  const theirs = (async () => ({ metadata: { namespace: 'b', name: 'app' } })) as unknown as Reads['read']
  assert.deepEqual(await remainingOf({ ...going(), status: { clusters } }, { read: theirs, readAll: none }), [])
})

test('of a set that goes nothing is selected, and nobody asks the server while the cache shows a Role', async () => {
  const reads = {
    find: () => going(),
    byIndex: () => [childIn('a')],
    readAll: () => Promise.reject(new Error('asked')),
  } as unknown as Reads
  const seen = await observeReplicaSet(key, reads, new AbortController().signal)
  assert.deepEqual([seen?.remaining.length, seen?.kept, seen?.strays, seen?.placements], [1, 0, [], []])
})

interface Node {
  readonly properties?: Readonly<Record<string, Node>>
}

test('the template that a rollback brings back holds all that a template can', () => {
  const [version] = (renderCrd(replicaSetKind) as unknown as { spec: { versions: { schema: { openAPIV3Schema: Node } }[] } }).spec
    .versions
  const { spec, status } = version?.schema.openAPIV3Schema.properties ?? {}
  const fieldsOf = (node: Node | undefined): unknown =>
    Object.fromEntries(Object.entries(node?.properties ?? {}).map(([name, below]) => [name, fieldsOf(below)]))
  assert.deepEqual(fieldsOf(status?.properties?.completedTemplate), fieldsOf(spec?.properties?.template))
})
