import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemClock } from './clock.ts'

test('no timer rings before its time', async () => {
  const early: number[] = []
  const one = (delayMs: number): Promise<void> =>
    new Promise(resolve => {
      const startedMs = systemClock.monotonicMs()
      systemClock.timer(delayMs, () => {
        const leftMs = startedMs + delayMs - systemClock.monotonicMs()
        if (leftMs > 0) early.push(leftMs)
        resolve()
      })
    })
  await Promise.all(Array.from({ length: 500 }, (_, index) => one(20 + (index % 100) + (index % 7) / 7)))
  assert.deepEqual(early, [])
})

test('a timer that was stopped does not ring', async () => {
  let rang = false
  const timer = systemClock.timer(1, () => (rang = true))
  timer.cancel()
  timer.cancel()
  await systemClock.sleep(20)
  assert.equal(rang, false)
})
