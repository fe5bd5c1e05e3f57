import assert from 'node:assert/strict'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { constants, createServer, type Http2Server, type Http2Session } from 'node:http2'
import { type AddressInfo, connect } from 'node:net'
import { type TestContext, test } from 'node:test'
import { HttpFailure, type HttpResponse } from '../../seams/http.ts'
import { Http2Wire } from './dial-http2.ts'

/** Where Node says that it has read the header of an answer, a moment before it hands it over. */
const headerRead = 'http2.client.stream.finish'

async function wireTo(server: Http2Server, t: TestContext): Promise<Http2Wire> {
  t.after(() => server.close())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const origin = { host: '127.0.0.1', port, authority: `127.0.0.1:${port}`, secure: false }
  const wire = new Http2Wire(origin, { origin: `http://${origin.authority}` }, connect(port, '127.0.0.1'))
  t.after(() => wire.close())
  return wire
}

test('an answer that is handed over after its caller has gone is nobody’s, and does not end the process', async t => {
  const server = createServer()
  server.on('stream', stream => {
    stream.on('error', () => {})
    stream.respond({ ':status': 200, 'content-length': '2' })
  })
  const wire = await wireTo(server, t)
  const gone = new AbortController()
  const leave = (): void => gone.abort(new Error('nobody waits any more'))
  subscribe(headerRead, leave)
  t.after(() => unsubscribe(headerRead, leave))
  const unheard: unknown[] = []
  const hear = (error: unknown): void => void unheard.push(error)
  process.on('unhandledRejection', hear)
  t.after(() => process.off('unhandledRejection', hear))
  const isOver = once(server, 'stream').then(([stream]) => once(stream, 'close'))
  const answer = wire.send({ method: 'GET', target: '/', headers: {}, body: null, signal: gone.signal })
  await assert.rejects(answer, (error: unknown) => error instanceof HttpFailure && error.code === 'aborted')
  await isOver
  await new Promise(resolve => setImmediate(resolve))
  assert.deepEqual(unheard, [])
})

test('a server that asks for calm on one connection is asked over another, and what goes on over the first ends there [B19]', async t => {
  const server = createServer()
  let sessions = 0
  const first = new Set<Http2Session | undefined>()
  const endWatch: (() => void)[] = []
  server.on('session', session => {
    sessions++
    if (sessions === 1) first.add(session)
  })
  server.on('stream', (stream, headers) => {
    stream.on('error', () => {})
    if (headers[':path'] === '/watch') {
      stream.respond({ ':status': 200 })
      stream.write('begun')
      endWatch.push(() => stream.end(' and ended'))
    } else if (first.has(stream.session)) stream.close(constants.NGHTTP2_ENHANCE_YOUR_CALM)
    else stream.respond({ ':status': 200, 'content-length': '0' }, { endStream: true })
  })
  const wire = await wireTo(server, t)
  const get = (target: string): Promise<HttpResponse> => wire.send({ method: 'GET', target, headers: {}, body: null })
  const write = (): Promise<HttpResponse> => wire.send({ method: 'POST', target: '/more', headers: {}, body: Buffer.from('x') })
  const { body } = await get('/watch')
  await assert.rejects(write(), (error: unknown) => error instanceof HttpFailure && error.code === 'reset')
  assert.equal(wire.alive, true)
  assert.equal((await write()).status, 200)
  assert.equal((await get('/more')).status, 200)
  assert.equal(sessions, 2)
  for (const end of endWatch) end()
  assert.ok(body !== null && !(body instanceof Uint8Array))
  let told = ''
  for await (const piece of body) told += Buffer.from(piece).toString()
  assert.equal(told, 'begun and ended')
})
