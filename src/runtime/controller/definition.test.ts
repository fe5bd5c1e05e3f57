import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ResourceType, StoredObject } from '#kube'
import { toController, toNamed } from './definition.ts'

const gears: ResourceType = { group: 'example.com', version: 'v1', kind: 'Gear', plural: 'gears', namespaced: true }
const object = (metadata: object): StoredObject =>
  ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'x', namespace: 'at', uid: 'u', resourceVersion: '1', ...metadata },
  }) as StoredObject
const owner = (kind: string, name: string, controller?: boolean): object => ({
  apiVersion: 'example.com/v1',
  kind,
  name,
  uid: name,
  ...(controller === undefined ? {} : { controller }),
})

for (const [what, type, metadata, claims] of [
  [
    'its controller of the kind, in its namespace',
    gears,
    { ownerReferences: [owner('Gear', 'a', true)] },
    [{ namespace: 'at', name: 'a' }],
  ],
  [
    'its controller of a kind without namespaces, in none',
    { ...gears, namespaced: false },
    { ownerReferences: [owner('Gear', 'a', true)] },
    [{ namespace: '', name: 'a' }],
  ],
  [
    'the controller among its owners',
    gears,
    { ownerReferences: [owner('Gear', 'a', false), owner('Gear', 'b'), owner('Wheel', 'c', true), owner('Gear', 'd', true)] },
    [{ namespace: 'at', name: 'd' }],
  ],
  ['nobody, where it has no owner', gears, {}, []],
  ['nobody, where its controller is of another kind', gears, { ownerReferences: [owner('Wheel', 'c', true)] }, []],
] as const)
  test(`an object leads to ${what}`, () =>
    assert.deepEqual(toController(type)?.(object(metadata), undefined as never, ''), claims))

for (const [annotations, claims] of [
  [{ 'x/of': 'a/b' }, [{ namespace: 'a', name: 'b' }]],
  [{ 'x/of': 'b' }, [{ namespace: '', name: 'b' }]],
  [{ 'x/of': '/b' }, [{ namespace: '', name: 'b' }]],
  [{ 'x/other': 'a/b' }, []],
  [undefined, []],
] as const)
  test(`an object with ${JSON.stringify(annotations)} leads to ${JSON.stringify(claims)}`, () =>
    assert.deepEqual(toNamed('x/of')?.(object({ annotations }), undefined as never, ''), claims))
