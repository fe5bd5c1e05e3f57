// Numbers by their text and members by theirs: whatever the text, nothing else changes.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { NumberText } from '#base'
import { parseJson, parseJsonAs } from './json.ts'
import { memberTexts } from './member-texts.ts'

/** Numbers as people write them, some of which JSON.stringify would write otherwise. */
const numeral = fc
  .tuple(
    fc.constantFrom('', '-'),
    fc.nat(999),
    fc.constantFrom('', '.0', '.5', '.50'),
    fc.constantFrom('', 'e0', 'E2', 'e-3', 'e400'),
  )
  .map(parts => parts.join(''))
const space = fc.constantFrom('', ' ', '\n  ', '\t')
const { text } = fc.letrec<{ text: string }>(tie => ({
  text: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    numeral,
    fc.string({ unit: 'grapheme-ascii' }).map(value => JSON.stringify(value)),
    fc.tuple(fc.array(tie('text'), { maxLength: 4 }), space).map(([items, gap]) => `[${items.join(`${gap},${gap}`)}]`),
    fc
      .tuple(fc.array(fc.tuple(fc.constantFrom('a', 'b', 'value', 'x"y'), tie('text')), { maxLength: 4 }), space)
      .map(([members, gap]) => `{${members.map(([key, item]) => `${JSON.stringify(key)}${gap}:${gap}${item}`).join(`,${gap}`)}}`),
  ),
}))

test('a text whose numbers are kept by their text has the same values, and those texts are in it', () => {
  fc.assert(
    fc.property(text, member => {
      const json = `{"a":${member}}`
      const { value } = parseJsonAs('texts', json)
      assert.deepEqual(
        plain(value, number => assert.ok(json.includes(number.text))),
        JSON.parse(json),
      )
    }),
    { numRuns: 1_000 },
  )
})

test('a number is kept by its text exactly when it has a fraction or an exponent', () => {
  fc.assert(
    fc.property(numeral, space, (number, gap) => {
      for (const json of [`{"a":${gap}${number}}`, `[${gap}${number}]`, `["x",${gap}${number}]`]) {
        const found: string[] = []
        plain(parseJsonAs('texts', json).value, ({ text: kept }) => found.push(kept))
        assert.deepEqual(found, /[.eE]/.test(number) ? [number] : [], json)
      }
    }),
  )
})

test('the text of a member is read as its value, whatever stands around it', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(text, space, text), { maxLength: 5 }), operations => {
      const json = `[${operations.map(([value, gap, other]) => `{"op":"add",${gap}"value"${gap}:${gap}${value}${gap},"more":${other}}`).join(',')}]`
      const texts = memberTexts(json, 'value')
      operations.forEach(([value], index) => {
        assert.deepEqual(JSON.parse(texts.get(index) ?? ''), JSON.parse(value))
      })
      assert.equal(texts.size, operations.length)
    }),
    { numRuns: 500 },
  )
})

test('a number alone, or where nobody asks for texts, is its value', () => {
  assert.equal(parseJsonAs('texts', '8e1').value, 80)
  assert.deepEqual(parseJson('{"a":8.0}'), { a: 8 })
})

/** The value without number texts; each is told to `visit`. */
function plain(value: unknown, visit: (number: NumberText) => void): unknown {
  if (value instanceof NumberText) {
    visit(value)
    return value.value
  }
  if (Array.isArray(value)) return value.map(item => plain(item, visit))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item, visit)]))
}
