import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { decodeProtobuf } from './decode.ts'

type Bytes = readonly number[]

function varint(value: number): Bytes {
  const out: number[] = []
  let rest = value
  do {
    out.push((rest & 0x7f) | (rest > 0x7f ? 0x80 : 0))
    rest >>>= 7
  } while (rest > 0)
  return out
}

function number(field: number, value: number): Bytes {
  return [...varint(field << 3), ...varint(value)]
}

function text(field: number, value: string): Bytes {
  return message(field, [...Buffer.from(value)])
}

function message(field: number, ...parts: readonly Bytes[]): Bytes {
  const body = parts.flat()
  return [...varint((field << 3) | 2), ...varint(body.length), ...body]
}

function envelope(apiVersion: string, kind: string, ...raw: readonly Bytes[]): Uint8Array {
  return Uint8Array.from([0x6b, 0x38, 0x73, 0, ...message(1, text(1, apiVersion), text(2, kind)), ...message(2, ...raw)])
}

function decoded(body: Uint8Array): unknown {
  const result = decodeProtobuf(body)
  assert.equal(result.kind, 'decoded')
  return result.kind === 'decoded' ? result.object : undefined
}

test('a ConfigMap arrives whole, its bytes as base64 [#19]', () => {
  const entry = (field: number, key: string, value: Bytes): Bytes => message(field, text(1, key), value)
  const body = envelope(
    'v1',
    'ConfigMap',
    message(1, text(1, 'cm'), text(3, ''), message(11, text(1, 'l'), text(2, 'v'))),
    entry(2, 'a', text(2, 'b')),
    entry(3, 'x', message(2, [1, 2, 3])),
    number(4, 0),
  )
  assert.deepEqual(decoded(body), {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'cm', labels: { l: 'v' } },
    data: { a: 'b' },
    binaryData: { x: 'AQID' },
    immutable: false,
  })
})

test('zero replicas behind a pointer are zero, a plain zero is nothing [#20]', () => {
  assert.deepEqual(decoded(envelope('apps/v1', 'Deployment', message(2, number(1, 0), number(5, 0)))), {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    spec: { replicas: 0 },
  })
})

test('times, micro-times, numbers or text, quantities and inlined sources read as JSON has them', () => {
  const time = message(4, number(1, 1_700_000_000), number(2, 123_456_000))
  assert.deepEqual(decoded(envelope('coordination.k8s.io/v1', 'Lease', message(2, time, message(3)))), {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    spec: { renewTime: '2023-11-14T22:13:20.123456Z' },
  })
  const port = message(1, number(3, 80), message(4, number(1, 1), number(2, 0), text(3, 'http')))
  assert.deepEqual(decoded(envelope('v1', 'Service', message(2, port))), {
    apiVersion: 'v1',
    kind: 'Service',
    spec: { ports: [{ port: 80, targetPort: 'http' }] },
  })
  const volume = message(1, text(1, 'v'), message(2, message(2, text(1, ''), message(2, text(1, '1Gi')))))
  assert.deepEqual(decoded(envelope('v1', 'Pod', message(2, volume))), {
    apiVersion: 'v1',
    kind: 'Pod',
    spec: { volumes: [{ name: 'v', emptyDir: { sizeLimit: '1Gi' } }] },
  })
})

test('options arrive under the group of the resource they are for, and unknown fields are skipped', () => {
  assert.deepEqual(decoded(envelope('apps/v1', 'DeleteOptions', number(1, 5), text(4, 'Foreground'), text(99, 'x'))), {
    apiVersion: 'apps/v1',
    kind: 'DeleteOptions',
    gracePeriodSeconds: 5,
    propagationPolicy: 'Foreground',
  })
})

/** Negative numbers have all ten bytes. */
function signed(field: number, value: bigint): Bytes {
  const out: number[] = []
  let rest = BigInt.asUintN(64, value)
  for (; rest > 0x7fn; rest >>= 7n) out.push(Number(rest & 0x7fn) | 0x80)
  return [...varint(field << 3), ...out, Number(rest)]
}

function double(field: number, value: number): Bytes {
  const bytes = Buffer.alloc(8)
  bytes.writeDoubleLE(value)
  return [...varint((field << 3) | 1), ...bytes]
}

function refusalOf(body: Uint8Array): string {
  const result = decodeProtobuf(body)
  return result.kind === 'refused' ? result.message : 'decoded'
}

/** The one schema of a definition, written and read. */
function definitionOf(...schema: readonly Bytes[]): Uint8Array {
  return envelope(
    'apiextensions.k8s.io/v1',
    'CustomResourceDefinition',
    message(2, message(7, message(4, message(1, ...schema)))),
  )
}

function schemaOf(...schema: readonly Bytes[]): unknown {
  const { spec } = decoded(definitionOf(...schema)) as {
    spec: { versions: readonly { schema: { openAPIV3Schema: unknown } }[] }
  }
  return spec.versions[0]?.schema.openAPIV3Schema
}

const ofText = text(5, 'string')
for (const [said, schema, wanted] of [
  ['numbers with a fraction', double(9, 1.5), { maximum: 1.5 }],
  ['a default', message(8, text(1, '{"a":[1]}')), { default: { a: [1] } }],
  ['a default of no bytes', message(8, text(1, '')), {}],
  ['a default of one byte', message(8, text(1, '5')), { default: 5 }],
  ['a default without bytes', message(8), {}],
  ['a default with something else', message(8, text(2, '5')), {}],
  ['values to choose from', [...message(20, text(1, '"x"')), ...message(20, text(1, 'null'))], { enum: ['x', null] }],
  ['a schema of items', message(24, message(1, ofText)), { items: { type: 'string' } }],
  ['schemas of items', message(24, message(2, ofText), message(2)), { items: { type: 'string' } }],
  ['any further members', message(30, number(1, 1)), { additionalProperties: true }],
  ['no further members', message(30, number(1, 0)), { additionalProperties: false }],
  ['nothing about further members', message(30), { additionalProperties: false }],
  ['a schema of further members', message(30, number(1, 1), message(2, ofText)), { additionalProperties: { type: 'string' } }],
  ['a member about which nothing is said', message(29, text(1, 'a')), { properties: { a: {} } }],
] as const)
  test(`a schema says ${said}`, () => {
    assert.deepEqual(schemaOf(schema), wanted)
  })

test('what should be JSON and is not is refused', () => {
  assert.equal(refusalOf(definitionOf(message(8, text(1, '{')))), 'a field that holds JSON holds something else')
})

for (const [field, wrap] of [
  [28, (inner: Bytes): Bytes => message(28, inner)],
  [24, (inner: Bytes): Bytes => message(24, message(1, inner))],
] as const)
  test(`schemas nest in field ${field} to a depth of 150 and no further`, () => {
    const nested = (count: number): Bytes => Array.from({ length: count }).reduce<Bytes>(inner => wrap(inner), ofText)
    assert.equal(refusalOf(definitionOf(nested(146))), 'decoded')
    assert.equal(refusalOf(definitionOf(nested(147))), 'the message nests too deeply')
  })

test('a list within a map is whole, and what has no value is empty', () => {
  const extra = [message(5, text(1, 'a'), message(2, text(1, 'x'), text(1, 'y'))), message(5, text(1, 'b'))]
  assert.deepEqual(decoded(envelope('authorization.k8s.io/v1', 'SubjectAccessReview', message(2, ...extra))), {
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SubjectAccessReview',
    spec: { extra: { a: ['x', 'y'], b: [] } },
  })
  assert.deepEqual(decoded(envelope('v1', 'ConfigMap', message(2, text(1, 'a')))), {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    data: { a: '' },
  })
})

const inPod = (...spec: readonly Bytes[]): unknown =>
  (decoded(envelope('v1', 'Pod', message(2, ...spec))) as { spec: unknown }).spec

test('numbers of a list come one by one or packed, those below nought too', () => {
  const packed = message(4, [...varint(1), ...varint(128), ...varint(300), ...signed(0, -2n).slice(1)])
  assert.deepEqual(inPod(message(14, packed)), { securityContext: { supplementalGroups: [1, 128, 300, -2] } })
  const single = [number(4, 7), number(4, 300), signed(4, -1n)]
  assert.deepEqual(inPod(message(14, ...single)), { securityContext: { supplementalGroups: [7, 300, -1] } })
})

test('yes is said, and a plain no is nothing', () => {
  assert.deepEqual(inPod(number(11, 1)), { hostNetwork: true })
  assert.deepEqual(inPod(number(11, 0)), {})
})

const made = (seconds: bigint): unknown => {
  const meta = message(1, message(8, signed(1, seconds)))
  const { metadata } = decoded(envelope('v1', 'ConfigMap', meta)) as { metadata: { creationTimestamp?: string } }
  return metadata.creationTimestamp
}

test('a time is of whole seconds, and of the years that its text has room for', () => {
  assert.equal(made(1_700_000_000n), '2023-11-14T22:13:20Z')
  assert.equal(made(-1n), '1969-12-31T23:59:59Z')
  assert.equal(made(253_402_300_799n), '9999-12-31T23:59:59Z')
  assert.equal(made(253_402_300_800n), undefined)
  assert.equal(made(-62_135_596_801n), undefined)
})

test('a port of which no form is said is a number', () => {
  const service = envelope('v1', 'Service', message(2, message(1, number(3, 80), message(4, number(2, 8_080), text(3, 'http')))))
  const { spec } = decoded(service) as { spec: { ports: readonly object[] } }
  assert.deepEqual(spec.ports, [{ port: 80, targetPort: 8_080 }])
})

test('a version may begin with the slash of a group that has no name', () => {
  assert.deepEqual(decoded(envelope('/v1', 'ConfigMap')), { apiVersion: '/v1', kind: 'ConfigMap' })
})

const fixed32 = [...varint((99 << 3) | 5), 1, 2, 3, 4]
for (const [said, raw, why] of [
  ['a number of four bytes that nobody knows', [...fixed32, ...number(4, 0)], 'decoded'],
  ['a number of four bytes that ends too soon', fixed32.slice(0, -1), 'unexpected EOF'],
  ['a number of ten bytes', signed(99, -1n), 'decoded'],
  ['a number of eleven bytes', [...varint(99 << 3), ...Array.from({ length: 10 }, () => 0x80), 1], 'proto: integer overflow'],
  ['a field without a number', [0, 1], 'proto: illegal tag 0 (wire type 0)'],
  ['another field without a number', [2, 0], 'proto: illegal tag 0 (wire type 2)'],
  ['a form that is none', [(1 << 3) | 3], 'proto: illegal wireType 3'],
  ['a form of its own', [(1 << 3) | 7], 'proto: illegal wireType 7'],
  ['a text where a message should be', number(1, 5), 'proto: wrong wireType for a message'],
] as const)
  test(`${said} is ${why === 'decoded' ? 'passed over' : 'refused'}`, () => {
    assert.equal(refusalOf(envelope('v1', 'ConfigMap', raw)), why)
  })

test('every byte of the beginning counts', () => {
  const body = envelope('v1', 'ConfigMap')
  const prefix = 'provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]'
  for (const index of [0, 1, 2, 3]) assert.equal(refusalOf(body.with(index, 0xff)), prefix)
  assert.equal(refusalOf(body), 'decoded')
})

test('what is no protobuf body, or of no known kind, is refused with a reason', () => {
  assert.equal(decodeProtobuf(Buffer.from('{}')).kind, 'refused')
  assert.equal(decodeProtobuf(envelope('v9', 'Nothing')).kind, 'refused')
  const cut = envelope('v1', 'ConfigMap', message(1, text(1, 'cm'))).subarray(0, 20)
  assert.equal(decodeProtobuf(cut).kind, 'refused')
})

test('any bytes give a result and never another error', () => {
  fc.assert(
    fc.property(fc.constantFrom('Pod', 'ConfigMap', 'Service', 'Event'), fc.uint8Array({ maxLength: 200 }), (kind, raw) => {
      const result = decodeProtobuf(envelope('v1', kind, [...raw]))
      assert.ok(result.kind === 'decoded' || result.message !== '')
    }),
    { numRuns: 500 },
  )
})
