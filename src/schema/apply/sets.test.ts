import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Json, JsonObject } from '../json.ts'
import {
  difference,
  eachPath,
  type FieldSet,
  intersection,
  isEmptySet,
  isSubset,
  leafSet,
  node,
  setsEqual,
  union,
  withoutBranches,
} from './field-set.ts'
import { parseFieldsV1, renderFieldsV1 } from './fields-v1.ts'

function setOf(fields: JsonObject): FieldSet {
  const set = parseFieldsV1(fields)
  assert.ok(set !== undefined, JSON.stringify(fields))
  return set
}

const [a, b] = [{ 'f:a': {} }, { 'f:b': {} }]
const both = { ...a, ...b }
const deep = { 'f:a': { 'f:x': {} } }
const whole = { 'f:a': { '.': {}, 'f:x': {} } }

const rows: readonly (readonly [
  left: JsonObject,
  right: JsonObject,
  all: JsonObject,
  onlyLeft: JsonObject,
  shared: JsonObject,
])[] = [
  [{}, {}, {}, {}, {}],
  [a, {}, a, a, {}],
  [{}, a, a, {}, {}],
  [a, a, a, {}, a],
  [a, b, both, a, {}],
  [both, a, both, b, a],
  [a, both, both, {}, a],
  [a, deep, whole, a, {}],
  [deep, a, whole, deep, {}],
  [whole, a, whole, deep, a],
  [whole, deep, whole, a, deep],
  [deep, whole, whole, {}, deep],
  [a, whole, whole, {}, a],
  [{ 'f:a': { 'f:x': {}, 'f:y': {} } }, deep, { 'f:a': { 'f:x': {}, 'f:y': {} } }, { 'f:a': { 'f:y': {} } }, deep],
  [{ ...deep, ...b }, { ...whole, 'f:c': {} }, { ...whole, ...b, 'f:c': {} }, b, deep],
]

test('sets are joined, taken from each other and cut with each other path by path', () => {
  for (const [left, right, all, onlyLeft, shared] of rows) {
    const [one, other] = [setOf(left), setOf(right)]
    const said = `${JSON.stringify(left)} and ${JSON.stringify(right)}`
    assert.deepEqual(renderFieldsV1(union(one, other)), all, said)
    assert.deepEqual(renderFieldsV1(difference(one, other)), onlyLeft, said)
    assert.deepEqual(renderFieldsV1(intersection(one, other)), shared, said)
    assert.equal(isSubset(one, other), Object.keys(onlyLeft).length === 0, said)
    assert.equal(setsEqual(one, other), JSON.stringify(left) === JSON.stringify(right), said)
  }
})

test('a set that does not change by an operation is the very same set', () => {
  const [one, more] = [setOf(both), setOf(a)]
  assert.equal(union(one, setOf({})), one)
  assert.equal(union(setOf({}), one), one)
  assert.equal(union(one, one), one)
  assert.equal(difference(one, setOf({})), one)
  assert.equal(union(leafSet, leafSet), leafSet)
  assert.ok(setsEqual(union(more, one), one))
})

test('the member at the root counts too', () => {
  const rooted = node(true, new Map([['f:a', leafSet]]))
  const bare = node(false, new Map([['f:a', leafSet]]))
  assert.ok(union(bare, leafSet).member && union(leafSet, bare).member && union(rooted, leafSet).member)
  assert.equal(union(rooted, leafSet), rooted)
  assert.equal(union(leafSet, rooted), rooted)
  assert.ok(setsEqual(difference(rooted, leafSet), bare))
  assert.ok(setsEqual(intersection(rooted, leafSet), leafSet))
  assert.ok(isEmptySet(intersection(bare, leafSet)))
  assert.ok(!isSubset(rooted, bare) && isSubset(bare, rooted))
  assert.ok(!setsEqual(rooted, bare) && !isEmptySet(bare) && !isEmptySet(leafSet))
  assert.ok(isEmptySet(difference(leafSet, leafSet)))
})

test('branches go with all that is below them, and what they leave empty goes too', () => {
  const set = setOf({ 'f:spec': { 'f:a': { '.': {}, 'f:x': {} }, 'f:b': {} }, 'f:status': { '.': {}, 'f:c': {} } })
  const without = (...paths: string[][]): Json => renderFieldsV1(withoutBranches(set, paths))
  assert.deepEqual(without(['status']), { 'f:spec': { 'f:a': { '.': {}, 'f:x': {} }, 'f:b': {} } })
  assert.deepEqual(without(['spec', 'a'], ['status']), { 'f:spec': { 'f:b': {} } })
  assert.deepEqual(without(['spec', 'a'], ['spec', 'b']), { 'f:status': { '.': {}, 'f:c': {} } })
  assert.deepEqual(without(['status', 'c']), { 'f:spec': { 'f:a': { '.': {}, 'f:x': {} }, 'f:b': {} }, 'f:status': {} })
  assert.equal(withoutBranches(set, [['other']]), set)
  assert.ok(
    setsEqual(
      withoutBranches(set, [
        ['spec', 'z', 'y'],
        ['spec', 'b', 'y'],
      ]),
      set,
    ),
  )
})

test('the paths of a level come before those below them', () => {
  const paths: string[] = []
  eachPath(setOf({ 'f:b': { '.': {}, 'f:x': {} }, 'f:a': { 'k:{"n":1}': { '.': {}, 'f:y': {} } } }), path =>
    paths.push(path.join(' ')),
  )
  assert.deepEqual(paths, ['f:b', 'f:a k:{"n":1}', 'f:a k:{"n":1} f:y', 'f:b f:x'])
})

const malformed: readonly Json[] = [
  null,
  [],
  'f:a',
  { a: {} },
  { 'x:a': {} },
  { 'f:a': null },
  { 'f:a': [] },
  { 'f:a': { b: {} } },
  { 'k:{': {} },
  { 'v:x': {} },
  { 'i:': {} },
  { '': {} },
]

test('what is no set of fields is none, at whatever depth', () => {
  assert.deepEqual(
    malformed.map(fields => parseFieldsV1(fields)),
    malformed.map(() => undefined),
  )
  assert.deepEqual(parseFieldsV1(undefined), undefined)
  const nested = (depth: number): JsonObject => (depth === 0 ? {} : { 'f:a': nested(depth - 1) })
  assert.ok(parseFieldsV1(nested(200)) !== undefined)
  assert.equal(parseFieldsV1(nested(201)), undefined)
})

test('a set reads back from what it prints', () => {
  for (const fields of [
    {},
    { '.': {}, 'f:a': {} },
    { 'f:': {} },
    { 'k:{"a":1,"b":"c"}': { '.': {}, 'f:a': {} } },
    { 'v:"x"': {}, 'v:1': {}, 'i:0': { 'f:a': {} } },
  ])
    assert.deepEqual(renderFieldsV1(setOf(fields)), fields)
})
