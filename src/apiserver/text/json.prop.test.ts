// Numbers by their text and members by theirs: whatever the text, nothing else changes.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { NumberText } from '#base'
import { parseJson, parseJsonAs } from './json.ts'
import { compactJson, readNodes, type TextPart } from './json-nodes.ts'

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

test('JSON that is read as far as its structure is the same value, each part of which stands in the text', () => {
  fc.assert(
    fc.property(text, json => {
      const parts = new Map<object, TextPart>()
      const compact = compactJson(json)
      assert.deepEqual(read(readNodes(compact, parts)), JSON.parse(json))
      for (const [node, part] of parts) assert.deepEqual(JSON.parse(part.text.slice(part.start, part.end)), read(node))
      assert.equal(/\s/.test(compact.replaceAll(/"(?:[^"\\]|\\.)*"/g, '')), false)
    }),
    { numRuns: 500 },
  )
})

test('half a character that is escaped is the one that cannot be shown, and a whole one or an escaped backslash is what it is', () => {
  const text = '{"\\ud800":["\\ud800x","\\udc00\\uD800","\\uD83d\\ude00","\\ud800\\u0041","\\\\ud800","\\ud800\\ud83d\\ude00"]}'
  assert.deepEqual(parseJson(text), { '\ufffd': ['\ufffdx', '\ufffd\ufffd', '😀', '\ufffdA', '\\ud800', '\ufffd😀'] })
})

test('a number alone, or where nobody asks for texts, is its value', () => {
  assert.equal(parseJsonAs('texts', '8e1').value, 80)
  assert.deepEqual(parseJson('{"a":8.0}'), { a: 8 })
})

function read(node: unknown): unknown {
  if (typeof node === 'string') return JSON.parse(node)
  if (Array.isArray(node)) return node.map(read)
  return node === null ? null : Object.fromEntries(Object.entries(node as object).map(([key, value]) => [key, read(value)]))
}

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
