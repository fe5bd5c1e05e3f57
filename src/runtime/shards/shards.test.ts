// Replicas that share the work, on one embedded server: what each does when another dies, joins, is paused, or divides the work otherwise.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Clock, type HttpExchange, seededRandom, silentLog } from '#base'
import { configMaps, type KubeObject, leases, type StoredObject } from '#kube'
import { createKubeClient } from '#kube/client'
import type { Lease } from '../election/lease.ts'
import type { Manager } from '../manager/manager.ts'
import { Faulty } from '../testing/faulty.ts'
import { type ConfigMap, greeting, greetingController, greetingCrd, greetingReconciler, greetings } from '../testing/greeting.ts'
import { pausable } from '../testing/pausable.ts'
import { type EngineWorld, engineWorld } from '../testing/world.ts'
import { shardLeaseName } from './lease-names.ts'
import { shardOf } from './shard-of.ts'

const lease = { namespace: 'default', name: 'vouch' }
const times = { leaseDurationMs: 14_000, fenceMs: 3_500, renewMs: 1_000, restMs: 10_000 }
const count = 8
const places = Array.from({ length: 24 }, (_, index) => `team-${index}`)

interface Replica {
  readonly name: string
  readonly manager: Manager
  readonly faulty: Faulty
  readonly passes: readonly { readonly key: { readonly namespace: string } }[]
  readonly writes: () => number
  readonly stop: () => Promise<void>
}

function worldOf(): EngineWorld {
  return engineWorld({ objects: [greetingCrd, ...places.map(namespace)] })
}

function replica(
  world: EngineWorld,
  name: string,
  { shards = count, clock = world.clock as Clock, sharing = true, isDeaf = false, controller = greetingController() } = {},
): Replica {
  const faulty = new Faulty()
  const exchange = faulty.through(world.server.as())
  const client = createKubeClient({ clock, address: 'test', exchange: isDeaf ? silenced(exchange) : exchange })
  const seams = { clock, random: seededRandom(name), log: silentLog }
  const election = { lease, ...times, ...(sharing ? { shards } : {}) }
  const run = world.start({ controllers: [controller], identity: name, election, seams, client })
  return {
    name,
    faulty,
    manager: run.manager,
    passes: run.passes,
    stop: () => run.stop(),
    writes: () => run.passes.flatMap(pass => pass.writes).length,
  }
}

/** Lists answer, and watches of leases are there and tell nothing. */
function silenced(exchange: HttpExchange): HttpExchange {
  return async request => {
    const response = await exchange(request)
    if (!request.target.includes('/leases?') || !request.target.includes('watch=')) return response
    return { ...response, body: nothing(request.signal) }
  }
}

async function* nothing(signal: AbortSignal | undefined): AsyncGenerator<Uint8Array> {
  await new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true }))
  yield new Uint8Array()
}

/** What each namespace's claim says is what the copy beside it says. */
async function ask(world: EngineWorld, name: string): Promise<void> {
  for (const place of places) {
    const claim = greeting(name)
    await world.client.create(greetings, { ...claim, metadata: { ...claim.metadata, namespace: place } })
  }
}

async function missing(world: EngineWorld, name: string): Promise<readonly string[]> {
  const found = await Promise.all(
    places.map(async place =>
      (await world.client.find<ConfigMap>(configMaps, { namespace: place, name })) === undefined ? [place] : [],
    ),
  )
  return found.flat()
}

/** For each shard, its holder by the leases. */
async function holders(world: EngineWorld): Promise<readonly string[]> {
  const { items } = await world.client.listAll<Lease & StoredObject>(leases, { namespace: 'default' })
  const of = (name: string): string => items.find(({ metadata }) => metadata.name === name)?.spec.holderIdentity ?? ''
  return Array.from({ length: count }, (_, shard) => of(shardLeaseName({ ...lease, count }, shard)))
}

const sharesOf = (held: readonly string[], ...names: readonly string[]): readonly number[] =>
  names.map(name => held.filter(holder => holder === name).length)

test('one replica holds all shards; a second gets half of them, and each works on its own namespaces only', async () => {
  await using world = worldOf()
  const a = replica(world, 'a')
  await world.advance(1_000)
  assert.deepEqual(sharesOf(await holders(world), 'a'), [8])
  const b = replica(world, 'b')
  await world.advance(3_000)
  const held = await holders(world)
  assert.deepEqual(sharesOf(held, 'a', 'b'), [4, 4])
  const before = a.passes.length
  await ask(world, 'first')
  await world.advance(2_000)
  assert.deepEqual(await missing(world, 'first'), [])
  assert.deepEqual([a.writes() + b.writes(), a.writes() > 0, b.writes() > 0], [places.length * 3, true, true])
  for (const [one, passes] of [
    [a, a.passes.slice(before)],
    [b, b.passes],
  ] as const)
    for (const { key } of passes) assert.equal(held[shardOf(key.namespace, count)], one.name, key.namespace)
  assert.match(b.manager.metrics.expose(), /vouch_shards_held\{name="vouch"\} 4/)
  assert.match(b.manager.metrics.expose(), /vouch_shard_members\{name="vouch"\} 2/)
})

test('what is under way when its shard goes is told to stop, so that the shard goes at once', async () => {
  await using world = worldOf()
  const stopped: string[] = []
  const untilTold = (place: string, signal: AbortSignal): Promise<never> =>
    new Promise((_resolve, reject) => {
      const stop = (): void => {
        stopped.push(place)
        reject(signal.reason as Error)
      }
      signal.addEventListener('abort', stop, { once: true })
    })
  const controller = greetingController({
    workers: places.length,
    reconciler: { ...greetingReconciler, observe: (key, _reads, signal) => untilTold(key.namespace, signal) },
  })
  replica(world, 'a', { controller })
  await ask(world, 'first')
  await world.advance(1_000)
  replica(world, 'b')
  await world.advance(3_000)
  const held = await holders(world)
  assert.deepEqual(sharesOf(held, 'a', 'b'), [4, 4])
  const gone = places.filter(place => held[shardOf(place, count)] === 'b')
  assert.ok(gone.length > 0)
  assert.deepEqual(stopped.toSorted(), gone.toSorted())
})

test('a replica that joins moves at most 1/N of the shards, and none between two that were there', async () => {
  await using world = worldOf()
  for (const name of ['a', 'b']) replica(world, name)
  await world.advance(5_000)
  const before = await holders(world)
  replica(world, 'c')
  await world.advance(5_000)
  const after = await holders(world)
  assert.deepEqual(
    sharesOf(after, 'a', 'b', 'c').toSorted((one, other) => one - other),
    [2, 3, 3],
  )
  const moved = after.filter((holder, shard) => holder !== before[shard])
  assert.ok(moved.length <= Math.ceil(count / 3), String(moved))
  assert.deepEqual(new Set(moved), new Set(['c']))
})

test('one that stops hands over at once, and nothing of it is left', async () => {
  await using world = worldOf()
  const a = replica(world, 'a')
  const b = replica(world, 'b')
  await world.advance(5_000)
  const stopping = a.stop()
  await world.settle()
  await world.advance(100)
  assert.deepEqual(sharesOf(await holders(world), 'a', 'b'), [0, 8])
  await stopping
  const { items } = await world.client.listAll(leases, { namespace: 'default' })
  assert.deepEqual(items.filter(({ metadata }) => metadata.name.includes('member')).length, 1)
  await ask(world, 'later')
  await world.advance(2_000)
  assert.deepEqual(await missing(world, 'later'), [])
  await b.stop()
  assert.equal(world.timersLeft(), 0)
})

test('one that is killed is followed within its lease, and what it left undone is done [B14]', async () => {
  await using world = worldOf()
  const a = replica(world, 'a')
  replica(world, 'b')
  await world.advance(60_000)
  a.faulty.judge = () => 'hang'
  await ask(world, 'orphan')
  let waitedMs = 0
  for (; (await missing(world, 'orphan')).length > 0 && waitedMs < 60_000; waitedMs += 500) await world.advance(500)
  assert.ok(waitedMs <= 15_500, `${waitedMs} ms`)
  assert.deepEqual(sharesOf(await holders(world), 'a', 'b'), [0, 8])
})

test('one that was paused past its lease writes nothing when it wakes, and gets a share again [B14, F3]', async () => {
  await using world = worldOf()
  const sleeper = pausable(world.clock)
  const a = replica(world, 'a', { clock: sleeper.clock })
  replica(world, 'b')
  await world.advance(30_000)
  sleeper.pause()
  await world.advance(40_000)
  await ask(world, 'meanwhile')
  await world.advance(5_000)
  assert.deepEqual(sharesOf(await holders(world), 'a', 'b'), [0, 8])
  const before = a.writes()
  sleeper.resume()
  await world.advance(100)
  assert.deepEqual(await missing(world, 'meanwhile'), [])
  assert.equal(a.writes(), before, 'what the other has done is not done again')
  await world.advance(20_000)
  assert.deepEqual(sharesOf(await holders(world), 'a', 'b'), [4, 4])
  await ask(world, 'after')
  await world.advance(5_000)
  assert.deepEqual(await missing(world, 'after'), [])
  assert.ok(a.writes() > before)
})

test('at rest the leases of three replicas are written three times in two seconds in all', async () => {
  await using world = worldOf()
  const all = ['a', 'b', 'c'].map(name => replica(world, name))
  await world.advance(60_000)
  const writes = (): number => all.flatMap(({ faulty }) => faulty.calls.filter(({ isWrite }) => isWrite)).length
  const before = writes()
  await world.advance(100_000)
  const written = writes() - before
  assert.ok(
    written >= 130 && written <= 150,
    `${written} in 100 s: eight shards, three members and the division by each of them, every ten seconds`,
  )
})

for (const [theirs, name] of [
  [4, 'a smaller number of shards'],
  [16, 'a larger number of shards'],
] as const) {
  test(`while replicas hold ${name}, one with another number takes nothing; when they are gone it takes all`, async () => {
    await using world = worldOf()
    const old = replica(world, 'old', { shards: theirs })
    await world.advance(5_000)
    const fresh = replica(world, 'new')
    await world.advance(30_000)
    assert.deepEqual([old.manager, fresh.manager].map(heldBy), [theirs, 0])
    await old.stop()
    await world.advance(20_000)
    assert.equal(heldBy(fresh.manager), 8)
  })
}

test('while one leads over everything, replicas that share wait; when it is gone they take all', async () => {
  await using world = worldOf()
  const leader = replica(world, 'leader', { sharing: false })
  await world.advance(5_000)
  const a = replica(world, 'a')
  await world.advance(30_000)
  assert.equal(heldBy(a.manager), 0)
  await leader.stop()
  await world.advance(20_000)
  assert.equal(heldBy(a.manager), 8)
})

test('of two divisions that begin in the same moment one works and the other does not, at every moment', async () => {
  for (const [first, second] of [
    [4, 8],
    [8, 4],
  ]) {
    await using world = worldOf()
    // What a watch would tell does not come: a view of the others is never what keeps two from working at once.
    const [a, b] = [
      replica(world, 'a', { shards: first ?? 0, isDeaf: true }),
      replica(world, 'b', { shards: second ?? 0, isDeaf: true }),
    ]
    for (let ms = 0; ms < 40_000; ms += 100) {
      await world.advance(100)
      const held = [a.manager, b.manager].map(heldBy)
      assert.ok(held.includes(0), `${held.join()} shards are held after ${ms} ms`)
    }
    assert.ok([a.manager, b.manager].map(heldBy).some(held => held > 0))
  }
})

test('one that was paused while another division took over writes nothing when it wakes, though its shards are nobody else’s', async () => {
  await using world = worldOf()
  const sleeper = pausable(world.clock)
  const a = replica(world, 'a', { shards: 4, clock: sleeper.clock, isDeaf: true })
  await world.advance(30_000)
  sleeper.pause()
  const b = replica(world, 'b')
  await world.advance(40_000)
  assert.equal(heldBy(b.manager), 8)
  const before = a.writes()
  // It does not hear at once that the division is another's, and nobody keeps it from renewing the leases of its shards.
  a.faulty.judge = ({ target }) => (/\/leases\/vouch(\?|$)/.test(target) ? 'hang' : 'pass')
  b.faulty.judge = ({ target }) => (target.includes('/configmaps') ? 'hang' : 'pass')
  await ask(world, 'meanwhile')
  sleeper.resume()
  await world.advance(10_000)
  assert.deepEqual([(await missing(world, 'meanwhile')).length, a.writes() - before], [places.length, 0])
})

test('a leader over everything and a replica that shares, begun in the same moment: one of them works', async () => {
  await using world = worldOf()
  const leader = replica(world, 'leader', { sharing: false })
  const sharer = replica(world, 'sharer')
  for (let ms = 0; ms < 40_000; ms += 100) {
    await world.advance(100)
    assert.ok(!(leads(leader) && heldBy(sharer.manager) > 0), `both after ${ms} ms`)
  }
  assert.ok(leads(leader) !== heldBy(sharer.manager) > 0)
})

test('from shards back to one leader: it waits until the last who shares has been gone for a lease', async () => {
  await using world = worldOf()
  const [a, b] = [replica(world, 'a'), replica(world, 'b')]
  await world.advance(5_000)
  const leader = replica(world, 'leader', { sharing: false })
  await a.stop()
  await world.advance(30_000)
  assert.deepEqual([leads(leader), heldBy(b.manager)], [false, 8])
  await b.stop()
  await world.advance(20_000)
  assert.equal(leads(leader), true)
})

test('a replica whose member lease is renewed while a lease of its shards is not leaves them to the others', async () => {
  await using world = worldOf()
  const a = replica(world, 'a')
  replica(world, 'b')
  await world.advance(30_000)
  const lost = (await holders(world)).lastIndexOf('a')
  const name = shardLeaseName({ ...lease, count }, lost)
  a.faulty.judge = ({ isWrite, target }) =>
    isWrite && target.includes(`/leases/${name}`) ? { status: 403, reason: 'Forbidden' } : 'pass'
  let waitedMs = 0
  for (; (await holders(world))[lost] !== 'b' && waitedMs < 60_000; waitedMs += 500) await world.advance(500)
  assert.ok(waitedMs <= 25_000, `${waitedMs} ms`)
  await ask(world, 'meanwhile')
  await world.advance(5_000)
  assert.deepEqual(await missing(world, 'meanwhile'), [])
  a.faulty.judge = () => 'pass'
  await world.advance(600_000)
  assert.deepEqual(sharesOf(await holders(world), 'a', 'b'), [4, 4], 'it takes part again')
})

test('the lease of a member that died is swept away', async () => {
  await using world = worldOf()
  const a = replica(world, 'a')
  replica(world, 'b')
  await world.advance(5_000)
  a.faulty.judge = () => 'hang'
  await world.advance(700_000)
  const { items } = await world.client.listAll(leases, { namespace: 'default' })
  assert.deepEqual(
    items.filter(({ metadata }) => metadata.name.includes('member')).map(({ metadata }) => metadata.name),
    ['vouch-member-of-8-b'],
  )
})

const namespace = (name: string): KubeObject => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } })

function leads({ manager: { metrics } }: Replica): boolean {
  return /leader_election_master_status\{name="vouch"\} 1/.test(metrics.expose())
}

function heldBy({ metrics }: Manager): number {
  return Number(/vouch_shards_held\{[^}]*\} (\d+)/.exec(metrics.expose())?.[1])
}
