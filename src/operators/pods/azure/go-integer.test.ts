import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseGoInteger } from './go-integer.ts'

for (const [text, bits, value] of [
  ['0', 32, 0n],
  ['+7', 32, 7n],
  ['-0008', 32, -8n],
  ['2147483647', 32, 2_147_483_647n],
  ['-2147483648', 32, -2_147_483_648n],
  ['00000000000000000000000000000001', 64, 1n],
  ['9223372036854775807', 64, 9_223_372_036_854_775_807n],
  ['-9223372036854775808', 64, -9_223_372_036_854_775_808n],
] as const)
  test(`${text} is the number ${value} of ${bits} bits`, () => assert.deepEqual(parseGoInteger(text, bits), { value }))

for (const [text, bits] of [
  ['2147483648', 32],
  ['-2147483649', 32],
  ['9223372036854775808', 64],
  ['10000000000000000000', 64],
  ['99999999999999999999999999', 64],
] as const)
  test(`${text} is out of the range of ${bits} bits`, () =>
    assert.deepEqual(parseGoInteger(text, bits), { trouble: `strconv.ParseInt: parsing "${text}": value out of range` }))

for (const [what, text, quoted] of [
  ['nothing', '', '""'],
  ['a sign alone', '-', '"-"'],
  ['blanks', ' 1 ', '" 1 "'],
  ['quotes and backslashes', '"\\', '"\\"\\\\"'],
  ['control characters with a letter of their own', '\x07\b\f\n\r\t\v', '"\\a\\b\\f\\n\\r\\t\\v"'],
  ['other control characters', '\x00\x1f\x7f', '"\\x00\\x1f\\x7f"'],
  ['letters, marks and signs of any script', 'é漢☃😀', '"é漢☃😀"'],
  ['characters that cannot be seen', '\u0080\u00a0\u200b\uffff\u{e0001}', '"\\u0080\\u00a0\\u200b\\uffff\\U000e0001"'],
] as const)
  test(`${what} in a number are repeated as Go writes them`, () =>
    assert.deepEqual(parseGoInteger(text, 64), { trouble: `strconv.ParseInt: parsing ${quoted}: invalid syntax` }))

test('of what is no number the first 256 characters are repeated', () =>
  assert.deepEqual(parseGoInteger('x'.repeat(300), 64), {
    trouble: `strconv.ParseInt: parsing "${'x'.repeat(256)}": invalid syntax`,
  }))
