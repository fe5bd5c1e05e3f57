import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ServiceModel, Shape } from '#aws'
import { ModelError } from './model-error.ts'
import { readModel } from './read-model.ts'

/** The shape as the reader tells it, in a service that sends XML. */
function shapeOf(shape: object, service: object = {}): Shape | undefined {
  return modelOf({ Subject: shape }, { service }).shapes['Subject']
}

interface Around {
  readonly service?: object
  readonly operations?: object
}

function modelOf(shapes: object, { service = {}, operations = {} }: Around = {}): ServiceModel {
  const metadata = {
    apiVersion: '2020-01-01',
    endpointPrefix: 'x',
    protocol: 'rest-xml',
    serviceId: 'X',
    signatureVersion: 'v4',
    ...service,
  }
  return readModel(JSON.stringify({ metadata, operations, shapes: { Text: { type: 'string' }, ...shapes } }))
}

for (const [pattern, read] of [
  ['[a-z]+', '^[a-z]+$'],
  ['^[a-z]+', '^[a-z]+$'],
  ['[a-z]+$', '^[a-z]+$'],
  ['a|b', '^(?:a|b)$'],
  ['^a|b', '^a|b$'],
  ['.*[a-z].*', '[a-z]'],
  ['.*a.*', 'a'],
  ['.*a', '^.*a$'],
  ['.*', '^.*$'],
  ['.*.*', '^.*.*$'],
] as const)
  test(`the pattern ${pattern} of a whole value is ${read}`, () =>
    assert.deepEqual(shapeOf({ type: 'string', pattern }), { type: 'string', pattern: read }))

for (const [shape, read] of [
  [{ type: 'biginteger' }, { type: 'bigInteger' }],
  [{ type: 'bigdecimal' }, { type: 'bigDecimal' }],
  [
    { type: 'long', min: 0, max: 5 },
    { type: 'long', min: 0, max: 5 },
  ],
  [
    { type: 'double', min: '-1.5', max: '5' },
    { type: 'double', min: -1.5, max: 5 },
  ],
  [{ type: 'double', min: '', max: 'many' }, { type: 'double' }],
  [{ type: 'double', min: null, max: true }, { type: 'double' }],
  [
    { type: 'string', min: 0, max: 5 },
    { type: 'string', max: 5 },
  ],
  [
    { type: 'string', min: 1 },
    { type: 'string', min: 1 },
  ],
  [
    { type: 'list', min: 0, member: { shape: 'Text' } },
    { type: 'list', member: { target: 'Text' } },
  ],
  [
    { type: 'list', member: { shape: 'Text', locationName: 'member' } },
    { type: 'list', member: { target: 'Text' } },
  ],
  [
    { type: 'list', member: { shape: 'Text', locationName: 'item' } },
    { type: 'list', member: { target: 'Text', locationName: 'item' } },
  ],
] as const)
  test(`${JSON.stringify(shape)} is read as ${JSON.stringify(read)}`, () => assert.deepEqual(shapeOf(shape), read))

for (const [shape, error] of [
  [{ exception: true }, { code: 'Subject', fault: 'client' }],
  [
    { exception: true, error: { code: 'Gone', httpStatusCode: 404 } },
    { code: 'Gone', fault: 'client', httpStatus: 404 },
  ],
  [
    { exception: true, error: { httpStatusCode: 499 } },
    { code: 'Subject', fault: 'client', httpStatus: 499 },
  ],
  [
    { exception: true, error: { httpStatusCode: 500 } },
    { code: 'Subject', fault: 'server', httpStatus: 500 },
  ],
  [
    { exception: true, fault: true, error: { httpStatusCode: 400 } },
    { code: 'Subject', fault: 'server', httpStatus: 400 },
  ],
  [
    { exception: true, error: { senderFault: false } },
    { code: 'Subject', fault: 'server' },
  ],
  [
    { exception: true, error: { senderFault: true } },
    { code: 'Subject', fault: 'client' },
  ],
  [
    { exception: true, retryable: {} },
    { code: 'Subject', fault: 'client', retryable: true },
  ],
  [
    { exception: true, retryable: { throttling: true } },
    { code: 'Subject', fault: 'client', retryable: true, throttling: true },
  ],
  [
    { exception: true, retryable: { throttling: false } },
    { code: 'Subject', fault: 'client', retryable: true },
  ],
  [{ error: { code: 'Gone' } }, undefined],
] as const)
  test(`a structure with ${JSON.stringify(shape)} is ${error === undefined ? 'no error' : `the error ${JSON.stringify(error)}`}`, () => {
    const read = shapeOf({ type: 'structure', members: {}, ...shape })
    assert.ok(read?.type === 'structure')
    assert.deepEqual(read.error, error)
  })

for (const [namespace, ofService, read] of [
  [{ uri: 'a' }, 'b', { uri: 'a' }],
  [{ uri: 'a', prefix: 'p' }, undefined, { uri: 'a', prefix: 'p' }],
  [{ uri: 'a', prefix: 'p' }, 'a', undefined],
  ['a', undefined, undefined],
] as const)
  test(`a member in the namespace ${JSON.stringify(namespace)} of a service in ${ofService} is written in ${JSON.stringify(read)}`, () => {
    const members = { A: { shape: 'Text', xmlNamespace: namespace } }
    const structure = shapeOf({ type: 'structure', members }, ofService === undefined ? {} : { xmlNamespace: ofService })
    assert.ok(structure?.type === 'structure')
    assert.deepEqual(structure.members['A']?.xmlNamespace, read)
  })

test('a structure says of its members in which namespace they are, and a list does not', () => {
  const xmlNamespace = { uri: 'a' }
  const { shapes } = modelOf({
    Subject: { type: 'structure', members: { A: { shape: 'Inner' }, B: { shape: 'Inners' } } },
    Inner: { type: 'structure', members: {}, xmlNamespace },
    Inners: { type: 'list', member: { shape: 'Text' }, xmlNamespace },
  })
  assert.deepEqual(membersOf(shapes['Subject']), { A: { target: 'Inner', xmlNamespace }, B: { target: 'Inners' } })
})

test('lists and maps are flattened where their use or they themselves say so, and nothing else is', () => {
  const { shapes } = modelOf({
    Subject: {
      type: 'structure',
      members: {
        A: { shape: 'Map', flattened: true },
        B: { shape: 'Map' },
        C: { shape: 'FlatMap' },
        D: { shape: 'List', flattened: true },
        E: { shape: 'Text', flattened: true },
      },
    },
    Map: { type: 'map', key: { shape: 'Text' }, value: { shape: 'Text' } },
    FlatMap: { type: 'map', key: { shape: 'Text' }, value: { shape: 'Text' }, flattened: true },
    List: { type: 'list', member: { shape: 'Text' } },
  })
  assert.deepEqual(membersOf(shapes['Subject']), {
    A: { target: 'Map', flattened: true },
    B: { target: 'Map' },
    C: { target: 'FlatMap', flattened: true },
    D: { target: 'List', flattened: true },
    E: { target: 'Text' },
  })
})

test('a blob streams where a member that streams uses it', () => {
  const { shapes } = modelOf({
    Subject: {
      type: 'structure',
      members: { A: { shape: 'Streams', streaming: true }, B: { shape: 'Held' }, C: { shape: 'Text', streaming: true } },
    },
    Streams: { type: 'blob' },
    Held: { type: 'blob' },
  })
  assert.deepEqual(shapes['Streams'], { type: 'blob', streaming: true })
  assert.deepEqual(shapes['Held'], { type: 'blob' })
  assert.deepEqual(shapes['Text'], { type: 'string' })
})

test('a primitive that members name needs no shape, and is the shape of that name where there is one', () => {
  const subject = { type: 'structure', members: { A: { shape: 'Integer' }, B: { shape: 'Boolean' } } }
  const { shapes } = modelOf({ Subject: subject, Integer: { type: 'integer', max: 3 } })
  assert.deepEqual(shapes['Integer'], { type: 'integer', max: 3 })
  assert.deepEqual(shapes['Boolean'], { type: 'boolean' })
  assert.deepEqual(Object.keys(shapes), ['Boolean', 'Integer', 'Subject', 'Text'])
})

test('the root element of an input has the name that its operation says', () => {
  const operations = {
    Put: { http: { method: 'PUT', requestUri: '/' }, input: { shape: 'Subject', locationName: 'PutRequest' } },
    Take: { http: { method: 'GET', requestUri: '/' }, input: { shape: 'Other', locationName: 'Other' } },
  }
  const { shapes } = modelOf(
    { Subject: { type: 'structure', members: {} }, Other: { type: 'structure', members: {} } },
    { operations },
  )
  assert.equal(shapes['Subject']?.type === 'structure' && shapes['Subject'].xmlName, 'PutRequest')
  assert.equal(shapes['Other']?.type === 'structure' && shapes['Other'].xmlName, undefined)
})

for (const [what, members] of [
  ['a member of the header', { A: { shape: 'Text', location: 'header', locationName: 'a' } }],
  ['a member that is none', { a: null }],
  ['no member', {}],
  ['an input without a shape', undefined],
] as const)
  test(`a label of a URI is not filled by ${what}`, () => {
    const operations = { Take: { http: { method: 'GET', requestUri: '/{a}' }, input: { shape: 'Subject' } } }
    const shapes = members === undefined ? {} : { Subject: { type: 'structure', members } }
    assert.throws(
      () => modelOf(shapes, { operations }),
      (error: unknown) => error instanceof ModelError && error.message.endsWith('no member of the input is bound to label {a}'),
    )
  })

function membersOf(shape: Shape | undefined): unknown {
  return shape?.type === 'structure' ? shape.members : undefined
}
