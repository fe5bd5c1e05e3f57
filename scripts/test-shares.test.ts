import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dealOut, remembered } from './test-shares.ts'

const seconds = { a: 300, b: 2, c: 290, d: 2, e: 280, f: 20 }
const secondsOf = (share: readonly string[]): number => share.reduce((sum, file) => sum + (seconds[file as 'a'] ?? 0), 0)

test('the longest files are dealt first, so that no share waits for the other', () => {
  const files = Object.keys(seconds)
  assert.deepEqual(dealOut(files, 2, seconds).map(secondsOf), [324, 570])
  assert.deepEqual(dealOut(files, 3, seconds).map(secondsOf), [300, 294, 300])
})

test('each file is dealt once, in the order of the list, and no share is empty', () => {
  const files = ['x1', 'a', 'x2', 'c', 'x3', 'e', 'x4']
  const shares = dealOut(files, 3, seconds)
  assert.deepEqual(shares.flat().sort(), files.toSorted())
  for (const share of shares)
    assert.deepEqual(
      share,
      share.toSorted((a, b) => files.indexOf(a) - files.indexOf(b)),
    )
  assert.deepEqual(dealOut(['x', 'y'], 4, seconds), [['x'], ['y']])
})

test('files of which nothing is known are dealt in turn', () => {
  assert.deepEqual(dealOut(['u', 'v', 'w', 'x'], 2, {}), [
    ['u', 'w'],
    ['v', 'x'],
  ])
})

test('a run renews what it ran, and what did not run stays; only what takes its time is remembered', () => {
  const known = { a: 300, e: 280, f: 20 }
  const ran = new Map([
    ['a', 100_400],
    ['f', 2_499],
    ['g', 2_500],
    ['new', 7_000],
  ])
  assert.deepEqual(Object.entries(remembered(known, ran)), Object.entries({ a: 100, e: 280, g: 3, new: 7 }))
})
