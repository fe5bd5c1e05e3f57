import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Shape } from '#aws'
import { readModel } from './read-model.ts'

/** The shape as the reader tells it, in a service that sends XML. */
function shapeOf(shape: object, service: object = {}): Shape | undefined {
  const metadata = {
    apiVersion: '2020-01-01',
    endpointPrefix: 'x',
    protocol: 'rest-xml',
    serviceId: 'X',
    signatureVersion: 'v4',
    ...service,
  }
  const shapes = { Text: { type: 'string' }, Subject: shape }
  return readModel(JSON.stringify({ metadata, operations: {}, shapes })).shapes['Subject']
}

for (const [pattern, read] of [
  ['[a-z]+', '^[a-z]+$'],
  ['^[a-z]+', '^[a-z]+$'],
  ['[a-z]+$', '^[a-z]+$'],
  ['a|b', '^(?:a|b)$'],
  ['^a|b', '^a|b$'],
  ['.*[a-z].*', '[a-z]'],
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
