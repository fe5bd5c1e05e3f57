import assert from 'node:assert/strict'
import { test } from 'node:test'
import { retryDelayMs } from './retry.ts'

const most = { float: () => 0.999_999 } as Parameters<typeof retryDelayMs>[2]
const least = { float: () => 0 } as Parameters<typeof retryDelayMs>[2]

const plain = new Error('reset')

test('the longest wait doubles from try to try, and has an end', () => {
  assert.equal(retryDelayMs(plain, 2, most), 99)
  const waits = [2, 3, 4, 5].map(next => retryDelayMs(plain, next, most))
  for (const [index, wait] of waits.slice(1).entries()) {
    const before = waits[index] ?? 0
    assert.ok(Math.abs(wait - 2 * before) <= 1, waits.join())
  }
  assert.equal(retryDelayMs(plain, 40, most), 19_999)
  assert.equal(retryDelayMs(plain, 40, least), 0)
})
