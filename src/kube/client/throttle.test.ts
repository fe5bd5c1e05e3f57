import assert from 'node:assert/strict'
import { test } from 'node:test'
import { drain, ManualClock } from '#base'
import { ClientThrottle, type ThrottleOptions } from './throttle.ts'

function start(options: ThrottleOptions) {
  const clock = new ManualClock()
  const throttle = new ClientThrottle(clock, options)
  let entered = 0
  const leave: (() => void)[] = []
  const come = async (count: number, signal = new AbortController().signal): Promise<void> => {
    for (let each = 0; each < count; each++)
      void throttle.enter(signal).then(
        go => {
          entered++
          leave.push(go)
        },
        () => {},
      )
    await drain()
  }
  return { clock, come, leave, entered: () => entered }
}

test('a burst goes at once, and what comes after it at the pace that was asked for', async () => {
  const { clock, come, entered } = start({ requestsPerSecond: 10, burst: 3 })
  await come(6)
  assert.equal(entered(), 3)
  await clock.advance(99)
  assert.equal(entered(), 3)
  await clock.advance(1)
  assert.equal(entered(), 4)
  await clock.advance(200)
  assert.equal(entered(), 6)
})

test('a pause fills the burst again, and no more than that', async () => {
  const { clock, come, entered } = start({ requestsPerSecond: 10, burst: 3 })
  await come(3)
  await clock.advance(200)
  await come(3)
  assert.equal(entered(), 5)
  await clock.advance(60_000)
  await come(9)
  assert.equal(entered(), 9)
})

test('as many as may are under way at once, and each that leaves lets one in, once', async () => {
  const { come, leave, entered } = start({ concurrentMax: 2 })
  await come(4)
  assert.equal(entered(), 2)
  leave[0]?.()
  leave[0]?.()
  await drain()
  assert.equal(entered(), 3)
  leave[1]?.()
  await drain()
  assert.equal(entered(), 4)
})

test('who stops waiting takes no place', async () => {
  const { come, leave, entered } = start({ concurrentMax: 1 })
  const stop = new AbortController()
  await come(1)
  await come(1, stop.signal)
  stop.abort()
  await come(1)
  leave[0]?.()
  await drain()
  assert.equal(entered(), 2)
})
