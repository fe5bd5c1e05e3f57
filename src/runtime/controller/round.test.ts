// How long a worker waits for one piece of work, and how long events are told after a stop.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { drain, ManualClock } from '#base'
import { openFence } from '../election/fence.ts'
import { awaitRound } from './round.ts'
import { openTelling } from './telling.ts'

function waiting({ isStopped = false } = {}) {
  const clock = new ManualClock()
  const stop = new AbortController()
  if (isStopped) stop.abort()
  const work = Promise.withResolvers<void>()
  const told: string[] = []
  const limits = {
    clock,
    deadlineMs: 5_000,
    stop: stop.signal,
    onStuck: () => void told.push('stuck'),
    leave: () => void told.push('left'),
  }
  void awaitRound(work.promise, limits).then(() => told.push('over'))
  return { clock, stop, work, told }
}

test('a worker is free when its work is done, and nothing is left to wait for', async () => {
  const { clock, work, told } = waiting()
  await clock.advance(100)
  assert.deepEqual(told, [])
  work.resolve()
  await drain()
  assert.deepEqual([told, clock.pendingCount()], [['over'], 0])
})

test('work that ignores its deadline is left behind a second after it, and its late end is no matter [B21]', async () => {
  const { clock, stop, work, told } = waiting()
  await clock.advance(5_999)
  assert.deepEqual(told, [])
  await clock.advance(1)
  assert.deepEqual(told, ['stuck', 'over'])
  work.resolve()
  await drain()
  stop.abort()
  await clock.advance(60_000)
  assert.deepEqual([told, clock.pendingCount()], [['stuck', 'over'], 0])
})

for (const [when, isStopped] of [
  ['while it is under way', false],
  ['before it began', true],
] as const) {
  test(`a stop ${when} gives work a second to end, and cuts it off then`, async () => {
    const { clock, stop, told } = waiting({ isStopped })
    stop.abort()
    await clock.advance(999)
    assert.deepEqual(told, [])
    await clock.advance(1)
    assert.deepEqual([told, clock.pendingCount()], [['left', 'over'], 0])
  })

  test(`work that ends soon after a stop ${when} is not cut off`, async () => {
    const { clock, stop, work, told } = waiting({ isStopped })
    stop.abort()
    await clock.advance(500)
    work.resolve()
    await clock.advance(60_000)
    assert.deepEqual([told, clock.pendingCount()], [['over'], 0])
  })
}

for (const isStopped of [false, true])
  test(`events are told for a second after a stop, ${isStopped ? 'also one that came first' : 'and until then as long as they like'}`, async () => {
    const clock = new ManualClock()
    const stop = new AbortController()
    if (isStopped) stop.abort()
    const writers = { ofEvents: (signal: AbortSignal) => ({ signal }) } as never
    const { writer, close } = openTelling({ clock, fence: openFence, writers, stop: stop.signal })
    if (!isStopped) await clock.advance(100_000)
    stop.abort()
    await clock.advance(999)
    assert.equal(writer.signal.aborted, false)
    await clock.advance(1)
    assert.equal(writer.signal.aborted, true)
    assert.match(String(writer.signal.reason), /the controller stops/)
    close()
    assert.equal(clock.pendingCount(), 0)
  })

test('who has told all events waits for no stop', () => {
  const clock = new ManualClock()
  for (const stopsFirst of [true, false]) {
    const stop = new AbortController()
    const writers = { ofEvents: (signal: AbortSignal) => ({ signal }) } as never
    const { close } = openTelling({ clock, fence: openFence, writers, stop: stop.signal })
    if (stopsFirst) stop.abort()
    close()
    if (!stopsFirst) stop.abort()
    assert.equal(clock.pendingCount(), 0)
  }
})
