// The provider beside a cluster that says what the test makes it say: what it follows, what it knows, and whom it asks.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { drain, type Files, ManualClock, memoryFiles, seededRandom, silentLog } from '#base'
import { Metrics } from '#runtime'
import { type AwsWebhookSettings, defaultWebhookSettings } from '../flags/settings.ts'
import { webhookMetrics } from '../serve/metrics.ts'
import { fakeCluster } from '../testing/fake-cluster.ts'
import { awsProvider } from './provider.ts'

const role = 'arn:aws:iam::111122223333:role/r'
const withRole = { metadata: { annotations: { 'eks.amazonaws.com/role-arn': role, other: 'x' } } }
const path = '/identities'
const files = (): Files => memoryFiles({ [path]: '{"identities": [{"namespace": "ns", "serviceAccount": "cc"}]}' })

/** Running until the test ends, with ServiceAccounts ns/app, which has a role, and ns/plain. */
async function following(t: TestContext, settings: Partial<AwsWebhookSettings>, given: Pick<Files, 'info' | 'read'> = files()) {
  const cluster = fakeCluster()
  cluster.put('ServiceAccount', 'ns/app', withRole)
  cluster.put('ServiceAccount', 'ns/plain')
  const config = JSON.stringify({ 'ns/map': { RoleARN: role, TokenExpiration: 900 }, '*/any': { Audience: 'a', Promised: true } })
  cluster.put('ConfigMap', 'eks/pod-identity-webhook', { data: { config } })
  const clock = new ManualClock()
  const metrics = new Metrics()
  const provider = awsProvider({
    client: cluster.client,
    seams: { clock, random: seededRandom(1), log: silentLog, files: given as Files },
    settings: { ...defaultWebhookSettings, ...settings },
    metrics: webhookMetrics(metrics),
    isPromised: () => false,
  })
  const stop = new AbortController()
  const running = provider.sources.map(source => source.run(stop.signal))
  const end = async (): Promise<void> => {
    stop.abort(new Error('the test ends'))
    await clock.advance(0)
    await Promise.all(running)
    assert.equal(clock.pendingCount(), 0, 'a timer outlives the provider')
  }
  t.after(end)
  await drain()
  await drain()
  const decide = (name: string) =>
    Promise.resolve(
      provider.decide(
        { namespace: 'ns', object: { metadata: {}, spec: { serviceAccountName: name, containers: [] } } },
        { signal: new AbortController().signal, untilMs: clock.monotonicMs() + 9_500 },
      ),
    )
  const believed = (): string | undefined =>
    /^identity_webhook_believed_total\{provider="aws"\} (.*)$/m.exec(metrics.expose())?.[1]
  return { cluster, clock, provider, decide, believed }
}

const accounts = { 'ns/app': { 'eks.amazonaws.com/role-arn': role }, 'ns/plain': {} }
const entry = { roleArn: '', audience: '', regionalSts: false, expirationSeconds: 0, isPromised: false }

for (const [settings, sources, known] of [
  [{}, ['serviceaccounts'], { serviceAccounts: accounts, configMap: {}, containerCredentials: [] }],
  [
    { watchConfigMap: true, credentialsFile: path },
    ['serviceaccounts', 'configmap', 'container-credentials'],
    {
      serviceAccounts: accounts,
      configMap: {
        'ns/map': { ...entry, roleArn: role, expirationSeconds: 900 },
        '*/any': { ...entry, audience: 'a', isPromised: true },
      },
      containerCredentials: ['ns/cc'],
    },
  ],
] as const)
  test(`it follows ${sources.join(' and ')}, and tells all that it knows of them [§2.17]`, async t => {
    const { provider } = await following(t, settings)
    assert.deepEqual(
      provider.sources.map(({ name, synced }) => [name, synced]),
      sources.map(name => [name, true]),
    )
    assert.deepEqual(JSON.parse(JSON.stringify(provider.knows())), known)
    assert.deepEqual(
      provider.sources.flatMap(({ watched }) => watched ?? []),
      sources
        .filter(name => name !== 'container-credentials')
        .map(name => ({ resource: name === 'configmap' ? 'configmaps' : name, watches: 1 })),
    )
  })

test('a credentials file that does not come in time leaves it open whether the pod has them, and that is the reason [S20]', async t => {
  const memory = files()
  let come = (): void => undefined
  let isStuck = false
  const stuck = new Promise<void>(resolve => (come = resolve))
  const info: Files['info'] = async file => {
    if (isStuck) await stuck
    return memory.info(file)
  }
  const { clock, decide } = await following(t, { credentialsFile: path }, { info, read: file => memory.read(file) })
  isStuck = true
  const reasons: string[] = []
  void decide('plain').then(({ reason }) => reasons.push(reason))
  await clock.advance(99)
  assert.deepEqual(reasons, [])
  await clock.advance(1)
  assert.deepEqual(reasons, ['lookup_timeout'])
  come()
  await drain()
  assert.equal((await decide('plain')).reason, 'no_role')
})

for (const [what, lookup, believed, reads] of [
  ['a read', {}, '1', ['ns/plain']],
  ['a read and a grace of 0', { graceMs: 0 }, undefined, []],
  ['nothing', { confirmation: { kind: 'none' } }, undefined, []],
] as const)
  test(`where ${what} confirms that there is no role, ${believed === undefined ? 'nothing is read' : 'it is read'} behind the answer for a steady one`, async t => {
    const world = await following(t, { lookup: { ...defaultWebhookSettings.lookup, ...lookup } })
    await world.clock.advance(300_000)
    world.cluster.put('ServiceAccount', 'ns/heartbeat')
    await drain()
    assert.equal((await world.decide('plain')).reason, 'no_role')
    await world.clock.advance(20)
    assert.deepEqual([world.believed(), world.cluster.reads], [believed, reads])
  })
