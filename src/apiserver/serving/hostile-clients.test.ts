import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, request as httpsRequest } from 'node:https'
import { connect as connectTcp, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { connect as connectTls, type TLSSocket } from 'node:tls'
import { type HttpListener, ManualClock } from '#base'
import type { ApiServer, ListenWhere } from '../api-server.ts'
import { createApiServer } from '../create-api-server.ts'

const configMaps = '/api/v1/namespaces/default/configmaps'

interface World {
  readonly server: ApiServer
  readonly listener: HttpListener
  readonly clock: ManualClock
  /** A client that behaves, on a connection of its own that stays. */
  ask(method: string, path: string, body?: unknown): Promise<number>
  /** A connection after the handshake. */
  dial(): Promise<TLSSocket>
  head(method: string, path: string, more?: string): string
}

async function world(t: TestContext, limits: ListenWhere['limits'] = {}): Promise<World> {
  const clock = new ManualClock()
  const server = createApiServer({ seed: 1, clock, controllers: 'none' })
  const listener = await server.listen({ limits })
  const agent = new Agent({ keepAlive: true, maxSockets: 1, ca: server.ca })
  const sockets: Socket[] = []
  t.after(async () => {
    for (const socket of sockets) socket.destroy()
    agent.destroy()
    await server.close()
  })
  return {
    server,
    listener,
    clock,
    ask: (method, path, body) =>
      new Promise((resolve, reject) => {
        const headers = { authorization: `Bearer ${server.adminToken}`, 'content-type': 'application/json' }
        const target = { host: '127.0.0.1', port: listener.port, method, path, agent, headers, servername: 'localhost' }
        const call = httpsRequest(target, response => {
          response.resume()
          response.on('end', () => resolve(response.statusCode ?? 0))
        })
        call.on('error', reject)
        call.end(body === undefined ? undefined : JSON.stringify(body))
      }),
    dial: () =>
      new Promise((resolve, reject) => {
        const socket = connectTls({ port: listener.port, host: '127.0.0.1', ca: server.ca, servername: 'localhost' }, () =>
          resolve(socket),
        )
        sockets.push(socket)
        socket.on('error', reject)
      }),
    head: (method, path, more = '') =>
      `${method} ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${server.adminToken}\r\n${more}`,
  }
}

function closed(socket: Socket): Promise<void> {
  socket.resume()
  return new Promise(resolve => (socket.destroyed ? resolve() : socket.once('close', () => resolve())))
}

async function until(holds: () => boolean): Promise<void> {
  // Sockets need turns of the loop; the test's own timeout is the limit.
  while (!holds()) await new Promise(resolve => setImmediate(resolve))
}

test('clients that dawdle with handshake, header or body are cut, and others are served meanwhile', {
  timeout: 60_000,
}, async t => {
  const { ask, dial, head, listener } = await world(t, { headerTimeoutMs: 1_000 })
  const mute = connectTcp(listener.port, '127.0.0.1')
  mute.on('error', () => {})
  const silent = await dial()
  const slowHead = await dial()
  slowHead.write(head('GET', configMaps, 'x-more: '))
  const slowBody = await dial()
  slowBody.write(head('POST', configMaps, 'content-type: application/json\r\ncontent-length: 1000\r\n\r\n{"kind'))
  const chunked = await dial()
  chunked.write(head('POST', configMaps, 'content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n4\r\n{"ki\r\n'))
  assert.equal(await ask('GET', configMaps), 200)
  await Promise.all([mute, silent, slowHead, slowBody, chunked].map(closed))
  assert.equal(await ask('POST', configMaps, { metadata: { name: 'a' } }), 201)
})

test('a watch whose client is gone, or has closed its half, leaves nothing behind', { timeout: 60_000 }, async t => {
  const { dial, head, clock, ask } = await world(t)
  const before = clock.pendingCount()
  const watches = await Promise.all([dial(), dial(), dial()])
  for (const socket of watches) {
    socket.write(head('GET', `${configMaps}?watch=1`, '\r\n'))
    await new Promise(resolve => socket.once('data', resolve))
  }
  assert.ok(clock.pendingCount() > before)
  watches[0]?.destroy()
  watches[1]?.end()
  watches[2]?.destroySoon()
  await until(() => clock.pendingCount() === before)
  assert.equal(await ask('GET', configMaps), 200)
})

test('a client that does not read its watch delays nobody, and leaves nothing behind when it goes', {
  timeout: 60_000,
}, async t => {
  const { dial, head, ask, server, clock } = await world(t)
  const before = clock.pendingCount()
  const stuck = await dial()
  stuck.write(head('GET', `${configMaps}?watch=1`, '\r\n'))
  await new Promise(resolve => stuck.once('readable', resolve))
  stuck.pause()
  const reader = await dial()
  let lines = 0
  reader.write(head('GET', `${configMaps}?watch=1&resourceVersion=${server.revision}`, '\r\n'))
  reader.on('data', (piece: Buffer) => {
    lines += piece.toString('latin1').split('"type":"').length - 1
  })
  const text = 'x'.repeat(200_000)
  for (let index = 0; index < 60; index++) {
    assert.equal(await ask('POST', configMaps, { metadata: { name: `c${index}` }, data: { text } }), 201)
  }
  await until(() => lines >= 60)
  stuck.destroy()
  reader.destroy()
  await until(() => clock.pendingCount() === before)
})

test('of two thousand connections only as many stay as there may be, and then others get in again', {
  timeout: 60_000,
}, async t => {
  const connectionsMax = 100
  const { ask, listener, dial, head } = await world(t, { connectionsMax })
  assert.equal(await ask('GET', configMaps), 200)
  const crowd: Socket[] = []
  let gone = 0
  t.after(() => {
    for (const socket of crowd) socket.destroy()
  })
  // In waves that the system's queue of connections holds: those beyond it are the system's to lose, and never reach us.
  for (let wave = 1; wave <= 5; wave++) {
    for (let index = 0; index < 400; index++) {
      const socket = connectTcp(listener.port, '127.0.0.1')
      socket.on('error', () => {})
      socket.on('close', () => gone++)
      socket.resume()
      crowd.push(socket)
    }
    await until(() => gone >= crowd.length - connectionsMax + 1)
  }
  assert.equal(gone, 2_000 - connectionsMax + 1)
  assert.equal(await ask('GET', configMaps), 200, 'who was there before is still served')
  for (const socket of crowd) socket.destroy()
  await until(() => gone === 2_000)
  const late = await dial()
  late.write(head('GET', '/version', 'connection: close\r\n\r\n'))
  const [answer] = (await once(late, 'data')) as [Buffer]
  assert.match(answer.toString(), /^HTTP\/1\.1 200 /)
})

test('a restart cuts every connection, keeps objects and revisions, and ends the past', { timeout: 60_000 }, async t => {
  const { server, ask, dial, head, listener } = await world(t)
  await ask('POST', configMaps, { metadata: { name: 'a' } })
  const { revision } = server
  const watch = await dial()
  watch.write(head('GET', `${configMaps}?watch=1`, '\r\n'))
  await new Promise(resolve => watch.once('data', resolve))
  const idle = await dial()
  const cut = Promise.all([watch, idle].map(closed))
  await server.faults.restart()
  await cut
  assert.equal(server.revision, revision)
  const again = await dial()
  again.destroy()
  assert.equal(listener.port > 0, true)
  assert.equal((await server.as()({ method: 'GET', target: `${configMaps}/a`, headers: {}, body: null })).status, 200)
  const old = await server.as()({
    method: 'GET',
    target: `${configMaps}?watch=1&resourceVersion=${revision - 1}`,
    headers: {},
    body: null,
  })
  const event = await (old.body as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]().next()
  assert.match(Buffer.from(event.value).toString(), /"code":410/)
  const made = await server.as()({
    method: 'POST',
    target: configMaps,
    headers: { 'content-type': 'application/json' },
    body: Buffer.from('{"metadata":{"name":"b"}}'),
  })
  const { metadata } = JSON.parse(Buffer.from(made.body as Uint8Array).toString())
  assert.ok(Number(metadata.resourceVersion) > revision)
})
