// Room for shards: several leases, each with a part of the claims, in one process or in many (docs/adr/0009).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seededRandom, silentLog } from '#base'
import { configMaps, type KubeObject, leases } from '#kube'
import type { Running } from '../test-world/drive.ts'
import { type ConfigMap, greeting, greetingController, greetingCrd, greetings } from '../testing/greeting.ts'
import { type EngineWorld, engineWorld } from '../testing/world.ts'
import type { Lease } from './lease.ts'

const shardNames = ['north', 'south'] as const
const lease = (shard: string) => ({ namespace: 'default', name: `shard-${shard}` })
const namespace = (name: string): KubeObject => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } })

/** A shard is a manager: its own lease, and claims of its own namespaces only. */
function startShard(world: EngineWorld, shard: string, process: string): Running {
  const whole = greetingController()
  const controller = {
    ...whole,
    claims: { ...whole.claims, namespaces: [shard] },
    watches: (whole.watches ?? []).map(watch => ({ ...watch, namespaces: [shard] })),
  }
  const seams = { clock: world.clock, random: seededRandom(`${process}/${shard}`), log: silentLog }
  return world.start({ controllers: [controller], identity: process, election: { lease: lease(shard) }, seams })
}

const copyIn = (world: EngineWorld, shard: string, name: string): Promise<ConfigMap | undefined> =>
  world.client.find<ConfigMap>(configMaps, { namespace: shard, name })

async function ask(world: EngineWorld, name: string): Promise<void> {
  for (const shard of shardNames) {
    const claim = greeting(name)
    await world.client.create(greetings, { ...claim, metadata: { ...claim.metadata, namespace: shard } })
  }
}

test('two shards in one process, each under its own lease: one that is lost stops its claims and no others [P13]', async () => {
  await using world = engineWorld({ objects: [greetingCrd, ...shardNames.map(namespace)] })
  const passes = shardNames.map(shard => startShard(world, shard, 'one'))
  await world.advance(1_000)
  await ask(world, 'first')
  await world.advance(1_000)
  for (const shard of shardNames) assert.notEqual(await copyIn(world, shard, 'first'), undefined, shard)
  const spec = { holderIdentity: 'two', leaseDurationSeconds: 15 }
  await world.client.patch<Lease & KubeObject>(leases, lease('north'), 'merge', { spec } as never)
  await world.advance(1_000)
  await ask(world, 'second')
  await world.advance(5_000)
  assert.equal(await copyIn(world, 'north', 'second'), undefined)
  assert.notEqual(await copyIn(world, 'south', 'second'), undefined)
  // Nobody renews it: it runs out, and its claims are made good.
  await world.advance(60_000)
  assert.notEqual(await copyIn(world, 'north', 'second'), undefined)
  for (const one of passes) await one.stop()
})

test('two processes share the shards, and when one ends the other takes over what it had [P13]', async () => {
  await using world = engineWorld({ objects: [greetingCrd, ...shardNames.map(namespace)] })
  const north = startShard(world, 'north', 'one')
  const south = startShard(world, 'south', 'two')
  await world.advance(1_000)
  // Each stands by for the other's.
  startShard(world, 'south', 'one')
  startShard(world, 'north', 'two')
  await ask(world, 'first')
  await world.advance(1_000)
  const holder = async (shard: string): Promise<string | undefined> =>
    (await world.client.get<Lease & KubeObject>(leases, lease(shard))).spec.holderIdentity
  assert.deepEqual([await holder('north'), await holder('south')], ['one', 'two'])
  assert.ok(north.passes.length > 0 && south.passes.length > 0)
  assert.deepEqual(new Set(north.passes.map(({ key }) => key.namespace)), new Set(['north']))
  await north.stop()
  await world.advance(30_000)
  assert.deepEqual([await holder('north'), await holder('south')], ['two', 'two'])
  await ask(world, 'second')
  await world.advance(1_000)
  for (const shard of shardNames) assert.notEqual(await copyIn(world, shard, 'second'), undefined, shard)
})
