import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ManualClock } from '#base'
import type { ApiServer } from '../api-server.ts'
import { ask, nextEvents, openWatch } from '../ask.fixture.ts'
import { createApiServer } from '../create-api-server.ts'

const target = '/api/v1/namespaces/default/configmaps'

async function create(server: ApiServer, name: string, label = 'a'): Promise<void> {
  const metadata = { name, labels: { of: label } }
  const { status } = await ask(server, 'POST', target, { apiVersion: 'v1', kind: 'ConfigMap', metadata })
  assert.equal(status, 201)
}

interface Seen {
  readonly names: string[]
  readonly pieces: number[]
  readonly revision: string
}

/** Reads until so many events have come, or the stream ends. */
async function read(stream: AsyncIterator<Uint8Array, undefined>, count: number): Promise<Seen> {
  const names: string[] = []
  const pieces: number[] = []
  let revision = ''
  while (names.length < count) {
    const events = await nextEvents(stream)
    if (events.length === 0) break
    pieces.push(events.length)
    for (const { object } of events) {
      names.push(object.metadata.name)
      revision = object.metadata.resourceVersion
    }
  }
  return { names, pieces, revision }
}

const numbered = (from: number, to: number): string[] => Array.from({ length: to - from }, (_, index) => `n${from + index}`)

test('a watcher that fetches nothing while more than a thousand events wait for it is closed, and misses nothing when it comes back', async () => {
  for (const more of [1_000, 1_001]) {
    const server = createApiServer({ seed: 1, clock: new ManualClock(), controllers: 'none' })
    const stream = await openWatch(server, `${target}?resourceVersion=${server.revision}`)
    const first = read(stream, 1)
    await create(server, 'n0')
    const { revision } = await first
    for (const name of numbered(1, more + 1)) await create(server, name)
    const rest = await read(stream, more)
    assert.deepEqual(rest.names, more === 1_000 ? numbered(1, 1_001) : [], 'a thousand is not too much, one more is')
    const again = await openWatch(server, `${target}?resourceVersion=${revision}`)
    assert.deepEqual((await read(again, more)).names, numbered(1, more + 1))
    await server.close()
  }
})

test('what a watcher does not want to see does not count against it', async () => {
  const server = createApiServer({ seed: 1, clock: new ManualClock(), controllers: 'none' })
  const stream = await openWatch(server, `${target}?resourceVersion=${server.revision}&labelSelector=of%3Db`)
  const first = read(stream, 1)
  await create(server, 'first', 'b')
  await first
  for (const name of numbered(0, 1_100)) await create(server, name)
  await create(server, 'last', 'b')
  assert.deepEqual((await read(stream, 1)).names, ['last'])
  await server.close()
})

test('a long past comes in pieces of bounded size', async () => {
  const server = createApiServer({ seed: 1, clock: new ManualClock(), controllers: 'none' })
  const { revision } = server
  for (const name of numbered(0, 1_200)) await create(server, name)
  const { names, pieces } = await read(await openWatch(server, `${target}?resourceVersion=${revision}`), 1_200)
  assert.deepEqual(names, numbered(0, 1_200))
  assert.deepEqual(pieces, [500, 500, 200])
  await server.close()
})

test('a watch whose caller left before the first read of its body ends, and is not kept', async () => {
  const server = createApiServer({ seed: 1, clock: new ManualClock(), controllers: 'none' })
  const leaving = new AbortController()
  const request = { method: 'GET', target: `${target}?watch=true&resourceVersion=${server.revision}`, headers: {}, body: null }
  const { body } = await server.as()({ ...request, signal: leaving.signal })
  leaving.abort(new Error('not wanted'))
  const stream = (body as AsyncIterable<Uint8Array, undefined>)[Symbol.asyncIterator]()
  assert.deepEqual(await stream.next(), { done: true, value: undefined })
  await server.close()
})
