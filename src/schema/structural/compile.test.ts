import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fieldError, renderFieldError } from '../field-error.ts'
import type { Json, JsonObject } from '../json.ts'
import type { ValidationContext } from '../kind-schema.ts'
import { compileSchema } from './compile.ts'

const name = { type: 'string' }
const spec: JsonObject = {
  type: 'object',
  properties: {
    size: { type: 'integer', minimum: 1, maximum: 10 },
    color: { type: 'string', enum: ['red', 'blue'], default: 'red' },
    items: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
      items: { type: 'object', required: ['name'], properties: { name, value: { type: 'integer' } } },
    },
    tags: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } },
    any: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    nullable: { type: 'string', nullable: true },
    embedded: { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
  },
}

function schemaOf(specification: JsonObject): ReturnType<typeof compileSchema> {
  return compileSchema({ type: 'object', properties: { spec: specification } })
}

function widget(content: Json): JsonObject {
  return { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w' }, spec: content }
}

function errors(specification: JsonObject, content: Json, old?: Json): readonly string[] {
  const context = old === undefined ? {} : { old: widget(old) }
  return schemaOf(specification).validate(widget(content), context).errors.map(renderFieldError)
}

test('unknown fields go and are reported, except where the schema keeps them [#161]', () => {
  const content = { unknown: 1, any: { kept: 1 }, items: [{ name: 'a', gone: 1 }] }
  const decoded = schemaOf(spec).decode(widget(content))
  assert.deepEqual(decoded.unknown, ['spec.items[0].gone', 'spec.unknown'])
  assert.deepEqual(decoded.object.spec, { any: { kept: 1 }, items: [{ name: 'a' }] })
})

test('defaults fill what is absent or null, and nulls go where none may be [#162]', () => {
  const { object } = schemaOf(spec).decode(widget({ color: null, size: null, nullable: null }))
  assert.deepEqual(schemaOf(spec).applyDefaults(object).spec, { color: 'red', nullable: null })
})

test('values outside the schema are refused with exact paths and texts [#163]', () => {
  assert.deepEqual(errors(spec, { size: 11, color: 'green', tags: ['a', 'a'], items: [{ name: 'a' }, { name: 'a' }] }), [
    'spec.size: Invalid value: 11: spec.size in body should be less than or equal to 10',
    'spec.color: Unsupported value: "green": supported values: "red", "blue"',
    'spec.tags[1]: Duplicate value: "a"',
    'spec.items[1]: Duplicate value: {"name":"a"}',
  ])
})

test('whole numbers beyond what a double holds stay what they are [#64]', () => {
  const { object } = schemaOf(spec).decode(widget({ any: { big: 9007199254740993n } }))
  assert.deepEqual(object.spec, { any: { big: 9007199254740993n } })
  assert.deepEqual(errors(spec, { size: 9007199254740993n }), [
    'spec.size: Invalid value: 9007199254740993: spec.size in body should be less than or equal to 10',
  ])
})

function ruled(rule: JsonObject): JsonObject {
  return {
    type: 'object',
    properties: { size: { type: 'integer' }, other: name, color: name },
    'x-kubernetes-validations': [rule],
  }
}

test('a rule that fails is told at its node with its message [#164]', () => {
  assert.deepEqual(errors(ruled({ rule: 'self.size <= 5', message: 'too big' }), { size: 6 }), [
    'spec: Invalid value: "object": too big',
  ])
})

test('a rule about the old value runs on updates only [#165]', () => {
  const frozen = ruled({ rule: 'self.size == oldSelf.size' })
  assert.deepEqual(errors(frozen, { size: 6 }), [])
  assert.deepEqual(errors(frozen, { size: 7 }, { size: 6 }), [
    'spec: Invalid value: "object": failed rule: self.size == oldSelf.size',
  ])
})

test('with optionalOldSelf it runs on creation as well [#166]', () => {
  const rule = { rule: 'oldSelf.hasValue() || self.size == 1', optionalOldSelf: true }
  assert.equal(errors(ruled(rule), { size: 2 }).length, 1)
  assert.deepEqual(errors(ruled(rule), { size: 2 }, { size: 1 }), [])
})

test('message expression, reason and field path shape the error [#167]', () => {
  const rule = {
    rule: 'self.size < 3',
    messageExpression: '"size is " + string(self.size)',
    reason: 'FieldValueForbidden',
    fieldPath: '.color',
  }
  assert.deepEqual(errors(ruled(rule), { size: 4 }), ['spec.color: Forbidden: size is 4'])
})

test('what was invalid before may stay, what changes must be right [#168]', () => {
  const tight = { type: 'object', properties: { size: { type: 'integer', maximum: 5 }, other: name } }
  assert.deepEqual(errors(tight, { size: 9, other: 'b' }, { size: 9, other: 'a' }), [])
  assert.equal(errors(tight, { size: 8, other: 'b' }, { size: 9, other: 'a' }).length, 1)
  const kept = schemaOf(ruled({ rule: 'self.size < 3' })).validate(widget({ size: 4 }), { old: widget({ size: 4 }) })
  assert.deepEqual(kept, { errors: [], warnings: ['spec: Invalid value: "object": failed rule: self.size < 3'] })
})

test('rules wait until the metadata is right, and what is wrong with a scale is told before them', () => {
  const schema = schemaOf(ruled({ rule: 'self.size < 3' }))
  const told = (context: ValidationContext): readonly string[] =>
    schema.validate(widget({ size: 4 }), context).errors.map(renderFieldError)
  const ruling = 'spec: Invalid value: "object": failed rule: self.size < 3'
  const waiting =
    'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation'
  const scale = fieldError.invalid('.spec.replicas', -1, 'should be a non-negative integer')
  assert.deepEqual(told({ scaleErrors: [scale] }), [renderFieldError(scale), ruling])
  assert.deepEqual(told({ metadataErrors: [fieldError.invalid('metadata.labels', '-', 'odd')] }), [ruling])
  assert.deepEqual(told({ metadataErrors: [fieldError.required('metadata.name')], scaleErrors: [scale] }), [
    renderFieldError(scale),
    `<nil>: Invalid value: null: ${waiting}`,
  ])
})

test('rules wait until the value is what the schema says', () => {
  assert.deepEqual(errors(ruled({ rule: 'self.size < 3' }), { size: 'x' }), [
    'spec.size: Invalid value: "string": spec.size in body must be of type integer: "string"',
    '<nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
  ])
})

test('of a status that is written alone is told as of what stands alone', () => {
  const status = {
    type: 'object',
    required: ['a'],
    maxProperties: 2,
    properties: {
      a: { type: 'string', enum: ['x'] },
      b: { type: 'string' },
      l: { type: 'array', items: { type: 'string' } },
      o: { type: 'object', properties: { z: { type: 'integer' } } },
    },
  }
  const schema = compileSchema({ type: 'object', properties: { status } })
  for (const [value, ...told] of [
    ['x', 'status: Invalid value: "string":  in body must be of type object: "string"'],
    [[], 'status: Invalid value: "array":  in body must be of type object: "array"'],
    [{}, 'status.a: Required value'],
    [
      { a: 5 },
      'status.a: Invalid value: "integer": a in body must be of type string: "integer"',
      'status.a: Unsupported value: 5: supported values: "x"',
    ],
    [{ a: 'x', b: 'z', l: [] }, 'status: Too many: 3: must have at most 2 items'],
    [{ a: 'x', l: [1] }, 'status.l[0]: Invalid value: "integer": l[0] in body must be of type string: "integer"'],
    [{ a: 'x', o: { z: 'q' } }, 'status.o.z: Invalid value: "string": o.z in body must be of type integer: "string"'],
  ] as const) {
    const object = { apiVersion: 'e.com/v1', kind: 'T', metadata: { name: 't' }, status: value as Json }
    assert.deepEqual(schema.validate(object, { subresource: 'status' }).errors.map(renderFieldError), told)
  }
})
