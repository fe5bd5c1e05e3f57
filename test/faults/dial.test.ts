import assert from 'node:assert/strict'
import { createServer, type Socket } from 'node:net'
import { after, before, describe, test } from 'node:test'
import {
  type DialOptions,
  type HttpClient,
  HttpFailure,
  type HttpFailureCode,
  type HttpListener,
  type HttpRequest,
  type HttpResponse,
  issueCertificate,
  parseCertificate,
  systemKeys,
  systemNet,
} from '#base'
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts'

const { dial, listen } = systemNet
const validity = { validFrom: Date.now() - 60_000, validUntil: Date.now() + 3_600_000, serial: Uint8Array.of(1) }
const closing: { close(): Promise<void> }[] = []
let key = ''
let ca = ''
let certificate = ''
let clientCertificate = ''
let listener: HttpListener
let plainListener: HttpListener
let seen: HttpRequest[] = []
let handle: (request: HttpRequest) => Promise<HttpResponse>

before(async () => {
  key = await systemKeys.generateEc()
  ca = issueCertificate({ ...validity, subject: { commonName: 'ca' }, key, usage: 'ca' })
  const issuer = { certificate: ca, key }
  const names = { dns: ['localhost', 'other.test'], ips: ['127.0.0.1'] }
  certificate = issueCertificate({ ...validity, subject: { commonName: 'server' }, key, usage: 'server', names, issuer })
  clientCertificate = issueCertificate({ ...validity, subject: { commonName: 'jane' }, key, usage: 'client', issuer })
  const record = (request: HttpRequest): Promise<HttpResponse> => {
    seen.push(request)
    return handle(request)
  }
  listener = keep(await listen({ tls: { certificate, key, clientCa: ca } }, record))
  plainListener = keep(await listen({}, record))
})
after(async () => {
  for (const one of closing.toReversed()) await one.close()
})

function keep<T extends { close(): Promise<void> }>(one: T): T {
  closing.push(one)
  return one
}

function client(options: Partial<DialOptions> = {}): HttpClient {
  return keep(dial({ origin: `https://localhost:${listener.port}`, tls: { ca }, ...options }))
}

async function proxied(options: Partial<DialOptions> = {}): Promise<{ proxy: TcpProxy; exchange: HttpClient['exchange'] }> {
  const proxy = keep(await startTcpProxy(listener.port))
  return { proxy, exchange: client({ origin: `https://localhost:${proxy.port}`, ...options }).exchange }
}

function request(more: Partial<HttpRequest> = {}): HttpRequest {
  return { method: 'GET', target: '/', headers: {}, body: null, ...more }
}

async function textOf(response: HttpResponse): Promise<string> {
  if (response.body === null) return ''
  if (response.body instanceof Uint8Array) return Buffer.from(response.body).toString()
  let text = ''
  for await (const piece of response.body) text += Buffer.from(piece).toString()
  return text
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise(resolve => setImmediate(resolve))
}

function fails(work: Promise<unknown>, code: HttpFailureCode, message: RegExp): Promise<void> {
  return assert.rejects(work, error => {
    assert.ok(error instanceof HttpFailure, String(error))
    assert.equal(error.code, code, error.message)
    assert.match(error.message, message)
    return true
  })
}

async function answer(received: HttpRequest): Promise<HttpResponse> {
  const body = await textOf({ status: 0, headers: {}, body: received.body })
  return { status: 200, headers: { 'x-seen': 'yes' }, body: Buffer.from(`${received.method} ${received.target} ${body}`) }
}

async function* endless(signal: AbortSignal | undefined): AsyncGenerator<Uint8Array> {
  yield Buffer.from('first\n')
  await new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(new Error('gone'))))
}

for (const protocol of ['h2', 'http/1.1'] as const) {
  describe(`over ${protocol}`, () => {
    before(() => {
      seen = []
      handle = answer
    })

    test('a request goes out and its answer comes back, whole or streamed', async () => {
      const { exchange } = client({ protocol, tls: { ca, certificate: clientCertificate, key } })
      const whole = await exchange(request({ method: 'POST', target: '/a?b=c', body: Buffer.from('hello') }))
      assert.equal(await textOf(whole), 'POST /a?b=c hello')
      assert.equal(whole.headers['x-seen'], 'yes')
      const streamed = await exchange(
        request({
          method: 'PUT',
          body: (async function* () {
            yield Buffer.from('in ')
            yield Buffer.from('pieces')
          })(),
        }),
      )
      assert.equal(await textOf(streamed), 'PUT / in pieces')
      assert.equal(seen[0]?.headers.host, `localhost:${listener.port}`)
      assert.equal(parseCertificate(seen[0]?.peer?.certificate ?? '').subject.commonName, 'jane')
    })

    test('answers without a body are null, large ones arrive whole', async () => {
      const { exchange } = client({ protocol })
      const large = Buffer.alloc(3_000_000, 'x')
      handle = async received => ({
        status: received.target === '/none' ? 204 : 200,
        headers: {},
        body: received.target === '/none' ? null : large,
      })
      assert.equal((await exchange(request({ target: '/none' }))).body, null)
      assert.equal((await exchange(request({ method: 'HEAD' }))).body, null)
      assert.equal((await textOf(await exchange(request()))).length, large.length)
      handle = answer
    })

    test('many calls at once share connections', async () => {
      const { proxy, exchange } = await proxied({ protocol, connectionsMax: 3 })
      const texts = await Promise.all(
        Array.from({ length: 40 }, async (_, n) => textOf(await exchange(request({ target: `/${n}` })))),
      )
      assert.deepEqual(
        texts,
        Array.from({ length: 40 }, (_, n) => `GET /${n} `),
      )
      assert.equal(proxy.accepted, protocol === 'h2' ? 1 : 3)
    })

    test('aborting before, during and after the header', async () => {
      const { exchange } = client({ protocol })
      await fails(exchange(request({ signal: AbortSignal.abort() })), 'aborted', /aborted/)
      let started: () => void = () => {}
      const running = new Promise<void>(resolve => {
        started = resolve
      })
      handle = received =>
        received.target === '/header'
          ? Promise.resolve({ status: 200, headers: {}, body: endless(received.signal) })
          : (started(), new Promise(() => {}))
      const waiting = new AbortController()
      const pending = fails(exchange(request({ signal: waiting.signal })), 'aborted', /aborted/)
      await running
      waiting.abort()
      await pending
      const reading = new AbortController()
      const response = await exchange(request({ target: '/header', signal: reading.signal }))
      const read = (async () => {
        for await (const _piece of response.body as AsyncIterable<Uint8Array>) reading.abort()
      })()
      await fails(read, 'aborted', /aborted/)
      handle = answer
    })

    test('a reader that leaves a streamed answer closes it at the server', async () => {
      const { exchange } = client({ protocol })
      let closed: () => void = () => {}
      const gone = new Promise<void>(resolve => {
        closed = resolve
      })
      handle = async received => {
        received.signal?.addEventListener('abort', () => closed())
        return { status: 200, headers: {}, body: endless(received.signal) }
      }
      const response = await exchange(request())
      for await (const _piece of response.body as AsyncIterable<Uint8Array>) break
      await gone
      handle = answer
    })

    test('a connection that breaks before the answer is `reset`, and the next call connects anew', async () => {
      const { proxy, exchange } = await proxied({ protocol })
      handle = () => {
        proxy.reset()
        return new Promise(() => {})
      }
      await fails(exchange(request({ method: 'POST', body: Buffer.from('x') })), 'reset', /broke before the answer/)
      handle = answer
      assert.equal(await textOf(await exchange(request())), 'GET / ')
      assert.equal(proxy.accepted, 2)
    })

    test('a connection that died while idle does not fail a read', async () => {
      const { proxy, exchange } = await proxied({ protocol })
      assert.equal(await textOf(await exchange(request())), 'GET / ')
      proxy.cut()
      assert.equal(await textOf(await exchange(request())), 'GET / ')
      assert.equal(proxy.accepted, 2)
    })

    test('an answer that breaks off is never taken for a whole one', async () => {
      const { proxy, exchange } = await proxied({ protocol })
      handle = async received => ({ status: 200, headers: {}, body: endless(received.signal) })
      const response = await exchange(request())
      const read = (async () => {
        for await (const _piece of response.body as AsyncIterable<Uint8Array>) proxy.cut()
      })()
      await fails(read, 'reset', /broke before the answer was complete/)
      handle = async () => {
        throw new HttpFailure('reset', 'cut')
      }
      await fails(exchange(request({ method: 'POST', body: Buffer.from('x') })), 'reset', /broke/)
      handle = answer
    })

    test('answers that trickle in are put together', async () => {
      const { proxy, exchange } = await proxied({ protocol })
      proxy.trickle(3)
      assert.equal(await textOf(await exchange(request({ target: '/slow' }))), 'GET /slow ')
    })
  })
}

test('the protocol is negotiated: HTTP/1.1 when the server has nothing else', async () => {
  handle = answer
  const modern = await client().exchange(request())
  assert.equal(await textOf(modern), 'GET / ')
  assert.equal(await textOf(await client({ origin: `http://127.0.0.1:${plainListener.port}` }).exchange(request())), 'GET / ')
})

test('HTTP/2: a half-open connection is found out by ping', async () => {
  const { proxy, exchange } = await proxied({ pingIntervalMs: 400 })
  handle = async received => ({ status: 200, headers: {}, body: endless(received.signal) })
  const response = await exchange(request())
  const read = (async () => {
    for await (const _piece of response.body as AsyncIterable<Uint8Array>) proxy.silence(true)
  })()
  await fails(read, 'reset', /no echo to a ping/)
  proxy.silence(false)
  handle = answer
  assert.equal(await textOf(await exchange(request())), 'GET / ')
})

test('HTTP/2: a quiet stream on a living connection is left alone by ping', async () => {
  // An echo has half of this time: a second, which a loaded machine keeps to as well.
  const { exchange } = await proxied({ pingIntervalMs: 2_000 })
  let say: () => void = () => {}
  const later = new Promise<void>(resolve => {
    say = resolve
  })
  handle = async () => ({
    status: 200,
    headers: {},
    body: (async function* () {
      yield Buffer.from('early ')
      await later
      yield Buffer.from('late')
    })(),
  })
  const response = await exchange(request())
  setTimeout(say, 2_200)
  assert.equal(await textOf(response), 'early late')
  handle = answer
})

test('HTTP/2: more streams than the server allows open another connection, then wait', async () => {
  const { proxy, exchange } = await proxied({ connectionsMax: 2 })
  let running = 0
  const releases: (() => void)[] = []
  handle = () => {
    running++
    return new Promise(resolve => releases.push(() => resolve({ status: 200, headers: {}, body: null })))
  }
  const calls = Array.from({ length: 501 }, () => exchange(request()))
  await until(() => running === 500)
  assert.equal(proxy.accepted, 2)
  releases.shift()?.()
  await until(() => running === 501)
  for (const release of releases) release()
  await Promise.all(calls)
  handle = answer
})

test('nothing was sent: refused, no such host, no answer in time, no TLS', async () => {
  const proxy = keep(await startTcpProxy(1))
  await proxy.close()
  await fails(
    client({ origin: `https://localhost:${proxy.port}` }).exchange(request()),
    'unreachable',
    /cannot connect to localhost:\d+: .*ECONNREFUSED/,
  )
  await fails(
    client({ origin: 'https://nowhere.invalid' }).exchange(request()),
    'unreachable',
    /cannot connect to nowhere\.invalid: .*ENOTFOUND|EAI_AGAIN/,
  )
  await fails(
    client({ origin: `https://localhost:${plainListener.port}` }).exchange(request()),
    'unreachable',
    /does not speak TLS/,
  )
  const { proxy: silent, exchange } = await proxied({ connectTimeoutMs: 40 })
  silent.silence(true)
  await fails(exchange(request()), 'unreachable', /no connection to localhost:\d+ within 40 ms/)
  assert.throws(() => client({ origin: 'localhost' }), /"localhost" is no address|neither an https/)
  assert.throws(() => client({ origin: 'ftp://localhost' }), /neither an https:\/\/ nor an http:\/\//)
})

test('untrusted: unknown CA, wrong name; and how to trust it all the same', async () => {
  handle = answer
  await fails(client({ tls: {} }).exchange(request()), 'untrusted', /certificate of localhost:\d+ is refused/)
  await fails(client({ tls: { ca, serverName: 'wrong.test' } }).exchange(request()), 'untrusted', /wrong\.test/)
  await fails(client({ tls: { ca: 'no pem', certificate: 'x', key: 'y' } }).exchange(request()), 'untrusted', /cannot be used/)
  assert.equal((await client({ tls: { ca, serverName: 'other.test' } }).exchange(request())).status, 200)
  assert.equal((await client({ tls: { insecureSkipVerify: true } }).exchange(request())).status, 200)
  assert.equal((await client({ origin: `https://127.0.0.1:${listener.port}` }).exchange(request())).status, 200)
})

test('an answer that is no HTTP is `malformed`', async () => {
  const server = createServer(socket => socket.resume().end('SSH-2.0-OpenSSH_9.6\r\n'))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  await fails(client({ origin: `http://127.0.0.1:${port}` }).exchange(request()), 'malformed', /no HTTP/)
  await new Promise(resolve => server.close(resolve))
})

test('a proxy tunnels, with credentials; one that refuses is named', async () => {
  const heads: string[] = []
  let status = '200 OK'
  const sockets = new Set<Socket>()
  const { connect } = await import('node:net')
  const server = createServer(socket => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.once('data', head => {
      heads.push(head.toString())
      socket.write(`HTTP/1.1 ${status}\r\nvia: test\r\n\r\n`)
      if (!status.startsWith('200')) return
      const upstream = connect(listener.port, '127.0.0.1')
      sockets.add(upstream)
      upstream.on('error', () => {})
      socket.pipe(upstream).pipe(socket)
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  handle = answer
  const proxyUrl = `http://user:p%40ss@127.0.0.1:${port}`
  assert.equal((await client({ proxyUrl }).exchange(request())).status, 200)
  assert.match(heads[0] ?? '', new RegExp(`^CONNECT localhost:${listener.port} HTTP/1.1\r\n`))
  assert.match(heads[0] ?? '', new RegExp(`Proxy-Authorization: Basic ${Buffer.from('user:p@ss').toString('base64')}`))
  status = '407 Proxy Authentication Required'
  await fails(
    client({ proxyUrl }).exchange(request()),
    'unreachable',
    /proxy 127\.0\.0\.1:\d+ refuses a tunnel to localhost:\d+: 407/,
  )
  for (const socket of sockets) socket.destroy()
  await new Promise(resolve => server.close(resolve))
  await fails(client({ proxyUrl }).exchange(request()), 'unreachable', /the proxy 127\.0\.0\.1/)
})

test('a closed client refuses calls and ends those under way', async () => {
  let started: () => void = () => {}
  const running = new Promise<void>(resolve => {
    started = resolve
  })
  handle = () => {
    started()
    return new Promise(() => {})
  }
  const closed = client()
  const pending = fails(closed.exchange(request()), 'reset', /broke/)
  await running
  await closed.close()
  await pending
  await fails(closed.exchange(request()), 'aborted', /closed/)
  const unused = client()
  await unused.close()
  await fails(unused.exchange(request()), 'aborted', /closed/)
  handle = answer
})
