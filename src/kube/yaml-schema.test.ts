import assert from 'node:assert/strict'
import { test } from 'node:test'
import { load } from 'js-yaml'
import { exactYaml, kubernetesYaml } from './yaml-schema.ts'

const read = (text: string): unknown => load(text, { schema: kubernetesYaml })

/** As a kube-apiserver read them in the body of a request. */
const scalars: readonly (readonly [text: string, value: unknown])[] = [
  ...['y', 'Y', 'yes', 'Yes', 'YES', 'on', 'On', 'ON', 'true', 'True', 'TRUE'].map(text => [text, true] as const),
  ...['n', 'N', 'no', 'No', 'NO', 'off', 'Off', 'OFF', 'false', 'False', 'FALSE'].map(text => [text, false] as const),
  ...['yEs', 'tRUE', 'nUll', 'oN', "'yes'", '"no"'].map(text => [text, text.replaceAll(/['"]/g, '')] as const),
  ...['~', 'null', 'Null', 'NULL', ''].map(text => [text, null] as const),
  ['0', 0],
  ['+1', 1],
  ['-1', -1],
  ['0644', 420],
  ['-010', -8],
  ['0o17', 15],
  ['0O17', 15],
  ['08', 8],
  ['0o8', '0o8'],
  ['0x1F', 31],
  ['0X1f', 31],
  ['-0x1', -1],
  ['0xg', '0xg'],
  ['0x', '0x'],
  ['0b11', 3],
  ['-0b11', -3],
  ['0b2', '0b2'],
  ['1_000', 1000],
  ['1__0', 10],
  ['1_', 1],
  ['0_7', 7],
  ['_1', '_1'],
  ['1_0.5', 10.5],
  ['._1', '._1'],
  ['1.', 1],
  ['.5', 0.5],
  ['+.5', 0.5],
  ['1e3', 1000],
  ['1.5e-3', 0.0015],
  ['1e400', '1e400'],
  ['1e', '1e'],
  ['1.2.3', '1.2.3'],
  ['1:20', '1:20'],
  ['2001-01-01', '2001-01-01'],
  ['.inf', Number.POSITIVE_INFINITY],
  ['-.INF', Number.NEGATIVE_INFINITY],
  ['.NaN', Number.NaN],
  ['inf', 'inf'],
  ['123456789012345678901234567890', 1.2345678901234568e29],
  ['!!str 1', '1'],
  ['!!int "1"', 1],
  ['!!bool "yes"', true],
  ['!!float 1.5', 1.5],
  ['!!null ""', null],
  ['!!binary aGk=', 'hi'],
  ['!!timestamp 2001-01-01', '2001-01-01'],
  ['!foo 1', '1'],
  ['!foo [1]', [1]],
  ['!foo {a: 1}', { a: 1 }],
  ['!!set {a, b}', { a: null, b: null }],
  ['!!omap [a: 1]', [{ a: 1 }]],
  ['<<', '<<'],
]

for (const [text, value] of scalars)
  test(`${JSON.stringify(text)} is ${JSON.stringify(value)} where a value stands`, () => {
    assert.deepEqual(read(`v: ${text}\n`), { v: value })
    assert.deepEqual(read(`- ${text}\n`), [value])
  })

const keys: readonly (readonly [text: string, key: string])[] = [
  ['yes', 'true'],
  ['off', 'false'],
  ['010', '8'],
  ['1_000', '1000'],
  ['1.5', '1.5'],
  ['.inf', '.inf'],
  ['-.inf', '-.inf'],
  ['.nan', '.nan'],
  ['-0.0', '-0'],
  ['0.0000001', '1e-07'],
  ['0.1', '0.1'],
  ['100000000000000000000.0', '1e+20'],
  ['18446744073709551616', '1.8446744e+19'],
  ['"yes"', 'yes'],
  ['__proto__', '__proto__'],
]

for (const [text, key] of keys)
  test(`a key that is written ${text} is ${key}`, () => {
    assert.deepEqual(Object.keys(read(`${text}: x\n`) as object), [key])
  })

test('what is no key is refused', () => {
  assert.throws(() => read('{null: a}'), /a map has a key that is null/)
  assert.throws(() => read('{[a]: b}'), /a map has a key that is a map or a list/)
  assert.throws(() => read('? {a: b}\n: c\n'), /a map has a key that is a map or a list/)
  assert.throws(() => read('{yes: a, true: b}'), /duplicated mapping key/)
})

test('a map is joined to another, whose own keys stay', () => {
  assert.deepEqual(read('{<<: {a: 1, b: 2}, b: 3}'), { a: 1, b: 3 })
  assert.deepEqual(read('{<<: [{a: b}, {a: c, d: e}]}'), { a: 'b', d: 'e' })
  assert.deepEqual(read('base: &b {a: 1}\nmine:\n  <<: *b\n  c: 2\n'), { base: { a: 1 }, mine: { a: 1, c: 2 } })
})

test('a number that no double holds is exact where that is wanted', () => {
  const exact = (text: string): unknown => load(text, { schema: exactYaml })
  assert.equal(exact('9223372036854775807'), 9223372036854775807n)
  assert.equal(exact('-9223372036854775808'), -(2n ** 63n))
  assert.equal(exact('9007199254740991'), 9007199254740991)
  assert.equal(exact('9223372036854775808'), 2 ** 63)
  assert.deepEqual(exact('9223372036854775807: x'), { '9223372036854775807': 'x' })
  assert.equal(read('9223372036854775807'), 2 ** 63)
})
