import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ApiServer, createApiServer } from '#apiserver'
import { type ManualClock, seededRandom, silentLog } from '#base'
import { configMaps, secrets } from '#kube'
import { createKubeClient, type KubeClient } from '#kube/client'
import type { Watch } from '../controller/definition.ts'
import { Caches } from '../informer/caches.ts'
import type { Manager } from '../manager/manager.ts'
import { Faulty } from '../testing/faulty.ts'
import { type ConfigMap, type GreetingObject, greeting, greetingController, greetingCrd, greetings } from '../testing/greeting.ts'
import { engineWorld } from '../testing/world.ts'

const key = (name: string) => ({ namespace: 'default', name })

interface Target {
  readonly server: ApiServer
  readonly faulty: Faulty
  readonly client: KubeClient
  has(name: string): Promise<boolean>
}

function target(clock: ManualClock, seed: number): Target {
  const server = createApiServer({ seed, clock })
  const faulty = new Faulty()
  const client = createKubeClient({ clock, address: `target-${seed}`, exchange: faulty.through(server.as()) })
  const direct = createKubeClient({ clock, address: 'direct', exchange: server.as() })
  return { server, faulty, client, has: async name => (await direct.find<ConfigMap>(configMaps, key(name))) !== undefined }
}

const depthOf = (manager: Manager): number => manager.controllers[0]?.queue.depth() ?? -1

test('any subset of targets dead, refusing or never answering: the living ones converge at once [B28]', async () => {
  for (const dead of [[], [0], [1, 2], [0, 1, 2]] as const) {
    for (const how of ['hang', 'unreachable'] as const) {
      await using world = engineWorld({ objects: [greetingCrd] })
      const targets = [target(world.clock, 11), target(world.clock, 12), target(world.clock, 13)]
      for (const index of dead) (targets[index] as Target).faulty.judge = () => how
      const { manager } = world.start({ controllers: [greetingController()] })
      for (const [index, { client }] of targets.entries()) manager.targets.join(`t${index}`, client)
      await world.settle()
      const names = Array.from({ length: 15 }, (_, index) => `g-${index}`)
      for (const name of names) await world.client.create(greetings, greeting(name, 'hi', ['t0', 't1', 't2']))
      await world.client.create(greetings, greeting('only-hub'))
      await world.advance(1_000)
      for (const [index, one] of targets.entries()) {
        const isDead = (dead as readonly number[]).includes(index)
        for (const name of names) assert.equal(await one.has(name), !isDead, `${how} ${String(dead)} t${index} ${name}`)
      }
      // While some claims wait for a dead cluster, others and new ones are served.
      await world.advance(60_000)
      await world.client.create(greetings, greeting('later'))
      await world.settle()
      const later = await world.client.get<GreetingObject>(greetings, key('later'))
      assert.equal(later.status?.conditions?.[0]?.status, 'True', `${how} ${String(dead)}`)
      // L7: the dead one comes back, and its claims follow.
      for (const index of dead) (targets[index] as Target).faulty.judge = () => 'pass'
      await world.advance(120_000)
      for (const one of targets) for (const name of names) assert.equal(await one.has(name), true)
      assert.equal(depthOf(manager), 0)
      for (const one of targets) await one.server.close()
    }
  }
})

/** Watches of the kind that were asked of it so far. */
function countWatches(one: Target, plural: string): () => number {
  let count = 0
  one.faulty.judge = ({ target }) => {
    if (target.includes(`/${plural}?`) && target.includes('watch=true')) count++
    return 'pass'
  }
  return () => count
}

const asked = new AbortController().signal

test('a kind that is followed only where it is read costs a target nothing, and is listed once when somebody reads it', async () => {
  await using world = engineWorld({ objects: [greetingCrd] })
  const [east, west] = [target(world.clock, 41), target(world.clock, 42)]
  const watches = [countWatches(east, 'secrets'), countWatches(west, 'secrets')] as const
  const sleeping: Watch = { type: secrets, on: 'targets', whenRead: true, toClaims: () => [] }
  const controller = greetingController()
  const { manager } = world.start({ controllers: [{ ...controller, watches: [...(controller.watches ?? []), sleeping] }] })
  manager.targets.join('east', east.client)
  manager.targets.join('west', west.client)
  await world.settle()
  assert.deepEqual([watches[0](), watches[1]()], [0, 0])
  const reads = manager.world.cluster('east')
  const following = reads?.follow([secrets], asked)
  await world.settle()
  await following
  assert.deepEqual(reads?.list(secrets), [], 'whole, where the target answers')
  await reads.follow([secrets], asked)
  assert.deepEqual([watches[0](), watches[1]()], [1, 0])
  // Whoever does not wait is told that nothing is known yet.
  const there = manager.world.cluster('west')
  assert.equal(there?.isSynced(secrets), false)
  assert.throws(() => there?.list(secrets), /not whole yet/)
  await world.settle()
  assert.deepEqual(there?.list(secrets), [])
  assert.deepEqual([watches[0](), watches[1]()], [1, 1])
  await Promise.all([east.server.close(), west.server.close()])
})

test('what is followed only where it is read is not whole before anything is followed', async () => {
  await using world = engineWorld({ objects: [greetingCrd] })
  const { clock, client } = world
  const caches = new Caches({ client, clock, random: seededRandom(1), log: silentLog, fieldManagers: [] })
  caches.want({ type: secrets, whenRead: true })
  assert.equal(caches.isSynced(secrets), false)
  assert.throws(() => caches.requireSynced(secrets), /not whole yet/)
})

test('a target that does not answer keeps nobody who wants to read of it', async () => {
  await using world = engineWorld({ objects: [greetingCrd] })
  const east = target(world.clock, 43)
  east.faulty.judge = () => 'hang'
  const sleeping: Watch = { type: secrets, on: 'targets', whenRead: true, toClaims: () => [] }
  const controller = greetingController()
  const { manager } = world.start({ controllers: [{ ...controller, watches: [...(controller.watches ?? []), sleeping] }] })
  manager.targets.join('east', east.client)
  await world.settle()
  await manager.world.cluster('east')?.follow([secrets], asked)
  assert.equal(manager.world.cluster('east')?.isSynced(secrets), false)
  await east.server.close()
})

test('a target that comes later gets what is wanted of it, and one that leaves is not taken for empty', async () => {
  await using world = engineWorld({ objects: [greetingCrd] })
  const { manager } = world.start({ controllers: [greetingController()] })
  await world.settle()
  await world.client.create(greetings, greeting('a', 'hi', ['east']))
  await world.advance(5_000)
  const waiting = await world.client.get<GreetingObject>(greetings, key('a'))
  assert.deepEqual([waiting.status?.conditions?.[0]?.status, waiting.status?.conditions?.[0]?.reason], ['False', 'Unreachable'])
  const east = target(world.clock, 21)
  manager.targets.join('east', east.client)
  await world.advance(1_000)
  assert.equal(await east.has('a'), true)
  manager.targets.leave('east')
  await world.advance(1_000)
  assert.equal(await east.has('a'), true)
  assert.deepEqual(manager.targets.names(), [])
  await east.server.close()
})

test('a change in a target concerns its claim in the hub', async () => {
  await using world = engineWorld({ objects: [greetingCrd] })
  const { manager } = world.start({ controllers: [greetingController()] })
  const east = target(world.clock, 21)
  manager.targets.join('east', east.client)
  await world.settle()
  await world.client.create(greetings, greeting('a', 'hi', ['east']))
  await world.settle()
  await createKubeClient({ clock: world.clock, address: 'd', exchange: east.server.as() }).delete(configMaps, key('a'))
  await world.advance(100)
  assert.equal(await east.has('a'), true)
  await world.client.delete(greetings, key('a'))
  await world.settle()
  assert.equal(await east.has('a'), false)
  assert.equal(await world.client.find(greetings, key('a')), undefined)
  await east.server.close()
})

test('a restart while targets are converged takes no claim out of Ready and writes nothing [B28, L2]', async () => {
  await using world = engineWorld({ objects: [greetingCrd] })
  const east = target(world.clock, 21)
  const first = world.start({ controllers: [greetingController()] })
  first.manager.targets.join('east', east.client)
  await world.settle()
  for (let index = 0; index < 10; index++) await world.client.create(greetings, greeting(`g-${index}`, 'hi', ['east']))
  await world.advance(1_000)
  await first.stop()
  // The hub is known long before the target is.
  east.faulty.judge = () => 'hang'
  const second = world.start({ controllers: [greetingController()] })
  second.manager.targets.join('east', east.client)
  await world.advance(3_000)
  east.faulty.judge = () => 'pass'
  await world.advance(120_000)
  assert.deepEqual(
    second.passes.flatMap(pass => pass.writes),
    [],
  )
  await east.server.close()
})

test('a claim that is deleted while a target is away keeps its finalizer until the copy there was seen gone [P5]', async () => {
  await using world = engineWorld({ objects: [greetingCrd] })
  const east = target(world.clock, 21)
  const first = world.start({ controllers: [greetingController()] })
  first.manager.targets.join('east', east.client)
  await world.settle()
  await world.client.create(greetings, greeting('a', 'hi', ['east']))
  await world.advance(1_000)
  await first.stop()
  east.faulty.judge = () => 'unreachable'
  const second = world.start({ controllers: [greetingController()] })
  second.manager.targets.join('east', east.client)
  await world.settle()
  await world.client.delete(greetings, key('a'))
  await world.advance(300_000)
  assert.notEqual(await world.client.find(greetings, key('a')), undefined)
  east.faulty.judge = () => 'pass'
  await world.advance(60_000)
  assert.equal(await world.client.find(greetings, key('a')), undefined)
  assert.equal(await east.has('a'), false)
  await east.server.close()
})

test('a stream that breaks and stands again is no outage: what is decided meanwhile is carried out and nobody is told [L2]', async () => {
  await using world = engineWorld({ objects: [greetingCrd] })
  const { manager } = world.start({ controllers: [greetingController()] })
  const east = target(world.clock, 21)
  manager.targets.join('east', east.client)
  await world.settle()
  await world.client.create(greetings, greeting('a', 'hi', ['east']))
  await world.advance(1_000)
  const said = async () => (await world.client.get<GreetingObject>(greetings, key('a'))).status?.conditions?.[0]
  const informer = manager.targets.caches('east')?.informerOf(configMaps, key('a'))
  const breakStream = (): void => {
    east.faulty.judge = ({ isWrite }) => (isWrite ? 'pass' : 'unreachable')
    informer?.relist('broken by the test')
  }
  breakStream()
  await world.settle()
  assert.equal(informer?.state.kind, 'behind')
  await world.client.patch(greetings, key('a'), 'merge', { spec: { text: 'hello' } })
  await world.advance(200)
  assert.equal((await said())?.message, 'says hello')
  east.faulty.judge = () => 'pass'
  await world.advance(10_000)
  // One that stays broken is told without waiting for a call.
  breakStream()
  await world.advance(6_000)
  await world.client.patch(greetings, key('a'), 'merge', { spec: { text: 'bye' } })
  await world.settle()
  assert.match((await said())?.message ?? '', /cluster east does not answer as it should/)
  await east.server.close()
})

test('a decision that needs a target which is only being listed is taken the moment it is [L7]', async () => {
  await using world = engineWorld({ objects: [greetingCrd] })
  const east = target(world.clock, 21)
  east.faulty.judge = () => 'hang'
  const looks: number[] = []
  const controller = greetingController({
    reconciler: {
      // Does not ask whether the cache is whole, as one who forgot.
      observe: (_claim, reads) => {
        reads.cluster('east')?.list(configMaps)
        looks.push(world.clock.monotonicMs())
        return { claim: undefined, copies: [], unknown: [] }
      },
      decide: () => ({ actions: [], conditions: [], next: { kind: 'await-change' } }),
    },
  })
  const { manager } = world.start({ controllers: [controller] })
  manager.targets.join('east', east.client)
  await world.settle()
  await world.client.create(greetings, greeting('a', 'hi', ['east']))
  await world.advance(20_000)
  assert.deepEqual(looks, [])
  east.faulty.judge = () => 'pass'
  await world.advance(35_000)
  assert.ok(looks.length > 0)
  const synced = manager.targets.caches('east')?.informerOf(configMaps, { namespace: 'default', name: 'any' })
  assert.equal(synced?.state.kind, 'live')
  await east.server.close()
})

test('a target that comes back while a pass is still saying that it is away wakes the claim all the same [L7]', async () => {
  await using world = engineWorld({ objects: [greetingCrd] })
  const east = target(world.clock, 21)
  east.faulty.judge = () => 'hang'
  const { promise: backAgain, resolve: isBack } = Promise.withResolvers<void>()
  const answers: string[] = []
  const controller = greetingController({
    // No status, so that no write of its own brings the claim up again.
    status: { kind: 'none' },
    watches: [{ type: configMaps, on: 'targets', toClaims: () => [] }],
    toClaimsOfCluster: () => [],
    reconciler: {
      observe: async (_claim, reads) => {
        try {
          reads.cluster('east')?.list(configMaps)
          answers.push('whole')
        } catch (error) {
          answers.push('not whole')
          await backAgain
          throw error
        }
        return { claim: undefined, copies: [], unknown: [] }
      },
      decide: () => ({ actions: [], conditions: [], next: { kind: 'await-change' } }),
    },
  })
  const { manager } = world.start({ controllers: [controller] })
  manager.targets.join('east', east.client)
  await world.settle()
  await world.client.create(greetings, greeting('a', 'hi', ['east']))
  await world.settle()
  east.faulty.judge = () => 'pass'
  await world.advance(35_000)
  assert.equal(manager.targets.caches('east')?.informerOf(configMaps, { namespace: 'default', name: 'any' })?.state.kind, 'live')
  assert.deepEqual(answers, ['not whole'])
  isBack()
  await world.advance(1)
  assert.deepEqual(answers, ['not whole', 'whole'])
  await east.server.close()
})

test('a claim whose write into a cluster was never seen, because the cluster left, is worked on again [P6]', async () => {
  await using world = engineWorld({ objects: [greetingCrd] })
  const { manager } = world.start({ controllers: [greetingController()] })
  const east = target(world.clock, 21)
  manager.targets.join('east', east.client)
  await world.settle()
  east.faulty.after = call => {
    if (call.isWrite) manager.targets.leave('east')
    return Promise.resolve()
  }
  await world.client.create(greetings, greeting('a', 'hi', ['east']))
  await world.advance(1_000)
  assert.deepEqual(manager.targets.names(), [])
  east.faulty.after = () => Promise.resolve()
  manager.targets.join('east', east.client)
  await world.client.delete(greetings, key('a'))
  await world.advance(60_000)
  assert.equal(await east.has('a'), false)
  assert.equal(await world.client.find(greetings, key('a')), undefined)
  await east.server.close()
})

test('a cluster that changes before the claims are listed breaks nobody off: they come up by themselves', async () => {
  await using world = engineWorld({ objects: [greetingCrd] })
  const asked: number[] = []
  const controller = greetingController({
    toClaimsOfCluster: (_cluster, reads) => {
      const claims = reads.list<GreetingObject>(greetings)
      asked.push(claims.length)
      return claims.map(({ metadata }) => key(metadata.name))
    },
  })
  const { manager } = world.start({ controllers: [controller] })
  assert.throws(() => manager.world.list(greetings), /not whole yet/)
  const [running] = manager.controllers
  assert.ok(running !== undefined)
  running.onClusterChanged('east')
  await world.client.create(greetings, greeting('a', 'hi', ['east']))
  await world.settle()
  running.onClusterChanged('east')
  assert.deepEqual(asked, [0, 1])
})
