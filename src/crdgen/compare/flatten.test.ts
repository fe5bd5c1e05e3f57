import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type FlatCrd, flattenCrd } from './flatten.ts'

const names = { kind: 'Thing', listKind: 'ThingList', plural: 'things', singular: 'thing' }

/** A CRD with this spec in its only version. */
function crdOf(
  spec: object,
  { status = {}, ...version }: { readonly status?: object; readonly [part: string]: unknown } = {},
): object {
  const openAPIV3Schema = { type: 'object', properties: { apiVersion: { type: 'string' }, spec, status } }
  const versions = [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema }, ...version }]
  return { spec: { group: 'g', scope: 'Namespaced', names, versions } }
}

function typeOf(schema: object): string | undefined {
  return flattenCrd(crdOf({ properties: { a: schema } })).fields.get('spec.a')?.type
}

for (const [schema, text] of [
  [{}, 'any'],
  [{ type: 'integer', format: 'int64' }, 'integer(int64)'],
  [{ type: 'array', items: { type: 'string' } }, 'array<string>'],
  [{ type: 'object', additionalProperties: { type: 'array', items: { type: 'boolean' } } }, 'object{array<boolean>}'],
  [{ type: 'object', additionalProperties: true }, 'object'],
  [{ type: 'object', 'x-kubernetes-map-type': 'atomic' }, 'object atomic'],
  [{ type: 'object', 'x-kubernetes-map-type': 'atomic', required: ['b', 'a'] }, 'object atomic requires a,b'],
  [{ type: 'object', required: ['a'] }, 'object'],
  [{ type: 'object', 'x-kubernetes-preserve-unknown-fields': true }, 'object open'],
  [{ type: 'object', 'x-kubernetes-preserve-unknown-fields': false }, 'object'],
] as const)
  test(`the type of ${JSON.stringify(schema)} is told as ${text} [10.1]`, () => assert.equal(typeOf(schema), text))

test('a field has its path through lists and maps, whether it is required, and whether it may change [10.1]', () => {
  const rules = [{ rule: 'size(self) > 1' }, { rule: 'self == oldSelf' }]
  const list = { type: 'array', items: { properties: { key: { type: 'string' } }, required: ['key'] } }
  const spec = {
    properties: { fixed: { 'x-kubernetes-validations': rules }, list, map: { additionalProperties: list } },
    required: ['map'],
  }
  const { fields } = flattenCrd(crdOf(spec))
  const told = [...fields].map(
    ([path, { required, immutable }]) => `${path}${required ? ' required' : ''}${immutable ? ' immutable' : ''}`,
  )
  assert.deepEqual(told, [
    'spec',
    'spec.fixed immutable',
    'spec.list',
    'spec.list[].key required',
    'spec.map required',
    'spec.map{}[].key required',
    'status',
  ])
})

const common = (crd: object): string => flattenCrd(crd).common
const withStatus = (ackResourceMetadata: object, required: readonly string[] = []): object =>
  crdOf({}, { status: { properties: { ackResourceMetadata, own: { type: 'string' } }, required } })

test('the common status is compared whole, without its descriptions and in any order, and is no field of the kind [10.1]', () => {
  const arn = { type: 'string', description: 'one' }
  const told = withStatus({ description: 'this', properties: { arn, list: [{ a: 1, b: null }] }, type: 'object' }, ['b', 'a'])
  const same = withStatus({ type: 'object', properties: { list: [{ b: null, a: 1 }], arn: { type: 'string' } } }, ['a', 'b'])
  assert.equal(common(told), common(same))
  assert.deepEqual([...flattenCrd(told).fields.keys()], ['spec', 'status', 'status.own'])
  const others: readonly object[] = [
    withStatus({ properties: { arn }, type: 'object' }, ['a', 'b']),
    withStatus({ type: 'object', properties: { list: [{ b: null, a: 2 }], arn } }, ['a', 'b']),
    withStatus({ type: 'object', properties: { list: [{ b: {}, a: 1 }], arn } }, ['a', 'b']),
    withStatus({ type: 'object', properties: { list: [{ b: null, a: 1 }], arn } }, ['a']),
    withStatus({ type: 'object', properties: { list: [{ b: null, a: 1 }], arn, description: { type: 'string' } } }, ['a', 'b']),
  ]
  for (const other of others) assert.notEqual(common(told), common(other), JSON.stringify(other))
})

test('of several versions the stored one is compared, and the first where none says that it is [10.1]', () => {
  const schema = (name: string): object => ({ openAPIV3Schema: { properties: { spec: { properties: { [name]: {} } } } } })
  const of = (...versions: readonly object[]): FlatCrd => flattenCrd({ spec: { group: 'g', scope: 'Cluster', names, versions } })
  const [older, newer] = [
    { name: 'v1', served: false, storage: false, schema: schema('old'), subresources: { scale: {} } },
    { name: 'v2', served: true, schema: schema('new') },
  ]
  const stored = of(older, { ...newer, storage: true })
  assert.deepEqual([...stored.fields.keys()], ['spec', 'spec.new'])
  assert.deepEqual([stored.names['versions'], stored.names['subresources']], ['v1:false:false,v2:true:true', '{}'])
  const first = of(older, newer)
  assert.deepEqual([...first.fields.keys()], ['spec', 'spec.old'])
  assert.equal(first.names['subresources'], '{"scale":{}}')
})

test('a column has the priority 0 where it says none [10.1]', () => {
  const column = { name: 'A', type: 'string', jsonPath: '.a' }
  const { columns } = flattenCrd(crdOf({}, { additionalPrinterColumns: [column, { ...column, priority: 2 }] }))
  assert.deepEqual(columns, ['["A","string",0,".a"]', '["A","string",2,".a"]'])
})

for (const [document, words] of [
  [null, 'the document is no object'],
  [[], 'the document is no object'],
  ['Thing', 'the document is no object'],
  [{ spec: [] }, 'spec is no object'],
  [{ spec: { names: null } }, 'spec.names is no object'],
  [{ spec: { names, versions: {} } }, 'spec.versions is no list'],
  [{ spec: { names, versions: ['v1'] } }, 'spec.versions[] is no object'],
  [{ spec: { names, versions: [] } }, 'schema is no object'],
] as const)
  test(`${JSON.stringify(document)} is refused: ${words} [10.1]`, () =>
    assert.throws(() => flattenCrd(document), new TypeError(`not a CustomResourceDefinition: ${words}`)))
