// Which calls share a bucket, and who is sent away.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ManualClock } from '#base'
import type { LayeredCall } from './call.ts'
import { CallBuckets, LimiterBusy } from './limiter.ts'

const rates = { acm: { perSecond: 5, burst: 2 }, route53Zone: { perSecond: 3, burst: 5 }, route53Account: undefined }
const { signal } = new AbortController()
const call = (more: Partial<LayeredCall> = {}): LayeredCall => ({
  service: 'acm',
  operation: 'DescribeCertificate',
  input: {},
  ...more,
})

/** How long each of these calls waits for its turn. */
async function waits(calls: readonly LayeredCall[]): Promise<readonly number[]> {
  const clock = new ManualClock()
  const waited: number[] = []
  const metrics = { readTokens: () => {}, waited: (_: string, ms: number) => void waited.push(ms) }
  const buckets = new CallBuckets({ clock, rates, metrics: metrics as never })
  const all = calls.map(each => buckets.enter(each, signal))
  await clock.advance(5_000)
  await Promise.all(all)
  return waited.toSorted((a, b) => a - b)
}

test('the calls of one region share a bucket, and those of another one have their own [9.3]', async () => {
  assert.deepEqual(await waits([call(), call(), call()]), [0, 0, 200])
  assert.deepEqual(await waits([call(), call(), call({ region: 'us-east-1' })]), [0, 0, 0])
  const [east, west] = [call({ region: 'us-east-1' }), call({ region: 'eu-west-3' })]
  assert.deepEqual(await waits([east, east, west, west]), [0, 0, 0, 0])
})

test('lists that there is room for are read at once, one after the other [9.3]', () => {
  const buckets = new CallBuckets({ clock: new ManualClock(), rates })
  const list = call({ operation: 'ListCertificates', comesBackAs: 'the list' })
  for (let times = 0; times < 2; times++) assert.doesNotThrow(() => buckets.awaitTurn(list), LimiterBusy)
})
