import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Json, JsonObject } from '../json.ts'
import { stringShape } from '../shape.ts'
import type { FieldSet } from './field-set.ts'
import { parseFieldsV1, renderFieldsV1 } from './fields-v1.ts'
import { merge } from './merge.ts'
import { removePaths, withDeclaredParents } from './remove.ts'
import { setOf } from './set-of.ts'
import { everyWay } from './shapes.fixture.ts'

const shape = everyWay(stringShape)

const [x, y, z] = [{ n: 'x', v: '1' }, { n: 'y' }, { n: 'z' }]

const merges: readonly (readonly [field: string, live: Json | undefined, applied: Json, merged: Json])[] = [
  ['a', undefined, '1', '1'],
  ['a', '1', '2', '2'],
  ['a', '1', null, null],
  ['map', { x: '1', y: '2' }, { y: '3', z: '4' }, { x: '1', y: '3', z: '4' }],
  ['map', { x: '1' }, null, { x: '1' }],
  ['map', {}, null, null],
  ['map', null, null, null],
  ['map', null, { x: '1' }, { x: '1' }],
  ['map', { x: '1' }, 'text', 'text'],
  ['whole', { x: '1' }, { y: '2' }, { y: '2' }],
  ['whole', { x: '1' }, null, null],
  ['list', ['a'], ['b'], ['b']],
  ['list', ['a'], null, null],
  ['set', ['a', 'b'], ['c'], ['a', 'b', 'c']],
  ['set', ['a', 'b'], ['b', 'a'], ['b', 'a']],
  ['set', ['a'], null, ['a']],
  ['set', [], null, null],
  ['set', null, ['a'], ['a']],
  ['set', ['a', 'a'], ['b'], ['a', 'a', 'b']],
  ['set', ['a'], [], ['a']],
  ['set', [], ['a'], ['a']],
  ['keyed', [x, y], [{ n: 'x', v: '2' }], [{ n: 'x', v: '2' }, y]],
  ['keyed', [x, y, z], [z, x], [y, z, x]],
  ['keyed', [x, y], [y, z], [x, y, z]],
  ['keyed', [x, z], [y, z], [x, y, z]],
  ['keyed', [x, y], [z], [x, y, z]],
  ['keyed', [y], [x, y], [x, y]],
  ['keyed', [x, y, z], [y], [x, y, z]],
  [
    'keyed',
    [
      { n: 'x', v: '1' },
      { n: 'x', v: '2' },
    ],
    [y],
    [{ n: 'x', v: '1' }, { n: 'x', v: '2' }, y],
  ],
  [
    'keyed',
    [
      { n: 'x', v: '1' },
      { n: 'x', v: '2' },
    ],
    [{ n: 'x', v: '3' }],
    [{ n: 'x', v: '3' }],
  ],
  ['open', { x: { y: 1 } }, { x: { z: 2 } }, { x: { y: 1, z: 2 } }],
  ['open', { x: [1] }, { x: [2] }, { x: [2] }],
  ['open', 'text', { x: 1 }, { x: 1 }],
  ['open', { x: 1 }, 'text', 'text'],
  ['open', { x: 1 }, null, { x: 1 }],
  ['open', {}, null, null],
  ['open', [1], null, null],
  ['open', 'text', null, null],
]

for (const [field, live, applied, merged] of merges)
  test(`${JSON.stringify(applied)} applied over ${JSON.stringify(live) ?? 'nothing'} in ${field} is ${JSON.stringify(merged)}`, () => {
    const there = (value: Json | undefined): JsonObject => (value === undefined ? { o: 1 } : { o: 1, [field]: value })
    assert.deepEqual(merge(shape, there(live), { [field]: applied }), { o: 1, [field]: merged })
  })

test('what is applied and there already leaves an object as it is', () => {
  const live = { a: '1', map: { x: '1' }, open: { x: 1 } }
  assert.equal(merge(shape, live, { a: '1', map: { x: '1' } }), live)
})

function set(fields: JsonObject): FieldSet {
  return parseFieldsV1(fields) as FieldSet
}

const keyX = 'k:{"n":"x"}'
const removals: readonly (readonly [value: JsonObject, paths: JsonObject, left: Json])[] = [
  [{ a: '1', map: { x: '1' } }, { 'f:a': {} }, { map: { x: '1' } }],
  [{ a: '1' }, { 'f:a': {} }, null],
  [{ a: '1' }, { 'f:b': {} }, { a: '1' }],
  [{ a: '1' }, { 'v:"a"': {} }, { a: '1' }],
  [{ a: '1', map: { x: '1', y: '2' } }, { 'f:map': { 'f:x': {} } }, { a: '1', map: { y: '2' } }],
  [{ a: '1', map: { x: '1' } }, { 'f:map': { 'f:x': {} } }, { a: '1', map: null }],
  [{ whole: { x: '1' } }, { 'f:whole': { 'f:x': {} } }, { whole: { x: '1' } }],
  [{ list: ['a'] }, { 'f:list': { 'v:"a"': {} } }, { list: ['a'] }],
  [{ set: ['a', 'b'] }, { 'f:set': { 'v:"a"': {} } }, { set: ['b'] }],
  [{ set: ['a'] }, { 'f:set': { 'v:"a"': {} } }, { set: null }],
  [{ keyed: [x, y] }, { 'f:keyed': { [keyX]: {} } }, { keyed: [y] }],
  [{ keyed: [x, y] }, { 'f:keyed': { [keyX]: { 'f:v': {} } } }, { keyed: [{ n: 'x' }, y] }],
  [{ keyed: [{ v: '1' }, x] }, { 'f:keyed': { [keyX]: {} } }, { keyed: [{ v: '1' }] }],
  [{ keyed: 'text' }, { 'f:keyed': { [keyX]: {} } }, { keyed: 'text' }],
  [{ open: { x: { y: 1, z: 2 } } }, { 'f:open': { 'f:x': { 'f:y': {} } } }, { open: { x: { z: 2 } } }],
  [{ open: [1] }, { 'f:open': { 'i:0': {} } }, { open: [1] }],
  [{ a: 'text' }, { 'f:a': { 'f:x': {} } }, { a: 'text' }],
]

test('paths are taken out of a value, and what loses all it had is null', () => {
  for (const [value, paths, left] of removals)
    assert.deepEqual(removePaths(shape, value, set(paths)), left, JSON.stringify([value, paths]))
  const same = { a: '1', open: { x: 1 } }
  assert.equal(removePaths(shape, same, set({ 'f:b': {} })), same)
  assert.equal(removePaths(shape, same, set({})), same)
})

const parents: readonly (readonly [paths: JsonObject, withParents: JsonObject])[] = [
  [{ 'f:map': { 'f:x': {} } }, { 'f:map': { '.': {}, 'f:x': {} } }],
  [{ 'f:keyed': { [keyX]: { 'f:v': {} } } }, { 'f:keyed': { '.': {}, [keyX]: { 'f:v': {} } } }],
  [{ 'f:open': { 'f:x': { 'f:y': {} } } }, { 'f:open': { '.': {}, 'f:x': { 'f:y': {} } } }],
  [{ 'f:odd': { 'f:x': {} } }, { 'f:odd': { 'f:x': {} } }],
  [{ 'f:a': {} }, { 'f:a': {} }],
  [{}, {}],
]

test('declared fields on the way to a path are paths of their own', () => {
  for (const [paths, withParents] of parents)
    assert.deepEqual(renderFieldsV1(withDeclaredParents(shape, set(paths))), withParents)
})

const owned: readonly (readonly [value: JsonObject, fields: JsonObject])[] = [
  [{}, {}],
  [
    { a: '1', z: 1 },
    { 'f:a': {}, 'f:z': {} },
  ],
  [{ a: null }, { 'f:a': {} }],
  [{ map: {} }, { 'f:map': {} }],
  [{ map: null }, { 'f:map': {} }],
  [{ map: { x: '1' } }, { 'f:map': { 'f:x': {} } }],
  [{ whole: { x: '1' } }, { 'f:whole': {} }],
  [{ list: [] }, { 'f:list': {} }],
  [{ set: [] }, {}],
  [{ set: null }, { 'f:set': {} }],
  [{ set: ['a'] }, { 'f:set': { 'v:"a"': {} } }],
  [{ set: 'text' }, { 'f:set': {} }],
  [{ map: 'text' }, { 'f:map': {} }],
  [{ keyed: [x, y] }, { 'f:keyed': { [keyX]: { '.': {}, 'f:n': {}, 'f:v': {} }, 'k:{"n":"y"}': { '.': {}, 'f:n': {} } } }],
  [{ keyed: [x, { n: 'x' }] }, { 'f:keyed': { [keyX]: {} } }],
  [{ keyed: [{ v: '1' }] }, {}],
  [{ open: { x: { y: 1 }, z: [1] } }, { 'f:open': { 'f:x': { '.': {}, 'f:y': {} }, 'f:z': {} } }],
  [{ open: 'text' }, { 'f:open': {} }],
]

test('who applies a value owns its leaves, its whole parts, and the keys of what is open', () => {
  for (const [value, fields] of owned) assert.deepEqual(renderFieldsV1(setOf(shape, value)), fields, JSON.stringify(value))
})
