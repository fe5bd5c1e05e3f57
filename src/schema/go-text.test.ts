import assert from 'node:assert/strict'
import { test } from 'node:test'
import { quote } from './go-quote.ts'
import { goNumber, goText, goType } from './go-text.ts'

test('a number is a whole one or a floating one, as Go prints it', () => {
  const rows: readonly (readonly [value: number | bigint, text: string])[] = [
    [0, '0'],
    [-5, '-5'],
    [1_000_000, '1000000'],
    [9_007_199_254_740_993n, '9007199254740993'],
    [9_223_372_036_854_775_807n, '9223372036854775807'],
    [9_223_372_036_854_775_808n, '9.223372036854776e+18'],
    [-9_223_372_036_854_775_808n, '-9223372036854775808'],
    [1e20, '1e+20'],
    [0.5, '0.5'],
    [123_456.5, '123456.5'],
    [1_234_567.5, '1.2345675e+06'],
    [999_999.5, '999999.5'],
    [0.0001, '0.0001'],
    [0.00012, '0.00012'],
    [0.00001, '1e-05'],
    [1.5e-10, '1.5e-10'],
    [-1.5e-7, '-1.5e-07'],
  ]
  assert.deepEqual(
    rows.map(([value]) => [value, goNumber(value)]),
    rows,
  )
})

test('a value is printed without quotes, and a map in the order of its keys', () => {
  assert.equal(goText({ b: [1, 'x', null, true], a: { c: 1.5 } }), 'map[a:map[c:1.5] b:[1 x <nil> true]]')
  assert.equal(goText([]), '[]')
  assert.equal(goText({}), 'map[]')
  assert.equal(goText(12n), '12')
})

test('a value has the type that Go gives it when nothing is known of it', () => {
  const values = [null, [], {}, 1, 1.5, 1e30, 1n, true, 'a']
  const types = ['<nil>', '[]interface {}', 'map[string]interface {}', 'int64', 'float64', 'float64', 'int64', 'bool', 'string']
  assert.deepEqual(values.map(goType), types)
})

test('a text is quoted as Go quotes it', () => {
  const rows: readonly (readonly [text: string, quoted: string])[] = [
    ['plain text', '"plain text"'],
    ['a"b\\c', '"a\\"b\\\\c"'],
    ['\n\t\r\x07\b\f\v', '"\\n\\t\\r\\a\\b\\f\\v"'],
    ['\x00\x1f\x7f', '"\\x00\\x1f\\x7f"'],
    ['é 世 𝒳 €', '"é 世 𝒳 €"'],
    ['\u0080\u00a0\u200b\ufeff', '"\\u0080\\u00a0\\u200b\\ufeff"'],
    ['\u{e0001}\u{10ffff}', '"\\U000e0001\\U0010ffff"'],
    [' ~', '" ~"'],
    ['\uffff', '"\\uffff"'],
  ]
  assert.deepEqual(
    rows.map(([text]) => [text, quote(text)]),
    rows,
  )
})
