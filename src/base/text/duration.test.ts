import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { parseDuration, renderDuration } from './duration.ts'

test('durations are read as Go reads them', () => {
  const cases: readonly (readonly [string, number | undefined])[] = [
    ['0', 0],
    ['1h30m', 5_400_000],
    ['1.5h', 5_400_000],
    ['300ms', 300],
    ['-1m', -60_000],
    ['+2s', 2_000],
    ['.5s', 500],
    ['1us', 0.001],
    ['1µs', 0.001],
    ['', undefined],
    ['1', undefined],
    ['1d', undefined],
    ['1h 2m', undefined],
    ['.s', undefined],
    ['-', undefined],
    ['1h-2m', undefined],
  ]
  for (const [text, expected] of cases) assert.equal(parseDuration(text), expected, text)
})

test('durations are written as Go writes them', () => {
  assert.deepEqual([0, 5_400_000, 90_500, 300, 0.25, -1_000, 86_400_000, 0.000001].map(renderDuration), [
    '0s',
    '1h30m0s',
    '1m30.5s',
    '300ms',
    '250µs',
    '-1s',
    '24h0m0s',
    '1ns',
  ])
})

test('what is written is read as the same', () => {
  fc.assert(
    fc.property(fc.integer({ min: -1e12, max: 1e12 }), ms => {
      assert.ok(Math.abs((parseDuration(renderDuration(ms)) ?? Number.NaN) - ms) < 1e-3)
    }),
  )
})
