import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  drain,
  type HttpBody,
  type HttpExchange,
  type HttpListener,
  ManualClock,
  type Net,
  silentLog,
  type TlsServerOptions,
} from '#base'
import { Metrics } from '../metrics/registry.ts'
import { admissionHandler } from './admission.ts'
import { bodyLimitsDefault, findShapeTrouble } from './body.ts'
import { serveWebhooks, type WebhookHostOptions, webhookHost } from './host.ts'
import { webhookListenLimits } from './limits.ts'

const review = (uid: unknown = 'u-1') => ({
  apiVersion: 'admission.k8s.io/v1',
  kind: 'AdmissionReview',
  request: {
    uid,
    kind: { group: '', version: 'v1', kind: 'Pod' },
    resource: { group: '', version: 'v1', resource: 'pods' },
    operation: 'CREATE',
    userInfo: {},
    object: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' } },
  },
})

function host(more: Partial<WebhookHostOptions> = {}) {
  const clock = new ManualClock()
  const metrics = new Metrics()
  const admit = admissionHandler(request =>
    request.operation === 'DELETE'
      ? { kind: 'deny', message: 'not today' }
      : { kind: 'allow', patch: [{ op: 'add', path: '/metadata/labels', value: {} }], warnings: ['w'.repeat(300)] },
  )
  const exchange = webhookHost({ clock, log: silentLog, metrics, routes: { '/mutate': admit }, ...more })
  return { clock, metrics, exchange }
}

const json = { 'content-type': 'application/json' }

async function post(
  exchange: HttpExchange,
  body: HttpBody | object,
  target = '/mutate',
  contentType = 'application/json; charset=utf-8',
) {
  const bytes =
    body instanceof Uint8Array || body === null || Symbol.asyncIterator in body
      ? (body as HttpBody)
      : Buffer.from(JSON.stringify(body))
  const response = await exchange({ method: 'POST', target, headers: { 'content-type': contentType }, body: bytes })
  const text = response.body instanceof Uint8Array ? Buffer.from(response.body).toString() : ''
  return { status: response.status, text }
}

test('a review is answered with its uid, a patch and bounded warnings', async () => {
  const { exchange, metrics } = host()
  const { status, text } = await post(exchange, review(), '/mutate?timeout=10s')
  assert.equal(status, 200)
  const { response } = JSON.parse(text)
  assert.deepEqual(response, {
    uid: 'u-1',
    allowed: true,
    warnings: [`${'w'.repeat(255)}…`],
    patchType: 'JSONPatch',
    patch: Buffer.from('[{"op":"add","path":"/metadata/labels","value":{}}]').toString('base64'),
  })
  assert.match(metrics.expose(), /controller_runtime_webhook_requests_total\{webhook="\/mutate",code="200"\} 1/)
  assert.match(metrics.expose(), /controller_runtime_webhook_requests_in_flight\{webhook="\/mutate"\} 0/)
})

test('a refusal carries a status', async () => {
  const { exchange } = host()
  const asked = review()
  const { text } = await post(exchange, { ...asked, request: { ...asked.request, operation: 'DELETE' } })
  assert.deepEqual(JSON.parse(text).response, {
    uid: 'u-1',
    allowed: false,
    status: { code: 403, reason: 'Forbidden', message: 'not today' },
  })
})

for (const [why, body, status] of [
  ['no JSON', Buffer.from('<html>'), 400],
  ['no review', { kind: 'Pod' }, 400],
  ['another version', { ...review(), apiVersion: 'admission.k8s.io/v1beta1' }, 400],
  ['no uid', review(7), 400],
  ['nothing', null, 400],
  ['bytes that are no UTF-8', Buffer.from([0x22, 0xff, 0x22]), 400],
] as const) {
  test(`a body that is ${why} is a ${status}, never a crash`, async () => {
    assert.equal((await post(host().exchange, body)).status, status)
  })
}

test('other paths, methods and media types are told apart', async () => {
  const { exchange } = host()
  assert.equal((await post(exchange, review(), '/other')).status, 404)
  assert.equal((await post(exchange, review(), '/constructor')).status, 404)
  assert.equal((await post(exchange, review(), '/mutate', 'text/plain')).status, 415)
  assert.equal((await exchange({ method: 'GET', target: '/mutate', headers: {}, body: null })).status, 405)
})

test('a body at the limit is taken, one byte more is not, also when it comes in pieces [X6]', async () => {
  const bytes = Buffer.from(JSON.stringify(review()))
  const pieces = async function* (): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < bytes.length; at += 10) yield bytes.subarray(at, at + 10)
  }
  for (const [limit, status] of [
    [bytes.length + 1, 200],
    [bytes.length, 200],
    [bytes.length - 1, 413],
  ] as const) {
    const { exchange } = host({ bodyBytesMax: limit })
    assert.equal((await post(exchange, bytes)).status, status)
    assert.equal((await post(exchange, pieces())).status, status)
  }
})

test('depth, length of lists and number of values are bounded at their exact values [X6]', () => {
  const nested = (depth: number) => Buffer.from('['.repeat(depth) + ']'.repeat(depth))
  const long = (length: number) => Buffer.from(JSON.stringify(Array.from({ length }, () => 0)))
  const limits = { depthMax: 5, itemsMax: 10, valuesMax: 1_000 }
  assert.deepEqual(
    [4, 5, 6].map(depth => findShapeTrouble(nested(depth), limits) === undefined),
    [true, true, false],
  )
  assert.deepEqual(
    [9, 10, 11].map(length => findShapeTrouble(long(length), limits) === undefined),
    [true, true, false],
  )
  // A list of lists: as many values as there are lists in it, and itself.
  const wide = (lists: number) => Buffer.from(JSON.stringify(Array.from({ length: lists }, () => [1, { a: 2 }])))
  assert.deepEqual(
    [3, 4, 5].map(lists => findShapeTrouble(wide(lists), { ...limits, valuesMax: 17 }) === undefined),
    [true, true, false],
  )
  assert.deepEqual(
    [15, 16, 17].map(length => findShapeTrouble(long(length), { ...limits, itemsMax: 100, valuesMax: 17 }) === undefined),
    [true, true, false],
  )
  const inList = (length: number) => Buffer.from(JSON.stringify([Array.from({ length }, () => 0)]))
  assert.deepEqual(
    [10, 11].map(length => findShapeTrouble(inList(length), limits) === undefined),
    [true, false],
    'a list within a list',
  )
  assert.equal(findShapeTrouble(Buffer.from(','.repeat(2_000)), limits), undefined, 'what is in no list is no item of any')
  assert.equal(findShapeTrouble(Buffer.from(JSON.stringify({ text: '[[[[[[[[,,,,,,,,,,,,,"\\"[[[[[[[[' })), limits), undefined)
})

test('without settings a body has seven MiB at most, 200 levels, 100,000 items in a list and 500,000 values [X6]', async () => {
  const status = async (bytes: number): Promise<number> => (await post(host().exchange, Buffer.alloc(bytes, ' '))).status
  assert.deepEqual([await status(7_340_032), await status(7_340_033)], [400, 413])
  const trouble = (text: string): string | undefined => findShapeTrouble(Buffer.from(text), bodyLimitsDefault)
  const nested = (depth: number): string => '['.repeat(depth)
  assert.deepEqual([trouble(nested(200)), trouble(nested(201))], [undefined, 'it is nested deeper than 200'])
  const listed = (items: number): string => `[0${',0'.repeat(items - 1)}]`
  assert.deepEqual([trouble(listed(100_000)), trouble(listed(100_001))], [undefined, 'a list in it is longer than 100000'])
  // Five lists in one: as many values as items, each list, and what holds them.
  const many = (last: number): string => `[${[99_999, 99_999, 99_999, 99_999, last].map(listed).join()}]`
  assert.deepEqual([trouble(many(99_998)), trouble(many(99_999))], [undefined, 'it has more than 500000 values'])
})

/** A body that never ends: one byte now, and another each time the clock has gone six seconds on. */
function dripping(clock: ManualClock): AsyncIterable<Uint8Array> {
  return {
    async *[Symbol.asyncIterator]() {
      for (;;) {
        yield Buffer.from(' ')
        await clock.sleep(6_000)
      }
    },
  }
}

test('bodies that come byte by byte take nobody’s place, however many they are and however long they ask to be waited for [X6]', async () => {
  const { exchange, clock } = host({ requestsMax: 3 })
  const crowd = Array.from({ length: 2_000 }, () => post(exchange, dripping(clock), '/mutate?timeout=600s'))
  await drain()
  assert.equal((await post(exchange, review())).status, 200, 'everybody else is answered')
  for (const ms of [6_000, 3_999, 1]) await clock.advance(ms)
  assert.deepEqual(new Set((await Promise.all(crowd)).map(({ status }) => status)), new Set([408]), 'ten seconds, and no more')
})

test('a sender that stops in mid-body is given up after ten seconds, or sooner when the caller says so [X6]', async () => {
  for (const [query, ms] of [
    ['?timeout=600s', 10_000],
    ['?timeout=30s', 10_000],
    ['?timeout=4s', 3_500],
    ['?dryRun=yes&timeout=4s', 3_500],
    ['?timeout=1s', 500],
    ['?timeout=0s', 100],
    ['?timeout=soon', 5_000],
    ['', 5_000],
  ] as const) {
    const { exchange, clock } = host()
    const slow = async function* (): AsyncGenerator<Uint8Array> {
      yield Buffer.from('{')
      await new Promise(() => {})
    }
    let isOver = false
    const pending = post(exchange, slow(), `/mutate${query}`).finally(() => (isOver = true))
    await clock.advance(ms - 1)
    assert.equal(isOver, false, query)
    await clock.advance(1)
    assert.equal(isOver, true, query)
    assert.equal((await pending).status, 408, query)
    assert.equal(clock.pendingCount(), 0)
  }
})

test('nobody waits longer than thirty seconds for a decision, whatever the query says [X6]', async () => {
  const { exchange, clock } = host({ routes: { '/mutate': () => new Promise(() => {}) } })
  const pending = post(exchange, review(), '/mutate?timeout=600s')
  let isOver = false
  void pending.then(() => (isOver = true))
  await clock.advance(29_499)
  assert.equal(isOver, false)
  await clock.advance(1)
  assert.equal(isOver, true)
  assert.equal((await pending).status, 504)
})

test('one peer has half of the places at most, and the others the rest [X6]', async () => {
  const { exchange } = host({ requestsMax: 4, routes: { '/mutate': () => new Promise(() => {}) } })
  const ask = (address: string) =>
    exchange({
      method: 'POST',
      target: '/mutate',
      headers: {},
      body: Buffer.from('{}'),
      peer: { address, tls: true },
    }).then(({ status }) => status)
  const stays = new Promise<string>(resolve => setImmediate(resolve, 'under way'))
  const asked = ['10.0.0.1', '10.0.0.1', '10.0.0.1', '10.0.0.2', '10.0.0.2', '10.0.0.3'].map(ask)
  assert.deepEqual(await Promise.all(asked.map(one => Promise.race([one, stays]))), [
    'under way',
    'under way',
    429,
    'under way',
    'under way',
    429,
  ])
})

test('without settings four hundred are answered at once, half of them of one peer at most [X6]', async () => {
  const { exchange } = host({ routes: { '/mutate': () => new Promise(() => {}) } })
  const stays = new Promise<number>(resolve => setImmediate(resolve, 0))
  const ask = (address: string): Promise<number> =>
    exchange({ method: 'POST', target: '/mutate', headers: {}, body: Buffer.from('{}'), peer: { address, tls: true } }).then(
      ({ status }) => status,
    )
  const asked = ['a', 'b', 'c'].flatMap(address => Array.from({ length: 201 }, () => ask(address)))
  const statuses = await Promise.all(asked.map(one => Promise.race([one, stays])))
  const of = (count: number, status: number): readonly number[] => Array.from({ length: count }, () => status)
  assert.deepEqual(statuses, [...of(200, 0), 429, ...of(200, 0), 429, ...of(201, 429)])
})

test('a place is free again once its request is answered', async () => {
  const { exchange } = host({ requestsMax: 2 })
  const peer = { address: '10.0.0.1', tls: true }
  const body = Buffer.from(JSON.stringify(review()))
  for (let again = 0; again < 5; again++)
    assert.equal((await exchange({ method: 'POST', target: '/mutate', headers: json, body, peer })).status, 200)
})

test('a handler that takes too long is answered for, before the API server gives up, and how long it took is told', async () => {
  const { exchange, clock, metrics } = host({ routes: { '/mutate': () => new Promise(() => {}) } })
  await clock.advance(10_000)
  let isOver = false
  const pending = post(exchange, review(), '/mutate?timeout=3s').finally(() => (isOver = true))
  await clock.advance(2_499)
  assert.equal(isOver, false)
  await clock.advance(1)
  assert.equal((await pending).status, 504)
  assert.match(metrics.expose(), /controller_runtime_webhook_latency_seconds_sum\{webhook="\/mutate"\} 2\.5\n/)
})

test('a handler is told the media type alone, the query, and how long its caller waits', async () => {
  const told: unknown[] = []
  const { exchange } = host({
    routes: {
      '/mutate': ({ contentType, timeout, query }) => {
        told.push([contentType, timeout, String(query)])
        return { status: 200, headers: {}, body: null }
      },
    },
  })
  for (const [type, target] of [
    ['application/json', '/mutate'],
    [' Application/JSON ; charset=utf-8', '/mutate?timeout=10s'],
    [['text/plain', 'application/json'], '/mutate?dryRun=yes&timeout=2s'],
    [undefined, '/mutate?dryRun=yes'],
  ] as const) {
    const headers = type === undefined ? {} : { 'content-type': type }
    await exchange({ method: 'POST', target, headers, body: Buffer.from('{}') })
  }
  assert.deepEqual(told, [
    ['application/json', null, ''],
    ['application/json', '10s', 'timeout=10s'],
    ['text/plain', '2s', 'dryRun=yes&timeout=2s'],
    ['', null, 'dryRun=yes'],
  ])
})

for (const [what, more, closedWithin] of [
  ['ten seconds', {}, 10_000],
  ['the time that is given', { graceMs: 500 }, 500],
] as const)
  test(`webhooks are served with the certificate of the moment, and what is under way at the end has ${what}`, async () => {
    const told: unknown[] = []
    const [first, second] = ['first', 'second'].map(certificate => ({ certificate, key: 'k' })) as [
      TlsServerOptions,
      TlsServerOptions,
    ]
    const listener = {
      setTls: (tls: TlsServerOptions) => void told.push(['setTls', tls.certificate]),
      close: async (ms: number) => void told.push(['close', ms]),
    } as unknown as HttpListener
    const net = {
      listen: async ({ tls, limits, port }: { tls?: TlsServerOptions; limits?: object; port?: number }) => {
        told.push(['listen', tls?.certificate, port, limits])
        return listener
      },
    } as unknown as Net
    const stop = new AbortController()
    const certificate = {
      first: async () => first,
      follow: async (current: TlsServerOptions, take: (next: TlsServerOptions) => void, signal: AbortSignal) => {
        told.push(['follow', current.certificate])
        take(second)
        await new Promise(resolve => signal.addEventListener('abort', resolve))
      },
    }
    const options = { clock: new ManualClock(), log: silentLog, metrics: new Metrics(), routes: {} }
    const limits = { connectionsMax: 7 }
    const serving = serveWebhooks(options, { net, certificate, port: 9_443, limits, ...more }, stop.signal, ready => {
      told.push(['ready', ready === listener])
    })
    await drain()
    assert.deepEqual(told, [
      ['listen', 'first', 9_443, { ...webhookListenLimits, connectionsMax: 7 }],
      ['ready', true],
      ['follow', 'first'],
      ['setTls', 'second'],
    ])
    stop.abort(new Error('enough'))
    await serving
    assert.deepEqual(told.at(-1), ['close', closedWithin])
  })

test('a handler that throws is a 500, and is counted', async () => {
  const { exchange, metrics } = host({ routes: { '/mutate': () => Promise.reject(new Error('secret')) } })
  const { status, text } = await post(exchange, review())
  assert.equal(status, 500)
  assert.doesNotMatch(text, /secret/)
  assert.match(metrics.expose(), /controller_runtime_webhook_panics_total 1/)
})

test('an answer that is there at once takes no timer, and whoever waits has a signal with one', async () => {
  const pending: number[] = []
  const { exchange, clock } = host({
    routes: {
      '/now': () => {
        pending.push(clock.pendingCount())
        return { status: 200, headers: {}, body: null }
      },
      '/later': async call => {
        assert.equal(call.signal.aborted, false)
        pending.push(clock.pendingCount())
        return { status: 200, headers: {}, body: null }
      },
      '/asks': call => ({ status: call.signal.aborted ? 500 : 200, headers: {}, body: null }),
      '/throws': call => {
        assert.equal(call.signal.aborted, false)
        throw new Error('at once')
      },
    },
  })
  const statuses: number[] = []
  for (const path of ['/now', '/later', '/asks', '/throws']) {
    statuses.push((await post(exchange, review(), path)).status)
    assert.equal(clock.pendingCount(), 0, path)
  }
  assert.deepEqual(
    [statuses, pending],
    [
      [200, 200, 200, 500],
      [0, 1],
    ],
  )
})
