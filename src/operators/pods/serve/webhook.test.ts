// The rows of §8.1 and §8.3 that depend on what the webhook knows, and when: caches, grace, direct reads, the other sources.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { drain, type ManualClock, type MemoryFiles, silentLog } from '#base'
import { applyJsonPatch } from '#kube'
import { type AwsWebhookSettings, defaultWebhookSettings } from '../flags/settings.ts'
import type { FakeCluster } from '../testing/fake-cluster.ts'
import type { PodWebhook } from './webhook.ts'
import { askReview, openWebhook, patchOf, type ReviewResponse, type WebhookWorldOptions } from './webhook-world.fixture.ts'

const role = 'arn:aws:iam::111122223333:role/r'
const withRole = { metadata: { annotations: { 'eks.amazonaws.com/role-arn': role } } }

interface World extends FakeCluster {
  readonly clock: ManualClock
  readonly files: MemoryFiles
  readonly webhook: PodWebhook
  /** Asks for a pod of this ServiceAccount of ns1; the time until the answer is in the second place. */
  admit(account: string, more?: { annotations?: object; labels?: object; timeout?: string }): Promise<Admitted>
  metric(line: string): string | undefined
}

interface Admitted {
  readonly isMutated: boolean
  readonly roleArn: string | undefined
  readonly env: readonly string[]
  readonly expiration: number | undefined
  readonly audience: unknown
  readonly labels: unknown
  readonly afterMs: number
  readonly refusal: ReviewResponse['status'] | undefined
}

async function open(t: TestContext, settings: Partial<AwsWebhookSettings> = {}, more: WebhookWorldOptions = {}): Promise<World> {
  const { cluster, clock, files, webhook } = await openWebhook(t, settings, more)
  return Object.assign(cluster, { clock, files, webhook, admit: admitter(webhook, clock), metric: metricOf(webhook) })
}

function admitter(webhook: PodWebhook, clock: ManualClock): World['admit'] {
  return async (account, { annotations, labels, timeout = '10s' } = {}) => {
    const pod = {
      metadata: { name: 'p', ...(annotations && { annotations }), ...(labels && { labels }) },
      spec: { serviceAccountName: account, containers: [{ name: 'a' }] },
    }
    const startedMs = clock.monotonicMs()
    const { response: answer } = await askReview(webhook, { object: pod }, { timeout })
    const patch = patchOf(answer)
    const after = (patch === undefined ? pod : applyJsonPatch(pod, patch)) as Patched
    const env = after.spec.containers[0]?.env ?? []
    const source = after.spec.volumes?.[0]?.projected.sources[0]?.serviceAccountToken
    return {
      isMutated: patch !== undefined,
      roleArn: env.find(({ name }) => name === 'AWS_ROLE_ARN')?.value,
      env: env.map(({ name }) => name),
      expiration: source?.expirationSeconds,
      audience: source?.audience,
      labels: after.metadata.labels,
      afterMs: clock.monotonicMs() - startedMs,
      refusal: answer.allowed ? undefined : answer.status,
    }
  }
}

interface Patched {
  readonly metadata: { readonly labels?: unknown }
  readonly spec: {
    readonly containers: readonly { env?: readonly { name: string; value: string }[] }[]
    readonly volumes?: readonly {
      projected: { sources: readonly { serviceAccountToken: { expirationSeconds: number; audience?: string } }[] }
    }[]
  }
}

function metricOf(webhook: PodWebhook): World['metric'] {
  return start =>
    webhook.metrics
      .expose()
      .split('\n')
      .find(line => line.startsWith(`${start} `))
      ?.split(' ')
      .at(-1)
}

const missing = 'pod_identity_webhook_missing_sa_count'
const noGrace = { lookup: { ...defaultWebhookSettings.lookup, graceMs: 0 } }

test('a ServiceAccount that is known and has no annotations: no patch, and it is not missing [A-02]', async t => {
  const world = await open(t)
  world.put('ServiceAccount', 'ns1/plain')
  await drain()
  assert.equal((await world.admit('plain')).isMutated, false)
  assert.equal(world.metric(missing), '0')
})

test('an unknown ServiceAccount with a grace of 0s: no patch, no read, counted as missing [A-03]', async t => {
  const world = await open(t, noGrace)
  world.hold()
  world.put('ServiceAccount', 'ns1/late', withRole)
  assert.equal((await world.admit('late')).isMutated, false)
  assert.deepEqual(world.reads, [])
  assert.equal(world.metric(missing), '1')
})

test('a 404 answers at once [A-04]', async t => {
  const world = await open(t)
  assert.deepEqual(await world.admit('nobody'), { ...unmutated, afterMs: 0 })
  assert.deepEqual(world.reads, ['ns1/nobody'])
  assert.equal(world.metric(missing), '1')
})

test('what the watch has not brought is read directly, once [A-05]', async t => {
  const world = await open(t)
  world.hold()
  world.put('ServiceAccount', 'ns1/late', withRole)
  assert.equal((await world.admit('late')).roleArn, role)
  assert.equal((await world.admit('late')).roleArn, role)
  assert.deepEqual(world.reads, ['ns1/late'])
  assert.equal(world.metric(missing), '1')
})

test('the watch may be faster than the read [A-06]', async t => {
  const world = await open(t)
  world.read = 'hang'
  const pending = world.admit('late')
  await world.clock.advance(40)
  world.put('ServiceAccount', 'ns1/late', withRole)
  await drain()
  const { roleArn, afterMs } = await pending
  assert.deepEqual({ roleArn, afterMs }, { roleArn: role, afterMs: 40 })
})

test('an API server that does not answer costs the grace period and no more [A-07]', async t => {
  const world = await open(t)
  world.read = 'hang'
  const pending = world.admit('late')
  await world.clock.advance(100)
  assert.deepEqual(await pending, { ...unmutated, afterMs: 100 })
  assert.equal(world.readsInFlight, 0)
})

test('a read that failed does not keep the next pod from reading [A-08, F-05]', async t => {
  const world = await open(t)
  world.hold()
  world.put('ServiceAccount', 'ns1/late', withRole)
  world.read = 'fail'
  const pending = world.admit('late')
  await world.clock.advance(100)
  assert.equal((await pending).isMutated, false)
  world.read = 'answer'
  assert.equal((await world.admit('late')).roleArn, role)
})

test('a read that the server could not answer is repeated within the grace period [2.10.1]', async t => {
  const world = await open(t)
  world.hold()
  world.put('ServiceAccount', 'ns1/late', withRole)
  world.read = 'fail'
  const pending = world.admit('late')
  await world.clock.advance(30)
  world.read = 'answer'
  await world.clock.advance(20)
  assert.equal((await pending).roleArn, role)
})

test('ten pods of one unknown ServiceAccount have one read in flight, and one answer [A-09]', async t => {
  const world = await open(t)
  world.read = 'hang'
  world.hold()
  world.put('ServiceAccount', 'ns1/late', withRole)
  const pending = Array.from({ length: 10 }, () => world.admit('late'))
  await drain()
  assert.equal(world.readsInFlight, 1)
  world.answerReads()
  const answers = await Promise.all(pending)
  assert.equal(
    answers.every(answer => answer.roleArn === role),
    true,
  )
  assert.equal(world.reads.length, 1)
})

test('a pod that names no ServiceAccount has none, and nobody is asked [A-10]', async t => {
  const world = await open(t)
  assert.equal((await world.admit('')).isMutated, false)
  assert.deepEqual(world.reads, [])
})

test('a read that comes late does not replace what the watch brought since [2.10.2]', async t => {
  const world = await open(t)
  world.read = 'hang'
  world.hold()
  world.put('ServiceAccount', 'ns1/app', withRole)
  const pending = world.admit('app')
  await drain()
  world.put('ServiceAccount', 'ns1/app')
  world.release()
  await drain()
  world.answerReads()
  await pending
  world.read = 'answer'
  assert.equal((await world.admit('app')).isMutated, false)
})

test('a role that is taken away is gone for the next pod, and a deleted ServiceAccount is forgotten [2.10]', async t => {
  const world = await open(t)
  world.put('ServiceAccount', 'ns1/app', withRole)
  await drain()
  assert.equal((await world.admit('app')).roleArn, role)
  world.put('ServiceAccount', 'ns1/app')
  await drain()
  assert.equal((await world.admit('app')).isMutated, false)
  world.remove('ServiceAccount', 'ns1/app')
  await drain()
  assert.equal((await world.admit('app')).isMutated, false)
  assert.equal(world.metric(missing), '1')
})

test('before the first list is complete a miss is read directly, also with a grace of 0s [F-03]', async t => {
  const world = await open(t, noGrace, {
    prepare: cluster => {
      cluster.holdLists = true
      cluster.put('ServiceAccount', 'ns1/app', withRole)
    },
  })
  assert.equal(world.webhook.isReady, false)
  assert.equal((await world.admit('app')).roleArn, role)
})

test('without an API server a pod waits a second at most, and is let in unmutated [P-10]', async t => {
  const world = await open(t, {}, { prepare: cluster => Object.assign(cluster, { holdLists: true, read: 'hang' }) })
  const pending = world.admit('app')
  await world.clock.advance(1_000)
  assert.deepEqual(await pending, { ...unmutated, afterMs: 1_000 })
})

test('what is cached goes on counting when the API server is gone [P-11]', async t => {
  const world = await open(t)
  world.put('ServiceAccount', 'ns1/app', withRole)
  await drain()
  world.hold()
  world.read = 'hang'
  assert.equal((await world.admit('app')).roleArn, role)
  assert.equal(world.webhook.isReady, true)
})

test('a role that the cache has not seen yet is found, though the ServiceAccount is known without [S20]', async t => {
  const world = await open(t)
  world.put('ServiceAccount', 'ns1/app')
  await drain()
  world.hold()
  world.put('ServiceAccount', 'ns1/app', withRole)
  assert.equal((await world.admit('app')).roleArn, role)
})

test('no is believed only of a read that was sent after the pod asked [S20]', async t => {
  const world = await open(t)
  world.put('ServiceAccount', 'ns1/app')
  await drain()
  world.hold()
  world.read = 'hang'
  const first = world.admit('app')
  await drain()
  world.put('ServiceAccount', 'ns1/app', withRole)
  const second = world.admit('app')
  await drain()
  world.answerReads()
  await drain()
  assert.equal((await first).isMutated, false)
  world.answerReads()
  assert.equal((await second).roleArn, role)
  assert.equal(world.reads.length, 2)
})

test('what could not be confirmed in time is counted [S20]', async t => {
  const world = await open(t)
  world.put('ServiceAccount', 'ns1/app')
  await drain()
  world.read = 'hang'
  const pending = world.admit('app')
  await world.clock.advance(100)
  assert.equal((await pending).isMutated, false)
  assert.equal(world.metric('identity_webhook_unconfirmed_total{provider="aws"}'), '1')
})

test('a role that the ConfigMap names since before the pod asked is found, though its watch has not brought it [S20]', async t => {
  const world = await open(t, { watchConfigMap: true })
  const config = (value: object) => ({ data: { config: JSON.stringify(value) } })
  world.put('ServiceAccount', 'ns1/app')
  world.put('ConfigMap', 'eks/pod-identity-webhook', config({}))
  await drain()
  world.hold()
  world.put('ConfigMap', 'eks/pod-identity-webhook', config({ '*/app': { RoleARN: role } }))
  assert.equal((await world.admit('app')).roleArn, role)
  assert.deepEqual(world.reads.toSorted(), ['eks/pod-identity-webhook', 'ns1/app'])
  // What the watch brings late is older than what was read, and takes nothing back.
  world.release()
  await drain()
  assert.equal((await world.admit('app')).roleArn, role)
  assert.equal((await world.admit('never-made')).isMutated, false)
})

test('who was put into the credentials file before the pod asked gets them, though the file was looked at earlier [S20]', async t => {
  const world = await open(t, { credentialsFile: path })
  world.put('ServiceAccount', 'ns1/app')
  await world.clock.advance(1_000)
  await world.files.write(path, listing('app'))
  assert.deepEqual((await world.admit('app')).env[0], 'AWS_CONTAINER_CREDENTIALS_FULL_URI')
})

test('when the ConfigMap cannot be read, that is told: counted, in the audit log and in ours [S20]', async t => {
  const lines: string[] = []
  const log = { ...silentLog, warn: (message: string) => void lines.push(message) }
  const world = await open(t, { watchConfigMap: true }, { log })
  world.put('ServiceAccount', 'ns1/app')
  await drain()
  world.read = 'hang'
  const pending = [1, 2].map(() => askReview(world.webhook, { object: { spec: { serviceAccountName: 'app' } } }))
  await world.clock.advance(100)
  for (const { response } of await Promise.all(pending))
    assert.deepEqual([response.allowed, Object.keys(response.auditAnnotations ?? {})], [true, ['role-unconfirmed']])
  assert.equal(world.metric('identity_webhook_unconfirmed_total{provider="aws"}'), '2')
  assert.deepEqual(lines, ['a pod was let in without a role, and the API server did not say in time whether it should have one'])
})

test('pods without a role at a hundred a second are each confirmed, and none of them waits', async t => {
  const world = await open(t)
  for (let index = 0; index < 300; index++) world.put('ServiceAccount', `ns1/plain-${index}`)
  await drain()
  const waits: number[] = []
  for (let index = 0; index < 300; index++) {
    const pending = world.admit(`plain-${index}`)
    await drain()
    await world.clock.advance(10)
    waits.push((await pending).afterMs)
  }
  assert.deepEqual([world.reads.length, Math.max(...waits)], [300, 0])
  assert.equal(world.metric('identity_webhook_unconfirmed_total{provider="aws"}'), undefined)
})

test('when there are more pods without a role than may be asked about, the rest are let in at once, and told [S20]', async t => {
  const world = await open(t)
  for (let index = 0; index < 1_000; index++) world.put('ServiceAccount', `ns1/plain-${index}`)
  await drain()
  const pending = Array.from({ length: 1_000 }, (_, index) => world.admit(`plain-${index}`))
  await world.clock.advance(100)
  const answers = await Promise.all(pending)
  const late = answers.filter(({ afterMs }) => afterMs > 5)
  assert.deepEqual(late, [])
  assert.ok(world.reads.length >= 200 && world.reads.length <= 201, `${world.reads.length} reads`)
  assert.equal(world.metric('identity_webhook_unconfirmed_total{provider="aws"}'), String(1_000 - world.reads.length))
})

test('a pod that is refused for its promise is none that was let in unconfirmed; while it waits it is counted as waiting', async t => {
  const world = await open(t)
  world.put('ServiceAccount', 'ns1/app')
  await drain()
  world.read = 'hang'
  const pod = { metadata: { annotations: { 'eks.amazonaws.com/require-role': 'true' } }, spec: { serviceAccountName: 'app' } }
  const pending = askReview(world.webhook, { object: pod })
  await world.clock.advance(200)
  assert.equal(world.metric('identity_webhook_waiting{provider="aws"}'), '1')
  await world.clock.advance(3_000)
  assert.equal((await pending).response.allowed, false)
  assert.equal(world.metric('identity_webhook_waiting{provider="aws"}'), '0')
  assert.equal(world.metric('identity_webhook_unconfirmed_total{provider="aws"}'), undefined)
})

test('one whose role is required is not let in at once when there are too many to ask about [S20]', async t => {
  const world = await open(t)
  for (let index = 0; index < 300; index++) world.put('ServiceAccount', `ns1/plain-${index}`)
  world.put('ServiceAccount', 'ns1/app')
  await drain()
  const crowd = Array.from({ length: 300 }, (_, index) => world.admit(`plain-${index}`))
  const pending = world.admit('app', { annotations: { 'eks.amazonaws.com/require-role': 'true' } })
  await world.clock.advance(700)
  world.put('ServiceAccount', 'ns1/app', withRole)
  await world.clock.advance(1)
  const { roleArn, afterMs } = await pending
  assert.deepEqual({ roleArn, afterMs }, { roleArn: role, afterMs: 700 })
  await Promise.all(crowd)
})

test('with confirmation off, what the cache says of a ServiceAccount is believed', async t => {
  const world = await open(t, { lookup: { ...defaultWebhookSettings.lookup, confirmation: { kind: 'none' } } })
  world.put('ServiceAccount', 'ns1/plain')
  await drain()
  assert.equal((await world.admit('plain')).isMutated, false)
  assert.deepEqual(world.reads, [])
})

for (const [who, options, account, annotations] of [
  ['the ServiceAccount', {}, { metadata: { annotations: { 'eks.amazonaws.com/require-role': 'true' } } }, {}],
  ['the pod', {}, {}, { 'eks.amazonaws.com/require-role': 'true' }],
  ['whoever binds roles', { isPromised: () => true }, {}, {}],
] as const) {
  test(`when ${who} says that a role is coming, the pod waits for it [S20]`, async t => {
    const world = await open(t, {}, options)
    world.put('ServiceAccount', 'ns1/app', account)
    await drain()
    const pending = world.admit('app', { annotations })
    await world.clock.advance(1_700)
    world.put('ServiceAccount', 'ns1/app', withRole)
    await world.clock.advance(1)
    const { roleArn, afterMs } = await pending
    assert.deepEqual({ roleArn, afterMs }, { roleArn: role, afterMs: 1_700 })
  })

  test(`when ${who} says so and it does not come, the pod is refused with the reason and the time to try again [S20]`, async t => {
    const world = await open(t, {}, options)
    world.put('ServiceAccount', 'ns1/app', account)
    await drain()
    const pending = world.admit('app', { annotations })
    await world.clock.advance(3_000)
    const { refusal, isMutated } = await pending
    assert.equal(isMutated, false)
    assert.equal(refusal?.code, 429)
    assert.equal(refusal?.details?.retryAfterSeconds, 1)
    assert.match(refusal?.message ?? '', /the role of ServiceAccount ns1\/app is promised or required but not there yet/)
  })
}

test('a promise in the ConfigMap counts before the ServiceAccount is there, and the role may come through it [S20]', async t => {
  const world = await open(t, { watchConfigMap: true })
  const config = (entry: object) => ({ data: { config: JSON.stringify({ 'ns1/app': entry }) } })
  world.put('ConfigMap', 'eks/pod-identity-webhook', config({ Promised: true }))
  await drain()
  const pending = world.admit('app')
  await world.clock.advance(1_000)
  world.put('ConfigMap', 'eks/pod-identity-webhook', config({ RoleARN: role }))
  await world.clock.advance(1)
  const { roleArn, afterMs } = await pending
  assert.deepEqual({ roleArn, afterMs }, { roleArn: role, afterMs: 1_000 })
})

test('a stalled watch does not keep a promised role away [S20]', async t => {
  const world = await open(t, {}, { isPromised: () => true })
  world.put('ServiceAccount', 'ns1/app')
  await drain()
  const pending = world.admit('app')
  await world.clock.advance(200)
  world.hold()
  world.put('ServiceAccount', 'ns1/app', withRole)
  await world.clock.advance(300)
  const { roleArn, afterMs } = await pending
  assert.deepEqual({ roleArn, afterMs }, { roleArn: role, afterMs: 500 })
})

test('a pod that waits is answered half a second before the API server gives up [§5.1]', async t => {
  const world = await open(t, {}, { isPromised: () => true })
  const pending = world.admit('app', { timeout: '2s' })
  await world.clock.advance(1_499)
  let isDone = false
  void pending.then(() => {
    isDone = true
  })
  await drain()
  assert.equal(isDone, false)
  await world.clock.advance(1)
  assert.equal((await pending).refusal?.code, 429)
})

test('a flood of unknown ServiceAccounts is read at ten a second after a burst of twenty, and every pod is answered in time [B-08]', async t => {
  const world = await open(t)
  const pending = Array.from({ length: 1_000 }, (_, index) => world.admit(`flood-${index}`))
  await world.clock.advance(100)
  const answers = await Promise.all(pending)
  assert.ok(answers.every(({ afterMs, isMutated }) => afterMs <= 100 && !isMutated))
  assert.ok(world.reads.length >= 20 && world.reads.length <= 22, `${world.reads.length} reads`)
})

const entries = (value: unknown) => ({ data: { config: typeof value === 'string' ? value : JSON.stringify(value) } })
const configMap = 'eks/pod-identity-webhook'

async function withEntries(t: TestContext, value: unknown): Promise<World> {
  const world = await open(
    t,
    { watchConfigMap: true },
    { prepare: cluster => void cluster.put('ConfigMap', configMap, entries(value)) },
  )
  world.put('ServiceAccount', 'ns1/app')
  world.put('ServiceAccount', 'ns1/own', withRole)
  await drain()
  return world
}

const other = 'arn:aws:iam::111122223333:role/other'

test('an exact entry gives a role where the ServiceAccount has none, without an audience [A-66, A-67, A-71]', async t => {
  const world = await withEntries(t, { 'ns1/app': { RoleARN: other }, 'ns1/own': { RoleARN: other } })
  const { roleArn, audience, expiration } = await world.admit('app')
  assert.deepEqual({ roleArn, audience, expiration }, { roleArn: other, audience: undefined, expiration: 86_400 })
  assert.equal((await world.admit('own')).roleArn, role)
})

test('any namespace by an asterisk, exact before it, and no other pattern [A-68, A-69, A-70]', async t => {
  const world = await withEntries(t, {
    '*/app': { RoleARN: other },
    '*/wild': { RoleARN: other },
    'ns1/wild': { RoleARN: role },
    'ns*/glob': { RoleARN: other },
  })
  assert.equal((await world.admit('app')).roleArn, other)
  assert.equal((await world.admit('wild')).roleArn, role)
  assert.equal((await world.admit('glob')).isMutated, false)
})

for (const [what, entry] of [
  ['no role', {}],
  ['an empty role', { RoleARN: '' }],
  ['no role, and a life', { TokenExpiration: 7200 }],
] as const)
  test(`an exact entry with ${what} keeps the role for any namespace away from its ServiceAccount`, async t => {
    const world = await withEntries(t, { '*/app': { RoleARN: other }, 'ns1/app': entry })
    assert.equal((await world.admit('app')).isMutated, false)
  })

test('an exact entry that promises a role holds its pods, and does not give them the role for any namespace [S20]', async t => {
  const any = { '*/app': { RoleARN: other } }
  const world = await withEntries(t, { ...any, 'ns1/app': { Promised: true } })
  const refused = world.admit('app')
  await world.clock.advance(3_000)
  assert.equal((await refused).refusal?.code, 429)
  const pending = world.admit('app')
  await world.clock.advance(1_000)
  world.put('ConfigMap', configMap, entries({ ...any, 'ns1/app': { RoleARN: role } }))
  await world.clock.advance(1)
  const { roleArn, afterMs } = await pending
  assert.deepEqual({ roleArn, afterMs }, { roleArn: role, afterMs: 1_000 })
})

test('an exact entry without a role is no promise, whatever the entry for any namespace promises', async t => {
  const world = await withEntries(t, { '*/app': { Promised: true }, 'ns1/app': {} })
  const { isMutated, refusal } = await world.admit('app')
  assert.deepEqual({ isMutated, refusal }, { isMutated: false, refusal: undefined })
})

test('a life that the API server would refuse is raised [A-72, F-08]', async t => {
  const world = await withEntries(t, { 'ns1/app': { rolearn: other, tokenexpiration: 300 } })
  assert.equal((await world.admit('app')).expiration, 600)
})

test('an entry counts for a ServiceAccount that is not there, without waiting [A-73]', async t => {
  const world = await withEntries(t, { 'ns1/later': { RoleARN: other } })
  assert.equal((await world.admit('later')).roleArn, other)
  assert.deepEqual(world.reads, [])
  assert.equal(world.metric(missing), '0')
})

test('what an update drops is gone; what cannot be read changes nothing; nor does deletion [A-74, A-75]', async t => {
  const world = await withEntries(t, { 'ns1/app': { RoleARN: other }, 'ns1/late': { RoleARN: other } })
  world.put('ConfigMap', configMap, entries({ 'ns1/app': { RoleARN: other } }))
  await drain()
  assert.equal((await world.admit('late')).isMutated, false)
  for (const broken of [
    '{',
    '',
    '[]',
    '{"ns1/app": 7}',
    '{"ns1/app": {"RoleARN": 7}}',
    '{"ns1/app": {"TokenExpiration": 1.5}}',
  ]) {
    world.put('ConfigMap', configMap, entries(broken))
    await drain()
    assert.equal((await world.admit('app')).roleArn, other, broken)
  }
  world.remove('ConfigMap', configMap)
  await drain()
  assert.equal((await world.admit('app')).roleArn, other)
})

test('a key without a slash is ignored, the others count [A-76, F-09]', async t => {
  const world = await withEntries(t, { noslash: { RoleARN: other }, 'ns1/app': { RoleARN: other } })
  assert.equal((await world.admit('app')).roleArn, other)
})

test('without the flag the ConfigMap is not read [A-77]', async t => {
  const world = await open(
    t,
    {},
    { prepare: cluster => void cluster.put('ConfigMap', configMap, entries({ 'ns1/app': { RoleARN: other } })) },
  )
  world.put('ServiceAccount', 'ns1/app')
  await drain()
  assert.equal((await world.admit('app')).isMutated, false)
})

const path = '/etc/credentials/config.json'
const listing = (...names: string[]) =>
  JSON.stringify({ identities: names.map(name => ({ namespace: 'ns1', serviceAccount: name })) })

test('who is listed gets container credentials, known or not, with a role or without [A-78, A-81, A-85]', async t => {
  const world = await open(t, { credentialsFile: path })
  await world.files.write(path, listing('cc', 'own'))
  world.put('ServiceAccount', 'ns1/own', withRole)
  await world.clock.advance(500)
  for (const name of ['cc', 'own']) {
    const { env, audience, expiration = 0, labels } = await world.admit(name)
    assert.deepEqual(env, ['AWS_CONTAINER_CREDENTIALS_FULL_URI', 'AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE'])
    assert.equal(audience, 'pods.eks.amazonaws.com')
    assert.ok(expiration >= 79_200 && expiration <= 86_400)
    assert.deepEqual(labels, { 'eks.amazonaws.com/pod-identity': 'enabled' })
  }
  assert.equal(world.metric('pod_identity_webhook_pod_count{method="container_credentials"}'), '2')
})

test('the file is followed; what cannot be read keeps the old list; without it nobody is listed [A-89, A-90, A-91]', async t => {
  const world = await open(t, { credentialsFile: path })
  const isListed = async (name: string): Promise<boolean> => (await world.admit(name)).isMutated
  await world.files.write(path, listing('one'))
  await world.clock.advance(1_000)
  assert.deepEqual([await isListed('one'), await isListed('other')], [true, false])
  await world.files.write(path, listing('other'))
  await world.clock.advance(1_000)
  assert.deepEqual([await isListed('one'), await isListed('other')], [false, true])
  await world.files.write(path, '{"identities": [')
  await world.clock.advance(1_000)
  assert.equal(await isListed('other'), true)
  await world.files.write(path, listing('one'))
  await world.clock.advance(1_000)
  assert.deepEqual([await isListed('one'), await isListed('other')], [true, false])
  await world.files.remove(path)
  await world.clock.advance(1_000)
  assert.equal(await isListed('one'), false)
})

test('ready when each source was read once [§5.6]', async t => {
  const world = await open(t, { credentialsFile: path, watchConfigMap: true })
  await world.webhook.whenReady()
  assert.deepEqual(
    world.webhook.ready.map(({ name, check }) => [name, check().ok]),
    [
      ['serviceaccounts', true],
      ['configmap', true],
      ['container-credentials', true],
    ],
  )
})

test('upstream’s metrics and ours tell of a mutated pod [§2.16]', async t => {
  const world = await open(t)
  world.put('ServiceAccount', 'ns1/app', withRole)
  await drain()
  await world.admit('app')
  assert.equal(world.metric('pod_identity_webhook_pod_count{method="sts_web_identity"}'), '1')
  assert.equal(world.metric('pod_identity_webhook_used'), '1')
  assert.equal(world.metric('http_request_count{verb="POST",path="/mutate",code="200"}'), '1')
  assert.equal(world.metric('http_request_latencies_count{verb="POST",path="/mutate"}'), '1')
  assert.equal(world.metric('http_request_duration_microseconds_count{verb="POST",path="/mutate"}'), '1')
  assert.equal(world.metric('identity_webhook_admission_total{provider="aws",result="mutated",reason="sa_role"}'), '1')
  assert.equal(world.metric('identity_webhook_sa_lookup_total{provider="aws",outcome="hit"}'), '1')
  assert.equal(world.metric('identity_webhook_sa_cache_entries{provider="aws"}'), '1')
})

const unmutated: Admitted = {
  isMutated: false,
  roleArn: undefined,
  env: [],
  expiration: undefined,
  audience: undefined,
  labels: undefined,
  afterMs: 0,
  refusal: undefined,
}
