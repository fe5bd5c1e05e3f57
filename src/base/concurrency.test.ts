import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BoundedQueue } from './bounded-queue.ts'
import { DeadlineExceeded, withDeadline } from './deadline.ts'
import { drain, ManualClock } from './manual-clock.ts'
import { mapPooled, Pool } from './pool.ts'
import { Scope, ScopeStopped } from './scope.ts'

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

test('pool: so many at once, the next when one ends, none after an abort', async () => {
  const pool = new Pool(2)
  const ends: (() => void)[] = []
  const task = (): Promise<void> => new Promise(resolve => ends.push(resolve))
  const controller = new AbortController()
  const runs = [pool.run(task), pool.run(task), pool.run(task)]
  const aborted = assert.rejects(pool.run(task, controller.signal), /told to/)
  await drain()
  assert.equal(ends.length, 2)
  controller.abort(new Error('told to'))
  await aborted
  ends[0]?.()
  await drain()
  assert.equal(ends.length, 3)
  for (const end of ends) end()
  await Promise.all(runs)
})

test('pool: a place freed while its waiter aborts goes to the next', async () => {
  const pool = new Pool(1)
  let end = (): void => {}
  const first = pool.run(() => new Promise<void>(resolve => (end = resolve)))
  const controller = new AbortController()
  const second = assert.rejects(pool.run(async () => {}, controller.signal))
  const third = pool.run(async () => 'ran')
  await drain()
  end()
  controller.abort()
  assert.equal(await third, 'ran')
  await Promise.all([first, second])
})

test('mapPooled keeps order and bound, and starts nothing after a failure', async () => {
  let running = 0
  let most = 0
  const doubled = await mapPooled([1, 2, 3, 4, 5], 2, async n => {
    most = Math.max(most, ++running)
    await drain()
    running--
    return n * 2
  })
  assert.deepEqual([doubled, most], [[2, 4, 6, 8, 10], 2])
  const started: number[] = []
  const failing = mapPooled([1, 2, 3, 4], 1, async n => {
    started.push(n)
    if (n === 2) throw new Error('two')
  })
  await assert.rejects(failing, /two/)
  assert.deepEqual(started, [1, 2])
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

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)))
}

test('scope: a task that fails ends its siblings, and the scope tells the first failure', async () => {
  const scope = new Scope('server')
  let siblingEnded = false
  scope.spawn('sibling', async signal => {
    await untilAborted(signal).catch(() => {})
    siblingEnded = true
  })
  scope.spawn('failing', async () => {
    await drain()
    throw new Error('broken')
  })
  await assert.rejects(scope.done(), /broken/)
  assert.equal(siblingEnded, true)
  assert.deepEqual(scope.running, [])
})

test('scope: stopping waits for all, but not for ever, and names who did not listen', async () => {
  const clock = new ManualClock()
  const scope = new Scope('server')
  scope.spawn('obedient', untilAborted)
  scope.spawn('deaf', () => new Promise(() => {}))
  const stopped = scope.stop(clock, 5_000)
  await clock.advance(5_000)
  assert.deepEqual(await stopped, ['deaf'])
  assert.ok(scope.signal.reason instanceof ScopeStopped)
  assert.equal(clock.pendingCount(), 0)
})

test('scope: the parent`s abort reaches the tasks, and `await using` waits for them', async () => {
  const parent = new AbortController()
  const child = new Scope('child', parent.signal)
  child.spawn('task', untilAborted)
  parent.abort(new Error('over'))
  await child.done()
  let ended = false
  {
    await using scope = new Scope('short')
    scope.spawn('task', async signal => {
      await untilAborted(signal).catch(() => {})
      await drain()
      ended = true
    })
  }
  assert.equal(ended, true)
})
