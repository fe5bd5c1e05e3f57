import assert from 'node:assert/strict'
import { test } from 'node:test'
import { silentLog } from '#base'
import type { StoredObject } from '#kube'
import { keepIdentity, keepOwnFields, projector } from './projection.ts'

const least = { name: 'x', uid: 'u', resourceVersion: '1' }
const most = {
  ...least,
  namespace: 'a',
  generation: 2,
  labels: { a: 'b' },
  ownerReferences: [],
  deletionTimestamp: '2026-01-01T00:00:00Z',
  finalizers: ['f'],
}
const object = (metadata: object, more: object = {}): StoredObject =>
  ({ apiVersion: 'v1', kind: 'Secret', metadata, ...more }) as unknown as StoredObject
const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration'
const field = (manager: string | undefined, subresource?: string): object => ({ manager, subresource, operation: 'Apply' })

test('of an object whose identity is kept everything else is left out, and nothing is made up', () => {
  assert.deepEqual(keepIdentity(object(least, { data: { a: 'b' } })), object(least))
  assert.deepEqual(keepIdentity(object({ ...most, annotations: { a: 'b' }, managedFields: [field('us')] })), object(most))
})

for (const [what, more, kept] of [
  ['is kept as it is where there is nothing to leave out', { annotations: { a: 'b' } }, { annotations: { a: 'b' } }],
  ['loses the copy of its manifest', { annotations: { [lastApplied]: '{}', a: 'b' } }, { annotations: { a: 'b' } }],
  ['loses its annotations with the copy where there are no others', { annotations: { [lastApplied]: '{}' } }, {}],
  [
    'keeps its annotations where field sets are left out',
    { annotations: { a: 'b' }, managedFields: [field('them')] },
    { annotations: { a: 'b' } },
  ],
  [
    'keeps the field sets that are ours and of the object itself',
    { managedFields: [field('us'), field('them'), field('us', 'status'), field(undefined)] },
    { managedFields: [field('us')] },
  ],
] as const)
  test(`an object ${what}`, () => {
    const given = object({ ...most, ...more }, { data: { a: 'b' } })
    assert.deepEqual(keepOwnFields(['us'])(given), object({ ...most, ...kept }, { data: { a: 'b' } }))
  })

const gears = { group: 'example.com', version: 'v1', kind: 'Gear', plural: 'gears', namespaced: true }
const named = { apiVersion: 'example.com/v1', kind: 'Gear' }

for (const [what, wire, isSame] of [
  ['neither', {}, false],
  ['its kind alone', { kind: 'Gear' }, false],
  ['its version alone', { apiVersion: 'example.com/v1' }, false],
  ['another kind', { ...named, kind: 'Wheel' }, false],
  ['another version', { ...named, apiVersion: 'example.com/v2' }, false],
  ['both', named, true],
] as const)
  test(`an object that says ${what} on the wire is cached with its kind and version, ${isSame ? 'as it came' : 'in a copy'}`, () => {
    const given = { ...wire, metadata: least, spec: { teeth: 7 } } as unknown as StoredObject
    const cached = projector({ type: gears, log: silentLog })(given)
    assert.deepEqual(cached, { ...named, metadata: least, spec: { teeth: 7 } })
    assert.equal(cached === given, isSame)
  })
