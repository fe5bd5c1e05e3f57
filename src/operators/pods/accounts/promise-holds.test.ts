// A pod whose identity is promised: how long it waits, what wakes it, and how many may wait.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { drain, ManualClock } from '#base'
import { type Accounts } from './accounts.ts'
import { PromiseHolds } from './promise-holds.ts'

const key = { namespace: 'ns', name: 'a' }

function holdsOf(ms = 2_000) {
  const clock = new ManualClock()
  const news = new Set<() => void>()
  const waiting: unknown[] = []
  const holds = new PromiseHolds({
    clock,
    accounts: {
      onNews: (_key: unknown, call: () => void) => (news.add(call), () => void news.delete(call)),
    } as unknown as Accounts,
    ms,
    waiting: { set: (value: number, labels: unknown) => void waiting.push([value, labels]) } as never,
    provider: 'aws',
  })
  let isLacking = true
  let asked = 0
  const hold = (signal = new AbortController().signal, onAsk = (): unknown => undefined) => {
    const told: string[] = []
    const ask = async (): Promise<void> => {
      asked++
      await onAsk()
    }
    void holds.hold({ key, lacks: () => isLacking, ask }, signal).then(outcome => told.push(outcome))
    return told
  }
  return { clock, news, waiting, hold, asked: () => asked, bring: () => (isLacking = false) }
}

test('the API server is asked every half second, and the pod goes on with what it brings [S20]', async () => {
  const { clock, news, waiting, hold, asked, bring } = holdsOf()
  const told = hold(undefined, () => asked() === 2 && bring())
  assert.deepEqual(waiting, [[1, { provider: 'aws' }]])
  await clock.advance(499)
  assert.equal(asked(), 0)
  await clock.advance(1)
  assert.equal(asked(), 1)
  await clock.advance(499)
  assert.deepEqual([asked(), told], [1, []])
  await clock.advance(1)
  assert.deepEqual([asked(), told, waiting.at(-1)], [2, ['hit'], [0, { provider: 'aws' }]])
  assert.deepEqual([news.size, clock.pendingCount()], [0, 0])
})

test('what the cache hears wakes it at once, and nobody is asked', async () => {
  const { clock, news, hold, asked, bring } = holdsOf()
  const told = hold()
  await clock.advance(100)
  for (const call of news) call()
  await drain()
  assert.deepEqual(told, [])
  await clock.advance(100)
  bring()
  for (const call of news) call()
  await drain()
  assert.deepEqual([told, asked(), clock.pendingCount()], [['hit'], 0, 0])
})

test('while an answer is under way nobody is asked once more', async () => {
  const { clock, hold, asked } = holdsOf()
  hold(undefined, () => clock.sleep(700))
  await clock.advance(1_699)
  assert.equal(asked(), 1)
  await clock.advance(1)
  assert.equal(asked(), 2)
})

test('when the time is over it goes without, and the API server is not asked once more', async () => {
  const { clock, news, hold, asked } = holdsOf(1_000)
  const told = hold()
  await clock.advance(999)
  assert.deepEqual(told, [])
  await clock.advance(1)
  assert.deepEqual([told, asked(), news.size, clock.pendingCount()], [['timeout'], 1, 0, 0])
})

test('a review that ends ends the wait', async () => {
  const { clock, hold, asked } = holdsOf()
  const stop = new AbortController()
  const told = hold(stop.signal)
  await clock.advance(100)
  stop.abort()
  await drain()
  assert.deepEqual([told, asked(), clock.pendingCount()], [['timeout'], 0, 0])
})

test('with 0 nobody waits', async () => {
  const { clock, waiting, hold } = holdsOf(0)
  const told = hold()
  await drain()
  assert.deepEqual([told, waiting, clock.pendingCount()], [['timeout'], [], 0])
})

test('a hundred wait, and whoever comes then does not, until one of them has gone', async () => {
  const { waiting, hold } = holdsOf()
  const leaving = new AbortController()
  const held = [hold(leaving.signal), ...Array.from({ length: 99 }, () => hold())]
  const more = hold()
  await drain()
  assert.deepEqual([held.flat(), more, waiting.at(-1)], [[], ['timeout'], [100, { provider: 'aws' }]])
  leaving.abort()
  await drain()
  const next = hold()
  await drain()
  assert.deepEqual([next, waiting.at(-1)], [[], [100, { provider: 'aws' }]])
})
