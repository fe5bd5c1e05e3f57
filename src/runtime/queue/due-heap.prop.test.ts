import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { DueHeap } from './due-heap.ts'

// As long as may be: a heap of ten has hardly a branch.
const times = fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 60, size: 'max' })

/** All that is left, in its order. */
function drained(heap: DueHeap<string>): readonly string[] {
  const order: string[] = []
  while (heap.size > 0) order.push(heap.pop() as string)
  return order
}

/** Each with its place among those that were added; a sort is stable. */
const sorted = (all: readonly number[]): readonly string[] =>
  all
    .map((dueMs, index) => ({ dueMs, entry: `${dueMs}-${index}` }))
    .toSorted((a, b) => a.dueMs - b.dueMs)
    .map(({ entry }) => entry)

function filled(all: readonly number[]): DueHeap<string> {
  const heap = new DueHeap<string>()
  for (const [index, dueMs] of all.entries()) heap.push(dueMs, `${dueMs}-${index}`)
  return heap
}

test('whatever is added comes out earliest first, and equal times in the order in which they were added', () => {
  fc.assert(
    fc.property(times, all => {
      const heap = filled(all)
      assert.equal(heap.size, all.length)
      assert.equal(heap.peek()?.entry, sorted(all)[0])
      assert.deepEqual(drained(heap), sorted(all))
      assert.deepEqual([heap.peek(), heap.pop()], [undefined, undefined])
    }),
  )
})

test('what is added while others come out finds its place among those that are left', () => {
  const steps = fc.array(fc.oneof(fc.constant(null), fc.integer({ min: 0, max: 20 })), { maxLength: 80, size: 'max' })
  fc.assert(
    fc.property(times, steps, (before, after) => {
      const heap = filled(before)
      let left = sorted(before)
      for (const [index, dueMs] of after.entries()) {
        if (dueMs === null) {
          assert.equal(heap.pop(), left[0])
          left = left.slice(1)
          continue
        }
        const place = left.filter(entry => Number(entry.split('-')[0]) <= dueMs).length
        heap.push(dueMs, `${dueMs}-later-${index}`)
        left = left.toSpliced(place, 0, `${dueMs}-later-${index}`)
      }
      assert.equal(heap.size, left.length)
      assert.deepEqual(drained(heap), left)
    }),
  )
})

test('what is kept comes out as it would have, also with what is added later', () => {
  fc.assert(
    fc.property(times, fc.integer({ min: 0, max: 20 }), (all, late) => {
      const heap = filled(all)
      const isKept = (entry: string): boolean => !entry.startsWith('1')
      heap.keep(isKept)
      assert.deepEqual(drained(heap), sorted(all).filter(isKept))
      const again = filled(all)
      again.keep(isKept)
      again.push(late, `${late}-late`)
      const kept = sorted(all).filter(isKept)
      const place = kept.filter(entry => Number(entry.split('-')[0]) <= late).length
      assert.deepEqual(drained(again), kept.toSpliced(place, 0, `${late}-late`))
    }),
  )
})
