import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ManualClock } from '../seams/manual-clock.ts'
import { BoundedQueue } from './bounded-queue.ts'
import { DeadlineExceeded, withDeadline } from './deadline.ts'

test('queue: full means no, and order is kept', async () => {
  const queue = new BoundedQueue<number>(2)
  assert.deepEqual([queue.offer(1), queue.offer(2), queue.offer(3)], [true, true, false])
  assert.deepEqual([await queue.take(), queue.size], [1, 1])
  assert.equal(queue.offer(4), true)
  queue.close()
  assert.equal(queue.offer(5), false)
  const rest: number[] = []
  for await (const item of queue) rest.push(item)
  assert.deepEqual(rest, [2, 4])
})

test('queue: a taker that waits gets the next item, or the end', async () => {
  const queue = new BoundedQueue<string>(1)
  const [first, second] = [queue.take(), queue.take()]
  assert.equal(queue.offer('a'), true)
  assert.equal(queue.size, 0)
  queue.close()
  assert.deepEqual([await first, await second], ['a', undefined])
})

test('queue: many items pass through a small one', async () => {
  const queue = new BoundedQueue<number>(5_000)
  for (let round = 0; round < 4; round++) {
    for (let n = 0; n < 3_000; n++) queue.offer(n)
    for (let n = 0; n < 3_000; n++) assert.equal(await queue.take(), n)
  }
})

test('queue: leaving the loop closes it', async () => {
  const queue = new BoundedQueue<number>(5)
  queue.offer(1)
  queue.offer(2)
  for await (const _item of queue) break
  assert.deepEqual([queue.offer(3), queue.size], [false, 0])
})

test('deadline: the value, the work`s failure, time and the caller`s abort, each leaves nothing behind', async () => {
  const clock = new ManualClock()
  assert.equal(await withDeadline(clock, { timeoutMs: 10 }, async () => 'done'), 'done')
  await assert.rejects(
    withDeadline(clock, { timeoutMs: 10 }, () => Promise.reject(new Error('broke'))),
    /broke/,
  )
  let told: AbortSignal | undefined
  const late = withDeadline(clock, { timeoutMs: 10 }, signal => {
    told = signal
    return new Promise(() => {})
  })
  const lateFails = assert.rejects(late, DeadlineExceeded)
  await clock.advance(10)
  await lateFails
  assert.equal(told?.aborted, true)
  const controller = new AbortController()
  const aborted = assert.rejects(
    withDeadline(clock, { timeoutMs: 10, signal: controller.signal }, () => new Promise(() => {})),
    /enough/,
  )
  controller.abort(new Error('enough'))
  await aborted
  await assert.rejects(
    withDeadline(clock, { timeoutMs: 10, signal: controller.signal }, async () => {}),
    /enough/,
  )
  assert.equal(clock.pendingCount(), 0)
})
