import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type DialOptions,
  type HttpRequest,
  type HttpResponse,
  ManualClock,
  memoryFiles,
  type ProgramCall,
  type ProgramResult,
} from '#base'
import { configMaps } from '../builtin-types.ts'
import { KubeError } from './client.ts'
import { type ConnectOptions, connect } from './connect.ts'

const key = { namespace: 'default', name: 'x' }

interface World {
  readonly files?: Record<string, string>
  readonly env?: Record<string, string>
  readonly answer?: (request: HttpRequest) => HttpResponse
  readonly run?: (call: ProgramCall) => ProgramResult | Promise<ProgramResult>
}

function world(parts: World) {
  const clock = new ManualClock()
  const dialled: DialOptions[] = []
  const requests: HttpRequest[] = []
  const calls: ProgramCall[] = []
  let closed = 0
  const files = memoryFiles(parts.files)
  const answer = parts.answer ?? (() => ({ status: 200, headers: {}, body: Buffer.from('{}') }))
  const seams = {
    clock,
    files,
    env: parts.env ?? {},
    net: {
      dial: (options: DialOptions) => {
        dialled.push(options)
        return {
          exchange: async (request: HttpRequest) => {
            requests.push(request)
            return answer(request)
          },
          close: async () => {
            closed++
          },
        }
      },
      listen: () => Promise.reject(new Error('no listening here')),
    },
    programs: {
      run: async (call: ProgramCall) => {
        calls.push(call)
        return parts.run?.(call) ?? assert.fail('no program expected')
      },
    },
  }
  const open = (options?: ConnectOptions) => connect(seams, options)
  const authorizations = () => requests.map(({ headers }) => headers.authorization)
  return { clock, dialled, requests, calls, files, open, authorizations, closed: () => closed }
}

function config(user: string, cluster = 'server: "https://host:6443/prefix/"', more = ''): string {
  return `
current-context: x
contexts: [{name: x, context: {cluster: c, user: u, namespace: team}}]
clusters: [{name: c, cluster: {${cluster}}}]
users: [{name: u, user: {${user}}}]
${more}`
}

const refused = {
  status: 401,
  headers: {},
  body: Buffer.from('{"kind":"Status","status":"Failure","reason":"Unauthorized","code":401}'),
}

test('server, CA, client certificate, server name, proxy and prefix come from the kubeconfig; relative files from its folder', async () => {
  const cluster =
    'server: "https://host:6443/prefix/", certificate-authority: pki/ca.crt, tls-server-name: api, proxy-url: "http://p:1"'
  const { open, dialled, requests, closed } = world({
    files: {
      '/home/j/.kube/config': config('client-certificate: /abs/c.crt, client-key: pki/c.key', cluster),
      '/home/j/.kube/pki/ca.crt': 'CA',
      '/home/j/.kube/pki/c.key': 'KEY',
      '/abs/c.crt': 'CERT',
    },
    env: { HOME: '/home/j', HTTPS_PROXY: 'http://not-this' },
  })
  const { client, namespace, context } = await open()
  assert.deepEqual([namespace, context, client.address], ['team', 'x', 'https://host:6443/prefix/'])
  await client.get(configMaps, key)
  assert.deepEqual(dialled, [
    {
      origin: 'https://host:6443',
      proxyUrl: 'http://p:1',
      tls: { ca: 'CA', certificate: 'CERT', key: 'KEY', serverName: 'api' },
    },
  ])
  assert.equal(requests[0]?.target, '/prefix/api/v1/namespaces/default/configmaps/x')
  await client.close()
  assert.equal(closed(), 1)
})

test('tokens, passwords and impersonation become headers; over plain HTTP no proof of identity is sent', async () => {
  const cases: readonly (readonly [string, Record<string, unknown>])[] = [
    ['token: t', { authorization: 'Bearer t' }],
    ['username: a, password: b', { authorization: `Basic ${Buffer.from('a:b').toString('base64')}` }],
    [
      'token: t, as: jane, as-groups: [g], as-uid: "7", as-user-extra: {Scopes: [a, b]}',
      {
        authorization: 'Bearer t',
        'impersonate-user': 'jane',
        'impersonate-group': ['g'],
        'impersonate-uid': '7',
        'impersonate-extra-scopes': ['a', 'b'],
      },
    ],
  ]
  for (const [user, headers] of cases) {
    const { open, requests } = world({})
    await (await open({ kubeconfig: { text: config(user) } })).client.get(configMaps, key)
    assert.deepEqual(requests[0]?.headers, { accept: 'application/json', 'user-agent': 'vouch', ...headers })
  }
  const plain = world({})
  await (await plain.open({ kubeconfig: { text: config('token: t', 'server: "http://127.0.0.1:8080"') } })).client.get(
    configMaps,
    key,
  )
  assert.deepEqual(plain.authorizations(), [undefined])
})

test('in a pod: address from the environment, token and CA read anew when they rotate, connections follow the CA', async () => {
  const folder = '/var/run/secrets/kubernetes.io/serviceaccount'
  const { open, files, clock, dialled, authorizations, closed } = world({
    files: { [`${folder}/token`]: 'first\n', [`${folder}/ca.crt`]: 'CA1', [`${folder}/namespace`]: 'mine' },
    env: { KUBERNETES_SERVICE_HOST: 'fd00::1', KUBERNETES_SERVICE_PORT: '443' },
  })
  const { client, namespace } = await open()
  assert.deepEqual([namespace, client.address], ['mine', 'https://[fd00::1]:443'])
  await client.get(configMaps, key)
  await files.write(`${folder}/token`, 'second')
  await files.write(`${folder}/ca.crt`, 'CA2')
  await client.get(configMaps, key)
  await clock.advance(60_000)
  await client.get(configMaps, key)
  // A file that is gone for a moment, as while it is replaced, does not take the last token away.
  await files.remove(`${folder}/token`)
  await clock.advance(60_000)
  await client.get(configMaps, key)
  assert.deepEqual(authorizations(), ['Bearer first', 'Bearer first', 'Bearer second', 'Bearer second'])
  assert.deepEqual(
    dialled.map(({ tls }) => tls?.ca),
    ['CA1', 'CA2'],
  )
  assert.ok(dialled.every(({ tls }) => tls?.insecureSkipVerify !== true))
  assert.equal(closed(), 1)
})

test('the address of a pod without a token file is no way in', async () => {
  const { open } = world({ files: {}, env: { KUBERNETES_SERVICE_HOST: 'fd00::1', KUBERNETES_SERVICE_PORT: '443' } })
  await assert.rejects(open(), error => error instanceof Error && !/fd00/.test(error.message))
})

test('a 401 after working makes the token file be read at once, but not again and again', async () => {
  const { open, files, clock, requests, authorizations } = world({
    files: { '/t': 'old' },
    answer: ({ headers }) =>
      headers.authorization === 'Bearer new' ? { status: 200, headers: {}, body: Buffer.from('{}') } : refused,
  })
  const { client } = await open({ kubeconfig: { text: config('tokenFile: /t') } })
  await files.write('/t', 'new')
  const stale = await open({ kubeconfig: { text: config('tokenFile: /t') } })
  await stale.client.get(configMaps, key)
  await files.write('/t', 'revoked')
  await clock.advance(60_000)
  for (let n = 0; n < 5; n++) await assert.rejects(client.get(configMaps, key), { code: 'unauthenticated' })
  assert.equal(requests.length, 1 + 2 + 4)
  assert.equal(authorizations()[0], 'Bearer new')
})

test('a token file of blanks is none: nothing is sent, and one that was good goes on serving', async () => {
  const { open, files, clock, requests, authorizations } = world({ files: { '/t': ' \n' } })
  const { client } = await open({ kubeconfig: { text: config('tokenFile: /t') } })
  await assert.rejects(client.get(configMaps, key), /the token, is missing or empty/)
  assert.equal(requests.length, 0)
  await files.write('/t', 'good\n')
  await client.get(configMaps, key)
  await files.write('/t', '\n')
  await clock.advance(60_000)
  await client.get(configMaps, key)
  assert.deepEqual(authorizations(), ['Bearer good', 'Bearer good'])
})

function plugin(status: object, version = 'v1'): ProgramResult {
  const answer = { apiVersion: `client.authentication.k8s.io/${version}`, kind: 'ExecCredential', status }
  return { code: 0, stdout: Buffer.from(JSON.stringify(answer)), stderr: new Uint8Array(0) }
}

const execUser =
  'exec: {apiVersion: client.authentication.k8s.io/v1, command: bin/login, args: [get], env: [{name: MODE, value: test}], installHint: "install it from x", provideClusterInfo: true}'

test('an exec plugin runs once for many calls and anew when what it gave expires', async () => {
  let count = 0
  const { open, clock, calls, authorizations } = world({
    files: { '/k/config': config(execUser) },
    env: { HOME: '/home/j', AWS_PROFILE: 'dev', UNRELATED_SECRET: 'canary' },
    run: () =>
      plugin({ token: `t${++count}`, expirationTimestamp: new Date(Date.UTC(2026, 0, 1) + count * 600_000).toISOString() }),
  })
  const { client } = await open({ kubeconfig: ['/k/config'] })
  await Promise.all([client.get(configMaps, key), client.get(configMaps, key)])
  await clock.advance(589_000)
  await client.get(configMaps, key)
  await clock.advance(1_000)
  await client.get(configMaps, key)
  assert.deepEqual(authorizations(), ['Bearer t1', 'Bearer t1', 'Bearer t1', 'Bearer t2'])
  const { KUBERNETES_EXEC_INFO: info, ...env } = calls[0]?.env ?? {}
  assert.deepEqual(
    [calls[0]?.command, calls[0]?.args, env],
    ['/k/bin/login', ['get'], { HOME: '/home/j', AWS_PROFILE: 'dev', MODE: 'test' }],
  )
  assert.deepEqual(JSON.parse(info ?? ''), {
    apiVersion: 'client.authentication.k8s.io/v1',
    kind: 'ExecCredential',
    spec: { interactive: false, cluster: { server: 'https://host:6443/prefix/', config: null } },
  })
})

test('an exec plugin can give a certificate; a refused credential is renewed, but a useless plugin is not run in a loop', async () => {
  let count = 0
  const { open, clock, calls, dialled } = world({
    answer: () => refused,
    run: () => plugin({ clientCertificateData: `C${++count}`, clientKeyData: 'K' }),
  })
  const { client } = await open({ kubeconfig: { text: config(execUser) } })
  for (let n = 0; n < 5; n++) await assert.rejects(client.get(configMaps, key), { code: 'unauthenticated' })
  assert.equal(calls.length, 1)
  await clock.advance(10_000)
  for (let n = 0; n < 5; n++) await assert.rejects(client.get(configMaps, key), { code: 'unauthenticated' })
  assert.equal(calls.length, 2)
  assert.deepEqual(
    dialled.map(({ tls }) => tls?.certificate),
    ['C1', 'C2'],
  )
})

test('an exec plugin that fails is named with its reason and the way to get it, and its secrets are masked', async () => {
  const failing: readonly (readonly [World['run'] & {}, RegExp])[] = [
    [
      () => ({ code: 3, stdout: new Uint8Array(0), stderr: Buffer.from('no login; password=canary') }),
      /it ended with 3: no login; password=\[redacted\]; install it from x/,
    ],
    [() => Promise.reject(new Error('there is no such program')), /no such program; install it from x/],
    [() => ({ code: 0, stdout: Buffer.from('hello'), stderr: new Uint8Array(0) }), /its output is no JSON/],
    [() => plugin({ token: 't' }, 'v1beta1'), /no ExecCredential of client.authentication.k8s.io\/v1/],
    [() => plugin({}), /neither a token nor a certificate/],
    [() => plugin({ token: 't', expirationTimestamp: 'soon' }), /expirationTimestamp is no time/],
  ]
  for (const [run, message] of failing) {
    const { open } = world({ run })
    const { client } = await open({ kubeconfig: { text: config(execUser) } })
    await assert.rejects(client.get(configMaps, key), error => {
      assert.ok(error instanceof KubeError)
      assert.equal(error.code, 'unauthenticated')
      assert.match(error.message, /the exec plugin "bin\/login" of kubeconfig \(given as text\) gave no credentials/)
      assert.match(error.message, message)
      return true
    })
  }
})

test('what is missing or cannot be is told before the first call, with the file', async () => {
  const rejects = (parts: World, options: ConnectOptions | undefined, message: RegExp) =>
    assert.rejects(world(parts).open(options), message)
  const text = (user: string, cluster?: string) => ({ kubeconfig: { text: config(user, cluster) } })
  await rejects(
    { env: { HOME: '/home/j' } },
    undefined,
    /kubeconfig \/home\/j\/\.kube\/config: there is no such file, and this is no pod/,
  )
  await rejects(
    {},
    text('token: t', 'server: "https://a", certificate-authority: /gone'),
    /kubeconfig \/gone: the file, the certificate authority of the cluster, is missing or empty/,
  )
  await rejects({}, text('client-certificate-data: QQ=='), /client-certificate without client-key/)
  await rejects({}, text('token: t', 'server: "https://a", proxy-url: "socks5://p"'), /SOCKS proxies are not supported/)
})

test('a kubeconfig that is written anew is followed: address, CA and token; one that cannot be read changes nothing', async () => {
  const w = world({ files: { '/k': config('token: one') } })
  const { client } = await w.open({ kubeconfig: ['/k'], followsKubeconfig: true })
  const ask = async (): Promise<unknown> => (await client.find(configMaps, key), w.authorizations().at(-1))
  assert.equal(await ask(), 'Bearer one')
  await w.files.write('/k', config('token: two', 'server: "https://other"'))
  assert.equal(await ask(), 'Bearer one', 'not looked at for each request')
  await w.clock.advance(10_000)
  assert.equal(await ask(), 'Bearer two')
  assert.deepEqual(
    w.dialled.map(({ origin }) => origin),
    ['https://host:6443', 'https://other'],
  )
  assert.equal(w.requests.at(-1)?.target.startsWith('/prefix'), false)
  assert.equal(w.closed(), 1, 'the old connections are closed')
  await w.files.write('/k', 'contexts: [')
  await w.clock.advance(10_000)
  assert.equal(await ask(), 'Bearer two')
  await w.files.remove('/k')
  await w.clock.advance(10_000)
  assert.equal(await ask(), 'Bearer two')
})

test('a token that the server refuses is looked for in the kubeconfig at once', async () => {
  let good = 'Bearer one'
  const answer = ({ headers }: HttpRequest) =>
    headers.authorization === good ? { status: 200, headers: {}, body: Buffer.from('{}') } : refused
  const w = world({ files: { '/k': config('token: one') }, answer })
  const { client } = await w.open({ kubeconfig: ['/k'], followsKubeconfig: true })
  await client.find(configMaps, key)
  await w.files.write('/k', config('token: two'))
  good = 'Bearer two'
  await w.clock.advance(2_000)
  await client.find(configMaps, key)
  assert.equal(w.authorizations().at(-1), 'Bearer two')
})
