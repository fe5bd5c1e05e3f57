import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FieldError } from '../field-error.ts'
import type { JsonObject } from '../json.ts'
import { checkStructure } from './structural.ts'
import { checkVocabulary } from './vocabulary.ts'

/** How a schema may stand within another, where its values are judged and where they are shaped. */
const shaped: Readonly<Record<string, (below: JsonObject) => JsonObject>> = {
  properties: below => ({ type: 'object', properties: { a: below } }),
  additionalProperties: below => ({ type: 'object', additionalProperties: below }),
  items: below => ({ type: 'array', items: below }),
}
const judged: Readonly<Record<string, (below: JsonObject) => JsonObject>> = {
  not: below => ({ not: below }),
  allOf: below => ({ allOf: [below] }),
  anyOf: below => ({ anyOf: [below] }),
  oneOf: below => ({ oneOf: [below] }),
  properties: below => ({ properties: { a: below } }),
  items: below => ({ items: below }),
}

function count(schema: JsonObject): number {
  const errors: FieldError[] = []
  const whole = { type: 'object', properties: { root: schema } }
  checkStructure(whole, 'schema', errors)
  checkVocabulary(whole, 'schema', errors)
  return errors.length
}

function nested(wrap: (below: JsonObject) => JsonObject, depth: number, innermost: JsonObject): JsonObject {
  return depth === 0 ? innermost : wrap(nested(wrap, depth - 1, innermost))
}

const bad = { type: 'string', id: 'x' }

test('a schema is looked at down to its four hundredth level, whatever the levels are', () => {
  for (const [name, wrap] of Object.entries(shaped)) {
    assert.equal(count(nested(wrap, 399, bad)), 1, name)
    assert.equal(count(nested(wrap, 400, bad)), 0, name)
  }
  for (const [name, wrap] of Object.entries(judged)) {
    const within = (depth: number): number => count({ type: 'string', not: nested(wrap, depth, { id: 'x' }) })
    assert.equal(within(398), 1, name)
    assert.equal(within(399), 0, name)
    if (name !== 'properties' && name !== 'items') {
      const first = (depth: number): number => count({ type: 'string', ...nested(wrap, depth, { id: 'x' }) })
      assert.equal(first(399), 1, name)
      assert.equal(first(400), 0, name)
    }
  }
})
