import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type IncomingMessage, request as send } from 'node:http'
import { connect } from 'node:net'
import { after, test } from 'node:test'
import { HttpFailure, type HttpListener, type HttpRequest, type HttpResponse } from '../../seams/http.ts'
import { listen } from './listen.ts'
import { wholeBodyBytesMax } from './serve.ts'

const open: HttpListener[] = []
after(() => Promise.all(open.map(listener => listener.close())))

async function serve(
  handler: (request: HttpRequest) => Promise<HttpResponse>,
  limits?: Parameters<typeof listen>[0]['limits'],
): Promise<HttpListener> {
  const listener = await listen(limits === undefined ? {} : { limits }, handler)
  open.push(listener)
  return listener
}

function text(body: string, status = 200): HttpResponse {
  return { status, headers: { 'content-type': 'text/plain' }, body: new TextEncoder().encode(body) }
}

async function call(listener: HttpListener, options: { method?: string; path?: string; body?: Buffer; chunked?: boolean } = {}) {
  const incoming = await new Promise<IncomingMessage>((resolve, reject) => {
    const outgoing = send(
      {
        port: listener.port,
        host: '127.0.0.1',
        agent: false,
        method: options.method ?? 'GET',
        path: options.path ?? '/',
        headers: options.chunked ? { 'transfer-encoding': 'chunked' } : {},
      },
      resolve,
    )
    outgoing.on('error', reject)
    outgoing.end(options.body)
  })
  const pieces: Buffer[] = []
  for await (const piece of incoming) pieces.push(piece as Buffer)
  return { status: incoming.statusCode, headers: incoming.headers, body: Buffer.concat(pieces).toString() }
}

test('a request arrives as it stands on the wire and the answer goes out with its length', async () => {
  const seen: HttpRequest[] = []
  const listener = await serve(async request => {
    seen.push(request)
    return { status: 201, headers: { 'x-many': ['a', 'b'] }, body: new TextEncoder().encode('done') }
  })
  const answer = await call(listener, { method: 'POST', path: '/a%2Fb?c=d', body: Buffer.from('hello') })
  assert.equal(answer.status, 201)
  assert.equal(answer.body, 'done')
  assert.equal(answer.headers['content-length'], '4')
  assert.equal(answer.headers['x-many'], 'a, b')
  assert.equal(seen[0]?.method, 'POST')
  assert.equal(seen[0]?.target, '/a%2Fb?c=d')
  assert.deepEqual(seen[0]?.peer, { address: '127.0.0.1', tls: false })
  assert.equal(Buffer.from(seen[0]?.body as Uint8Array).toString(), 'hello')
})

test('a header that came twice has its values in order, and the first of those that a request has once', async () => {
  const seen: HttpRequest[] = []
  const listener = await serve(async request => {
    seen.push(request)
    return text('ok')
  })
  await new Promise<void>(resolve => {
    const socket = connect(listener.port, '127.0.0.1')
    socket.on('data', () => socket.destroy())
    socket.on('close', () => resolve())
    socket.write(
      'GET / HTTP/1.1\r\nHost: a\r\nX-Two: 1\r\nContent-Encoding: identity\r\nX-Two: 2, 3\r\nContent-Encoding: aws-chunked\r\nUser-Agent: a\r\nUser-Agent: b\r\n\r\n',
    )
  })
  const { host, 'x-two': two, 'content-encoding': encoding, 'user-agent': agent } = seen[0]?.headers ?? {}
  assert.deepEqual(
    { host, two, encoding, agent },
    { host: 'a', two: ['1', '2, 3'], encoding: ['identity', 'aws-chunked'], agent: 'a' },
  )
})

test('a request without a body has null, and HEAD answers with the length alone', async () => {
  const bodies: unknown[] = []
  const listener = await serve(async request => {
    bodies.push(request.body)
    return text('four')
  })
  const answer = await call(listener, { method: 'HEAD' })
  assert.deepEqual(bodies, [null])
  assert.equal(answer.body, '')
  assert.equal(answer.headers['content-length'], '4')
})

test('every byte of an answer arrives as it is, whether the body is small or large', async () => {
  const bytes = (length: number): Uint8Array => Uint8Array.from({ length }, (_, index) => index % 256)
  const listener = await serve(async request => ({ status: 200, headers: {}, body: bytes(Number(request.target.slice(1))) }))
  for (const length of [0, 1, 256, 16_384, 16_385, 100_000]) {
    const answer = await fetch(`http://127.0.0.1:${listener.port}/${length}`)
    assert.deepEqual(new Uint8Array(await answer.arrayBuffer()), bytes(length), `${length} bytes`)
  }
})

test('bodies of unknown or great length are streamed to the handler', async () => {
  const listener = await serve(async request => {
    assert.ok(request.body !== null && !(request.body instanceof Uint8Array))
    let length = 0
    for await (const piece of request.body) length += piece.length
    return text(String(length))
  })
  assert.equal((await call(listener, { method: 'POST', body: Buffer.alloc(1000), chunked: true })).body, '1000')
  const large = Buffer.alloc(wholeBodyBytesMax + 1)
  assert.equal((await call(listener, { method: 'POST', body: large })).body, String(large.length))
})

test('an answer before the end of the request body closes the connection', async () => {
  const listener = await serve(async () => text('too large', 413))
  const answer = await new Promise<string>(resolve => {
    const socket = connect(listener.port, '127.0.0.1')
    let received = ''
    socket.on('data', piece => {
      received += piece.toString()
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve(received))
    socket.write('POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n')
  })
  assert.match(answer, /^HTTP\/1.1 413 /)
  assert.match(answer, /connection: close/i)
})

test('a streamed answer reaches the client piece by piece', async () => {
  let release: () => void = () => {}
  const gate = new Promise<void>(resolve => {
    release = resolve
  })
  const listener = await serve(async () => ({
    status: 200,
    headers: {},
    body: (async function* () {
      yield Buffer.from('first\n')
      await gate
      yield Buffer.from('second\n')
    })(),
  }))
  const received: string[] = []
  await new Promise<void>((resolve, reject) => {
    const outgoing = send({ port: listener.port, host: '127.0.0.1', agent: false }, incoming => {
      incoming.on('data', (piece: Buffer) => {
        received.push(piece.toString())
        release()
      })
      incoming.on('end', resolve)
      incoming.on('error', reject)
    })
    outgoing.end()
  })
  assert.deepEqual(received, ['first\n', 'second\n'])
})

test('when the client goes away the signal aborts and the source is ended', async () => {
  let ended: () => void = () => {}
  const sourceEnded = new Promise<void>(resolve => {
    ended = resolve
  })
  const listener = await serve(async request => ({
    status: 200,
    headers: {},
    body: (async function* () {
      try {
        yield Buffer.from('hello')
        await new Promise((_resolve, reject) => request.signal?.addEventListener('abort', () => reject(request.signal?.reason)))
      } finally {
        ended()
      }
    })(),
  }))
  const outgoing = send({ port: listener.port, host: '127.0.0.1', agent: false }, incoming => {
    incoming.on('error', () => {})
    incoming.once('data', () => outgoing.destroy())
  })
  outgoing.on('error', () => {})
  outgoing.end()
  await sourceEnded
})

test('a handler that breaks answers 500 without telling why, and one that fails with `reset` cuts the connection', async () => {
  const listener = await serve(async request => {
    if (request.target === '/cut') throw new HttpFailure('reset', 'played fault')
    throw new Error('secret detail')
  })
  const answer = await call(listener)
  assert.equal(answer.status, 500)
  assert.equal(answer.body, 'internal error\n')
  await assert.rejects(call(listener, { path: '/cut' }), { code: 'ECONNRESET' })
})

test('a header over the limit is refused', async () => {
  const listener = await serve(async () => text('ok'), { headerBytesMax: 8_192 })
  const within = await call(listener, { path: `/${'a'.repeat(7_000)}` })
  assert.equal(within.status, 200)
  const beyond = await call(listener, { path: `/${'a'.repeat(8_300)}` })
  assert.equal(beyond.status, 431)
})

test('a client that does not finish its header or its body is dropped', async () => {
  const listener = await serve(async () => text('ok'), { headerTimeoutMs: 80 })
  for (const start of ['GET / HTTP/1.1\r\nhost: x\r\n', 'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 10\r\n\r\nhalf']) {
    await new Promise<void>(resolve => {
      const socket = connect(listener.port, '127.0.0.1', () => socket.write(start))
      socket.on('error', () => {})
      socket.on('data', () => {})
      socket.on('close', () => resolve())
    })
  }
})

/** Sends a header over a connection from this address; resolves with what came back once the connection has ended. */
function ask(listener: HttpListener, start: string, localAddress = '127.0.0.1'): Promise<string> {
  return new Promise(resolve => {
    const socket = connect({ port: listener.port, host: '127.0.0.1', localAddress }, () => socket.write(start))
    let received = ''
    socket.on('data', piece => (received += piece.toString()))
    socket.on('error', () => {})
    socket.on('close', () => resolve(received))
  })
}

for (const [what, length] of [
  ['small', 1_000],
  ['large', wholeBodyBytesMax + 1],
] as const)
  test(`a ${what} body that comes byte by byte is cut when its time is over, though no silence is long [X6]`, async t => {
    const listener = await serve(
      async ({ body }) => {
        for await (const _ of body as AsyncIterable<Uint8Array>);
        return text('ok')
      },
      { headerTimeoutMs: 60_000, bodyTimeoutMs: 60 },
    )
    const socket = connect(listener.port, '127.0.0.1')
    socket.on('error', () => {})
    socket.write(`POST / HTTP/1.1\r\nhost: x\r\ncontent-length: ${length}\r\n\r\n`)
    const drip = setInterval(() => socket.write('x'), 10)
    t.after(() => clearInterval(drip))
    await new Promise(resolve => socket.on('close', resolve))
  })

test('whoever holds half of what may be held is cut, and others send what they like [X6]', async () => {
  const listener = await serve(
    async ({ body }) => {
      if (body instanceof Uint8Array) return text(`${body.length}`)
      for await (const _ of body as AsyncIterable<Uint8Array>);
      return text('ok')
    },
    { heldBytesMax: 4 * wholeBodyBytesMax },
  )
  const half = Buffer.alloc(wholeBodyBytesMax / 2, 'x').toString()
  const slow = `POST / HTTP/1.1\r\nhost: x\r\ncontent-length: ${wholeBodyBytesMax}\r\n\r\n${half}`
  // Three bodies of which half has come stay; each next one ends another.
  await Promise.race([1, 2, 3, 4].map(() => ask(listener, slow)))
  const whole = `POST / HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: ${half.length}\r\n\r\n${half}`
  // More than fits at once, so that what is answered has to be free again.
  for (let again = 0; again < 9; again++) assert.match(await ask(listener, whole, '127.0.0.2'), new RegExp(`${half.length}$`))
})

test('one peer has no more connections than its limit, and another peer still gets in [X6]', async t => {
  const listener = await serve(async () => text('ok'), { connectionsPerPeerMax: 2 })
  const open = [1, 2].map(() => connect(listener.port, '127.0.0.1'))
  t.after(() => {
    for (const socket of open) socket.destroy()
  })
  await Promise.all(open.map(socket => once(socket, 'connect')))
  const get = 'GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n'
  assert.equal(await ask(listener, get), '')
  assert.match(await ask(listener, get, '127.0.0.2'), /^HTTP\/1.1 200 /)
})

test('an address of IPv4 is shown as such on a listener of both families', async t => {
  let listener: HttpListener
  const peers: (string | undefined)[] = []
  try {
    listener = await listen({ host: '::' }, async ({ peer }) => {
      peers.push(peer?.address)
      return text('ok')
    })
  } catch {
    return t.skip('this machine has no IPv6')
  }
  t.after(() => listener.close())
  await call(listener)
  assert.deepEqual(peers, ['127.0.0.1'])
})

test('connections past the limit are refused', async () => {
  const listener = await serve(async () => text('ok'), { connectionsMax: 1 })
  const first = connect(listener.port, '127.0.0.1')
  await new Promise<void>(resolve => first.on('connect', resolve))
  const second = connect(listener.port, '127.0.0.1')
  second.on('error', () => {})
  await new Promise<void>(resolve => second.on('close', () => resolve()))
  first.destroy()
})

test('closing with grace lets a request under way finish and refuses new ones', async () => {
  let started: () => void = () => {}
  const running = new Promise<void>(resolve => {
    started = resolve
  })
  let finish: () => void = () => {}
  const gate = new Promise<void>(resolve => {
    finish = resolve
  })
  const listener = await serve(async () => {
    started()
    await gate
    return text('finished')
  })
  const answer = call(listener)
  await running
  const closed = listener.close(10_000)
  await assert.rejects(call(listener), { code: 'ECONNREFUSED' })
  finish()
  assert.equal((await answer).body, 'finished')
  await closed
})

for (const lingerMs of [0, 20])
  test(`a connection on which nothing was ever asked does not hold up closing, with a linger of ${lingerMs} ms`, {
    timeout: 60_000,
  }, async t => {
    const listener = await serve(() => Promise.resolve(text('ok')))
    const socket = connect(listener.port, '127.0.0.1')
    t.after(() => socket.destroy())
    await once(socket, 'connect')
    // Whoever came later was answered: this one has been accepted.
    await call(listener)
    await listener.close(600_000, lingerMs)
  })

test('closing without grace ends what is under way', async () => {
  let started: () => void = () => {}
  const running = new Promise<void>(resolve => {
    started = resolve
  })
  const listener = await serve(() => {
    started()
    return new Promise(() => {})
  })
  const answer = call(listener)
  await running
  await Promise.all([assert.rejects(answer, { code: 'ECONNRESET' }), listener.close()])
})
