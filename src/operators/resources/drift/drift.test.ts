// 9.7: drift as it happens, from a queue with the events of CloudTrail.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLogTo, type HttpExchange, ManualClock } from '#base'
import { Metrics } from '#runtime'
import { conditions } from '../api.ts'
import { changes } from '../testing/changes.ts'
import { type MessageQueue, messageQueue } from '../testing/message-queue.ts'
import { account, type ResourceWorld, type ResourceWorldOptions, region, resourceWorld, trust } from '../testing/world.ts'

interface Call {
  readonly service?: string
  readonly name?: string
  readonly requestParameters?: object
  readonly more?: object
}

/** As EventBridge delivers what CloudTrail records. */
function called({ service = 'iam', name = 'UpdateRole', requestParameters = { roleName: 'reader' }, more = {} }: Call): object {
  return {
    version: '0',
    id: '0d4a1f4e-0000-4000-8000-000000000000',
    'detail-type': 'AWS API Call via CloudTrail',
    source: `aws.${service}`,
    account,
    time: '2026-11-21T12:00:00Z',
    region,
    resources: [],
    detail: {
      eventVersion: '1.09',
      userIdentity: { type: 'IAMUser', arn: `arn:aws:iam::${account}:user/somebody` },
      eventSource: `${service}.amazonaws.com`,
      eventName: name,
      awsRegion: service === 'iam' || service === 'route53' ? 'us-east-1' : region,
      requestParameters,
      responseElements: null,
      requestID: 'somebody-elses',
      readOnly: false,
      recipientAccountId: account,
      ...more,
    },
  }
}

interface Driven {
  readonly world: ResourceWorld
  readonly queue: MessageQueue
  readonly metrics: Metrics
}

/** `beside`: gets between the operator and AWS, but not its queue. */
function driven(options: ResourceWorldOptions = {}, beside = (exchange: HttpExchange): HttpExchange => exchange): Driven {
  const metrics = new Metrics()
  const queue = messageQueue(() => world.clock)
  const world: ResourceWorld = resourceWorld({
    kinds: ['Role', 'Policy'],
    driftQueues: [queue.url],
    metrics,
    throughAws: exchange => queue.through(beside(exchange)),
    ...options,
  })
  return { world, queue, metrics }
}

async function makeRole(world: ResourceWorld, name = 'reader'): Promise<void> {
  await world.create('Role', name, { name, description: 'reads', assumeRolePolicyDocument: trust() })
  await world.advance(5_000)
}

function results({ metrics }: Driven): Readonly<Record<string, number>> {
  const counter = metrics.counter('vouch_drift_messages_total', 'Messages of drift queues, by what became of them.')
  const all = ['looked', 'own', 'harmless', 'unrelated', 'unreadable']
  return Object.fromEntries(all.map(result => [result, counter.value({ result })]).filter(([, count]) => count !== 0))
}

async function changeByHand(world: ResourceWorld, RoleName = 'reader'): Promise<void> {
  await world.client('iam').call('UpdateRole', { RoleName, Description: 'by hand', MaxSessionDuration: 3_600 })
  world.aws.calls.clear()
}

test('an event about a role has it looked at and put right at once, and only it; the message is then deleted [9.7]', async () => {
  const drift = driven()
  const { world, queue } = drift
  await using _ = world
  const { passes } = world.start()
  await makeRole(world)
  await makeRole(world, 'writer')
  await changeByHand(world)
  const before = passes.length
  queue.send(called({}))
  await world.settle()
  assert.deepEqual(changes(world), ['UpdateRole'])
  assert.deepEqual([...new Set(passes.slice(before).map(({ key }) => key.name))], ['reader'])
  await world.advance(1_000)
  assert.equal(queue.size, 0)
  assert.deepEqual(results(drift), { looked: 1 })
})

test('an event is followed by a full look, although cheap reads are on and no list shows what it speaks of [9.7]', async () => {
  const drift = driven({ cheapReadSeconds: 600 })
  const { world, queue } = drift
  await using _ = world
  world.start()
  await makeRole(world)
  await world.advance(1_500_000)
  // Roles are listed without their tags.
  await world.client('iam').call('TagRole', { RoleName: 'reader', Tags: [{ Key: 'stray', Value: 'x' }] })
  world.aws.calls.clear()
  await world.advance(1_500_000)
  assert.deepEqual(changes(world), [])
  queue.send(called({ name: 'TagRole' }))
  await world.settle()
  assert.deepEqual(changes(world), ['UntagRole'])
})

test('the echo of our own call is dropped without a look; reads, refused calls and strangers are too [9.7]', async () => {
  const drift = driven()
  const { world, queue } = drift
  await using _ = world
  world.start()
  await makeRole(world)
  const own = world.aws.calls.all().find(({ operation }) => operation === 'CreateRole')
  world.aws.calls.clear()
  queue.send(called({ name: 'CreateRole', more: { requestID: own?.requestId } }))
  queue.send(called({ name: 'GetRole', more: { readOnly: true } }))
  queue.send(called({ more: { errorCode: 'AccessDenied' } }))
  queue.send(called({ requestParameters: { roleName: 'stranger' } }))
  queue.send(called({ more: { recipientAccountId: '444455556666' } }))
  queue.send(called({ service: 'eks', requestParameters: { name: 'reader' } }))
  await world.advance(5_000)
  assert.deepEqual(world.calls(), [])
  assert.equal(queue.size, 0)
  assert.deepEqual(results(drift), { own: 1, harmless: 2, unrelated: 3 })
})

test('messages that are no event are dropped and counted, and those behind them are read [9.7]', async () => {
  const drift = driven()
  const { world, queue } = drift
  await using _ = world
  world.start()
  await makeRole(world)
  await changeByHand(world)
  const hostile = `${'{"a":'.repeat(2_000)}1${'}'.repeat(2_000)}`
  const deep = JSON.parse(`${'['.repeat(3_000)}"reader"${']'.repeat(3_000)}`) as object
  for (const body of ['', 'x', '[]', 'null', '{}', '{"Type":"Notification"}', '{"detail":{}}', hostile]) queue.send(body)
  queue.send(called({ requestParameters: deep }))
  queue.send(called({ more: { eventSource: 7, requestID: {}, recipientAccountId: [] }, requestParameters: { __proto__: null } }))
  // Through a topic.
  queue.send({ Type: 'Notification', Message: JSON.stringify(called({})) })
  await world.advance(60_000)
  assert.deepEqual(results(drift), { unreadable: 8, unrelated: 2, looked: 1 })
  assert.equal(queue.size, 0)
  assert.deepEqual(changes(world), ['UpdateRole'])
})

test('a message that comes twice costs a look, and no second change [9.7]', async () => {
  const drift = driven()
  const { world, queue } = drift
  await using _ = world
  world.start()
  await makeRole(world)
  await changeByHand(world)
  for (let copy = 0; copy < 3; copy++) queue.send(called({}))
  await world.advance(60_000)
  assert.deepEqual(changes(world), ['UpdateRole'])
  assert.equal(queue.size, 0)
})

test('what was not looked at when the process stopped is handed to its successor [9.7]', async () => {
  const line = { isStuck: false }
  const hang =
    (exchange: HttpExchange): HttpExchange =>
    request =>
      line.isStuck ? new Promise(() => {}) : exchange(request)
  const { world, queue } = driven({}, hang)
  await using _ = world
  const first = world.start()
  await makeRole(world)
  await changeByHand(world)
  line.isStuck = true
  queue.send(called({}))
  await world.advance(1_000)
  assert.equal(queue.size, 1, 'the look is under way')
  await first.stop()
  assert.equal(queue.size, 1)
  line.isStuck = false
  world.start()
  await world.advance(400_000)
  assert.deepEqual([queue.size, queue.handedOut], [0, 2])
  assert.deepEqual(changes(world), ['UpdateRole'])
})

for (const [code, status, next] of [
  ['AccessDeniedException', 403, /allow sqs:ReceiveMessage/],
  ['QueueDoesNotExist', 400, /make the queue/],
  ['InternalError', 500, /tried again/],
] as const)
  test(`${code} of the queue is told once, objects go on, and events are read once it answers [9.7]`, async () => {
    const warnings: Readonly<Record<string, unknown>>[] = []
    const log = createLogTo({ clock: new ManualClock(), level: 'warn' }, (_level, message, fields) => {
      if (message.startsWith('the drift queue cannot be read')) warnings.push(fields)
    })
    const drift = driven({ log })
    const { world, queue, metrics } = drift
    await using _ = world
    queue.refuse(code, status)
    world.start()
    await makeRole(world)
    assert.equal((await world.condition('Role', 'reader', conditions.ready))?.status, 'True')
    await world.advance(1_200_000)
    assert.equal(warnings.length, 1)
    assert.match(String(warnings[0]?.['next']), next)
    const reachable = metrics.gauge('vouch_drift_queue_reachable', '1 while a drift queue can be read, else 0.')
    assert.equal(reachable.value({ queue: queue.url }), 0)
    await changeByHand(world)
    queue.refuse(undefined)
    queue.send(called({}))
    await world.advance(301_000)
    assert.equal(reachable.value({ queue: queue.url }), 1)
    assert.deepEqual(changes(world), ['UpdateRole'])
    assert.equal(queue.size, 0)
  })

test('a queue that is empty is asked once in twenty seconds, and nothing is written [9.7]', async () => {
  const { world, queue } = driven()
  await using _ = world
  const { passes } = world.start()
  await makeRole(world)
  const [before, done] = [queue.receives, passes.length]
  await world.advance(600_000)
  assert.equal(queue.receives - before, 30)
  assert.equal(passes.length, done)
})

test('buckets, zones, records, keys by ARN: each is found by what CloudTrail says of it [9.7]', async () => {
  const { world, queue } = driven({ services: ['s3', 'route53'], kinds: ['Bucket', 'HostedZone', 'RecordSet'] })
  await using _ = world
  world.start()
  await world.create('Bucket', 'data', { name: 'data-1b2c' })
  await world.create('HostedZone', 'zone', { name: 'example.com.' })
  await world.create('RecordSet', 'www', {
    hostedZoneRef: { from: { name: 'zone' } },
    name: 'www',
    recordType: 'A',
    ttl: 60,
    resourceRecords: [{ value: '192.0.2.1' }],
  })
  await world.advance(120_000)
  const id = String((await world.get('HostedZone', 'zone'))?.status?.['id'])
    .split('/')
    .at(-1)
  const changeOf = (name: string): object => ({
    hostedZoneId: id,
    changeBatch: { changes: [{ action: 'UPSERT', resourceRecordSet: { name, type: 'A' } }] },
  })
  for (const [call, expected] of [
    [
      { service: 's3', name: 'PutBucketTagging', requestParameters: { bucketName: 'data-1b2c', Host: 's3.amazonaws.com' } },
      'GetBucketTagging',
    ],
    [{ service: 'route53', name: 'ChangeTagsForResource', requestParameters: { resourceId: id } }, 'GetHostedZone'],
    [
      { service: 'route53', name: 'ChangeResourceRecordSets', requestParameters: changeOf('www.example.com.') },
      'ListResourceRecordSets',
    ],
    [
      { service: 'tagging', name: 'TagResources', requestParameters: { resourceARNList: ['arn:aws:s3:::data-1b2c'] } },
      'GetBucketTagging',
    ],
  ] as const) {
    world.aws.calls.clear()
    queue.send(called(call))
    await world.advance(1_000)
    assert.ok(world.calls().includes(expected), `${call.name}: ${world.calls().join(', ')}`)
    assert.deepEqual(changes(world), [])
  }
  world.aws.calls.clear()
  queue.send(called({ service: 'route53', name: 'ChangeResourceRecordSets', requestParameters: changeOf('mail.example.com.') }))
  await world.advance(1_000)
  assert.ok(!world.calls().includes('ListResourceRecordSets'), 'another record is nobody of ours')
})
