// What inference works on: copies of the model's shapes, with what the clients of single services do otherwise.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Api, structureOf } from './api.ts'
import { type SmallModel, smallModel, structure } from './model.fixture.ts'
import { normalise } from './normalise.ts'

function membersOf(api: Api, name: string): Readonly<Record<string, string | undefined>> {
  const members = structureOf(api, name)?.members ?? []
  return Object.fromEntries([...members].map(([member, { target }]) => [member, api.shapes.get(target)?.type]))
}

const made = (model: SmallModel): Api => normalise(smallModel(model))

const stored = { Body: 'String', ContentMD5: 'String', Expires: 'Timestamp' } as const

for (const [serviceId, put, part, copied, answer] of [
  [
    'S3',
    { Body: 'string', ContentMD5: 'string', Expires: 'timestamp' },
    { Body: 'string', ContentMD5: 'string', Expires: 'timestamp' },
    { Body: 'string', Expires: 'timestamp' },
    { Body: 'string', Expires: 'string' },
  ],
  [
    'Glacier',
    { Body: 'string', ContentMD5: 'string', Expires: 'timestamp' },
    { Body: 'string', ContentMD5: 'string', Expires: 'timestamp' },
    { Body: 'string', ContentMD5: 'string', Expires: 'timestamp' },
    { Body: 'string', ContentMD5: 'string', Expires: 'timestamp' },
  ],
] as const)
  test(`what ${serviceId} stores ${serviceId === 'S3' ? 'has a checksum where bodies are put alone, and is told to expire as a text' : 'is as its model says'}`, () => {
    const api = made({
      serviceId,
      operations: { PutObject: [stored], UploadPart: [stored], CopyObject: [stored, stored], Empty: [] },
    })
    assert.deepEqual(
      ['PutObjectInput', 'UploadPartInput', 'CopyObjectInput', 'CopyObjectOutput'].map(name => membersOf(api, name)),
      [put, part, copied, answer],
    )
  })

const regions = { SourceRegion: 'string', DestinationRegion: 'string' } as const

for (const [serviceId, snapshot, cluster, replica] of [
  ['RDS', regions, regions, regions],
  ['Neptune', regions, regions, {}],
  ['DocDB', regions, regions, {}],
  ['Small', {}, {}, {}],
] as const)
  test(`the regions that no model of ${serviceId} has are ${serviceId === 'Small' ? 'nowhere' : 'where something is copied'}`, () => {
    const operations = { CopyDBClusterSnapshot: [{}], CreateDBCluster: [{}], CopyDBSnapshot: [{}] } as const
    const api = made({ serviceId, operations })
    assert.deepEqual(
      ['CopyDBClusterSnapshotInput', 'CreateDBClusterInput', 'CopyDBSnapshotInput'].map(name => membersOf(api, name)),
      [snapshot, cluster, replica],
    )
  })

test('a region that the model has stays as it says', () => {
  const api = made({ serviceId: 'DocDB', operations: { CreateDBCluster: [{ SourceRegion: 'Integer' }] } })
  assert.deepEqual(membersOf(api, 'CreateDBClusterInput'), { SourceRegion: 'integer', DestinationRegion: 'string' })
})

test('CloudFront counts in numbers what its model says in texts, and no other service does', () => {
  const operations = { ListThings: [{ MaxItems: 'String', Marker: 'String' }, { Strings: 'Strings' }] } as const
  const typesOf = (serviceId: string) => membersOf(made({ serviceId, operations }), 'ListThingsInput')
  assert.deepEqual(typesOf('CloudFront'), { MaxItems: 'integer', Marker: 'string' })
  assert.deepEqual(typesOf('Small'), { MaxItems: 'string', Marker: 'string' })
})

test('shapes keep what the model says of them, and of a union nothing is required', () => {
  const said = { documentation: '<p>Said.</p>' }
  const { shapes } = made({
    operations: {},
    shapes: {
      Plain: { ...structure({ '!a': 'String', B: 'Integer' }), ...said },
      Either: { ...structure({ '!A': 'String' }), union: true },
      Gone: structure({}, { exception: true }),
      Feed: structure({}, { eventstream: true }),
      Colour: { type: 'string', enum: ['red'], pattern: '^r', ...said },
      Colours: { type: 'list', member: { shape: 'Colour' }, ...said },
      Named: { type: 'map', key: { shape: 'Colour' }, value: { shape: 'Plain' }, ...said },
      Count: { type: 'long', ...said },
    },
  })
  const plainOf = (name: string): unknown => {
    const shape = shapes.get(name)
    return shape?.type === 'structure'
      ? { ...shape, members: Object.fromEntries(shape.members), required: [...shape.required] }
      : shape
  }
  const empty = { type: 'structure', members: {}, required: [] }
  assert.deepEqual(plainOf('Plain'), {
    type: 'structure',
    members: { A: { target: 'String', wire: 'a' }, B: { target: 'Integer', wire: 'B' } },
    required: ['A'],
    ...said,
  })
  assert.deepEqual(plainOf('Either'), {
    type: 'structure',
    members: { A: { target: 'String', wire: 'A' } },
    required: [],
    union: true,
  })
  assert.deepEqual(plainOf('Gone'), { ...empty, error: true })
  assert.deepEqual(plainOf('Feed'), { ...empty, union: true, eventStream: true })
  assert.deepEqual(plainOf('Colour'), { type: 'string', enum: ['red'], pattern: '^r$', ...said })
  assert.deepEqual(plainOf('Colours'), { type: 'list', element: 'Colour', ...said })
  assert.deepEqual(plainOf('Named'), { type: 'map', key: 'Colour', value: 'Plain', ...said })
  assert.deepEqual(plainOf('Count'), { type: 'integer', ...said })
})

test('members have names that published types can have, and keep their token and their description', () => {
  const member = { shape: 'String', idempotencyToken: true, documentation: '<p>Once.</p>' }
  const { shapes } = made({
    operations: {},
    shapes: { Odd: { type: 'structure', members: { string: member, goString: { shape: 'String' } } } },
  })
  const odd = shapes.get('Odd')
  assert.ok(odd?.type === 'structure')
  assert.deepEqual(Object.fromEntries(odd.members), {
    String_: { target: 'String', wire: 'string', idempotencyToken: true, documentation: '<p>Once.</p>' },
    GoString_: { target: 'String', wire: 'goString' },
  })
})

test('every operation has payloads of its own, and is known by its exported name', () => {
  const api = made({ operations: { makeThing: [{ name: 'String' }], getThing: [] } })
  assert.deepEqual(Object.fromEntries(api.operations), {
    MakeThing: {
      name: 'MakeThing',
      wire: 'makeThing',
      input: 'MakeThingInput',
      output: 'MakeThingOutput',
      modelInput: 'makeThingRequest',
    },
    GetThing: { name: 'GetThing', wire: 'getThing', input: 'GetThingInput', output: 'GetThingOutput' },
  })
  structureOf(api, 'MakeThingInput')?.members.delete('Name')
  assert.deepEqual(membersOf(api, 'makeThingRequest'), { Name: 'string' })
  assert.deepEqual(membersOf(api, 'GetThingInput'), {})
})

test('a shape that is called like a payload of an operation makes room for it wherever it is meant, and a payload of the model does not', () => {
  const model = smallModel({
    operations: { CreateThing: [], GetThing: [{ Own: 'GetThingOutput', Many: 'Outputs', Named: 'Keyed' }] },
    shapes: {
      CreateThingInput: structure({ Name: 'String' }),
      GetThingOutput: structure({ Age: 'Integer' }),
      OtherInput: structure({ Age: 'Integer' }),
      Outputs: { type: 'list', member: { shape: 'GetThingOutput' } },
      Keyed: { type: 'map', key: { shape: 'String' }, value: { shape: 'GetThingOutput' } },
    },
  })
  const { CreateThing: create, ...operations } = model.operations
  assert.ok(create !== undefined)
  const api = normalise({ ...model, operations: { ...operations, CreateThing: { ...create, input: 'CreateThingInput' } } })
  assert.deepEqual([...api.shapes.keys()].filter(name => /(?:Input|Output)_?$/.test(name)).sort(), [
    'CreateThingInput',
    'CreateThingOutput',
    'GetThingInput',
    'GetThingOutput',
    'GetThingOutput_',
    'OtherInput',
  ])
  assert.deepEqual(membersOf(api, 'CreateThingInput'), { Name: 'string' })
  assert.equal(structureOf(api, 'GetThingInput')?.members.get('Own')?.target, 'GetThingOutput_')
  assert.deepEqual(api.shapes.get('Outputs'), { type: 'list', element: 'GetThingOutput_' })
  assert.deepEqual(api.shapes.get('Keyed'), { type: 'map', key: 'String', value: 'GetThingOutput_' })
})
