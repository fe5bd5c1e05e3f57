import assert from 'node:assert/strict'
import { test } from 'node:test'
import { drain, ManualClock } from '#base'
import { type QueueObserver, type Taken, WorkQueue } from './work-queue.ts'

interface Options {
  readonly driftActiveMax?: number
  readonly observer?: QueueObserver
}

function queue(options: Options = {}) {
  const clock = new ManualClock()
  return {
    clock,
    keys: new WorkQueue<string>({ clock, render: key => key, groupOf: key => key.split('/')[0] ?? '', ...options }),
  }
}

/** Takes what is ready, in order, finishing each before the next. */
async function takeAll(keys: WorkQueue<string>, max = 1_000): Promise<string[]> {
  const order: string[] = []
  while (keys.depth() > 0 && order.length < max) {
    const taken = await keys.take()
    if (taken === undefined) break
    order.push(taken.key)
    keys.done(taken)
  }
  return order
}

test('a key that is added twice is taken once', async () => {
  const { keys } = queue()
  keys.add('a/1')
  keys.add('a/1')
  assert.deepEqual(await takeAll(keys), ['a/1'])
  assert.equal(keys.size, 0)
})

test('a key that is added while it is worked on waits for its worker, and then runs again [S17]', async () => {
  const { keys } = queue()
  keys.add('a/1')
  const first = (await keys.take()) as Taken<string>
  keys.add('a/1')
  assert.equal(keys.depth(), 0)
  keys.done(first)
  assert.deepEqual(await takeAll(keys), ['a/1'])
})

test('the earlier due time is kept when a key is added again', async () => {
  const { clock, keys } = queue()
  keys.add('a/1', 'drift', 60_000)
  keys.add('a/1', 'drift', 5_000)
  keys.add('a/1', 'drift', 90_000)
  await clock.advance(4_999)
  assert.equal(keys.depth(), 0)
  await clock.advance(1)
  assert.deepEqual(await takeAll(keys), ['a/1'])
  assert.equal(clock.pendingCount(), 0)
})

test('a changed claim does not wait for its back-off [P12]', async () => {
  const { keys } = queue()
  keys.add('a/1', 'retry', 300_000)
  keys.add('a/1', 'fresh')
  assert.deepEqual(await takeAll(keys), ['a/1'])
})

test('a key that changes all the time and is looked at hours later leaves no places behind, and hastens nobody', async () => {
  const { clock, keys } = queue()
  const others = Array.from({ length: 30 }, (_, index) => `b/${(index * 7) % 30}`)
  for (const other of others) keys.add(other, 'drift', 600_000 * (1 + Number(other.slice(2))))
  for (let change = 0; change < 1_000; change++) {
    keys.add('a/1', 'drift', 36_000_000)
    keys.add('a/1')
    assert.deepEqual(await takeAll(keys), ['a/1'])
  }
  assert.ok(keys.places < 200, String(keys.places))
  for (let index = 0; index < others.length; index++) {
    await clock.advance(600_000)
    assert.deepEqual(await takeAll(keys), [`b/${index}`])
  }
  assert.equal(keys.size, 0)
})

test('one new key is taken next although 100,000 resyncs wait [B22]', async () => {
  const { keys } = queue()
  for (let index = 0; index < 100_000; index++) keys.add(`ns-${index % 100}/${index}`, 'drift')
  keys.add('new/1', 'fresh')
  const taken = (await keys.take()) as Taken<string>
  assert.equal(taken.key, 'new/1')
  assert.equal(keys.depth('drift'), 100_000)
})

test('what is half done goes on before anything new is begun, and does not keep it out [P12]', async () => {
  const { keys } = queue()
  for (let index = 0; index < 100; index++) keys.add(`new/${index}`, 'fresh')
  keys.add('old/1', 'begun')
  assert.deepEqual(await takeAll(keys, 1), ['old/1'])
  const order: string[] = []
  for (let index = 0; index < 40; index++) {
    keys.add(`old/${index}`, 'begun')
    keys.add(`old/also-${index}`, 'begun')
    order.push(...(await takeAll(keys, 1)))
  }
  assert.ok(order.includes('new/0'))
})

test('drift never takes the last worker [B22]', async () => {
  const { keys } = queue({ driftActiveMax: 1 })
  keys.add('a/1', 'drift')
  keys.add('a/2', 'drift')
  const first = (await keys.take()) as Taken<string>
  let second: string | undefined
  void keys.take().then(taken => (second = taken?.key))
  await drain()
  assert.equal(second, undefined)
  keys.add('b/1', 'fresh')
  await drain()
  assert.equal(second, 'b/1')
  keys.done(first)
  assert.deepEqual(await takeAll(keys), ['a/2'])
})

test('a lower lane is served now and then while the upper one never empties [L9]', async () => {
  const { keys } = queue()
  keys.add('slow/1', 'drift')
  const order: string[] = []
  for (let index = 0; index < 40; index++) {
    keys.add(`busy/${index}`, 'fresh')
    keys.add(`busy/also-${index}`, 'fresh')
    order.push(...(await takeAll(keys, 1)))
  }
  assert.equal(order.indexOf('slow/1'), 15)
})

test('namespaces take turns, whatever the length of their lines', async () => {
  const { keys } = queue()
  for (const key of ['big/1', 'big/2', 'big/3', 'small/1', 'other/1']) keys.add(key)
  assert.deepEqual(await takeAll(keys), ['big/1', 'small/1', 'other/1', 'big/2', 'big/3'])
})

test('a key that moves to a more urgent lane is not taken from its old one as well', async () => {
  const { keys } = queue()
  keys.add('a/1', 'drift')
  keys.add('a/1', 'fresh')
  keys.add('a/2', 'drift')
  assert.deepEqual(await takeAll(keys), ['a/1', 'a/2'])
})

test('closing wakes those who wait, and leaves no timer', async () => {
  const { clock, keys } = queue()
  keys.add('a/1', 'drift', 1_000)
  const waiting = keys.take()
  keys.close()
  assert.equal(await waiting, undefined)
  assert.equal(clock.pendingCount(), 0)
})

test('an aborted take leaves its key for the next', async () => {
  const { keys } = queue()
  const stop = new AbortController()
  const waiting = keys.take(stop.signal)
  stop.abort()
  assert.equal(await waiting, undefined)
  keys.add('a/1')
  assert.deepEqual(await takeAll(keys), ['a/1'])
})

test('finishing a key that nobody works on is a defect', () => {
  const { keys } = queue()
  assert.throws(() => keys.done({ key: 'a/1', id: 'a/1', lane: 'fresh', waitedMs: 0 }), /nobody works on/)
})

test('a key that is dropped while it waits is not taken, and one that is dropped while it is worked on has no next round', async () => {
  const { keys, clock } = queue()
  for (const key of ['a/1', 'a/2', 'a/3']) keys.add(key)
  keys.drop('a/2')
  keys.drop('a/9')
  assert.deepEqual([keys.depth(), keys.size], [2, 2])
  const taken = (await keys.take()) as Taken<string>
  assert.equal(taken.key, 'a/1')
  keys.add('a/1')
  keys.drop('a/1')
  keys.done(taken)
  assert.deepEqual(await takeAll(keys), ['a/3'])
  assert.deepEqual([keys.depth(), keys.size], [0, 0])
  keys.add('a/4', 'fresh', 5_000)
  keys.drop('a/4')
  await clock.advance(10_000)
  assert.equal(keys.depth(), 0)
})

test('a key that was dropped and comes back counts once', async () => {
  const { keys } = queue()
  keys.add('a/1')
  keys.drop('a/1')
  keys.add('a/1')
  assert.equal(keys.depth(), 1)
  assert.deepEqual(await takeAll(keys), ['a/1'])
})

test('how long a key waits counts from when it is due and nobody works on it any more', async () => {
  const { keys, clock } = queue()
  const take = async (): Promise<Taken<string>> => (await keys.take()) as Taken<string>
  keys.add('a/1')
  const first = await take()
  assert.deepEqual(first, { key: 'a/1', id: 'a/1', lane: 'fresh', waitedMs: 0 })
  await clock.advance(30)
  keys.add('a/1', 'retry')
  await clock.advance(70)
  keys.done(first)
  await clock.advance(5)
  const second = await take()
  assert.deepEqual([second.lane, second.waitedMs], ['retry', 5])
  keys.add('a/1', 'drift', 100)
  keys.done(second)
  await clock.advance(140)
  const third = await take()
  assert.deepEqual([third.lane, third.waitedMs], ['drift', 40])
})

test('what is told of keys: each addition, how long it was ready before it was taken, and how long it was worked on', async () => {
  const told: (readonly unknown[])[] = []
  const observer: QueueObserver = {
    added: lane => told.push(['added', lane]),
    started: (lane, ms) => told.push(['started', lane, ms]),
    finished: ms => told.push(['finished', ms]),
  }
  const { keys, clock } = queue({ observer })
  await clock.advance(1_000)
  keys.add('a/1', 'retry', 10)
  keys.add('a/1', 'drift', 20)
  await clock.advance(17)
  const taken = (await keys.take()) as Taken<string>
  await clock.advance(300)
  keys.done(taken)
  assert.deepEqual(told, [
    ['added', 'retry'],
    ['added', 'drift'],
    ['started', 'retry', 7],
    ['finished', 300],
  ])
})

test('a key that is added twice while it is worked on comes back once, in the more urgent lane and at the earlier time', async () => {
  for (const [adds, lane, dueMs] of [
    [[['drift', 500] as const, ['retry', 900] as const], 'retry', 500],
    [[['retry', 900] as const, ['drift', 500] as const], 'retry', 500],
    [[['fresh', 0] as const, ['drift', 500] as const], 'fresh', 0],
  ] as const) {
    const { keys, clock } = queue()
    keys.add('a/1')
    const taken = (await keys.take()) as Taken<string>
    for (const [one, afterMs] of adds) keys.add('a/1', one, afterMs)
    keys.done(taken)
    assert.equal(keys.depth(), dueMs === 0 ? 1 : 0)
    await clock.advance(Math.max(0, dueMs - 1))
    assert.equal(keys.depth(), dueMs === 0 ? 1 : 0)
    await clock.advance(1)
    assert.deepEqual([keys.depth(lane), keys.depth()], [1, 1])
    assert.deepEqual(await takeAll(keys), ['a/1'])
    await clock.advance(10_000)
    assert.equal(keys.size, 0)
  }
})

test('a key that is ready is moved by a more urgent lane alone, and keeps its turn otherwise', async () => {
  const { keys } = queue()
  for (const key of ['a/1', 'a/2', 'a/3']) keys.add(key, 'retry')
  keys.add('a/1', 'drift')
  keys.add('a/2', 'retry', 60_000)
  keys.add('a/1', 'retry')
  keys.add('a/3', 'fresh', 60_000)
  assert.deepEqual([keys.depth('fresh'), keys.depth('retry'), keys.depth('drift')], [1, 2, 0])
  assert.deepEqual(await takeAll(keys), ['a/3', 'a/1', 'a/2'])
})

test('a key that waits for a time takes the more urgent lane and the earlier time, each by itself', async () => {
  const { keys, clock } = queue()
  keys.add('a/1', 'drift', 1_000)
  keys.add('a/1', 'retry', 5_000)
  await clock.advance(999)
  assert.equal(keys.depth(), 0)
  await clock.advance(1)
  assert.equal(keys.depth('retry'), 1)
})

test('whoever stops waiting for a key takes nobody else from the line', async () => {
  const { keys } = queue()
  const got: (string | undefined)[] = []
  const stop = new AbortController()
  const wait = (name: string, signal?: AbortSignal): void =>
    void keys.take(signal).then(taken => got.push(taken === undefined ? `${name} nothing` : `${name} ${taken.key}`))
  wait('first')
  wait('second', stop.signal)
  wait('third')
  stop.abort()
  await drain()
  for (const key of ['a/1', 'a/2']) keys.add(key)
  await drain()
  assert.deepEqual(got, ['second nothing', 'first a/1', 'third a/2'])
})

test('nothing is taken from a queue that is closed, or by whoever is stopped already, and a closed queue takes nothing in', async () => {
  const { keys, clock } = queue()
  keys.add('a/1')
  assert.equal(await keys.take(AbortSignal.abort()), undefined)
  const taken = (await keys.take()) as Taken<string>
  keys.add('a/1')
  keys.close()
  keys.add('a/2')
  assert.equal(await keys.take(), undefined)
  keys.done(taken)
  assert.deepEqual([keys.size, keys.depth(), clock.pendingCount()], [0, 0, 0])
})

test('old places of keys that wait are let go of once they are more than twice the keys and sixty-four', () => {
  const { keys } = queue()
  for (const other of ['b/1', 'b/2', 'b/2']) keys.add(other, 'drift', 9_000)
  assert.equal(keys.places, 2, 'what asks for nothing new leaves no place')
  let most = 0
  for (let dueMs = 5_000; dueMs > 4_000; dueMs--) {
    keys.add('a/1', 'drift', dueMs)
    most = Math.max(most, keys.places)
  }
  assert.deepEqual([most, keys.size], [70, 3])
})

test('a place in the line for a time that was given up does not bring the key back while it is worked on', async () => {
  const { keys, clock } = queue()
  keys.add('a/1', 'drift', 1_000)
  keys.add('a/1', 'drift', 100)
  keys.add('a/1', 'fresh')
  const taken = (await keys.take()) as Taken<string>
  await clock.advance(2_000)
  assert.deepEqual([keys.depth(), keys.size], [0, 1])
  keys.done(taken)
  assert.deepEqual([keys.depth(), keys.size], [0, 0])
})
