// The proxy over real sockets, between a caller, an Entra of a few lines and a metadata service of one.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { type HttpExchange, ManualClock, memoryFiles, silentLog, systemClock, systemNet } from '#base'
import { answerText } from '../serve/answer-text.ts'
import { probeProxy, readProxyIdentity, readProxyProgram, runProxy } from './run.ts'

const tokenFile = '/var/run/secrets/azure/tokens/azure-identity-token'

interface Called {
  readonly target: string
  readonly form: Readonly<Record<string, string>>
}

async function serve(t: TestContext, exchange: HttpExchange): Promise<string> {
  const server = await systemNet.listen({ host: '127.0.0.1' }, exchange)
  t.after(() => server.close())
  return `http://127.0.0.1:${server.port}`
}

interface World {
  readonly origin: string
  readonly port: number
  readonly called: readonly Called[]
}

interface Said {
  readonly status: number
  readonly value: object
}

const issued: Said = { status: 200, value: { token_type: 'Bearer', expires_in: 3_599, access_token: 'secret' } }

async function open(t: TestContext, said: Said = issued, token = 'federated'): Promise<World> {
  const called: Called[] = []
  const authorityHost = await serve(t, async ({ target, body }) => {
    called.push({ target, form: Object.fromEntries(new URLSearchParams(await answerText(body))) })
    return { status: said.status, headers: { 'content-type': 'application/json' }, body: Buffer.from(JSON.stringify(said.value)) }
  })
  const metadata = await serve(t, ({ method, target }) =>
    Promise.resolve({ status: 200, headers: {}, body: Buffer.from(`metadata ${method} ${target}`) }),
  )
  const stop = new AbortController()
  const clock = new ManualClock()
  const seams = {
    net: systemNet,
    clock: { ...systemClock, now: () => clock.now() },
    files: memoryFiles(token === '' ? {} : { [tokenFile]: token }, () => 0),
    log: silentLog,
  }
  const identity = readProxyIdentity({
    AZURE_CLIENT_ID: 'client',
    AZURE_TENANT_ID: 'tenant',
    AZURE_AUTHORITY_HOST: `${authorityHost}/`,
    AZURE_FEDERATED_TOKEN_FILE: tokenFile,
  })
  let running: Promise<void> = Promise.resolve()
  const port = await new Promise<number>((resolve, reject) => {
    running = runProxy({ port: 0, identity, seams, metadata, onListening: resolve }, stop.signal)
    running.catch(reject)
  })
  t.after(async () => {
    stop.abort(new Error('the test ends'))
    await running
  })
  return { origin: `http://127.0.0.1:${port}`, port, called }
}

async function ask(
  { origin }: World,
  target: string,
  headers: Readonly<Record<string, string>> = { Metadata: 'true' },
): Promise<Said> {
  const reply = await fetch(`${origin}${target}`, { headers: { ...headers, connection: 'close' } })
  const text = await reply.text()
  return { status: reply.status, value: text.startsWith('{') ? (JSON.parse(text) as object) : { text } }
}

const path = '/metadata/identity/oauth2/token?api-version=2018-02-01&resource=https%3A%2F%2Fvault.azure.net'

test('a token is fetched with the federated token of the pod, and told in the form of the metadata service [3.9.4]', async t => {
  const world = await open(t)
  const { status, value } = await ask(world, path)
  const now = Math.floor(new ManualClock().now() / 1_000)
  assert.deepEqual(
    [status, value],
    [
      200,
      {
        access_token: 'secret',
        refresh_token: '',
        expires_in: '3599',
        expires_on: String(now + 3_599),
        not_before: String(now),
        resource: 'https://vault.azure.net',
        token_type: 'Bearer',
      },
    ],
  )
  assert.deepEqual(world.called, [
    {
      target: '/tenant/oauth2/v2.0/token',
      form: {
        client_id: 'client',
        grant_type: 'client_credentials',
        scope: 'https://vault.azure.net/.default',
        client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
        client_assertion: 'federated',
      },
    },
  ])
})

test('the first part of the path counts in any case, and a client id of the call wins [3.9.4]', async t => {
  const world = await open(t)
  assert.equal((await ask(world, `${path.replace('/metadata', '/Metadata')}&client_id=other`)).status, 200)
  assert.equal(world.called[0]?.form['client_id'], 'other')
})

for (const [what, target, headers] of [
  ['without the header Metadata', path, {}],
  ['without a resource', '/metadata/identity/oauth2/token', { Metadata: 'true' }],
] as const)
  test(`a call ${what} is refused, and nobody is asked [3.9.4]`, async t => {
    const world = await open(t)
    const { status, value } = await ask(world, target, headers)
    assert.deepEqual([status, (value as { error?: string }).error, world.called.length], [400, 'invalid_request', 0])
  })

test('what Entra refuses is told in its words', async t => {
  const refused = { error: 'unauthorized_client', error_description: 'AADSTS700213: no matching federated identity record' }
  const { status, value } = await ask(await open(t, { status: 400, value: refused }), path)
  assert.deepEqual([status, value], [400, refused])
})

for (const [what, said, token, why] of [
  ['a pod without a token', issued, '', /there is no federated token/],
  ['an answer that is no token', { status: 200, value: {} }, 'federated', /is no token/],
] as const)
  test(`${what} is an error that says so`, async t => {
    const { status, value } = await ask(await open(t, said, token), path)
    assert.equal(status, 500)
    assert.match((value as { error_description: string }).error_description, why)
  })

test('every other path is passed to the metadata service of the machine, and readiness is its own [3.9.4]', async t => {
  const world = await open(t)
  assert.deepEqual((await ask(world, '/metadata/instance?x=1')).value, { text: 'metadata GET /metadata/instance?x=1' })
  assert.deepEqual(await ask(world, '/readyz', {}), { status: 200, value: { text: 'ok' } })
})

test('the probe says whether the proxy answers, and asks seven times a second apart [3.9.4]', async t => {
  const { port } = await open(t)
  assert.equal(await probeProxy(port, { net: systemNet, clock: systemClock }), true)
  let asked = 0
  const net = {
    ...systemNet,
    dial: () => ({
      exchange: () => {
        asked++
        return Promise.reject(new Error('nobody listens'))
      },
      close: () => Promise.resolve(),
    }),
  }
  const clock = new ManualClock()
  const pending = probeProxy(port, { net, clock })
  await clock.advance(5_999)
  assert.equal(asked, 6)
  await clock.advance(1)
  assert.equal(await pending, false)
  assert.equal(asked, 7)
})

test('flags are those that the injected container passes, and what the webhook did not set is named', () => {
  assert.deepEqual(readProxyProgram(['--proxy-port=8001', '--probe', '--log-level=info']), { port: 8_001, probes: true })
  assert.throws(() => readProxyProgram(['--proxy-port=70000']), /--proxy-port is a port/)
  assert.throws(() => readProxyIdentity({ AZURE_TENANT_ID: 't' }), /AZURE_AUTHORITY_HOST is not set/)
})
