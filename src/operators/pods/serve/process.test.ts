// Webhooks as a process, with certificates that come when the test says.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  createLogTo,
  drain,
  type Log,
  ManualClock,
  memoryFiles,
  type Net,
  type Seams,
  seededRandom,
  silentLog,
  systemClock,
  systemKeys,
  systemNet,
  systemRandom,
  type TlsServerOptions,
} from '#base'
import { type CertificateSource, type HealthCheck, Metrics, quietListenLimits, webhookListenLimits } from '#runtime'
import { servingPair } from '../../../base/x509/serving-pair.fixture.ts'
import type { ListenerSettings } from '../flags/process-flags.ts'
import { readAwsProgram } from '../flags/settings.ts'
import { fakeCluster } from '../testing/fake-cluster.ts'
import { tlsPolicy } from './certificate.ts'
import { pretendedNet } from './pretended-net.fixture.ts'
import { type ListeningPorts, runWebhooks, type ServedWebhook, type ServingProcess } from './process.ts'
import { createPodWebhook, type PodWebhook } from './webhook.ts'

const pair = servingPair()
const atOnce: CertificateSource = { first: () => Promise.resolve(pair), follow: () => Promise.resolve() }
/** Rejects when it is told to stop, as all of them do. */
const never: CertificateSource = {
  first: signal =>
    new Promise((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
    }),
  follow: () => Promise.resolve(),
}

test('told to stop while one webhook waits for its first certificate, the other goes down in order', async () => {
  const stop = new AbortController()
  const lines: string[] = []
  const log: Log = { ...silentLog, info: message => void lines.push(message) }
  // Metrics, and then the webhook that has its certificate.
  let left = 2
  let opened = (): void => {}
  const isOpen = new Promise<void>(resolve => {
    opened = resolve
  })
  const net: Net = {
    ...systemNet,
    listen: async (options, handler) => {
      const listener = await systemNet.listen(options, handler)
      if (--left === 0) opened()
      return listener
    },
  }
  const seams: Seams = {
    clock: systemClock,
    random: systemRandom,
    keys: systemKeys,
    net,
    files: memoryFiles({}, () => 0),
    programs: { run: () => Promise.reject(new Error('no programs here')) },
    env: {},
    log,
  }
  const metrics = new Metrics()
  const { serving } = readAwsProgram(['--port=0', '--bind-address=127.0.0.1'])
  const served = [atOnce, never].map(
    (certificate): ServedWebhook => ({
      webhook: createPodWebhook({ client: fakeCluster().client, seams, settings: {}, metrics }),
      listener: serving,
      certificate,
      needsCertificateFirst: false,
    }),
  )
  const [{ webhook } = assert.fail()] = served
  const running = runWebhooks(
    {
      seams,
      metrics,
      served,
      metricsAt: [{ address: { host: '127.0.0.1', port: 0 }, debug: webhook.debug }],
      healthAt: [],
      graceMs: 0,
      onListening: () => assert.fail('one of them cannot serve'),
    },
    stop.signal,
  )
  await isOpen
  stop.abort(new Error('the test ends'))
  await running
  assert.deepEqual(lines, ['stopping'])
})

test('with a pair that has run out the webhook is not ready, though its listener answers, and with a new one it is [§5.6]', async () => {
  const stop = new AbortController()
  const old = servingPair({ validFrom: Date.UTC(2020, 0, 1), validUntil: Date.UTC(2021, 0, 1) })
  let renew = (_next: typeof pair): void => {}
  const renewed: CertificateSource = {
    first: () => Promise.resolve(old),
    follow: (_current, take) => {
      renew = take
      return Promise.resolve()
    },
  }
  const seams: Seams = {
    clock: systemClock,
    random: systemRandom,
    keys: systemKeys,
    net: systemNet,
    files: memoryFiles({}, () => 0),
    programs: { run: () => Promise.reject(new Error('no programs here')) },
    env: {},
    log: silentLog,
  }
  const metrics = new Metrics()
  const { serving } = readAwsProgram(['--port=0', '--bind-address=127.0.0.1'])
  const webhook = createPodWebhook({ client: fakeCluster().client, seams, settings: {}, metrics })
  let probed = 0
  let listening = (): void => {}
  const isListening = new Promise<void>(resolve => {
    listening = resolve
  })
  const running = runWebhooks(
    {
      seams,
      metrics,
      served: [{ webhook, listener: serving, certificate: renewed, needsCertificateFirst: false }],
      metricsAt: [],
      healthAt: [{ host: '127.0.0.1', port: 0 }],
      graceMs: 0,
      onListening: ({ health: [port = 0] }) => {
        probed = port
        listening()
      },
    },
    stop.signal,
  )
  await isListening
  const said = async (): Promise<readonly [number, string | undefined]> => {
    const response = await fetch(`http://127.0.0.1:${probed}/readyz`)
    return [response.status, (await response.text()).split('\n').find(line => line.startsWith('[-]'))]
  }
  assert.deepEqual(await said(), [500, '[-]certificate failed: the serving certificate has run out; bring a new pair'])
  renew(pair)
  assert.deepEqual(await said(), [200, undefined])
  stop.abort(new Error('the test ends'))
  await running
})

test('a list of suites beside TLS 1.3 as the least version is left out, and the log says so [5.3]', async () => {
  const warned: string[] = []
  const seams = { files: memoryFiles({}, () => 0), log: { ...silentLog, warn: (message: string) => void warned.push(message) } }
  const policyOf = (version: string) =>
    tlsPolicy(
      seams,
      readAwsProgram([`--tls-min-version=${version}`, '--tls-cipher-suites=TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256']).serving,
    )
  assert.deepEqual(await policyOf('1.2'), { minVersion: 'TLSv1.2', ciphers: ['ECDHE-ECDSA-AES128-GCM-SHA256'] })
  assert.deepEqual(warned, [])
  assert.deepEqual(await policyOf('1.3'), { minVersion: 'TLSv1.3' })
  assert.deepEqual(warned, ['--tls-cipher-suites is ignored: with --tls-min-version=1.3 there are no suites to choose from'])
})

interface Pretended {
  readonly provider?: string
  readonly ready?: readonly HealthCheck[]
  readonly certificate?: CertificateSource
  readonly needsCertificateFirst?: boolean
  readonly listener?: Partial<Omit<ListenerSettings, 'health'>>
}

const listener: Omit<ListenerSettings, 'health'> = {
  port: 443,
  bindAddress: '10.0.0.7',
  minVersion: 'TLSv1.2',
  ciphers: [],
  clientCaPath: '',
  shutdownDelayMs: 0,
  offersHttp2: false,
}

/** A process whose listeners, clock and network are the test's: ports are 1, 2 and so on in the order in which they are opened. */
function pretend(webhooks: readonly Pretended[], more: Partial<ServingProcess> = {}, { closingMs = 0, stoppingMs = 0 } = {}) {
  const clock = new ManualClock()
  const metrics = new Metrics()
  /** What was done, in its order. */
  const done: unknown[] = []
  const { net, opened, answering, get } = pretendedNet(
    what => done.push(what),
    () => (closingMs === 0 ? Promise.resolve() : clock.sleep(closingMs)),
  )
  const log = createLogTo({ clock }, (_level, message, fields) => done.push([message, fields]))
  const seams: Seams = {
    clock,
    random: seededRandom(1),
    keys: systemKeys,
    net,
    files: memoryFiles({ '/ca.crt': 'the authority' }),
    programs: { run: () => Promise.reject(new Error('no programs here')) },
    env: {},
    log,
  }
  const served = webhooks.map(
    ({ provider = 'aws', ready = [], certificate = atOnce, needsCertificateFirst = false, listener: own }): ServedWebhook => ({
      webhook: {
        provider,
        ready,
        handler: () => ({ status: 200, headers: {}, body: null }),
        run: (signal: AbortSignal) =>
          new Promise<void>(resolve =>
            signal.addEventListener('abort', () => {
              done.push(['webhook stops', (signal.reason as Error).message])
              if (stoppingMs === 0) resolve()
              else clock.timer(stoppingMs, resolve)
            }),
          ),
      } as unknown as PodWebhook,
      listener: { ...listener, ...own },
      certificate,
      needsCertificateFirst,
    }),
  )
  const listening: ListeningPorts[] = []
  const stop = new AbortController()
  const ends: string[] = []
  void runWebhooks(
    { seams, metrics, served, metricsAt: [], healthAt: [], graceMs: 10_000, onListening: at => listening.push(at), ...more },
    stop.signal,
  ).then(
    () => ends.push('well'),
    (error: Error) => ends.push(error.message),
  )
  return { clock, metrics, opened, done, answering, listening, stop, ends, get }
}

const health = [{ host: '127.0.0.1', port: 8081 }]
const debug = () => Promise.resolve({ status: 418, headers: {}, body: Buffer.from('debugging') })

test('pages are opened first, then a listener for each webhook, and all are told in the order of what was asked for', async () => {
  const metricsAt = [
    { address: { host: '0.0.0.0', port: 9443 }, debug },
    { address: { host: '', port: 9444 }, debug },
  ]
  const { opened, listening, stop } = pretend([{ listener: { offersHttp2: true } }, { provider: 'azure' }], {
    metricsAt,
    healthAt: health,
  })
  await drain()
  const tls = { ...pair, minVersion: 'TLSv1.2', ciphers: [] }
  const own = { host: '10.0.0.7', port: 443, limits: webhookListenLimits, tls, readsPlainHttp1: true }
  assert.deepEqual(
    opened.map(({ options }) => options),
    [
      { host: '0.0.0.0', port: 9443, limits: quietListenLimits },
      { host: '::', port: 9444, limits: quietListenLimits },
      { host: '127.0.0.1', port: 8081, limits: quietListenLimits },
      { ...own, protocols: ['h2', 'http/1.1'] },
      { ...own, protocols: ['http/1.1'] },
    ],
  )
  assert.deepEqual(listening, [{ webhooks: [4, 5], metrics: [1, 2], health: [3] }])
  stop.abort(new Error('the test ends'))
})

test('the page of metrics shows them, and all else there is debugging', async () => {
  const { get, metrics, stop } = pretend([{}], { metricsAt: [{ address: { host: '', port: 0 }, debug }] })
  await drain()
  const [status, text] = await get(1, '/metrics?all')
  assert.deepEqual([status, text], [200, metrics.expose()])
  assert.match(text, /^identity_webhook_event_loop_lag_seconds 0$/m)
  assert.match(text, /^identity_webhook_certificate_not_after_seconds\{provider="aws"\} \d+$/m)
  assert.deepEqual(await get(1, '/debug/alpha/cache'), [418, 'debugging'])
  stop.abort(new Error('the test ends'))
})

for (const [delays, delayMs] of [
  [[0, 0], 0],
  [[1, 0], 1],
  [[300, 500], 500],
] as const)
  test(`told to stop, it is not ready at once, waits ${delayMs} ms, lets reviews end, and only then stops to follow [§5.8]`, async () => {
    const webhooks = delays.map(shutdownDelayMs => ({ listener: { shutdownDelayMs } }))
    const pages = { healthAt: health, metricsAt: [{ address: { host: '', port: 0 }, debug }] }
    const { clock, done, get, stop, ends } = pretend(webhooks, pages, { closingMs: 100, stoppingMs: 50 })
    await drain()
    done.splice(0)
    stop.abort(new Error('told to stop'))
    await drain()
    assert.match((await get(2, '/readyz'))[1], /^\[-\]stopping failed: told to stop$/m)
    assert.deepEqual(done.splice(0, 1), [['stopping', { delayMs }]])
    for (const [afterMs, what] of [
      [
        delayMs,
        [
          ['close', 3, 10_000, 1_000],
          ['close', 4, 10_000, 1_000],
        ],
      ],
      [
        100,
        [
          ['webhook stops', 'told to stop'],
          ['webhook stops', 'told to stop'],
        ],
      ],
      [
        50,
        [
          ['close', 1, 0],
          ['close', 2, 0],
          ['close', 3, 10_000],
          ['close', 4, 10_000],
        ],
      ],
    ] as const) {
      if (afterMs > 0) {
        await clock.advance(afterMs - 1)
        assert.deepEqual(done, [])
        await clock.advance(1)
      }
      assert.deepEqual(done.splice(0), what)
    }
    await clock.advance(99)
    assert.deepEqual(ends, [])
    await clock.advance(1)
    assert.deepEqual([ends, done, clock.pendingCount()], [['well'], [], 0])
  })

test('with a pair that runs out at this moment it is not ready any more, and a moment before it is [§5.6]', async () => {
  const validFrom = Date.UTC(2025, 0, 1)
  const ending = servingPair({ validFrom, validUntil: Date.UTC(2026, 0, 1) + 60_000 })
  const certificate: CertificateSource = { ...atOnce, first: () => Promise.resolve(ending) }
  const { clock, get, answering, stop } = pretend([{ certificate }], { healthAt: health })
  await drain()
  answering.add('https://10.0.0.7:2')
  await clock.advance(59_999)
  assert.deepEqual(await get(1, '/readyz'), [200, 'ok'])
  await clock.advance(1)
  const [status, text] = await get(1, '/readyz')
  assert.equal(status, 500)
  assert.match(text, /^\[-\]certificate failed: the serving certificate has run out; bring a new pair$/m)
  stop.abort(new Error('the test ends'))
})

test('it is ready when each listener answers and each source was read, and says of one webhook without its name [§5.6]', async () => {
  let isRead = false
  const ready = [{ name: 'source', check: () => (isRead ? ({ ok: true } as const) : ({ ok: false, why: 'not read' } as const)) }]
  const { get, answering, stop } = pretend([{ ready }], { healthAt: health })
  await drain()
  const said = async (): Promise<readonly [number, string]> => get(1, '/readyz?verbose')
  const certificate = '[+]certificate ok'
  const silent = '[-]listener failed: the TLS listener does not answer'
  assert.deepEqual(await said(), [500, `[+]stopping ok\n${silent}\n${certificate}\n[-]source failed: not read\nnot ok\n`])
  answering.add('https://10.0.0.7:2')
  assert.deepEqual(await said(), [500, `[+]stopping ok\n[+]listener ok\n${certificate}\n[-]source failed: not read\nnot ok\n`])
  isRead = true
  assert.deepEqual(await get(1, '/readyz'), [200, 'ok'])
  answering.clear()
  assert.deepEqual(await said(), [500, `[+]stopping ok\n${silent}\n${certificate}\n[+]source ok\nnot ok\n`])
  assert.deepEqual(await get(1, '/healthz'), [200, 'ok'])
  stop.abort(new Error('the test ends'))
})

test('of two webhooks each is named, and one that waits for its certificate does not answer [§5.6]', async () => {
  const { get, answering, stop } = pretend([{}, { provider: 'azure', certificate: never }], { healthAt: health })
  await drain()
  answering.add('https://10.0.0.7:2')
  assert.deepEqual(await get(1, '/readyz?verbose'), [
    500,
    [
      '[+]stopping ok',
      '[+]aws listener ok',
      '[+]aws certificate ok',
      '[-]azure listener failed: the TLS listener does not answer',
      '[+]azure certificate ok',
      'not ok\n',
    ].join('\n'),
  ])
  stop.abort(new Error('the test ends'))
})

test('a listener that asks for certificates is not asked itself, and counts as answering [§5.3]', async () => {
  const { get, opened, stop } = pretend([{ listener: { clientCaPath: '/ca.crt' } }], { healthAt: health })
  await drain()
  assert.deepEqual(await get(1, '/readyz'), [200, 'ok'])
  const { clientCa, requiresClientCertificate } = opened[1]?.options.tls ?? assert.fail()
  assert.deepEqual([clientCa, requiresClientCertificate], ['the authority', true])
  stop.abort(new Error('the test ends'))
})

test('a new certificate is served by the policy of the flags, and is the one whose end is told', async () => {
  const follows: [TlsServerOptions, (next: TlsServerOptions) => void][] = []
  const certificate: CertificateSource = {
    first: () => Promise.resolve(pair),
    follow: (current, take) => {
      follows.push([current, take])
      return Promise.resolve()
    },
  }
  const { done, metrics, stop } = pretend([{ certificate, listener: { ciphers: ['one'] } }])
  await drain()
  done.splice(0)
  const policy = { minVersion: 'TLSv1.2', ciphers: ['one'] }
  const [[current, take] = assert.fail()] = follows
  assert.deepEqual(current, { ...pair, ...policy })
  const validUntil = Date.UTC(2030, 0, 1)
  const next = servingPair({ validFrom: Date.UTC(2020, 0, 1), validUntil })
  take(next)
  assert.deepEqual(done, [['tls', 1, { ...next, ...policy }]])
  assert.match(
    metrics.expose(),
    new RegExp(`^identity_webhook_certificate_not_after_seconds\\{provider="aws"\\} ${validUntil / 1_000}$`, 'm'),
  )
  stop.abort(new Error('the test ends'))
})

for (const needsCertificateFirst of [true, false])
  test(`a certificate that cannot be had ends the start ${needsCertificateFirst ? 'before anything is' : 'after pages are'} opened, with its words [1.3.3]`, async () => {
    const certificate: CertificateSource = { first: () => Promise.reject(new Error('no pair')), follow: () => Promise.resolve() }
    const { done, opened, ends, listening, clock } = pretend([{ certificate, needsCertificateFirst }], { healthAt: health })
    await drain()
    await drain()
    assert.deepEqual([ends, opened.length, listening], [['no pair'], needsCertificateFirst ? 0 : 1, []])
    assert.deepEqual(
      done,
      needsCertificateFirst
        ? []
        : [
            ['webhook stops', 'the webhook stops'],
            ['close', 1, 0],
          ],
    )
    assert.equal(clock.pendingCount(), 0)
  })
