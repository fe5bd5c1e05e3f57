import assert from 'node:assert/strict'
import { test } from 'node:test'
import { jsonNameOf, parseGoType } from './go-type.ts'

const string = { kind: 'string' } as const
for (const [notation, type] of [
  ['string', string],
  [' *string ', string],
  ['[]*string', { kind: 'list', element: string }],
  ['[][]int64', { kind: 'list', element: { kind: 'list', element: { kind: 'integer' } } }],
  ['[]bool', { kind: 'list', element: { kind: 'boolean' } }],
  ['[]byte', { kind: 'blob' }],
  ['[][]byte', { kind: 'list', element: { kind: 'blob' } }],
  ['map[string]*float64', { kind: 'map', value: { kind: 'number' } }],
  ['map[string][]time.Time', { kind: 'map', value: { kind: 'list', element: { kind: 'timestamp' } } }],
  ['map[string]Thing', undefined],
  ['map[int]string', undefined],
  ['[]Thing', undefined],
  ['toString', undefined],
  ['', undefined],
] as const)
  test(`the type ${JSON.stringify(notation)} is ${JSON.stringify(type)}`, () => assert.deepEqual(parseGoType(notation), type))

test('a tag names its field with options and without, or names none', () => {
  assert.deepEqual(['json:"a,omitempty"', 'yaml:"b" json:"c"', 'json:",omitempty"', 'yaml:"b"'].map(jsonNameOf), [
    'a',
    'c',
    undefined,
    undefined,
  ])
})
