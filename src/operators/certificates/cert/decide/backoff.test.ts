import assert from 'node:assert/strict'
import { test } from 'node:test'
import { given } from '#base'
import { certKind } from '../../api.ts'
import { settingsDefault } from '../settings.ts'
import { attemptIn, intervalMs, reissueDelayMs } from './backoff.ts'

const rows: readonly (readonly [attempt: number, seconds: number])[] = [
  [0, 30],
  [1, 60],
  [2, 120],
  [3, 240],
  [4, 300],
  [20, 300],
]

for (const [attempt, seconds] of rows)
  test(`attempt ${attempt} in Pending waits ${seconds} s, a tenth more or less [7.3]`, () => {
    const at = (draw: number): number => intervalMs({ state: 'Pending', attempt, draw }, settingsDefault)
    assert.deepEqual([at(0), at(0.5), at(1)], [seconds * 900, seconds * 1_000, seconds * 1_100])
  })

test('a counter beyond every measure gives the cap [7.3, #62]', () => {
  assert.equal(intervalMs({ state: 'Created', attempt: 1e9, draw: 0.5 }, settingsDefault), 600_000)
})

test('fixed intervals carry no jitter [7.3]', () => {
  const ms = (['Validated', 'Ready', 'Failed'] as const).map(state =>
    intervalMs({ state, attempt: 7, draw: 0.9 }, settingsDefault),
  )
  assert.deepEqual(ms, [300_000, 3_600_000, 300_000])
})

const texts: readonly (readonly [text: string | undefined, count: number])[] = [
  ['3', 3],
  ['abc', 0],
  ['-1', 0],
  ['', 0],
  [undefined, 0],
  ['1.5', 0],
  ['1000000', 1_000_000],
  ['1000001', 20],
  ['99999999999', 20],
]

for (const [text, count] of texts)
  test(`the counter ${JSON.stringify(text)} is read as ${count} [7.3, #61, #62]`, () => {
    const notes = {
      'acm.ops.example.dev/last-reconcile-state': 'Created',
      ...given({ 'acm.ops.example.dev/reconcile-attempts-in-state': text }),
    }
    const claim = { apiVersion: certKind.apiVersion, kind: 'Cert', metadata: { annotations: notes } } as unknown as Parameters<
      typeof attemptIn
    >[0]
    assert.equal(attemptIn(claim, 'Created'), count)
    assert.equal(attemptIn(claim, 'Pending'), 0)
  })

test('the wait before another request doubles from one hour to 32 [7.6]', () => {
  assert.deepEqual(
    [1, 2, 3, 4, 5, 6, 7, 100].map(count => reissueDelayMs(count) / 3_600_000),
    [1, 2, 4, 8, 16, 32, 32, 32],
  )
})
