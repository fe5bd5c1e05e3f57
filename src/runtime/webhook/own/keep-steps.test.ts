// When a keeper of an own authority looks, what it writes and what it serves, with the Secret and one configuration in memory.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { drain, ManualClock, seededRandom, silentLog, type TlsServerOptions } from '#base'
import { type KubeObject, type StoredObject, validatingWebhookConfigurations } from '#kube'
import { type KubeClient, KubeError } from '#kube/client'
import { ecKey } from '../../../base/x509/serving-pair.fixture.ts'
import { Metrics } from '../../metrics/registry.ts'
import { ScriptedCluster } from '../../testing/scripted-cluster.ts'
import { settling } from '../../testing/settling.ts'
import type { JsonOperation } from './configurations.ts'
import { carryOut, type Drawn } from './decide.ts'
import { namesOf, type OwnCertificateOptions, ownCertificate } from './keep.ts'
import { type AuthoritySecret, bundleOf, readStored, withStored } from './stored.ts'
import { ownStyle } from './style.ts'

const key = { namespace: 'system', name: 'authority' }
const service = { namespace: 'system', name: 'hook' }
const configurations = [{ type: validatingWebhookConfigurations, name: 'one' }]
const plural = validatingWebhookConfigurations.plural

function refusal(reason: string): KubeError {
  return new KubeError('refused', `it is ${reason}`, {
    status: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', reason },
  })
}

function keeping(more: Partial<OwnCertificateOptions> = {}, { hasSecret = true } = {}) {
  const clock = new ManualClock(Date.UTC(2026, 0, 1))
  const hub = new ScriptedCluster()
  if (hasSecret) hub.put('secrets', { apiVersion: 'v1', kind: 'Secret', metadata: key })
  const clientConfig = { service: { ...service, path: '/x' } }
  hub.put(plural, {
    apiVersion: 'v1',
    kind: 'ValidatingWebhookConfiguration',
    metadata: { name: 'one' },
    webhooks: [{ name: 'a', clientConfig }],
  } as KubeObject)
  const looks: number[] = []
  const patches: (readonly JsonOperation[])[] = []
  const reading = { error: undefined as Error | undefined, after: async (): Promise<void> => {} }
  const client: KubeClient = {
    ...hub.client,
    find: (async (type: { plural: string }, { name }: { name: string }) => {
      if (type.plural === 'secrets') looks.push(clock.monotonicMs())
      if (reading.error !== undefined && type.plural === plural) throw reading.error
      const found = hub.find(type.plural, name)
      if (type.plural === plural) await reading.after()
      return found
    }) as never,
    patch: (async (_type: unknown, { name }: { name: string }, _kind: string, body: readonly JsonOperation[]) => {
      hub.writes.push(`patch ${name}`)
      patches.push(body)
      const error = hub.refuses.get(name)
      if (error !== undefined) throw error
      const caBundle = body.find(({ path }) => path.endsWith('caBundle'))?.value
      return trust(caBundle)
    }) as never,
  }
  const trust = (caBundle: string | undefined): StoredObject => {
    const held = hub.find(plural, 'one') as unknown as KubeObject
    const bundled = caBundle === undefined ? clientConfig : { ...clientConfig, caBundle }
    return hub.put(plural, { ...held, webhooks: [{ name: 'a', clientConfig: bundled }] } as KubeObject)
  }
  const told: string[] = []
  const log = {
    ...silentLog,
    info: (message: string, fields?: { readonly step?: string }) => void told.push(fields?.step ?? message),
    error: (message: string, fields?: object) => void told.push(`${message}: ${JSON.stringify(fields)}`),
  }
  const metrics = new Metrics()
  const keeper = ownCertificate({
    client,
    clock,
    random: seededRandom(1),
    newKey: async () => ecKey(),
    log,
    metrics,
    secret: key,
    service,
    configurations,
    ...more,
  })
  const stop = new AbortController()
  const served: string[] = []
  const settle = settling(clock)
  return {
    clock,
    hub,
    keeper,
    looks,
    patches,
    reading,
    told,
    metrics,
    served,
    stop,
    settle,
    trust,
    stored: () => readStored(hub.find('secrets', key.name) as AuthoritySecret),
    bundle: () => {
      const { webhooks } = hub.find(plural, 'one') as unknown as { webhooks: { clientConfig: { caBundle?: string } }[] }
      return Buffer.from(webhooks[0]?.clientConfig.caBundle ?? '', 'base64').toString()
    },
    /** Serves and follows, as a listener does. */
    run: async () => {
      const first = await keeper.first(stop.signal)
      served.push(first.certificate)
      await keeper.follow(first, (next: TlsServerOptions) => void served.push(next.certificate), stop.signal)
    },
  }
}

const untrusted = { ok: false, why: 'the configurations of the webhooks do not trust what is served yet' } as const

test('a keeper makes an authority and its pair, tells the webhooks, and is ready when it has read that they trust it', async () => {
  const { keeper, stored, bundle, served, told, looks, hub, stop, settle, run } = keeping()
  assert.deepEqual(keeper.ready.check(), { ok: false, why: 'nothing is served yet' })
  const running = run()
  await settle()
  assert.deepEqual(served, [stored().serving?.certificate])
  assert.equal(bundle(), bundleOf(stored()))
  assert.deepEqual(told, ['begin', 'webhooks are told whom to trust'])
  await settle()
  assert.deepEqual(keeper.ready.check(), { ok: true }, 'what it wrote itself wakes it')
  const looked = looks.length
  await settle(599_999)
  assert.equal(looks.length, looked, 'nothing is read while all is well')
  await settle(1)
  assert.deepEqual([looks.length, hub.writes], [looked + 1, ['update authority', 'patch one']])
  stop.abort(new Error('enough'))
  await settle()
  await running
  assert.equal(served.length, 1)
})

test('what is wrong is looked at every five seconds, told once and counted each time, and its end is told', async () => {
  const { keeper, looks, reading, told, metrics, stop, settle, run } = keeping()
  reading.error = new Error('away')
  const running = run()
  await settle()
  for (let look = 0; look < 3; look++) await settle(5_000)
  assert.deepEqual(looks, [0, 5_000, 10_000, 15_000])
  const trouble = 'the certificate of the webhooks cannot be kept; trying again: {"error":"away"}'
  assert.deepEqual(told, [trouble])
  assert.match(metrics.expose(), /certwatcher_read_certificate_errors_total 4\n/)
  assert.equal(keeper.ready.check().ok, false)
  reading.error = new Error('further away')
  await settle(5_000)
  assert.deepEqual(told.slice(1), [trouble.replace('away', 'further away')])
  reading.error = undefined
  await settle(5_000)
  assert.ok(told.includes('the certificate of the webhooks is kept again'))
  assert.match(metrics.expose(), /certwatcher_read_certificate_errors_total 5\n/)
  stop.abort(new Error('enough'))
  await settle()
  await running
})

test('whoever waits for the first pair is let go with the reason of the stop, and that is told as no trouble', async () => {
  const { keeper, reading, told, stop, settle } = keeping()
  reading.error = new Error('away')
  const first = keeper.first(stop.signal)
  await settle()
  assert.equal(told.length, 1)
  const enough = new Error('enough')
  stop.abort(enough)
  await assert.rejects(first, enough)
  assert.equal(told.length, 1)
})

test('without its Secret nothing is made, unless it may make it', async () => {
  const strict = keeping({}, { hasSecret: false })
  const stopped = assert.rejects(strict.keeper.first(strict.stop.signal), /enough/)
  await strict.settle()
  assert.deepEqual(strict.told, [
    'the certificate of the webhooks cannot be kept; trying again: {"error":"there is no Secret system/authority; apply the manifests again, which bring it"}',
  ])
  strict.stop.abort(new Error('enough'))
  await stopped
  const maker = keeping({ makesSecret: true }, { hasSecret: false })
  const { certificate } = await maker.keeper.first(maker.stop.signal)
  assert.equal(maker.stored().serving?.certificate, certificate)
  assert.deepEqual(maker.hub.writes, ['create authority', 'update authority', 'patch one'])
})

for (const [writesBy, writes] of [
  ['patch', ['update authority', 'patch one']],
  ['update', ['update authority', 'update one']],
] as const)
  test(`webhooks are told by a ${writesBy} where that is the right that is given`, async () => {
    const { keeper, hub, stored, bundle, stop } = keeping({ writesBy })
    await keeper.first(stop.signal)
    assert.deepEqual(hub.writes, writes)
    assert.equal(bundle(), bundleOf(stored()))
  })

for (const reason of ['Conflict', 'AlreadyExists'])
  test(`whoever meets a ${reason} reads at once what another one wrote, and tells of nothing`, async () => {
    const { keeper, hub, told, looks, stop, metrics } = keeping()
    hub.refuses.set(key.name, refusal(reason))
    const first = keeper.first(stop.signal)
    for (let turn = 0; turn < 3; turn++) await drain()
    assert.deepEqual([looks, told], [[0, 0], []])
    assert.match(metrics.expose(), /certwatcher_read_certificate_total 1\n/)
    stop.abort(new Error('enough'))
    await assert.rejects(first)
  })

test('another refusal is not tried again at once, and is told', async () => {
  const { keeper, hub, told, looks, stop, settle } = keeping()
  hub.refuses.set(key.name, refusal('Forbidden'))
  const first = assert.rejects(keeper.first(stop.signal))
  await settle()
  assert.deepEqual([looks.length, told.length], [1, 1])
  stop.abort(new Error('enough'))
  await first
})

test('a pair that is kept is served though the webhooks cannot be read, and one that is not good is not', async () => {
  const { keeper, hub, stored, stop } = keeping()
  const { certificate } = await keeper.first(stop.signal)
  const second = (now: number) => {
    const other = keeping()
    other.clock.jump(now)
    other.hub.put('secrets', { ...(hub.find('secrets', key.name) as unknown as KubeObject) })
    other.reading.error = new Error('away')
    return other
  }
  const good = second(0)
  assert.equal((await good.keeper.first(good.stop.signal)).certificate, certificate)
  assert.deepEqual(good.keeper.ready.check(), untrusted)
  const late = second(ownStyle.servingLifeMs - ownStyle.servingRenewMs + 86_400_000)
  const waiting = assert.rejects(late.keeper.first(late.stop.signal), /enough/)
  await late.settle()
  assert.equal(late.keeper.ready.check().ok, false, 'it is due to be renewed, which cannot be told')
  late.stop.abort(new Error('enough'))
  await waiting
  assert.equal(stored().serving?.certificate, certificate)
})

test('a pair is not ready in the very moment in which it runs out', async () => {
  const { keeper, clock, settle, stop, run, reading } = keeping()
  const running = run()
  await settle()
  await settle()
  reading.error = new Error('away')
  clock.jump(ownStyle.servingLifeMs - 1)
  assert.deepEqual(keeper.ready.check(), { ok: true })
  clock.jump(1)
  assert.deepEqual(keeper.ready.check(), { ok: false, why: 'the serving certificate has run out' })
  stop.abort(new Error('enough'))
  await settle()
  await running
})

test('webhooks that lost their trust are told again within five seconds, were no watch to tell of it', async () => {
  const { keeper, hub, looks, told, trust, bundle, stored, stop, settle, run } = keeping()
  const running = run()
  await settle()
  await settle()
  const before = looks.length
  hub.refuses.set('one', refusal('Forbidden'))
  trust(undefined)
  await settle()
  assert.ok(looks.length > before)
  assert.deepEqual([keeper.ready.check(), bundle()], [untrusted, ''])
  assert.equal(told.at(-1), 'the certificate of the webhooks cannot be kept; trying again: {"error":"it is Forbidden"}')
  const looked = looks.length
  await settle(4_999)
  assert.equal(looks.length, looked)
  hub.refuses.clear()
  await settle(1)
  assert.equal(bundle(), bundleOf(stored()))
  await settle()
  assert.deepEqual(keeper.ready.check(), { ok: true })
  stop.abort(new Error('enough'))
  await settle()
  await running
})

test('where no watch tells of anything it looks after five seconds while something is under way, and after ten minutes at rest', async () => {
  const { hub, clock, keeper, looks, told, served, stored, stop, settle, run } = keeping()
  for (const kind of ['secrets', plural]) hub.answers.set(kind, 'silence')
  let isOver = false
  const running = run().then(() => (isOver = true))
  await settle()
  for (const ms of [4_999, 1, 599_999, 1]) await settle(ms)
  assert.deepEqual(looks.splice(0), [0, 5_000, 605_000])
  const pausesAfter = async (days: number): Promise<readonly number[]> => {
    clock.jump(days * 86_400_000)
    for (let five = 0; five < 260; five++) await settle(5_000)
    const [first = 0, ...later] = looks.splice(0)
    return later.map((at, index) => (at - (later[index - 1] ?? first)) / 1_000)
  }
  told.length = 0
  assert.deepEqual(await pausesAfter(61), [5, 600])
  assert.deepEqual(told, ['renew', 'serving certificate replaced'])
  assert.deepEqual(served.slice(1), [stored().serving?.certificate])
  // Nine years later the pair has run out long ago, and the authority is to be followed by another.
  told.length = 0
  const pauses = await pausesAfter(9 * 365 + 10)
  assert.deepEqual(told, [
    'renew',
    'serving certificate replaced',
    'prepare',
    'webhooks are told whom to trust',
    'promote',
    'webhooks are told whom to trust',
    'serving certificate replaced',
  ])
  assert.deepEqual([new Set(pauses.slice(0, -1)), pauses.at(-1)], [new Set([5]), 600])
  assert.equal(served.at(-1), stored().serving?.certificate)
  assert.deepEqual([stored().former.length, keeper.ready.check()], [1, { ok: true }])
  stop.abort(new Error('enough'))
  await settle()
  assert.equal(isOver, false, 'its watches have not ended')
  void running
})

test('an authority signs once all webhooks have trusted it for a minute, however long they could not be told', async () => {
  const { hub, clock, told, stored, stop, settle, run } = keeping()
  const running = run()
  await settle()
  await settle()
  const before = stored().authority
  clock.jump((9 * 365 + 10) * 86_400_000)
  hub.refuses.set('one', refusal('Forbidden'))
  const untilTold = async (what: string, secondsMax: number): Promise<number> => {
    for (let second = 1; second <= secondsMax; second++) {
      await settle(1_000)
      if (told.includes(what)) return second
    }
    return Number.POSITIVE_INFINITY
  }
  assert.ok((await untilTold('prepare', 700)) < 700)
  const next = stored().next
  assert.equal(await untilTold('promote', 300), Number.POSITIVE_INFINITY)
  assert.deepEqual(stored().authority, before)
  hub.refuses.clear()
  const seconds = await untilTold('promote', 100)
  assert.ok(seconds >= 60 && seconds <= 70, `after ${seconds} s`)
  assert.deepEqual([stored().authority, stored().next], [next, undefined])
  stop.abort(new Error('enough'))
  await settle()
  await running
})

test('a pair of an authority that another one began is served once the webhooks have trusted that for a minute, not before', async () => {
  const { hub, clock, served, bundle, stored, stop, settle, run } = keeping()
  const running = run()
  await settle()
  await settle()
  const draw = (serial: number): Drawn['serving'] => ({ key: ecKey(), serial: new Uint8Array(16).fill(serial) })
  const seen = { stored: stored(), bundles: [bundle()], names: namesOf(service), nextTrustedMs: 0 }
  const begun = carryOut({ kind: 'begin', why: '' }, seen, { authority: draw(1), serving: draw(2) }, clock.now())
  hub.put('secrets', withStored(hub.find('secrets', key.name) as AuthoritySecret, begun) as unknown as KubeObject)
  await settle()
  assert.deepEqual([bundle(), begun.former.length], [bundleOf(begun), 1])
  for (let second = 0; second < 59; second++) await settle(1_000)
  assert.equal(served.length, 1)
  await settle(1_000)
  assert.deepEqual(served.slice(1), [begun.serving?.certificate])
  stop.abort(new Error('enough'))
  await settle()
  await running
})

test('people call a Service by shorter names than the API server does', () => {
  assert.deepEqual(namesOf(service), ['hook.system.svc', 'hook.system', 'hook'])
})
