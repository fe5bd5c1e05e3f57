import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { type JsonNode, JsonTextError, parseJsonText, placeOf } from './json-text.ts'

test('every JSON text reads as JSON.parse reads it', () => {
  fc.assert(
    fc.property(fc.json(), fc.constantFrom(undefined, 2, '\t'), (text, indent) => {
      const value: unknown = JSON.parse(text)
      assert.deepEqual(valueOf(parseJsonText(JSON.stringify(value, null, indent))), JSON.parse(JSON.stringify(value)))
    }),
  )
})

test('a text is refused exactly when JSON.parse refuses it', () => {
  const almostJson = fc
    .tuple(fc.json(), fc.nat(), fc.constantFrom('', '"', '{', ']', ',', '\\', '\u0001', '1', 'e', '-', ' '), fc.nat(2))
    .map(([text, at, what, drop]) => {
      const place = text.length === 0 ? 0 : at % text.length
      return text.slice(0, place) + what + text.slice(place + drop)
    })
  fc.assert(
    fc.property(fc.oneof(almostJson, fc.string()), text => {
      assert.equal(
        attempt(() => parseJsonText(text)),
        attempt(() => JSON.parse(text)),
        text,
      )
    }),
    { numRuns: 1000 },
  )
})

test('depth is bounded, and a megabyte is read without a stall', () => {
  assert.throws(() => parseJsonText('['.repeat(1_000_000)), new JsonTextError('nested deeper than 200 levels', 201))
  const wide = `[${'"x",'.repeat(250_000)}"x"]`
  const started = performance.now()
  parseJsonText(wide)
  parseJsonText(`"${'\\n'.repeat(500_000)}"`)
  assert.throws(() => parseJsonText(`"${'x'.repeat(1_000_000)}`), JsonTextError)
  // Far above what it takes; quadratic time would be minutes.
  assert.ok(performance.now() - started < 5_000)
})

test('places count lines and columns from 1', () => {
  const text = '{\n  "a": [1,\n2]}'
  const root = parseJsonText(text)
  assert.ok(root.kind === 'object')
  const list = root.members[0]?.value
  assert.ok(list?.kind === 'array')
  assert.deepEqual(placeOf(text, list.at), { offset: 9, line: 2, column: 8 })
  assert.deepEqual(placeOf(text, list.items[1]?.at ?? -1), { offset: 13, line: 3, column: 1 })
})

function attempt(action: () => unknown): string {
  try {
    action()
    return 'reads'
  } catch (error) {
    return error instanceof JsonTextError || error instanceof SyntaxError ? 'refused' : `threw ${String(error)}`
  }
}

function valueOf(node: JsonNode): unknown {
  switch (node.kind) {
    case 'object':
      return Object.fromEntries(node.members.map(({ name, value }) => [name, valueOf(value)]))
    case 'array':
      return node.items.map(valueOf)
    case 'null':
      return null
    default:
      return node.value
  }
}
