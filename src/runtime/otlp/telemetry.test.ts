// OTLP as a collector sees it. The messages are read back by a reader that knows only the wire format; the numbers of the fields are those of
// opentelemetry-proto.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLogTo, type DialOptions, drain, type HttpRequest, ManualClock, memoryFiles, seededRandom } from '#base'
import { Metrics } from '../metrics/registry.ts'
import { type CollectorAddress, tellLost } from './exporter.ts'
import { readCollectorAddress } from './settings.ts'
import { otlpLogs, otlpMetrics, otlpTraces, type Sender } from './telemetry.ts'
import { type Node, read } from './wire.fixture.ts'

const to: CollectorAddress = { url: 'http://collector:4318/v1/x?y=z', headers: { authorization: 'Bearer t' }, timeoutMs: 10_000 }
const speaker = { resource: { 'service.name': 'vouch' }, scope: { name: 'vouch', version: '1' } }

interface Heard {
  readonly clock: ManualClock
  readonly requests: HttpRequest[]
  readonly dialled: DialOptions[]
  /** What the collector answers; a number is a status. */
  answer: number | 'cut'
  readonly options: Parameters<typeof otlpLogs>[0]
  /** Runs a sender over the work, and ends it. */
  during(sender: Sender, work: () => Promise<void>): Promise<void>
  bodies(): Node[][]
}

function collector(): Heard {
  const clock = new ManualClock(1_700_000_000_000)
  const requests: HttpRequest[] = []
  const dialled: DialOptions[] = []
  const heard: Heard = {
    clock,
    requests,
    dialled,
    answer: 200,
    options: {
      clock,
      random: seededRandom(1),
      speaker,
      net: {
        dial: options => {
          dialled.push(options)
          return {
            exchange: request => {
              requests.push(request)
              if (heard.answer === 'cut') return Promise.reject(new Error('the connection was cut'))
              return Promise.resolve({ status: heard.answer, headers: {}, body: null })
            },
            close: () => Promise.resolve(),
          }
        },
      },
    },
    during: async (sender, work) => {
      const stop = new AbortController()
      const running = sender.run(stop.signal)
      await work()
      stop.abort(new Error('the test ends'))
      await drain()
      await running
      await sender.end(1_000)
      assert.equal(clock.pendingCount(), 0, 'a timer is left')
    },
    bodies: () => requests.map(({ body }) => read(body as Uint8Array)),
  }
  return heard
}

test('log lines go out in batches, redacted, with severity, attributes and who speaks [10.5]', async () => {
  const heard = collector()
  const sender = otlpLogs(heard.options, to, () => assert.fail('nothing is lost'))
  const log = createLogTo({ clock: heard.clock }, sender.emit).with({ part: 'p' })
  await heard.during(sender, async () => {
    log.warn('careful', { count: 3, share: 0.5, isOdd: true, list: ['a'], password: 'x' })
    log.debug('not this one')
    log.info('and more')
    await heard.clock.advance(1_000)
  })
  assert.deepEqual(
    heard.dialled.map(({ origin }) => origin),
    ['http://collector:4318'],
  )
  const [request] = heard.requests
  assert.equal(heard.requests.length, 1)
  assert.deepEqual([request?.method, request?.target], ['POST', '/v1/x?y=z'])
  assert.equal(request?.headers['content-type'], 'application/x-protobuf')
  assert.equal(request?.headers.authorization, 'Bearer t')
  const [resource, scope] = under(heard.bodies()[0] ?? [], 1)
  assert.deepEqual(attributesOf(nodesOf(resource), 1), { 'service.name': 'vouch' })
  const records = nodesOf(scope)
    .filter(({ field }) => field === 2)
    .map(nodesOf)
  assert.deepEqual(
    records.map(record => textOf(under(record, 5)[0])),
    ['careful', 'and more'],
  )
  const [first = []] = records
  assert.equal(first.find(({ field }) => field === 1)?.value, 1_700_000_000_000_000_000n)
  assert.equal(first.find(({ field }) => field === 2)?.value, 13n)
  assert.deepEqual(attributesOf(first, 6), { part: 'p', count: 3n, share: 0.5, isOdd: 1n, list: '["a"]', password: '[redacted]' })
})

test('metrics go out every so often and at the end: counters, gauges, histograms, summaries, with their labels', async () => {
  const heard = collector()
  const metrics = new Metrics()
  metrics.counter('c_total', 'C.').add({ path: 'a"b\\c\nd', other: '' }, 2)
  metrics.gauge('g', 'G.').set(-1.5)
  const histogram = metrics.histogram('h', 'H.', [1, 10])
  for (const value of [0.5, 5, 5, 50]) histogram.observe(value)
  metrics.summary('s', 'S.').observe(4)
  const sender = otlpMetrics(heard.options, { to, metrics, everyMs: 60_000, onLost: () => assert.fail('nothing is lost') })
  await heard.during(sender, () => heard.clock.advance(61_000))
  assert.equal(heard.requests.length, 2)
  const [, scope] = under(heard.bodies()[0] ?? [], 1)
  const found = new Map(
    nodesOf(scope)
      .filter(({ field }) => field === 2)
      .map(nodesOf)
      .map(metric => [textOf(metric[0]), metric]),
  )
  const dataOf = (name: string): Node[] => nodesOf(found.get(name)?.at(-1))
  const pointOf = (name: string): Node[] => nodesOf(dataOf(name)[0])
  const valueOf = (name: string, field: number): unknown => pointOf(name).find(node => node.field === field)?.value
  assert.deepEqual([...found.keys()], ['c_total', 'g', 'h', 's'])
  assert.deepEqual(attributesOf(pointOf('c_total'), 7), { path: 'a"b\\c\nd', other: '' })
  assert.deepEqual([found.get('c_total')?.at(-1)?.field, found.get('g')?.at(-1)?.field], [7, 5])
  assert.deepEqual(
    dataOf('c_total')
      .slice(1)
      .map(({ field, value }) => [field, value]),
    [
      [2, 2n],
      [3, 1n],
    ],
    'cumulative, monotonic',
  )
  assert.deepEqual([asDouble(valueOf('c_total', 4)), asDouble(valueOf('g', 4))], [2, -1.5])
  assert.deepEqual([valueOf('h', 4), asDouble(valueOf('h', 5))], [4n, 60.5])
  const counts = Buffer.from(valueOf('h', 6) as Uint8Array)
  assert.deepEqual(
    [0, 8, 16].map(at => counts.readBigUInt64LE(at)),
    [1n, 2n, 1n],
  )
  assert.deepEqual([valueOf('s', 4), asDouble(valueOf('s', 5))], [1n, 4])
  assert.equal(valueOf('c_total', 2), 1_700_000_000_000_000_000n)
  assert.equal(valueOf('c_total', 3), 1_700_000_060_000_000_000n)
})

test('spans go out with their events and what became of them', async () => {
  const heard = collector()
  const { tracer, ...sender } = otlpTraces(heard.options, to, () => assert.fail('nothing is lost'))
  await heard.during(sender, async () => {
    const span = tracer.start('reconcile', { key: 'a/b' })
    await heard.clock.advance(5)
    span.event('write', { verb: 'create' })
    await heard.clock.advance(5)
    span.end('Refused')
    tracer.start('reconcile', {}).end()
    await heard.clock.advance(1_000)
  })
  const [, scope] = under(heard.bodies()[0] ?? [], 1)
  const [failed = [], good = []] = nodesOf(scope)
    .filter(({ field }) => field === 2)
    .map(nodesOf)
  const valueOf = (span: Node[], field: number): unknown => span.find(node => node.field === field)?.value
  assert.deepEqual([(valueOf(failed, 1) as Uint8Array).length, (valueOf(failed, 2) as Uint8Array).length], [16, 8])
  assert.equal((valueOf(failed, 8) as bigint) - (valueOf(failed, 7) as bigint), 10_000_000n)
  assert.deepEqual(attributesOf(failed, 9), { key: 'a/b' })
  const event = under(failed, 11)
  assert.deepEqual([textOf(event[1]), attributesOf(event, 3)], ['write', { verb: 'create' }])
  assert.deepEqual(
    under(failed, 15).map(({ field, value }) => [field, field === 2 ? String(value) : value]),
    [
      [2, 'Refused'],
      [3, 2n],
    ],
  )
  assert.deepEqual(
    under(good, 15).map(({ field, value }) => [field, value]),
    [[3, 1n]],
  )
})

test('a collector that is busy is tried again; one that refuses is not, and what it does not take is handed back', async () => {
  const { heard, lost, sender } = logSender()
  await heard.during(sender, async () => {
    heard.answer = 503
    sender.emit('info', 'one', {})
    await heard.clock.advance(1_500)
    heard.answer = 200
    await heard.clock.advance(5_000)
    assert.deepEqual(lost, [])
    assert.ok(heard.requests.length >= 2)
    heard.answer = 400
    sender.emit('info', 'two', {})
    await heard.clock.advance(1_000)
    assert.deepEqual(lost, ['1 it answers 400'])
    heard.answer = 'cut'
    sender.emit('info', 'three', {})
    await heard.clock.advance(20_000)
    assert.deepEqual(lost.slice(1), ['1 the connection was cut'])
    for (let index = 0; index < 3_000; index++) sender.emit('info', 'many', {})
    assert.equal(lost.length, 4, 'what waits has a bound')
    heard.answer = 200
  })
  assert.equal(lost.length, 4)
})

test('what was under way when all stops is sent at the end, and what cannot be is handed back in time', async () => {
  const { heard, lost, sender } = logSender()
  await heard.during(sender, async () => {
    heard.answer = 503
    sender.emit('info', 'one', {})
    await heard.clock.advance(1_000)
    sender.emit('info', 'two', {})
    heard.answer = 200
  })
  assert.deepEqual(lost, [])
  const [, scope] = under(heard.bodies().at(-1) ?? [], 1)
  assert.equal(nodesOf(scope).filter(({ field }) => field === 2).length, 2)
})

test('where a signal goes is read as OpenTelemetry says', async () => {
  const read = (env: Record<string, string>) => readCollectorAddress({ env, files: memoryFiles({ '/ca': 'CA' }) }, 'LOGS')
  assert.equal(await read({}), undefined)
  assert.deepEqual(await read({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318/', OTEL_EXPORTER_OTLP_HEADERS: 'A=b%20c, d=e' }), {
    url: 'http://c:4318/v1/logs',
    headers: { a: 'b c', d: 'e' },
    timeoutMs: 10_000,
  })
  const own = {
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://general',
    OTEL_EXPORTER_OTLP_LOGS_ENDPOINT: 'https://own/path',
    OTEL_EXPORTER_OTLP_CERTIFICATE: '/ca',
    OTEL_EXPORTER_OTLP_LOGS_TIMEOUT: '50',
  }
  assert.deepEqual(await read(own), { url: 'https://own/path', headers: {}, timeoutMs: 50, tls: { ca: 'CA' } })
  await assert.rejects(read({ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4317' }), /is no http:\/\/ or https:\/\/ address/)
  await assert.rejects(read({ ...own, OTEL_EXPORTER_OTLP_CERTIFICATE: '/nowhere' }), /there is no file \/nowhere/)
  await assert.rejects(read({ ...own, OTEL_EXPORTER_OTLP_HEADERS: 'x' }), /no key=value/)
})

test('what is lost is told with the address and how much', () => {
  const lines: unknown[] = []
  const log = createLogTo({ clock: new ManualClock() }, (level, message, fields) => void lines.push([level, message, fields]))
  tellLost(log, 'metrics', 'http://c')([1, 2], 'it answers 400')
  assert.deepEqual(lines, [['warn', 'the collector does not take metrics', { url: 'http://c', why: 'it answers 400', lost: 2 }]])
})

/** Log lines on their way to a collector, and what was handed back. */
function logSender(): { heard: Heard; lost: string[]; sender: ReturnType<typeof otlpLogs> } {
  const heard = collector()
  const lost: string[] = []
  const sender = otlpLogs(heard.options, to, (records, why) => void lost.push(`${records.length} ${why}`))
  return { heard, lost, sender }
}

function nodesOf(node: Node | undefined): Node[] {
  return read((node?.value ?? new Uint8Array()) as Uint8Array)
}

/** The fields of the first field with this number. */
function under(nodes: readonly Node[], field: number): Node[] {
  return nodesOf(nodes.find(node => node.field === field))
}

function textOf(node: Node | undefined): string {
  return Buffer.from((node?.value ?? new Uint8Array()) as Uint8Array).toString()
}

function attributesOf(nodes: readonly Node[], field: number): Record<string, unknown> {
  return Object.fromEntries(
    nodes
      .filter(node => node.field === field)
      .map(node => {
        const [key, value] = nodesOf(node)
        const [one] = nodesOf(value)
        return [textOf(key), one?.field === 1 ? textOf(one) : one?.field === 4 ? asDouble(one.value) : one?.value]
      }),
  )
}

function asDouble(value: unknown): number {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(value as bigint)
  return bytes.readDoubleLE()
}
