// The whole room: hub, workload clusters, AWS, ACK stand-ins and the operator in one process; tokens are really issued and really verified.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type EventObject, events, mutatingWebhookConfigurations, type StoredObject, secrets } from '#kube'
import { configKind, roleKind } from './api.ts'
import { bucketKind, providerKind } from './children/kinds.ts'
import { bucketName } from './names.ts'
import { askSts, issuerOf, signingSecret, takeUpKey, tokenOf } from './testing/chain.ts'
import { type RoomWorld, region, roomWorld, type Target, told } from './testing/room-world.ts'

const minute = 60_000
const hour = 60 * minute
const selfHosted = { type: 'SelfHostedIRSA', region } as const
const configKey = (namespace: string) => ({ namespace, name: 'default' })

async function readyCluster(world: RoomWorld, name: string): Promise<Target> {
  const target = await world.addCluster(name, { issuer: issuerOf(name) })
  await world.makeConfig(name, selfHosted)
  return target
}

test('a token of the cluster gets its role, and no other token does (S10, S11)', async () => {
  await using world = roomWorld()
  const [a, b] = [await readyCluster(world, 'wlc-a'), await readyCluster(world, 'wlc-b')]
  world.start()
  for (const target of [a, b]) await world.makeRole(target.name, 'app')
  await world.makeRole('wlc-a', 'other')
  await world.advance(5_000)
  for (const target of [a, b]) await takeUpKey(world, target)
  const arn = (await world.role('wlc-a', 'app'))?.status?.roleARN
  assert.equal(await askSts(world, arn, await tokenOf(a, 'app')), 'ok')
  assert.equal(await askSts(world, arn, await tokenOf(a, 'other')), 'AccessDenied')
  assert.equal(await askSts(world, arn, await tokenOf(b, 'app')), 'AccessDenied')
  assert.equal(await askSts(world, (await world.role('wlc-b', 'app'))?.status?.roleARN, await tokenOf(b, 'app')), 'ok')
})

test('a ClusterProfile that appears is an event: no time passes until the Config is Ready [M7]', async () => {
  await using world = roomWorld()
  await world.addCluster('wlc-a', { publish: false })
  await world.makeConfig('wlc-a', selfHosted)
  world.start()
  await world.advance(minute)
  assert.equal(told(await world.config('wlc-a')).Ready, 'False ClusterProfileNotFound')
  await world.publish('wlc-a')
  await world.settle()
  await world.settle()
  assert.equal(told(await world.config('wlc-a')).Ready, 'True Reconciled')
})

test('a restart writes nothing, changes no condition, and looks at S3 once, by itself and as anybody (72) [M6, D4]', async () => {
  await using world = roomWorld()
  await readyCluster(world, 'wlc-a')
  const first = world.start()
  await world.makeRole('wlc-a', 'app')
  await world.advance(5_000)
  await first.stop()
  world.aws.calls.clear()
  const second = world.start()
  await world.advance(minute)
  assert.deepEqual(
    second.passes.flatMap(({ writes }) => writes),
    [],
  )
  const calls = world.aws.calls
    .all({ service: 's3' })
    .map(({ operation }) => operation)
    .filter(name => name !== 'CreateBucket' && !name.startsWith('PutBucket') && !name.startsWith('PutPublic'))
  assert.deepEqual(calls, ['HeadObject', 'HeadObject', 'GetObject', 'GetObject'])
})

test('a Config is Ready only when anybody can read the documents, and says what to do until then', async () => {
  await using world = roomWorld()
  await readyCluster(world, 'wlc-a')
  let isBlocked = true
  const refusal = '<Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>'
  const answer = { status: 403, headers: { 'content-type': 'application/xml' }, body: new TextEncoder().encode(refusal) }
  world.start({
    throughAws: exchange => async request =>
      isBlocked && request.headers['authorization'] === undefined ? answer : exchange(request),
  })
  await world.advance(5_000)
  assert.equal(told(await world.config('wlc-a')).IssuerReady, 'False WaitingForACK', 'a moment is left to S3')
  await world.advance(minute)
  const config = await world.config('wlc-a')
  assert.deepEqual(
    [told(config).OIDCObjectsPublished, told(config).IssuerReady, told(config).Ready],
    ['False OIDCObjectsPublishFailed', 'False OIDCObjectsPublishFailed', 'False OIDCObjectsPublishFailed'],
  )
  const said = config?.status?.conditions?.find(({ type }) => type === 'IssuerReady')?.message ?? ''
  assert.match(
    said,
    /^the public, and so STS, may not read \S+ of bucket awi-wlc-a-\S+ \(AccessDenied\): let the bucket policy take effect/,
  )
  isBlocked = false
  await world.advance(minute)
  assert.equal(told(await world.config('wlc-a')).Ready, 'True Reconciled')
})

test('hours at rest bring no write; S3 is looked at, and not written, within the hourly budget [L2, B7]', async () => {
  await using world = roomWorld()
  await readyCluster(world, 'wlc-a')
  const run = world.start()
  await world.makeRole('wlc-a', 'app')
  await world.advance(5_000)
  run.passes.length = 0
  world.aws.calls.clear()
  world.ack.down.add('Bucket').add('OpenIDConnectProvider').add('Role').add('Policy')
  // A whole day is what `npm run bench -- identity` waits for.
  await world.advance(3 * hour)
  assert.deepEqual(
    run.passes.flatMap(({ writes }) => writes.map(({ verb, type }) => `${verb} ${type.kind}`)),
    [],
  )
  const operations = world.aws.calls.all().map(({ operation }) => operation)
  assert.deepEqual(new Set(operations), new Set(['HeadObject']))
  assert.ok(operations.length >= 2 && operations.length <= 4 * 3, `${operations.length} looks in three hours`)
})

test('a Config goes in the reverse order of trust, and its finalizer last [M10, P16]', async () => {
  await using world = roomWorld()
  await readyCluster(world, 'wlc-a')
  world.start()
  await world.advance(5_000)
  world.aws.calls.clear()
  await world.client.delete(configKind.type, configKey('wlc-a'))
  await world.advance(minute)
  assert.equal(await world.config('wlc-a'), undefined)
  const deletes = world.aws.calls
    .all()
    .map(({ operation }) => operation)
    .filter(name => name.startsWith('Delete'))
  assert.deepEqual(deletes, ['DeleteOpenIDConnectProvider', 'DeleteObject', 'DeleteObject', 'DeleteBucket'])
  assert.equal(await signingSecret(world, 'wlc-a'), undefined)
  for (const { type } of [bucketKind, providerKind]) assert.deepEqual((await world.client.listAll(type)).items, [])
  assert.deepEqual((await world.targets.get('wlc-a')?.client.listAll(mutatingWebhookConfigurations))?.items, [])
})

test('an object of somebody else in the bucket is named, and its end lets the Config go [M10, #112]', async () => {
  await using world = roomWorld()
  await readyCluster(world, 'wlc-a')
  world.start()
  await world.advance(5_000)
  const object = { Bucket: bucketName('wlc-a', region), Key: 'not-ours' }
  await world.s3().call('PutObject', { ...object, Body: Buffer.from('x') })
  await world.client.delete(configKind.type, configKey('wlc-a'))
  await world.advance(minute)
  const config = await world.config('wlc-a')
  assert.equal(told(config).DeletionBlocked, 'True ChildrenPending')
  assert.match(config?.status?.conditions?.find(({ type }) => type === 'DeletionBlocked')?.message ?? '', /BucketNotEmpty/)
  await world.s3().call('DeleteObject', object)
  await world.advance(10 * minute)
  assert.equal(await world.config('wlc-a'), undefined)
})

test('a Config waits for its Roles and goes when the last one has gone [#101]', async () => {
  await using world = roomWorld()
  await readyCluster(world, 'wlc-a')
  world.start()
  await world.makeRole('wlc-a', 'app')
  await world.advance(5_000)
  await world.client.delete(configKind.type, configKey('wlc-a'))
  await world.settle()
  assert.equal(told(await world.config('wlc-a')).DeletionBlocked, 'True RolesRemain', 'at once')
  const { items } = await world.client.list(events, { namespace: 'wlc-a' })
  const blocked = (items as readonly (StoredObject & EventObject)[]).filter(({ reason }) => reason === 'DeletionBlocked')
  assert.deepEqual(
    blocked.map(({ type, message }) => [type, message.slice(0, 80)]),
    [['Warning', 'DeletionBlocked is True: RolesRemain: 1 AWSServiceAccountRole remains in wlc-a: ']],
  )
  await world.client.delete(roleKind.type, { namespace: 'wlc-a', name: 'app' })
  await world.advance(2_000)
  assert.equal(await world.config('wlc-a'), undefined)
  assert.equal(await world.role('wlc-a', 'app'), undefined)
})

test('a key that another cluster has is refused for the younger Config, and taken when the older has gone [X3]', async () => {
  await using world = roomWorld()
  await readyCluster(world, 'wlc-a')
  world.start()
  await world.advance(5_000)
  const secret = await signingSecret(world, 'wlc-a')
  await world.addCluster('wlc-b')
  await world.client.create(secrets, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { namespace: 'wlc-b', name: 'awi-signing-key-default' },
    data: { 'sa.key': secret?.data?.['sa.key'], 'sa.pub': secret?.data?.['sa.pub'] },
  } as never)
  const [keyId] = (await world.config('wlc-a'))?.status?.signingKeys?.held ?? []
  await world.makeConfig('wlc-b', selfHosted, {
    annotations: { 'aws.identity.appthrust.io/accept-signing-keys': keyId ?? '' },
  })
  await world.advance(minute)
  assert.equal(told(await world.config('wlc-b')).Ready, 'False SigningKeyShared')
  assert.equal(told(await world.config('wlc-a')).Ready, 'True Reconciled')
  assert.equal(await world.client.find(bucketKind.type, { namespace: 'wlc-b', name: bucketName('wlc-b', region) }), undefined)
  await world.client.delete(configKind.type, configKey('wlc-a'))
  await world.advance(2_000)
  assert.equal(told(await world.config('wlc-b')).Ready, 'True Reconciled')
})

test('a Bucket kind that is installed late is an event [#100]', async () => {
  const crd = 'buckets.s3.services.k8s.aws'
  await using world = roomWorld({ withoutCrds: [crd] })
  world.ack.down.add('Bucket')
  await readyCluster(world, 'wlc-a')
  world.start()
  await world.advance(minute)
  assert.equal(told(await world.config('wlc-a')).IssuerReady, 'False IssuerReconcileFailed')
  await world.installAckCrd(crd)
  world.ack.down.delete('Bucket')
  await world.advance(2_000)
  assert.equal(told(await world.config('wlc-a')).Ready, 'True Reconciled')
})

test('rotation: no valid token is refused, no withdrawn key is accepted, and no step is taken early (S12, S13, B16, L8)', async () => {
  await using world = roomWorld()
  const target = await readyCluster(world, 'wlc-a')
  const run = world.start({ rotation: { propagationMs: 15 * minute, graceMs: 25 * hour } })
  await world.makeRole('wlc-a', 'app')
  await world.advance(5_000)
  await takeUpKey(world, target)
  const arn = (await world.role('wlc-a', 'app'))?.status?.roleARN
  const oldKey = (await signingSecret(world, 'wlc-a'))?.data?.['sa.key']
  let tokens: { readonly token: string; readonly untilMs: number }[] = []
  const phases: string[] = []
  const check = async (): Promise<void> => {
    tokens.push({ token: await tokenOf(target, 'app'), untilMs: world.clock.now() + 24 * hour })
    tokens = tokens.filter(({ untilMs }) => untilMs > world.clock.now() + minute)
    for (const { token } of [tokens[0], tokens.at(-1)].filter(one => one !== undefined)) {
      assert.equal(await askSts(world, arn, token), 'ok', `after ${phases.join(', ')}`)
    }
    const config = await world.config('wlc-a')
    assert.equal(told(config).Ready, 'True Reconciled')
    const phase = told(config).SigningKeyRotated ?? 'none'
    if (phases.at(-1) !== phase) phases.push(phase)
  }
  await check()
  await world.client.patch(configKind.type, configKey('wlc-a'), 'merge', {
    metadata: { annotations: { 'aws.identity.appthrust.io/rotate-signing-key': '2026-01' } },
  })
  await world.advance(1_000)
  await check()
  await world.advance(14 * minute)
  await check()
  assert.equal((await signingSecret(world, 'wlc-a'))?.data?.['sa.key'], oldKey, 'S13: not before it has propagated')
  await world.advance(3 * minute)
  await check()
  const newKey = (await signingSecret(world, 'wlc-a'))?.data?.['sa.key']
  assert.notEqual(newKey, oldKey)
  // The API server takes its time.
  await world.later(5 * hour)
  await check()
  await takeUpKey(world, target)
  await world.advance(2 * minute)
  await check()
  for (let hours = 0; hours < 24; hours += 6) {
    await world.later(6 * hour)
    await check()
  }
  await world.later(2 * hour)
  await check()
  assert.deepEqual(phases, [
    'none',
    'False SigningKeyPropagating',
    'False SigningKeyHandover',
    'False SigningKeyRetiring',
    'True SigningKeyCurrent',
  ])
  // The old key is withdrawn: whoever has it can do nothing with it.
  target.server.tokens.adopt(Buffer.from(oldKey ?? '', 'base64').toString(), { activate: true })
  assert.equal(await askSts(world, arn, await tokenOf(target, 'app')), 'InvalidIdentityToken')
  assert.deepEqual(Object.keys((await signingSecret(world, 'wlc-a'))?.data ?? {}).sort(), ['sa.key', 'sa.pub', 'verify.pub'])
  run.passes.length = 0
  // A whole day is what `npm run bench -- identity` waits for.
  await world.advance(3 * hour)
  assert.deepEqual(
    run.passes.flatMap(({ writes }) => writes.map(({ verb, type }) => `${verb} ${type.kind}`)),
    [],
  )
})

test('rotation: a key that is old enough is replaced by itself', async () => {
  await using world = roomWorld()
  await world.addCluster('wlc-a', { issuer: issuerOf('wlc-a') })
  await world.makeConfig('wlc-a', selfHosted, { annotations: { 'aws.identity.appthrust.io/signing-key-max-age': '720h' } })
  world.start()
  await world.advance(5_000)
  const first = (await signingSecret(world, 'wlc-a'))?.data?.['sa.key']
  await world.later(718 * hour)
  assert.equal((await signingSecret(world, 'wlc-a'))?.data?.['next.key'], undefined)
  await world.later(2 * hour)
  await world.advance(hour)
  assert.notEqual((await signingSecret(world, 'wlc-a'))?.data?.['sa.key'], first)
})
