// What the whole operator says and does as clusters come, are the same one twice, and go.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type HttpExchange, HttpFailure } from '#base'
import { clusterNameLabel, clusterProfileKind } from '#fleet'
import { deployments, mutatingWebhookConfigurations, namespaces, serviceAccounts } from '#kube'
import { configKind, roleKind } from './api.ts'
import { namespaceObject, region, roomWorld, webhookNamespace } from './testing/room-world.ts'

const hook = { namespace: webhookNamespace, name: 'pod-identity-webhook' }

type Conditions = readonly { readonly type: string; readonly status: string; readonly reason: string; readonly message: string }[]
const readyOf = (object: { readonly status?: { readonly conditions?: Conditions } } | undefined, type = 'Ready') => {
  const found = object?.status?.conditions?.find(condition => condition.type === type)
  return { said: `${found?.status ?? ''}/${found?.reason ?? ''}`, message: found?.message ?? '' }
}

test('a cluster whose profile comes after its config is an event: Ready within seconds, not after a timer [M7]', async () => {
  for (let time = 0; time < 2; time++) {
    await using world = roomWorld({ seed: time + 1 })
    await world.addCluster('wlc-a', { publish: false })
    await world.makeConfig('wlc-a', { type: 'SelfHostedIRSA', region })
    const run = world.start()
    await world.advance(7_000 * time)
    assert.equal(readyOf(await world.config('wlc-a')).said, 'False/ClusterProfileNotFound')
    await world.publish('wlc-a')
    await world.advance(2_000)
    assert.equal(readyOf(await world.config('wlc-a')).said, 'True/Reconciled')
    await run.stop()
  }
})

test('the creation of a ServiceAccount that a binding names is an event: it is annotated without a timer [M8]', async () => {
  await using world = roomWorld()
  const { client } = await world.addCluster('wlc-a')
  await world.makeConfig('wlc-a', { type: 'SelfHostedIRSA', region })
  const run = world.start()
  await world.makeRole('wlc-a', 'app', { serviceAccount: { namespace: 'default', name: 'later' } })
  await world.advance(5_000)
  const waiting = readyOf(await world.role('wlc-a', 'app'), 'ServiceAccountAnnotationReady')
  assert.equal(waiting.said, 'False/RemoteDeliveryPending')
  assert.match(waiting.message, /ServiceAccount default\/later does not exist in cluster wlc-a; create it/)
  const metadata = { namespace: 'default', name: 'later' }
  await client.create(serviceAccounts, { apiVersion: 'v1', kind: 'ServiceAccount', metadata })
  await world.advance(200)
  const found = await client.get(serviceAccounts, metadata)
  assert.match(found.metadata.annotations?.['eks.amazonaws.com/role-arn'] ?? '', /^arn:aws:iam::/)
  assert.equal(readyOf(await world.role('wlc-a', 'app')).said, 'True/Ready')
  await run.stop()
})

test('the second of two names for one cluster is told so, and its end takes nothing from the first [M12]', async () => {
  await using world = roomWorld()
  const { client } = await world.addCluster('wlc-a')
  await world.makeConfig('wlc-a', { type: 'SelfHostedIRSA', region })
  await world.client.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'wlc-b' } })
  const run = world.start({ clientOf: () => client })
  await world.advance(3_000)
  assert.equal(readyOf(await world.config('wlc-a')).said, 'True/Reconciled')
  await world.publish('wlc-b')
  await world.makeConfig('wlc-b', { type: 'SelfHostedIRSA', region })
  await world.advance(5_000)
  const second = readyOf(await world.config('wlc-b'), 'WebhookRuntimeReady')
  assert.equal(second.said, 'False/RemoteClusterUnavailable')
  assert.match(second.message, /cluster wlc-b is the same cluster as wlc-a, which came first; let one ClusterProfile lead there/)
  await world.client.delete(configKind.type, { namespace: 'wlc-b', name: 'default' })
  await world.advance(120_000)
  assert.notEqual(await client.find(deployments, hook), undefined)
  assert.notEqual(await client.find(mutatingWebhookConfigurations, { namespace: '', name: hook.name }), undefined)
  assert.equal(readyOf(await world.config('wlc-a')).said, 'True/Reconciled')
  await run.stop()
})

const going = { namespace: 'wlc-a', name: 'default' }

test('a sibling that is recorded to use the cluster of a Config that goes keeps its runtime [13.5 #106]', async () => {
  await using world = roomWorld()
  const { client } = await world.addCluster('wlc-a')
  await world.addCluster('wlc-b', { publish: false })
  for (const name of ['wlc-a', 'wlc-b']) await world.makeConfig(name, { type: 'SelfHostedIRSA', region })
  const run = world.start({ through: refusingStatusOf('wlc-b') })
  await world.advance(5_000)
  const status = { resolvedClusterName: 'wlc-a/wlc-a' }
  await world.client.patch(configKind.type, { ...going, namespace: 'wlc-b' }, 'merge', { status }, { subresource: 'status' })
  await world.client.delete(configKind.type, going)
  await world.advance(60_000)
  assert.equal(await world.config('wlc-a'), undefined)
  assert.notEqual(await client.find(deployments, hook), undefined)
  await run.stop()
})

test('so does one of which nothing is recorded, and whose name leads to the same cluster when one goes there [13.5 #108]', async () => {
  await using world = roomWorld()
  const { client } = await world.addCluster('wlc-a')
  await world.client.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'wlc-b' } })
  for (const name of ['wlc-a', 'wlc-b']) await world.makeConfig(name, { type: 'SelfHostedIRSA', region })
  const run = world.start({ clientOf: () => client })
  await world.advance(3_000)
  await world.publish('wlc-b')
  await world.advance(5_000)
  assert.equal((await world.config('wlc-b'))?.status?.resolvedClusterName, 'wlc-b/wlc-b')
  const { uid } = (await client.get(deployments, hook)).metadata
  await world.client.delete(configKind.type, going)
  await world.advance(60_000)
  assert.equal(await world.config('wlc-a'), undefined)
  assert.equal((await client.get(deployments, hook)).metadata.uid, uid)
  // And goes on with it, once its own name is the one that leads there.
  await world.client.delete(clusterProfileKind.type, { namespace: 'inventory', name: 'wlc-a' })
  await world.advance(10_000)
  assert.equal(readyOf(await world.config('wlc-b')).said, 'True/Reconciled')
  assert.equal((await client.get(deployments, hook)).metadata.uid, uid)
  await run.stop()
})

for (const [what, sibling] of [
  ['that goes as well', { type: 'SelfHostedIRSA', region }],
  ['of another type', { type: 'EKSPodIdentity', region }],
] as const) {
  test(`a sibling ${what} keeps nothing [13.5 #109]`, async () => {
    await using world = roomWorld()
    const { client } = await world.addCluster('wlc-a')
    await world.client.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'wlc-b' } })
    await world.makeConfig('wlc-a', { type: 'SelfHostedIRSA', region })
    // Somebody else holds it for a while.
    await world.makeConfig('wlc-b', sibling, { finalizers: ['example.com/held'] })
    const run = world.start({ clientOf: () => client })
    await world.advance(3_000)
    await world.publish('wlc-b')
    await world.advance(5_000)
    assert.notEqual(await client.find(deployments, hook), undefined)
    if (sibling.type === 'SelfHostedIRSA') await world.client.delete(configKind.type, { ...going, namespace: 'wlc-b' })
    await world.client.delete(configKind.type, going)
    await world.advance(120_000)
    assert.equal(await world.config('wlc-a'), undefined)
    assert.equal(await client.find(deployments, hook), undefined)
    await run.stop()
  })
}

/** What is said of that namespace's Config stays as a test has it. */
function refusingStatusOf(namespace: string): (exchange: HttpExchange) => HttpExchange {
  const path = `/namespaces/${namespace}/awsworkloadidentityconfigs/default/status`
  return exchange => async request => {
    if (request.method === 'PATCH' && request.target.includes(path)) throw new HttpFailure('unreachable', 'not now')
    return exchange(request)
  }
}

test('whether a cluster can be reached is answered at once while another is being connected [13.10 #228]', async () => {
  await using world = roomWorld()
  await world.addCluster('wlc-a')
  await world.addCluster('wlc-b')
  await world.makeConfig('wlc-a', { type: 'SelfHostedIRSA', region })
  await world.makeConfig('wlc-b', { type: 'SelfHostedIRSA', region })
  const targets = new Map([...world.targets].map(([name, { client }]) => [name, client]))
  const run = world.start({
    clientOf: ({ metadata }) => {
      const client = targets.get(metadata.name)
      if (client === undefined || metadata.name === 'wlc-a') return client
      // Whoever asks this one anything waits for ever.
      return new Proxy(client, {
        get: (held, name) => (name === 'get' ? () => new Promise(() => undefined) : Reflect.get(held, name)) as unknown,
      })
    },
  })
  await world.advance(3_000)
  assert.equal(readyOf(await world.config('wlc-a')).said, 'True/Reconciled')
  assert.equal(readyOf(await world.config('wlc-b'), 'WebhookRuntimeReady').said, 'False/RemoteClusterUnavailable')
  await run.stop()
})

test('of two living roles for one ServiceAccount the older repairs it; when it goes the other does [13.10 #214, #215]', async () => {
  await using world = roomWorld()
  const { client } = await world.addCluster('wlc-a')
  await world.makeConfig('wlc-a', { type: 'SelfHostedIRSA', region })
  const run = world.start()
  await world.makeRole('wlc-a', 'app')
  await world.advance(3_000)
  const key = { namespace: 'default', name: 'app' }
  const arnOf = async () => (await client.get(serviceAccounts, key)).metadata.annotations?.['eks.amazonaws.com/role-arn']
  const arn = await arnOf()
  assert.ok(arn !== undefined)
  await world.makeRole('wlc-a', 'twin', { serviceAccount: key })
  await world.advance(2_000)
  await client.patch(serviceAccounts, key, 'merge', { metadata: { annotations: { 'eks.amazonaws.com/role-arn': null } } })
  await world.advance(2_000)
  assert.equal(await arnOf(), arn)
  assert.equal(readyOf(await world.role('wlc-a', 'app')).said, 'True/Ready')
  assert.equal(readyOf(await world.role('wlc-a', 'twin')).said, 'False/InvalidSpec')
  await world.client.delete(roleKind.type, { namespace: 'wlc-a', name: 'app' })
  await world.advance(3_000)
  const other = await arnOf()
  assert.ok(other !== undefined && other !== arn)
  assert.equal(readyOf(await world.role('wlc-a', 'twin')).said, 'True/Ready')
  await run.stop()
})

test('what happens in a cluster that the namespace does not stand for any more leads to no write there [13.10 #217]', async () => {
  await using world = roomWorld()
  const { client } = await world.addCluster('wlc-a')
  await world.makeConfig('wlc-a', { type: 'SelfHostedIRSA', region })
  const run = world.start()
  await world.makeRole('wlc-a', 'app')
  await world.advance(3_000)
  const profile = { namespace: 'inventory', name: 'wlc-a' }
  await world.client.patch(clusterProfileKind.type, profile, 'merge', {
    metadata: { labels: { [clusterNameLabel]: 'elsewhere' } },
  })
  await world.advance(2_000)
  const key = { namespace: 'default', name: 'app' }
  const changed = await client.patch(serviceAccounts, key, 'merge', {
    metadata: { annotations: { 'eks.amazonaws.com/role-arn': 'arn:aws:iam::111122223333:role/by-hand' } },
  })
  await world.advance(30_000)
  assert.equal((await client.get(serviceAccounts, key)).metadata.resourceVersion, changed.metadata.resourceVersion)
  assert.equal(readyOf(await world.role('wlc-a', 'app'), 'InventoryResolved').said, 'False/ClusterProfileNotFound')
  await run.stop()
})

test('a cluster of EKS Pod Identity is left alone: annotations by hand stay, and nothing is installed [13.10 #218]', async () => {
  await using world = roomWorld()
  const { client } = await world.addCluster('wlc-a')
  await world.makeConfig('wlc-a', { type: 'EKSPodIdentity', region })
  const run = world.start()
  await world.makeRole('wlc-a', 'app')
  await world.advance(2_000)
  const key = { namespace: 'default', name: 'app' }
  const annotations = { 'eks.amazonaws.com/role-arn': 'arn:aws:iam::111122223333:role/by-hand' }
  const changed = await client.patch(serviceAccounts, key, 'merge', { metadata: { annotations } })
  await world.advance(10_000)
  assert.equal((await client.get(serviceAccounts, key)).metadata.resourceVersion, changed.metadata.resourceVersion)
  assert.equal(await client.find(deployments, hook), undefined)
  await run.stop()
})

test('a Role in a namespace that is no cluster is told so, and goes when it is deleted: nothing was ever made for it [L3]', async () => {
  await using world = roomWorld({ objects: [namespaceObject('nowhere')] })
  world.start()
  await world.makeRole('nowhere', 'app1')
  await world.settle()
  assert.equal(readyOf(await world.role('nowhere', 'app1')).said, 'False/ConfigUnavailable')
  await world.client.delete(roleKind.type, { namespace: 'nowhere', name: 'app1' })
  await world.settle()
  assert.equal(await world.role('nowhere', 'app1'), undefined)
})
