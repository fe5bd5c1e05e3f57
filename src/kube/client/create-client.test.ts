import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HttpFailure, type HttpRequest, type HttpResponse, ManualClock } from '#base'
import { configMaps } from '../builtin-types.ts'
import type { ResourceType } from '../objects.ts'
import { type KubeClient, KubeError, type KubeErrorCode } from './client.ts'
import { createKubeClient, type KubeClientOptions } from './create-client.ts'

const widgets: ResourceType = { group: 'example.com', version: 'v1', kind: 'Widget', plural: 'widgets', namespaced: true }
const key = { namespace: 'default', name: 'x' }

type Script = (request: HttpRequest, calls: number) => HttpResponse | Promise<HttpResponse>

function scripted(script: Script, options: Partial<KubeClientOptions> = {}) {
  const requests: HttpRequest[] = []
  const clock = new ManualClock()
  const client = createKubeClient({
    clock,
    address: 'https://server',
    exchange: async request => {
      requests.push(request)
      return script(request, requests.length)
    },
    ...options,
  })
  return { client, requests, clock }
}

function json(value: unknown, status = 200, headers: HttpResponse['headers'] = {}): HttpResponse {
  return { status, headers: { 'content-type': 'application/json', ...headers }, body: Buffer.from(JSON.stringify(value)) }
}

function refusal(code: number, reason: string, more: object = {}): HttpResponse {
  return json(
    { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message: `told: ${reason}`, reason, code, ...more },
    code,
  )
}

function text(body: string, status: number, type = 'text/plain'): HttpResponse {
  return { status, headers: { 'content-type': type }, body: Buffer.from(body) }
}

function stored(name: string, more: object = {}) {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace: 'default', uid: `uid-${name}`, resourceVersion: '7' },
    ...more,
  }
}

function bodyOf(request: HttpRequest | undefined): unknown {
  return JSON.parse(Buffer.from(request?.body as Uint8Array).toString())
}

async function fails(work: Promise<unknown>, code: KubeErrorCode, message: RegExp): Promise<KubeError> {
  try {
    await work
  } catch (error) {
    assert.ok(error instanceof KubeError, String(error))
    assert.equal(error.code, code, error.message)
    assert.match(error.message, message)
    return error
  }
  throw new assert.AssertionError({ message: 'nothing was thrown' })
}

test('each verb is the request that the API defines', async () => {
  const { client, requests } = scripted(() => json(stored('x')), { fieldManager: 'vouch' })
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: key, data: { a: 'b' } }
  await client.get(configMaps, key, { resourceVersion: '0' })
  await client.create(configMaps, object, { dryRun: true, fieldValidation: 'Strict' })
  await client.update(configMaps, object, { subresource: 'status', fieldManager: 'me' })
  await client.patch(widgets, key, 'merge', { data: null })
  await client.patch(widgets, key, 'json', [])
  await client.patch(widgets, key, 'strategic', {})
  await client.patch(widgets, key, 'apply', 'a: b', { force: true, subresource: 'status' })
  await client.delete(configMaps, key, {
    preconditions: { uid: 'u' },
    propagationPolicy: 'Orphan',
    gracePeriodSeconds: 0,
    dryRun: true,
  })
  await client.deleteCollection(configMaps, { namespace: 'default', labelSelector: 'a=b,c!=d' })
  const cm = '/api/v1/namespaces/default/configmaps'
  const widget = '/apis/example.com/v1/namespaces/default/widgets/x'
  assert.deepEqual(
    requests.map(({ method, target, headers }) => [method, target, headers['content-type']]),
    [
      ['GET', `${cm}/x?resourceVersion=0`, undefined],
      ['POST', `${cm}?dryRun=All&fieldManager=vouch&fieldValidation=Strict`, 'application/json'],
      ['PUT', `${cm}/x/status?fieldManager=me`, 'application/json'],
      ['PATCH', `${widget}?fieldManager=vouch`, 'application/merge-patch+json'],
      ['PATCH', `${widget}?fieldManager=vouch`, 'application/json-patch+json'],
      ['PATCH', `${widget}?fieldManager=vouch`, 'application/strategic-merge-patch+json'],
      ['PATCH', `${widget}/status?fieldManager=vouch&force=true`, 'application/apply-patch+yaml'],
      ['DELETE', `${cm}/x`, 'application/json'],
      ['DELETE', `${cm}?labelSelector=a%3Db%2Cc!%3Dd`, 'application/json'],
    ],
  )
  assert.deepEqual(bodyOf(requests[1]), object)
  assert.equal(Buffer.from(requests[6]?.body as Uint8Array).toString(), 'a: b')
  assert.deepEqual(bodyOf(requests[7]), {
    kind: 'DeleteOptions',
    apiVersion: 'v1',
    preconditions: { uid: 'u' },
    propagationPolicy: 'Orphan',
    gracePeriodSeconds: 0,
    dryRun: ['All'],
  })
})

test('impersonation, agent and metadata-only requests are headers', async () => {
  const list = { apiVersion: 'v1', kind: 'ConfigMapList', metadata: { resourceVersion: '1' }, items: [] }
  const { client, requests } = scripted(() => json(list), { userAgent: 'vouch/1' })
  await client.list(configMaps, { metadataOnly: true, impersonate: { user: 'jane', groups: ['a', 'b'], uid: '7' } })
  assert.deepEqual(requests[0]?.headers, {
    accept: 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json',
    'user-agent': 'vouch/1',
    'impersonate-user': 'jane',
    'impersonate-group': ['a', 'b'],
    'impersonate-uid': '7',
  })
})

test('find tells a missing object from a missing kind', async () => {
  const missing = scripted(() => refusal(404, 'NotFound', { details: { name: 'x', kind: 'configmaps' } }))
  assert.equal(await missing.client.find(configMaps, key), undefined)
  const unserved = scripted(() => text('404 page not found\n', 404))
  const error = await fails(
    unserved.client.find(widgets, key),
    'refused',
    /get widgets.example.com default\/x at https:\/\/server: the server could not find the requested resource/,
  )
  assert.equal(error.reason, 'NotFound')
})

test('warnings reach whoever asked for them', async () => {
  const warning = ['299 - "first \\"quoted\\""', '299 - "second"']
  const { client } = scripted(() => json(stored('x'), 200, { warning }))
  const seen: string[] = []
  await client.create(configMaps, stored('x'), { onWarning: told => seen.push(told) })
  assert.deepEqual(seen, ['first "quoted"', 'second'])
})

const outcomes: readonly (readonly [string, HttpResponse | Error, KubeErrorCode, RegExp])[] = [
  ['a conflict', refusal(409, 'Conflict'), 'refused', /told: Conflict/],
  ['a 429', refusal(429, 'TooManyRequests'), 'throttled', /told: TooManyRequests/],
  ['a 503 with a hint', refusal(503, 'ServiceUnavailable', { details: { retryAfterSeconds: 2 } }), 'throttled', /told/],
  ['a 503 without', refusal(503, 'ServiceUnavailable'), 'unknown-outcome', /told/],
  ['a 500', refusal(500, 'InternalError'), 'unknown-outcome', /told/],
  ['a 504', text('gateway timeout', 504), 'unknown-outcome', /gateway timeout/],
  ['a 401', refusal(401, 'Unauthorized'), 'unauthenticated', /check the credentials/],
  [
    'HTML with a 200',
    text('<!DOCTYPE html><title>Login', 200, 'text/html'),
    'malformed',
    /answers HTML \(HTTP 200\).*check the server address/,
  ],
  ['HTML with a 404', text('<html>no', 404, 'text/html'), 'malformed', /answers HTML \(HTTP 404\)/],
  [
    'a redirect',
    { status: 302, headers: { location: 'https://login' }, body: null },
    'malformed',
    /redirects to https:\/\/login/,
  ],
  ['JSON that breaks off', { ...json({}), body: Buffer.from('{"kind":"Conf') }, 'malformed', /JSON that breaks off/],
  ['text instead of JSON', text('hello', 200), 'malformed', /not what an API server says/],
  ['JSON that is no object', json([1, 2]), 'malformed', /not what an API server says/],
  [
    'a refusal under a 200',
    json({ kind: 'Status', status: 'Failure', code: 403, reason: 'Forbidden', message: 'no' }),
    'refused',
    /: no/,
  ],
  ['no connection', new HttpFailure('unreachable', 'refused'), 'unreachable', /check the server address in the kubeconfig/],
  ['a wrong CA', new HttpFailure('untrusted', 'self-signed'), 'untrusted', /check certificate-authority/],
  ['a reset', new HttpFailure('reset', 'gone'), 'unknown-outcome', /gone/],
  ['noise', new HttpFailure('malformed', 'noise'), 'malformed', /noise/],
]
for (const [what, answer, code, message] of outcomes) {
  test(`${what} is ${code} [W2]`, async () => {
    const { client, requests } = scripted(() => {
      if (answer instanceof Error) throw answer
      return answer
    })
    await fails(client.get(configMaps, key), code, message)
    assert.equal(requests.length, 1)
  })
}

test('the hint when to come back is in the error', async () => {
  const byHeader = scripted(() => text('Too many requests, please try again later.', 429, 'text/plain'))
  assert.equal((await fails(byHeader.client.get(configMaps, key), 'throttled', /Too many/)).retryAfterMs, undefined)
  const { client } = scripted(() => ({ ...refusal(429, 'TooManyRequests'), headers: { 'retry-after': '3' } }))
  assert.equal((await fails(client.get(configMaps, key), 'throttled', /told/)).retryAfterMs, 3_000)
})

test('a call without an answer ends at its deadline, though the server never listens [P9]', async () => {
  const { client, clock, requests } = scripted(() => new Promise(() => {}), { timeoutMs: 5_000 })
  const failed = fails(client.get(configMaps, key), 'unknown-outcome', /no answer in time \(not done within 5000 ms\)/)
  await clock.advance(4_999)
  assert.equal(requests[0]?.signal?.aborted, false)
  await clock.advance(1)
  await failed
  assert.equal(requests[0]?.signal?.aborted, true)
  assert.equal(clock.pendingCount(), 0)
})

test('a body without end stops at the limit, one that stalls at the deadline', async () => {
  async function* flood() {
    for (;;) yield Buffer.alloc(1_000, ' ')
  }
  async function* stall() {
    yield Buffer.from('{')
    await new Promise(() => {})
  }
  const flooded = scripted(() => ({ ...json({}), body: flood() }), { limits: { answerBytesMax: 10_000 } })
  await fails(flooded.client.get(configMaps, key), 'malformed', /more than 10000 bytes/)
  const stalled = scripted(() => ({ ...json({}), body: stall() }))
  const failed = fails(stalled.client.get(configMaps, key), 'unknown-outcome', /no answer in time/)
  await stalled.clock.advance(30_000)
  await failed
})

test('an object over the limit is not sent', async () => {
  const { client, requests } = scripted(() => json({}), { limits: { requestBytesMax: 200 } })
  const error = await fails(
    client.create(configMaps, stored('x', { data: { a: 'b'.repeat(200) } })),
    'refused',
    /bytes, and more than 200/,
  )
  assert.equal(error.reason, 'RequestEntityTooLarge')
  assert.equal(requests.length, 0)
})

test('the caller`s abort ends the call as `aborted`', async () => {
  const { client, clock } = scripted(() => new Promise(() => {}))
  const controller = new AbortController()
  const failed = fails(client.get(configMaps, key, { signal: controller.signal }), 'aborted', /aborted/)
  controller.abort()
  await failed
  assert.equal(clock.pendingCount(), 0)
})

test('after a 401 better credentials are tried once, and only if there may be some', async () => {
  let token = 'old'
  let refreshes = 0
  const credentials = {
    headers: async () => ({ authorization: `Bearer ${token}` }),
    refused: () => {
      token = 'new'
      refreshes++
      return true
    },
  }
  const { client, requests } = scripted(
    ({ headers }) => (headers.authorization === 'Bearer new' ? json(stored('x')) : refusal(401, 'Unauthorized')),
    { credentials },
  )
  await client.get(configMaps, key)
  assert.deepEqual(
    requests.map(({ headers }) => headers.authorization),
    ['Bearer old', 'Bearer new'],
  )
  const hopeless = scripted(() => refusal(401, 'Unauthorized'), { credentials })
  await fails(hopeless.client.get(configMaps, key), 'unauthenticated', /./)
  assert.equal(hopeless.requests.length, 2)
  assert.equal(refreshes, 2)
})

function pagedServer(options: { expireAt?: (page: number) => boolean } = {}): Script {
  let page = 0
  return ({ target }) => {
    page++
    const query = new URL(target, 'http://x').searchParams
    const start = Number(query.get('continue') ?? 0)
    const limit = Number(query.get('limit') ?? 5)
    if (start > 0 && options.expireAt?.(page) === true) return refusal(410, 'Expired')
    const items = ['a', 'b', 'c', 'd', 'e'].slice(start, start + limit).map(name => ({ metadata: { name } }))
    const more = start + limit < 5 ? { continue: String(start + limit) } : {}
    return json({ apiVersion: 'v1', kind: 'ConfigMapList', metadata: { resourceVersion: '9', ...more }, items })
  }
}

test('listAll puts the pages together and names the kind of items that come without', async () => {
  const { client, requests } = scripted(pagedServer())
  const list = await client.listAll(configMaps, { limit: 2, resourceVersion: '3', namespace: 'default' })
  assert.deepEqual(list, {
    apiVersion: 'v1',
    kind: 'ConfigMapList',
    metadata: { resourceVersion: '9' },
    items: ['a', 'b', 'c', 'd', 'e'].map(name => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } })),
  })
  const path = '/api/v1/namespaces/default/configmaps'
  assert.deepEqual(
    requests.map(({ target }) => target),
    [`${path}?limit=2&resourceVersion=3`, `${path}?limit=2&continue=2`, `${path}?limit=2&continue=4`],
  )
})

test('listAll begins anew when the snapshot expires between pages, and asks for all at once when that goes on', async () => {
  const once = scripted(pagedServer({ expireAt: page => page === 2 }))
  assert.equal((await once.client.listAll(configMaps, { limit: 2 })).items.length, 5)
  assert.equal(once.requests.length, 5)
  const always = scripted(pagedServer({ expireAt: () => true }))
  assert.equal((await always.client.listAll(configMaps, { limit: 2 })).items.length, 5)
  assert.equal(always.requests.at(-1)?.target, '/api/v1/configmaps')
})

test('a list that is none is malformed', async () => {
  await fails(scripted(() => json(stored('x'))).client.list(configMaps), 'malformed', /no list/)
})

test('TokenRequest gives token and expiry', async () => {
  const status = { token: 't', expirationTimestamp: '2026-01-01T00:00:00Z' }
  const { client, requests } = scripted(() => json({ status }))
  const boundObject = { kind: 'Pod', apiVersion: 'v1', name: 'p' }
  assert.deepEqual(await client.requestToken(key, { audiences: ['a'], expirationSeconds: 600, boundObject }), status)
  assert.equal(requests[0]?.target, '/api/v1/namespaces/default/serviceaccounts/x/token')
  assert.deepEqual(bodyOf(requests[0]), {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenRequest',
    spec: { audiences: ['a'], expirationSeconds: 600, boundObjectRef: boundObject },
  })
  await fails(scripted(() => json({})).client.requestToken(key, { audiences: [] }), 'malformed', /no token/)
})

const served = [
  {
    group: '',
    version: 'v1',
    kind: 'Pod',
    plural: 'pods',
    namespaced: true,
    singular: 'pod',
    shortNames: ['po'],
    verbs: ['get'],
    subresources: ['status'],
  },
  {
    group: 'example.com',
    version: 'v1',
    kind: 'Widget',
    plural: 'widgets',
    namespaced: false,
    singular: 'widget',
    shortNames: [],
    verbs: ['get', 'list'],
    subresources: [],
  },
]

test('discovery reads the aggregated form', async () => {
  const resource = (one: (typeof served)[number]) => ({
    resource: one.plural,
    responseKind: { kind: one.kind },
    scope: one.namespaced ? 'Namespaced' : 'Cluster',
    singularResource: one.singular,
    shortNames: one.shortNames,
    verbs: one.verbs,
    subresources: one.subresources.map(subresource => ({ subresource })),
  })
  const { client, requests } = scripted(({ target }) => {
    const one = served[target === '/api' ? 0 : 1] as (typeof served)[number]
    const versions = [{ version: one.version, resources: [resource(one)] }]
    return json({ kind: 'APIGroupDiscoveryList', items: [{ metadata: one.group === '' ? {} : { name: one.group }, versions }] })
  })
  assert.deepEqual(await client.discover(), served)
  assert.equal(requests.length, 2)
})

test('discovery falls back to the documents of each group, and a group that is down hides no other', async () => {
  const documents: Record<string, unknown> = {
    '/api': { kind: 'APIVersions', versions: ['v1'] },
    '/apis': {
      kind: 'APIGroupList',
      groups: [
        { name: 'example.com', versions: [{ version: 'v1' }] },
        { name: 'metrics.k8s.io', versions: [{ version: 'v1beta1' }] },
      ],
    },
    '/api/v1': {
      resources: [
        { name: 'pods', singularName: 'pod', namespaced: true, kind: 'Pod', verbs: ['get'], shortNames: ['po'] },
        { name: 'pods/status', singularName: '', namespaced: true, kind: 'Pod', verbs: ['get'] },
      ],
    },
    '/apis/example.com/v1': {
      resources: [{ name: 'widgets', singularName: 'widget', namespaced: false, kind: 'Widget', verbs: ['get', 'list'] }],
    },
  }
  const { client } = scripted(({ target }) => (target in documents ? json(documents[target]) : text('service unavailable', 503)))
  assert.deepEqual(await client.discover(), served)
})

async function collect(client: KubeClient, options: Parameters<KubeClient['watch']>[1] = {}) {
  const events = []
  for await (const event of client.watch(configMaps, options)) events.push(event)
  return events
}

function lines(...values: (object | string)[]): string {
  return values.map(value => `${typeof value === 'string' ? value : JSON.stringify(value)}\n`).join('')
}

function streamed(text: string, size = text.length): HttpResponse {
  const bytes = Buffer.from(text)
  return {
    status: 200,
    headers: {},
    body: (async function* () {
      for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
    })(),
  }
}

const bookmark = (annotations?: object) => ({
  type: 'BOOKMARK',
  object: { kind: 'ConfigMap', apiVersion: 'v1', metadata: { resourceVersion: '9', annotations } },
})

test('watch lines are put together wherever the network cuts them, in the middle of a character too [F9]', async () => {
  const object = stored('ümlaut→')
  const body = lines(
    { type: 'ADDED', object },
    { type: 'DELETED', object },
    bookmark(),
    bookmark({ 'k8s.io/initial-events-end': 'true' }),
  )
  for (const size of [1, 2, 7, 100, body.length]) {
    const { client } = scripted(() => streamed(body, size))
    assert.deepEqual(await collect(client), [
      { type: 'ADDED', object },
      { type: 'DELETED', object },
      { type: 'BOOKMARK', resourceVersion: '9', initialEventsEnd: false },
      { type: 'BOOKMARK', resourceVersion: '9', initialEventsEnd: true },
    ])
  }
})

test('a line that cannot be read is reported and the stream goes on; a Status is an ERROR event', async () => {
  const status = { kind: 'Status', code: 410, reason: 'Expired' }
  const object = stored('x')
  const body = lines(
    '{"type":"ADD',
    '[]',
    { type: 'NEW', object },
    { type: 'ADDED', object: { metadata: {} } },
    { type: 'ADDED', object },
    { type: 'ERROR', object: status },
  )
  const { client } = scripted(() => streamed(`${body}{"type":"ADDED","obj`))
  const events = await collect(client)
  assert.deepEqual(
    events.map(event => event.type),
    ['UNREADABLE', 'UNREADABLE', 'UNREADABLE', 'UNREADABLE', 'ADDED', 'ERROR', 'UNREADABLE'],
  )
  assert.deepEqual(events[5], { type: 'ERROR', status })
})

test('a watch asks for what it was told to, and for an end', async () => {
  const { client, requests } = scripted(() => streamed(''))
  await collect(client, {
    namespace: 'default',
    resourceVersion: '5',
    allowBookmarks: true,
    labelSelector: 'a',
    timeoutSeconds: 10,
  })
  await collect(client, { sendInitialEvents: true })
  assert.deepEqual(
    requests.map(({ target }) => target),
    [
      '/api/v1/namespaces/default/configmaps?watch=true&labelSelector=a&resourceVersion=5&allowWatchBookmarks=true&timeoutSeconds=10',
      '/api/v1/configmaps?watch=true&resourceVersionMatch=NotOlderThan&sendInitialEvents=true&allowWatchBookmarks=true&timeoutSeconds=300',
    ],
  )
})

test('where lists are not streamed, a list and a watch after it give the same events, and the server is asked only once', async () => {
  const refused = () => refusal(422, 'Invalid', { message: 'sendInitialEvents: Forbidden: not enabled' })
  const { client, requests } = scripted(({ target }) => {
    if (target.includes('sendInitialEvents')) return refused()
    if (target.includes('watch=true')) return streamed(lines({ type: 'ADDED', object: stored('new') }))
    return json({ apiVersion: 'v1', kind: 'ConfigMapList', metadata: { resourceVersion: '9' }, items: [stored('old')] })
  })
  const expected = [
    { type: 'ADDED', object: stored('old') },
    { type: 'BOOKMARK', resourceVersion: '9', initialEventsEnd: true },
    { type: 'ADDED', object: stored('new') },
  ]
  assert.deepEqual(await collect(client, { sendInitialEvents: true }), expected)
  assert.deepEqual(await collect(client, { sendInitialEvents: true }), expected)
  assert.equal(requests.filter(({ target }) => target.includes('sendInitialEvents')).length, 1)
  assert.equal(requests[2]?.target, '/api/v1/configmaps?watch=true&resourceVersion=9&allowWatchBookmarks=true&timeoutSeconds=300')
})

test('a watch that breaks throws, one that is refused throws, one that outlives its time throws', async () => {
  const broken = scripted(() => ({
    status: 200,
    headers: {},
    body: (async function* () {
      yield Buffer.from(lines({ type: 'ADDED', object: stored('x') }))
      throw new HttpFailure('reset', 'cut')
    })(),
  }))
  await fails(collect(broken.client), 'unknown-outcome', /watch configmaps at https:\/\/server: cut/)
  await fails(collect(scripted(() => refusal(403, 'Forbidden')).client), 'refused', /told: Forbidden/)
  const dead = scripted(({ signal }) => ({
    status: 200,
    headers: {},
    body: (async function* () {
      yield Buffer.from('\n')
      await new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
    })(),
  }))
  const failed = fails(collect(dead.client, { timeoutSeconds: 60 }), 'unknown-outcome', /past its time/)
  await dead.clock.advance(90_000)
  await failed
  assert.equal(dead.clock.pendingCount(), 0)
})

test('leaving a watch closes the stream and leaves nothing behind', async () => {
  let closed = false
  const { client, clock, requests } = scripted(() => ({
    status: 200,
    headers: {},
    body: (async function* () {
      try {
        for (;;) yield Buffer.from(lines({ type: 'ADDED', object: stored('x') }))
      } finally {
        closed = true
      }
    })(),
  }))
  for await (const _event of client.watch(configMaps)) break
  assert.equal(closed, true)
  assert.equal(requests[0]?.signal?.aborted, true)
  assert.equal(clock.pendingCount(), 0)
})

test('calls wait for their turn: so many at once, so many a second', async () => {
  const running: (() => void)[] = []
  const { client } = scripted(() => new Promise(resolve => running.push(() => resolve(json(stored('x'))))), {
    limits: { concurrentMax: 2 },
  })
  const calls = [1, 2, 3].map(() => client.get(configMaps, key))
  await Promise.resolve()
  await new Promise(resolve => setImmediate(resolve))
  assert.equal(running.length, 2)
  running[0]?.()
  await calls[0]
  await new Promise(resolve => setImmediate(resolve))
  assert.equal(running.length, 3)
  for (const finish of running) finish()
  await Promise.all(calls)

  const paced = scripted(() => json(stored('x')), { limits: { requestsPerSecond: 10, burst: 2 } })
  const all = Promise.all(Array.from({ length: 5 }, () => paced.client.get(configMaps, key)))
  await paced.clock.advance(0)
  assert.equal(paced.requests.length, 2)
  await paced.clock.advance(100)
  assert.equal(paced.requests.length, 3)
  await paced.clock.advance(200)
  await all
})

test('no error repeats a token [S16]', async () => {
  const credentials = { headers: async () => ({ authorization: 'Bearer canary-token' }), refused: () => false }
  for (const [, answer] of outcomes) {
    const { client } = scripted(
      () => {
        if (answer instanceof Error) throw answer
        return answer
      },
      { credentials },
    )
    await client.get(configMaps, key).catch((error: KubeError) => {
      assert.ok(!`${error.stack}${JSON.stringify(error)}`.includes('canary-token'))
    })
  }
})

test('an apply and a patch are named as what they are, and an answer without a body is no object', async () => {
  const { client } = scripted(() => refusal(409, 'Conflict'))
  await fails(client.patch(widgets, key, 'apply', {}), 'refused', /^apply widgets/)
  await fails(client.patch(widgets, key, 'merge', {}), 'refused', /^patch widgets/)
  const empty = scripted(() => ({ status: 200, headers: {}, body: null }))
  await fails(empty.client.get(configMaps, key), 'malformed', /get configmaps/)
})
