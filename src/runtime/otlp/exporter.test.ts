import assert from 'node:assert/strict'
import { test } from 'node:test'
import { drain, type HttpResponse, ManualClock, type Random, silentLog } from '#base'
import { Batcher, tellLost } from './exporter.ts'

/** As if the longest of each wait were drawn. */
const random = { float: () => 1 } as unknown as Random

function batcher(answers: (count: number) => number | 'cut' | 'silence', said: HttpResponse['body'] = null) {
  const clock = new ManualClock()
  const sent: { readonly items: number; readonly atMs: number; readonly target: string }[] = []
  const lost: string[] = []
  const lostItems: number[] = []
  const startedMs = clock.monotonicMs()
  const exchange = async ({ target, body }: { readonly target: string; readonly body: Uint8Array }): Promise<HttpResponse> => {
    sent.push({ items: body.length, atMs: clock.monotonicMs() - startedMs, target })
    const status = answers(sent.length)
    if (status === 'silence') await new Promise(() => {})
    if (status === 'cut' || status === 'silence') throw new Error('the connection was cut')
    return { status, headers: {}, body: said }
  }
  const made = new Batcher<number>({
    clock,
    random,
    net: { dial: () => ({ exchange, close: async () => {} }) } as never,
    to: { url: 'https://collector:4318/v1/logs?key=1', headers: {}, timeoutMs: 10_000 },
    encode: items => new Uint8Array(items.length),
    onLost: (items, why) => {
      lost.push(`${items.length}: ${why}`)
      lostItems.push(...items)
    },
  })
  const add = (count: number): void => {
    for (let index = 0; index < count; index++) made.add(index)
  }
  const stop = new AbortController()
  void made.run(stop.signal)
  return { clock, made, sent, lost, lostItems, add, stop }
}

for (const [status, tries] of [
  [199, 1],
  [200, 1],
  [299, 1],
  [300, 1],
  [400, 1],
  [408, 4],
  [429, 4],
  [500, 1],
  [502, 4],
  [503, 4],
  [504, 4],
] as const)
  test(`a collector that always answers ${status} is told ${tries === 1 ? 'once' : `${tries} times`}`, async () => {
    const { clock, sent, lost, add, made } = batcher(() => status)
    add(1)
    for (let second = 0; second < 12; second++) await clock.advance(1_000)
    assert.equal(sent.length, tries)
    const isTaken = status >= 200 && status < 300
    assert.deepEqual(lost, isTaken ? [] : [`1: it answers ${status}`])
    assert.equal(made.lost, lost.length)
  })

test('tries follow each other after one, two and four seconds at most', async () => {
  const { clock, sent, add } = batcher(count => (count < 4 ? 503 : 200))
  add(1)
  for (let half = 0; half < 24; half++) await clock.advance(500)
  assert.deepEqual(
    sent.map(({ atMs }) => atMs),
    [1_000, 2_000, 4_000, 8_000],
  )
  assert.equal(sent[0]?.target, '/v1/logs?key=1')
})

test('what waits goes out each second, 512 at a time', async () => {
  const { clock, sent, add } = batcher(() => 200)
  add(513)
  await clock.advance(999)
  assert.equal(sent.length, 0)
  await clock.advance(1)
  assert.deepEqual(
    sent.map(({ items }) => items),
    [512, 1],
  )
})

test('of more than 2,048 that wait the 512 oldest are given up', () => {
  const { lost, lostItems, add, made } = batcher(() => 200)
  add(2_048)
  assert.deepEqual(lost, [])
  add(1)
  assert.deepEqual([lost, made.lost], [['512: too much is waiting'], 512])
  assert.deepEqual([lostItems[0], lostItems.at(-1)], [0, 511])
})

test('a last sending takes what waits, and what does not go in its time is lost', async () => {
  const good = batcher(() => 200)
  good.stop.abort()
  good.add(3)
  await good.made.flush(1_000)
  assert.deepEqual([good.sent.map(({ items }) => items), good.lost], [[3], []])
  for (const count of [3, 1]) {
    const busy = batcher(() => 503)
    busy.stop.abort()
    busy.add(count)
    const ended = busy.made.flush(500)
    await busy.clock.advance(500)
    await ended
    assert.deepEqual(busy.lost, [`${count}: the time to stop is over`])
  }
})

test('what is lost is said with where it was to go', () => {
  const said: unknown[] = []
  const log = { ...silentLog, warn: (...words: unknown[]) => void said.push(words) }
  tellLost(log, 'log lines', 'https://collector')([1, 2], 'it answers 400')
  assert.deepEqual(said, [
    ['the collector does not take log lines', { url: 'https://collector', why: 'it answers 400', lost: 2 }],
  ])
})

test('a connection that is cut is tried again, as a collector that is busy is', async () => {
  const { clock, sent, lost, add } = batcher(() => 'cut')
  add(1)
  for (let second = 0; second < 12; second++) await clock.advance(1_000)
  assert.deepEqual([sent.length, lost], [4, ['1: the connection was cut']])
})

test('an answer that comes in pieces is read to its end, so that its connection is free for the next', async () => {
  let pieces = 0
  const inPieces = {
    async *[Symbol.asyncIterator]() {
      for (; pieces < 3; pieces++) yield Buffer.from('x')
    },
  }
  const { clock, lost, add } = batcher(() => 200, inPieces)
  add(1)
  await clock.advance(1_000)
  await drain()
  assert.deepEqual([pieces, lost], [3, []])
})

test('while one batch is under way no other one is sent', async () => {
  const { clock, sent, add } = batcher(() => 'silence')
  for (let second = 0; second < 9; second++) {
    add(1)
    await clock.advance(1_000)
  }
  assert.deepEqual(
    sent.map(({ items }) => items),
    [1],
  )
})
