import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseAmount, sizeOf, sizeUpTo } from './amount.ts'

function amount(value: number | string) {
  const read = parseAmount(value, 'maxConcurrency')
  assert.ok(read.kind !== 'wrong', String(value))
  return read
}

for (const [percent, total, size] of [
  ['28%', 25, 8],
  ['56%', 25, 15],
  ['7%', 100, 8],
  ['50%', 25, 13],
  ['1%', 10_000, 100],
  ['1%', 3, 1],
  ['100%', 7, 7],
] as const)
  test(`${percent} of ${total} clusters are ${size}, in floating point and rounded up [6.8 item 6]`, () => {
    assert.equal(sizeOf(amount(percent), total, 0), size)
    assert.equal(sizeUpTo(amount(percent), total, 0), size)
  })

test('nothing, less than nothing and no amount at all are what stands in their place; more than there are is that too, or all [6.6]', () => {
  for (const value of [0, -1, '0%']) assert.deepEqual([sizeOf(amount(value), 4, 3), sizeUpTo(amount(value), 4, 3)], [3, 3])
  assert.deepEqual([sizeOf(undefined, 4, 3), sizeUpTo(undefined, 4, 3)], [3, 3])
  assert.deepEqual([sizeOf(amount(5), 4, 3), sizeUpTo(amount(5), 4, 3)], [3, 4])
  assert.deepEqual([sizeOf(amount(4), 4, 3), sizeUpTo(amount(4), 4, 3)], [4, 4])
})
