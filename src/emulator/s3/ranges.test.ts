import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ObjectContent } from './model.ts'
import { askedBytes, checkPartNumber, parseRange } from './ranges.ts'

const rows: readonly (readonly [header: string | undefined, found: readonly [number, number] | undefined])[] = [
  [undefined, undefined],
  ['bytes=0-0', [0, 1]],
  ['bytes=2-5', [2, 6]],
  [' bytes=2-5 ', [2, 6]],
  ['bytes=9-9', [9, 10]],
  ['bytes=2-', [2, 10]],
  ['bytes=2-99', [2, 10]],
  ['bytes=-3', [7, 10]],
  ['bytes=-10', [0, 10]],
  ['bytes=-99', [0, 10]],
  ['bytes=5-5', [5, 6]],
  ['bytes=5-4', undefined],
  ['bytes=-', undefined],
  ['bytes=1-2,4-5', undefined],
  ['lines=1-2', undefined],
]
for (const [header, found] of rows) {
  test(`of ten bytes ${header ?? 'no header'} asks for ${found === undefined ? 'all' : `those from ${found[0]} up to ${found[1]}`}`, () => {
    assert.deepEqual(parseRange(header, 10), found === undefined ? undefined : { start: found[0], end: found[1] })
  })
}

for (const [header, length] of [
  ['bytes=10-', 10],
  ['bytes=11-12', 10],
  ['bytes=-0', 10],
  ['bytes=0-', 0],
  ['bytes=-1', 0],
] as const) {
  test(`${header} of ${length} bytes is refused, and the refusal tells how many there are`, () => {
    const fields = { RangeRequested: header, ActualObjectSize: String(length) }
    assert.throws(() => parseRange(header, length), { code: 'InvalidRange', status: 416, fields })
  })
}

test('parts are numbered from 1 to 10 000', () => {
  for (const number of [1, 10_000]) assert.doesNotThrow(() => checkPartNumber(number))
  for (const number of [0, 10_001, 1.5, Number.NaN]) {
    assert.throws(() => checkPartNumber(number), {
      code: 'InvalidArgument',
      status: 400,
      fields: { ArgumentName: 'partNumber', ArgumentValue: String(number) },
    })
  }
})

const inParts = { body: new Uint8Array(10), partSizes: [4, 6] } as unknown as ObjectContent
const atOnce = { body: new Uint8Array(10) } as unknown as ObjectContent

test('a part of an object is the bytes that the upload brought with that number, with how many there are', () => {
  assert.deepEqual(askedBytes({ PartNumber: 1 }, inParts), { range: { start: 0, end: 4 }, partsCount: 2 })
  assert.deepEqual(askedBytes({ PartNumber: 2 }, inParts), { range: { start: 4, end: 10 }, partsCount: 2 })
  assert.deepEqual(askedBytes({ Range: 'bytes=1-2' }, inParts), { range: { start: 1, end: 3 } })
  assert.throws(() => askedBytes({ PartNumber: 3 }, inParts), {
    code: 'InvalidPartNumber',
    fields: { PartNumberRequested: '3', ActualPartCount: '2' },
  })
})

test('an object that came at once is one part, of which no count is told', () => {
  assert.deepEqual(askedBytes({ PartNumber: 1 }, atOnce), { range: { start: 0, end: 10 } })
  assert.deepEqual(askedBytes({ PartNumber: 1 }, { body: new Uint8Array() } as unknown as ObjectContent), { range: undefined })
  assert.throws(() => askedBytes({ PartNumber: 2 }, atOnce), { code: 'InvalidPartNumber' })
  assert.throws(() => askedBytes({ PartNumber: 1, Range: 'bytes=0-1' }, atOnce), { code: 'InvalidRequest' })
})
