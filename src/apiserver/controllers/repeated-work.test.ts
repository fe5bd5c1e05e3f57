import assert from 'node:assert/strict'
import { test } from 'node:test'
import { drain, type Log, ManualClock, silentLog } from '#base'
import { TaskScheduler } from '../scheduler.ts'
import { RepeatedWork } from './repeated-work.ts'

interface World {
  readonly clock: ManualClock
  readonly work: RepeatedWork
  /** What was begun and ended, in order. */
  readonly happened: string[]
  readonly warned: unknown[]
  settle(): Promise<void>
}

function world(outcome: (key: string) => number | undefined | Error): World {
  const clock = new ManualClock()
  const scheduler = new TaskScheduler(false, error => assert.fail(String(error)))
  const warned: unknown[] = []
  const log: Log = { ...silentLog, warn: (_message, fields) => void warned.push(fields) }
  const happened: string[] = []
  const work = new RepeatedWork(
    async key => {
      happened.push(`${key} begins`)
      await drain()
      happened.push(`${key} ends`)
      const result = outcome(key)
      if (result instanceof Error) throw result
      return result
    },
    { clock, scheduler, log },
    'a test',
  )
  return { clock, work, happened, warned, settle: () => scheduler.settle() }
}

test('each key is looked at once however often it was named, one at a time and in their order', async () => {
  const { work, happened, settle, clock } = world(() => undefined)
  for (const key of ['b', 'a', 'b']) work.add(key)
  await settle()
  assert.deepEqual(happened, ['b begins', 'b ends', 'a begins', 'a ends'])
  work.add('b')
  await settle()
  assert.equal(happened.length, 6)
  assert.equal(clock.pendingCount(), 0)
})

test('a key that is named while it is looked at is looked at again', async () => {
  const { work, happened, settle } = world(() => undefined)
  work.add('a')
  await Promise.resolve()
  await Promise.resolve()
  assert.deepEqual(happened, ['a begins'])
  work.add('a')
  await settle()
  assert.deepEqual(happened, ['a begins', 'a ends', 'a begins', 'a ends'])
})

test('a number asks for another look after so long, the newest one counts', async () => {
  const afterMs = [500, 300, undefined]
  const { work, happened, settle, clock } = world(() => afterMs.shift())
  work.add('a')
  await settle()
  work.add('a')
  await settle()
  assert.equal(clock.pendingCount(), 1, 'the first timer is over')
  await clock.advance(299)
  assert.equal(happened.length, 4)
  await clock.advance(1)
  await settle()
  assert.equal(happened.length, 6)
  assert.equal(clock.pendingCount(), 0)
})

test('after failures a key waits twice as long each time, up to half a minute, and from the start after a success', async () => {
  let fails = true
  const { work, settle, clock, warned } = world(() => (fails ? new Error('weather') : undefined))
  work.add('a')
  const waits: (number | undefined)[] = []
  for (let failure = 0; failure < 12; failure++) {
    await settle()
    const waitMs = (clock.nextDueMs() ?? 0) - clock.monotonicMs()
    waits.push(waitMs)
    await clock.advance(waitMs)
  }
  assert.deepEqual(waits, [100, 200, 400, 800, 1_600, 3_200, 6_400, 12_800, 25_600, 30_000, 30_000, 30_000])
  await settle()
  fails = false
  await clock.advance(30_000)
  await settle()
  assert.equal(clock.pendingCount(), 0)
  fails = true
  work.add('a')
  await settle()
  assert.equal((clock.nextDueMs() ?? 0) - clock.monotonicMs(), 100)
  const { task, key, error } = warned[0] as { task: string; key: string; error: Error }
  assert.deepEqual([task, key, error.message], ['a test', 'a', 'weather'])
})

test('work that is stopped takes no keys and keeps no timers', async () => {
  const { work, happened, settle, clock } = world(() => 100)
  work.add('a')
  await settle()
  assert.equal(clock.pendingCount(), 1)
  work.add('b')
  work.stop()
  work.add('c')
  await settle()
  assert.equal(clock.pendingCount(), 0)
  assert.deepEqual(happened, ['a begins', 'a ends'])
})

test('a look that ends after the stop asks for no other', async () => {
  const { work, happened, settle, clock } = world(() => 100)
  work.add('a')
  await Promise.resolve()
  await Promise.resolve()
  assert.deepEqual(happened, ['a begins'])
  work.stop()
  await settle()
  assert.deepEqual(happened, ['a begins', 'a ends'])
  assert.equal(clock.pendingCount(), 0)
})
