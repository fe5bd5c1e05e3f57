import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ManualClock, type Random, seededRandom, silentLog } from '#base'
import { configMaps, type ObjectList, type StoredObject } from '#kube'
import { KubeError } from '#kube/client'
import { Informer, type InformerOptions } from './informer.ts'
import { type Line, ScriptedServer } from './scripted-server.fixture.ts'

function object(name: string, version: number, uid = `uid-${name}`): StoredObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace: 'default', name, uid, resourceVersion: String(version) } }
}

function list(version: number, items: readonly StoredObject[], next?: string): ObjectList<StoredObject> {
  const metadata = { resourceVersion: String(version), ...(next === undefined ? {} : { continue: next }) }
  return { apiVersion: 'v1', kind: 'ConfigMapList', metadata, items }
}

const line = (type: 'ADDED' | 'MODIFIED' | 'DELETED', it: StoredObject): Line => ({ type, object: it })
const bookmark = (version: number, initialEventsEnd = false): Line => ({
  type: 'BOOKMARK',
  resourceVersion: String(version),
  initialEventsEnd,
})

function refused(httpStatus: number, reason: string, retryAfterMs?: number): KubeError {
  const code = httpStatus === 429 ? 'throttled' : httpStatus >= 500 ? 'unknown-outcome' : 'refused'
  const status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', reason, code: httpStatus } as const
  return new KubeError(code, reason, { httpStatus, status, retryAfterMs })
}

/** An informer over a scripted server, with its changes as short text. */
function begin(server: ScriptedServer, options: Partial<InformerOptions<StoredObject>> = {}) {
  const clock = new ManualClock()
  const informer = new Informer({
    client: server.client,
    clock,
    random: seededRandom(1),
    log: silentLog,
    type: configMaps,
    listing: 'pages',
    ...options,
  })
  const changes: string[] = []
  informer.cache.listen(change => {
    const { name, resourceVersion } = change.object.metadata
    changes.push(`${change.kind} ${name}@${resourceVersion}${change.kind === 'added' && change.initial ? ' initial' : ''}`)
  })
  const stop = new AbortController()
  const run = informer.run(stop.signal)
  const held = (): string[] => [...informer.cache.store.values()].map(it => `${it.metadata.name}@${it.metadata.resourceVersion}`)
  return {
    clock,
    informer,
    changes,
    held,
    /** Everything that is due within the time. */
    settle: (ms = 0) => clock.advance(ms),
    end: async () => {
      stop.abort(new Error('the test ends'))
      await run
      assert.equal(clock.pendingCount(), 0, 'a timer is left')
      assert.ok(
        server.streams.every(stream => stream.closed),
        'a watch is left',
      )
    },
  }
}

async function started(items: readonly StoredObject[] = [object('a', 5)], version = 10) {
  const server = new ScriptedServer()
  server.lists.push(list(version, items))
  const one = begin(server)
  await one.settle()
  return { server, ...one }
}

test('it lists, then follows the watch from the version of the list', async () => {
  const { server, changes, held, settle, end } = await started()
  assert.deepEqual(changes, ['added a@5 initial'])
  assert.equal(server.stream.options.resourceVersion, '10')
  assert.equal(server.stream.options.allowBookmarks, true)
  server.stream.send(line('ADDED', object('b', 11)), line('MODIFIED', object('a', 12)), line('DELETED', object('b', 13)))
  await settle()
  assert.deepEqual(changes.slice(1), ['added b@11', 'changed a@12', 'removed b@13'])
  assert.deepEqual(held(), ['a@12'])
  await end()
})

test('it lists in pages and shows nothing before the last', async () => {
  const server = new ScriptedServer()
  server.lists.push(list(10, [object('a', 1)], 'more'), list(10, [object('b', 2)]))
  const { changes, settle, end } = begin(server)
  await settle()
  assert.deepEqual(changes, ['added a@1 initial', 'added b@2 initial'])
  assert.deepEqual(
    server.listed.map(options => options.continue),
    [undefined, 'more'],
  )
  await end()
})

test('a watch that the server ends is taken up again at the last version [B8]', async () => {
  const { server, settle, end } = await started()
  server.stream.send(line('ADDED', object('b', 15)))
  await settle(5_000)
  server.stream.finish()
  await settle(1_000)
  assert.equal(server.streams.length, 2)
  assert.equal(server.stream.options.resourceVersion, '15')
  assert.equal(server.listed.length, 1)
  await end()
})

test('a stream that is silent without an error is given up and taken up again [B8, F8]', async () => {
  const { server, informer, settle, end } = await started()
  await settle(149_000)
  assert.equal(server.streams.length, 1)
  await settle(2_000)
  assert.equal(server.streams.length, 2)
  assert.equal(server.streams[0]?.closed, true)
  assert.equal(server.stream.options.resourceVersion, '10')
  assert.equal(server.listed.length, 1)
  assert.ok(informer.cache.synced)
  await end()
})

test('bookmarks keep a quiet stream alive, and move the position', async () => {
  const { server, settle, end } = await started()
  for (let minute = 1; minute <= 10; minute++) {
    await settle(60_000)
    server.stream.send(bookmark(10 + minute))
  }
  await settle()
  assert.equal(server.streams.length, 1)
  server.stream.finish()
  await settle(100)
  assert.equal(server.stream.options.resourceVersion, '20')
  await end()
})

test('a bookmark that is older than what was seen does not move the position back', async () => {
  const { server, settle, end } = await started()
  server.stream.send(line('ADDED', object('b', 20)), bookmark(15))
  await settle(5_000)
  server.stream.finish()
  await settle(100)
  assert.equal(server.stream.options.resourceVersion, '20')
  await end()
})

for (const [name, error] of [
  ['a reset', new KubeError('unknown-outcome', 'reset')],
  ['a 500', refused(500, 'InternalError')],
  ['a 503', refused(503, 'ServiceUnavailable')],
  ['an unreachable server', new KubeError('unreachable', 'connect ECONNREFUSED')],
] as const) {
  test(`${name} of the watch is followed by another watch at the same place [F7]`, async () => {
    const { server, informer, settle, end } = await started()
    server.stream.send(line('ADDED', object('b', 12)))
    await settle()
    server.stream.fail(error)
    await settle()
    assert.equal(informer.state.kind, 'behind')
    await settle(200)
    assert.equal(server.stream.options.resourceVersion, '12')
    server.stream.send(line('MODIFIED', object('b', 14)))
    await settle()
    assert.equal(informer.state.kind, 'live')
    assert.equal(server.listed.length, 1)
    await end()
  })
}

test('a 429 is given the time it asks for [F6]', async () => {
  const { server, informer, settle, end } = await started()
  server.stream.fail(refused(429, 'TooManyRequests', 20_000))
  await settle(19_999)
  assert.equal(server.streams.length, 1)
  assert.deepEqual(informer.state.kind === 'behind' && informer.state.why, 'throttled')
  await settle(1)
  assert.equal(server.streams.length, 2)
  await end()
})

test('a failed list is tried again, later and later, and never given up', async () => {
  const server = new ScriptedServer()
  server.lists.push(refused(500, 'InternalError'))
  const { informer, settle, end } = begin(server)
  await settle(3_600_000)
  assert.ok(server.listed.length > 100 && server.listed.length < 300, String(server.listed.length))
  server.lists.splice(0, 1, list(10, [object('a', 1)]))
  await settle(30_000)
  assert.ok(informer.cache.synced)
  await end()
})

for (const [name, fault] of [
  ['an ERROR line', (server: ScriptedServer) => server.stream.send({ type: 'ERROR', status: statusGone })],
  ['a refused watch', (server: ScriptedServer) => server.stream.fail(refused(410, 'Expired'))],
] as const) {
  test(`an end by 410, told by ${name}, leads to a list, which brings to light what was deleted meanwhile [F9, F10]`, async () => {
    const { server, changes, held, settle, end } = await started([object('a', 5), object('b', 6), object('c', 7)])
    server.lists.splice(0, 1, list(30, [object('a', 5), object('c', 25, 'uid-new')]))
    fault(server)
    await settle(1_000)
    assert.deepEqual(changes.slice(3), ['removed c@7', 'added c@25', 'removed b@6'])
    assert.deepEqual(held(), ['a@5', 'c@25'])
    assert.equal(server.stream.options.resourceVersion, '30')
    await end()
  })
}

test('repeated lines change nothing [F9]', async () => {
  const { server, changes, settle, end } = await started()
  const lines = [line('ADDED', object('b', 11)), line('MODIFIED', object('b', 12))]
  server.stream.send(...lines, ...lines, line('ADDED', object('a', 5)))
  await settle()
  assert.deepEqual(changes.slice(1), ['added b@11', 'changed b@12'])
  assert.equal(server.listed.length, 1)
  await end()
})

test('a late line does not bring a deleted object back: a list says what is true [F9]', async () => {
  const { server, changes, held, settle, end } = await started()
  server.stream.send(line('ADDED', object('b', 11)), line('DELETED', object('b', 12)), line('ADDED', object('b', 11)))
  server.lists.splice(0, 1, list(12, [object('a', 5)]))
  await settle(1_000)
  assert.deepEqual(changes.slice(1), ['added b@11', 'removed b@12'])
  assert.deepEqual(held(), ['a@5'])
  assert.equal(server.listed.length, 2)
  await end()
})

test('a line that was overtaken is not lost [F9]', async () => {
  const { server, held, settle, end } = await started([object('a', 5), object('b', 6)])
  server.stream.send(line('MODIFIED', object('a', 12)), line('MODIFIED', object('b', 11)))
  await settle()
  assert.deepEqual(held(), ['a@12', 'b@11'])
  await end()
})

test('after a line that cannot be read nothing is trusted, and after the second time it lists [F9]', async () => {
  const { server, settle, end } = await started()
  const cut: Line = { type: 'UNREADABLE', reason: 'cut off' }
  server.stream.send(line('ADDED', object('b', 11)), cut, line('ADDED', object('c', 13)))
  await settle(200)
  assert.equal(server.streams.length, 2)
  assert.equal(server.stream.options.resourceVersion, '11')
  server.lists.splice(0, 1, list(20, []))
  server.stream.send(cut)
  await settle(1_000)
  assert.equal(server.listed.length, 2)
  assert.equal(server.stream.options.resourceVersion, '20')
  await end()
})

test('a list from a server that is behind is refused until it has caught up [F11]', async () => {
  const { server, informer, changes, settle, end } = await started([object('a', 50)], 100)
  server.lists.splice(0, 1, list(40, [object('a', 30)]))
  server.stream.fail(refused(410, 'Expired'))
  await settle(500)
  assert.deepEqual(informer.state.kind === 'behind' && informer.state.why, 'older')
  assert.ok(informer.behindMs() > 0)
  server.lists.splice(0, 1, list(120, [object('a', 110)]))
  await settle(30_000)
  assert.deepEqual(changes, ['added a@50 initial', 'changed a@110'])
  assert.equal(informer.behindMs(), 0)
  await end()
})

test('a server that stays behind was restored from a backup, and is believed in the end [F11]', async () => {
  const { server, changes, settle, end } = await started([object('a', 50)], 100)
  server.lists.splice(0, 1, list(40, [object('a', 30)]))
  server.stream.fail(refused(410, 'Expired'))
  await settle(300_000)
  assert.deepEqual(changes, ['added a@50 initial', 'changed a@30'])
  await end()
})

test('within a connection no object goes back to an older version [S18]', async () => {
  const { server, held, settle, end } = await started()
  server.stream.send(line('MODIFIED', object('a', 20)), line('MODIFIED', object('a', 15)), line('DELETED', object('a', 14)))
  await settle()
  assert.deepEqual(held(), ['a@20'])
  await end()
})

for (const [why, error] of [
  ['kind-missing', refused(404, 'NotFound')],
  ['forbidden', refused(403, 'Forbidden')],
  ['unauthenticated', new KubeError('unauthenticated', 'Unauthorized', { httpStatus: 401 })],
] as const) {
  test(`${why}: it says so, keeps what it has, and heals without a restart [B26, F15, F16]`, async () => {
    const { server, informer, held, settle, end } = await started()
    server.lists.splice(0, 1, error)
    server.stream.fail(refused(410, 'Expired'))
    await settle(120_000)
    assert.deepEqual(informer.state.kind === 'behind' && informer.state.why, why)
    assert.deepEqual(held(), ['a@5'])
    assert.ok(server.listed.length < 30, `${server.listed.length} lists in two minutes`)
    server.lists.splice(0, 1, list(20, [object('a', 15)]))
    await settle(30_000)
    assert.equal(informer.state.kind, 'live')
    assert.deepEqual(held(), ['a@15'])
    await end()
  })
}

test('a word that the kind is there now cuts the wait short', async () => {
  const server = new ScriptedServer()
  server.lists.push(refused(404, 'NotFound'))
  const { informer, settle, end } = begin(server)
  await settle(120_000)
  server.lists.splice(0, 1, list(20, []))
  informer.wake()
  await settle()
  assert.ok(informer.cache.synced)
  await end()
})

test('a missing kind of which there will be word is asked for less and less, and one of which there will be none is not [L2]', async () => {
  for (const [isToldOfKinds, least, most] of [
    [true, 1, 4],
    [false, 20, 41],
  ] as const) {
    const server = new ScriptedServer()
    server.lists.push(refused(404, 'NotFound'))
    const { settle, end } = begin(server, { isToldOfKinds: () => isToldOfKinds })
    await settle(1_200_000)
    const before = server.listed.length
    await settle(600_000)
    const asked = server.listed.length - before
    assert.ok(asked >= least && asked <= most, `${asked} reads in ten minutes`)
    await end()
  }
})

test('a kind that is served a moment after the word came, and not at it, is found within seconds [L7]', async () => {
  const server = new ScriptedServer()
  server.lists.push(refused(404, 'NotFound'))
  const { informer, settle, end } = begin(server)
  await settle(600_000)
  // Established is said first, and served a little later.
  informer.wake()
  await settle(500)
  assert.equal(informer.cache.synced, false)
  server.lists.splice(0, 1, list(20, []))
  await settle(1_500)
  assert.ok(informer.cache.synced)
  await end()
})

test('neither a wake nor a wish for a new list cuts short the patience that a server asked for [F6]', async () => {
  const server = new ScriptedServer()
  server.lists.push(refused(429, 'TooManyRequests', 1_000))
  const { informer, settle, end } = begin(server)
  await settle()
  informer.wake()
  await settle(500)
  informer.relist('a reader has doubts')
  await settle(499)
  assert.equal(server.listed.length, 1)
  server.lists.splice(0, 1, list(20, []))
  await settle(1)
  assert.equal(server.listed.length, 2)
  assert.ok(informer.cache.synced)
  await end()
})

test('a server that asks for patience without end is asked again when somebody wakes us', async () => {
  const server = new ScriptedServer()
  server.lists.push(refused(429, 'TooManyRequests', 1e9))
  const { informer, settle, end } = begin(server)
  await settle()
  informer.wake()
  server.lists.splice(0, 1, list(20, []))
  await settle(30_000)
  assert.ok(informer.cache.synced)
  await end()
})

test('WatchList: the stream begins with the objects and is the watch afterwards', async () => {
  const server = new ScriptedServer()
  const { informer, changes, settle, end } = begin(server, { listing: 'stream' })
  await settle()
  assert.equal(server.stream.options.sendInitialEvents, true)
  server.stream.send(line('ADDED', object('b', 7)), line('ADDED', object('a', 5)))
  await settle()
  assert.deepEqual(changes, [])
  server.stream.send(bookmark(10, true), line('MODIFIED', object('a', 11)))
  await settle()
  assert.deepEqual(changes, ['added b@7 initial', 'added a@5 initial', 'changed a@11'])
  assert.equal(informer.state.kind, 'live')
  assert.equal(server.streams.length, 1)
  await end()
})

test('WatchList: a server that refuses it is listed in pages from then on', async () => {
  const server = new ScriptedServer()
  server.watchErrors.push(refused(422, 'Invalid'))
  server.lists.push(list(10, [object('a', 5)]))
  const { changes, settle, end } = begin(server, { listing: 'stream' })
  await settle()
  assert.deepEqual(changes, ['added a@5 initial'])
  assert.equal(server.stream.options.sendInitialEvents, undefined)
  await end()
})

test('WatchList: a server that does not know it and never says that the list is whole is listed in pages', async () => {
  const server = new ScriptedServer()
  server.lists.push(list(10, [object('a', 5)]))
  const { changes, settle, end } = begin(server, { listing: 'stream' })
  await settle()
  server.stream.send(line('ADDED', object('a', 5)))
  await settle(40_000)
  assert.deepEqual(changes, ['added a@5 initial'])
  assert.equal(server.listed.length, 1)
  await end()
})

test('WatchList: a list that breaks off half-way shows nothing and is asked for again', async () => {
  const server = new ScriptedServer()
  const { changes, settle, end } = begin(server, { listing: 'stream' })
  await settle()
  server.stream.send(line('ADDED', object('a', 5)))
  server.stream.fail(new KubeError('unknown-outcome', 'reset'))
  await settle(100)
  assert.deepEqual(changes, [])
  server.stream.send(line('ADDED', object('b', 6)), bookmark(10, true))
  await settle()
  assert.deepEqual(changes, ['added b@6 initial'])
  await end()
})

test('lines that were lost without a trace come to light by the audit [B8]', async () => {
  const { server, changes, settle, end } = await started()
  // The progress mark ran ahead of a line that never came.
  server.stream.send(bookmark(40))
  server.lists.splice(0, 1, list(60, [object('a', 5), object('lost', 30)]))
  for (let minutes = 0; minutes < 130; minutes += 2) {
    await settle(120_000)
    server.stream.send(bookmark(50))
  }
  await settle(1_000)
  assert.deepEqual(changes.slice(1), ['added lost@30'])
  assert.equal(server.listed.length, 2)
  await end()
})

test('a server that takes every connection and answers none is away all the time, however long each try lasts [F8]', async () => {
  const { server, informer, settle, end } = await started()
  const states: string[] = []
  informer.onState(({ kind }) => states.push(kind))
  server.isMute = true
  const unreachable = new KubeError('unreachable', 'no connection within 10000 ms')
  server.stream.fail(unreachable)
  for (let round = 0; round < 12; round++) {
    await settle(30_000)
    server.stream.fail(unreachable)
    await settle()
  }
  assert.deepEqual(new Set(states), new Set(['behind']))
  assert.ok(informer.behindMs() > 300_000, String(informer.behindMs()))
  server.isMute = false
  await settle(30_000)
  assert.equal(informer.state.kind, 'live')
  await end()
})

test('a watch that is agreed to late, and ends at once, is no healthy one: the next is not asked for without a pause', async () => {
  const { server, settle, end } = await started()
  server.isMute = true
  for (let round = 0; round < 200; round++) {
    await settle(2_000)
    server.stream.options.onOpened?.()
    server.stream.finish()
    await settle()
  }
  // Pauses grow to half a minute, so that 400 seconds have no room for 200 watches.
  assert.ok(server.streams.length < 50, String(server.streams.length))
  server.isMute = false
  await settle(60_000)
  await end()
})

test('a watch that ends as soon as it begins does not become a hot loop', async () => {
  const { server, settle, end } = await started()
  for (let round = 0; round < 200; round++) {
    server.stream.finish()
    await settle(100)
  }
  assert.ok(server.streams.length < 20, String(server.streams.length))
  await end()
})

test('whoever waits for a version is told when it is there [P6]', async () => {
  const { server, informer, settle, end } = await started()
  const reached: string[] = []
  const wait = (version: string) =>
    informer.cache.whenReached({ kind: 'there', namespace: 'default', name: 'a', version }, () => reached.push(version))
  wait('12')
  wait('14')
  server.stream.send(line('MODIFIED', object('a', 12)))
  await settle()
  assert.deepEqual(reached, ['12'])
  server.stream.send(bookmark(20))
  await settle()
  assert.deepEqual(reached, ['12', '14'])
  await end()
})

test('an object on which the projection fails is kept whole, and keeps no other out [B21]', async () => {
  const server = new ScriptedServer()
  server.lists.push(list(10, [object('odd', 1), object('a', 2)]))
  const { held, settle, end } = begin(server, {
    project: it => {
      if (it.metadata.name === 'odd') throw new TypeError('spec is undefined')
      return it
    },
  })
  await settle()
  assert.deepEqual(held(), ['odd@1', 'a@2'])
  await end()
})

test('stopping ends a stream that never says anything', async () => {
  const { informer, end } = await started()
  await end()
  assert.deepEqual(informer.state.kind === 'behind' && informer.state.why, 'stopped')
})

const statusGone = {
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Failure',
  reason: 'Expired',
  code: 410,
  message: 'too old resource version',
} as const

test('how long a watch is asked for is between five and ten minutes, so that those of many informers do not end together', async () => {
  const asked: number[] = []
  for (let seed = 0; seed < 20; seed++) {
    const server = new ScriptedServer()
    server.lists.push(list(10, []))
    const { settle, end } = begin(server, { random: seededRandom(seed) })
    await settle()
    asked.push(server.streams[0]?.options.timeoutSeconds ?? 0)
    await end()
  }
  const [least, most] = [Math.min(...asked), Math.max(...asked)]
  assert.ok(least >= 300 && least < 400 && most > 500 && most <= 600, String(asked))
})

const unreachable = (): KubeError => new KubeError('unreachable', 'nobody answers', {})

test('how far behind it is counts from when it was last in step; its tries are as far apart as its limits say', async () => {
  const server = new ScriptedServer()
  server.lists.push(list(10, [object('a', 5)]))
  const { informer, settle, end } = begin(server, { limits: { backoffMsMin: 10_000 } })
  await settle()
  assert.deepEqual(informer.counts, { lists: 1, watches: 1, events: 0, repeated: 0 })
  await settle(5_000)
  assert.equal(informer.behindMs(), 0)
  server.watchErrors.push(unreachable(), unreachable())
  server.stream.finish()
  await settle(1_234)
  assert.deepEqual([informer.behindMs(), server.streams.length], [1_234, 2])
  await settle(3_765)
  assert.equal(server.streams.length, 2)
  await settle(5_001)
  assert.deepEqual([informer.behindMs(), server.streams.length], [10_000, 3])
  await end()
})

for (const [livedMs, kind] of [
  [999, 'behind'],
  [1_000, 'live'],
] as const)
  test(`a stream that ends after ${livedMs} ms leaves the cache ${kind}`, async () => {
    const { server, informer, settle, end } = await started()
    await settle(livedMs)
    server.stream.finish()
    await settle()
    assert.equal(informer.state.kind, kind)
    await end()
  })

test('who does not want to know of states any more is not told, and others are', async () => {
  const { server, informer, settle, end } = await started()
  const told: string[] = []
  const off = informer.onState(({ kind }) => told.push(`left ${kind}`))
  informer.onState(({ kind }) => told.push(kind))
  off()
  server.watchErrors.push(unreachable())
  server.stream.fail(unreachable())
  await settle()
  assert.deepEqual(told, ['behind'])
  await end()
})

test('a line at the moment of an audit is followed by a fresh list, and one right before it is not', async () => {
  const server = new ScriptedServer()
  server.lists.push(list(10, [object('a', 5)]), list(20, [object('a', 5)]))
  const soonest = { float: () => 0 } as unknown as Random
  const { settle, end } = begin(server, { random: soonest, limits: { auditMs: 60_000 } })
  await settle(59_999)
  server.stream.send(bookmark(11))
  await settle()
  assert.equal(server.listed.length, 1)
  await settle(1)
  server.stream.send(bookmark(12))
  await settle()
  assert.equal(server.listed.length, 2)
  await end()
})

test('a streamed list without an end is followed by pages, and what was taken back in it is not there', async () => {
  const server = new ScriptedServer()
  server.lists.push(list(10, [object('b', 5)]))
  const { informer, held, settle, end } = begin(server, { listing: 'stream' })
  await settle()
  server.stream.send(line('ADDED', object('a', 5)), line('ADDED', object('b', 5)))
  await settle(2_000)
  server.stream.finish()
  await settle(1_000)
  assert.deepEqual([server.listed.length, server.stream.options.sendInitialEvents, informer.counts.lists], [1, undefined, 2])
  assert.deepEqual(held(), ['b@5'])
  await end()
})

test('what a streamed list takes back is not in the cache', async () => {
  const server = new ScriptedServer()
  const { held, changes, settle, end } = begin(server, { listing: 'stream' })
  await settle()
  const other = object('b', 5)
  const cluster: StoredObject = { ...object('c', 5), metadata: { name: 'c', uid: 'c', resourceVersion: '5' } }
  server.stream.send(line('ADDED', object('a', 5)), line('ADDED', other), line('ADDED', cluster))
  server.stream.send(line('DELETED', other), line('DELETED', cluster), bookmark(9, true))
  await settle()
  assert.deepEqual([held(), changes], [['a@5'], ['added a@5 initial']])
  await end()
})
