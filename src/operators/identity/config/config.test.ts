// The Config controller on a whole hub, with workload clusters and AWS in this process.
import assert from 'node:assert/strict'
import { test } from 'node:test'
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

test('a self-hosted Config becomes Ready in at most 20 writes besides Events, none of which stores nothing new [M5]', async () => {
  await using world = roomWorld()
  await world.addCluster('wlc-a')
  await world.makeConfig('wlc-a', { type: 'SelfHostedIRSA', region })
  const run = world.start()
  await world.advance(5_000)
  const config = await world.config('wlc-a')
  assert.deepEqual(told(config), readyConditions)
  const writes = run.passes.flatMap(pass => pass.writes).filter(({ type }) => type.kind !== 'Event')
  assert.deepEqual(new Set(writes.map(({ result }) => result)), new Set(['changed']))
  assert.ok(writes.length <= 20, `${writes.length} writes`)
  await run.stop()
})

test('a Role of a self-hosted cluster becomes Ready', async () => {
  await using world = roomWorld()
  await world.addCluster('wlc-a')
  await world.makeConfig('wlc-a', { type: 'SelfHostedIRSA', region })
  const run = world.start()
  await world.makeRole('wlc-a', 'app')
  await world.advance(5_000)
  console.log(JSON.stringify((await world.role('wlc-a', 'app'))?.status, null, 1))
  await run.stop()
})
