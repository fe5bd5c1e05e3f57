import assert from 'node:assert/strict'
import { test } from 'node:test'
import { celCompare, celEqual, compareNumbers, sameKeys } from './equality.ts'
import { dynType } from './types.ts'
import {
  CelBytes,
  CelDuration,
  CelList,
  type CelObject,
  CelOpaque,
  CelOptional,
  CelTimestamp,
  CelTypeValue,
  CelUint,
  type CelValue,
  LiteralMap,
} from './values.ts'

function object(fields: Readonly<Record<string, CelValue>>): CelObject {
  return { kind: 'object', type: dynType, field: name => fields[name], fieldNames: () => Object.keys(fields) }
}

function map(entries: readonly (readonly [CelValue, CelValue])[]): LiteralMap {
  const made = new LiteralMap()
  for (const [key, value] of entries) made.add(key, value)
  return made
}

const bytes = (...values: number[]): CelBytes => new CelBytes(Uint8Array.from(values))
const list = (...items: CelValue[]): CelList => new CelList(items)
const set = (...items: CelValue[]): CelList => new CelList(items, 'set')
const keyed = (...items: CelValue[]): CelList => new CelList(items, 'map', ['k', 'l'])
const opaque = (type: string, content: number): CelOpaque => new CelOpaque(type, content, other => other.content === content)
const one = object({ k: 1n, v: 1n })

const equal: readonly (readonly [a: CelValue, b: CelValue])[] = [
  [null, null],
  ['a', 'a'],
  [true, true],
  [1n, 1],
  [1n, new CelUint(1n)],
  [1, new CelUint(1n)],
  [list(1n, 'a'), list(1, 'a')],
  [list(), list()],
  [set(1n, 2n), list(2n, 1n)],
  [keyed(one, object({ k: 2n })), list(object({ k: 2n }), one)],
  [
    map([
      ['a', 1n],
      ['b', 2n],
    ]),
    map([
      ['b', 2n],
      ['a', 1n],
    ]),
  ],
  [map([[1n, 'a']]), map([[new CelUint(1n), 'a']])],
  [object({ a: 1n, b: 2n }), object({ b: 2n, a: 1n })],
  [bytes(1, 2), bytes(1, 2)],
  [new CelDuration(1n), new CelDuration(1n)],
  [new CelTimestamp(1n), new CelTimestamp(1n)],
  [new CelTypeValue('int'), new CelTypeValue('int')],
  [new CelOptional(1n), new CelOptional(1n)],
  [new CelOptional(list(1n)), new CelOptional(list(1n))],
  [new CelOptional(undefined), new CelOptional(undefined)],
  [opaque('a', 1), opaque('a', 1)],
]

const unequal: readonly (readonly [a: CelValue, b: CelValue])[] = [
  ['a', 'b'],
  ['1', 1n],
  [true, false],
  [true, 1n],
  [null, 0n],
  [null, list()],
  [1n, 2n],
  [1n, list(1n)],
  [Number.NaN, Number.NaN],
  [list(1n, 2n), list(2n, 1n)],
  [list(1n, 2n), list(1n, 3n)],
  [list(1n), list(1n, 1n)],
  [list(1n), set(2n)],
  [set(1n, 2n), set(1n, 3n)],
  [keyed(one), keyed(object({ k: 1n, v: 2n }))],
  [keyed(one, object({ k: 2n })), keyed(one, object({ k: 3n }))],
  [list(), map([])],
  [map([['a', 1n]]), map([['a', 2n]])],
  [map([['a', 1n]]), map([['b', 1n]])],
  [
    map([
      ['a', 1n],
      ['b', 2n],
    ]),
    map([
      ['a', 1n],
      ['b', 3n],
    ]),
  ],
  [map([]), map([['a', 1n]])],
  [map([]), object({})],
  [object({}), map([])],
  [object({ a: 1n }), object({ a: 2n })],
  [object({ a: 1n }), object({ b: 1n })],
  [object({ a: 1n }), object({ a: 1n, b: 2n })],
  [object({ a: 1n, b: 2n }), object({ a: 1n, b: 3n })],
  [object({ a: 1n }), list()],
  [bytes(1, 2), bytes(1, 3)],
  [bytes(1), new CelDuration(1n)],
  [new CelDuration(1n), new CelDuration(2n)],
  [new CelDuration(1n), new CelTimestamp(1n)],
  [new CelTimestamp(1n), new CelTimestamp(2n)],
  [new CelTypeValue('int'), new CelTypeValue('uint')],
  [new CelTypeValue('int'), bytes()],
  [new CelOptional(1n), new CelOptional(2n)],
  [new CelOptional(1n), new CelOptional(undefined)],
  [new CelOptional(1n), opaque('a', 1)],
  [opaque('a', 1), opaque('b', 1)],
  [opaque('a', 1), opaque('a', 2)],
  [opaque('a', 1), bytes()],
]

test('values are equal by what they are, whoever stands left', () => {
  for (const [a, b] of equal) assert.ok(celEqual(a, b))
  for (const [a, b] of equal.filter(([left]) => !(left instanceof CelList))) assert.ok(celEqual(b, a))
  for (const [index, [a, b]] of unequal.entries()) {
    assert.ok(!celEqual(a, b), `${index}`)
    assert.ok(!celEqual(b, a), `${index} the other way round`)
  }
})

test('the list that stands left says how two lists are compared', () => {
  assert.ok(celEqual(set(1n, 2n), list(2n, 1n)) && !celEqual(list(2n, 1n), set(1n, 2n)))
})

test('items of a keyed list have the same keys where all of them are equal, or missing in both', () => {
  const same = (a: CelValue, b: CelValue): boolean => sameKeys(keyed(), a, b)
  assert.ok(same(object({ k: 1n }), object({ k: 1n, v: 2n })))
  assert.ok(same(object({ k: 1n, l: 2n }), object({ k: 1, l: 2 })))
  assert.ok(!same(object({ k: 1n, l: 2n }), object({ k: 1n })))
  assert.ok(!same(object({ k: 1n }), object({ k: 1n, l: 2n })))
  assert.ok(!same(object({ k: 1n, l: 2n }), object({ k: 1n, l: 3n })))
  assert.ok(!same(object({ k: 1n, l: 2n }), object({ k: 2n, l: 2n })))
  assert.ok(!same(object({ k: 1n }), 1n) && !same(1n, object({ k: 1n })) && !same(1n, 1n))
})

const ordered: readonly (readonly [less: CelValue, more: CelValue])[] = [
  [1n, 2n],
  [1, new CelUint(2n)],
  [1n, 1.5],
  ['a', 'b'],
  ['a', 'aa'],
  ['\uffff', '\u{10000}'],
  ['z', '\u{10000}'],
  ['\ud7ff', '\ue000'],
  [false, true],
  [bytes(1), bytes(2)],
  [new CelDuration(-1n), new CelDuration(1n)],
  [new CelTimestamp(1n), new CelTimestamp(2n)],
]

test('values of one kind have an order, and those of two kinds have none', () => {
  for (const [less, more] of ordered) {
    assert.deepEqual(
      [celCompare(less, more), celCompare(more, less), celCompare(less, less), celCompare(more, more)],
      [-1, 1, 0, 0],
    )
  }
  const kinds: readonly CelValue[] = [
    1n,
    'a',
    true,
    bytes(1),
    new CelDuration(1n),
    new CelTimestamp(1n),
    null,
    list(),
    map([]),
    object({}),
  ]
  for (const [index, a] of kinds.entries())
    for (const b of kinds.slice(index + 1)) assert.deepEqual([celCompare(a, b), celCompare(b, a)], [undefined, undefined])
  assert.equal(celCompare(null, null), undefined)
  assert.equal(compareNumbers(Number.NaN, 1n), undefined)
  assert.equal(compareNumbers(9007199254740993n, 9007199254740992), 0)
  assert.equal(compareNumbers(9007199254740993n, 9007199254740992n), 1)
})
