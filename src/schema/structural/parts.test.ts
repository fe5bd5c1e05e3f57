import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type FieldError, renderFieldError } from '../field-error.ts'
import type { Json, JsonObject } from '../json.ts'
import { readSchema } from '../node/node.ts'
import { compileSchema } from './compile.ts'
import { defaultValue } from './default.ts'
import { checkEmbedded, coerceEmbedded } from './embedded.ts'
import { pruneValue } from './prune.ts'
import { checkUniqueLists } from './unique-lists.ts'

const text = { type: 'string' }
const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }
const some = { type: 'object', properties: { a: text } }

const pruned: readonly (readonly [schema: JsonObject, value: Json, left: Json, ...unknown: string[]])[] = [
  [some, { a: 'x' }, { a: 'x' }],
  [some, { a: 'x', b: 1, c: 2 }, { a: 'x' }, 'b', 'c'],
  [some, 'x', 'x'],
  [{ type: 'object' }, { a: { b: 1 } }, {}, 'a'],
  [open, { a: { b: 1 } }, { a: { b: 1 } }],
  [{ ...open, properties: { a: some } }, { a: { a: 'x', b: 1 }, c: 1 }, { a: { a: 'x' }, c: 1 }, 'a.b'],
  [{ type: 'object', additionalProperties: some }, { x: { a: 'x', b: 1 }, y: null }, { x: { a: 'x' }, y: null }, 'x.b'],
  [{ type: 'array', items: some }, [{ a: 'x' }, { b: 1 }, 'x', null], [{ a: 'x' }, {}, 'x', null], '[1].b'],
  [{ type: 'array' }, [{ b: 1 }], [{ b: 1 }]],
  [
    { type: 'object', properties: { l: { type: 'array', items: { type: 'array', items: some } } } },
    { l: [[], [{ b: 1 }]] },
    { l: [[], [{}]] },
    'l[1][0].b',
  ],
  [
    { ...some, 'x-kubernetes-embedded-resource': true },
    { apiVersion: 'v1', kind: 'K', metadata: { name: 'n' }, spec: 1 },
    { apiVersion: 'v1', kind: 'K', metadata: { name: 'n' } },
    'spec',
  ],
  [some, { apiVersion: 'v1', kind: 'K', metadata: {} }, {}, 'apiVersion', 'kind', 'metadata'],
]

test('what a schema does not know goes, and is told with its path', () => {
  for (const [schema, value, left, ...paths] of pruned) {
    const unknown: string[] = []
    assert.deepEqual(pruneValue(readSchema(schema), value, '', unknown), left)
    assert.deepEqual(unknown, paths)
    assert.deepEqual(pruneValue(readSchema(schema), value, ''), left)
  }
})

test('where nothing goes the value is the very same, and a hundred paths are told', () => {
  const value = { a: 'x' }
  assert.equal(pruneValue(readSchema(some), value, ''), value)
  const list = [{ a: 'x' }]
  assert.equal(pruneValue(readSchema({ type: 'array', items: some }), list, ''), list)
  const unknown: string[] = []
  const many = Object.fromEntries(Array.from({ length: 150 }, (_, index) => [`k${index}`, 1]))
  assert.deepEqual(pruneValue(readSchema(some), many, '', unknown), {})
  assert.equal(unknown.length, 100)
})

const withDefault = {
  type: 'object',
  properties: { a: { type: 'string', default: 'x' }, n: { type: 'string', nullable: true, default: 'y' }, p: text },
}
const nested = {
  type: 'object',
  properties: { o: { type: 'object', default: {}, properties: { a: { type: 'integer', default: 1 } } } },
}

const filled: readonly (readonly [schema: JsonObject, value: Json, full: Json, withNulls: Json])[] = [
  [withDefault, {}, { a: 'x', n: 'y' }, { a: 'x', n: 'y' }],
  [withDefault, { a: 'z', n: 'z' }, { a: 'z', n: 'z' }, { a: 'z', n: 'z' }],
  [withDefault, { a: null, n: null, p: null }, { a: 'x', n: null }, { a: 'x', n: null, p: null }],
  [withDefault, { b: null }, { b: null, a: 'x', n: 'y' }, { b: null, a: 'x', n: 'y' }],
  [nested, {}, { o: { a: 1 } }, { o: { a: 1 } }],
  [nested, { o: { a: 2 } }, { o: { a: 2 } }, { o: { a: 2 } }],
  [nested, { o: null }, { o: { a: 1 } }, { o: { a: 1 } }],
  [{ type: 'array', items: withDefault }, [{}, 'x', null], [{ a: 'x', n: 'y' }, 'x', null], [{ a: 'x', n: 'y' }, 'x', null]],
  [
    { type: 'object', additionalProperties: withDefault },
    { z: {}, y: null },
    { z: { a: 'x', n: 'y' } },
    { z: { a: 'x', n: 'y' }, y: null },
  ],
  [{ type: 'object', additionalProperties: { 'x-kubernetes-preserve-unknown-fields': true } }, { z: null }, {}, { z: null }],
  [
    { type: 'object', additionalProperties: { 'x-kubernetes-preserve-unknown-fields': true, nullable: true } },
    { z: null, y: { x: null } },
    { z: null, y: { x: null } },
    { z: null, y: { x: null } },
  ],
  [{ type: 'object', properties: { z: { 'x-kubernetes-int-or-string': true } } }, { z: null }, {}, { z: null }],
  [{ type: 'object', additionalProperties: open }, { z: null }, {}, { z: null }],
  [{ type: 'array' }, [{ a: null }], [{ a: null }], [{ a: null }]],
]

test('what is absent gets its default, and a null goes where none may be, or stays to be judged', () => {
  for (const [schema, value, full, withNulls] of filled) {
    assert.deepEqual(defaultValue(readSchema(schema), value), full, JSON.stringify(value))
    assert.deepEqual(defaultValue(readSchema(schema), value, true), withNulls, JSON.stringify(value))
  }
})

test('where nothing is filled in the value is the very same', () => {
  for (const [schema, value] of [
    [withDefault, { a: 'x', n: 'y' }],
    [{ type: 'array', items: withDefault }, [{ a: 'x', n: 'y' }]],
    [nested, { o: { a: 2 } }],
  ] as const)
    assert.equal(defaultValue(readSchema(schema), value), value)
})

function repeated(schema: JsonObject, value: Json): readonly string[] {
  const errors: FieldError[] = []
  checkUniqueLists(readSchema(schema), value, '', errors)
  return errors.map(renderFieldError)
}

const setOf = { type: 'array', 'x-kubernetes-list-type': 'set', items: text }
const keyed = {
  type: 'array',
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['k', 'l'],
  items: { type: 'object', properties: { k: text, l: { type: 'string', default: 'd' }, s: setOf } },
}

test('a value of a set, or a key of a keyed list, that comes again is told once', () => {
  const of = (schema: JsonObject): JsonObject => ({ type: 'object', properties: { a: schema } })
  assert.deepEqual(repeated(of(setOf), { a: ['x', 'y', 'x', 'x', 'y'] }), [
    'a[2]: Duplicate value: "x"',
    'a[4]: Duplicate value: "y"',
  ])
  assert.deepEqual(repeated(of(keyed), { a: [{ k: 'x' }, { k: 'x', l: 'e' }, { k: 'x', l: 'd' }] }), [
    'a[2]: Duplicate value: {"k":"x","l":"d"}',
  ])
  assert.deepEqual(repeated(of(keyed), { a: [{ k: 'x', s: ['z', 'z'] }] }), ['a[0].s[1]: Duplicate value: "z"'])
  assert.deepEqual(repeated(of({ ...setOf, 'x-kubernetes-list-type': 'atomic' }), { a: ['x', 'x'] }), [])
  assert.deepEqual(repeated({ type: 'object', additionalProperties: setOf }, { z: ['x', 'x'] }), ['[z][1]: Duplicate value: "x"'])
  assert.deepEqual(repeated(of({ type: 'object', properties: { b: setOf } }), { a: { b: ['x', 'x'] } }), [
    'a.b[1]: Duplicate value: "x"',
  ])
  assert.deepEqual(repeated(of({ type: 'array', items: setOf }), { a: [['x'], ['x', 'x']] }), ['a[1][1]: Duplicate value: "x"'])
  assert.deepEqual(repeated(of(keyed), { a: 'x' }), [])
  // What is no object has no key; of nothing validation has said all.
  assert.deepEqual(repeated(of(keyed), { a: [[], null, 5, [], { k: 'x' }, { k: 'x' }] }), [
    'a[0]: Invalid value: []: must be an object for an array of list-type map',
    'a[2]: Invalid value: 5: must be an object for an array of list-type map',
    'a[3]: Invalid value: []: must be an object for an array of list-type map',
    'a[5]: Duplicate value: {"k":"x","l":"d"}',
  ])
})

test('a list that had a value twice may have it twice', () => {
  const schema = compileSchema({ type: 'object', properties: { a: setOf } })
  const object = (...a: string[]): JsonObject => ({ apiVersion: 'a/v1', kind: 'K', metadata: { name: 'x' }, a })
  const told = (now: JsonObject, old?: JsonObject): readonly string[] =>
    schema.validate(now, old === undefined ? {} : { old }).errors.map(renderFieldError)
  assert.deepEqual(told(object('x', 'x')), ['a[1]: Duplicate value: "x"'])
  assert.deepEqual(told(object('x', 'x'), object('x')), ['a[1]: Duplicate value: "x"'])
  assert.deepEqual(told(object('y', 'y'), object('x', 'x')), [])
})

const embedded = { ...open, 'x-kubernetes-embedded-resource': true }
const holder = {
  type: 'object',
  properties: { e: embedded, l: { type: 'array', items: embedded } },
  additionalProperties: embedded,
}
const name = "may not contain '/'"
const nameForm =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"
const valueForm =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')"
const kindForm =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')"
const whole = { apiVersion: 'a/v1', kind: 'K' }
const owner = { apiVersion: 'v1', kind: 'K', name: 'n', uid: 'u' }

const resources: readonly (readonly [value: JsonObject, ...told: string[]])[] = [
  [{ e: whole }],
  [{ e: { ...whole, metadata: { name: 'n', labels: { a: 'b' }, ownerReferences: [owner] } } }],
  [{ e: {} }, 'e.apiVersion: Required value', 'e.kind: Required value'],
  [
    { e: { apiVersion: '', kind: '' } },
    'e.apiVersion: Invalid value: "": must not be empty',
    'e.kind: Invalid value: "": must not be empty',
  ],
  [{ e: { ...whole, apiVersion: 'a/b/c' } }, 'e.apiVersion: Invalid value: "a/b/c": unexpected GroupVersion string: a/b/c'],
  [{ e: { ...whole, metadata: { name: 'a/b' } } }, `e.metadata.name: Invalid value: "a/b": ${name}`],
  [{ e: { ...whole, metadata: { name: '' } } }],
  [
    { e: { ...whole, metadata: { labels: { '-': 'x', a: '-' } } } },
    `e.metadata.labels: Invalid value: "-": ${nameForm}`,
    `e.metadata.labels: Invalid value: "-": ${valueForm}`,
  ],
  [
    { e: { ...whole, metadata: { ownerReferences: [owner, { apiVersion: '', kind: '', name: '', uid: '' }, {}] } } },
    ...[1, 2].flatMap(() => [
      `e.metadata.ownerReferences.apiVersion: Invalid value: "": version must not be empty`,
      `e.metadata.ownerReferences.kind: Invalid value: "": must not be empty`,
      `e.metadata.ownerReferences.name: Invalid value: "": must not be empty`,
      `e.metadata.ownerReferences.uid: Invalid value: "": must not be empty`,
    ]),
  ],
  [{ l: [whole, { ...whole, kind: '' }] }, 'l[1].kind: Invalid value: "": must not be empty'],
  [
    {
      l: [
        { ...whole, kind: 'Kb-1' },
        { ...whole, kind: 'A b' },
        { ...whole, kind: `K${'x'.repeat(63)}` },
      ],
    },
    `l[1].kind: Invalid value: "A b": may have mixed case, but should otherwise match: ${kindForm}`,
    `l[2].kind: Invalid value: "K${'x'.repeat(63)}": may have mixed case, but should otherwise match: must be no more than 63 characters`,
  ],
  [{ z: { kind: 'K' } }, '[z].apiVersion: Required value'],
]

test('an object within an object says what it is', () => {
  for (const [value, ...lines] of resources) {
    const errors: FieldError[] = []
    checkEmbedded(readSchema(holder), value, '', errors)
    assert.deepEqual(errors.map(renderFieldError), lines, JSON.stringify(value))
  }
})

test('the metadata of an object within an object is metadata', () => {
  const unknown: string[] = []
  const coerced = (value: Json): unknown => coerceEmbedded(readSchema(holder), value, '', unknown)
  const given = {
    e: { ...whole, metadata: { name: 'n', odd: 1, labels: {} } },
    l: [whole, { ...whole, metadata: { strange: 1 } }],
    n: 1,
  }
  assert.deepEqual(coerced(given), {
    value: { e: { ...whole, metadata: { name: 'n' } }, l: [whole, { ...whole, metadata: {} }], n: 1 },
  })
  assert.deepEqual(unknown, ['e.metadata.odd', 'l[1].metadata.strange'])
  const same = { e: { ...whole, metadata: { name: 'n' } } }
  assert.deepEqual(coerced(same), { value: same })
  assert.deepEqual(coerced({ e: { ...whole, metadata: null } }), { value: { e: { ...whole, metadata: {} } } })
  for (const [key, told] of Object.entries({ kind: '5', apiVersion: 'null' }))
    assert.deepEqual(coerced({ e: { ...whole, [key]: JSON.parse(told) } }), {
      malformed: `e.${key}: Invalid value: ${told}: must be a string`,
    })
  const refused = (metadata: Json): unknown => coerced({ l: [whole, { ...whole, metadata }] })
  const at = 'l[1].metadata: Invalid value'
  const into = 'into Go value of type v1.ObjectMeta'
  assert.deepEqual(refused('x'), { malformed: `${at}: "x": json: cannot unmarshal string ${into}` })
  assert.deepEqual(refused([]), { malformed: `${at}: []: json: cannot unmarshal array ${into}` })
  assert.deepEqual(refused({ name: 1 }), {
    malformed: `${at}: {"name":1}: json: cannot unmarshal number into Go struct field ObjectMeta.name of type string`,
  })
})

test('a kind that keeps unknown fields by its old mark keeps them all', () => {
  const object = { apiVersion: 'a/v1', kind: 'K', metadata: { name: 'x', odd: 1 }, b: 1 }
  const keeping = compileSchema(some, { preserveUnknownFields: true })
  assert.deepEqual(keeping.decode(object), {
    object: { ...object, metadata: { name: 'x' } },
    unknown: ['metadata.odd'],
  })
  assert.equal(keeping.prune(object), object)
  const pruning = compileSchema(some, { preserveUnknownFields: false })
  assert.deepEqual(pruning.decode(object).unknown, ['b', 'metadata.odd'])
  assert.deepEqual(pruning.prune(object), { apiVersion: 'a/v1', kind: 'K', metadata: { name: 'x', odd: 1 } })
})

test('metadata that no metadata can be is refused, and what is empty in it goes when defaults are filled in', () => {
  const schema = compileSchema(withDefault)
  const object = (metadata: Json): JsonObject => ({ apiVersion: 'a/v1', kind: 'K', metadata })
  assert.equal(
    schema.decode(object({ name: 1 })).malformed,
    'json: cannot unmarshal number into Go struct field ObjectMeta.name of type string',
  )
  const filledIn = schema.fillDefaults?.({ ...object({ name: 'x', labels: {} }), p: null })
  assert.deepEqual(filledIn, { ...object({ name: 'x' }), p: null, a: 'x', n: 'y' })
  const within = compileSchema(holder).fillDefaults
  const embedded = (metadata: Json): JsonObject => ({ e: { ...whole, metadata } })
  assert.deepEqual(within?.(embedded({ name: '', labels: { a: 'b' } })), embedded({ labels: { a: 'b' } }))
  assert.deepEqual(within?.(embedded({ name: 1 })), embedded({ name: 1 }))
  assert.deepEqual(schema.fillDefaults?.({ a: 'z', n: null }), { a: 'z', n: null })
})
