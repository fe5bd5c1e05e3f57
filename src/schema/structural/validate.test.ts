import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type FieldError, renderFieldError } from '../field-error.ts'
import { type Json, type JsonObject, renderJson } from '../json.ts'
import { readSchema } from '../node/node.ts'
import { validateValue } from './validate.ts'

function told(schema: JsonObject, value: Json, old?: Json): readonly string[] {
  const errors: FieldError[] = []
  validateValue(readSchema(schema), value, 'a', errors, old)
  return errors.map(renderFieldError)
}

const mustBe = (type: string, got: string): string => `a: Invalid value: "${got}": a in body must be of type ${type}: "${got}"`
const should = (value: string, what: string): string => `a: Invalid value: ${value}: a in body should ${what}`
const number = (content: JsonObject): JsonObject => ({ type: 'number', ...content })
const text = (content: JsonObject): JsonObject => ({ type: 'string', ...content })
const list = (content: JsonObject): JsonObject => ({ type: 'array', items: { type: 'integer' }, ...content })
const map = (content: JsonObject): JsonObject => ({ type: 'object', ...content })
const intOrString = { 'x-kubernetes-int-or-string': true }

const rows: readonly (readonly [schema: JsonObject, value: Json, ...told: string[]])[] = [
  [{ type: 'integer' }, 1],
  [{ type: 'integer' }, 9007199254740993n],
  [{ type: 'integer' }, 1.5, mustBe('integer', 'number')],
  [{ type: 'integer' }, 1e19, mustBe('integer', 'number')],
  [{ type: 'number' }, 1],
  [{ type: 'number' }, 1.5],
  [{ type: 'number' }, '1', mustBe('number', 'string')],
  [{ type: 'boolean' }, true],
  [{ type: 'boolean' }, 0, mustBe('boolean', 'integer')],
  [{ type: 'string' }, 'x'],
  [{ type: 'string' }, [], mustBe('string', 'array')],
  [{ type: 'string' }, {}, mustBe('string', 'object')],
  [{ type: 'string' }, false, mustBe('string', 'boolean')],
  [{ type: 'string' }, null, mustBe('string', 'null')],
  [text({ nullable: true }), null],
  [{ 'x-kubernetes-preserve-unknown-fields': true }, null],
  [{ 'x-kubernetes-preserve-unknown-fields': true }, { b: 1 }],
  [intOrString, 1],
  [intOrString, '1'],
  [intOrString, 1.5, mustBe('integer,string', 'number')],
  [intOrString, true, mustBe('integer,string', 'boolean')],
  [intOrString, null, mustBe('integer,string', 'null')],
  [{ ...intOrString, nullable: true }, null],
  [text({ format: 'date' }), '2026-01-31'],
  [text({ format: 'date' }), 'x', 'a: Invalid value: "x": a in body must be of type date: "x"'],
  [text({ format: 'date-time' }), 'x', 'a: Invalid value: "x": a in body must be of type date-time: "x"'],
  [text({ format: 'weird' }), 'x'],
  [text({ enum: ['b', 'c'] }), 'b'],
  [text({ enum: ['b', 'c'] }), 'd', 'a: Unsupported value: "d": supported values: "b", "c"'],
  [number({ enum: [1, 2] }), 3, 'a: Unsupported value: 3: supported values: "1", "2"'],
  [map({ enum: [{ b: 1 }] }), { b: 1 }],
  [text({ enum: ['b'], nullable: true }), null, 'a: Unsupported value: null: supported values: "b"'],
  [
    text({ enum: ['b'], minLength: 2, format: 'date' }),
    'x',
    should('"x"', 'be at least 2 chars long'),
    'a: Invalid value: "x": a in body must be of type date: "x"',
    'a: Unsupported value: "x": supported values: "b"',
  ],
  [
    number({ enum: [1], multipleOf: 2, minimum: 8, maximum: 3 }),
    5,
    should('5', 'be a multiple of 2'),
    should('5', 'be greater than or equal to 8'),
    should('5', 'be less than or equal to 3'),
    'a: Unsupported value: 5: supported values: "1"',
  ],
  [
    list({ enum: [[]], minItems: 2 }),
    ['x'],
    'a[0]: Invalid value: "string": a[0] in body must be of type integer: "string"',
    should('1', 'have at least 2 items'),
    'a: Unsupported value: ["x"]: supported values: "[]"',
  ],
  [
    map({ enum: [{}], minProperties: 2, required: ['c'], properties: { b: { type: 'string' } } }),
    { b: 5 },
    'a: Unsupported value: {"b":5}: supported values: "{}"',
    should('1', 'have at least 2 properties'),
    'a.b: Invalid value: "integer": a.b in body must be of type string: "integer"',
    'a.c: Required value',
  ],
  [
    { allOf: [{ minimum: 9 }], anyOf: [{ minimum: 8 }], oneOf: [{ minimum: 7 }] },
    6,
    '<nil>: Invalid value: "": "a" must validate at least one schema (anyOf)',
    should('6', 'be greater than or equal to 8'),
    '<nil>: Invalid value: "": "a" must validate one and only one schema (oneOf). Found none valid',
    should('6', 'be greater than or equal to 7'),
    should('6', 'be greater than or equal to 9'),
    '<nil>: Invalid value: "": "a" must validate all the schemas (allOf). None validated',
  ],
  [text({ maxLength: 2 }), 'éé'],
  [text({ maxLength: 2 }), '𝒳𝒳'],
  [text({ maxLength: 2 }), '\u{10000}\u{10ffff}'],
  [text({ maxLength: 2 }), 'xyz', 'a: Too long: may not be more than 2 bytes'],
  [text({ maxLength: 1 }), 'xy', 'a: Too long: may not be more than 1 byte'],
  [text({ minLength: 2 }), 'xy'],
  [text({ minLength: 2 }), '𝒳', should('"𝒳"', 'be at least 2 chars long')],
  [text({ minLength: 2 }), 'x\ud835'],
  [text({ pattern: '^x+$' }), 'xx'],
  [text({ pattern: '^x+$' }), 'y', should('"y"', "match '^x+$'")],
  [text({ minLength: 2, pattern: '^x+$' }), 'y', should('"y"', 'be at least 2 chars long')],
  [number({ minimum: 1, maximum: 5 }), 1],
  [number({ minimum: 1, maximum: 5 }), 5],
  [number({ minimum: 1 }), 0, should('0', 'be greater than or equal to 1')],
  [number({ maximum: 5 }), 6, should('6', 'be less than or equal to 5')],
  [number({ minimum: 1, exclusiveMinimum: true }), 1, should('1', 'be greater than 1')],
  [number({ maximum: 5, exclusiveMaximum: true }), 5, should('5', 'be less than 5')],
  [number({ minimum: 1, exclusiveMinimum: true, maximum: 5, exclusiveMaximum: true }), 2],
  [number({ maximum: 1_000_000 }), 1_000_001, should('1000001', 'be less than or equal to 1000000')],
  [number({ maximum: 1_000_000 }), 1_000_000.5, should('1.0000005e+06', 'be less than or equal to 1e+06')],
  [number({ multipleOf: 3 }), 9],
  [number({ multipleOf: 3 }), 10, should('10', 'be a multiple of 3')],
  [number({ multipleOf: 0.1 }), 0.3],
  // Of a whole number the factor and the bounds are whole, too.
  [number({ multipleOf: 0.5 }), 3, 'a: Invalid value: 0: factor MultipleOf declared for a must be positive: 0'],
  [number({ multipleOf: 2.5 }), 4],
  [number({ multipleOf: 2.5 }), 5, should('5', 'be a multiple of 2')],
  [number({ multipleOf: 2.5 }), 7.5],
  [number({ multipleOf: 1 }), 1e-9, should('1e-09', 'be a multiple of 1')],
  [number({ multipleOf: 2.5 }), 1e20, should('1e+20', 'be a multiple of 2.5')],
  [number({ minimum: 0.5 }), 0],
  [number({ minimum: 0.5 }), -1, should('-1', 'be greater than or equal to 0')],
  [number({ maximum: 4.5 }), 5, should('5', 'be less than or equal to 4')],
  [{ type: 'integer' }, 9223372036854775807n],
  [{ type: 'integer' }, 9223372036854775808n, mustBe('integer', 'number')],
  [
    { type: 'integer', multipleOf: 3 },
    100000000000000000000n,
    mustBe('integer', 'number'),
    should('1e+20', 'be a multiple of 3'),
  ],
  [text({ format: 'date-time' }), 5, mustBe('date-time', 'int64')],
  [text({ format: 'date-time' }), 1.5, mustBe('date-time', 'float64')],
  [text({ format: 'date-time' }), true, mustBe('date-time', '')],
  [text({ format: 'date-time' }), {}, mustBe('date-time', '')],
  [text({ format: 'date-time' }), ['a']],
  [text({ format: 'unheard' }), ['a'], mustBe('string', 'array')],
  [text({ format: 'unheard' }), 5, mustBe('string', 'integer')],
  [number({ multipleOf: 0.1 }), 0.35, should('0.35', 'be a multiple of 0.1')],
  [number({ multipleOf: 2 }), 9007199254740993n, should('9007199254740993', 'be a multiple of 2')],
  [number({ multipleOf: 3 }), 9007199254740993n],
  [list({ minItems: 1, maxItems: 2 }), [1]],
  [list({ minItems: 1, maxItems: 2 }), [1, 2]],
  [list({ minItems: 1 }), [], should('0', 'have at least 1 items')],
  [list({ maxItems: 2 }), [1, 2, 3], 'a: Too many: 3: must have at most 2 items'],
  [list({ maxItems: 1 }), [1, 2], 'a: Too many: 2: must have at most 1 item'],
  [list({}), [1, 'x'], 'a[1]: Invalid value: "string": a[1] in body must be of type integer: "string"'],
  [map({ minProperties: 1, maxProperties: 2 }), { b: 1 }],
  [map({ minProperties: 1, maxProperties: 2 }), { b: 1, c: 2 }],
  [map({ minProperties: 1 }), {}, should('0', 'have at least 1 properties')],
  [map({ maxProperties: 1 }), { b: 1, c: 2 }, 'a: Too many: 2: must have at most 1 item'],
  [map({ required: ['b', 'c'], properties: { b: {} } }), { b: 1 }, 'a.c: Required value'],
  [
    map({ additionalProperties: { type: 'string' } }),
    { b: 1 },
    'a.b: Invalid value: "integer": a.b in body must be of type string: "integer"',
  ],
  [{ allOf: [{ minimum: 1 }, { maximum: 5 }] }, 3],
  [
    { allOf: [{ minimum: 1 }, { maximum: 5 }] },
    6,
    should('6', 'be less than or equal to 5'),
    '<nil>: Invalid value: "": "a" must validate all the schemas (allOf)',
  ],
  [
    { allOf: [{ minimum: 7 }, { maximum: 5 }] },
    6,
    should('6', 'be greater than or equal to 7'),
    should('6', 'be less than or equal to 5'),
    '<nil>: Invalid value: "": "a" must validate all the schemas (allOf). None validated',
  ],
  [{ anyOf: [{ minimum: 7 }, { maximum: 6 }] }, 6],
  [
    { anyOf: [{ minimum: 7, multipleOf: 5 }, { maximum: 5 }] },
    6,
    '<nil>: Invalid value: "": "a" must validate at least one schema (anyOf)',
    should('6', 'be less than or equal to 5'),
  ],
  [{ oneOf: [{ minimum: 6 }, { maximum: 5 }] }, 6],
  [
    { oneOf: [{ minimum: 6 }, { maximum: 6 }] },
    6,
    '<nil>: Invalid value: "": "a" must validate one and only one schema (oneOf). Found 2 valid alternatives',
  ],
  [
    { oneOf: [{ minimum: 7 }, { maximum: 5, multipleOf: 4 }] },
    6,
    '<nil>: Invalid value: "": "a" must validate one and only one schema (oneOf). Found none valid',
    should('6', 'be greater than or equal to 7'),
  ],
  [{ not: { minimum: 7 } }, 6],
  [{ not: { minimum: 6 } }, 6, '<nil>: Invalid value: "": "a" must not validate the schema (not)'],
]

for (const [schema, value, ...lines] of rows)
  test(`${JSON.stringify(schema)} ${lines.length === 0 ? 'takes' : 'refuses'} ${renderJson(value).slice(0, 80)}`, () => {
    assert.deepEqual(told(schema, value), lines)
  })

test('no more than five hundred errors are told', () => {
  assert.equal(
    told(
      list({}),
      Array.from({ length: 600 }, () => 'x'),
    ).length,
    500,
  )
})

const tight = { type: 'object', properties: { b: { type: 'integer', maximum: 5 }, c: { type: 'string' } }, required: ['d'] }
const wrong = 'a.b: Invalid value: 9: a.b in body should be less than or equal to 5'

test('what did not change is not looked at again, part by part', () => {
  assert.deepEqual(told(tight, { b: 9 }, { b: 9 }), [])
  assert.deepEqual(told(tight, { b: 9, c: 'x' }, { b: 9 }), ['a.d: Required value'])
  assert.deepEqual(told(tight, { b: 9, d: 1 }, { b: 8, d: 1 }), [wrong])
  assert.deepEqual(told(tight, { b: 9, d: 1 }, { d: 1 }), [wrong])
  assert.deepEqual(told({ ...tight, maxProperties: 1 }, { b: 9, d: 1 }, { b: 9 }), ['a: Too many: 2: must have at most 1 item'])
})

test('items of a keyed list are found again by their keys, and those of another list are not', () => {
  const items = { type: 'object', properties: { k: { type: 'string' }, b: { type: 'integer', maximum: 5 } } }
  const keyed = { type: 'array', 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['k'], items }
  const before = [
    { k: 'x', b: 9 },
    { k: 'y', b: 8 },
  ]
  assert.deepEqual(told(keyed, [{ k: 'y', b: 8 }, { k: 'x', b: 9 }, { k: 'z' }], before), [])
  assert.deepEqual(told(keyed, [{ k: 'y', b: 9 }], before), [
    'a[0].b: Invalid value: 9: a[0].b in body should be less than or equal to 5',
  ])
  assert.equal(told({ type: 'array', items }, [{ k: 'x', b: 9 }], before).length, 1)
})
