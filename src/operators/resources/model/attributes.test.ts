import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ResourceField } from '#aws'
import { attributeValue } from './attributes.ts'

const field = (kind: 'boolean' | 'integer' | 'number' | 'string'): ResourceField =>
  ({ json: 'a', camel: 'A', type: { kind } }) as unknown as ResourceField

for (const [kind, text, value] of [
  ['boolean', 'true', true],
  ['boolean', 'True', true],
  ['boolean', 'false', false],
  ['boolean', '', false],
  ['integer', '30', 30],
  ['number', '0.5', 0.5],
  ['string', 'text', 'text'],
  ['string', '', undefined],
  ['string', undefined, undefined],
  ['boolean', undefined, undefined],
] as const)
  test(`an attribute of type ${kind} that AWS tells as ${JSON.stringify(text)} is ${String(value)}`, () => {
    assert.equal(attributeValue(field(kind), text), value)
  })
