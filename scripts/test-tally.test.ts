import assert from 'node:assert/strict'
import { test } from 'node:test'
import { afterSecondLook, sum, type Tally, toLookAtAgain } from './test-tally.ts'

const tally = (passed: number, failedIn: Readonly<Record<string, number>> = {}): Tally => ({
  passed,
  failed: Object.values(failedIn).reduce((a, b) => a + b, 0),
  skipped: 1,
  todo: 0,
  failedIn,
})

test('a file or two that failed are looked at again, more are not: that is no accident', () => {
  assert.deepEqual(toLookAtAgain(sum([tally(10), tally(5)])), [])
  assert.deepEqual(toLookAtAgain(sum([tally(10, { a: 1 }), tally(5, { b: 3 })])), ['a', 'b'])
  assert.deepEqual(toLookAtAgain(sum([tally(10, { a: 1 }), tally(5, { b: 3, c: 1 })])), [])
})

test('a process that died is no file to look at again, whatever else failed', () => {
  const died: Tally = { passed: 0, failed: 1, skipped: 0, todo: 0 }
  assert.deepEqual(toLookAtAgain(sum([tally(10, { a: 1 }), died])), [])
})

test('what passes alone no longer fails the run, what fails again does', () => {
  const first = sum([tally(10, { a: 1 }), tally(5, { b: 3 })])
  assert.deepEqual([first.passed, first.failed, first.skipped], [15, 4, 2])
  const after = afterSecondLook(first, ['b'])
  assert.deepEqual([after.passed, after.failed], [18, 1])
})
