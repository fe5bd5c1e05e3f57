// The Config controller on a whole hub, with workload clusters and AWS in this process.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StoredCondition } from '#kube'
import { configKind, roleKind } from '../api/kinds.ts'
import { region, roomWorld, told } from '../testing/room-world.ts'

const readyConditions = {
  BucketReady: 'True ACKResourceSynced',
  ClusterProfileResolved: 'True Resolved',
  IAMProviderReady: 'True ACKResourceSynced',
  IssuerReady: 'True Ready',
  OIDCObjectsPublished: 'True OIDCObjectsPublished',
  OperatorConfigReady: 'True Ready',
  Ready: 'True Reconciled',
  WebhookRuntimeReady: 'True WebhookRuntimeSynced',
}

test('a self-hosted Config becomes Ready in 17 writes besides Events, each of which stores something new [M4, M5]', async () => {
  await using world = roomWorld()
  await world.addCluster('wlc-a')
  await world.makeConfig('wlc-a', { type: 'SelfHostedIRSA', region })
  const run = world.start()
  await world.advance(5_000)
  const config = await world.config('wlc-a')
  assert.deepEqual(told(config), readyConditions)
  const writes = run.passes.flatMap(pass => pass.writes).filter(({ type }) => type.kind !== 'Event')
  assert.deepEqual(new Set(writes.map(({ result }) => result)), new Set(['changed']))
  const onTarget = writes.filter(({ cluster }) => cluster !== undefined)
  const onHub = writes.filter(({ cluster }) => cluster === undefined)
  assert.deepEqual(
    onHub.map(({ verb, type, subresource = '' }) => `${verb} ${type.kind} ${subresource}`.trim()),
    [
      'patch AWSWorkloadIdentityConfig',
      'create Bucket',
      // The id of the key, before the key.
      'patch AWSWorkloadIdentityConfig status',
      'create Secret',
      // Where the runtime goes, before the first object of it.
      'patch AWSWorkloadIdentityConfig status',
      // That it runs.
      'patch AWSWorkloadIdentityConfig status',
      'create OpenIDConnectProvider',
      // What was published, and that IAM trusts it.
      'patch AWSWorkloadIdentityConfig status',
      'patch AWSWorkloadIdentityConfig status',
    ],
  )
  assert.equal(onTarget.length, 8)
  assert.equal(writes.length, 17)
  // What was left for later was not forgotten.
  assert.deepEqual([config?.status?.ackResources?.length, config?.status?.signingKeys?.planned], [2, []])
  await run.stop()
})

test('a child of which nobody says more is written down a moment later all the same', async () => {
  await using world = roomWorld()
  await world.addCluster('wlc-a')
  world.ack.down.add('Bucket')
  await world.makeConfig('wlc-a', { type: 'SelfHostedIRSA', region })
  const run = world.start()
  await world.advance(5_000)
  assert.deepEqual(
    (await world.config('wlc-a'))?.status?.ackResources?.map(({ kind }) => kind),
    ['Bucket'],
  )
  await run.stop()
})

/** As they stand on objects that the reference operator left behind, where they differ from ours. */
const referenceWords: Readonly<Record<string, string>> = {
  OperatorConfigReady: 'operator configuration is valid',
  ClusterProfileResolved: 'ClusterProfile resolved',
  BucketReady: 'S3 Bucket is synced by ACK',
  OIDCObjectsPublished: 'self-hosted OIDC discovery and JWKS objects are published',
  IAMProviderReady: 'IAM OpenIDConnectProvider is synced by ACK',
  IssuerReady: 'self-hosted issuer resources are synced',
  WebhookRuntimeReady: 'remote self-hosted webhook runtime is synced and serving-ready',
  PolicyReady: 'managed policy ARNs are allowed',
  RoleReady: 'IAM Role is synced by ACK',
  ServiceAccountAnnotationReady: 'remote ServiceAccount annotations are synced',
  DeliveryReady: 'role delivery resources are ready; remote runtime status is reported separately',
}

test('taking over writes no status for its wording only, neither of a Config nor of a Role [M4]', async () => {
  await using world = roomWorld()
  await world.addCluster('wlc-a')
  await world.makeConfig('wlc-a', { type: 'SelfHostedIRSA', region })
  await world.makeRole('wlc-a', 'app')
  const first = world.start()
  await world.advance(5_000)
  await first.stop()
  const inOtherWords = (conditions: readonly StoredCondition[] | undefined): readonly StoredCondition[] =>
    (conditions ?? []).map(condition => ({ ...condition, message: referenceWords[condition.type] ?? 'said by somebody else' }))
  const config = await world.config('wlc-a')
  const role = await world.role('wlc-a', 'app')
  assert.deepEqual([told(config)['Ready'], told(role)['Ready']], ['True Reconciled', 'True Ready'])
  for (const [kind, object] of [
    [configKind, config],
    [roleKind, role],
  ] as const) {
    const key = { namespace: 'wlc-a', name: object?.metadata.name ?? '' }
    const body = { status: { conditions: inOtherWords(object?.status?.conditions) } }
    await world.client.patch(kind.type, key, 'merge', body, { subresource: 'status' })
  }
  const second = world.start()
  await world.advance(3 * 3_600_000)
  assert.deepEqual(
    second.passes.flatMap(({ writes }) => writes.map(({ verb, type }) => `${verb} ${type.kind}`)),
    [],
  )
  await second.stop()
})

test('good news in other words is written when the spec was changed, and bad news always', async () => {
  await using world = roomWorld()
  await world.addCluster('wlc-a')
  await world.makeConfig('wlc-a', { type: 'SelfHostedIRSA', region })
  await world.makeRole('wlc-a', 'app')
  const run = world.start()
  await world.advance(5_000)
  const messageOf = async (type: string): Promise<string | undefined> =>
    (await world.role('wlc-a', 'app'))?.status?.conditions?.find(condition => condition.type === type)?.message
  const words = await messageOf('RoleReady')
  const conditions = (await world.role('wlc-a', 'app'))?.status?.conditions?.map(one => ({ ...one, message: 'other words' }))
  const key = { namespace: 'wlc-a', name: 'app' }
  await world.client.patch(roleKind.type, key, 'merge', { status: { conditions } }, { subresource: 'status' })
  await world.advance(5_000)
  assert.equal(await messageOf('RoleReady'), 'other words')
  const policyARNs = ['arn:aws:iam::aws:policy/AmazonS3ReadOnlyAccess']
  await world.client.patch(roleKind.type, key, 'merge', { spec: { policyARNs } })
  await world.advance(5_000)
  assert.equal(await messageOf('RoleReady'), words)
  await run.stop()
})
