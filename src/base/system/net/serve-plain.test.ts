import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, test } from 'node:test'
import { connect, type TLSSocket } from 'node:tls'
import { HttpFailure, type HttpHandler, type HttpLimits, type HttpListener, type HttpResponse } from '../../seams/http.ts'
import { servingPair } from '../../x509/serving-pair.fixture.ts'
import { listen } from './listen.ts'
import { wholeBodyBytesMax } from './serve.ts'

const tls = servingPair()
const open: HttpListener[] = []
after(() => Promise.all(open.map(listener => listener.close())))

async function serve(handler: HttpHandler, limits: Partial<HttpLimits> = {}): Promise<HttpListener> {
  const listener = await listen({ tls, limits, readsPlainHttp1: true }, handler)
  open.push(listener)
  return listener
}

function text(body: string, status = 200): HttpResponse {
  return { status, headers: { 'content-type': 'text/plain' }, body: Buffer.from(body) }
}

/** Says what was asked. */
const echo: HttpHandler = ({ method, target, body }) =>
  text(`${method} ${target} ${body instanceof Uint8Array ? Buffer.from(body).toString() : 'null'};`)

async function dial(listener: HttpListener): Promise<TLSSocket> {
  const socket = connect({ port: listener.port, host: '127.0.0.1', rejectUnauthorized: false })
  socket.on('error', () => {})
  await once(socket, 'secureConnect')
  return socket
}

/** All that comes back until the connection ends. */
async function rest(socket: TLSSocket): Promise<string> {
  let received = ''
  socket.on('data', (piece: Buffer) => (received += piece.toString()))
  await once(socket, 'close')
  return received
}

/** Sends the pieces, each once what is behind the last has come back where it says so; resolves with all that came until the end. */
async function ask(listener: HttpListener, ...pieces: readonly string[]): Promise<string> {
  const socket = await dial(listener)
  const received = rest(socket)
  for (const piece of pieces) {
    socket.write(piece)
    // Each piece is a record of its own.
    await new Promise(resolve => setImmediate(resolve))
  }
  return received
}

const last = 'GET /last HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n'
const bodiesOf = (received: string): string[] => [...received.matchAll(/([A-Z]+ \/\w* \w+);/g)].map(([, found = '']) => found)

const forms: Readonly<Record<string, readonly string[]>> = {
  'at once': ['POST /a HTTP/1.1\r\nhost: x\r\ncontent-length: 4\r\n\r\nbody', last],
  'with a body in pieces': ['POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nb', 'od', 'y', last],
  'with a head in pieces': ['POST /a HTTP/1.1\r\nhost: x\r\nconte', 'nt-length: 4\r\n\r\nbody', last],
  'before the answer to the one before': [`POST /a HTTP/1.1\r\nhost: x\r\ncontent-length: 4\r\n\r\nbody${last}`],
  'by a client that asks whether to go on': [
    'POST /a HTTP/1.1\r\nhost: x\r\nexpect: 100-continue\r\ncontent-length: 4\r\n\r\nbody',
    last,
  ],
  'with a header twice': ['POST /a HTTP/1.1\r\nhost: x\r\nx-a: 1\r\nx-a: 2\r\ncontent-length: 4\r\n\r\nbody', last],
}

for (const [how, pieces] of Object.entries(forms))
  test(`a request that comes ${how} is answered, and so is the next one on its connection`, async () => {
    for (const handler of [echo, async (request: Parameters<HttpHandler>[0]) => echo(request)])
      assert.deepEqual(bodiesOf(await ask(await serve(handler), ...pieces)), ['POST /a body', 'GET /last null'])
  })

test('nothing is asked of the handler after the request that ends its connection', async () => {
  const large = 'x'.repeat(1_000_000)
  for (const isPromised of [false, true]) {
    const targets: string[] = []
    const handler: HttpHandler = ({ target }) => {
      targets.push(target)
      return isPromised ? Promise.resolve(text(large)) : text(large)
    }
    const received = await ask(await serve(handler), last + last)
    assert.deepEqual(targets, ['/last'])
    assert.equal(received.length - received.indexOf('\r\n\r\n') - 4, large.length, 'its answer is whole')
  }
})

test('what is not plain is judged by Node: chunks are joined, and nonsense is refused', async () => {
  const listener = await serve(async ({ body }) => {
    let length = 0
    for await (const piece of body as AsyncIterable<Uint8Array>) length += piece.length
    return text(`read ${length}`)
  })
  const head = 'POST /a HTTP/1.1\r\nhost: x\r\nconnection: close\r\n'
  assert.match(await ask(listener, `${head}transfer-encoding: chunked\r\n\r\n4\r\nbody\r\n0\r\n\r\n`), /read 4$/)
  for (const bad of [
    'content-length: 1\r\ncontent-length: 2\r\n',
    'content-length: +4\r\n',
    'a b: c\r\n',
    'transfer-encoding: chunked\r\ncontent-length: 4\r\n',
  ])
    assert.match(await ask(listener, `${head}${bad}\r\nbody`), /^HTTP\/1.1 400 /, bad)
  assert.match(await ask(listener, 'GET / HTTP/1.1\r\nconnection: close\r\n\r\n'), /^HTTP\/1.1 400 /, 'no host')
})

test('every byte of an answer arrives, whether it is small, large or comes in pieces', async () => {
  const bytes = (length: number): Buffer => Buffer.from(Uint8Array.from({ length }, (_, index) => index % 256))
  const listener = await serve(({ target }) => {
    const length = Number(target.slice(2))
    const pieces = async function* () {
      yield bytes(length)
      yield bytes(1)
    }
    return { status: 200, headers: {}, body: target.startsWith('/s') ? pieces() : bytes(length) }
  })
  for (const [target, wanted] of [
    ['/w0', bytes(0)],
    ['/w256', bytes(256)],
    ['/w100000', bytes(100_000)],
  ] as const) {
    const socket = await dial(listener)
    socket.setEncoding('latin1')
    socket.write(`GET ${target} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`)
    const [, body] = (await rest(socket)).split('\r\n\r\n')
    assert.equal(Buffer.compare(Buffer.from(body ?? '', 'latin1'), wanted), 0, target)
  }
  const streamed = await ask(listener, 'GET /s3 HTTP/1.1\r\nhost: x\r\n\r\n', last.replace('/last', '/w0'))
  assert.ok(streamed.includes('transfer-encoding: chunked\r\n'))
  assert.ok(streamed.includes('\r\n\r\n3\r\n\0\x01\x02\r\n1\r\n\0\r\n0\r\n\r\nHTTP/1.1 200 '))
})

test('a handler that breaks answers 500 without telling why, one that fails with `reset` cuts the connection', async () => {
  const listener = await serve(({ target }) => {
    if (target === '/cut') throw new HttpFailure('reset', 'played fault')
    if (target === '/header') return { ...text('x'), headers: { 'x-a': 'b\r\nx-c: d' } }
    throw new Error('secret detail')
  })
  const get = (target: string): string => `GET ${target} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`
  for (const target of ['/', '/header']) {
    const answer = await ask(listener, get(target))
    assert.match(answer, /^HTTP\/1.1 500 /)
    assert.match(answer, /internal error\n$/)
  }
  assert.equal(await ask(listener, get('/cut')), '')
})

test('when the client goes away the signal aborts, and not once its answer has gone out', async () => {
  const aborted: string[] = []
  let heard: () => void = () => {}
  const whole = new Promise<void>(resolve => (heard = resolve))
  const listener = await serve(({ target, signal }) => {
    signal?.addEventListener('abort', () => {
      aborted.push(target)
      heard()
    })
    return target === '/answered' ? text('ok') : new Promise(() => {})
  })
  const socket = await dial(listener)
  socket.write('GET /answered HTTP/1.1\r\nhost: x\r\n\r\n')
  await once(socket, 'data')
  socket.write('GET /waits HTTP/1.1\r\nhost: x\r\n\r\n')
  await new Promise(resolve => setImmediate(resolve))
  socket.end()
  await whole
  assert.deepEqual(aborted, ['/waits'])
})

test('who says nothing, stops within a body, or is idle for too long is dropped [X6]', async () => {
  const limits = { headerTimeoutMs: 60, idleTimeoutMs: 60, bodyTimeoutMs: 60 }
  const listener = await serve(echo, limits)
  // On a busy machine the time is over before all of it was sent, and the rest meets a connection that is gone: dropped as well.
  for (const start of [
    '',
    'GET / HTTP/1.1\r\nho',
    'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\nhalf',
    last.replace('connection: close\r\n', ''),
  ])
    await ask(listener, start).catch((error: NodeJS.ErrnoException) => assert.match(error.code ?? '', /^(?:ECONNRESET|EPIPE)$/))
})

test('a header over the limit is refused, and a large body is a stream', async () => {
  const listener = await serve(({ body }) => text(body instanceof Uint8Array ? 'whole' : 'stream'), { headerBytesMax: 8_192 })
  const head = (more: string): string => `POST / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n${more}\r\n`
  assert.match(await ask(listener, head(`x-a: ${'a'.repeat(8_300)}\r\n`)), /^HTTP\/1.1 431 /)
  assert.match(await ask(listener, head(`content-length: ${wholeBodyBytesMax + 1}\r\n`)), /stream$/)
})

test('whoever holds half of what may be held is cut, and what is answered is free again [X6]', async () => {
  const listener = await serve(({ body }) => text(body instanceof Uint8Array ? `${body.length}` : ''), {
    heldBytesMax: 4 * wholeBodyBytesMax,
  })
  const half = 'x'.repeat(wholeBodyBytesMax / 2)
  const slow = `POST / HTTP/1.1\r\nhost: x\r\ncontent-length: ${wholeBodyBytesMax}\r\n\r\n${half}`
  // Three bodies of which half has come stay; each next one ends another.
  await Promise.race([1, 2, 3, 4].map(() => ask(listener, slow)))
  const whole = `POST / HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: 8\r\n\r\nabcdefgh`
  for (let again = 0; again < 9; again++) assert.match(await ask(listener, whole), /8$/)
})

test('a long answer that is on its way when the listener closes with grace arrives whole', { timeout: 60_000 }, async () => {
  const large = 'z'.repeat(6_000_000)
  let asked: () => void = () => {}
  const isAsked = new Promise<void>(resolve => (asked = resolve))
  const listener = await serve(({ target }) => {
    if (target === '/large') asked()
    return text(target === '/large' ? large : 'ok')
  })
  const socket = await dial(listener)
  const received = rest(socket)
  socket.write('GET /small HTTP/1.1\r\nhost: x\r\n\r\n')
  await once(socket, 'data')
  socket.pause()
  socket.write('GET /large HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n')
  await isAsked
  const closed = listener.close(5_000)
  // The listener has looked for idle connections by then.
  await new Promise(resolve => setImmediate(resolve))
  socket.resume()
  assert.equal((await received).split('\r\n\r\n')[2]?.length, large.length)
  await closed
})

test('a client that does not read its answers holds nothing of what may be held, and is dropped when it is as late as an idle one [X6]', {
  timeout: 60_000,
}, async () => {
  const limits = { idleTimeoutMs: 2_000, connectionsPerPeerMax: 20, heldBytesMax: 2 * wholeBodyBytesMax }
  const large = 'y'.repeat(4_000_000)
  const listener = await serve(({ target }) => text(target === '/large' ? large : 'small'), limits)
  const body = 'x'.repeat(wholeBodyBytesMax / 2)
  const ask = (target: string): string => `POST ${target} HTTP/1.1\r\nhost: x\r\ncontent-length: ${body.length}\r\n\r\n${body}`
  const deaf = await Promise.all([1, 2, 3, 4].map(() => dial(listener)))
  const dropped = Promise.all(deaf.map(socket => new Promise(resolve => socket.on('close', resolve))))
  for (const socket of deaf) {
    socket.pause()
    socket.write(ask('/large'))
  }
  const other = await dial(listener)
  for (let again = 0; again < 3; again++) {
    // In two pieces, so that it could be cut.
    other.write(ask('/small').slice(0, -1))
    await new Promise(resolve => setImmediate(resolve))
    other.write('x')
    const [answer] = await Promise.race([once(other, 'data'), once(other, 'close')])
    assert.match(String(answer), /^HTTP\/1.1 200 .*small$/s)
  }
  // Who reads nothing learns that a connection is gone when it writes.
  const writing = setInterval(() => {
    for (const socket of deaf) if (!socket.writableNeedDrain) socket.write('x')
  }, 10)
  await dropped
  clearInterval(writing)
})

test('closing with grace ends what is idle, and lets what is under way finish', { timeout: 60_000 }, async () => {
  let started: () => void = () => {}
  const running = new Promise<void>(resolve => (started = resolve))
  let finish: () => void = () => {}
  const gate = new Promise<void>(resolve => (finish = resolve))
  const listener = await serve(async ({ target }) => {
    if (target === '/idle') return text('ok')
    started()
    await gate
    return text('finished')
  })
  const idle = await dial(listener)
  idle.write('GET /idle HTTP/1.1\r\nhost: x\r\n\r\n')
  await once(idle, 'data')
  const answer = ask(listener, 'GET /slow HTTP/1.1\r\nhost: x\r\n\r\n')
  await running
  const ended = once(idle, 'close')
  const closed = listener.close(600_000)
  await ended
  finish()
  assert.match(await answer, /connection: close\r\n.*finished$/s)
  await closed
})
