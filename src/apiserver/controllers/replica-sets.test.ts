import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Fields } from '../ask.fixture.ts'
import { Alone, type AloneOptions, bodyAt, type Given } from './alone.fixture.ts'
import { replicaSets } from './replica-sets.ts'

const deletionTimestamp = '2026-01-01T00:00:00Z'
const owner = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 's', uid: 'u', controller: true, blockOwnerDeletion: true }
const template = { metadata: { labels: { app: 'web' } }, spec: { containers: [] } }

function set(replicas: number | undefined, more: object = {}, metadata: object = {}): Given {
  const spec = { ...(replicas !== undefined && { replicas }), template }
  return {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: { name: 's', uid: 'u', generation: 4, ...metadata },
    spec,
    ...more,
  }
}

function pod(name: string, status: object = {}, metadata: object = {}): Given {
  return { kind: 'Pod', metadata: { name, ownerReferences: [owner], ...metadata }, spec: {}, status }
}

function holding(objects: readonly Given[], options: AloneOptions = {}): Alone {
  const world = new Alone(replicaSets, options)
  world.put(...objects)
  return world
}

const ready = { conditions: [{ type: 'Ready', status: 'True' }] }
const pods = '/api/v1/namespaces/default/pods'
const create = `POST ${pods}`
const status = 'PUT /apis/apps/v1/namespaces/default/replicasets/s/status'
const remove = (name: string): string => `DELETE ${pods}/${name}`

for (const [said, objects, requests] of [
  ['that says nothing and has none', [set(undefined)], [create, status]],
  ['of none', [set(0)], [status]],
  ['of two that has none', [set(2)], [create, create, status]],
  ['of two that has one', [set(2), pod('a')], [create, status]],
  ['of one that has one', [set(1), pod('a')], [status]],
  ['of one with one of another', [set(1), pod('a', {}, { ownerReferences: [{ ...owner, uid: 'v' }] })], [create, status]],
  ['of one with one in another namespace', [set(1), pod('a', {}, { namespace: 'x' })], [create, status]],
  ['of one whose only one succeeded', [set(1), pod('a', { phase: 'Succeeded' })], [create, status]],
  ['of one whose only one failed', [set(1), pod('a', { phase: 'Failed' })], [create, status]],
  ['of one whose only one is going', [set(1), pod('a', {}, { deletionTimestamp })], [create, status]],
  ['of one with a ready one and another', [set(1), pod('a', ready), pod('b')], [remove('b'), status]],
  ['of one with another and a ready one', [set(1), pod('a'), pod('b', ready)], [remove('a'), status]],
  [
    'of one with three alike, of whom the youngest go',
    [set(1), pod('a'), pod('b'), pod('c')],
    [remove('c'), remove('b'), status],
  ],
  ['that is going', [set(2, {}, { deletionTimestamp })], [status]],
] as const)
  test(`a set ${said} asks for ${requests.length} changes`, async () => {
    const { asked, again } = await holding(objects).look('default/s')
    assert.deepEqual(
      asked.map(({ what }) => what),
      requests,
    )
    assert.equal(again, undefined)
  })

test('a pod is made from the template, of the set', async () => {
  const { asked } = await holding([set(1)]).look('default/s')
  assert.deepEqual(asked[0]?.body, {
    kind: 'Pod',
    apiVersion: 'v1',
    metadata: { labels: { app: 'web' }, generateName: 's-', namespace: 'default', ownerReferences: [owner] },
    spec: { containers: [] },
  })
})

async function statusOf(objects: readonly Given[], options: AloneOptions = {}): Promise<unknown> {
  const { asked } = await holding(objects, options).look('default/s')
  return asked.find(({ what }) => what === status)?.body.status
}

test('a status counts the pods that live, and those of them that are ready', async () => {
  const pair = [pod('a', ready), pod('b'), pod('c', ready, { deletionTimestamp }), pod('d', { ...ready, phase: 'Failed' })]
  assert.deepEqual(await statusOf([set(2), ...pair]), {
    replicas: 2,
    fullyLabeledReplicas: 2,
    readyReplicas: 1,
    availableReplicas: 1,
    observedGeneration: 4,
  })
  assert.deepEqual(await statusOf([set(0)]), { replicas: 0, observedGeneration: 4 })
  assert.equal(await statusOf([set(0, { status: { observedGeneration: 4, replicas: 0 } })]), undefined, 'and is said once')
})

test('pods that are refused are told in the status and tried again after five seconds', async () => {
  const answer: AloneOptions['answer'] = ({ what }) => (what === create ? { status: 300, object: { message: 'no' } } : undefined)
  const { asked, again } = await holding([set(2)], { answer }).look('default/s')
  assert.equal(again, 5_000)
  assert.deepEqual(
    asked.map(({ what }) => what),
    [create, status],
  )
  const conditions = [{ type: 'ReplicaFailure', status: 'True', reason: 'FailedCreate', message: 'no' }]
  assert.deepEqual((bodyAt(asked, 1).status as Fields).conditions, conditions)
})

test('a set that is gone is no work, nor is the status of one that goes meanwhile', async () => {
  assert.deepEqual(await holding([]).look('default/s'), { asked: [], again: undefined })
  const world: Alone = holding([set(1)], {
    answer: () => {
      world.remove('replicasets.apps', 'default/s')
      return undefined
    },
  })
  assert.deepEqual(await world.requests('default/s'), [create])
})

test('a set is looked at when it changes, and when a pod of it does', () => {
  const world = new Alone(replicaSets)
  assert.deepEqual(world.put(set(1)), ['default/s'])
  assert.deepEqual(world.put(pod('a')), ['default/s'])
  assert.deepEqual(world.put(pod('b', {}, { ownerReferences: [{ ...owner, controller: false }] })), [])
  assert.deepEqual(world.put(pod('c', {}, { ownerReferences: [{ ...owner, kind: 'Job' }] })), [])
  assert.deepEqual(world.remove('pods', 'default/a'), ['default/s'])
  assert.deepEqual(world.remove('replicasets.apps', 'default/s'), [])
  assert.deepEqual(world.put({ kind: 'ConfigMap', metadata: { name: 'm', ownerReferences: [owner] } }), [])
})
