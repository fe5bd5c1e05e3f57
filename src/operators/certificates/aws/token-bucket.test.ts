import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ManualClock } from '#base'
import { TokenBucket } from './token-bucket.ts'

test('as many go at once as may, each after them waits for a token of its own, and nobody is overtaken', async () => {
  const clock = new ManualClock()
  const bucket = new TokenBucket(clock, { perSecond: 2, burst: 3 })
  const waits: number[] = []
  for (let call = 0; call < 5; call++) {
    waits.push(bucket.waitMs())
    bucket.take()
  }
  assert.deepEqual(waits, [0, 0, 0, 500, 1_000])
  assert.equal(bucket.tokens, 0)
  await clock.advance(1_000)
  assert.equal(bucket.waitMs(), 500)
  await clock.advance(500)
  assert.deepEqual([bucket.tokens, bucket.waitMs()], [1, 0])
})

test('a rest saves up no more than may go at once', async () => {
  const clock = new ManualClock()
  const bucket = new TokenBucket(clock, { perSecond: 2, burst: 3 })
  for (let call = 0; call < 3; call++) bucket.take()
  await clock.advance(1_000)
  assert.equal(bucket.tokens, 2)
  await clock.advance(60_000)
  assert.equal(bucket.tokens, 3)
})

test('what is given back is there for the next one, and never more than may go at once', () => {
  const clock = new ManualClock()
  const bucket = new TokenBucket(clock, { perSecond: 2, burst: 1 })
  bucket.take()
  bucket.take()
  assert.equal(bucket.waitMs(), 1_000)
  bucket.giveBack()
  assert.equal(bucket.waitMs(), 500)
  bucket.giveBack()
  bucket.giveBack()
  assert.deepEqual([bucket.waitMs(), bucket.tokens], [0, 1])
})
