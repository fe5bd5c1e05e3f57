import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ServiceModel, Shape } from '#aws'
import { ModelError } from './model-error.ts'
import { readModel } from './read-model.ts'

const id = (name: string): string => `com.amazonaws.x#${name}`

/** Shapes of a service by their short names. */
function modelOf(shapes: object, service: object = {}): ServiceModel {
  const named = Object.entries({
    X: { type: 'service', traits: { 'aws.protocols#restXml': {} }, ...service },
    Text: { type: 'string' },
    ...shapes,
  }).map(([name, shape]) => [id(name), shape as object])
  return readModel(JSON.stringify({ smithy: '2.0', shapes: Object.fromEntries(named) }))
}

function shapeOf(shape: object, others: object = {}): Shape | undefined {
  return modelOf({ ...others, Subject: shape }).shapes['Subject']
}

function traitsOf(words: object): object {
  return Object.fromEntries(Object.entries(words).map(([word, value]) => [`smithy.api#${word}`, value as unknown]))
}

for (const [traits, read] of [
  [{}, {}],
  [{ xmlName: 'A' }, {}],
  [{ xmlName: 'B' }, { locationName: 'B' }],
  [{ jsonName: 'C' }, { locationName: 'C' }],
  [{ xmlName: 'B', jsonName: 'C' }, { locationName: 'B' }],
  [{ xmlName: 'A', httpPayload: {} }, { locationName: 'A' }],
  [{ httpHeader: 'x-a' }, { location: 'header', locationName: 'x-a' }],
  [{ httpHeader: 'A' }, { location: 'header' }],
  [{ httpPrefixHeaders: 'x-' }, { location: 'headers', locationName: 'x-' }],
  [{ httpPrefixHeaders: '' }, { location: 'headers', locationName: '' }],
  [{ httpQuery: 'a' }, { location: 'querystring', locationName: 'a' }],
  [{ httpQueryParams: {} }, { location: 'querystring' }],
  [{ httpResponseCode: {} }, { location: 'statusCode' }],
  [{ xmlNamespace: { uri: 'u' } }, { xmlNamespace: { uri: 'u' } }],
  [{ xmlNamespace: { uri: 'u', prefix: 'p' } }, { xmlNamespace: { uri: 'u', prefix: 'p' } }],
  [{ timestampFormat: 'epoch-seconds' }, { timestampFormat: 'epoch-seconds' }],
  [{ timestampFormat: 'date-time' }, { timestampFormat: 'date-time' }],
  [{ timestampFormat: 'http-date' }, { timestampFormat: 'http-date' }],
] as const)
  test(`a member with ${JSON.stringify(traits)} is read with ${JSON.stringify(read)}`, () => {
    const found = shapeOf({ type: 'structure', members: { A: { target: id('Text'), traits: traitsOf(traits) } } })
    assert.deepEqual(found?.type === 'structure' && found.members, { A: { target: 'Text', ...read } })
  })

for (const [shape, read] of [
  [{ type: 'string' }, {}],
  [{ type: 'string', length: { min: 0, max: 5 } }, { max: 5 }],
  [{ type: 'string', length: { min: 1 } }, { min: 1 }],
  [{ type: 'string', range: { min: 1 } }, {}],
  [
    { type: 'integer', range: { min: 0, max: 5 } },
    { min: 0, max: 5 },
  ],
  [{ type: 'integer', range: { min: 1 } }, { min: 1 }],
  [{ type: 'integer', range: 'wide' }, {}],
  [{ type: 'string', enum: [{ value: 'b' }, { value: 'a', name: 'A' }] }, { enum: ['b', 'a'] }],
  [{ type: 'timestamp', timestampFormat: 'date-time' }, { format: 'date-time' }],
] as const)
  test(`${JSON.stringify(shape)} is read with ${JSON.stringify(read)}`, () => {
    const { type, ...traits } = shape
    assert.deepEqual(shapeOf({ type, traits: traitsOf(traits) }), { type, ...read })
  })

test('values of an enum are sorted, and one that says no value is its own name', () => {
  const members = {
    Z: { target: 'smithy.api#Unit' },
    A: { target: 'smithy.api#Unit', traits: traitsOf({ enumValue: 'b' }) },
    One: { target: 'smithy.api#Unit', traits: traitsOf({ enumValue: 1 }) },
  }
  assert.deepEqual(shapeOf({ type: 'enum', members }), { type: 'string', enum: ['One', 'Z', 'b'] })
})

const queryError = (words: object): object => ({ 'aws.protocols#awsQueryError': words })

for (const [traits, error] of [
  [traitsOf({}), undefined],
  [traitsOf({ httpError: 404 }), undefined],
  [traitsOf({ error: 'client' }), { code: 'Subject', fault: 'client' }],
  [traitsOf({ error: 'server' }), { code: 'Subject', fault: 'server' }],
  [traitsOf({ error: 'client', httpError: 404 }), { code: 'Subject', fault: 'client', httpStatus: 404 }],
  [
    { ...traitsOf({ error: 'client', httpError: 404 }), ...queryError({ code: 'Gone', httpResponseCode: 410 }) },
    { code: 'Gone', fault: 'client', httpStatus: 410 },
  ],
  [traitsOf({ error: 'client', retryable: {} }), { code: 'Subject', fault: 'client', retryable: true }],
  [
    traitsOf({ error: 'client', retryable: { throttling: true } }),
    { code: 'Subject', fault: 'client', retryable: true, throttling: true },
  ],
  [traitsOf({ error: 'client', retryable: { throttling: false } }), { code: 'Subject', fault: 'client', retryable: true }],
  [traitsOf({ error: 'client', retryable: true }), { code: 'Subject', fault: 'client', retryable: true }],
] as const)
  test(`a structure with ${JSON.stringify(traits)} is ${error === undefined ? 'no error' : `the error ${JSON.stringify(error)}`}`, () => {
    const read = shapeOf({ type: 'structure', members: {}, traits })
    assert.deepEqual(read?.type === 'structure' && read.error, error)
  })

test('members of mixins stand before its own, which win', () => {
  const members = (...names: readonly string[]): object =>
    Object.fromEntries(names.map(name => [name, { target: id(name === 'Both' ? 'Number' : 'Text') }]))
  const read = shapeOf(
    {
      type: 'structure',
      members: { Own: { target: id('Text') }, Both: { target: id('Text') } },
      mixins: [{ target: id('Mixin') }],
    },
    {
      Number: { type: 'integer' },
      Mixin: { type: 'structure', members: members('Mixed', 'Both'), mixins: [{ target: id('Deeper') }] },
      Deeper: { type: 'structure', members: members('Deep') },
    },
  )
  assert.ok(read?.type === 'structure')
  assert.deepEqual(
    Object.entries(read.members).map(([name, { target }]) => `${name}: ${target}`),
    ['Deep: Text', 'Mixed: Text', 'Both: Text', 'Own: Text'],
  )
})

/** A shape with a mixin that has a mixin, and so on. */
function mixedChain(length: number): ServiceModel {
  const chain = Array.from({ length }, (_, at) => [
    `Part${at}`,
    {
      type: 'structure',
      members: { [`M${at}`]: { target: id('Text') } },
      ...(at === length - 1 ? {} : { mixins: [{ target: id(`Part${at + 1}`) }] }),
    },
  ])
  return modelOf(Object.fromEntries(chain) as object)
}

test('a mixin has mixins, twenty deep; what goes on is taken for a ring', () => {
  const first = mixedChain(22).shapes['Part0']
  assert.equal(first?.type === 'structure' && Object.keys(first.members).length, 22)
  refuses(() => mixedChain(23), 'malformed', 'model: shape "com.amazonaws.x#Part0": its mixins form a ring')
})

test('a mixin that is not there and a format of time that nobody knows are refused with the shape', () => {
  refuses(
    () => shapeOf({ type: 'structure', members: {}, mixins: [{ target: id('Gone') }] }),
    'unresolved',
    'model: shape "com.amazonaws.x#Subject", mixin, refers to shape "com.amazonaws.x#Gone", which does not exist',
  )
  refuses(
    () => shapeOf({ type: 'timestamp', traits: traitsOf({ timestampFormat: 'rfc822' }) }),
    'malformed',
    'model: shape "com.amazonaws.x#Subject": unknown timestamp format "rfc822"',
  )
})

test('the namespace of the service has the first right to a name, whatever comes first in the document', () => {
  const shapes = {
    'org.other#Thing': { type: 'integer' },
    'org.other#Renamed': { type: 'integer' },
    [id('X')]: {
      type: 'service',
      traits: { 'aws.protocols#restXml': {} },
      rename: { 'org.other#Renamed': 'Fresh', 'org.other#Third': 7 },
    },
    [id('Thing')]: { type: 'string' },
    'org.other#Third': { type: 'integer' },
  }
  const { shapes: read } = readModel(JSON.stringify({ smithy: '2.0', shapes }))
  assert.deepEqual(read, {
    Fresh: { type: 'integer' },
    Thing: { type: 'string' },
    Third: { type: 'integer' },
    'org.other#Thing': { type: 'integer' },
  })
})

for (const [mine, target, shapes] of [
  [{}, 'Integer', { Integer: { type: 'integer' } }],
  [{ Integer: { type: 'integer' } }, 'Integer', { Integer: { type: 'integer' } }],
  [
    { Integer: { type: 'string' } },
    'smithy.api#Integer',
    { Integer: { type: 'string' }, 'smithy.api#Integer': { type: 'integer' } },
  ],
] as const)
  test(`of a service with ${JSON.stringify(mine)} a plain number is called ${target}`, () => {
    const model = modelOf({ ...mine, Subject: { type: 'list', member: { target: 'smithy.api#Integer' } } })
    const { Subject: subject, Text: _text, ...others } = model.shapes
    assert.deepEqual(subject, { type: 'list', member: { target } })
    assert.deepEqual(others, shapes)
  })

function refuses(read: () => unknown, code: ModelError['code'], message: string): void {
  assert.throws(read, (error: unknown) => {
    assert.ok(error instanceof ModelError, String(error))
    assert.deepEqual([error.code, error.message], [code, message])
    return true
  })
}
