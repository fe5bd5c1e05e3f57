import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Operation, ServiceModel } from '#aws'
import { ModelError } from './model-error.ts'
import { readModel } from './read-model.ts'

function modelOf(
  operations: object,
  { paginators, ...service }: { readonly paginators?: object; readonly [word: string]: unknown } = {},
): ServiceModel {
  const metadata = { apiVersion: '2020-01-01', endpointPrefix: 'x', protocol: 'rest-json', ...service }
  const shapes = { Input: { type: 'structure', members: { Name: { shape: 'Text' } } }, Text: { type: 'string' } }
  const beside = paginators === undefined ? {} : { paginators: JSON.stringify({ pagination: paginators }) }
  return readModel(JSON.stringify({ metadata, operations, shapes }), beside)
}

const http = { method: 'POST', requestUri: '/' }
const plain: Operation = { name: 'Put', http: { method: 'POST', uri: '/', code: 200 }, errors: [] }

for (const [operation, read] of [
  [{}, {}],
  [{ name: 'PutThing' }, { name: 'PutThing' }],
  [{ http: { ...http, responseCode: 201 } }, { http: { ...plain.http, code: 201 } }],
  [{ authtype: 'none' }, { unsigned: true }],
  [{ authtype: 'v4' }, {}],
  [{ authtype: 'v4-unsigned-body' }, { unsignedPayload: true }],
  [{ unsignedPayload: true }, { unsignedPayload: true }],
  [{ httpChecksumRequired: true }, { checksumRequired: true }],
  [{ httpChecksum: { requestChecksumRequired: true } }, { checksumRequired: true }],
  [{ httpChecksum: { requestAlgorithmMember: 'A' } }, { checksum: { algorithmMember: 'A' } }],
  [{ httpChecksum: { responseAlgorithms: ['CRC32'] } }, { checksum: { responseAlgorithms: ['CRC32'] } }],
  [{ output: { shape: 'Input', resultWrapper: 'PutResult' } }, { output: 'Input' }],
  [{ output: { shape: 'Input', resultWrapper: 'Result' } }, { output: 'Input', resultWrapper: 'Result' }],
] as const)
  test(`an operation with ${JSON.stringify(operation)} is read with ${JSON.stringify(read)}`, () =>
    assert.deepEqual(modelOf({ Put: { http, ...operation } }).operations['Put'], { ...plain, ...read }))

test('a protocol without bindings has one method, path and code for all', () => {
  const { operations } = modelOf({ Put: { http: { method: 'PUT', requestUri: '/x', responseCode: 201 } } }, { protocol: 'query' })
  assert.deepEqual(operations['Put'], plain)
})

for (const [words, read] of [
  [
    { input_token: 'A', output_token: 'B', limit_key: 'C', result_key: 'D' },
    { inputToken: 'A', outputToken: 'B', pageSize: 'C', items: 'D' },
  ],
  [
    { input_token: 'A', output_token: 'B.C', result_key: ['D', 'E'] },
    { inputToken: 'A', outputToken: 'B.C' },
  ],
  [{ input_token: ['A', 'B'], output_token: 'C' }, undefined],
  [{ input_token: 'A', output_token: ['B', 'C'] }, undefined],
  [{ input_token: 'A', output_token: 'B || C[-1].D' }, undefined],
  [{ output_token: 'B' }, undefined],
  [{}, undefined],
] as const)
  test(`a list with ${JSON.stringify(words)} is ${read === undefined ? 'not paged' : `paged by ${JSON.stringify(read)}`}`, () =>
    assert.deepEqual(modelOf({ Put: { http } }, { paginators: { Put: words } }).operations['Put']?.paginated, read))

for (const [metadata, protocol] of [
  [{ protocols: ['query'], protocol: 'rest-xml' }, 'query'],
  [{ protocols: [], protocol: 'rest-xml' }, 'rest-xml'],
  [{ protocol: 'json', jsonVersion: '1.0' }, 'json-1.0'],
  [{ protocol: 'json', jsonVersion: '1.1' }, 'json-1.1'],
  [{ protocols: ['smithy-rpc-v2-cbor'] }, 'cbor'],
] as const)
  test(`${JSON.stringify(metadata)} speaks ${protocol}`, () => assert.equal(modelOf({}, metadata).protocol, protocol))

for (const [service, id, signingName] of [
  [{}, 'x', 'x'],
  [{ serviceFullName: 'Amazon X', signingName: 'y' }, 'Amazon X', 'y'],
  [{ serviceFullName: 'Amazon X', serviceAbbreviation: 'AX' }, 'AX', 'x'],
  [{ serviceFullName: 'Amazon X', serviceAbbreviation: 'AX', serviceId: 'X one' }, 'X one', 'x'],
] as const)
  test(`a service with ${JSON.stringify(service)} is ${id} and signs as ${signingName}`, () => {
    const model = modelOf({}, service)
    assert.deepEqual([model.id, model.signingName], [id, signingName])
  })

for (const [operations, service, namespace] of [
  [{}, {}, undefined],
  [{ Put: { http, input: { shape: 'Input', xmlNamespace: { uri: 'of-an-input' } } } }, {}, 'of-an-input'],
  [{ Put: { http }, Take: { http, input: { shape: 'Input', xmlNamespace: { uri: 'a' } } } }, { xmlNamespace: 'own' }, 'own'],
  [{ Put: { http, input: { shape: 'Input', xmlNamespace: 'text' } } }, {}, undefined],
  [{ Put: { http, input: { shape: 'Input', xmlNamespace: {} } } }, {}, undefined],
] as const)
  test(`operations ${JSON.stringify(operations)} of a service in ${JSON.stringify(service)} are in the namespace ${namespace}`, () =>
    assert.equal(modelOf(operations, service).xmlNamespace, namespace))

test('the target of a service is told where the protocol sends it', () => {
  const service = { targetPrefix: 'X_1', jsonVersion: '1.1' }
  assert.equal(modelOf({}, { ...service, protocol: 'json' }).targetPrefix, 'X_1')
  assert.equal(modelOf({}, { ...service, protocol: 'query' }).targetPrefix, undefined)
})

for (const [metadata, words] of [
  [{ protocols: ['soap', 'smoke'] }, /the service offers soap, smoke; supported is json-1\.1, .*, cbor$/],
  [{ protocol: 'soap' }, /the service offers soap; supported is/],
] as const)
  test(`${JSON.stringify(metadata)} is refused: ${words.source}`, () =>
    assert.throws(
      () => modelOf({}, metadata),
      (error: unknown) => error instanceof ModelError && error.code === 'unsupported-protocol' && words.test(error.message),
    ))
