import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ManualClock } from '#base'
import { TargetPatience, targetPatienceMs } from './target-patience.ts'

/** A cluster that falls silent and speaks again when a test says so. */
function watched() {
  const clock = new ManualClock()
  let sinceMs: number | undefined
  let told = 0
  const patience = new TargetPatience({
    clock,
    behindMs: () => (sinceMs === undefined ? 0 : clock.monotonicMs() - sinceMs),
    onAway: () => told++,
  })
  return {
    clock,
    patience,
    told: () => told,
    silent: async () => {
      sinceMs = clock.monotonicMs()
      await clock.advance(1)
      patience.look()
    },
    back: () => {
      sinceMs = undefined
      patience.look()
    },
  }
}

test('silence is told once when it has lasted longer than a restart, and again the next time', async () => {
  const { clock, patience, told, silent, back } = watched()
  await silent()
  await clock.advance(targetPatienceMs - 1)
  assert.equal(told(), 0)
  await clock.advance(1)
  assert.equal(told(), 1)
  patience.look()
  await clock.advance(3_600_000)
  assert.equal(told(), 1)
  back()
  await silent()
  await clock.advance(targetPatienceMs)
  assert.equal(told(), 2)
  assert.equal(clock.pendingCount(), 0)
})

test('a silence that ends in time is not told, and its time is not counted for the next', async () => {
  const { clock, told, silent, back } = watched()
  await silent()
  await clock.advance(targetPatienceMs - 1_000)
  back()
  assert.equal(clock.pendingCount(), 0)
  await silent()
  await clock.advance(targetPatienceMs - 1_000)
  assert.equal(told(), 0)
})

test('a cluster that leaves is waited for no more, whatever its caches say as they end', async () => {
  const { clock, patience, told, silent } = watched()
  await silent()
  patience.end()
  patience.look()
  assert.equal(clock.pendingCount(), 0)
  await clock.advance(3_600_000)
  assert.equal(told(), 0)
})

/** Asks how long it has been silent by a value that a test sets, at moments that it chooses. */
function asked(behind: { ms: number }) {
  const clock = new ManualClock()
  let told = 0
  const patience = new TargetPatience({ clock, behindMs: () => behind.ms, onAway: () => told++ })
  return { clock, patience, told: () => told }
}

for (const [behindMs, waitMs] of [
  [1, 60_000],
  [59_999, 2],
  [60_000, 1],
  [60_001, 1],
  [3_600_000, 1],
] as const)
  test(`whoever has been silent for ${behindMs} ms is looked at after ${waitMs}: a minute and one, and never at once`, async () => {
    const { clock, patience, told } = asked({ ms: behindMs })
    patience.look()
    await clock.advance(waitMs - 1)
    assert.deepEqual([told(), clock.pendingCount()], [0, 1])
    await clock.advance(1)
    assert.deepEqual([told(), clock.pendingCount()], behindMs > 60_000 ? [1, 0] : [0, 1])
  })

test('whoever speaks again without being heard is told of no more, and waited for no more', async () => {
  const behind = { ms: 1 }
  const { clock, patience, told } = asked(behind)
  patience.look()
  behind.ms = 0
  await clock.advance(60_000)
  assert.deepEqual([told(), clock.pendingCount()], [0, 0])
  behind.ms = 1
  patience.look()
  behind.ms = 60_000
  await clock.advance(60_000)
  assert.deepEqual([told(), clock.pendingCount()], [0, 1], 'a minute is no longer than a minute')
  behind.ms = 60_001
  await clock.advance(1)
  assert.equal(told(), 1)
})

test('looks while it is silent wait once', () => {
  const { clock, patience } = asked({ ms: 1 })
  for (let look = 0; look < 3; look++) patience.look()
  assert.equal(clock.pendingCount(), 1)
})
