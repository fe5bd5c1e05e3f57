// Whoever would hold a worker for a token that is far away comes back when it is there.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ManualClock } from '#base'
import type { LayeredCall } from './call.ts'
import { CallBuckets, LimiterBusy, limiter } from './limiter.ts'
import { WaitingLine } from './waiting-line.ts'

const { signal } = new AbortController()
const rates = { acm: { perSecond: 5, burst: 10 }, route53Zone: { perSecond: 3, burst: 5 }, route53Account: undefined }
const request = (comesBackAs: string): LayeredCall => ({
  service: 'acm',
  operation: 'RequestCertificate',
  input: {},
  comesBackAs,
})

test('a line of two a second gives each its own half second, in the order in which they came [9.3]', () => {
  const line = new WaitingLine({ perSecond: 2 })
  const came = ['a', 'b', 'c'].map(who => line.comeBackMs(who, 0, { bucketMs: 1_500 }))
  assert.deepEqual(came, [1_500, 2_000, 2_500])
  assert.equal(line.comeBackMs('c', 1_000, { bucketMs: 1_500 }), 1_500, 'who comes early is told the rest, and keeps its place')
  assert.equal(line.comeBackMs('new', 1_000, { bucketMs: 0 }), 2_000, 'nobody who comes later is served before')
  assert.equal(line.comeBackMs('a', 1_500, { bucketMs: 0 }), 0)
})

test('the line stops for what others have begun, keeps its order, and never stops for long [9.3]', () => {
  const line = new WaitingLine({ perSecond: 2 })
  assert.equal(line.comeBackMs('first', 0, { bucketMs: 0, stopMs: 300 }), 0, 'nobody passed for long')
  assert.equal(line.comeBackMs('a', 100, { bucketMs: 0, stopMs: 300 }), 300)
  assert.equal(line.comeBackMs('b', 200, { bucketMs: 2_000 }), 2_000)
  assert.equal(line.comeBackMs('a', 400, { bucketMs: 0, stopMs: 1_800 }), 1_800)
  assert.equal(line.comeBackMs('b', 2_200, { bucketMs: 0 }), 1_800, 'everybody comes as much later')
  assert.equal(line.comeBackMs('a', 2_200, { bucketMs: 0, stopMs: 500 }), 0, 'one passes after two seconds')
})

test('a place that nobody takes is not kept for ever [9.3]', () => {
  const line = new WaitingLine({ perSecond: 2 })
  assert.equal(line.comeBackMs('gone', 0, { bucketMs: 5_000 }), 5_000)
  assert.equal(line.comeBackMs('new', 70_000, { bucketMs: 0 }), 0)
})

test('a hundred requests at once all leave at the pace of their bucket, and none of them waits in its pass [9.3, #95]', async () => {
  const clock = new ManualClock()
  const sentMs: number[] = []
  const paced = limiter(() => {
    sentMs.push(clock.monotonicMs())
    return Promise.resolve({})
  }, new CallBuckets({ clock, rates }))
  let longestMs = 0
  const send = async (who: string): Promise<void> => {
    for (;;) {
      const fromMs = clock.monotonicMs()
      try {
        await paced(request(who), { signal })
        longestMs = Math.max(longestMs, clock.monotonicMs() - fromMs)
        return
      } catch (error) {
        assert.ok(error instanceof LimiterBusy)
        await clock.sleep(error.waitMs)
      }
    }
  }
  const beganMs = clock.monotonicMs()
  const all = Promise.all(Array.from({ length: 100 }, (_, index) => send(String(index))))
  await clock.advance(60_000)
  await all
  // Three at once, and then one each 400 ms.
  assert.equal((sentMs.at(-1) ?? 0) - beganMs, 97 * 400)
  assert.ok(longestMs <= 1_000, `one waited ${longestMs} ms`)
})
