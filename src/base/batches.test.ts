import assert from 'node:assert/strict'
import { test } from 'node:test'
import { batchesOf } from './batches.ts'

for (const [items, batches] of [
  [[], []],
  [[1], [[1]]],
  [[1, 2], [[1, 2]]],
  [
    [1, 2, 3, 4, 5],
    [[1, 2], [3, 4], [5]],
  ],
] as const)
  test(`${items.length} items, two at a time, are ${batches.length} batches in their order`, () => {
    assert.deepEqual(batchesOf<number>(items, 2), batches)
  })
