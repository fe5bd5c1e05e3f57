import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { validateCrd } from '../definition/definition.ts'
import type { Json, JsonObject } from '../json.ts'
import { compileSchema } from './compile.ts'

const key = fc.constantFrom('a', 'b', 'spec', 'metadata', '__proto__', 'type')
const word = fc.constantFrom(
  'object',
  'array',
  'string',
  'integer',
  'number',
  'boolean',
  'null',
  '',
  'map',
  'set',
  '(',
  '^(a+)+$',
  '.a',
)

const leaf: fc.Arbitrary<JsonObject> = fc.record({ type: word })

/** Few levels: a level multiplies. */
const schema: fc.Arbitrary<JsonObject> = fc.letrec<{ node: JsonObject; below: JsonObject }>(tie => ({
  below: fc.oneof({ maxDepth: 2, depthSize: 'small' }, leaf, tie('node')),
  node: fc.record(
    {
      type: word,
      properties: fc.dictionary(key, tie('below'), { maxKeys: 3, noNullPrototype: true }),
      items: tie('below'),
      additionalProperties: fc.oneof(fc.boolean(), tie('below')),
      required: fc.array(key, { maxLength: 2 }),
      enum: fc.array(fc.oneof(word, fc.integer()), { maxLength: 2 }),
      pattern: word,
      default: fc.jsonValue({ maxDepth: 1 }) as fc.Arbitrary<Json>,
      minimum: fc.integer(),
      maxLength: fc.integer({ min: -1, max: 4 }),
      nullable: fc.boolean(),
      anyOf: fc.array(tie('below'), { maxLength: 2 }),
      'x-kubernetes-preserve-unknown-fields': fc.boolean(),
      'x-kubernetes-embedded-resource': fc.boolean(),
      'x-kubernetes-int-or-string': fc.boolean(),
      'x-kubernetes-list-type': word,
      'x-kubernetes-list-map-keys': fc.array(key, { maxLength: 2 }),
      'x-kubernetes-validations': fc.array(fc.record({ rule: fc.constantFrom('self == oldSelf', 'true', 'self.a > 1', '(') }), {
        maxLength: 1,
      }),
    },
    { requiredKeys: [] },
  ) as fc.Arbitrary<JsonObject>,
})).node

test('any schema can be compiled and judged, and any object decoded, defaulted and validated by it', () => {
  const body = fc.jsonValue({ maxDepth: 4 }) as fc.Arbitrary<Json>
  fc.assert(
    fc.property(schema, body, body, (root, value, old) => {
      const object = (content: Json): JsonObject => ({
        apiVersion: 'e.com/v1',
        kind: 'W',
        metadata: { name: 'w' },
        spec: content,
      })
      const compiled = compileSchema({ ...root, properties: { spec: root } })
      const decoded = compiled.decode(object(value))
      const defaulted = compiled.applyDefaults(decoded.object)
      assert.deepEqual(compiled.prune(compiled.prune(defaulted)), compiled.prune(defaulted))
      compiled.validate(defaulted, { old: object(old) })
      validateCrd({
        metadata: { name: 'ws.e.com' },
        spec: { versions: [{ name: 'v1', storage: true, schema: { openAPIV3Schema: root } }] },
      })
    }),
    { numRuns: 400 },
  )
})
