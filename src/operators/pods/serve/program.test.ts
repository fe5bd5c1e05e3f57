// The webhook as a process sees it: real sockets, real TLS, an API server of a few lines (§8.3).
import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { Agent, request as httpsRequest } from 'node:https'
import { connect as connectPlain } from 'node:net'
import { type TestContext, test } from 'node:test'
import { type ConnectionOptions, connect } from 'node:tls'
import {
  type HttpExchange,
  type ListenOptions,
  memoryFiles,
  type Seams,
  silentLog,
  systemClock,
  systemKeys,
  systemNet,
  systemRandom,
  systemUsage,
} from '#base'
import { type ServingPair, servingPair } from '../../../base/x509/serving-pair.fixture.ts'
import { webhookContainer } from '../api.ts'
import { readAwsProgram } from '../flags/settings.ts'
import { runAwsWebhook } from './program.ts'

const role = 'arn:aws:iam::111122223333:role/r'
const annotated = { 'eks.amazonaws.com/role-arn': role }

interface Running {
  readonly files: ReturnType<typeof memoryFiles>
  readonly port: number
  readonly metrics: number
  readonly health: number
  /** With which it opened its listeners. */
  readonly listening: readonly ListenOptions[]
  post(body: string | Uint8Array, more?: { agent?: Agent; path?: string; type?: string; method?: string }): Promise<Reply>
  stop(): Promise<void>
  api: { isAway: boolean; delayMs: number }
}

interface Reply {
  readonly status: number
  readonly text: string
  readonly connection: string | undefined
  readonly keepAlive: string | undefined
}

interface StartOptions {
  readonly isAway?: boolean
  /** Files beside the serving pair. */
  readonly more?: Readonly<Record<string, string>>
}

async function start(
  t: TestContext,
  flags: readonly string[] = [],
  { isAway = false, more }: StartOptions = {},
): Promise<Running> {
  const api = { isAway, delayMs: 0 }
  const server = await systemNet.listen({}, tinyApi(api))
  t.after(() => server.close())
  const files = memoryFiles({ '/tls.crt': first.certificate, '/tls.key': first.key, ...more }, () => performance.now())
  const listening: ListenOptions[] = []
  const seams: Seams = {
    usage: systemUsage,
    clock: systemClock,
    random: systemRandom,
    keys: systemKeys,
    net: {
      ...systemNet,
      listen: (options, handler) => {
        listening.push(options)
        return systemNet.listen(options, handler)
      },
    },
    files,
    programs: { run: () => Promise.reject(new Error('no programs here')) },
    env: {},
    log: silentLog,
  }
  const stop = new AbortController()
  const program = readAwsProgram([
    '--in-cluster=false',
    '--port=0',
    '--metrics-port=0',
    '--health-addr=127.0.0.1:0',
    '--bind-address=127.0.0.1',
    '--tls-cert=/tls.crt',
    '--tls-key=/tls.key',
    `--kube-api=http://127.0.0.1:${server.port}`,
    ...flags,
  ])
  let running: Promise<void> = Promise.resolve()
  const at = await new Promise<{ webhook: number; metrics: number; health: number | undefined }>((resolve, reject) => {
    running = runAwsWebhook({ program, seams, onListening: resolve }, stop.signal)
    running.catch(reject)
  })
  const end = async (): Promise<void> => {
    stop.abort(new Error('the test ends'))
    await running
    await server.close()
  }
  t.after(end)
  const port = at.webhook
  if (!isAway) await eventually(async () => (await get(at.health ?? 0, '/readyz')).status === 200)
  return {
    files,
    port,
    metrics: at.metrics,
    health: at.health ?? 0,
    listening,
    post: (body, more) => post(port, body, more),
    stop: end,
    api,
  }
}

/** ServiceAccounts ns1/app (with a role) and ns1/plain; a watch that says nothing. */
function tinyApi(api: Running['api']): HttpExchange {
  const account = (name: string, annotations: object) => ({
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { namespace: 'ns1', name, uid: name, resourceVersion: '1', annotations },
  })
  const items = [account('app', annotated), account('plain', {})]
  const json = (status: number, value: unknown) => ({
    status,
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(JSON.stringify(value)),
  })
  return async ({ target, signal }) => {
    if (api.delayMs > 0) await systemClock.sleep(api.delayMs)
    if (api.isAway) return json(503, { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', code: 503 })
    const url = new URL(target, 'http://api')
    const name = /\/serviceaccounts\/(.*)$/.exec(url.pathname)?.[1]
    if (name !== undefined) {
      const found = items.find(({ metadata }) => metadata.name === name)
      if (found !== undefined) return json(200, found)
      return json(404, { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', reason: 'NotFound', code: 404 })
    }
    if (!url.searchParams.has('watch'))
      return json(200, { apiVersion: 'v1', kind: 'ServiceAccountList', metadata: { resourceVersion: '1' }, items })
    return { status: 200, headers: { 'content-type': 'application/json' }, body: silence(signal) }
  }
}

/** Never yields, and ends when its reader leaves. */
function silence(signal: AbortSignal | undefined): AsyncIterable<Uint8Array> {
  const end = new Promise<IteratorResult<Uint8Array>>(resolve => {
    signal?.addEventListener('abort', () => resolve({ done: true, value: undefined }), { once: true })
  })
  return { [Symbol.asyncIterator]: () => ({ next: () => end }) }
}

test('a review over TLS is answered with a patch; health, readiness and metrics on their ports', async t => {
  const webhook = await start(t)
  const reply = await webhook.post(review('app'))
  assert.equal(reply.status, 200)
  assert.equal(patchOf(reply).length, 3)
  assert.equal((await get(webhook.health, '/healthz')).status, 200)
  await eventually(async () => (await get(webhook.health, '/readyz')).status === 200)
  assert.match((await get(webhook.metrics, '/metrics')).text, /pod_identity_webhook_pod_count\{method="sts_web_identity"\} 1/)
  assert.equal((await get(webhook.metrics, '/debug/alpha/cache')).status, 404)
  const health = await webhook.post('', { path: '/healthz', method: 'GET' })
  assert.deepEqual([health.status, health.text], [200, 'ok'])
})

test('other paths, methods and media types, and a body that is a byte too long [§2.12, P-04]', async t => {
  const webhook = await start(t)
  assert.equal((await webhook.post(review('app'), { path: '/other' })).status, 404)
  assert.equal((await webhook.post('', { method: 'GET' })).status, 405)
  assert.equal((await webhook.post(review('app'), { type: 'application/xml' })).status, 415)
  assert.equal((await webhook.post(review('app'), { type: 'Application/JSON; charset=utf-8' })).status, 200)
  const limit = 7_340_032
  const padded = (length: number): string => review('app') + ' '.repeat(length - review('app').length)
  assert.equal((await webhook.post(padded(limit))).status, 200)
  assert.equal((await webhook.post(padded(limit + 1))).status, 413)
})

test('a certificate replaced under load fails nothing, new connections see it, and garbage is not served [P-05, P-06]', async t => {
  const webhook = await start(t)
  const agent = new Agent({ keepAlive: true, maxSockets: 4, rejectUnauthorized: false })
  t.after(() => agent.destroy())
  let isOver = false
  let answered = 0
  const load = (async () => {
    while (!isOver) {
      const replies = await Promise.all(Array.from({ length: 4 }, () => webhook.post(review('app'), { agent })))
      assert.ok(replies.every(({ status }) => status === 200))
      answered += replies.length
    }
  })()
  await webhook.files.write('/tls.crt', second.certificate)
  await webhook.files.write('/tls.key', second.key)
  await eventually(async () => (await serialOf(webhook.port)) === serial(second.certificate))
  await webhook.files.write('/tls.crt', 'garbage')
  await eventually(async () =>
    /certwatcher_read_certificate_errors_total [1-9]/.test((await get(webhook.metrics, '/metrics')).text),
  )
  assert.equal(await serialOf(webhook.port), serial(second.certificate))
  isOver = true
  await load
  assert.ok(answered > 0)
})

test('a client that offers less than the least version is turned away [P-07]', async t => {
  const webhook = await start(t, ['--tls-min-version=VersionTLS13'])
  await assert.rejects(dial(webhook.port, { maxVersion: 'TLSv1.2' }))
  assert.equal((await dial(webhook.port, {})).protocol, 'TLSv1.3')
})

test('a list of suites holds for 1.2, and 1.3 is still possible [P-08]', async t => {
  const webhook = await start(t, [
    '--tls-min-version=VersionTLS12',
    '--tls-cipher-suites=TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384',
  ])
  const old = await dial(webhook.port, { maxVersion: 'TLSv1.2' })
  assert.equal(old.cipher, 'ECDHE-ECDSA-AES256-GCM-SHA384')
  await assert.rejects(dial(webhook.port, { maxVersion: 'TLSv1.2', ciphers: 'ECDHE-ECDSA-AES128-GCM-SHA256' }))
  assert.equal((await dial(webhook.port, {})).protocol, 'TLSv1.3')
})

test('TLS 1.0 really works when it is asked for, and HTTP/2 is not offered unless it is [§5.3]', async t => {
  const webhook = await start(t, ['--tls-min-version=1.0'])
  const old = await dial(webhook.port, { minVersion: 'TLSv1', maxVersion: 'TLSv1', ciphers: 'DEFAULT:@SECLEVEL=0' })
  assert.equal(old.protocol, 'TLSv1')
  assert.equal((await dial(webhook.port, { ALPNProtocols: ['h2', 'http/1.1'] })).alpn, 'http/1.1')
  const both = await start(t, ['--enable-http2'])
  assert.equal((await dial(both.port, { ALPNProtocols: ['h2', 'http/1.1'] })).alpn, 'h2')
})

test('with the API server down the process runs, alive and not ready; it heals by itself [P-10, F-23]', async t => {
  const webhook = await start(t, [], { isAway: true })
  const reply = await webhook.post(review('app'))
  assert.deepEqual([reply.status, patchOf(reply)], [200, []])
  assert.equal((await webhook.post('', { path: '/healthz', method: 'GET' })).status, 200)
  assert.equal((await get(webhook.health, '/healthz')).status, 200)
  assert.equal((await get(webhook.health, '/readyz')).status, 500)
  webhook.api.isAway = false
  await eventually(async () => (await get(webhook.health, '/readyz')).status === 200)
  assert.equal(patchOf(await webhook.post(review('app'))).length, 3)
})

test('told to stop, it answers what is under way, says that the connection ends, and leaves [P-14]', async t => {
  const webhook = await start(t, ['--service-account-lookup-grace-period=2s'])
  webhook.api.delayMs = 1_000
  const agent = new Agent({ keepAlive: true, maxSockets: 20, rejectUnauthorized: false })
  t.after(() => agent.destroy())
  const pending = Array.from({ length: 20 }, (_, index) => webhook.post(review(`late-${index}`), { agent }))
  const underWay = 'controller_runtime_webhook_requests_in_flight{webhook="/mutate"} 20'
  await eventually(async () => (await get(webhook.metrics, '/metrics')).text.includes(underWay))
  await webhook.stop()
  const replies = await Promise.all(pending)
  assert.deepEqual([...new Set(replies.map(({ status, connection }) => `${status} ${connection}`))], ['200 close'])
  await assert.rejects(webhook.post(review('app')))
})

test('with --client-ca-file only callers with a certificate of that authority are served, and readiness does not need one [§5.3]', async t => {
  const subject = (commonName: string): { subject: { commonName: string } } => ({ subject: { commonName } })
  const authority = servingPair({ ...subject('authority'), usage: 'ca' })
  const caller = servingPair({ ...subject('caller'), usage: 'client', issuer: authority })
  const stranger = servingPair({ ...subject('stranger'), usage: 'client' })
  const webhook = await start(t, ['--client-ca-file=/ca.crt'], { more: { '/ca.crt': authority.certificate } })
  const dialWith = (own: ServingPair | undefined): Promise<Agreed> =>
    dial(webhook.port, own === undefined ? {} : { cert: own.certificate, key: own.key }, true)
  assert.equal((await dialWith(caller)).protocol, 'TLSv1.3')
  await assert.rejects(dialWith(undefined))
  await assert.rejects(dialWith(stranger))
  const agent = new Agent({ cert: caller.certificate, key: caller.key, rejectUnauthorized: false })
  t.after(() => agent.destroy())
  assert.equal(patchOf(await webhook.post(review('app'), { agent })).length, 3)
})

test('a --client-ca-file that is not there is told at the start [§2.13]', async t => {
  await assert.rejects(
    start(t, ['--client-ca-file=/nowhere.crt']),
    /there is no file \/nowhere\.crt, which --client-ca-file names/,
  )
})

test('an idle connection is kept longer than the 90 seconds for which API servers keep theirs [P-13, §5.2]', async t => {
  const webhook = await start(t)
  const agent = new Agent({ keepAlive: true, rejectUnauthorized: false })
  const { keepAlive } = await webhook.post(review('app'), { agent })
  agent.destroy()
  assert.ok(Number(/^timeout=(\d+)$/.exec(keepAlive ?? '')?.[1]) >= 120, keepAlive)
})

const mebibyte = 1_024 * 1_024
/** Over TLS, with what Node keeps for it: measured by `npm run bench -- webhook-attacks`, and rounded up. */
const connectionBytes = 40 * 1_024

test('whatever is sent to all listeners at once takes at most half of the memory that the manifests give [X6]', async t => {
  const { listening } = await start(t)
  assert.equal(listening.length, 3, 'reviews, metrics and health')
  const bytes = listening.map(({ limits: { connectionsMax = Infinity, heldBytesMax = Infinity } = {} }) => {
    return connectionsMax * connectionBytes + heldBytesMax
  })
  const { resources } = webhookContainer({ image: 'vouch', args: [], ports: { https: 8443 }, mounts: [] })
  const limitMiB = 256
  assert.deepEqual(resources, { requests: { cpu: '50m', memory: '64Mi' }, limits: { memory: `${limitMiB}Mi` } })
  const sum = bytes.reduce((all, one) => all + one, 0)
  assert.ok(sum <= (limitMiB * mebibyte) / 2, `${Math.ceil(sum / mebibyte)} of ${limitMiB} MiB`)
  for (const { limits = {} } of listening) {
    assert.ok((limits.connectionsPerPeerMax ?? Infinity) <= (limits.connectionsMax ?? 0) / 2, 'one peer never has all of it')
    assert.deepEqual([limits.headerTimeoutMs, limits.bodyTimeoutMs], [10_000, 10_000])
  }
})

test('whoever opens as many connections as he can leaves the webhook and its health open to others [X6]', async t => {
  const webhook = await start(t)
  for (const port of [webhook.port, webhook.health, webhook.metrics]) {
    const crowd = Array.from({ length: 600 }, () => connectPlain({ host: '127.0.0.1', port, localAddress: '127.0.0.2' }))
    t.after(() => {
      for (const socket of crowd) socket.destroy()
    })
    let [accepted, refused] = [0, 0]
    for (const socket of crowd)
      socket
        .on('error', () => {})
        .on('connect', () => accepted++)
        .on('close', () => refused++)
    await eventually(async () => accepted === crowd.length && refused >= 100)
  }
  assert.equal(patchOf(await webhook.post(review('app'))).length, 3)
  assert.equal((await get(webhook.health, '/healthz')).status, 200)
  assert.equal((await get(webhook.metrics, '/metrics')).status, 200)
})

test('the scrape tells of the process [§2.16]', async t => {
  const { metrics } = await start(t)
  const { text } = await get(metrics, '/metrics')
  assert.match(text, /^process_resident_memory_bytes [1-9]\d+$/m)
  assert.match(text, /^process_cpu_seconds_total \d/m)
  assert.match(text, /^identity_webhook_certificate_not_after_seconds\{provider="aws"\} [1-9]\d+$/m)
})

test('debugging handlers answer when they are asked for [§2.17]', async t => {
  const webhook = await start(t, ['--enable-debugging-handlers'])
  const cache = JSON.parse((await get(webhook.metrics, '/debug/alpha/cache')).text) as { serviceAccounts: object }
  assert.deepEqual(cache.serviceAccounts, { 'ns1/app': annotated, 'ns1/plain': {} })
  assert.equal((await get(webhook.metrics, '/debug/alpha/cache/clear')).status, 200)
  assert.equal((await webhook.post(review('app'), { path: '/debug/alpha/500' })).status, 500)
  const denied = JSON.parse((await webhook.post(review('app'), { path: '/debug/alpha/deny' })).text) as {
    response: { allowed: boolean }
  }
  assert.equal(denied.response.allowed, false)
})

test('what cannot be served is told at the start [1.3.3]', async () => {
  const program = readAwsProgram(['--in-cluster=false', '--tls-cert=/nowhere.crt', '--kube-api=http://127.0.0.1:1'])
  const seams = {
    clock: systemClock,
    random: systemRandom,
    keys: systemKeys,
    net: systemNet,
    files: memoryFiles(),
    env: {},
    log: silentLog,
  }
  const programs = { run: () => Promise.reject(new Error('no programs here')) }
  await assert.rejects(
    runAwsWebhook({ program, seams: { ...seams, programs } }, new AbortController().signal),
    /there is no file \/nowhere\.crt/,
  )
})

function review(name: string): string {
  const object = { metadata: { name: 'p' }, spec: { serviceAccountName: name, containers: [{ name: 'a' }] } }
  return JSON.stringify({
    apiVersion: 'admission.k8s.io/v1',
    kind: 'AdmissionReview',
    request: { uid: 'u', namespace: 'ns1', object },
  })
}

function patchOf({ text }: Reply): unknown[] {
  const { response } = JSON.parse(text) as { response: { patch?: string } }
  return JSON.parse(Buffer.from(response.patch ?? 'W10=', 'base64').toString()) as unknown[]
}

function post(
  port: number,
  body: string | Uint8Array,
  { agent, path = '/mutate?timeout=10s', type = 'application/json', method = 'POST' }: Parameters<Running['post']>[1] = {},
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const request = httpsRequest(
      {
        host: '127.0.0.1',
        port,
        method,
        path,
        agent: agent ?? false,
        rejectUnauthorized: false,
        headers: { 'content-type': type },
      },
      response => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            text: Buffer.concat(chunks).toString(),
            connection: response.headers.connection,
            keepAlive: [response.headers['keep-alive']].flat()[0],
          }),
        )
        response.on('error', reject)
      },
    )
    // A body that is turned away is not read to its end.
    let isAnswered = false
    request.on('response', () => (isAnswered = true))
    request.on('error', error => {
      if (!isAnswered) reject(error)
    })
    request.end(method === 'GET' ? undefined : body)
  })
}

async function get(port: number, path: string): Promise<{ status: number; text: string }> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { connection: 'close' } })
  return { status: response.status, text: await response.text() }
}

interface Agreed {
  readonly protocol: string | null
  readonly cipher: string
  readonly alpn: string | false | null
}

/** `asks`: waits for an answer, since a server tells of a certificate that it does not like only after the handshake of TLS 1.3. */
async function dial(port: number, options: ConnectionOptions, asks = false): Promise<Agreed> {
  const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false, ...options })
  await once(socket, 'secureConnect')
  if (asks) {
    socket.write('GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n')
    const heard = await Promise.race([once(socket, 'data').then(() => true), once(socket, 'close').then(() => false)])
    if (!heard) throw new Error('the connection was closed')
  }
  const agreed = { protocol: socket.getProtocol(), cipher: socket.getCipher().name, alpn: socket.alpnProtocol }
  socket.destroy()
  return agreed
}

async function serialOf(port: number): Promise<string> {
  const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false })
  await once(socket, 'secureConnect')
  const { serialNumber } = socket.getPeerX509Certificate() as X509Certificate
  socket.destroy()
  return serialNumber
}

function serial(certificate: string): string {
  return new X509Certificate(certificate).serialNumber
}

async function eventually(holds: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 500; tries++) {
    if (await holds()) return
    await systemClock.sleep(10)
  }
  assert.fail('it did not come about within five seconds')
}

const [first, second] = [servingPair(), servingPair({ serial: Uint8Array.of(2) })]
