// The life of an authority of our own on a server that enforces rights: replicas that come and go, a process that dies after any of its
// writes, hands of others. What never happens is that the API server distrusts what a replica serves.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ApiServer, createApiServer } from '#apiserver'
import {
  certificatesIn,
  drain,
  isIssuedBy,
  issueAuthority,
  ManualClock,
  readCertificate,
  seededRandom,
  silentLog,
  type TlsServerOptions,
} from '#base'
import { type KubeObject, type StoredObject, secrets, validatingWebhookConfigurations } from '#kube'
import { createKubeClient, type KubeClient, KubeError } from '#kube/client'
import { ecKey } from '../../../base/x509/serving-pair.fixture.ts'
import { Metrics } from '../../metrics/registry.ts'
import { trustPatch, type WebhookConfiguration } from './configurations.ts'
import { carryOut, type Drawn, settleMs } from './decide.ts'
import { namesOf, ownCertificate } from './keep.ts'
import { type AuthoritySecret, bundleOf, readStored, type StoredAuthority, withStored } from './stored.ts'
import { ownStyle } from './style.ts'

const namespace = 'system'
const key = { namespace, name: 'authority' }
const service = { namespace, name: 'hook' }
const account = `system:serviceaccount:${namespace}:keeper`
const day = 86_400_000
const { servingLifeMs } = ownStyle

const configuration = (name: string): KubeObject =>
  ({
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingWebhookConfiguration',
    metadata: { name },
    webhooks: ['first', 'second'].map(each => ({
      name: `${each}.${name}.example`,
      clientConfig: { service: { ...service, path: '/x' } },
      rules: [{ apiGroups: ['x.example'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['things'] }],
      admissionReviewVersions: ['v1'],
      sideEffects: 'None',
    })),
  }) as KubeObject

/** The rights that the manifests grant, and no others: all of them are for objects by their names. */
const rights = (kind: 'Role' | 'ClusterRole', rule: object): readonly KubeObject[] => {
  const metadata = { name: 'keeper', ...(kind === 'Role' ? { namespace } : {}) }
  const rbac = { apiVersion: 'rbac.authorization.k8s.io/v1', metadata }
  return [
    { ...rbac, kind, rules: [rule] } as KubeObject,
    {
      ...rbac,
      kind: `${kind}Binding`,
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind, name: 'keeper' },
      subjects: [{ kind: 'ServiceAccount', namespace, name: 'keeper' }],
    } as KubeObject,
  ]
}

const objects: readonly KubeObject[] = [
  { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
  { apiVersion: 'v1', kind: 'Secret', metadata: key, type: 'Opaque' } as KubeObject,
  configuration('one'),
  configuration('two'),
  ...rights('Role', {
    apiGroups: [''],
    resources: ['secrets'],
    verbs: ['get', 'list', 'watch', 'update'],
    resourceNames: [key.name],
  }),
  ...rights('ClusterRole', {
    apiGroups: ['admissionregistration.k8s.io'],
    resources: ['validatingwebhookconfigurations'],
    verbs: ['get', 'list', 'watch', 'patch'],
    resourceNames: ['one', 'two'],
  }),
]

class Hub implements AsyncDisposable {
  readonly clock = new ManualClock()
  readonly metrics = new Metrics()
  /** What the processes said at the level of errors. */
  readonly errors: string[] = []
  readonly server: ApiServer = createApiServer({ seed: 1, clock: this.clock, objects })
  readonly admin: KubeClient = this.#client(this.server.as())
  readonly replicas: Replica[] = []
  /** How many writes the processes may still do; then they are dead. */
  writesLeft = Number.POSITIVE_INFINITY
  /** While it stands no process is answered: what changes meanwhile they see all at once. */
  cut: PromiseWithResolvers<void> | undefined
  /** What is refused to the processes though the manifests allow it. */
  refused: '' | 'reading configurations' | 'writing configurations' = ''

  #client(exchange: ReturnType<ApiServer['as']>): KubeClient {
    return createKubeClient({ clock: this.clock, address: 'hub', exchange })
  }

  start(seed: number): Replica {
    const user = { username: account, groups: ['system:serviceaccounts', 'system:authenticated'] }
    const replica = new Replica(this, this.mortal(this.#client(this.server.as(user))), seed)
    this.replicas.push(replica)
    return replica
  }

  /** A client whose process dies after so many writes: the write is done, and nothing after it. */
  mortal(client: KubeClient): KubeClient {
    const dying = <Result>(write: () => Promise<Result>): Promise<Result> => {
      if (this.writesLeft <= 0) return Promise.reject(new Error('the process is dead'))
      this.writesLeft--
      return write()
    }
    const writes: Partial<KubeClient> = {
      find: async (...args) => {
        await this.cut?.promise
        const isConfiguration = args[0].kind === 'ValidatingWebhookConfiguration'
        if (this.refused === 'reading configurations' && isConfiguration) throw new Error('forbidden')
        return client.find(...args)
      },
      update: (...args) => dying(() => client.update(...args)),
      patch: (...args) =>
        this.refused === 'writing configurations' ? Promise.reject(new Error('forbidden')) : dying(() => client.patch(...args)),
    }
    return new Proxy(client, {
      get: (target, name) => {
        const method: unknown = Reflect.get(name in writes ? writes : target, name)
        return typeof method === 'function' ? method.bind(target) : method
      },
    })
  }

  async stored(): Promise<StoredAuthority> {
    return readStored(await this.admin.get<AuthoritySecret>(secrets, key))
  }

  async bundles(): Promise<readonly string[]> {
    const { items } = await this.admin.list<WebhookConfiguration & StoredObject>(validatingWebhookConfigurations)
    return items.flatMap(({ webhooks = [] }) =>
      webhooks.map(({ clientConfig }) => Buffer.from(clientConfig.caBundle ?? '', 'base64').toString()),
    )
  }

  /** What an API server would find at this moment, at every replica that is ready. */
  async review(): Promise<void> {
    const bundles = await this.bundles()
    assert.equal(bundles.length, 4)
    for (const { served, keeper } of this.replicas) {
      if (served === undefined || !keeper.ready.check().ok) continue
      const leaf = readCertificate(served.certificate)
      assert.ok(leaf !== undefined && Date.parse(leaf.validTo) > this.clock.now(), 'what is served has run out')
      for (const bundle of bundles)
        assert.ok(
          certificatesIn(bundle).some(authority => isIssuedBy(leaf, authority.toString())),
          'a review would fail: whoever asks does not trust what is served',
        )
    }
  }

  async pass(ms: number, stepMs: number): Promise<void> {
    for (let left = ms; left > 0; left -= stepMs) {
      await this.clock.advance(Math.min(stepMs, left))
      for (let turn = 0; turn < 5; turn++) await drain()
      await this.review()
    }
  }

  /** Days go by at once; the next look, which comes every few minutes, is brought about by a touch. */
  async leap(ms: number): Promise<void> {
    this.clock.jump(ms)
    const metadata = { annotations: { touched: String(this.clock.now()) } }
    await this.admin.patch(secrets, key, 'merge', { metadata })
    await this.pass(2 * settleMs, settleMs / 2)
  }

  /** An authority of nine years, whose last work is fresh. */
  async age(): Promise<StoredAuthority> {
    const now = this.clock.now()
    const draw = (): Drawn['serving'] => ({ key: ecKey(), serial: new Uint8Array(16).fill(7) })
    const drawn = { authority: draw(), serving: draw() }
    const seen = { stored: await this.stored(), bundles: [], names: namesOf(service), nextTrustedMs: 0 }
    const begun = carryOut({ kind: 'begin', why: '' }, seen, drawn, now - 9.2 * 365 * day)
    const stored = carryOut({ kind: 'renew', why: '' }, { ...seen, stored: begun }, drawn, now)
    const secret = await this.admin.get<AuthoritySecret>(secrets, key)
    await this.admin.update(secrets, withStored(secret, stored))
    return stored
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const replica of this.replicas) await replica.stop()
    await this.server.close()
  }
}

class Replica {
  readonly keeper: ReturnType<typeof ownCertificate>
  readonly #stop = new AbortController()
  readonly #running: Promise<void>
  served: TlsServerOptions | undefined

  constructor(hub: Hub, client: KubeClient, seed: number) {
    this.keeper = ownCertificate({
      client,
      clock: hub.clock,
      random: seededRandom(seed),
      // At once: what waits for another thread would be later than the clock, which a test drives.
      newKey: () => Promise.resolve(ecKey()),
      log: { ...silentLog, error: message => void hub.errors.push(message) },
      metrics: hub.metrics,
      secret: key,
      service,
      configurations: ['one', 'two'].map(name => ({ type: validatingWebhookConfigurations, name })),
    })
    this.#running = this.#run().catch(error => {
      if (!this.#stop.signal.aborted) throw error
    })
  }

  async #run(): Promise<void> {
    const { signal } = this.#stop
    this.served = await this.keeper.first(signal)
    await this.keeper.follow(this.served, next => (this.served = next), signal)
  }

  async stop(): Promise<void> {
    this.#stop.abort(new Error('enough'))
    this.served = undefined
    await this.#running
  }
}

async function opened(replicas = 2): Promise<Hub> {
  const hub = new Hub()
  for (let seed = 1; seed <= replicas; seed++) hub.start(seed)
  await hub.pass(60_000, 1_000)
  return hub
}

test('two replicas agree on one authority, every webhook trusts it, and both are ready', async () => {
  await using hub = await opened()
  const [one, other] = hub.replicas
  assert.ok(one?.served !== undefined)
  assert.equal(one.served.certificate, other?.served?.certificate)
  const { authority, former } = await hub.stored()
  assert.deepEqual([...new Set(await hub.bundles())], [authority?.certificate])
  assert.deepEqual(former, [])
  for (const { keeper } of hub.replicas) assert.deepEqual(keeper.ready.check(), { ok: true })
})

test('an authority is replaced and what it signed is renewed, and at no moment is a review refused', async () => {
  await using hub = new Hub()
  const first = await hub.age()
  for (const seed of [1, 2]) hub.start(seed)
  await hub.pass(5 * settleMs, settleMs / 6)
  const second = await hub.stored()
  assert.notEqual(second.authority?.certificate, first.authority?.certificate)
  assert.deepEqual(second.former, [first.authority?.certificate.trim()])
  for (const { served } of hub.replicas) assert.equal(served?.certificate, second.serving?.certificate)
  const leaves = new Set<string | undefined>()
  for (let leaps = 0; leaps < 7; leaps++) {
    await hub.leap(25 * day)
    leaves.add(hub.replicas[0]?.served?.certificate)
  }
  assert.equal(leaves.size, 3)
  assert.deepEqual([...new Set(await hub.bundles())], [second.authority?.certificate])
})

test('a hand that changes the bundle, or takes it away, is undone at once; what is not ours is left alone', async () => {
  await using hub = await opened()
  const good = await hub.bundles()
  const foreign = { name: 'foreign.hook.example', clientConfig: { url: 'https://elsewhere.example', caBundle: 'Zm9yZWlnbg==' } }
  const { webhooks } = configuration('one') as unknown as { webhooks: readonly object[] }
  const others = { ...webhooks[0], ...foreign }
  await hub.admin.patch(validatingWebhookConfigurations, { namespace: '', name: 'one' }, 'merge', {
    webhooks: [others, ...webhooks],
  })
  for (let look = 0; look < 20; look++) await drain()
  await hub.clock.advance(1_000)
  for (let look = 0; look < 20; look++) await drain()
  const bundles = await hub.bundles()
  assert.equal(bundles[0], 'foreign')
  assert.deepEqual(bundles.slice(1), good)
})

test('a Secret that lost everything begins anew, and what replicas still serve stays trusted', async () => {
  await using hub = await opened()
  const before = await hub.stored()
  const secret = await hub.admin.get<AuthoritySecret>(secrets, key)
  await hub.admin.update(secrets, { ...secret, data: {} } as KubeObject)
  await hub.pass(4 * settleMs, 500)
  const after = await hub.stored()
  assert.notEqual(after.authority?.certificate, before.authority?.certificate)
  assert.deepEqual(after.former, [before.authority?.certificate.trim()])
  for (const { served } of hub.replicas) assert.equal(served?.certificate, after.serving?.certificate)
  for (let left = servingLifeMs + day; left > 0; left -= 25 * day) await hub.leap(25 * day)
  assert.deepEqual((await hub.stored()).former, [])
})

test('without the Secret nothing is made up: it is said, what is held goes on being served, and a new one begins', async () => {
  await using hub = await opened()
  const { served } = hub.replicas[0] ?? {}
  await hub.admin.delete(secrets, key)
  await hub.pass(60_000, 1_000)
  assert.equal(hub.replicas[0]?.served?.certificate, served?.certificate)
  await hub.admin.create(secrets, { apiVersion: 'v1', kind: 'Secret', metadata: key, type: 'Opaque' } as KubeObject)
  await hub.pass(4 * settleMs, 1_000)
  assert.equal(hub.replicas[0]?.served?.certificate, (await hub.stored()).serving?.certificate)
})

test('a replica whose trust was lost together with the Secret is not ready until what it serves is trusted again', async () => {
  await using hub = await opened()
  const before = await hub.stored()
  hub.cut = Promise.withResolvers()
  const secret = await hub.admin.get<AuthoritySecret>(secrets, key)
  await hub.admin.update(secrets, { ...secret, data: {} } as KubeObject)
  for (const name of ['one', 'two'])
    await hub.admin.patch(validatingWebhookConfigurations, { namespace: '', name }, 'merge', configuration(name))
  hub.cut.resolve()
  hub.cut = undefined
  await hub.pass(settleMs / 6, 250)
  const { authority, former, serving } = await hub.stored()
  assert.notEqual(authority?.certificate, before.authority?.certificate)
  assert.deepEqual(former, [], 'nobody remembers the former authority')
  for (const { served, keeper } of hub.replicas) {
    assert.equal(served?.certificate, serving?.certificate, 'there is nothing to lose by serving what will be trusted')
    assert.deepEqual(keeper.ready.check(), { ok: true })
  }
})

test('a pair that ran out is not ready, and says so', async () => {
  await using hub = await opened(1)
  await hub.admin.delete(secrets, key)
  await hub.pass(60_000, 5_000)
  assert.deepEqual(hub.replicas[0]?.keeper.ready.check(), { ok: true }, 'what is held is good without the Secret')
  hub.clock.jump(servingLifeMs)
  await hub.pass(60_000, 5_000)
  assert.deepEqual(hub.replicas[0]?.keeper.ready.check(), { ok: false, why: 'the serving certificate has run out' })
})

test('trouble that lasts is told once and counted each time', async () => {
  await using hub = await opened(1)
  await hub.admin.delete(secrets, key)
  await hub.pass(60_000, 1_000)
  assert.deepEqual(hub.errors, ['the certificate of the webhooks cannot be kept; trying again'])
  const counted = (name: string): number => Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(hub.metrics.expose())?.[1])
  assert.ok(counted('certwatcher_read_certificate_errors_total') >= 10)
  assert.ok(counted('certwatcher_read_certificate_total') > counted('certwatcher_read_certificate_errors_total'))
})

test('a configuration that changed after it was read is not written', async () => {
  await using hub = await opened(1)
  const name = { namespace: '', name: 'one' }
  const read = await hub.admin.get<WebhookConfiguration>(validatingWebhookConfigurations, name)
  await hub.admin.patch(validatingWebhookConfigurations, name, 'merge', { metadata: { labels: { changed: 'yes' } } })
  const write = hub.admin.patch(validatingWebhookConfigurations, name, 'json', trustPatch(read, service, 'other'))
  await assert.rejects(write, error => error instanceof KubeError && error.reason === 'Conflict')
})

test('former authorities that somebody wrote into the Secret are taken only as far as they are ours, and two at most', async () => {
  await using hub = await opened(1)
  const secret = await hub.admin.get<AuthoritySecret>(secrets, key)
  const stranger = issueAuthority(
    { commonName: 'stranger' },
    { key: ecKey(), serial: new Uint8Array(16) },
    { from: 0, until: 4e12 },
  )
  const ours = [1, 2, 3].map(serial =>
    issueAuthority(ownStyle.authority, { key: ecKey(), serial: new Uint8Array(16).fill(serial) }, { from: 0, until: 4e12 }),
  )
  const written = ['-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----', stranger.certificate]
  const text = [...written, ...ours.map(({ certificate }) => certificate)].join('\n')
  const stored = readStored({ ...secret, data: { ...secret.data, 'former-ca.crt': Buffer.from(text).toString('base64') } })
  assert.deepEqual(
    stored.former,
    ours.slice(0, 2).map(({ certificate }) => certificate.trim()),
  )
  assert.equal(certificatesIn(bundleOf(stored)).length, 3)
})

for (const [phase, writesMax] of [
  ['the first of all', 3],
  ['a rotation', 6],
] as const)
  test(`a process that dies after any of its writes leaves what the next one goes on with: ${phase}`, async () => {
    for (let writes = 0; writes <= writesMax; writes++) {
      await using hub = new Hub()
      const first = phase === 'a rotation' ? await hub.age() : undefined
      hub.writesLeft = writes
      const mortal = hub.start(1)
      await hub.pass(2 * settleMs, settleMs / 4)
      await mortal.stop()
      hub.writesLeft = Number.POSITIVE_INFINITY
      for (const seed of [2, 3]) hub.start(seed)
      await hub.pass(3 * settleMs, settleMs / 4)
      const { authority, former } = await hub.stored()
      assert.equal(former.length, first === undefined ? 0 : 1, `after ${writes} writes`)
      assert.notEqual(authority?.certificate, first?.authority?.certificate)
      const [bundle = '', ...others] = new Set(await hub.bundles())
      assert.deepEqual([others, certificatesIn(bundle).length], [[], 1 + former.length], `after ${writes} writes`)
      for (const { keeper } of hub.replicas.slice(1)) assert.deepEqual(keeper.ready.check(), { ok: true })
    }
  })

for (const refused of ['reading configurations', 'writing configurations'] as const)
  test(`a good pair is served though ${refused} is refused, and that is told`, async () => {
    await using hub = await opened(1)
    await hub.replicas[0]?.stop()
    const { serving } = await hub.stored()
    if (refused === 'writing configurations') {
      const [object] = (await hub.admin.list<WebhookConfiguration & StoredObject>(validatingWebhookConfigurations)).items
      assert.ok(object?.webhooks !== undefined)
      const webhooks = object.webhooks.map(({ clientConfig, ...rest }) => ({
        ...rest,
        clientConfig: { service: clientConfig.service },
      }))
      await hub.admin.patch(validatingWebhookConfigurations, { namespace: '', name: object.metadata.name }, 'merge', { webhooks })
    }
    hub.refused = refused
    const replica = hub.start(7)
    for (let turn = 0; turn < 20; turn++) await drain()
    assert.equal(replica.served?.certificate, serving?.certificate)
    assert.equal(hub.errors.length, 1)
    assert.equal(replica.keeper.ready.check().ok, false)
  })

test('of two that begin at once the slower serves what the faster wrote, without waiting', async () => {
  await using hub = new Hub()
  const replicas = [1, 2].map(seed => hub.start(seed))
  for (let turn = 0; turn < 40; turn++) await drain()
  assert.ok(replicas[0]?.served !== undefined)
  assert.equal(replicas[0].served.certificate, replicas[1]?.served?.certificate)
})

test('no right is used but those for the named objects', async () => {
  await using hub = await opened(1)
  const user = hub.server.as({ username: account, groups: ['system:authenticated'] })
  const client = createKubeClient({ clock: hub.clock, address: 'hub', exchange: user })
  const attempts: readonly Promise<unknown>[] = [
    client.list(secrets, { namespace }),
    client.get(secrets, { namespace, name: 'another' }),
    client.create(secrets, { apiVersion: 'v1', kind: 'Secret', metadata: { namespace, name: 'another' } } as KubeObject),
    client.delete(secrets, key),
    client.list(validatingWebhookConfigurations),
    client.patch(validatingWebhookConfigurations, { namespace: '', name: 'three' }, 'merge', {}),
    client.delete(validatingWebhookConfigurations, { namespace: '', name: 'one' }),
  ]
  for (const attempt of attempts) await assert.rejects(attempt, error => error instanceof KubeError && error.httpStatus === 403)
})
