import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Json, JsonObject } from '../json.ts'
import { compare, UnnamedItem } from './compare.ts'
import { renderFieldsV1 } from './fields-v1.ts'
import { everyWay } from './shapes.fixture.ts'

const shape = everyWay({ kind: 'scalar', type: 'integer' })

const [x, y] = ['k:{"n":"x"}', 'k:{"n":"y"}']
const [vA, vB] = ['v:"a"', 'v:"b"']

interface Difference {
  readonly added?: JsonObject
  readonly modified?: JsonObject
  readonly removed?: JsonObject
}

const rows: readonly (readonly [field: string, before: Json | undefined, after: Json | undefined, difference: Difference])[] = [
  ['a', 1, 1n, {}],
  ['a', undefined, 1, { added: {} }],
  ['a', 1, undefined, { removed: {} }],
  ['a', 1, 2, { modified: {} }],
  ['a', null, 1, { modified: {} }],
  ['map', {}, {}, {}],
  ['map', undefined, {}, { added: {} }],
  ['map', {}, undefined, { removed: {} }],
  ['map', null, {}, { modified: {} }],
  ['map', { x: '1' }, { x: '1' }, {}],
  ['map', { x: '1' }, {}, { removed: { 'f:x': {} } }],
  ['map', {}, { x: '1', y: '2' }, { added: { 'f:x': {}, 'f:y': {} } }],
  ['map', undefined, { x: '1' }, { added: { '.': {}, 'f:x': {} } }],
  ['map', { x: '1', y: '2' }, undefined, { removed: { '.': {}, 'f:x': {}, 'f:y': {} } }],
  [
    'map',
    { x: '1', y: '1', z: '1' },
    { x: '2', z: '2', w: '1' },
    { added: { 'f:w': {} }, modified: { 'f:x': {}, 'f:z': {} }, removed: { 'f:y': {} } },
  ],
  ['whole', { x: '1' }, { x: '1' }, {}],
  ['whole', { x: '1' }, { x: '2' }, { modified: {} }],
  ['whole', undefined, { x: '2' }, { added: {} }],
  ['list', ['a'], ['a'], {}],
  ['list', ['a'], ['b'], { modified: {} }],
  ['list', [], [], {}],
  ['list', undefined, [], { added: {} }],
  ['list', ['a'], undefined, { removed: {} }],
  ['set', [], [], {}],
  ['set', undefined, [], { added: {} }],
  ['set', ['a'], ['b'], { added: { [vB]: {} }, removed: { [vA]: {} } }],
  ['set', [], ['a'], { added: { [vA]: {} } }],
  ['set', ['a'], [], { removed: { [vA]: {} } }],
  ['set', undefined, ['a'], { added: { '.': {}, [vA]: {} } }],
  ['set', ['a', 'b'], undefined, { removed: { '.': {}, [vA]: {}, [vB]: {} } }],
  ['set', ['a', 'b'], ['b', 'a'], {}],
  ['set', ['a', 'a'], ['a'], { modified: { [vA]: {} } }],
  ['set', ['a'], ['a', 'a'], { modified: { [vA]: {} } }],
  ['set', [], ['a', 'a'], { added: { [vA]: {} } }],
  ['set', ['a', 'a'], [], { removed: { [vA]: {} } }],
  ['keyed', [{ n: 'x', v: '1' }], [{ n: 'x', v: '2' }], { modified: { [x]: { 'f:v': {} } } }],
  ['keyed', [{ n: 'x' }], [{ n: 'y' }, { n: 'x' }], { added: { [y]: { '.': {}, 'f:n': {} } } }],
  ['keyed', [{ n: 'x' }, { n: 'y' }], [{ n: 'y' }], { removed: { [x]: { '.': {}, 'f:n': {} } } }],
  [
    'keyed',
    [
      { n: 'x', v: '1' },
      { n: 'x', v: '2' },
    ],
    [
      { n: 'x', v: '1' },
      { n: 'x', v: '2' },
    ],
    {},
  ],
  [
    'keyed',
    [{ n: 'x', v: '1' }],
    [
      { n: 'x', v: '1' },
      { n: 'x', v: '2' },
    ],
    { modified: { [x]: {} } },
  ],
  ['keyed', [{ v: '1' }], [{ n: 'x' }], { added: { [x]: { '.': {}, 'f:n': {} } } }],
  ['keyed', [{ v: '1' }], undefined, { removed: {} }],
  ['open', { x: { y: 1 } }, { x: { y: 2 } }, { modified: { 'f:x': { 'f:y': {} } } }],
  ['open', { x: 1 }, 'text', { modified: {} }],
  ['open', 'text', { x: 1 }, { modified: {} }],
  ['open', null, { x: 1 }, { added: { 'f:x': {} } }],
  ['open', { x: 1 }, null, { removed: { 'f:x': {} } }],
  ['open', undefined, { x: 1 }, { added: { '.': {}, 'f:x': {} } }],
  ['open', { x: 1 }, undefined, { removed: { '.': {}, 'f:x': {} } }],
  ['open', [1], [1, 2], { modified: {} }],
  ['open', 'text', undefined, { removed: {} }],
  ['open', undefined, 'text', { added: {} }],
]

for (const [field, before, after, { added, modified, removed }] of rows)
  test(`from ${JSON.stringify(before) ?? 'nothing'} to ${typeof after === 'bigint' ? after : (JSON.stringify(after) ?? 'nothing')} in ${field} changes what changes`, () => {
    const object = (value: Json | undefined): JsonObject => (value === undefined ? {} : { [field]: value })
    const found = compare(shape, { ...object(before), z: 1 } as JsonObject, { ...object(after), z: 1 } as JsonObject)
    const at = (set: JsonObject | undefined): JsonObject => (set === undefined ? {} : { [`f:${field}`]: set })
    assert.deepEqual(
      { added: renderFieldsV1(found.added), modified: renderFieldsV1(found.modified), removed: renderFieldsV1(found.removed) },
      { added: at(added), modified: at(modified), removed: at(removed) },
    )
  })

test('what is new at all is new at every level', () => {
  const found = compare(shape, undefined, { a: 1 })
  assert.deepEqual([found.added.member, renderFieldsV1(found.added)], [true, { '.': {}, 'f:a': {} }])
})

test('a new item of a keyed list must have its key', () => {
  assert.throws(() => compare(shape, { keyed: [] }, { keyed: [{ v: '1' }] }), UnnamedItem)
  assert.throws(() => compare(shape, {}, { keyed: [{ n: 'x' }, {}] }), UnnamedItem)
})
