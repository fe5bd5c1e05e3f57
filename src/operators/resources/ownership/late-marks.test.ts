// What was made is seen late, or by halves: a list leaves it out and takes the date of its birth along. Whoever finds something without a mark,
// and had a call of his own go out for it a moment ago, looks again: a stop would last until somebody changes the manifest.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { conditions } from '../api.ts'
import { resourceWorld } from '../testing/world.ts'

test('a bucket whose create call lost its answer, and which lists leave out, becomes Ready by itself [B2, B32]', async () => {
  await using world = resourceWorld({ services: ['s3'], kinds: ['Bucket'] })
  world.aws.faults.add({ match: { operation: 'CreateBucket' }, effect: { kind: 'timeout-after' }, times: 1 })
  world.aws.faults.add({ match: { operation: 'ListBuckets' }, effect: { kind: 'partial-list' }, times: 4 })
  world.start()
  await world.create('Bucket', 'late', { name: 'late-1b2c' })
  await world.advance(300_000)
  const ready = await world.condition('Bucket', 'late', conditions.ready)
  assert.deepEqual([ready?.status, ready?.message], ['True', 'Resource synced successfully'])
})

test('a bucket that somebody else made is told as such at once', async () => {
  await using world = resourceWorld({ services: ['s3'], kinds: ['Bucket'] })
  await world.client('s3').call('CreateBucket', { Bucket: 'taken-1b2c' })
  world.start()
  await world.create('Bucket', 'taken', { name: 'taken-1b2c' })
  await world.advance(60_000)
  const terminal = await world.condition('Bucket', 'taken', conditions.terminal)
  assert.match(terminal?.message ?? '', /^Resource already exists/)
})
