// ServiceAccounts that have not changed for minutes: answered for at once by what the watch says, confirmed behind the answer.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { drain, type Log, type LogFields, silentLog } from '#base'
import { type AwsWebhookSettings, defaultWebhookSettings } from '../flags/settings.ts'
import {
  askReview,
  openWebhook,
  type ReviewResponse,
  type WebhookWorld,
  type WebhookWorldOptions,
} from './webhook-world.fixture.ts'

const role = 'arn:aws:iam::111122223333:role/r'
const withRole = { metadata: { annotations: { 'eks.amazonaws.com/role-arn': role } } }
const made = { metadata: {} }
const late = (by: string): string => `identity_webhook_late_role_total{provider="aws",brought_by="${by}"}`
const lateByRead = late('read')
const lateByWatch = late('watch')
const believed = 'identity_webhook_believed_total{provider="aws"}'
const unconfirmed = 'identity_webhook_unconfirmed_total{provider="aws"}'
const steadyAfterMs = 300_000

interface SteadyWorld extends WebhookWorld {
  ask(account: string, annotations?: object): Promise<ReviewResponse>
  metric(name: string): number
  readonly lines: readonly string[]
  readonly fields: readonly LogFields[]
}

/** With the ServiceAccount `plain`, long after the start, and a watch that was just heard of. */
async function open(
  t: TestContext,
  settings: Partial<AwsWebhookSettings> = {},
  more: WebhookWorldOptions = {},
): Promise<SteadyWorld> {
  const lines: string[] = []
  const fields: LogFields[] = []
  const warn: Log['warn'] = (message, more = {}) => {
    lines.push(message)
    fields.push(more)
  }
  const log: Log = { ...silentLog, warn }
  const prepare = (cluster: WebhookWorld['cluster']): void => {
    cluster.put('ServiceAccount', 'ns1/plain', made)
    more.prepare?.(cluster)
  }
  const world = await openWebhook(t, settings, { log, ...more, prepare })
  await world.clock.advance(steadyAfterMs)
  await hearOf(world)
  return {
    ...world,
    lines,
    fields,
    ask: async (account, annotations = {}) =>
      (await askReview(world.webhook, { object: { metadata: { annotations }, spec: { serviceAccountName: account } } })).response,
    metric: name =>
      Number(
        world.webhook.metrics
          .expose()
          .split('\n')
          .find(line => line.startsWith(`${name} `))
          ?.split(' ')
          .at(-1) ?? 0,
      ),
  }
}

/** The watch says something of somebody else. */
async function hearOf({ cluster }: Pick<WebhookWorld, 'cluster'>): Promise<void> {
  cluster.put('ServiceAccount', 'ns1/heartbeat')
  cluster.put('ConfigMap', 'eks/heartbeat')
  await drain()
}

test('a pod of one that has not changed for long is answered before anything is read, and confirmed behind the answer', async t => {
  const world = await open(t)
  assert.deepEqual(await world.ask('plain'), { uid: 'u', allowed: true })
  assert.deepEqual(world.cluster.reads, [])
  await world.clock.advance(20)
  assert.deepEqual(world.cluster.reads, ['ns1/plain'])
  assert.deepEqual([world.metric(believed), world.metric(lateByRead), world.metric(unconfirmed)], [1, 0, 0])
  assert.deepEqual(world.lines, [])
})

test('pods of one ServiceAccount that come together share the read behind them, and the next pod gets one of its own', async t => {
  const world = await open(t)
  for (let pod = 0; pod < 50; pod++) await world.ask('plain')
  await world.clock.advance(20)
  assert.deepEqual(world.cluster.reads, ['ns1/plain'])
  await world.ask('plain')
  await world.clock.advance(20)
  assert.deepEqual(world.cluster.reads, ['ns1/plain', 'ns1/plain'])
})

test('a role that the watch had not brought is told with the pods that lack it, and from then on every pod waits for its read [S20]', async t => {
  const world = await open(t)
  world.cluster.hold()
  world.cluster.put('ServiceAccount', 'ns1/plain', withRole)
  world.cluster.put('ServiceAccount', 'ns1/other', made)
  assert.equal((await world.ask('plain')).patch, undefined)
  assert.equal((await world.ask('plain')).patch, undefined)
  await world.clock.advance(20)
  assert.equal(world.metric(lateByRead), 2)
  assert.deepEqual(world.lines, [
    'pods were let in without the role that their ServiceAccount has, which the watch had not brought; restart them',
  ])
  assert.notEqual((await world.ask('plain')).patch, undefined)
})

test('a watch that was found behind is believed again after a minute', async t => {
  const world = await open(t, {}, { prepare: cluster => void cluster.put('ServiceAccount', 'ns1/second', made) })
  world.cluster.hold()
  world.cluster.put('ServiceAccount', 'ns1/plain', withRole)
  await world.ask('plain')
  await world.clock.advance(20)
  world.cluster.release()
  await drain()
  const readsBefore = world.cluster.reads.length
  await world.ask('second')
  assert.equal(world.cluster.reads.length, readsBefore + 1)
  await world.clock.advance(60_000)
  await world.ask('second')
  assert.equal(world.cluster.reads.length, readsBefore + 1)
  assert.equal(world.metric(believed), 2)
})

test('a role that the watch brings while the read waits for its turn is told as well [S20]', async t => {
  const world = await open(t)
  await world.ask('plain')
  world.cluster.put('ServiceAccount', 'ns1/plain', withRole)
  await world.clock.advance(20)
  assert.deepEqual([world.metric(lateByWatch), world.metric(lateByRead)], [1, 0])
  assert.deepEqual(world.lines, [
    'pods were let in without a role, and their ServiceAccount was given one at about that time; restart them',
  ])
  assert.deepEqual(world.cluster.reads, [])
})

test('what the API server does not say afterwards either is told [S20]', async t => {
  const world = await open(t)
  world.cluster.read = 'hang'
  await world.ask('plain')
  await world.clock.advance(5_020)
  assert.equal(world.metric(unconfirmed), 1)
  assert.deepEqual(world.lines, [
    'pods were let in without a role, and the API server did not say afterwards whether they should have one',
  ])
})

for (const [what, prepare] of [
  ['was made', (cluster: WebhookWorld['cluster']) => cluster.put('ServiceAccount', 'ns1/young')],
  [
    'was changed',
    (cluster: WebhookWorld['cluster']) =>
      cluster.put('ServiceAccount', 'ns1/plain', { metadata: { annotations: { other: 'x' } } }),
  ],
] as const)
  test(`one that ${what} a moment ago is read before the answer, until it has not changed for the time`, async t => {
    const world = await open(t)
    const { name } = prepare(world.cluster).metadata
    await drain()
    await world.ask(name)
    assert.deepEqual(world.cluster.reads, [`ns1/${name}`])
    await world.clock.advance(299_999)
    world.cluster.put('ServiceAccount', 'ns1/heartbeat')
    await drain()
    await world.ask(name)
    assert.equal(world.cluster.reads.length, 2)
    await world.clock.advance(1)
    await world.ask(name)
    assert.equal(world.cluster.reads.length, 2)
  })

test('after a start each is read before the answer until the time has passed, whenever it was made', async t => {
  const lines: string[] = []
  const log: Log = { ...silentLog, warn: message => void lines.push(message) }
  const prepare = (cluster: WebhookWorld['cluster']): void => void cluster.put('ServiceAccount', 'ns1/plain', made)
  const world = await openWebhook(t, {}, { log, prepare })
  const ask = (): Promise<unknown> => askReview(world.webhook, { object: { spec: { serviceAccountName: 'plain' } } })
  await ask()
  assert.equal(world.cluster.reads.length, 1)
  await world.clock.advance(steadyAfterMs - 1)
  await hearOf(world)
  await ask()
  assert.equal(world.cluster.reads.length, 2)
  await world.clock.advance(1)
  await ask()
  assert.equal(world.cluster.reads.length, 2)
})

test('with a credentials file none is believed by the watch alone: a file is no watch, and may have named it since', async t => {
  const world = await open(t, { credentialsFile: '/credentials' })
  await world.ask('plain')
  assert.deepEqual(world.cluster.reads, ['ns1/plain'])
})

test('a role that the watch brings while the read is under way leaves the watch believed [S20]', async t => {
  const world = await open(t, {}, { prepare: cluster => void cluster.put('ServiceAccount', 'ns1/second', made) })
  world.cluster.read = 'hang'
  await world.ask('plain')
  await world.clock.advance(20)
  world.cluster.put('ServiceAccount', 'ns1/plain', withRole)
  await drain()
  world.cluster.read = 'answer'
  world.cluster.answerReads()
  await drain()
  assert.deepEqual([world.metric(lateByWatch), world.metric(lateByRead)], [1, 0])
  await world.ask('second')
  assert.equal(world.metric(believed), 2)
})

test('a requirement that the watch had not brought is told, and from then on every pod waits for its read [S20]', async t => {
  const world = await open(t)
  world.cluster.hold()
  world.cluster.put('ServiceAccount', 'ns1/plain', { metadata: { annotations: { 'eks.amazonaws.com/require-role': 'true' } } })
  assert.equal((await world.ask('plain')).allowed, true)
  await world.clock.advance(20)
  assert.equal(world.metric(late('promise')), 1)
  assert.deepEqual(world.lines, [
    'pods were let in without a role, and their ServiceAccount requires one that is not there yet; restart them once it is',
  ])
  const pending = world.ask('plain')
  await world.clock.advance(3_000)
  assert.equal((await pending).allowed, false)
})

test('many that turn out to have a role are a line at once and a line a second, with so many names and no more', async t => {
  const names = Array.from({ length: 40 }, (_, index) => `ns1/a${index}`)
  const prepare = (cluster: WebhookWorld['cluster']): void => {
    for (const name of names) cluster.put('ServiceAccount', name, made)
  }
  const world = await open(t, {}, { prepare })
  world.cluster.hold()
  for (const name of names) world.cluster.put('ServiceAccount', name, withRole)
  for (const name of names) await world.ask(name.slice('ns1/'.length))
  await world.clock.advance(20)
  assert.deepEqual([world.metric(lateByRead), world.lines.length], [40, 1])
  await world.clock.advance(1_000)
  assert.deepEqual(world.fields[0], { serviceAccounts: ['ns1/a0'], pods: 1 })
  assert.deepEqual([world.lines.length, world.fields[1]?.['pods'], world.fields[1]?.['moreServiceAccounts']], [2, 39, 19])
  assert.deepEqual(world.fields[1]?.['serviceAccounts'], names.slice(1, 21))
})

test('a watch that is silent for longer than a bookmark takes is not believed', async t => {
  const world = await open(t)
  await world.clock.advance(89_999)
  await world.ask('plain')
  assert.deepEqual(world.cluster.reads, [])
  await world.clock.advance(20)
  await world.ask('plain')
  assert.deepEqual(world.cluster.reads, ['ns1/plain', 'ns1/plain'])
})

for (const [who, more, annotations] of [
  ['the pod', {}, { 'eks.amazonaws.com/require-role': 'true' }],
  ['whoever binds roles', { isPromised: () => true }, {}],
] as const)
  test(`one for which ${who} says that a role is coming is held, however long it has not changed [S20]`, async t => {
    const world = await open(t, {}, more)
    const pending = world.ask('plain', annotations)
    await world.clock.advance(2_999)
    world.cluster.put('ServiceAccount', 'ns1/plain', withRole)
    await world.clock.advance(1)
    assert.notEqual((await pending).patch, undefined)
    assert.equal(world.metric(believed), 0)
  })

test('an entry of the ConfigMap that changed a moment ago unsettles its ServiceAccount, and no other', async t => {
  const entries = (value: object) => ({ data: { config: JSON.stringify(value) } })
  const prepare = (cluster: WebhookWorld['cluster']): void => {
    for (const name of ['b', 'c']) cluster.put('ServiceAccount', `ns1/${name}`, made)
    cluster.put('ConfigMap', 'eks/pod-identity-webhook', entries({}))
  }
  const world = await open(t, { watchConfigMap: true }, { prepare })
  world.cluster.put('ConfigMap', 'eks/pod-identity-webhook', entries({ 'ns1/b': { Audience: 'x' }, '*/c': { Audience: 'x' } }))
  await drain()
  await world.ask('plain')
  assert.equal(world.cluster.reads.length, 0)
  await world.ask('b')
  await world.ask('c')
  assert.deepEqual(
    world.cluster.reads.filter(read => read.startsWith('ns1/')),
    ['ns1/b', 'ns1/c'],
  )
})

test('a role that only the ConfigMap names, and its watch has not brought, is told [S20]', async t => {
  const entries = (value: object) => ({ data: { config: JSON.stringify(value) } })
  const prepare = (cluster: WebhookWorld['cluster']): void =>
    void cluster.put('ConfigMap', 'eks/pod-identity-webhook', entries({}))
  const world = await open(t, { watchConfigMap: true }, { prepare })
  world.cluster.hold()
  world.cluster.put('ConfigMap', 'eks/pod-identity-webhook', entries({ '*/plain': { RoleARN: role } }))
  await world.ask('plain')
  await world.clock.advance(20)
  assert.equal(world.metric(lateByRead), 1)
})

test('where more ServiceAccounts wait for their reads than may, the next pods wait for their answers', async t => {
  const prepare = (cluster: WebhookWorld['cluster']): void => {
    for (let index = 0; index < 1_001; index++) cluster.put('ServiceAccount', `ns1/a${index}`, made)
  }
  const world = await open(t, {}, { prepare })
  for (let index = 0; index < 1_000; index++) await world.ask(`a${index}`)
  assert.deepEqual(world.cluster.reads, [])
  await world.ask('a1000')
  assert.deepEqual(world.cluster.reads, ['ns1/a1000'])
})

/** More than are worth a list for a thousand of them. */
const veryMany = 16_001

function withAccounts(count: number): (cluster: WebhookWorld['cluster']) => void {
  return cluster => {
    for (let index = 0; index < count; index++) cluster.put('ServiceAccount', `ns1/a${index}`, made)
  }
}

test('the reads behind are no more than the budget allows, and cover everybody in the end', async t => {
  const world = await open(t, {}, { prepare: withAccounts(veryMany) })
  const listsBefore = world.cluster.lists
  for (let index = 0; index < 1_000; index++) await world.ask(`a${index}`)
  await world.clock.advance(1_000)
  assert.ok(world.cluster.reads.length >= 395 && world.cluster.reads.length <= 400, `${world.cluster.reads.length} reads`)
  await world.clock.advance(3_100)
  assert.equal(new Set(world.cluster.reads).size, 1_000)
  assert.equal(world.cluster.lists, listsBefore)
})

test('where a list of all costs less than the reads, it takes their place, and finds what the watch has not brought [S20]', async t => {
  const world = await open(t, {}, { prepare: withAccounts(1_000) })
  world.cluster.hold()
  world.cluster.put('ServiceAccount', 'ns1/a500', withRole)
  const listsBefore = world.cluster.lists
  for (let index = 0; index < 1_000; index++) await world.ask(`a${index}`)
  await world.clock.advance(1_000)
  assert.equal(world.cluster.lists - listsBefore, 1)
  assert.deepEqual(world.cluster.reads, [])
  assert.equal(world.metric(lateByRead), 1)
  assert.deepEqual([world.fields[0]?.['serviceAccounts'], world.fields[0]?.['pods']], [['ns1/a500'], 1])
  assert.notEqual((await world.ask('a500')).patch, undefined)
})

for (const [what, count] of [
  ['by reads', veryMany],
  ['by a list', 1_000],
] as const)
  test(`whoever comes last in the longest line, ${what}, with an API server that says nothing, is told of within ten seconds [S20]`, async t => {
    const world = await open(t, {}, { prepare: withAccounts(count) })
    world.cluster.read = 'hang'
    world.cluster.holdLists = true
    for (let index = 0; index < 1_000; index++) await world.ask(`a${index}`)
    await world.clock.advance(9_500)
    assert.equal(world.metric(unconfirmed), 1_000)
  })

test('with 0s none is believed by the watch alone', async t => {
  const world = await open(t, { lookup: { ...defaultWebhookSettings.lookup, confirmation: { kind: 'read', steadyAfterMs: 0 } } })
  await world.ask('plain')
  assert.deepEqual(world.cluster.reads, ['ns1/plain'])
})
