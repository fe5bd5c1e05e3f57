import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Json } from '../json.ts'
import { fieldsOf, type MergeList, type MergeShape, stringShape } from '../shape.ts'
import { elementOf, renderPath } from './path-element.ts'

const item: MergeShape = {
  kind: 'map',
  atomic: false,
  rest: undefined,
  fields: fieldsOf([
    ['port', { shape: { kind: 'scalar', type: 'integer' } }],
    ['protocol', { shape: stringShape, default: 'TCP' }],
  ]),
}
const set: MergeList = { kind: 'list', how: 'set', keys: [], items: stringShape }
const one: MergeList = { kind: 'list', how: 'map', keys: ['port'], items: item }
const two: MergeList = { kind: 'list', how: 'map', keys: ['protocol', 'port'], items: item }
const loose: MergeList = { kind: 'list', how: 'map', keys: ['a', 'b'], items: { kind: 'untyped' } }

const omits = (keys: string): string =>
  `associative list with keys has an element that omits all key fields [${keys}] (and doesn't have default values for any key fields)`

const rows: readonly (readonly [list: MergeList, item: Json, element: string])[] = [
  [set, 'x', 'v:"x"'],
  [set, 1, 'v:1'],
  [set, true, 'v:true'],
  [set, null, "associative list without keys has an element that's an explicit null"],
  [set, {}, "associative list without keys has an element that's a map type"],
  [set, [], 'not supported: associative list with lists as elements'],
  [one, { port: 80, protocol: 'UDP' }, 'k:{"port":80}'],
  [one, {}, omits('"port"')],
  [one, null, 'associative list with keys may not have a null element'],
  [one, 'x', 'associative list with keys may not have non-map elements'],
  [one, [], 'associative list with keys may not have non-map elements'],
  [two, { port: 80 }, 'k:{"port":80,"protocol":"TCP"}'],
  [two, { port: 80, protocol: 'UDP' }, 'k:{"port":80,"protocol":"UDP"}'],
  [two, {}, 'k:{"protocol":"TCP"}'],
  [loose, { b: 1 }, 'k:{"b":1}'],
  [loose, {}, omits('"a" "b"')],
]

test('an item of a list goes by its value or by its keys, or has no name', () => {
  const named = (list: MergeList, value: Json): string => {
    const element = elementOf(list, value)
    return typeof element === 'string' ? element : element.problem
  }
  assert.deepEqual(
    rows.map(([list, value]) => named(list, value)),
    rows.map(([, , element]) => element),
  )
})

test('one item has a name for each list that it is asked of', () => {
  const shared = { port: 80 }
  assert.equal(elementOf(one, shared), 'k:{"port":80}')
  assert.equal(elementOf(two, shared), 'k:{"port":80,"protocol":"TCP"}')
  assert.equal(elementOf(two, shared), 'k:{"port":80,"protocol":"TCP"}')
})

test('a path reads as the server writes it', () => {
  assert.equal(
    renderPath(['f:spec', 'f:ports', 'k:{"port":80,"protocol":"TCP"}', 'f:name']),
    '.spec.ports[port=80,protocol="TCP"].name',
  )
  assert.equal(renderPath(['f:tags', 'v:"x"']), '.tags[="x"]')
  assert.equal(renderPath(['f:list', 'i:3']), '.list[3]')
  assert.equal(renderPath(['k:{"n":1000000.5}']), '[n=1.0000005e+06]')
  assert.equal(renderPath(['k:{"n":true}']), '[n=true]')
})
