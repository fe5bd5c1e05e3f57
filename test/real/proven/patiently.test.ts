import assert from 'node:assert/strict'
import { test } from 'node:test'
import { patiently } from './patiently.ts'

/** A clock on which each wait takes `waitMs`, however long it was to be. */
function clockOf(waitMs: (asked: number) => number): { monotonicMs: () => number; sleep: (ms: number) => Promise<void> } {
  let nowMs = 0
  return {
    monotonicMs: () => nowMs,
    sleep: ms => {
      nowMs += waitMs(ms)
      return Promise.resolve()
    },
  }
}

test('what does not come is given up once nothing happens', async () => {
  const clock = clockOf(ms => ms)
  await assert.rejects(
    patiently(() => Promise.resolve('not there'), { happened: () => 0, withinMs: 10_000, clock }),
    /not there/,
  )
  assert.ok(clock.monotonicMs() < 11_000, String(clock.monotonicMs()))
})

test('while something happens it is waited for, though not for ever', async () => {
  const clock = clockOf(ms => ms)
  const happened = (): number => Math.floor(clock.monotonicMs() / 5_000)
  const until = (ms: number) => (): Promise<string | undefined> =>
    Promise.resolve(clock.monotonicMs() < ms ? 'not there' : undefined)
  await patiently(until(30_000), { happened, withinMs: 10_000, clock })
  await assert.rejects(patiently(until(300_000), { happened, withinMs: 10_000, clock }), /not there/)
  assert.ok(clock.monotonicMs() < 75_000, String(clock.monotonicMs()))
})

test('a machine that stands still is given the looks that another has in that time', async () => {
  const clock = clockOf(() => 20_000)
  let looks = 0
  await patiently(() => Promise.resolve(++looks < 30 ? 'not there' : undefined), { happened: () => 0, withinMs: 10_000, clock })
  assert.equal(looks, 30)
})

test('what our engine holds back is waited for, while it says so', async () => {
  const clock = clockOf(ms => ms)
  const held = (): Promise<string | undefined> =>
    Promise.resolve(clock.monotonicMs() < 25_000 ? 'aws rds does not work at the moment' : undefined)
  await patiently(held, { happened: () => 0, withinMs: 10_000, clock })
})
