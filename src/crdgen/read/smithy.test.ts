import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ServiceModel } from '#aws'
import { ModelError } from './model-error.ts'
import { readModel } from './read-model.ts'

const id = (name: string): string => `com.amazonaws.x#${name}`
const rest = { 'aws.protocols#restJson1': {} }

function modelOf(
  operations: object,
  { traits = rest, ...service }: { readonly traits?: object; readonly [word: string]: unknown } = {},
): ServiceModel {
  const shapes = {
    [id('X_1')]: { type: 'service', traits, ...service },
    [id('Input')]: { type: 'structure', members: {} },
    ...errors,
  }
  const listed = Object.entries(operations).map(([name, operation]) => [
    id(name),
    { type: 'operation', ...(operation as object) },
  ])
  return readModel(JSON.stringify({ smithy: '2.0', shapes: { ...shapes, ...(Object.fromEntries(listed) as object) } }))
}

const errors = {
  [id('Gone')]: { type: 'structure', members: {}, traits: { 'smithy.api#error': 'client' } },
  [id('Busy')]: { type: 'structure', members: {}, traits: { 'smithy.api#error': 'server' } },
}
const http = { method: 'POST', uri: '/', code: 200 }

for (const [operation, read] of [
  [{}, {}],
  [{ 'smithy.api#http': { method: 'PUT', uri: '/a', code: 201 } }, { http: { method: 'PUT', uri: '/a', code: 201 } }],
  [{ 'smithy.api#http': { method: 'PUT', uri: '/a' } }, { http: { method: 'PUT', uri: '/a', code: 200 } }],
  [{ 'smithy.api#optionalAuth': {} }, { unsigned: true }],
  [{ 'smithy.api#auth': [] }, { unsigned: true }],
  [{ 'smithy.api#auth': ['aws.auth#sigv4'] }, {}],
  [{ 'smithy.api#auth': '' }, {}],
  [{ 'smithy.api#httpChecksumRequired': {} }, { checksumRequired: true }],
  [{ 'aws.protocols#httpChecksum': { requestChecksumRequired: true } }, { checksumRequired: true }],
  [{ 'aws.protocols#httpChecksum': { requestChecksumRequired: false } }, {}],
  [{ 'aws.protocols#httpChecksum': { requestAlgorithmMember: 'A' } }, { checksum: { algorithmMember: 'A' } }],
  [{ 'aws.auth#unsignedPayload': {} }, { unsignedPayload: true }],
  [{ 'smithy.api#documentation': 'Puts.' }, {}],
] as const)
  test(`an operation with ${JSON.stringify(operation)} is read with ${JSON.stringify(read)}`, () => {
    const { operations } = modelOf({ Put: { traits: { 'smithy.api#http': http, ...operation } } })
    assert.deepEqual(operations['Put'], { name: 'Put', http, errors: [], ...read })
  })

test('a protocol without bindings has one method, path and code for all', () => {
  const { operations } = modelOf(
    { Put: { traits: { 'smithy.api#http': { method: 'PUT', uri: '/a', code: 201 } } } },
    { traits: { 'aws.protocols#awsQuery': {} } },
  )
  assert.deepEqual(operations['Put']?.http, http)
})

test('what an operation takes and gives is told, and nothing where that is nothing', () => {
  const traits = { 'smithy.api#http': http }
  const { operations } = modelOf({
    Both: { traits, input: { target: id('Input') }, output: { target: id('Input') } },
    None: { traits, input: { target: 'smithy.api#Unit' } },
  })
  assert.deepEqual(
    Object.values(operations).map(({ name, input, output }) => [name, input, output]),
    [
      ['Both', 'Input', 'Input'],
      ['None', undefined, undefined],
    ],
  )
})

test('errors of the service are those of each operation too, each once and in order', () => {
  const [gone, busy] = [{ target: id('Gone') }, { target: id('Busy') }]
  const { operations } = modelOf({ Put: { traits: { 'smithy.api#http': http }, errors: [gone, busy] } }, { errors: [gone] })
  assert.deepEqual(operations['Put']?.errors, ['Busy', 'Gone'])
})

for (const [sdkId, name, unsigned] of [
  ['STS', 'AssumeRoleWithSAML', true],
  ['STS', 'AssumeRoleWithWebIdentity', true],
  ['STS', 'AssumeRole', undefined],
  ['SNS', 'AssumeRoleWithSAML', undefined],
  ['constructor', 'AssumeRoleWithSAML', undefined],
] as const)
  test(`${name} of ${sdkId} is ${unsigned === true ? 'sent without credentials' : 'signed'}`, () => {
    const traits = { ...rest, 'aws.api#service': { sdkId } }
    const { operations } = modelOf({ [name]: { traits: { 'smithy.api#http': http } } }, { traits })
    assert.equal(operations[name]?.unsigned, unsigned)
  })

for (const [of, words, read] of [
  [undefined, undefined, undefined],
  [{ inputToken: 'A', outputToken: 'B' }, undefined, undefined],
  [
    { inputToken: 'A', outputToken: 'B', pageSize: 'C' },
    { items: 'D' },
    { inputToken: 'A', outputToken: 'B', pageSize: 'C', items: 'D' },
  ],
  [{ inputToken: 'A', outputToken: 'B' }, { inputToken: 'E' }, { inputToken: 'E', outputToken: 'B' }],
  [{ inputToken: 'A' }, { items: 'D' }, undefined],
  [{ outputToken: 'B' }, { items: 'D' }, undefined],
] as const)
  test(`a list with ${JSON.stringify(words)} of a service with ${JSON.stringify(of)} is ${read === undefined ? 'not paged' : `paged by ${JSON.stringify(read)}`}`, () => {
    const paged = (value: object | undefined): object => (value === undefined ? {} : { 'smithy.api#paginated': value })
    const { operations } = modelOf(
      { Take: { traits: { 'smithy.api#http': http, ...paged(words) } } },
      { traits: { ...rest, ...paged(of) } },
    )
    assert.deepEqual(operations['Take']?.paginated, read)
  })

for (const [traits, protocol, targetPrefix] of [
  [{ 'aws.protocols#awsQuery': {} }, 'query', undefined],
  [{ 'aws.protocols#awsJson1_0': {}, 'aws.protocols#awsQueryCompatible': {} }, 'json-1.0', 'X_1'],
  [{ 'aws.protocols#awsJson1_1': {} }, 'json-1.1', 'X_1'],
  [{ 'smithy.protocols#rpcv2Cbor': {} }, 'cbor', 'X_1'],
  [{ 'smithy.protocols#rpcv2Cbor': {}, 'smithy.protocols#rpcv3': {}, 'aws.protocols#awsQuery': {} }, 'query', undefined],
] as const)
  test(`a service with ${Object.keys(traits).join(' and ')} speaks ${protocol} with the target ${targetPrefix}`, () => {
    const model = modelOf({}, { traits })
    assert.deepEqual([model.protocol, model.targetPrefix], [protocol, targetPrefix])
    assert.equal(model.queryCompatible, 'aws.protocols#awsQueryCompatible' in traits ? true : undefined)
  })

for (const [traits, offers] of [
  [{}, 'none'],
  [{ 'aws.api#service': {}, 'aws.protocols#awsQueryCompatible': {} }, 'none'],
  [{ 'smithy.api#title': 'X', 'smithy.protocols#rpcv3': {} }, 'smithy.protocols#rpcv3'],
] as const)
  test(`a service with ${Object.keys(traits).join(' and ') || 'no trait'} is refused: it offers ${offers}`, () =>
    assert.throws(
      () => modelOf({}, { traits }),
      (error: unknown) =>
        error instanceof ModelError &&
        error.code === 'unsupported-protocol' &&
        error.message.startsWith(`model: the service offers ${offers}; supported is json-1.1, `),
    ))

for (const [service, told] of [
  [{}, ['X_1', 'x_1', 'x_1', '']],
  [{ version: '2020-01-01', traits: { 'aws.api#service': { sdkId: 'My X' } } }, ['My X', 'myx', 'myx', '2020-01-01']],
  [{ traits: { 'aws.api#service': { sdkId: 'My X', endpointPrefix: 'x' } } }, ['My X', 'x', 'x', '']],
  [{ traits: { 'aws.api#service': { endpointPrefix: 'x' }, 'aws.auth#sigv4': { name: 'y' } } }, ['X_1', 'x', 'y', '']],
] as const)
  test(`a service with ${JSON.stringify(service)} is called ${told.filter(word => word !== '').join(', ')}`, () => {
    const { traits = {}, ...others } = service as { readonly traits?: object }
    const model = modelOf({}, { ...others, traits: { ...rest, ...traits } })
    assert.deepEqual([model.id, model.endpointPrefix, model.signingName, model.apiVersion], told)
  })

test('a shape that is none is refused with its id, wherever it stands', () => {
  const service = { type: 'service', traits: rest }
  for (const shapes of [
    { [id('None')]: null, [id('X_1')]: service },
    { [id('X_1')]: service, [id('None')]: null },
  ])
    assert.throws(
      () => readModel(JSON.stringify({ smithy: '2.0', shapes })),
      (error: unknown) =>
        error instanceof ModelError && error.message === 'model: shape "com.amazonaws.x#None": expected an object, found null',
    )
})
