import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ProgramResult, silentLog } from '#base'
import { namespaces, serviceAccounts } from '#kube'
import type { Manager } from '#runtime'
import { clusterProfileKind } from './cluster-profile.ts'
import { createEngagement, type Engagement, type EngagementOptions } from './engage.ts'
import { parseNameRule } from './name-rule.ts'
import { type FleetWorld, fleetWorld, namespace, profileNamespace, token } from './testing/fleet-world.ts'
import { secondEye } from './testing/second-eye.ts'

interface Start {
  readonly engagement: Engagement
  readonly manager: Manager
  /** How often each cluster was told as changed. */
  readonly woken: string[]
  stop(): Promise<void>
}

function start(fleet: FleetWorld, more: Partial<EngagementOptions> = {}): Start {
  const engagement = createEngagement({
    seams: { ...fleet.seams, log: silentLog },
    providers: fleet.providers,
    ...more,
  })
  const woken: string[] = []
  const watcher = secondEye({
    watches: [{ type: serviceAccounts, on: 'targets', toClaims: () => [] }],
    toClaimsOfCluster: cluster => (woken.push(cluster), []),
  })
  const { manager, stop } = fleet.world.start({ controllers: [engagement.controller, watcher] })
  engagement.attach(manager)
  return { engagement, manager, woken, stop }
}

const stateOf = ({ engagement }: Start, cluster: string): string => {
  const state = engagement.engagements.stateOf(cluster)
  return state.kind === 'away' ? `away: ${state.message}` : state.kind
}

test('engage: a ClusterProfile with a provider of the file brings its cluster into the fleet, and whoever waits is woken (M7)', async () => {
  await using fleet = fleetWorld()
  fleet.addTarget('wlc-a')
  const run = start(fleet)
  await fleet.world.settle()
  assert.deepEqual(run.manager.targets.names(), [])
  run.engagement.engagements.awaitBack('wlc-a')
  await fleet.publish('wlc-a')
  await fleet.world.advance(1_000)
  assert.deepEqual(run.manager.targets.names(), ['wlc-a'])
  assert.equal(stateOf(run, 'wlc-a'), 'engaged')
  // When its profile appeared without a status, when it joined, and when its caches were whole.
  assert.deepEqual(run.woken, ['wlc-a', 'wlc-a', 'wlc-a'])
  assert.deepEqual(fleet.calls[0]?.args, ['--account=vouch'])
  const info = JSON.parse(fleet.calls[0]?.env.KUBERNETES_EXEC_INFO ?? '') as { spec: { interactive: boolean } }
  assert.equal(info.spec.interactive, false)
  assert.deepEqual(Object.keys(fleet.calls[0]?.env ?? {}), ['KUBERNETES_EXEC_INFO'])
  await run.stop()
  assert.equal(fleet.world.timersLeft(), 0)
})

test('a profile that loses ControlPlaneHealthy takes its cluster out of the fleet, and in again when it is back [13.10 #225]', async () => {
  await using fleet = fleetWorld()
  fleet.addTarget('wlc-a')
  await fleet.publish('wlc-a')
  const run = start(fleet)
  await fleet.world.advance(1_000)
  await fleet.publish('wlc-a', { healthy: false })
  await fleet.world.advance(1_000)
  assert.deepEqual(run.manager.targets.names(), [])
  assert.match(stateOf(run, 'wlc-a'), /^away: ClusterProfile inventory\/wlc-a does not say ControlPlaneHealthy=True/)
  await fleet.publish('wlc-a')
  await fleet.world.advance(1_000)
  assert.deepEqual(run.manager.targets.names(), ['wlc-a'])
})

test('no provider of the file is offered: away, with both lists in the sentence [13.10 #226]', async () => {
  await using fleet = fleetWorld()
  fleet.addTarget('wlc-a')
  await fleet.publish('wlc-a', { accessProviders: [{ name: 'other', cluster: { server: 'https://x' } }] })
  const run = start(fleet)
  await fleet.world.advance(1_000)
  assert.equal(
    stateOf(run, 'wlc-a'),
    'away: ClusterProfile inventory/wlc-a offers the access providers other, the provider file has ocm; add one to the file',
  )
})

test('who was told why a cluster is away is told when the reason is another one, and not when it is the same', async () => {
  await using fleet = fleetWorld()
  fleet.addTarget('wlc-a')
  await fleet.publish('wlc-a', { healthy: false })
  const run = start(fleet)
  await fleet.world.advance(1_000)
  const before = run.woken.length
  await fleet.publish('wlc-a', { healthy: false, properties: { whatever: 'changed' } })
  await fleet.world.advance(1_000)
  assert.equal(run.woken.length, before)
  await fleet.publish('wlc-a', { accessProviders: [{ name: 'other', cluster: { server: 'https://x' } }] })
  await fleet.world.advance(1_000)
  assert.match(stateOf(run, 'wlc-a'), /^away: .* offers the access providers other/)
  assert.ok(run.woken.length > before, 'nobody was told')
})

test('a cluster that cannot be reached is tried again after half a second, then after twice as long each time, up to a minute', async () => {
  await using fleet = fleetWorld()
  fleet.addTarget('wlc-a').faulty.judge = () => 'unreachable'
  const { calls } = fleet.targets.get('wlc-a')?.faulty ?? assert.fail()
  await fleet.publish('wlc-a')
  const run = start(fleet)
  const triedBy = async (ms: number): Promise<number> => {
    await fleet.world.advance(ms)
    return calls.length
  }
  const tries = [await triedBy(100), await triedBy(500), await triedBy(1_000), await triedBy(2_000), await triedBy(4_000)]
  assert.deepEqual(tries, [1, 2, 3, 4, 5])
  await fleet.world.advance(120_000)
  const before = calls.length
  const inTenMinutes = (await triedBy(600_000)) - before
  // A minute less what is drawn, so that a fleet that is away does not come back all at once.
  assert.ok(inTenMinutes >= 10 && inTenMinutes <= 15, String(inTenMinutes))
  await run.stop()
})

test('another proxy is another way in, the same profile again is not [13.10 #230]', async () => {
  await using fleet = fleetWorld()
  const { address } = fleet.addTarget('wlc-a')
  await fleet.publish('wlc-a')
  const run = start(fleet)
  await fleet.world.advance(1_000)
  const before = run.manager.targets.caches('wlc-a')
  await fleet.publish('wlc-a', { properties: { whatever: 'changed' } })
  await fleet.world.advance(1_000)
  assert.equal(run.manager.targets.caches('wlc-a'), before)
  const cluster = { server: address, 'proxy-url': 'http://proxy.example:3128' }
  await fleet.publish('wlc-a', { accessProviders: [{ name: 'ocm', cluster }] })
  await fleet.world.advance(1_000)
  assert.notEqual(run.manager.targets.caches('wlc-a'), before)
  assert.deepEqual(run.manager.targets.names(), ['wlc-a'])
  assert.equal(fleet.dialled.at(-1)?.proxyUrl, 'http://proxy.example:3128')
})

test('of two profiles with one name one goes: the cluster stays engaged [13.10 #231]', async () => {
  await using fleet = fleetWorld()
  const { address } = fleet.addTarget('wlc-a')
  await fleet.publish('wlc-a')
  await fleet.publish('wlc-a', { name: 'again', address })
  const run = start(fleet)
  await fleet.world.advance(1_000)
  assert.deepEqual(run.manager.targets.names(), ['wlc-a'])
  for (const name of ['wlc-a', 'again']) {
    await fleet.world.client.delete(clusterProfileKind.type, { namespace: profileNamespace, name })
    await fleet.world.advance(1_000)
    assert.deepEqual(run.manager.targets.names(), name === 'wlc-a' ? ['wlc-a'] : [], name)
  }
})

test('a second name that leads to the same cluster is refused by name, and comes in when the first has gone [M12]', async () => {
  await using fleet = fleetWorld()
  const { address } = fleet.addTarget('wlc-a')
  await fleet.publish('wlc-a')
  await fleet.world.advance(1_000)
  await fleet.publish('wlc-b', { address })
  const run = start(fleet)
  await fleet.world.advance(5_000)
  assert.deepEqual(run.manager.targets.names(), ['wlc-a'])
  assert.equal(
    stateOf(run, 'wlc-b'),
    'away: cluster wlc-b is the same cluster as wlc-a, which came first; let one ClusterProfile lead there',
  )
  await fleet.world.client.delete(clusterProfileKind.type, { namespace: profileNamespace, name: 'wlc-a' })
  await fleet.world.advance(5_000)
  assert.deepEqual(run.manager.targets.names(), ['wlc-b'])
})

test('the older profile wins whichever answers first, so that a restart changes nothing [M12]', async () => {
  await using fleet = fleetWorld()
  const target = fleet.addTarget('wlc-a')
  await fleet.publish('wlc-a')
  await fleet.world.advance(2_000)
  await fleet.publish('wlc-b', { address: target.address })
  // The plugin of the older one is slow.
  let release: (result: ProgramResult) => void = () => undefined
  const slow = new Promise<ProgramResult>(resolve => {
    release = resolve
  })
  let first = true
  fleet.plugin = () => {
    const answer = first ? slow : token(target.server.adminToken)
    first = false
    return answer
  }
  const run = start(fleet)
  await fleet.world.settle()
  const early = run.manager.targets.names()
  release(token(target.server.adminToken))
  await fleet.world.advance(1_000)
  assert.equal(early.length, 1)
  assert.deepEqual(run.manager.targets.names(), ['wlc-a'])
})

for (const [what, plugin, said] of [
  ['prints garbage', () => ({ ...token(''), stdout: Buffer.from('<html>') }), 'its output is no JSON'],
  ['prints another kind', () => ({ ...token(''), stdout: Buffer.from('{"kind":"Token"}') }), 'its output is no ExecCredential'],
  ['fails', () => ({ ...token(''), code: 3, stderr: Buffer.from('request id 4711') }), 'it ended with 3'],
  ['gives a token that is not accepted', () => token('wrong'), 'does not accept the credentials'],
  ['hangs', () => new Promise<ProgramResult>(() => undefined), 'no answer in time'],
] as const) {
  test(`a provider that ${what} is one sentence with a next step; other clusters are unharmed, and it is tried again`, async () => {
    await using fleet = fleetWorld()
    fleet.addTarget('wlc-a')
    fleet.addTarget('wlc-b')
    fleet.plugin = (_call, target) =>
      target?.address.includes('wlc-a') === true ? plugin() : token(target?.server.adminToken ?? '')
    await fleet.publish('wlc-a')
    await fleet.publish('wlc-b')
    const run = start(fleet)
    await fleet.world.advance(30_000)
    assert.deepEqual(run.manager.targets.names(), ['wlc-b'])
    // Within a minute it is "not yet", afterwards it is told.
    assert.equal(run.engagement.engagements.stateOf('wlc-a').kind, 'starting')
    assert.deepEqual(run.engagement.ready.check(), { ok: true, note: 'engaged: wlc-b; away: wlc-a' })
    await fleet.world.advance(120_000)
    const state = stateOf(run, 'wlc-a')
    assert.ok(state.startsWith('away: cluster wlc-a cannot be reached through provider ocm: '), state)
    assert.ok(state.includes(said), state)
    assert.ok(!state.includes('4711'), state)
    assert.ok(run.woken.includes('wlc-a'))
    if (what === 'hangs') return
    const wokenBefore = run.woken.length
    fleet.plugin = (_call, target) => token(target?.server.adminToken ?? '')
    await fleet.world.advance(61_000)
    assert.deepEqual(run.manager.targets.names(), ['wlc-a', 'wlc-b'])
    assert.ok(run.woken.length > wokenBefore)
  })
}

test('with 40 dead clusters a living one is engaged at once [B28]', async () => {
  await using fleet = fleetWorld()
  for (let index = 0; index < 40; index++) {
    fleet.addTarget(`dead-${index}`).faulty.judge = () => (index % 2 === 0 ? 'hang' : 'unreachable')
    await fleet.publish(`dead-${index}`)
  }
  fleet.addTarget('wlc-a')
  await fleet.publish('wlc-a')
  const run = start(fleet)
  await fleet.world.advance(500)
  assert.deepEqual(run.manager.targets.names(), ['wlc-a'])
  fleet.addTarget('wlc-z')
  await fleet.publish('wlc-z')
  await fleet.world.advance(500)
  assert.deepEqual(run.manager.targets.names(), ['wlc-a', 'wlc-z'])
})

test('another cluster that answers behind the same address is another cluster: the member is made anew', async () => {
  await using fleet = fleetWorld()
  const old = fleet.addTarget('wlc-a', 7)
  await fleet.publish('wlc-a')
  const run = start(fleet)
  await fleet.world.advance(1_000)
  const before = run.engagement.engagements.stateOf('wlc-a')
  const cachesBefore = run.manager.targets.caches('wlc-a')
  await old.server.close()
  fleet.addTarget('wlc-a', 8)
  await fleet.publish('wlc-a', { properties: { rebuilt: 'yes' } })
  await fleet.world.advance(3_600_000)
  const after = run.engagement.engagements.stateOf('wlc-a')
  assert.equal(after.kind, 'engaged')
  assert.notDeepEqual(after, before)
  assert.notEqual(run.manager.targets.caches('wlc-a'), cachesBefore)
})

test('a client from this process needs no provider', async () => {
  await using fleet = fleetWorld()
  const { client } = fleet.addTarget('wlc-a')
  await fleet.publish('wlc-a', { accessProviders: [] })
  const run = start(fleet, { providers: [], clientOf: () => client })
  await fleet.world.advance(1_000)
  assert.deepEqual(run.manager.targets.names(), ['wlc-a'])
  assert.deepEqual(fleet.calls, [])
})

test('a profile that gets another name leaves the old one and engages the new one', async () => {
  await using fleet = fleetWorld()
  const { address } = fleet.addTarget('wlc-a')
  await fleet.publish('wlc-a')
  const run = start(fleet)
  await fleet.world.advance(1_000)
  await fleet.publish('wlc-b', { name: 'wlc-a', address })
  await fleet.world.advance(2_000)
  assert.deepEqual(run.manager.targets.names(), ['wlc-b'])
  assert.equal(stateOf(run, 'wlc-a'), 'away: no ClusterProfile leads to cluster wlc-a; publish one')
})

test('a tenant who may write ClusterProfiles in his namespace takes the name of no other cluster where names are bound [X5]', async () => {
  await using fleet = fleetWorld()
  fleet.addTarget('wlc-a')
  const { address } = fleet.addTarget('theirs')
  await fleet.world.client.create(namespaces, namespace('tenant'))
  // It is older than the inventory's own, which lets it win.
  await fleet.publish('wlc-a', { namespace: 'tenant', address })
  await fleet.world.advance(1_000)
  await fleet.publish('wlc-a')
  const rule = parseNameRule('inventory=*')
  assert.ok(typeof rule === 'function')
  const open = start(fleet)
  await fleet.world.advance(1_000)
  assert.equal(serverOf(fleet), address, 'where names are open, the oldest profile leads')
  await open.stop()
  fleet.calls.length = 0
  const bound = start(fleet, { mayName: rule })
  await fleet.world.advance(1_000)
  assert.deepEqual(bound.manager.targets.names(), ['wlc-a'])
  assert.equal(serverOf(fleet), fleet.targets.get('wlc-a')?.address)
})

/** Of the last plugin that was run. */
function serverOf({ calls }: FleetWorld): string | undefined {
  const info = JSON.parse(calls.at(-1)?.env.KUBERNETES_EXEC_INFO ?? '{}') as { spec: { cluster?: { server?: string } } }
  return info.spec.cluster?.server
}

test('a plugin sees of our environment where programs are, and what the provider file names [X7]', async () => {
  const env = {
    PATH: '/bin',
    HOME: '/home/v',
    AWS_SECRET_ACCESS_KEY: 'canary',
    AWS_ROLE_ARN: 'arn:aws:iam::1:role/x',
    OTHER: 'y',
  }
  await using fleet = fleetWorld({ env })
  fleet.addTarget('wlc-a')
  await fleet.publish('wlc-a')
  start(fleet, { providers: fleet.providers.map(provider => ({ ...provider, passedEnv: ['AWS_ROLE_ARN', 'OTHER'] })) })
  await fleet.world.advance(1_000)
  const { KUBERNETES_EXEC_INFO: _info, ...seen } = fleet.calls[0]?.env ?? {}
  assert.deepEqual(seen, { PATH: '/bin', HOME: '/home/v', AWS_ROLE_ARN: 'arn:aws:iam::1:role/x', OTHER: 'y' })
})
