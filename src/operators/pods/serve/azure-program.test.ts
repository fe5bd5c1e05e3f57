// The Azure webhook, and both in one process, as a process sees them: real sockets, real TLS, an API server of a few lines.
import assert from 'node:assert/strict'
import { request as httpsRequest } from 'node:https'
import { type TestContext, test } from 'node:test'
import {
  type HttpExchange,
  memoryFiles,
  type Seams,
  silentLog,
  systemClock,
  systemKeys,
  systemNet,
  systemRandom,
  systemUsage,
} from '#base'
import { servingPair } from '../../../base/x509/serving-pair.fixture.ts'
import { readAzureProgram } from '../flags/azure-settings.ts'
import { readBothPrograms } from '../flags/both-flags.ts'
import { podOf } from '../testing/azure-rows.ts'
import { reviewOf } from '../testing/azure-world.ts'
import { runAzureWebhook } from './azure-program.ts'
import { runBothWebhooks } from './both-program.ts'

const env = { AZURE_TENANT_ID: 'tenant' }
const annotations = {
  'azure.workload.identity/client-id': 'client',
  'eks.amazonaws.com/role-arn': 'arn:aws:iam::111122223333:role/r',
}
const pair = servingPair()

interface TinyApi {
  isAway: boolean
  version: string
  lists: number
}

/** ServiceAccount ns1/app, the version, and a watch that says nothing. */
function tinyApi(api: TinyApi): HttpExchange {
  const account = {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { namespace: 'ns1', name: 'app', uid: 'u', resourceVersion: '1', annotations },
  }
  const json = (status: number, value: unknown) => ({
    status,
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(JSON.stringify(value)),
  })
  return ({ target, signal }) => {
    if (api.isAway)
      return Promise.resolve(json(503, { kind: 'Status', apiVersion: 'v1', status: 'Failure', code: 503, message: 'away' }))
    const url = new URL(target, 'http://api')
    if (url.pathname === '/version') return Promise.resolve(json(200, { major: '1', minor: '34', gitVersion: api.version }))
    if (url.pathname.endsWith('serviceaccounts/app')) return Promise.resolve(json(200, account))
    if (url.searchParams.has('watch')) {
      const end = new Promise<IteratorResult<Uint8Array>>(resolve => {
        signal?.addEventListener('abort', () => resolve({ done: true, value: undefined }), { once: true })
      })
      const body = { [Symbol.asyncIterator]: () => ({ next: () => end }) }
      return Promise.resolve({ status: 200, headers: { 'content-type': 'application/json' }, body })
    }
    api.lists++
    return Promise.resolve(
      json(200, { apiVersion: 'v1', kind: 'ServiceAccountList', metadata: { resourceVersion: '1' }, items: [account] }),
    )
  }
}

interface Ground {
  readonly seams: Seams
  readonly api: TinyApi
  readonly stop: AbortController
}

/** A kubeconfig that leads to the tiny API server, and a serving pair. */
async function ground(t: TestContext, api: Partial<TinyApi> = {}): Promise<Ground> {
  const state: TinyApi = { isAway: false, version: 'v1.34.4', lists: 0, ...api }
  const server = await systemNet.listen({}, tinyApi(state))
  t.after(() => server.close())
  const kubeconfig = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'c', cluster: { server: `http://127.0.0.1:${server.port}` } }],
    contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
    users: [{ name: 'u', user: {} }],
    'current-context': 'x',
  }
  const files = memoryFiles(
    { '/certs/tls.crt': pair.certificate, '/certs/tls.key': pair.key, '/kubeconfig': JSON.stringify(kubeconfig) },
    () => performance.now(),
  )
  const seams: Seams = {
    usage: systemUsage,
    clock: systemClock,
    random: systemRandom,
    keys: systemKeys,
    net: systemNet,
    files,
    programs: { run: () => Promise.reject(new Error('no programs here')) },
    env: {},
    log: silentLog,
  }
  return { seams, api: state, stop: new AbortController() }
}

const azureFlags = [
  '--disable-cert-rotation',
  '--port=0',
  '--bind-address=127.0.0.1',
  '--health-addr=127.0.0.1:0',
  '--metrics-addr=127.0.0.1:0',
]

interface Listening {
  readonly webhook: number
  readonly metrics: number | undefined
  readonly health: number | undefined
}

/** Until the test ends. */
async function startAzure(t: TestContext, { seams, stop }: Ground, flags: readonly string[] = []): Promise<Listening> {
  const program = readAzureProgram([...azureFlags, '--kubeconfig=/kubeconfig', ...flags], env)
  let running: Promise<void> = Promise.resolve()
  const at = await new Promise<Listening>((resolve, reject) => {
    running = runAzureWebhook({ program, seams, onListening: resolve }, stop.signal)
    running.catch(reject)
  })
  t.after(async () => {
    stop.abort(new Error('the test ends'))
    await running
  })
  return at
}

interface Reply {
  readonly status: number
  readonly text: string
}

function post(port: number, path: string, body: string): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json' }
    const call = httpsRequest(
      { host: '127.0.0.1', port, path, method: 'POST', headers, rejectUnauthorized: false, agent: false },
      reply => {
        let text = ''
        reply.on('data', (chunk: Buffer) => (text += chunk.toString()))
        reply.on('end', () => resolve({ status: reply.statusCode ?? 0, text }))
      },
    )
    call.on('error', reject)
    call.end(body)
  })
}

async function get(port: number | undefined, path: string): Promise<Reply> {
  const reply = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { connection: 'close' } })
  return { status: reply.status, text: await reply.text() }
}

async function eventually(isSo: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 400; tries++) {
    if (await isSo()) return
    await systemClock.sleep(10)
  }
  assert.fail('it did not come about')
}

const review = JSON.stringify(reviewOf(podOf()))

test('a review over TLS is answered on both paths; health, readiness and metrics have ports of their own [§3.13, Z-69]', async t => {
  const at = await startAzure(t, await ground(t))
  await eventually(async () => (await get(at.health, '/readyz')).status === 200)
  const [one, other] = [await post(at.webhook, '/mutate-v1-pod?timeout=10s', review), await post(at.webhook, '/mutate', review)]
  assert.deepEqual([one.status, one.text], [200, other.text])
  assert.equal((await get(at.health, '/healthz')).text, 'ok')
  const { text } = await get(at.metrics, '/metrics')
  assert.match(text, /azwi_mutation_request_count\{namespace="ns1"\} 2/)
  assert.match(text, /controller_runtime_webhook_requests_total\{webhook="\/mutate-v1-pod",code="200"\} 1/)
  assert.match(text, /identity_webhook_admission_total\{provider="azure",result="mutated",reason="azure"\} 2/)
  assert.match(text, /identity_webhook_certificate_not_after_seconds\{provider="azure"\}/)
  assert.doesNotMatch(text, /http_request_count\{/)
})

test('a body that is a byte too long is refused in the reply [P-04]', async t => {
  const at = await startAzure(t, await ground(t))
  const reply = await post(at.webhook, '/mutate', review + ' '.repeat(7_340_033 - review.length))
  assert.equal(reply.status, 200)
  assert.match(
    reply.text,
    /"allowed":false,"status":\{"message":"request entity is too large: limit is 7340032 bytes","code":413\}/,
  )
})

test('with the API server away the process runs, is alive and not ready, and reviews are errors of the call [P-10, F-19, F-23]', async t => {
  const world = await ground(t, { isAway: true })
  const at = await startAzure(t, world)
  assert.equal((await get(at.health, '/healthz')).status, 200)
  assert.equal((await get(at.health, '/readyz')).status, 500)
  assert.equal((await post(at.webhook, '/mutate?timeout=2s', review)).status, 500)
  world.api.isAway = false
  await eventually(async () => (await post(at.webhook, '/mutate', review)).status === 200)
})

test('metrics are off where their address is 0', async t => {
  const at = await startAzure(t, await ground(t), ['--metrics-addr=0'])
  assert.equal(at.metrics, undefined)
  assert.equal((await get(at.health, '/healthz')).status, 200)
})

test('an API server whose version is none ends the process with a sentence', async t => {
  const { seams, stop } = await ground(t, { version: 'v1.32' })
  const program = readAzureProgram([...azureFlags, '--kubeconfig=/kubeconfig'], env)
  await assert.rejects(runAzureWebhook({ program, seams }, stop.signal), {
    message: 'failed to check kubernetes version: illegal version string "v1.32"',
  })
})

test('a file of an Azure Stack that is not there ends the start [Z-38]', async t => {
  const { seams, stop } = await ground(t)
  const program = readAzureProgram(azureFlags, {
    ...env,
    AZURE_ENVIRONMENT: 'AzureStackCloud',
    AZURE_ENVIRONMENT_FILEPATH: '/no.json',
  })
  await assert.rejects(
    runAzureWebhook({ program, seams }, stop.signal),
    /failed to get AAD endpoint: open \/no\.json: no such file/,
  )
})

test('a pair that is not there ends the start, unless the webhook makes its own [1.3.3]', async t => {
  const { seams, stop } = await ground(t)
  const program = readAzureProgram([...azureFlags, '--kubeconfig=/kubeconfig', '--webhook-cert-dir=/none'], env)
  await assert.rejects(runAzureWebhook({ program, seams }, stop.signal), /there is no file \/none\/tls\.crt/)
})

test('both webhooks in one process have a listener each, one list of ServiceAccounts, and readiness for both', async t => {
  const { seams, api, stop } = await ground(t)
  const programs = readBothPrograms(
    [
      '--kubeconfig=/kubeconfig',
      '--aws.in-cluster=false',
      '--aws.port=0',
      '--aws.metrics-port=0',
      '--aws.bind-address=127.0.0.1',
      '--aws.tls-cert=/certs/tls.crt',
      '--aws.tls-key=/certs/tls.key',
      ...azureFlags.map(flag => flag.replace('--', '--azure.')),
    ],
    env,
  )
  let running: Promise<void> = Promise.resolve()
  const at = await new Promise<{ aws: number; azure: number; metrics: readonly number[]; health: readonly number[] }>(
    (resolve, reject) => {
      running = runBothWebhooks({ programs, seams, onListening: resolve }, stop.signal)
      running.catch(reject)
    },
  )
  t.after(async () => {
    stop.abort(new Error('the test ends'))
    await running
  })
  await eventually(async () => (await get(at.health[0], '/readyz')).status === 200)
  assert.match((await get(at.health[0], '/readyz?verbose')).text, /\[\+\]aws listener ok[\s\S]*\[\+\]azure listener ok/)
  const patchOf = ({ text }: Reply): string => {
    const { response } = JSON.parse(text) as { response: { patch?: string } }
    return Buffer.from(response.patch ?? '', 'base64').toString()
  }
  assert.match(patchOf(await post(at.aws, '/mutate', review)), /AWS_ROLE_ARN/)
  assert.match(patchOf(await post(at.azure, '/mutate', review)), /AZURE_CLIENT_ID/)
  assert.equal(api.lists, 1)
  for (const port of at.metrics)
    assert.match(
      (await get(port, '/metrics')).text,
      /provider="aws"[\s\S]*provider="azure"|provider="azure"[\s\S]*provider="aws"/,
    )
})

test('both webhooks refuse a flag that neither has, and one without the name of its webhook', () => {
  assert.throws(() => readBothPrograms(['--aws.audience=x'], env), /aws\.audience/)
  assert.throws(() => readBothPrograms(['--audience=x'], env), /audience/)
  assert.throws(() => readBothPrograms([], {}), /required key AZURE_TENANT_ID missing value/)
})
