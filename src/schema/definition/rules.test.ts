import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type FieldError, renderFieldError } from '../field-error.ts'
import type { JsonObject } from '../json.ts'
import { readSchema } from '../node/node.ts'
import { checkDefinitionRules } from './rules.ts'

const text = { type: 'string' }
const integer = { type: 'integer' }

function told(schema: JsonObject): readonly string[] {
  const errors: FieldError[] = []
  checkDefinitionRules(readSchema(schema), 'schema', errors)
  return errors.map(renderFieldError)
}

const ruled = (rule: JsonObject, more: JsonObject = { type: 'object', properties: { a: integer, b: text } }): JsonObject => ({
  ...more,
  'x-kubernetes-validations': [rule],
})
const of = (content: JsonObject): readonly string[] => told(ruled({ rule: 'self.a > 1', ...content }))
const at = 'schema.x-kubernetes-validations[0]'
const shown = (content: JsonObject): string =>
  JSON.stringify({
    Rule: 'self.a > 1',
    Message: '',
    MessageExpression: '',
    Reason: null,
    FieldPath: '',
    OptionalOldSelf: null,
    ...content,
  }).replaceAll('>', '\\u003e')
const reasons = 'supported values: "FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired"'

const texts: readonly (readonly [content: JsonObject, ...told: string[]])[] = [
  [{}],
  [{ message: 'm', messageExpression: '"m"', reason: 'FieldValueForbidden', fieldPath: '.a' }],
  [{ rule: '' }, `${at}.rule: Required value: rule is not specified`],
  [{ rule: ' ' }, `${at}.rule: Required value: rule is not specified`],
  [{ message: ' ' }, `${at}.message: Invalid value: " ": must be non-empty if specified`],
  [{ message: 'a\nb' }, `${at}.message: Invalid value: "a\\nb": must not contain line breaks`],
  [{ message: '\na\n' }],
  [{ rule: 'self.a\n> 1' }, `${at}.message: Required value: message must be specified if rule contains line breaks`],
  [{ rule: 'self.a\n> 1', message: 'm' }],
  [{ rule: '\nself.a > 1\n' }],
  [{ reason: '' }, `${at}.reason: Unsupported value: "": ${reasons}`],
  [{ reason: 'Odd' }, `${at}.reason: Unsupported value: "Odd": ${reasons}`],
  [{ fieldPath: '' }],
  [{ fieldPath: "['a']" }],
  [{ fieldPath: '.x' }, `${at}.fieldPath: Invalid value: ".x": must be a valid path`],
  [{ fieldPath: 'a' }, `${at}.fieldPath: Invalid value: "a": must be a valid path`],
  [{ fieldPath: '.a.b' }, `${at}.fieldPath: Invalid value: ".a.b": must be a valid path`],
  [{ fieldPath: '.a[0]' }, `${at}.fieldPath: Invalid value: ".a[0]": must be a valid path`],
  [{ rule: 'self.a' }, `${at}.rule: Invalid value: ${shown({ Rule: 'self.a' })}: cel expression must evaluate to a bool`],
  [{ rule: 'dyn(self.a)' }],
  [
    { messageExpression: '1' },
    `${at}.messageExpression: Invalid value: ${shown({ MessageExpression: '1' })}: messageExpression must evaluate to a string`,
  ],
  [{ messageExpression: 'dyn(1)' }],
  [{ rule: 'oldSelf.orValue(self).a > 1', optionalOldSelf: true }],
  [{ optionalOldSelf: true }, `${at}.optionalOldSelf: Invalid value: true: may not be set if oldSelf is not used in rule`],
]

for (const [content, ...lines] of texts)
  test(`a rule with ${JSON.stringify(content)} is ${lines.length === 0 ? 'taken' : 'refused'}`, () => {
    assert.deepEqual(of(content), lines)
  })

test('a rule that does not compile is quoted as the server holds it', () => {
  const rule = {
    rule: 'nope',
    message: 'm',
    messageExpression: 'nope',
    reason: 'FieldValueInvalid',
    fieldPath: '.a',
    optionalOldSelf: false,
  }
  const held =
    '{"Rule":"nope","Message":"m","MessageExpression":"nope","Reason":"FieldValueInvalid","FieldPath":".a","OptionalOldSelf":false}'
  const why = "compilation failed: ERROR: <input>:1:1: undeclared reference to 'nope' (in container '')\n | nope\n | ^"
  assert.deepEqual(of(rule), [
    `${at}.rule: Invalid value: ${held}: ${why}`,
    `${at}.messageExpression: Invalid value: ${held}: messageExpression ${why}`,
    `${at}.optionalOldSelf: Invalid value: false: may not be set if oldSelf is not used in rule`,
  ])
  assert.equal(
    of({ messageExpression: ' ' })[0],
    `${at}.messageExpression: Required value: messageExpression must be non-empty if specified`,
  )
})

test('a path leads along fields and keys of maps', () => {
  const properties = {
    m: { type: 'object', maxProperties: 2, additionalProperties: { type: 'object', properties: { 'x.y': text } } },
  }
  const path = (fieldPath: string): number => told(ruled({ rule: 'true', fieldPath }, { type: 'object', properties })).length
  assert.equal(path(".m.k['x.y']"), 0)
  assert.equal(path('.m.k.z'), 1)
  assert.equal(path(".m['k']"), 0)
})

test('a rule of what nothing is known of cannot be compiled', () => {
  assert.deepEqual(told(ruled({ rule: 'self.a > 1' }, { type: 'array' })), [
    'schema.x-kubernetes-validations: Internal error: failed to construct type information for x-kubernetes-validations rules: unable to convert structural schema to CEL declarations'.replace(
      'Internal error: ',
      'Internal error: internal error: ',
    ),
  ])
})

const changing = { ...integer, 'x-kubernetes-validations': [{ rule: 'self == oldSelf' }] }
const uncorrelated = (where: string, within: string): string =>
  `${where}.x-kubernetes-validations[0].rule: Invalid value: "self == oldSelf": oldSelf cannot be used on the uncorrelatable portion of the schema within ${within}`

test('what was before cannot be asked of what cannot be found again', () => {
  const list = (more: JsonObject): JsonObject => ({ type: 'object', properties: { l: { type: 'array', maxItems: 5, ...more } } })
  const l = 'schema.properties[l]'
  assert.deepEqual(told(list({ items: changing })), [uncorrelated(`${l}.items`, l)])
  assert.deepEqual(told(list({ 'x-kubernetes-list-type': 'set', items: changing })), [uncorrelated(`${l}.items`, l)])
  const keyed = { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['k'] }
  const item = { type: 'object', required: ['k'], properties: { k: text, v: changing } }
  assert.deepEqual(told(list({ ...keyed, items: item })), [])
  assert.deepEqual(told(list({ items: item })), [uncorrelated(`${l}.items.properties[v]`, l)])
  const inner = { type: 'array', maxItems: 5, items: changing }
  assert.deepEqual(told(list({ ...keyed, items: { ...item, properties: { k: text, v: inner } } })), [
    uncorrelated(`${l}.items.properties[v].items`, `${l}.items.properties[v]`),
  ])
  assert.deepEqual(told(list({ items: { type: 'array', maxItems: 5, items: changing } })), [uncorrelated(`${l}.items.items`, l)])
  const map = { type: 'object', properties: { m: { type: 'object', maxProperties: 5, additionalProperties: changing } } }
  assert.deepEqual(told(map), [])
  const whole = {
    type: 'object',
    properties: { o: { type: 'object', 'x-kubernetes-map-type': 'atomic', properties: { a: changing } } },
  }
  assert.deepEqual(told(whole), [uncorrelated('schema.properties[o].properties[a]', 'schema.properties[o]')])
})

const hint =
  '(try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)'

/** Each look at the list costs five for an item: to loop, to name it and to compare it. */
function looped(maxItems: number | undefined, more: JsonObject = {}): JsonObject {
  const l = { type: 'array', items: integer, ...(maxItems !== undefined && { maxItems }) }
  return ruled({ rule: 'self.l.all(x, x > 0)', ...more }, { type: 'object', properties: { l } })
}

test('a rule may cost ten million, as often as it can be asked', () => {
  assert.deepEqual(told(looped(1_000)), [])
  assert.deepEqual(told(looped(undefined)).length, 0)
  const nested = (maxItems: number | undefined): readonly string[] =>
    told({
      type: 'object',
      properties: { n: { type: 'array', ...(maxItems !== undefined && { maxItems }), items: looped(1_000) } },
    })
  assert.deepEqual(nested(1_000), [])
  const [line = '', ...others] = nested(10_000)
  assert.deepEqual(others, [])
  assert.match(
    line,
    /^schema\.properties\[n\]\.items\.x-kubernetes-validations\[0\]\.rule: Forbidden: estimated rule cost exceeds budget by factor of \d\.\dx /,
  )
  assert.ok(line.endsWith(hint))
  assert.match(nested(undefined)[0] ?? '', /factor of more than 100x/)
})
