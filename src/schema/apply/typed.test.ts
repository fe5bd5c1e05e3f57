import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Json } from '../json.ts'
import { fieldsOf, type MergeShape, stringShape, untyped } from '../shape.ts'
import { typeProblems } from './typed.ts'

const scalar = (type: 'integer' | 'number' | 'boolean' | 'any' | 'whole'): MergeShape => ({ kind: 'scalar', type })
const list = (how: 'atomic' | 'set' | 'map', items: MergeShape): MergeShape => ({
  kind: 'list',
  how,
  keys: how === 'map' ? ['n'] : [],
  items,
})
const item: MergeShape = { kind: 'map', atomic: false, rest: undefined, fields: fieldsOf([['n', { shape: stringShape }]]) }
const root: MergeShape = {
  kind: 'map',
  atomic: false,
  rest: undefined,
  fields: fieldsOf([
    ['text', { shape: stringShape }],
    ['int', { shape: scalar('integer') }],
    ['float', { shape: scalar('number') }],
    ['bool', { shape: scalar('boolean') }],
    ['any', { shape: scalar('any') }],
    ['whole', { shape: scalar('whole') }],
    ['open', { shape: untyped }],
    ['labels', { shape: { kind: 'map', atomic: false, rest: stringShape, fields: fieldsOf([]) } }],
    ['list', { shape: list('atomic', scalar('integer')) }],
    ['set', { shape: list('set', stringShape) }],
    ['map', { shape: list('map', item) }],
  ]),
}

const wrapped = (text: string): string => `&value.valueUnstructured{Value:${text}}`

const rows: readonly (readonly [value: Json, problems?: string])[] = [
  [
    {
      text: 'a',
      int: 1,
      float: 1.5,
      bool: false,
      any: 'x',
      open: { z: [1] },
      labels: { a: 'b' },
      list: [1],
      set: ['a'],
      map: [{ n: 'a' }],
    },
  ],
  [{ text: null, labels: null, list: null, map: null, int: 9007199254740993n }],
  [{ any: 1 }],
  [{ whole: { a: [1] } }],
  [{ whole: [1] }],
  [{ whole: 'x' }],
  [{ other: 1 }, '.other: field not declared in schema'],
  [{ text: 1 }, `.text: expected string, got ${wrapped('1')}`],
  [{ text: 1_000_000.5 }, `.text: expected string, got ${wrapped('1.0000005e+06')}`],
  [{ text: true }, `.text: expected string, got ${wrapped('true')}`],
  [{ text: { b: 1, a: 'x' } }, `.text: expected string, got ${wrapped('map[string]interface {}{"a":"x", "b":1}')}`],
  [{ text: [null, 'a'] }, `.text: expected string, got ${wrapped('[]interface {}{interface {}(nil), "a"}')}`],
  [{ int: 'x' }, '.int: expected numeric (int or float), got string'],
  [{ int: true }, '.int: expected numeric (int or float), got bool'],
  [{ float: [] }, '.float: expected numeric (int or float), got []interface {}'],
  [{ float: {} }, '.float: expected numeric (int or float), got map[string]interface {}'],
  [{ bool: 'x' }, '.bool: expected boolean, got &{x}'],
  [{ any: {} }, '.any: expected any scalar, got &{map[]}'],
  [{ any: [] }, '.any: expected any scalar, got &{[]}'],
  [{ labels: 'x' }, '.labels: expected map, got &{x}'],
  [{ labels: { a: 1 } }, `.labels.a: expected string, got ${wrapped('1')}`],
  [{ list: 'x' }, '.list: expected list, got &{x}'],
  [{ list: { a: 1 } }, '.list: expected list, got &{map[a:1]}'],
  [{ list: [1, 'x'] }, '.list[1]: expected numeric (int or float), got string'],
  [{ set: ['a', 'a'] }, '.set: duplicate entries for key [="a"]'],
  [{ set: [null] }, ".set: element 0: associative list without keys has an element that's an explicit null"],
  [
    { map: [{ n: 'a' }, {}] },
    '.map: element 1: associative list with keys has an element that omits all key fields ["n"] (and doesn\'t have default values for any key fields)',
  ],
  [{ map: [{ n: 'a', m: 1 }] }, '.map[n="a"].m: field not declared in schema'],
  [{ text: 1, other: 1 }, `errors:\n  .text: expected string, got ${wrapped('1')}\n  .other: field not declared in schema`],
  ['x', 'expected map, got &{x}'],
]

test('a value fits its shape, or the words of the server say why not', () => {
  assert.deepEqual(
    rows.map(([value]) => typeProblems(root, value)),
    rows.map(([, problems]) => problems),
  )
})

test('twenty problems are told, and what comes after them is not looked at', () => {
  const many = (count: number): string => typeProblems(root, { list: Array.from({ length: count }, () => 'x') }) ?? ''
  assert.equal(many(20).split('\n').length, 21)
  assert.equal(many(21).split('\n').length, 21)
})
