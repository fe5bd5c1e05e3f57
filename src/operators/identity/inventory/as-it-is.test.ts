// Inventories as they are: several managers that publish at once, properties that change while bindings use them, access that moves, and
// plugins that take their time.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ProgramResult, silentLog } from '#base'
import { clusterManagerLabel, clusterProfileKind, createEngagement, managedClusterLabels, parseProviderFile } from '#fleet'
import { type FleetWorld, fleetWorld, namespace, token } from '../../../fleet/testing/fleet-world.ts'
import { secondEye } from '../../../fleet/testing/second-eye.ts'
import { serviceAccountWatch } from '../target/annotation.ts'
import { region, roomWorld, told } from '../testing/room-world.ts'
import { propertyNames } from './properties.ts'

const execConfig = (command: string): object => ({
  apiVersion: 'client.authentication.k8s.io/v1',
  command,
  provideClusterInfo: true,
})
const twoProviders = parseProviderFile(
  JSON.stringify({ providers: ['first', 'second'].map(name => ({ name, execConfig: execConfig(`/plugins/${name}`) })) }),
  'providers.json',
)

function start(fleet: FleetWorld): ReturnType<FleetWorld['world']['start']> {
  const engagement = createEngagement({ seams: { ...fleet.seams, log: silentLog }, providers: twoProviders })
  const watcher = secondEye({ watches: [serviceAccountWatch(() => [])], toClaimsOfCluster: () => [] })
  const run = fleet.world.start({ controllers: [engagement.controller, watcher] })
  engagement.attach(run.manager)
  return run
}

test('a cluster whose address, authority and plugin change is followed to each of them, and to nothing twice [6.4]', async () => {
  await using fleet = fleetWorld()
  const [old, next] = [fleet.addTarget('old'), fleet.addTarget('next')]
  const ca = (text: string): string => Buffer.from(text).toString('base64')
  const offer = async (name: string, server: string, authority: string): Promise<void> => {
    const cluster = { server, 'certificate-authority-data': ca(authority) }
    await fleet.publish('wlc-a', { accessProviders: [{ name, cluster }] })
    await fleet.world.advance(2_000)
  }
  const { manager } = start(fleet)
  const ways: (readonly unknown[])[] = []
  for (const [name, server, authority] of [
    ['first', old.address, 'one'],
    ['first', old.address, 'two'],
    ['second', old.address, 'two'],
    ['second', next.address, 'two'],
  ] as const) {
    await offer(name, server, authority)
    assert.deepEqual(manager.targets.names(), ['wlc-a'], `${name} ${server} ${authority}`)
    const caches = manager.targets.caches('wlc-a')
    assert.ok(!ways.some(([held]) => held === caches), 'it is another connection each time')
    ways.push([caches])
    assert.equal(fleet.dialled.at(-1)?.origin, server)
    assert.equal(fleet.calls.at(-1)?.command, `/plugins/${name}`)
    const dialled = fleet.dialled.length
    await offer(name, server, authority)
    assert.equal(fleet.dialled.length, dialled, 'the same again is no other way in')
  }
})

test('a new address at which nobody listens costs the others nothing, and is left when the inventory is mended [6.4]', async () => {
  await using fleet = fleetWorld()
  fleet.addTarget('wlc-a')
  fleet.addTarget('wlc-b')
  const publish = (cluster: string, server: string): Promise<void> =>
    fleet.publish(cluster, { accessProviders: [{ name: 'first', cluster: { server } }] })
  const { manager } = start(fleet)
  for (const name of ['wlc-a', 'wlc-b']) await publish(name, `https://${name}.example:6443`)
  await fleet.world.advance(2_000)
  const other = manager.targets.caches('wlc-b')
  await publish('wlc-a', 'https://nowhere.example:6443')
  await fleet.world.advance(90_000)
  assert.equal(manager.targets.caches('wlc-b'), other)
  await publish('wlc-a', 'https://wlc-a.example:6443')
  await fleet.world.advance(2_000)
  assert.deepEqual(manager.targets.names(), ['wlc-a', 'wlc-b'])
})

test('a plugin that takes a minute holds up nobody, is not started again and again, and lets its cluster in when it has answered [B28]', async () => {
  await using fleet = fleetWorld()
  const slow = fleet.addTarget('slow')
  const quick = fleet.addTarget('quick')
  fleet.plugin = async (_call, target): Promise<ProgramResult> => {
    if (target === slow) await fleet.world.clock.sleep(60_000)
    return token(target?.server.adminToken ?? '')
  }
  const { manager } = start(fleet)
  for (const { address } of [slow, quick]) {
    const name = new URL(address).hostname.split('.')[0] ?? ''
    await fleet.publish(name, { accessProviders: [{ name: 'first', cluster: { server: address } }] })
  }
  await fleet.world.advance(1_000)
  assert.deepEqual(manager.targets.names(), ['quick'])
  await fleet.world.advance(50_000)
  assert.deepEqual(manager.targets.names(), ['quick'])
  await fleet.world.advance(550_000)
  assert.deepEqual(manager.targets.names(), ['quick', 'slow'])
  const { length } = fleet.calls.filter(({ env }) => env['KUBERNETES_EXEC_INFO']?.includes(slow.address))
  assert.ok(length <= 12, `${length} starts in ten minutes`)
})

test('of several managers that publish a cluster only that of Open Cluster Management says which namespace it is [6.1]', async () => {
  await using world = roomWorld({ objects: [namespace('other-inventory')] })
  await world.addCluster('wlc-a', { publish: false })
  const others = { ...managedClusterLabels('wlc-a'), [clusterManagerLabel]: 'another-manager' }
  const theirs = clusterProfileKind.make(
    { namespace: 'other-inventory', name: 'wlc-a', labels: others },
    { clusterManager: { name: 'another-manager' } },
  )
  await world.client.create(clusterProfileKind.type, theirs)
  const accessProviders = [{ name: 'in-process', cluster: { server: 'https://wlc-a' } }]
  const key = { namespace: 'other-inventory', name: 'wlc-a' }
  await world.client.patch(clusterProfileKind.type, key, 'merge', { status: { accessProviders } }, { subresource: 'status' })
  await world.makeConfig('wlc-a', { type: 'EKSPodIdentity', region })
  world.start()
  await world.advance(2_000)
  assert.equal(told(await world.config('wlc-a')).ClusterProfileResolved, 'False ClusterProfileNotFound')
  await world.publish('wlc-a')
  await world.advance(2_000)
  assert.equal(told(await world.config('wlc-a')).ClusterProfileResolved, 'True Resolved')
})

test('properties that change while they are used are taken up at once, and one that goes is told [6.2]', async () => {
  await using world = roomWorld()
  const arn = 'arn:aws:eks:us-east-1:123456789012:cluster/one'
  const properties = {
    [propertyNames.eksClusterName]: 'one',
    [propertyNames.eksClusterArn]: arn,
    [propertyNames.accountId]: '123456789012',
  }
  await world.addCluster('wlc-a', { properties })
  await world.makeConfig('wlc-a', { type: 'EKSPodIdentity', region })
  world.start()
  await world.makeRole('wlc-a', 'app')
  await world.advance(5_000)
  const agent = async (): Promise<string | undefined> => told(await world.role('wlc-a', 'app')).PodIdentityAgentReady
  assert.match((await agent()) ?? '', /RemoteCheckPending$/)
  await world.publish('wlc-a', { ...properties, [propertyNames.eksAutoMode]: 'true' })
  await world.advance(5_000)
  assert.equal(await agent(), 'True EKSAutoMode')
  const { [propertyNames.eksClusterArn]: _gone, ...without } = properties
  await world.publish('wlc-a', without)
  await world.advance(5_000)
  const role = await world.role('wlc-a', 'app')
  assert.match(told(role).Ready ?? '', /^False /)
  const why = role?.status?.conditions?.find(({ status, type }) => status === 'False' && type !== 'Ready')
  assert.match(`${why?.reason} ${why?.message}`, /eks-cluster-arn/)
})
