import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../json.ts'
import { itemKey, itemsByKey } from './keyed-items.ts'
import { readSchema } from './node.ts'
import { rootShape, shapeOfNode } from './node-shape.ts'

const text = { type: 'string' }
const scalar = (type: string): JsonObject => ({ kind: 'scalar', type })
const untyped = { kind: 'untyped' }
const open = { 'x-kubernetes-preserve-unknown-fields': true }
const map = (fields: JsonObject, more: JsonObject = {}): JsonObject => ({ kind: 'map', fields, atomic: false, ...more })

const rows: readonly (readonly [schema: JsonObject, shape: JsonObject])[] = [
  [text, scalar('string')],
  [{ ...text, format: 'byte' }, scalar('string')],
  [{ ...text, format: '' }, scalar('string')],
  [{ ...text, format: 'date-time' }, scalar('any')],
  [{ ...text, format: 'unheard' }, scalar('any')],
  [{ type: 'integer' }, scalar('integer')],
  [{ type: 'number' }, scalar('number')],
  [{ type: 'boolean' }, scalar('boolean')],
  [{ 'x-kubernetes-int-or-string': true }, untyped],
  [{}, untyped],
  [open, untyped],
  [{ type: 'array' }, { kind: 'list', how: 'atomic', keys: [], items: untyped }],
  [
    { type: 'array', items: text, 'x-kubernetes-list-type': 'set' },
    { kind: 'list', how: 'set', keys: [], items: scalar('string') },
  ],
  [
    { type: 'array', items: text, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['k'] },
    { kind: 'list', how: 'map', keys: ['k'], items: scalar('string') },
  ],
  [{ type: 'object' }, map({}, { rest: undefined as never })],
  [{ type: 'object', 'x-kubernetes-map-type': 'atomic' }, map({}, { rest: undefined as never, atomic: true })],
  [{ type: 'object', additionalProperties: text }, map({}, { rest: scalar('string') })],
  [{ type: 'object', additionalProperties: true }, map({}, { rest: untyped })],
  [{ type: 'object', additionalProperties: false }, map({}, { rest: undefined as never })],
  [{ type: 'object', ...open, properties: { a: text } }, map({ a: { shape: scalar('string') } }, { rest: untyped })],
  [{ properties: { a: text } }, map({ a: { shape: scalar('string') } }, { rest: undefined as never })],
  [
    { type: 'object', properties: { a: { type: 'string', default: 'x' }, b: text } },
    map({ a: { shape: scalar('string'), default: 'x' }, b: { shape: scalar('string') } }, { rest: undefined as never }),
  ],
]

test('how the values of a schema merge is told by its marks', () => {
  for (const [schema, shape] of rows) {
    const found = shapeOfNode(readSchema(schema))
    const plain = found.kind === 'map' ? { ...found, fields: { ...found.fields } } : found
    assert.deepEqual(plain, shape, JSON.stringify(schema))
  }
})

test('what an object is, and its metadata, have shapes of their own, at the root and in objects within', () => {
  const names = (shape: ReturnType<typeof rootShape>): readonly string[] =>
    shape.kind === 'map' ? Object.keys(shape.fields).toSorted() : [shape.kind]
  const schema = {
    type: 'object',
    properties: { metadata: text, spec: { type: 'object', 'x-kubernetes-embedded-resource': true, properties: { a: text } } },
  }
  const root = rootShape(readSchema(schema))
  assert.deepEqual(names(root), ['apiVersion', 'kind', 'metadata', 'spec'])
  assert.ok(root.kind === 'map' && root.fields['metadata']?.shape.kind === 'map')
  assert.deepEqual(root.kind === 'map' && root.fields['spec'] !== undefined ? names(root.fields['spec'].shape) : [], [
    'a',
    'apiVersion',
    'kind',
    'metadata',
  ])
  assert.deepEqual(names(rootShape(readSchema({}))), ['untyped'])
})

test('items of a keyed list are found by their keys', () => {
  const keyed = readSchema({
    type: 'array',
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['k'],
    items: { type: 'object', properties: { k: text } },
  })
  const [x, y] = [{ k: 'x' }, { k: 'y' }]
  assert.equal(itemKey(keyed, x), 'k:{"k":"x"}')
  assert.equal(itemKey(keyed, {}), '')
  assert.equal(itemKey(readSchema(text), 'x'), '')
  assert.deepEqual([...itemsByKey(keyed, [x, y]).values()], [x, y])
})

test('a schema is read to its five hundredth level', () => {
  const nested = (wrap: (below: JsonObject) => JsonObject, depth: number): JsonObject =>
    depth === 0 ? text : wrap(nested(wrap, depth - 1))
  const depthOf = (node: ReturnType<typeof readSchema>): number => {
    const [not] = [node.logic?.not ?? node.logic?.allOf[0] ?? node.logic?.anyOf[0] ?? node.logic?.oneOf[0]]
    const below = node.properties?.['a'] ?? node.additional ?? node.items ?? not
    return below === undefined ? (node.type === 'string' ? 0 : -1_000) : 1 + depthOf(below)
  }
  for (const wrap of [
    (below: JsonObject): JsonObject => ({ properties: { a: below } }),
    (below: JsonObject): JsonObject => ({ additionalProperties: below }),
    (below: JsonObject): JsonObject => ({ items: below }),
    (below: JsonObject): JsonObject => ({ not: below }),
    (below: JsonObject): JsonObject => ({ allOf: [below] }),
    (below: JsonObject): JsonObject => ({ anyOf: [below] }),
    (below: JsonObject): JsonObject => ({ oneOf: [below] }),
  ]) {
    assert.equal(depthOf(readSchema(nested(wrap, 499))), 499)
    assert.equal(depthOf(readSchema(nested(wrap, 500))), -500)
  }
})
