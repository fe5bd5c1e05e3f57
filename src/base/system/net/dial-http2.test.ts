import assert from 'node:assert/strict'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { createServer } from 'node:http2'
import { type AddressInfo, connect } from 'node:net'
import { test } from 'node:test'
import { HttpFailure } from '../../seams/http.ts'
import { Http2Wire } from './dial-http2.ts'

/** Where Node says that it has read the header of an answer, a moment before it hands it over. */
const headerRead = 'http2.client.stream.finish'

test('an answer that is handed over after its caller has gone is nobody’s, and does not end the process', async t => {
  const server = createServer()
  server.on('stream', stream => {
    stream.on('error', () => {})
    stream.respond({ ':status': 200, 'content-length': '2' })
  })
  t.after(() => server.close())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const origin = { host: '127.0.0.1', port, authority: `127.0.0.1:${port}`, secure: false }
  const wire = new Http2Wire(origin, { origin: `http://${origin.authority}` }, connect(port, '127.0.0.1'))
  t.after(() => wire.close())
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
