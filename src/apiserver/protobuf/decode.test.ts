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
