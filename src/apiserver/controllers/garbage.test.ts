import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Fields } from '../ask.fixture.ts'
import { Alone, type AloneOptions, type Given } from './alone.fixture.ts'
import { garbageCollector } from './garbage.ts'

const deletionTimestamp = '2026-01-01T00:00:00Z'

interface Owner {
  readonly apiVersion: string
  readonly kind: string
  readonly name: string
  readonly uid: string
  readonly blockOwnerDeletion?: boolean
}

/** A ConfigMap of this name; its uid is made of it. */
function map(name: string, metadata: object = {}): Given {
  return { kind: 'ConfigMap', metadata: { name, uid: `uid of ${name}`, ...metadata } }
}

function by(name: string, more: object = {}): Owner {
  return { apiVersion: 'v1', kind: 'ConfigMap', name, uid: `uid of ${name}`, ...more }
}

const owned = (name: string, ...ownerReferences: readonly Owner[]): Given => map(name, { ownerReferences })
const pathOf = (name: string): string => `/api/v1/namespaces/default/configmaps/${name}`
const going = { deletionTimestamp, finalizers: ['a.b/c', 'foregroundDeletion'] }
const background = (name: string): object => ({
  kind: 'DeleteOptions',
  apiVersion: 'v1',
  propagationPolicy: 'Background',
  preconditions: { uid: `uid of ${name}` },
})

function holding(objects: readonly Given[], options: AloneOptions = {}): Alone {
  const world = new Alone(garbageCollector, options)
  world.put(...objects)
  return world
}

/** What one look at the object of this name asks for, without the versions that it asks at. */
async function asked(world: Alone, name: string): Promise<readonly (readonly [what: string, body: object])[]> {
  const look = await world.look(`uid of ${name}`)
  assert.equal(look.again, undefined)
  return look.asked.map(({ what, body }) => {
    const { metadata, ...rest } = body as { metadata?: Fields }
    if (metadata === undefined || !what.startsWith('PATCH')) return [what, body]
    const { resourceVersion, uid, ...changes } = metadata
    const key = what.split('/').at(-1) ?? ''
    assert.deepEqual(
      [uid, resourceVersion],
      [`uid of ${key}`, world.get('configmaps', `default/${key}`).metadata.resourceVersion],
    )
    return [what, { ...rest, ...changes }]
  })
}

const widget = by('gone', { apiVersion: 'example.com/v1', kind: 'Widget' })
const node = by('n', { kind: 'Node' })
for (const [said, objects, does] of [
  ['without owners', [map('child')], 'stays'],
  ['of an owner that is there', [map('owner'), owned('child', by('owner'))], 'stays'],
  ['of a Deployment that never was', [owned('child', by('gone', { apiVersion: 'apps/v1', kind: 'Deployment' }))], 'goes'],
  ['of an owner that never was', [owned('child', by('gone'))], 'goes'],
  ['of two that never were', [owned('child', by('gone'), by('never'))], 'goes'],
  ['of an owner of another name', [map('owner'), owned('child', by('owner', { name: 'renamed' }))], 'goes'],
  ['of a kind that nobody serves', [owned('child', widget)], 'stays'],
  ['of a group that nobody serves', [map('owner'), owned('child', by('owner', { apiVersion: 'apps/v1' }))], 'stays'],
  ['of one that is gone and a kind that nobody serves', [owned('child', by('gone'), widget)], 'stays'],
  ['of a node', [{ kind: 'Node', metadata: { name: 'n', uid: 'uid of n' } }, owned('child', node)], 'stays'],
  ['of a node that is gone', [owned('child', node)], 'goes'],
  ['that is going', [map('child', { ownerReferences: [by('gone')], deletionTimestamp })], 'stays'],
] as const)
  test(`an object ${said} ${does}`, async () => {
    const wanted = does === 'stays' ? [] : [[`DELETE ${pathOf('child')}`, background('child')]]
    assert.deepEqual(await asked(holding(objects), 'child'), wanted)
  })

test('an object of two owners loses the one that is gone', async () => {
  const world = holding([map('owner'), owned('child', by('gone'), by('owner'))])
  assert.deepEqual(await asked(world, 'child'), [[`PATCH ${pathOf('child')}`, { ownerReferences: [by('owner')] }]])
})

test('an object whose owner is in another namespace goes, with a word to who looks', async () => {
  const world = holding([map('owner', { namespace: 'x' }), owned('child', by('owner'))])
  const message =
    'ownerRef [v1/ConfigMap, namespace: default, name: owner, uid: uid of owner] does not exist in namespace "default"'
  assert.deepEqual(await asked(world, 'child'), [
    [
      'POST /api/v1/namespaces/default/events',
      {
        kind: 'Event',
        apiVersion: 'v1',
        metadata: { generateName: 'child.', namespace: 'default' },
        involvedObject: { kind: 'ConfigMap', apiVersion: 'v1', name: 'child', namespace: 'default', uid: 'uid of child' },
        reason: 'OwnerRefInvalidNamespace',
        message,
        type: 'Warning',
        source: { component: 'garbage-collector-controller' },
        count: 1,
      },
    ],
    [`DELETE ${pathOf('child')}`, background('child')],
  ])
})

test('an object of no namespace has no owner in one', async () => {
  const child: Given = { kind: 'Node', metadata: { name: 'child', uid: 'uid of child', ownerReferences: [by('owner')] } }
  const requests = async (...objects: readonly Given[]): Promise<readonly string[]> =>
    (await asked(holding([...objects, child]), 'child')).map(([what]) => what)
  const expected = ['POST /api/v1/namespaces/default/events', 'DELETE /api/v1/nodes/child']
  assert.deepEqual(await requests(map('owner')), expected)
  assert.deepEqual(await requests(), expected)
})

test('objects of groups and of no namespace are deleted where they are', async () => {
  const metadata = { name: 'child', uid: 'uid of child', ownerReferences: [node] }
  const requests = async (object: Given): Promise<readonly string[]> =>
    (await asked(holding([object]), 'child')).map(([what]) => what)
  assert.deepEqual(await requests({ kind: 'Deployment', apiVersion: 'apps/v1', metadata }), [
    'DELETE /apis/apps/v1/namespaces/default/deployments/child',
  ])
  assert.deepEqual(await requests({ kind: 'ClusterRole', apiVersion: 'rbac.authorization.k8s.io/v1', metadata }), [
    'DELETE /apis/rbac.authorization.k8s.io/v1/clusterroles/child',
  ])
})

test('an owner whose dependents are to be orphans lets them go before it goes', async () => {
  const owner = map('owner', { deletionTimestamp, finalizers: ['orphan', 'foregroundDeletion'] })
  const world = holding([owner, owned('a', by('owner')), owned('b', by('owner'), by('other')), owned('c', by('other'))])
  assert.deepEqual(await asked(world, 'owner'), [
    [`PATCH ${pathOf('a')}`, { ownerReferences: null }],
    [`PATCH ${pathOf('b')}`, { ownerReferences: [by('other')] }],
    [`PATCH ${pathOf('owner')}`, { finalizers: ['foregroundDeletion'] }],
  ])
})

test('an owner that is not deleted yet keeps its finalizers and its dependents', async () => {
  const world = holding([map('owner', { finalizers: ['orphan', 'foregroundDeletion'] }), owned('child', by('owner'))])
  assert.deepEqual(await asked(world, 'owner'), [])
})

test('an owner that goes by itself asks for nothing', async () => {
  const world = holding([map('owner', { deletionTimestamp, finalizers: ['a.b/c'] }), owned('child', by('owner'))])
  assert.deepEqual(await asked(world, 'owner'), [])
})

const blocking = by('owner', { blockOwnerDeletion: true })
const release = [`PATCH ${pathOf('owner')}`, { finalizers: ['a.b/c'] }]
const deletes = (name: string, propagationPolicy = 'Background'): unknown => [
  `DELETE ${pathOf(name)}`,
  { ...background(name), propagationPolicy },
]
for (const [said, objects, wanted] of [
  ['no dependents', [], [release]],
  ['a dependent that blocks', [owned('a', blocking)], [deletes('a')]],
  ['a dependent that does not block', [owned('a', by('owner'))], [deletes('a'), release]],
  ['one of each', [owned('a', by('owner')), owned('b', blocking)], [deletes('a'), deletes('b')]],
  ['a dependent that has dependents', [owned('a', blocking), owned('b', by('a'))], [deletes('a', 'Foreground')]],
  ['a dependent that is going', [map('a', { ownerReferences: [blocking], deletionTimestamp })], []],
  ['a dependent that is going and does not block', [map('a', { ownerReferences: [by('owner')], deletionTimestamp })], [release]],
  [
    'a dependent of another that lives',
    [map('other'), owned('a', by('owner'), by('other'))],
    [[`PATCH ${pathOf('a')}`, { ownerReferences: [by('other')] }], release],
  ],
  ['a dependent of another that never was', [owned('a', by('owner'), by('other'))], [deletes('a'), release]],
  [
    'a dependent of another that goes',
    [map('other', { deletionTimestamp }), owned('a', by('owner'), by('other'))],
    [deletes('a'), release],
  ],
  [
    'a dependent that blocks another owner',
    [map('other', { deletionTimestamp }), owned('a', by('owner'), by('other', { blockOwnerDeletion: true }))],
    [deletes('a'), release],
  ],
] as const)
  test(`an owner that goes in the foreground with ${said} asks for ${wanted.length} changes`, async () => {
    assert.deepEqual(await asked(holding([map('owner', going), ...objects]), 'owner'), wanted)
  })

test('the last finalizer is taken away with the list', async () => {
  const world = holding([map('owner', { deletionTimestamp, finalizers: ['foregroundDeletion'] })])
  assert.deepEqual(await asked(world, 'owner'), [[`PATCH ${pathOf('owner')}`, { finalizers: null }]])
})

test('a change that came between is tried again, another refusal is not', async () => {
  const refusing = (status: number): Alone =>
    holding([map('owner', going)], { answer: () => ({ status, object: { message: 'too late' } }) })
  await assert.rejects(refusing(409).look('uid of owner'), /the object changed meanwhile: too late/)
  assert.equal((await refusing(404).look('uid of owner')).asked.length, 1)
  const dependent = holding([map('owner'), owned('child', by('gone'), by('owner'))], {
    answer: () => ({ status: 409, object: { message: 'too late' } }),
  })
  await assert.rejects(dependent.look('uid of child'), /the object changed meanwhile: too late/)
})

test('an object that is gone, or that changed while its deletion was finished, is looked at no further', async () => {
  assert.deepEqual(await asked(holding([]), 'child'), [])
  const world: Alone = holding([map('owner', { ...going, ownerReferences: [by('gone')] })], {
    answer: () => {
      world.change('configmaps', 'default/owner', object => void delete object.metadata.deletionTimestamp)
      return undefined
    },
  })
  assert.deepEqual((await world.requests('uid of owner')).length, 1)
})

test('an object with owners is looked at when it changes, its dependents when it goes, its owners when they wait for it', () => {
  const world = new Alone(garbageCollector)
  assert.deepEqual(world.put(map('owner')), [])
  assert.deepEqual(world.put(owned('child', by('owner'))), ['uid of child'])
  const set = (key: string, metadata: object): readonly string[] =>
    world.change('configmaps', `default/${key}`, object => void Object.assign(object.metadata, metadata))
  assert.deepEqual(set('owner', { labels: { a: 'b' } }), [])
  assert.deepEqual(set('owner', going), ['uid of owner', 'uid of child'])
  assert.deepEqual(set('child', { labels: { a: 'b' } }), ['uid of child', 'uid of owner', 'uid of owner'])
  assert.deepEqual(set('child', { ownerReferences: [] }), ['uid of child', 'uid of owner'])
  assert.deepEqual(set('child', { labels: {} }), [])
  assert.deepEqual(set('child', { ownerReferences: [by('owner')] }), ['uid of child', 'uid of owner'])
  assert.deepEqual(set('owner', { finalizers: ['orphan'] }), ['uid of owner', 'uid of child'])
  assert.deepEqual(set('owner', { finalizers: ['a.b/c'] }), [])
  assert.deepEqual(world.remove('configmaps', 'default/owner'), ['uid of child'])
  assert.deepEqual(world.remove('configmaps', 'default/child'), ['uid of owner', 'uid of owner'])
})

test('of two dependents each is known, though the other changes', () => {
  const world = new Alone(garbageCollector)
  world.put(map('owner'), owned('a', by('owner')), owned('b', by('owner')))
  for (const key of ['default/a', 'default/b']) world.change('configmaps', key, object => void (object.metadata.labels = {}))
  assert.deepEqual(world.remove('configmaps', 'default/owner'), ['uid of a', 'uid of b'])
})

test('events have no owners that anybody follows', () => {
  const world = new Alone(garbageCollector)
  assert.deepEqual(world.put({ kind: 'Event', metadata: { name: 'e', ownerReferences: [by('owner')] } }), [])
})
