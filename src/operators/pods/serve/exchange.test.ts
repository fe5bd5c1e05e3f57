// The paths of a webhook beside a provider that answers what the test says: bounds, times, counts, and what the debugging paths tell.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLogTo, type HttpPeer, type HttpResponse, ManualClock } from '#base'
import { Metrics, type Tracer } from '#runtime'
import type { Decision, Patience, Provider } from '../provider.ts'
import { answerReview, reviewBytesMax } from '../review.ts'
import { type ExchangeSettings, webhookExchange } from './exchange.ts'
import { webhookMetrics } from './metrics.ts'

const allowed: Decision = { verdict: { kind: 'allow', operations: [] }, reason: 'no_role' }
const review = JSON.stringify({ apiVersion: 'admission.k8s.io/v1', request: { uid: 'u', namespace: 'ns', object: { spec: {} } } })

interface Asked {
  readonly method?: string
  readonly target?: string
  readonly body?: Uint8Array | string | null
  readonly type?: string | readonly string[]
  readonly peer?: HttpPeer
}

function exchangeOf(provider: Partial<Provider> = {}, settings: Partial<ExchangeSettings> = {}) {
  const clock = new ManualClock()
  const metrics = new Metrics()
  const lines: unknown[] = []
  const spans: string[] = []
  const tracer: Tracer = {
    start: () => ({
      event: (name, attributes) => spans.push(`${name} ${JSON.stringify(attributes)}`),
      end: error => spans.push(`ends ${error ?? 'well'}`),
    }),
  }
  let refreshed = 0
  const { exchange, handler, debug } = webhookExchange({
    provider: {
      name: 'test',
      reviewPaths: ['/mutate', '/other'],
      answer: answerReview,
      countsRequests: true,
      decide: () => allowed,
      knows: () => ({ all: ['it', 'knows'] }),
      refresh: () => refreshed++,
      ...provider,
    } as Provider,
    settings: { debugging: 'nobody', verbosity: 0, ...settings },
    clock,
    log: createLogTo({ clock }, (level, message, fields) => lines.push([level, message, fields])),
    metrics,
    own: webhookMetrics(metrics),
    tracer,
  })
  const requestOf = ({ method = 'POST', target = '/mutate', body = review, type = 'application/json', peer }: Asked = {}) => ({
    method,
    target,
    headers: { 'content-type': type },
    body: typeof body === 'string' ? Buffer.from(body) : body,
    ...(peer && { peer }),
  })
  const ask = async (asked?: Asked) => said(await exchange(requestOf(asked)))
  const askDebug = async (target: string, peer?: HttpPeer) =>
    said(await debug(requestOf({ method: 'GET', target, body: null, ...(peer && { peer }) })))
  const shown = (name: string): string[] =>
    metrics
      .expose()
      .split('\n')
      .filter(line => line.startsWith(name))
      .map(line => line.slice(name.length))
  return { clock, lines, spans, ask, askDebug, shown, handler, requestOf, refreshed: () => refreshed }
}

function said({ status, headers, body }: HttpResponse) {
  return { status, type: headers['content-type'], allow: headers['allow'], text: Buffer.from(body as Uint8Array).toString() }
}

const plain = 'text/plain; charset=utf-8'

for (const [method, target, status, text, allow] of [
  ['GET', '/healthz', 200, 'ok', undefined],
  ['POST', '/healthz?verbose', 200, 'ok', undefined],
  ['GET', '/mutate', 405, 'only POST\n', 'POST'],
  ['PUT', '/other?timeout=10s', 405, 'only POST\n', 'POST'],
  ['GET', '/toString', 404, 'nothing is served at this path; there are /mutate, /other\n', undefined],
  ['POST', '/debug/alpha/500', 404, 'nothing is served at this path; there are /mutate, /other\n', undefined],
] as const)
  test(`${method} ${target} is answered with ${status} [§2.12]`, async () => {
    assert.deepEqual(await exchangeOf().ask({ method, target }), { status, type: plain, allow, text })
  })

for (const [type, status] of [
  ['application/json', 200],
  [['application/json; charset=utf-8', 'text/plain'], 200],
  [['text/plain', 'application/json'], 415],
  [[], 415],
] as const)
  test(`a review of type ${JSON.stringify(type)} is answered with ${status}, at each of the paths [A-98, A-99]`, async () => {
    for (const target of ['/mutate', '/other']) {
      const answer = await exchangeOf().ask({ target, type })
      assert.deepEqual([answer.status, answer.type], [status, status === 200 ? 'application/json' : plain])
    }
  })

for (const [bytes, tooLarge, status, text] of [
  [reviewBytesMax, undefined, 200, undefined],
  [reviewBytesMax + 1, undefined, 413, 'the body is too large\n'],
  [reviewBytesMax, 'own words', 200, undefined],
  [reviewBytesMax + 1, 'own words', 200, 'own words'],
] as const)
  test(`a body of ${bytes} bytes is answered with ${status}${text === undefined ? '' : ` and ${JSON.stringify(text)}`} [P-04]`, async () => {
    const answerTooLarge: Provider['answerTooLarge'] = () => ({
      httpStatus: 200,
      contentType: 'application/json',
      body: tooLarge ?? '',
      result: 'denied',
    })
    const { ask } = exchangeOf(tooLarge === undefined ? {} : { answerTooLarge })
    const answer = await ask({ body: `${review}${' '.repeat(bytes - review.length)}` })
    assert.equal(answer.status, status)
    if (text !== undefined) assert.equal(answer.text, text)
  })

for (const [what, body, trouble] of [
  ['in 64 KiB is not looked at for its shape', '['.repeat(2_000).padEnd(65_536), 'none'],
  ['of a byte more may be a thousand deep', '['.repeat(1_000).padEnd(65_537), 'none'],
  ['is no deeper', '['.repeat(1_001).padEnd(65_537), 'it is nested deeper than 1000'],
  ['has no list with more than 200,000 items', `[${'0,'.repeat(200_000)}0]`, 'a list in it is longer than 200000'],
  [
    'has no more than 500,000 values',
    `[${'[],'.repeat(150_000)}${`[${'0,'.repeat(180_000)}0],`.repeat(2)}0]`,
    'it has more than 500000 values',
  ],
] as const)
  test(`a review that ${what}: ${trouble} [X6]`, async () => {
    const answer: Provider['answer'] = (_type, bytes, _decide, findShapeTrouble) => ({
      httpStatus: 200,
      contentType: 'text/plain',
      body: findShapeTrouble?.(bytes) ?? 'none',
      result: 'unchanged',
    })
    assert.deepEqual(await exchangeOf({ answer }).ask({ body }), { status: 200, type: plain, allow: undefined, text: trouble })
  })

for (const [query, ms] of [
  ['', 9_500],
  ['?timeout=10s', 9_500],
  ['?timeout=2s', 1_500],
  ['?timeout=550ms', 50],
  ['?timeout=551ms', 51],
  ['?timeout=100ms', 50],
  ['?timeout=30s', 29_500],
  ['?timeout=1m', 29_500],
  ['?timeout=soon', 9_500],
] as const)
  test(`asked with ${query || 'no time'}, a decision may take ${ms} ms: half a second is left for the answer [§5.1]`, async () => {
    const until: number[] = []
    const decide = (_subject: unknown, { untilMs }: Patience): Decision => (until.push(untilMs), allowed)
    const { clock, ask } = exchangeOf({ decide })
    await clock.advance(7_000)
    await ask({ target: `/mutate${query}` })
    assert.deepEqual(until, [7_000 + ms])
  })

for (const [query, ms] of [
  ['?timeout=2s', 1_750],
  ['', 10_000],
] as const)
  test(`asked with ${query || 'no time'}, whoever does not decide is left behind after ${ms} ms [§5.1]`, async () => {
    const signals: AbortSignal[] = []
    const decide = (_subject: unknown, { signal }: Patience): Promise<Decision> => (
      signals.push(signal), new Promise(() => undefined)
    )
    const { clock, ask } = exchangeOf({ decide })
    const answers: number[] = []
    void ask({ target: `/mutate${query}` }).then(({ status }) => answers.push(status))
    await clock.advance(ms - 1)
    assert.deepEqual([answers, signals[0]?.aborted], [[], false])
    await clock.advance(1)
    assert.deepEqual([answers, signals[0]?.aborted, clock.pendingCount()], [[504], true, 0])
  })

test('two thousand reviews are decided at once, a thousand of one peer, and the next is told to come again [X6]', async () => {
  let decide = (): void => undefined
  const decided = new Promise<Decision>(resolve => (decide = () => resolve(allowed)))
  const { handler, requestOf } = exchangeOf({ decide: () => decided })
  const from = (address: string, count: number): Promise<HttpResponse>[] =>
    Array.from({ length: count }, async () => handler(requestOf({ peer: { address, tls: true } })))
  const refused = async (address: string): Promise<number> => (await Promise.all(from(address, 1)))[0]?.status ?? 0
  const held = from('10.0.0.1', 1_000)
  assert.equal(await refused('10.0.0.1'), 429)
  held.push(...from('10.0.0.2', 1_000))
  assert.equal(await refused('10.0.0.3'), 429)
  decide()
  assert.ok((await Promise.all(held)).every(({ status }) => status === 200))
})

const admissions = 'identity_webhook_admission_total'
const took = 'identity_webhook_admission_duration_seconds_sum'

for (const [what, body, decide, counted, status, spans] of [
  [
    'is let in',
    review,
    () => allowed,
    'result="unchanged",reason="no_role"',
    200,
    ['decided {"reason":"no_role","operations":0}', 'ends well'],
  ],
  [
    'is changed',
    review,
    () => ({ verdict: { kind: 'allow', operations: [{ op: 'add', path: '/x', value: 1 }] }, reason: 'sa_role' }),
    'result="mutated",reason="sa_role"',
    200,
    ['decided {"reason":"sa_role","operations":1}', 'ends well'],
  ],
  [
    'is refused',
    review,
    () => ({ verdict: { kind: 'refuse', message: 'no' }, reason: 'role_promised' }),
    'result="denied",reason="role_promised"',
    200,
    ['decided {"reason":"role_promised"}', 'ends role_promised'],
  ],
  [
    'nobody could ask about in time',
    review,
    () => ({ ...allowed, reason: 'lookup_timeout' }),
    'result="unchanged",reason="lookup_timeout"',
    200,
    ['decided {"reason":"lookup_timeout","operations":0}', 'ends lookup_timeout'],
  ],
  ['cannot be read', '{', () => assert.fail('decided'), 'result="denied",reason="decode"', 200, []],
  [
    'nobody can decide on',
    review,
    () => {
      throw new Error('a fault')
    },
    'result="error",reason="error"',
    500,
    ['ends error'],
  ],
] as const satisfies readonly (readonly [string, string, () => unknown, string, number, readonly string[]])[])
  test(`a review that ${what} is counted as ${counted}, with the time that it took [§2.16]`, async () => {
    const later = (clock: ManualClock) => async (): Promise<Decision> => {
      await clock.sleep(1_500)
      return decide() as Decision
    }
    const provider: { decide?: Provider['decide'] } = {}
    const world = exchangeOf({ decide: (subject, patience) => (provider.decide as Provider['decide'])(subject, patience) })
    for (const [decides, seconds] of [
      [decide as () => Decision, '0'],
      [later(world.clock), body === '{' ? '0' : '1.5'],
    ] as const) {
      provider.decide = decides
      const answer = world.ask({ body })
      await world.clock.advance(1_500)
      assert.equal((await answer).status, status)
      const result = /result="([a-z]+)"/.exec(counted)?.[1]
      assert.deepEqual(world.shown(took), [`{provider="test",result="${result}"} ${seconds}`])
    }
    assert.deepEqual(world.shown(`${admissions}{`), [`provider="test",${counted}} 2`])
    assert.deepEqual(world.spans, [...spans, ...spans])
  })

for (const [method, target, labels] of [
  ['POST', '/mutate?timeout=10s', 'verb="POST",path="/mutate",code="200"'],
  ['GET', '/healthz', 'verb="GET",path="/healthz",code="200"'],
  ['BREW', '/mutate', 'verb="other",path="/mutate",code="405"'],
  ['HEAD', '/nowhere', 'verb="HEAD",path="other",code="404"'],
  ['POST', '/debug/alpha/500', 'verb="POST",path="other",code="404"'],
] as const)
  test(`${method} ${target} is counted under ${labels} [F-11]`, async () => {
    const { ask, shown } = exchangeOf()
    await ask({ method, target })
    assert.deepEqual(shown('http_request_count{'), [`${labels}} 1`])
  })

for (const verbosity of [3, 4])
  test(`what a request took is counted in microseconds, and ${verbosity < 4 ? 'no line' : 'a line'} is written at verbosity ${verbosity} [§2.16, §2.18]`, async () => {
    let decide = (): void => undefined
    const decided = new Promise<Decision>(resolve => (decide = () => resolve(allowed)))
    const { clock, ask, shown, lines } = exchangeOf({ decide: () => decided }, { verbosity })
    await clock.advance(7_000)
    const answer = ask()
    await clock.advance(40)
    decide()
    await answer
    const where = '{verb="POST",path="/mutate"} 40000'
    assert.deepEqual([shown('http_request_latencies_sum'), shown('http_request_duration_microseconds_sum')], [[where], [where]])
    const line = ['info', 'request', { verb: 'POST', path: '/mutate', code: 200, microseconds: 40_000 }]
    assert.deepEqual(lines, verbosity < 4 ? [] : [line])
  })

test('a provider whose upstream does not count its requests so has none of these counts, and no line', async () => {
  const { ask, shown, lines } = exchangeOf({ countsRequests: false }, { verbosity: 4 })
  assert.equal((await ask()).status, 200)
  assert.deepEqual([shown('http_request_count{'), lines], [[], []])
})

const cache = { status: 200, type: 'application/json', allow: undefined, text: '{"all":["it","knows"]}' }
const notHere = { status: 404, type: plain, allow: undefined, text: 'not here: /debug/alpha/cache, /debug/alpha/cache/clear\n' }
const cleared = {
  status: 200,
  type: plain,
  allow: undefined,
  text: 'what direct reads brought is forgotten, and ServiceAccounts are listed afresh\n',
}
const onLoopback = {
  status: 403,
  type: plain,
  allow: undefined,
  text: 'debugging handlers answer callers on loopback only (kubectl port-forward is one); --debug-any-address changes that\n',
}

for (const [debugging, target, address, answer] of [
  ['nobody', '/debug/alpha/cache', '127.0.0.1', { status: 404, type: plain, allow: undefined, text: 'not here\n' }],
  ['loopback', '/debug/alpha/cache', '127.0.0.1', cache],
  ['loopback', '/debug/alpha/cache?pretty', '127.1.2.3', cache],
  ['loopback', '/debug/alpha/cache', '::1', cache],
  ['loopback', '/debug/alpha/cache', undefined, cache],
  ['loopback', '/debug/alpha/cache', '10.0.0.1', onLoopback],
  ['loopback', '/debug/alpha/cache/clear', '::2', onLoopback],
  ['loopback', '/debug/alpha/cache/clear', '127.0.0.1', cleared],
  ['loopback', '/debug/alpha', '127.0.0.1', notHere],
  ['anybody', '/debug/alpha/cache', '10.0.0.1', cache],
] as const)
  test(`with debugging for ${debugging}, ${target} asked from ${address ?? 'this process'} is answered with ${answer.status} [§2.17, F-27]`, async () => {
    const { askDebug, refreshed } = exchangeOf({}, { debugging })
    assert.deepEqual(await askDebug(target, address === undefined ? undefined : { address, tls: false }), answer)
    assert.equal(refreshed(), answer === cleared ? 1 : 0)
  })

test('with debugging on, reviews can be denied, and answered with an error of the call [§2.17]', async () => {
  const { ask, shown } = exchangeOf({}, { debugging: 'loopback' })
  const denied = await ask({ target: '/debug/alpha/deny' })
  assert.equal(denied.status, 200)
  assert.deepEqual((JSON.parse(denied.text) as { response: unknown }).response, {
    uid: 'u',
    allowed: false,
    status: { message: 'denied by the debugging handler' },
  })
  const failed = await ask({ target: '/debug/alpha/500' })
  assert.deepEqual(failed, { status: 500, type: plain, allow: undefined, text: 'the debugging handler answers 500\n' })
  assert.equal((await ask({ method: 'GET', target: '/debug/alpha/500' })).status, 405)
  assert.deepEqual(shown('http_request_count{').at(-1), 'verb="GET",path="/debug/alpha/500",code="405"} 1')
})
