// The boundaries of the line: how little may be waited for in a pass, how long it may stop, and how long a place is kept.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { WaitingLine } from './waiting-line.ts'

const line = (): WaitingLine => new WaitingLine({ perSecond: 2 })

test('a second may be waited for in the pass itself, and a millisecond more may not', () => {
  assert.equal(line().comeBackMs('a', 0, { bucketMs: 1_000 }), 0)
  assert.equal(line().comeBackMs('a', 0, { bucketMs: 1_001 }), 1_001)
  const early = line()
  early.comeBackMs('a', 0, { bucketMs: 1_500 })
  assert.equal(early.comeBackMs('a', 499, { bucketMs: 0 }), 1_001)
  assert.equal(early.comeBackMs('a', 500, { bucketMs: 0 }), 0)
})

test('a line stops until one was let through two seconds ago, and where nothing is to stop it lets through', () => {
  const stopped = (nowMs: number, stopMs: number): number => {
    const made = line()
    made.comeBackMs('first', 0, { bucketMs: 0 })
    return made.comeBackMs('a', nowMs, { bucketMs: 0, stopMs })
  }
  assert.deepEqual([stopped(1_999, 300), stopped(2_000, 300), stopped(100, 1), stopped(100, 0)], [300, 0, 1, 0])
})

test('a place is kept for a minute after its time, and for as much longer as the line stopped', () => {
  const kept = (nowMs: number): boolean => {
    const made = line()
    made.comeBackMs('gone', 0, { bucketMs: 5_000 })
    // Behind a place that is kept somebody new waits for the next one.
    return (
      made.comeBackMs('new', nowMs, { bucketMs: 1_500 }) !== 1_500 || made.comeBackMs('gone', nowMs, { bucketMs: 9_000 }) === 0
    )
  }
  assert.deepEqual([64_999, 65_000].map(kept), [true, false])
})

test('where nothing is to stop, two pass at one moment, and what was let through early keeps the place behind it free', () => {
  const made = line()
  assert.deepEqual([made.comeBackMs('a', 100, { bucketMs: 0 }), made.comeBackMs('b', 100, { bucketMs: 0 })], [0, 0])
  const second = line()
  assert.equal(second.comeBackMs('a', 0, { bucketMs: 1_000 }), 0)
  assert.equal(second.comeBackMs('b', 0, { bucketMs: 1_001 }), 1_001)
})

test('who is stopped after an earlier stop comes when it is over, and no later', () => {
  const made = line()
  made.comeBackMs('first', 0, { bucketMs: 0 })
  assert.equal(made.comeBackMs('a', 100, { bucketMs: 0, stopMs: 1_500 }), 1_500)
  assert.equal(made.comeBackMs('a', 1_600, { bucketMs: 0 }), 0)
  assert.equal(made.comeBackMs('b', 1_700, { bucketMs: 0, stopMs: 200 }), 200)
  assert.equal(made.comeBackMs('b', 1_900, { bucketMs: 0 }), 0)
})

test('a stop keeps the places behind it for as much longer', () => {
  const kept = (nowMs: number): boolean => {
    const made = line()
    made.comeBackMs('gone', 0, { bucketMs: 5_000 })
    made.comeBackMs('second', 0, { bucketMs: 5_000 })
    made.comeBackMs('third', 0, { bucketMs: 5_000 })
    assert.equal(made.comeBackMs('second', 4_600, { bucketMs: 0 }), 0)
    assert.equal(made.comeBackMs('third', 5_100, { bucketMs: 0, stopMs: 1_900 }), 1_900)
    return made.comeBackMs('gone', nowMs, { bucketMs: 9_000 }) === 0
  }
  assert.deepEqual([66_899, 66_900].map(kept), [true, false])
})
