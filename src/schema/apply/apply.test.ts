import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isObject, type Json, type JsonObject } from '../json.ts'
import { builtinKind } from '../kinds/kind.ts'
import { fieldsOf, type MergeShape, stringShape, untyped } from '../shape.ts'
import { serverSideApply } from './apply.ts'
import { structure, wholeObject } from './shapes.fixture.ts'
import type { ApplyResult } from './types.ts'
import { trackUpdate } from './update.ts'

const now = '2024-01-01T00:00:00Z'
const later = '2024-01-02T00:00:00Z'
const number: MergeShape = { kind: 'scalar', type: 'integer' }
const item = structure({ name: stringShape, value: number })
const spec: MergeShape = {
  kind: 'map',
  atomic: false,
  rest: undefined,
  fields: fieldsOf([
    ['size', { shape: number }],
    ['color', { shape: stringShape, default: 'red' }],
    ['items', { shape: { kind: 'list', how: 'map', keys: ['name'], items: item } }],
    ['tags', { shape: { kind: 'list', how: 'set', keys: [], items: stringShape } }],
    ['list', { shape: { kind: 'list', how: 'atomic', keys: [], items: stringShape } }],
    ['any', { shape: untyped }],
  ]),
}
const widget = wholeObject({ spec })

function body(content: JsonObject): JsonObject {
  return { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w' }, spec: content }
}

interface Options {
  readonly manager?: string
  readonly force?: boolean
  readonly time?: string
}

function apply(
  live: JsonObject | undefined,
  content: JsonObject,
  { manager = 'm1', force = false, time = now }: Options = {},
): ApplyResult {
  return serverSideApply({ live, applied: body(content), manager, force, shape: widget, apiVersion: 'example.com/v1', now: time })
}

function applied(live: JsonObject | undefined, content: JsonObject, options?: Options): JsonObject {
  const result = apply(live, content, options)
  assert.equal(result.kind, 'merged')
  return result.kind === 'merged' ? result.object : {}
}

function put(live: JsonObject, content: JsonObject, manager = 'm3'): JsonObject {
  return trackUpdate({ live, next: { ...live, spec: content }, manager, shape: widget, apiVersion: 'example.com/v1', now: later })
}

function owners(object: JsonObject): Json {
  return (isObject(object.metadata) ? object.metadata.managedFields : undefined) ?? null
}

function entry(manager: string, fields: JsonObject, operation = 'Apply', time = now): JsonObject {
  return { manager, operation, apiVersion: 'example.com/v1', time, fieldsType: 'FieldsV1', fieldsV1: { 'f:spec': fields } }
}

test('applying what is not there makes one Apply entry with exactly the applied fields [#130]', () => {
  const object = applied(undefined, { size: 1, items: [{ name: 'a', value: 2 }], tags: ['t'] })
  assert.deepEqual(owners(object), [
    entry('m1', {
      'f:items': { 'k:{"name":"a"}': { '.': {}, 'f:name': {}, 'f:value': {} } },
      'f:size': {},
      'f:tags': { 'v:"t"': {} },
    }),
  ])
})

test('applying the same again changes nothing, not even the time [#131]', () => {
  const live = applied(undefined, { size: 1 })
  const again = apply(live, { size: 1 }, { time: later })
  assert.deepEqual(again, { kind: 'merged', object: live, changed: false })
})

test('another manager applying an equal value becomes a second owner [#132]', () => {
  const object = applied(applied(undefined, { size: 1 }), { size: 1 }, { manager: 'm2' })
  assert.deepEqual(owners(object), [withoutTime(entry('m2', { 'f:size': {} })), entry('m1', { 'f:size': {} })])
})

/** Who becomes an owner without changing the object has no time, and stands before those that have one. */
function withoutTime({ time: _time, ...rest }: ReturnType<typeof entry>): Omit<ReturnType<typeof entry>, 'time'> {
  return rest
}

test('another value conflicts, and the conflict names the owner and the path [#133]', () => {
  assert.deepEqual(apply(applied(undefined, { size: 1 }), { size: 2 }, { manager: 'm2' }), {
    kind: 'conflict',
    message: 'Apply failed with 1 conflict: conflict with "m1": .spec.size',
    causes: [{ reason: 'FieldManagerConflict', message: 'conflict with "m1"', field: '.spec.size' }],
  })
})

test('with force the other owner loses the field [#134]', () => {
  const object = applied(applied(undefined, { size: 1, color: 'red' }), { size: 2 }, { manager: 'm2', force: true })
  assert.deepEqual(owners(object), [entry('m1', { 'f:color': {} }), entry('m2', { 'f:size': {} })])
  assert.deepEqual(object.spec, { size: 2, color: 'red' })
})

test('a field that only this applier owned goes when it is no longer applied [#135]', () => {
  const object = applied(applied(undefined, { size: 1, color: 'blue' }), { size: 1 }, { time: later })
  assert.deepEqual(object.spec, { size: 1 })
  assert.deepEqual(owners(object), [entry('m1', { 'f:size': {} }, 'Apply', later)])
})

test('a field that somebody else owns too stays [#136]', () => {
  const shared = applied(applied(undefined, { size: 1, color: 'red' }), { color: 'red' }, { manager: 'm2' })
  const object = applied(shared, { size: 1 }, { time: later })
  assert.deepEqual(object.spec, { size: 1, color: 'red' })
  assert.deepEqual(owners(object), [withoutTime(entry('m2', { 'f:color': {} })), entry('m1', { 'f:size': {} })])
})

test('an update takes a changed field, and applying it again then conflicts with that updater [#137]', () => {
  const object = put(applied(undefined, { size: 1 }), { size: 5 })
  assert.deepEqual(owners(object), [entry('m3', { 'f:size': {} }, 'Update', later)])
  const result = apply(object, { size: 1 })
  assert.equal(
    result.kind === 'conflict' && result.message,
    'Apply failed with 1 conflict: conflict with "m3" using example.com/v1: .spec.size',
  )
})

test('an update with an equal value changes no owner [#138]', () => {
  const live = applied(undefined, { size: 1 })
  assert.deepEqual(owners(put(live, { size: 1 })), owners(live))
})

test('dropping an item leaves the items of others [#139]', () => {
  const both = applied(applied(undefined, { items: [{ name: 'a' }] }), { items: [{ name: 'b' }] }, { manager: 'm2' })
  assert.deepEqual(both.spec, { items: [{ name: 'a' }, { name: 'b' }] })
  assert.deepEqual(applied(both, {}).spec, { items: [{ name: 'b' }] })
})

test('applied items come in their order, and others keep their place [#140]', () => {
  const live = applied(undefined, { items: [{ name: 'a' }, { name: 'b' }] })
  assert.deepEqual(applied(live, { items: [{ name: 'b' }, { name: 'c' }] }, { manager: 'm2' }).spec, {
    items: [{ name: 'a' }, { name: 'b' }, { name: 'c' }],
  })
})

test('a set is the union of what its appliers want [#141]', () => {
  const both = applied(applied(undefined, { tags: ['a', 'b'] }), { tags: ['c'] }, { manager: 'm2' })
  assert.deepEqual(both.spec, { tags: ['a', 'b', 'c'] })
  assert.deepEqual(applied(both, { tags: ['b'] }).spec, { tags: ['b', 'c'] })
})

test('an atomic list conflicts as a whole [#142]', () => {
  const result = apply(applied(undefined, { list: ['a'] }), { list: ['a', 'b'] }, { manager: 'm2' })
  assert.equal(result.kind === 'conflict' && result.message, 'Apply failed with 1 conflict: conflict with "m1": .spec.list')
})

test('a key with a default may be left out of an applied item and stands in the path all the same [#143]', () => {
  const shape = builtinKind('', 'v1', 'Service')?.shape as MergeShape
  const service = { apiVersion: 'v1', kind: 'Service', metadata: { name: 's' }, spec: { ports: [{ port: 80 }] } }
  const result = serverSideApply({ live: undefined, applied: service, manager: 'm', force: false, shape, apiVersion: 'v1', now })
  assert.deepEqual(result.kind === 'merged' && (owners(result.object) as JsonObject[])[0]?.fieldsV1, {
    'f:spec': { 'f:ports': { 'k:{"port":80,"protocol":"TCP"}': { '.': {}, 'f:port': {} } } },
  })
})

test('bodies that do not fit the schema are refused with their path [#147]', () => {
  const message = (content: JsonObject): string => {
    const result = apply(undefined, content)
    return result.kind === 'untypeable' ? result.message : result.kind
  }
  assert.equal(message({ sise: 1 }), '.spec.sise: field not declared in schema')
  assert.equal(message({ color: 1 }), '.spec.color: expected string, got &value.valueUnstructured{Value:1}')
})

test('two items with one key are refused [#148]', () => {
  const result = apply(undefined, { items: [{ name: 'a' }, { name: 'a' }] })
  assert.equal(result.kind === 'untypeable' && result.message, '.spec.items: duplicate entries for key [name="a"]')
})

test('what nobody owns belongs to before-first-apply once somebody applies [#150]', () => {
  const live = { ...applied(undefined, { size: 1 }), metadata: { name: 'w', uid: 'u' } }
  const object = applied(live, { color: 'red' })
  assert.deepEqual(owners(object), [
    entry('m1', { 'f:color': {} }),
    entry('before-first-apply', { '.': {}, 'f:size': {} }, 'Update'),
  ])
})

test('beyond ten updaters the oldest are joined as ancient-changes [#151]', () => {
  let object = applied(undefined, {})
  for (let i = 0; i < 11; i++)
    object = put(
      object,
      { ...(object.spec as JsonObject), any: { ...((object.spec as JsonObject).any as JsonObject), [`k${i}`]: i } },
      `u${i}`,
    )
  const managers = (owners(object) as JsonObject[]).filter(one => one.operation === 'Update').map(one => one.manager)
  assert.equal(managers.length, 10)
  assert.ok(managers.includes('ancient-changes'))
})

test('conflicts are told owner by owner, path by path [#155]', () => {
  const both = applied(applied(undefined, { size: 1, color: 'red' }), { list: ['a'] }, { manager: 'm2' })
  const result = apply(both, { size: 2, color: 'blue', list: ['b'] }, { manager: 'm9' })
  assert.equal(
    result.kind === 'conflict' && result.message,
    'Apply failed with 3 conflicts: conflicts with "m1":\n- .spec.color\n- .spec.size\nconflicts with "m2":\n- .spec.list',
  )
})

test('clearing the owners with an empty entry leaves none, and later updates do not bring them back', () => {
  const live = applied(undefined, { size: 1 })
  const next = { ...live, metadata: { name: 'w', managedFields: [{}] } }
  const cleared = trackUpdate({ live, next, manager: 'm', shape: widget, apiVersion: 'example.com/v1', now })
  assert.equal(owners(cleared), null)
  assert.equal(owners(put(cleared, { size: 9 })), null)
})
