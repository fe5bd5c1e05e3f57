import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { createApiServer } from '#apiserver'
import { ManualClock, memoryFiles, systemFiles } from '#base'
import { type ObjectKey, serviceAccounts } from '#kube'
import { createKubeClient, type KubeClient, KubeError } from '#kube/client'
import { renderTrouble } from '../process/render.ts'
import { checkSidecarFiles, writeSidecarFiles } from './files.ts'
import { readCheckFlags, readSidecarFlags } from './flags.ts'
import { runSidecar, type SidecarClient } from './run.ts'
import { sidecarSessionName } from './session-name.ts'

const account: ObjectKey = { namespace: 'apps', name: 'worker' }
const arn = 'arn:aws:iam::123456789012:role/team/worker'
const paths = { tokenFile: '/out/token', configFile: '/out/aws/config' }
const annotation = 'eks.amazonaws.com/role-arn'

for (const [server, namespace, name, expected] of [
  ['https://remote.example.com', 'app', 'workload', 'awio-app-workload-0144ac56b528'],
  ['https://remote.example.com', 'kube-system', 'karpenter', 'awio-kube-system-karpenter-0d6dba209611'],
  [
    'https://remote.example.com',
    'team_system',
    'controller/name:with:invalid:chars:and:a:very:long:suffix:日本語',
    'awio-team_system-controller-name-with-invalid-chars-ed71d1ce3525',
  ],
  ['', 'kube-system', 'aws-load-balancer-controller', 'awio-kube-system-aws-load-balancer-controller-89a6141dd116'],
  [
    'https://10.0.0.1:6443',
    'open-cluster-management-agent-addon',
    'aws-workload-identity-operator',
    'awio-open-cluster-management-agent-addon-aws-worklo-14d7c7b073e4',
  ],
] as const)
  test(`a session name: ${expected} [11.4]`, () => {
    const found = sidecarSessionName(server, { namespace, name })
    assert.equal(found, expected)
    assert.ok(found.length <= 64)
  })

test('a name of nothing that STS takes has a name all the same [11.4]', () => {
  assert.match(sidecarSessionName('', { namespace: '日', name: '本' }), /^awio-serviceaccount-[0-9a-f]{12}$/)
})

interface SidecarWorld extends AsyncDisposable {
  readonly clock: ManualClock
  readonly client: KubeClient
  readonly files: ReturnType<typeof memoryFiles>
  readonly troubles: string[]
  readonly waits: number[]
  connects: number
  text(path: string): Promise<string | undefined>
  advance(ms: number): Promise<void>
}

async function sidecarWorld(
  change: (client: KubeClient) => Partial<SidecarClient> = () => ({}),
  user: 'account' | 'admin' = 'account',
): Promise<SidecarWorld> {
  const clock = new ManualClock()
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: account.namespace } }
  const server = createApiServer({ seed: 1, clock, objects: [namespace] })
  const admin = createKubeClient({ clock, address: 'https://edge.example.com', exchange: server.as() })
  const metadata = { ...account, annotations: { [annotation]: arn } }
  await admin.create(serviceAccounts, { apiVersion: 'v1', kind: 'ServiceAccount', metadata })
  const whoami = (client: KubeClient): Partial<SidecarClient> => (user === 'admin' ? {} : { create: asAccount(client) })
  const files = memoryFiles()
  const stop = new AbortController()
  const world: SidecarWorld = {
    clock,
    client: admin,
    files,
    troubles: [],
    waits: [],
    connects: 0,
    text: async path => {
      const bytes = await files.read(path)
      return bytes === undefined ? undefined : Buffer.from(bytes).toString()
    },
    advance: async ms => {
      await clock.advance(ms)
      await settle()
    },
    [Symbol.asyncDispose]: async () => {
      stop.abort(new Error('the end'))
      await running
      await server.close()
    },
  }
  const settle = async (): Promise<void> => {
    for (let round = 0; round < 20; round++) {
      await server.settle()
      await clock.advance(0)
    }
  }
  const client: SidecarClient = {
    address: admin.address,
    create: (...args) => admin.create(...args),
    get: (...args) => admin.get(...args),
    requestToken: (...args) => admin.requestToken(...args),
    ...whoami(admin),
    ...change(admin),
  }
  const running = runSidecar(
    {
      paths,
      files,
      clock,
      connect: async () => {
        world.connects++
        return client
      },
      onTrouble: error => world.troubles.push((error as Error).message),
      onWritten: ms => world.waits.push(ms),
    },
    stop.signal,
  )
  await settle()
  return world
}

/** The review as the ServiceAccount would be told it. */
function asAccount(client: KubeClient): SidecarClient['create'] {
  return (type, object, options) =>
    client.create(type, object, {
      ...options,
      impersonate: { user: `system:serviceaccount:${account.namespace}:${account.name}` },
    })
}

test('token and configuration are written, to the letter, and again a minute later [11.4]', async () => {
  await using world = await sidecarWorld()
  assert.deepEqual(world.troubles, [])
  const first = (await world.text(paths.tokenFile)) ?? ''
  const claims = JSON.parse(Buffer.from(first.split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>
  assert.deepEqual(
    [claims['aud'], claims['sub'], Number(claims['exp']) - Number(claims['iat'])],
    [['sts.amazonaws.com'], 'system:serviceaccount:apps:worker', 600],
  )
  assert.doesNotMatch(first, /\n/)
  assert.equal(
    await world.text(paths.configFile),
    `[default]
role_arn = ${arn}
web_identity_token_file = /out/token
role_session_name = ${sidecarSessionName('https://edge.example.com', account)}
sts_regional_endpoints = regional
`,
  )
  assert.deepEqual(world.waits, [60_000])
  await world.advance(59_000)
  assert.equal(world.waits.length, 1)
  await world.advance(1_000)
  assert.equal(world.waits.length, 2)
  assert.notEqual(await world.text(paths.tokenFile), first)
})

test('the role is read anew at each refresh, who we are only once [11.4]', async () => {
  await using world = await sidecarWorld()
  const other = 'arn:aws:iam::123456789012:role/other'
  await world.client.patch(serviceAccounts, account, 'merge', { metadata: { annotations: { [annotation]: other } } })
  await world.advance(60_000)
  assert.match((await world.text(paths.configFile)) ?? '', /^role_arn = arn:aws:iam::123456789012:role\/other$/m)
  assert.equal(world.connects, 1)
})

test('a person is no ServiceAccount: nothing is written, and it is tried again [13.11 #249]', async () => {
  await using world = await sidecarWorld(() => ({}), 'admin')
  assert.equal(world.troubles.length, 1)
  assert.match(world.troubles[0] ?? '', /acts as "[^"]+", which is no ServiceAccount$/)
  assert.equal(await world.text(paths.tokenFile), undefined)
  await world.advance(30_000)
  assert.equal(world.troubles.length, 2)
})

test('a refresh that fails leaves the files, and is tried again in half a minute [13.11 #250]', async () => {
  let isBroken = false
  await using world = await sidecarWorld(client => ({
    requestToken: (...args) => (isBroken ? Promise.reject(new Error('away')) : client.requestToken(...args)),
  }))
  const held = [await world.text(paths.tokenFile), await world.text(paths.configFile)]
  isBroken = true
  await world.advance(60_000)
  assert.deepEqual(world.troubles, ['away'])
  assert.deepEqual([await world.text(paths.tokenFile), await world.text(paths.configFile)], held)
  isBroken = false
  await world.advance(29_000)
  assert.equal(world.waits.length, 1)
  await world.advance(1_000)
  assert.equal(world.waits.length, 2)
})

test('a token that would have to be replaced at once is left alone for half a minute [13.11 #251]', async () => {
  await using world = await sidecarWorld(client => ({
    requestToken: async (...args) => {
      const { token, expirationTimestamp } = await client.requestToken(...args)
      return { token, expirationTimestamp: new Date(Date.parse(expirationTimestamp) - 60_000).toISOString() }
    },
  }))
  assert.deepEqual(world.waits, [30_000])
})

test('a clock that is behind the server’s does not let a token run out', async () => {
  await using world = await sidecarWorld(client => ({
    requestToken: async (...args) => {
      const { token, expirationTimestamp } = await client.requestToken(...args)
      return { token, expirationTimestamp: new Date(Date.parse(expirationTimestamp) + 3_600_000).toISOString() }
    },
  }))
  assert.deepEqual(world.waits, [60_000])
})

const broken: readonly (readonly [what: string, change: Partial<SidecarClient>, trouble: RegExp])[] = [
  [
    'a token without an end',
    { requestToken: async () => ({ token: 't', expirationTimestamp: '' }) },
    /did not say when it ends$/,
  ],
  [
    'an empty token',
    { requestToken: async () => ({ token: '', expirationTimestamp: '2030-01-01T00:00:00Z' }) },
    /gave an empty token$/,
  ],
]

for (const [what, change, trouble] of broken)
  test(`${what} is told before anything is written [11.4]`, async () => {
    await using world = await sidecarWorld(() => change)
    assert.match(world.troubles[0] ?? '', trouble)
    assert.equal(await world.text(paths.tokenFile), undefined)
  })

/** As an API server words it, which may repeat what it was sent. */
const forbidden = (verb: string): Error =>
  new KubeError('refused', `serviceaccounts "worker" is forbidden: ${verb}; Authorization: Bearer ${secret}`, { httpStatus: 403 })
const secret = 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJtZSJ9.c2lnbmF0dXJl'

for (const [right, refusing] of [
  ['selfsubjectreviews', () => ({ create: () => Promise.reject(forbidden('create')) })],
  ['serviceaccounts', () => ({ get: () => Promise.reject(forbidden('get')) })],
  ['serviceaccounts/token', () => ({ requestToken: () => Promise.reject(forbidden('create token')) })],
] as const)
  test(`a sidecar without the right to ${right} says so in one line without a secret, writes nothing, and asks again [11.4]`, async () => {
    const change: Partial<SidecarClient> = refusing()
    await using world = await sidecarWorld(() => change)
    assert.deepEqual([world.troubles.length, world.waits], [1, []])
    const line = renderTrouble(new Error(world.troubles[0]), 'AWS IRSA sidecar failed')
    assert.ok(!/\n/.test(line) && !line.includes(secret) && line.length > 0, line)
    assert.deepEqual([await world.text(paths.tokenFile), await world.text(paths.configFile)], [undefined, undefined])
    await world.advance(30_000)
    assert.equal(world.troubles.length, 2)
  })

for (const [what, value] of [
  ['no role', ''],
  ['a text that begins another line of the configuration', `${arn}\ncredential_process = /bin/sh`],
  ['a text that ends with a line end', `${arn}\n`],
  ['no ARN of a role', 'arn:aws:iam::123456789012:user/worker'],
] as const)
  test(`a ServiceAccount whose annotation is ${what} gets no files [11.4]`, async () => {
    await using world = await sidecarWorld(client => ({
      get: async <T>() =>
        ({ ...(await client.get(serviceAccounts, account)), metadata: { annotations: { [annotation]: value } } }) as T,
    }))
    assert.match(
      world.troubles[0] ?? '',
      /^(ServiceAccount apps\/worker has no annotation|the annotation .* is no ARN of a role$)/,
    )
    assert.equal(await world.text(paths.configFile), undefined)
  })

test('files and folders are nobody else’s, and no draft is left behind [11.4]', async t => {
  const folder = mkdtempSync(join(tmpdir(), 'vouch-sidecar-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const inFolder = { tokenFile: join(folder, 'a/b/token'), configFile: join(folder, 'c/config') }
  const contents = { token: 'one', roleArn: arn, sessionName: 's' }
  const drafts: (string | undefined)[] = []
  const watched = {
    ...systemFiles,
    write: (...[path, text, options]: Parameters<typeof systemFiles.write>) => {
      drafts.push(options?.draftPrefix)
      return systemFiles.write(path, text, options)
    },
  }
  await writeSidecarFiles(watched, inFolder, contents)
  await writeSidecarFiles(watched, inFolder, { ...contents, token: 'two' })
  const modeOf = (path: string): number => statSync(path).mode & 0o777
  assert.deepEqual([modeOf(inFolder.tokenFile), modeOf(inFolder.configFile)], [0o600, 0o600])
  const ours = 0o750 & ~process.umask()
  assert.deepEqual([modeOf(join(folder, 'a')), modeOf(join(folder, 'a/b'))], [ours, ours])
  assert.equal(readFileSync(inFolder.tokenFile, 'utf8'), 'two')
  assert.deepEqual([readdirSync(join(folder, 'a/b')), readdirSync(join(folder, 'c'))], [['token'], ['config']])
  assert.deepEqual(new Set(drafts), new Set(['.aws-irsa-']))
  await assert.rejects(writeSidecarFiles(systemFiles, { ...inFolder, tokenFile: join(folder, 'c') }, contents))
  assert.deepEqual(readdirSync(folder).toSorted(), ['a', 'c'])
})

test('the check wants both files, neither empty nor a folder, the token first [13.11 #253]', async () => {
  const said = async (files: Readonly<Record<string, string>>): Promise<string | undefined> =>
    await checkSidecarFiles(memoryFiles(files), paths)
  assert.equal(await said({ '/out/token': 't', '/out/aws/config': 'c' }), undefined)
  assert.equal(await said({}), 'token file /out/token is not there')
  assert.equal(await said({ '/out/token': '' }), 'token file /out/token is empty')
  assert.equal(await said({ '/out/token/x': 't' }), 'token file /out/token is a folder')
  assert.equal(await said({ '/out/token': 't' }), 'AWS config file /out/aws/config is not there')
  assert.equal(await said({ '/out/token': 't', '/out/aws/config': '' }), 'AWS config file /out/aws/config is empty')
})

test('the token and the configuration cannot be one file: each would take the place of the other [11.4]', () => {
  for (const [token, config] of [
    ['/out/file', '/out/file'],
    ['/out/file', '/out/./aws/../file'],
    ['out/file', 'out//file'],
  ])
    for (const read of [readSidecarFlags, readCheckFlags]) {
      const kubeconfig = read === readSidecarFlags ? ['--kubeconfig=k'] : []
      assert.throws(() => read([...kubeconfig, `--token-file=${token}`, `--aws-config-file=${config}`]), {
        message: '--token-file and --aws-config-file name one file; give each its own',
      })
    }
})

test('each flag is needed, and there are no others [13.11 #252]', () => {
  const all = ['--kubeconfig=k', '--token-file=t', '--aws-config-file=c']
  assert.deepEqual(readSidecarFlags(all), { kubeconfig: 'k', tokenFile: 't', configFile: 'c' })
  for (const one of all) {
    const name = one.split('=')[0] ?? ''
    assert.throws(() => readSidecarFlags(all.filter(flag => flag !== one)), { message: `${name} is required` })
    assert.throws(() => readSidecarFlags([...all, `${name}=a\nb`]), { message: `${name} holds a line end` })
  }
  assert.throws(() => readSidecarFlags([...all, '--region=eu-west-1']), /unknown option '--region'/)
  assert.throws(() => readSidecarFlags([...all, 'more']), /is no flag/)
  assert.throws(() => readCheckFlags(all), /unknown option '--kubeconfig'/)
  assert.throws(() => readCheckFlags(['--aws-config-file=c']), /--token-file is required/)
  assert.throws(() => readCheckFlags(['--token-file=t', '--aws-config-file=c', 'more']), /is no flag/)
})
