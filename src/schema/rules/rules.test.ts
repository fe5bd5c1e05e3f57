import assert from 'node:assert/strict'
import { test } from 'node:test'
import { renderFieldError } from '../field-error.ts'
import type { Json, JsonObject } from '../json.ts'
import { readSchema } from '../node/node.ts'
import { checkRules } from './check-rules.ts'
import { escapeName, listSizeMax, mapSizeMax, smallestSize, unescapeName } from './schema-type.ts'

const text = { type: 'string' }
const integer = { type: 'integer' }

function told(
  schema: JsonObject,
  value: JsonObject,
  old?: JsonObject,
): { errors: readonly string[]; warnings: readonly string[] } {
  const { errors, warnings } = checkRules(readSchema(schema), value, old)
  return { errors: errors.map(renderFieldError), warnings }
}

const ruled = (rule: JsonObject, properties: JsonObject = { a: integer, b: text }): JsonObject => ({
  type: 'object',
  properties,
  'x-kubernetes-validations': [rule],
})
const failing = (rule: JsonObject): JsonObject => ruled({ rule: 'self.a > 5', ...rule })
const says = (what: string, at = '<nil>'): string => `${at}: Invalid value: "object": ${what}`

const messages: readonly (readonly [rule: JsonObject, line: string])[] = [
  [{}, says('failed rule: self.a > 5')],
  [{ rule: ' self.a > 5 ' }, says('failed rule: self.a > 5')],
  [{ message: ' too small ' }, says('too small')],
  [{ message: 'm', messageExpression: '"got " + string(self.a)' }, says('got 1')],
  [{ message: 'm', messageExpression: '" got "' }, says('got')],
  [{ message: 'm', messageExpression: '""' }, says('m')],
  [{ message: 'm', messageExpression: '"a\\nb"' }, says('m')],
  [{ message: 'm', messageExpression: 'string(1 / (self.a - 1))' }, says('m')],
  [{ message: 'm', messageExpression: '[1].map(i, self.b)[0]' }, says('m')],
  [{ messageExpression: 'nope' }, says('failed rule: self.a > 5')],
  [{ message: 'm', reason: 'FieldValueForbidden' }, '<nil>: Forbidden: m'],
  [{ message: 'm', reason: 'FieldValueRequired' }, '<nil>: Required value: m'],
  [{ message: 'm', reason: 'FieldValueDuplicate' }, '<nil>: Duplicate value: "object"'],
  [{ message: 'm', reason: 'FieldValueInvalid' }, says('m')],
  [{ message: 'm', fieldPath: '.a' }, says('m', 'a')],
  [{ rule: '1 / (self.a - 1) == 0' }, says('division by zero evaluating rule: 1 / (self.a - 1) == 0')],
  [{ rule: '1 / (self.a - 1) == 0', message: 'm' }, says('division by zero evaluating rule: m')],
]

for (const [rule, line] of messages)
  test(`the rule ${JSON.stringify(rule)} that fails says ${line}`, () => {
    assert.deepEqual(told(failing(rule), { a: 1 }), { errors: [line], warnings: [] })
    assert.deepEqual(told(failing({ ...rule, rule: 'self.a > 0' }), { a: 1 }), { errors: [], warnings: [] })
  })

test('a message of five kilobytes is told, and not a longer one', () => {
  const value = (count: number): readonly string[] =>
    told(failing({ message: 'm', messageExpression: 'self.b' }), { a: 1, b: 'x'.repeat(count) }).errors
  assert.deepEqual(value(5 * 1024), [says('x'.repeat(5 * 1024))])
  assert.deepEqual(value(5 * 1024 + 1), [says('m')])
})

test('a rule is told where it stands, in lists, maps and fields', () => {
  const part = ruled({ rule: 'self.a > 5', message: 'm', fieldPath: '.m' }, { a: integer, m: text })
  const schema = {
    type: 'object',
    properties: {
      list: { type: 'array', items: part },
      map: { type: 'object', additionalProperties: part },
      field: part,
    },
  }
  const low = { a: 1 }
  assert.deepEqual(told(schema, { list: [{ a: 6 }, low], map: { x: low }, field: low }).errors, [
    says('m', 'list[1].m'),
    says('m', 'map[x].m'),
    says('m', 'field.m'),
  ])
})

test('the field that a rule is about may lie deep, in maps too', () => {
  const properties = {
    a: integer,
    o: { type: 'object', properties: { 'x.y': { type: 'object', additionalProperties: text } } },
  }
  const at = (fieldPath: string): readonly string[] =>
    told(ruled({ rule: 'self.a > 5', message: 'm', fieldPath }, properties), { a: 1 }).errors
  assert.deepEqual(at(".o['x.y'].k"), [says('m', 'o.x.y[k]')])
  assert.deepEqual(at('.o'), [says('m', 'o')])
})

const transition = (more: JsonObject = {}): JsonObject => ({
  type: 'integer',
  'x-kubernetes-validations': [{ rule: 'self >= oldSelf', message: 'm', ...more }],
})
const shrinks = (at: string): string => `${at}: Invalid value: "integer": m`

test('a rule about what was before is asked where something was before', () => {
  const schema = { type: 'object', properties: { a: transition() } }
  assert.deepEqual(told(schema, { a: 1 }).errors, [])
  assert.deepEqual(told(schema, { a: 1 }, {}).errors, [])
  assert.deepEqual(told(schema, { a: 1 }, { a: 2 }).errors, [shrinks('a')])
  assert.deepEqual(told(schema, { a: 2 }, { a: 2 }).errors, [])
  const list = (type: string): JsonObject => ({
    type: 'object',
    properties: {
      l: {
        type: 'array',
        'x-kubernetes-list-type': type,
        ...(type === 'map' && { 'x-kubernetes-list-map-keys': ['k'] }),
        items: { type: 'object', properties: { k: text, a: transition() } },
      },
    },
  })
  const [now, before] = [
    {
      l: [
        { k: 'y', a: 1 },
        { k: 'x', a: 1 },
      ],
    },
    { l: [{ k: 'x', a: 2 }] },
  ]
  assert.deepEqual(told(list('map'), now, before).errors, [shrinks('l[1].a')])
  assert.deepEqual(told(list('atomic'), now, before).errors, [])
})

test('a rule that asks for what was before as an option is asked always', () => {
  const schema = { type: 'object', properties: { a: transition({ rule: 'self >= oldSelf.orValue(5)', optionalOldSelf: true }) } }
  assert.deepEqual(told(schema, { a: 4 }).errors, [shrinks('a')])
  assert.deepEqual(told(schema, { a: 5 }).errors, [])
  assert.deepEqual(told(schema, { a: 4 }, { a: 4 }).errors, [])
})

test('what does not change may break a rule, with a warning', () => {
  const part = ruled({ rule: 'self.a > 5', message: 'm' })
  const schema = { type: 'object', properties: { p: part, q: text, l: { type: 'array', items: part } } }
  const old = { p: { a: 1 }, q: 'x', l: [{ a: 1 }] }
  assert.deepEqual(told(schema, { ...old, q: 'y' }, old), { errors: [], warnings: [says('m', 'p'), says('m', 'l[0]')] })
  assert.deepEqual(told(schema, { ...old, p: { a: 2 } }, old), { errors: [says('m', 'p')], warnings: [says('m', 'l[0]')] })
  assert.deepEqual(told(schema, { ...old, l: [{ a: 1 }, { a: 1 }] }, old), {
    errors: [says('m', 'l[0]'), says('m', 'l[1]')],
    warnings: [says('m', 'p')],
  })
})

test('one rule may cost a million, and all of an object ten', () => {
  const numbers = { type: 'array', items: integer }
  const loop = { rule: 'self.l.all(x, self.l.all(y, x + y >= 0))', message: 'm' }
  const schema = (...rules: JsonObject[]): JsonObject => ({
    type: 'object',
    properties: { l: numbers, a: integer },
    'x-kubernetes-validations': rules,
  })
  const list = (count: number): Json => Array.from({ length: count }, (_, index) => index)
  assert.deepEqual(told(schema(loop), { l: list(300) }).errors, [])
  assert.deepEqual(told(schema(loop, { rule: 'self.a > 5' }), { l: list(1_000), a: 1 }).errors, [
    says(
      "'operation cancelled: actual cost limit exceeded': no further validation rules will be run due to call cost exceeds limit for rule: m",
    ),
  ])
  const many = Array.from({ length: 40 }, () => loop)
  assert.deepEqual(told(schema(...many), { l: list(300) }).errors, [
    says('validation failed due to running out of cost budget, no further validation rules will be run'),
  ])
})

const names: readonly (readonly [name: string, escaped: string | undefined])[] = [
  ['a', 'a'],
  ['_a1', '_a1'],
  ['a-b', 'a__dash__b'],
  ['a.b', 'a__dot__b'],
  ['a/b', 'a__slash__b'],
  ['a__b', 'a__underscores__b'],
  ['a_b', 'a_b'],
  ['-a', '__dash__a'],
  ['in', '__in__'],
  ['namespace', '__namespace__'],
  ['int', 'int'],
  ['1a', undefined],
  ['a b', undefined],
  ['é', undefined],
]

test('rules see a property by a name that a rule can say', () => {
  assert.deepEqual(
    names.map(([name]) => [name, escapeName(name)]),
    names,
  )
  for (const [name, escaped] of names) if (escaped !== undefined) assert.equal(unescapeName(escaped), name)
  for (const odd of ['a__b', 'in', '__odd__', 'a-b']) assert.equal(unescapeName(odd), undefined)
})

test('how much fits into a request bounds what a schema does not', () => {
  const smallest = (schema: JsonObject): number => smallestSize(readSchema(schema))
  assert.deepEqual(
    [
      integer,
      { type: 'number' },
      { type: 'boolean' },
      text,
      { type: 'array' },
      { type: 'object' },
      { 'x-kubernetes-int-or-string': true },
    ].map(smallest),
    [1, 1, 4, 2, 2, 2, 1],
  )
  const required = {
    type: 'object',
    required: ['abc', 'd', 'gone'],
    properties: { abc: text, d: { type: 'integer', default: 1 } },
  }
  assert.equal(smallest(required), 2 + 3 + 2 + 4)
  const bytes = 3 * 1024 * 1024 - 2
  const list = (more: JsonObject): number => listSizeMax(readSchema({ type: 'array', items: text, ...more }))
  assert.equal(list({}), Math.floor(bytes / 3))
  assert.equal(list({ maxItems: 7 }), 7)
  assert.equal(listSizeMax(readSchema({ type: 'array' })), bytes / 2)
  const map = (more: JsonObject): number => mapSizeMax(readSchema({ type: 'object', additionalProperties: text, ...more }))
  assert.equal(map({}), Math.floor(bytes / 8))
  assert.equal(map({ maxProperties: 7 }), 7)
})

test('rules see values by their formats, and of metadata the names alone', () => {
  const holds = (rule: string, properties: JsonObject, value: JsonObject): readonly string[] =>
    told(ruled({ rule, message: 'm' }, properties), value).errors
  const format = (name: string): JsonObject => ({ t: { type: 'string', format: name } })
  assert.deepEqual(holds('self.t == b"a"', format('byte'), { t: 'YQ==' }), [])
  assert.deepEqual(holds('self.t == duration("90s")', format('duration'), { t: '1m30s' }), [])
  assert.deepEqual(holds('self.t == timestamp("2026-01-02T00:00:00Z")', format('date'), { t: '2026-01-02' }), [])
  assert.deepEqual(
    holds('self.t == timestamp("2026-01-02T00:00:00Z")', format('date-time'), { t: '2026-01-02T01:00:00+01:00' }),
    [],
  )
  assert.deepEqual(holds('self.t == "x"', format('weird'), { t: 'x' }), [])
  assert.deepEqual(holds('type(self.n) == double', { n: { type: 'number' } }, { n: 1 }), [])
  assert.deepEqual(
    holds(
      'self.i == 1 && self.j == "1"',
      { i: { 'x-kubernetes-int-or-string': true }, j: { 'x-kubernetes-int-or-string': true } },
      { i: 1, j: '1' },
    ),
    [],
  )
  assert.deepEqual(holds('!has(self.a) && has(self.b)', { a: text, b: text }, { a: null, b: 'x' }), [])
  assert.deepEqual(holds('self.a__dash__b == "x" && has(self.__in__)', { 'a-b': text, in: text }, { 'a-b': 'x', in: 'y' }), [])
  assert.deepEqual(
    holds(
      'self.m["k"] == 1 && size(self.m) == 1 && !("z" in self.m)',
      { m: { type: 'object', additionalProperties: integer } },
      { m: { k: 1 } },
    ),
    [],
  )
  assert.deepEqual(
    holds(
      'self.metadata.name == "x" && !has(self.metadata.generateName) && self.kind == "K" && self.apiVersion == "a/v1"',
      {},
      { apiVersion: 'a/v1', kind: 'K', metadata: { name: 'x', generateName: '' } },
    ),
    [],
  )
})
