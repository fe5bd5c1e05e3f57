import assert from 'node:assert/strict'
import { test } from 'node:test'
import { drain, ManualClock } from '#base'
import { CredentialsError } from './credentials.ts'
import { type Grant, lifeFrom, renewing } from './renewing.ts'

function start(lives: readonly (number | undefined)[]) {
  const clock = new ManualClock()
  let fetched = 0
  const fetch = async (): Promise<Grant> => {
    const lifeMs = lives[fetched++]
    return { credentials: { accessKeyId: `K${fetched}`, secretAccessKey: 's' }, lifeMs } as Grant
  }
  // The middle of the time in which credentials are renewed early.
  const provider = renewing(fetch, { clock, random: { float: () => 0.5 } } as unknown as Parameters<typeof renewing>[1])
  const key = async (): Promise<string> => (await provider.get()).accessKeyId
  return { clock, provider, fetched: () => fetched, key }
}

test('credentials that have no life left are refused, and the next call asks again', async () => {
  const { key, fetched } = start([0, -1, 1])
  await assert.rejects(key(), CredentialsError)
  await assert.rejects(key(), CredentialsError)
  assert.deepEqual([await key(), fetched()], ['K3', 3])
})

test('credentials whose end has come are waited for, and a moment earlier those that are held are given', async () => {
  const { clock, key } = start([10_000, undefined])
  assert.equal(await key(), 'K1')
  await clock.advance(8_999)
  assert.equal(await key(), 'K1')
  await drain()
  const late = start([10_000, undefined])
  assert.equal(await late.key(), 'K1')
  await late.clock.advance(9_000)
  assert.equal(await late.key(), 'K2')
})

test('credentials are renewed from their time on, and whoever asks then gets those that are held', async () => {
  // The middle of 0.65 and 0.8 of their life.
  for (const [sinceMs, fetchedBy] of [
    [72_499, 1],
    [72_501, 2],
  ] as const) {
    const { clock, key, fetched } = start([100_000, undefined])
    await key()
    await clock.advance(sinceMs)
    assert.equal(await key(), 'K1')
    await drain()
    assert.equal(fetched(), fetchedBy, `after ${sinceMs} ms`)
  }
})

test('credentials without an end are asked for once', async () => {
  const { clock, key, fetched } = start([undefined])
  await key()
  await clock.advance(1_000_000_000)
  assert.deepEqual([await key(), fetched()], ['K1', 1])
})

test('a life is what is left by the clock of whoever gave it', () => {
  assert.deepEqual([lifeFrom(5_000, 2_000), lifeFrom(undefined, 2_000)], [3_000, undefined])
})

test('credentials that AWS refused are forgotten, and those that took their place are not', async () => {
  const { provider, key, fetched } = start([undefined, undefined])
  assert.equal(await key(), 'K1')
  const refused = await provider.get()
  provider.forget?.(refused)
  assert.equal(await key(), 'K2')
  provider.forget?.(refused)
  assert.deepEqual([await key(), fetched()], ['K2', 2])
})
