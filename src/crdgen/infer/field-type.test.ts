// The types of fields, as a model's shapes give them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type FieldType, leafOf, TypeRegistry } from './field-type.ts'
import { type SmallModel, smallModel, structure } from './model.fixture.ts'
import { normalise } from './normalise.ts'

const shapes: NonNullable<SmallModel['shapes']> = {
  Inner: structure({ Mode: 'String' }),
  Inners: { type: 'list', member: { shape: 'Inner' } },
  Named: { type: 'map', key: { shape: 'String' }, value: { shape: 'Inners' } },
  Ring: { type: 'list', member: { shape: 'Ring' } },
  Maps: { type: 'map', key: { shape: 'String' }, value: { shape: 'Maps' } },
  Doc: structure({}, { document: true }),
  Feed: structure({ A: 'String' }, { eventstream: true }),
  Empty: structure({}),
  Low: structure({ depth: 'Integer' }),
  Spelt: structure({ CACertificateIdentifier: 'String', CaCertificateIdentifier: 'String' }),
  Alike: structure({ VpcId: 'String', VPCId: 'Integer', Vpc_id: 'String', Name: 'String' }),
}
const registry = (empty: readonly string[] = []): TypeRegistry =>
  new TypeRegistry(normalise(smallModel({ operations: {}, shapes })), empty)

const inner = { kind: 'structure', shape: 'Inner' } as const
for (const [shape, type] of [
  ['String', { kind: 'string' }],
  ['Inner', inner],
  ['Inners', { kind: 'list', element: inner }],
  ['Named', { kind: 'map', value: { kind: 'list', element: inner } }],
  ['Empty', { kind: 'map', value: { kind: 'string' } }],
  ['Doc', { kind: 'unsupported', what: 'a document', shape: 'Doc' }],
  ['Feed', { kind: 'unsupported', what: 'an event stream', shape: 'Feed' }],
  ['Nothing', { kind: 'unsupported', what: 'a document', shape: 'Nothing' }],
] as const)
  test(`the type of ${shape} is ${JSON.stringify(type)}`, () => assert.deepEqual(registry(['Empty']).typeOf(shape), type))

for (const shape of ['Ring', 'Maps'])
  test(`${shape}, which holds itself, is followed down to the thirty-third, and no schema can state what is in that`, () => {
    const ring = registry().typeOf(shape)
    let depth = 0
    let type: FieldType = ring
    for (; type.kind === 'list' || type.kind === 'map'; depth++) type = type.kind === 'list' ? type.element : type.value
    assert.equal(depth, 33)
    assert.deepEqual(type, { kind: 'unsupported', what: 'a document', shape })
    assert.deepEqual(leafOf(ring), type)
  })

test('members that manifests would spell alike are one field, too', () => {
  const types = registry()
  assert.deepEqual([...types.fieldsOf('Spelt').keys()], ['CACertificateIdentifier'])
  assert.deepEqual(types.collisions.get('Spelt'), ['CaCertificateIdentifier'])
})

test('a field below is told by the name that its member has in the model', () => {
  const field = registry().fieldsOf('Low').get('Depth')
  assert.deepEqual([field?.wire, field?.model, field?.origin], ['depth', 'Depth', { by: 'member', member: 'Low.depth' }])
})

test('of members that would be one field the first by name is there, and each other is told', () => {
  const types = registry()
  const fields = types.fieldsOf('Alike')
  assert.deepEqual(
    [...fields.values()].map(({ model, type }) => [model, type.kind]),
    [
      ['Name', 'string'],
      ['VPCId', 'integer'],
    ],
  )
  assert.deepEqual(types.collisions.get('Alike'), ['VpcId', 'Vpc_id'])
})

test('what is no structure has no fields, and a structure has the same ones for all', () => {
  const types = registry()
  assert.equal(types.fieldsOf('Inners').size, 0)
  assert.equal(types.fieldsOf('Inner'), types.fieldsOf('Inner'))
  assert.ok(types.fieldsOf('Inner').has('Mode'))
})
