// Webhooks as a process, with certificates that come when the test says.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Log, memoryFiles, type Net, type Seams, silentLog, systemClock, systemKeys, systemNet, systemRandom } from '#base'
import { type CertificateSource, Metrics } from '#runtime'
import { servingPair } from '../../../base/x509/serving-pair.fixture.ts'
import { readAwsProgram } from '../flags/settings.ts'
import { fakeCluster } from '../testing/fake-cluster.ts'
import { tlsPolicy } from './certificate.ts'
import { runWebhooks, type ServedWebhook } from './process.ts'
import { createPodWebhook } from './webhook.ts'

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
