import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ManualClock, type ProgramCall } from '#base'
import { ExecPlugin, pluginEnvironment } from './exec-plugin.ts'
import type { ClusterEntry, ExecEntry } from './kubeconfig.ts'

const apiVersion = 'client.authentication.k8s.io/v1'
const exec: ExecEntry = { apiVersion, command: 'give', args: ['token'], env: { OWN: '1' }, provideClusterInfo: true }

interface Start {
  readonly cluster?: Partial<ClusterEntry>
  readonly caPem?: string
  readonly status?: () => object
}

function start({ cluster = {}, caPem, status = () => ({ token: 't' }) }: Start) {
  const clock = new ManualClock()
  const calls: ProgramCall[] = []
  const programs = {
    run: async (call: ProgramCall) => {
      calls.push(call)
      const stdout = Buffer.from(JSON.stringify({ kind: 'ExecCredential', apiVersion, status: status() }))
      return { code: 0, stdout, stderr: new Uint8Array() }
    },
  }
  const plugin = new ExecPlugin(
    { programs, clock, env: { PATH: '/bin', GONE: undefined } },
    {
      exec: { file: '/home/kubeconfig', entry: exec },
      cluster: { server: 'https://host', insecureSkipVerify: false, ...cluster },
      caPem,
    },
  )
  return { plugin, clock, calls }
}

function told(call: ProgramCall | undefined): unknown {
  return JSON.parse(call?.env?.['KUBERNETES_EXEC_INFO'] ?? '')
}

test('a plugin sees what finds its own configuration, and nothing else of ours', () => {
  const env = {
    PATH: '/bin',
    HOME: '/root',
    AWS_PROFILE: 'dev',
    https_proxy: 'http://p',
    DATABASE_PASSWORD: 'x',
    GONE: undefined,
  }
  assert.deepEqual(pluginEnvironment(env), { PATH: '/bin', HOME: '/root', AWS_PROFILE: 'dev', https_proxy: 'http://p' })
  assert.deepEqual(pluginEnvironment(env, ['DATABASE_PASSWORD']), { PATH: '/bin', HOME: '/root', DATABASE_PASSWORD: 'x' })
})

test('what a plugin is told of its cluster is what the kubeconfig says, and no more', async () => {
  const bare = start({})
  await bare.plugin.credential()
  const frame = { apiVersion, kind: 'ExecCredential' }
  const [call] = bare.calls
  assert.deepEqual(told(call), { ...frame, spec: { interactive: false, cluster: { server: 'https://host', config: null } } })
  assert.deepEqual([call?.command, call?.args, call?.env?.['OWN'], call?.env?.['PATH']], ['give', ['token'], '1', '/bin'])
  assert.ok(!Object.hasOwn(call?.env ?? {}, 'GONE'))

  const whole = start({
    cluster: { tlsServerName: 'api', insecureSkipVerify: true, proxyUrl: 'http://proxy', execConfig: { a: 1 } },
    caPem: 'pem',
  })
  await whole.plugin.credential()
  assert.deepEqual(told(whole.calls[0]), {
    ...frame,
    spec: {
      interactive: false,
      cluster: {
        server: 'https://host',
        'tls-server-name': 'api',
        'insecure-skip-tls-verify': true,
        'certificate-authority-data': Buffer.from('pem').toString('base64'),
        'proxy-url': 'http://proxy',
        config: { a: 1 },
      },
    },
  })
})

test('a credential is kept until ten seconds before its end, and then asked for again', async () => {
  const { plugin, clock, calls } = start({
    status: () => ({ token: 't', expirationTimestamp: new Date(clock.now() + 60_000).toISOString() }),
  })
  await plugin.credential()
  await clock.advance(49_000)
  await plugin.credential()
  assert.equal(calls.length, 1)
  await clock.advance(1_000)
  await plugin.credential()
  assert.equal(calls.length, 2)
})

test('a credential that the server refused is asked for again ten seconds later, and not before', async () => {
  const { plugin, clock, calls } = start({})
  await plugin.credential()
  await clock.advance(9_999)
  assert.equal(plugin.refused(), false)
  await clock.advance(1)
  assert.equal(plugin.refused(), true)
  await plugin.credential()
  assert.equal(calls.length, 2)
})

for (const [what, status, text] of [
  ['neither a token nor a pair', () => ({}), /neither a token nor a certificate with its key/],
  ['a certificate without its key', () => ({ clientCertificateData: 'c' }), /neither a token nor a certificate with its key/],
  ['an end that is no time', () => ({ token: 't', expirationTimestamp: 'soon' }), /its expirationTimestamp is no time/],
] as const)
  test(`an answer with ${what} is refused, with the plugin and its file named`, async () => {
    const failure = start({ status }).plugin.credential()
    await assert.rejects(failure, { code: 'unauthenticated', message: text })
    await assert.rejects(failure, { message: /^the exec plugin "give" of kubeconfig \/home\/kubeconfig gave no credentials/ })
  })

test('a pair is taken as it is', async () => {
  const { plugin } = start({ status: () => ({ clientCertificateData: 'c', clientKeyData: 'k' }) })
  assert.deepEqual(await plugin.credential(), { certificate: 'c', key: 'k' })
})
