// The engine against the embedded API server: the rows `B` of docs/rules/reliability.md that a single controller can break, each by the fault that
// provokes it. The simulator goes on from here with every fault at every point.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { HttpExchange } from '#base'
import {
  configMaps,
  customResourceDefinitions,
  type EventObject,
  events,
  type KubeObject,
  renderKey,
  type StoredObject,
} from '#kube'
import { emptyPlan, type Plan } from '../plan/plan.ts'
import { Trouble } from '../plan/trouble.ts'
import { Faulty } from '../testing/faulty.ts'
import {
  type ConfigMap,
  finalizer,
  type GreetingObject,
  greeting,
  greetingController,
  greetingCrd,
  greetingReconciler,
  greetings,
  ownerLabel,
} from '../testing/greeting.ts'
import { type EngineWorld, engineWorld } from '../testing/world.ts'
import { defineController, type Watch } from './definition.ts'

const key = (name: string) => ({ namespace: 'default', name })
const claimOf = (world: EngineWorld, name: string) => world.client.find<GreetingObject>(greetings, key(name))
const copyOf = (world: EngineWorld, name: string) => world.client.find<ConfigMap>(configMaps, key(name))
const readyOf = (claim: GreetingObject | undefined) => claim?.status?.conditions?.find(({ type }) => type === 'Ready')

async function ownedCopies(world: EngineWorld): Promise<readonly StoredObject[]> {
  const { items } = await world.client.list(configMaps, { namespace: 'default' })
  return items.filter(({ metadata }) => metadata.labels?.[ownerLabel] !== undefined)
}

/** Each line of a watch comes after what `hold` says at that moment, and at once where that is nothing. */
function heldBack(hold: () => Promise<void> | undefined): (exchange: HttpExchange) => HttpExchange {
  return exchange => async request => {
    const response = await exchange(request)
    if (!request.target.includes('watch=') || response.body === null || response.body instanceof Uint8Array) return response
    const lines = response.body
    async function* late(): AsyncGenerator<Uint8Array> {
      for await (const chunk of lines) {
        await hold()
        yield chunk
      }
    }
    return { ...response, body: late() }
  }
}

test('a claim converges in exactly three writes, and a look at it afterwards makes none', async () => {
  await using world = engineWorld({ objects: [greetingCrd] })
  const { passes } = world.start({ controllers: [greetingController()] })
  await world.settle()
  await world.client.create(greetings, greeting('a'))
  await world.settle()
  const writes = passes.flatMap(pass => pass.writes)
  assert.deepEqual(
    writes.map(({ verb, type, subresource, result }) => [verb, type.plural, subresource, result]),
    [
      ['patch', 'greetings', undefined, 'changed'],
      ['create', 'configmaps', undefined, 'changed'],
      ['patch', 'greetings', 'status', 'changed'],
    ],
  )
  const claim = await claimOf(world, 'a')
  assert.deepEqual(claim?.metadata.finalizers, [finalizer])
  assert.deepEqual(claim?.status?.copies, 1)
  assert.deepEqual(readyOf(claim)?.observedGeneration, 1)
})

test('whichever write the process dies at, before it or after it, its successor finishes the claim, with one copy [B1]', async () => {
  for (const effect of ['unreachable', 'reset-after'] as const) {
    for (let at = 1; at <= 3; at++) {
      await using world = engineWorld({ objects: [greetingCrd] })
      const faulty = new Faulty()
      let dead = false
      faulty.judge = call => {
        if (dead) return 'hang'
        if (!call.isWrite || call.writeNumber < at) return 'pass'
        dead = true
        return effect
      }
      const first = world.start({ controllers: [greetingController()], through: faulty.through })
      await world.settle()
      await world.client.create(greetings, greeting('a'))
      await world.settle()
      await first.stop()
      const { passes } = world.start({ controllers: [greetingController()] })
      await world.settle()
      assert.equal(readyOf(await claimOf(world, 'a'))?.status, 'True', `${effect} at write ${at}`)
      assert.equal((await ownedCopies(world)).length, 1, `${effect} at write ${at}`)
      const expected = effect === 'unreachable' ? 4 - at : 3 - at
      assert.equal(passes.flatMap(pass => pass.writes).length, expected, `${effect} at write ${at}`)
    }
  }
})

test('a write whose answer is lost is looked up, not done twice [B2]', async () => {
  for (let at = 1; at <= 3; at++) {
    await using world = engineWorld({ objects: [greetingCrd] })
    const faulty = new Faulty()
    faulty.judge = call => (call.isWrite && call.writeNumber === at ? 'reset-after' : 'pass')
    world.start({ controllers: [greetingController()], through: faulty.through })
    await world.settle()
    await world.client.create(greetings, greeting('a'))
    await world.advance(5_000)
    assert.equal(readyOf(await claimOf(world, 'a'))?.status, 'True')
    assert.equal((await ownedCopies(world)).length, 1)
    // The cache shows the effect of what was lost, so nothing is repeated.
    assert.equal(faulty.writes.length, 3, `lost at write ${at}`)
  }
})

test('an object that was made anew under its name is not deleted for its predecessor [B3]', async () => {
  await using world = engineWorld({ objects: [greetingCrd] })
  const faulty = new Faulty()
  const { client } = world
  world.start({ controllers: [greetingController()], through: faulty.through })
  await world.settle()
  await client.create(greetings, greeting('a'))
  await world.settle()
  // The moment the engine has read the copy before deleting it, somebody else replaces it.
  let replaced: StoredObject | undefined
  faulty.after = async call => {
    if (replaced !== undefined || call.isWatch || call.method !== 'GET' || !call.target.includes('/configmaps/a')) return
    await client.delete(configMaps, key('a'))
    replaced = await client.create(configMaps, { apiVersion: 'v1', kind: 'ConfigMap', metadata: key('a') })
  }
  await client.delete(greetings, key('a'))
  await world.advance(5_000)
  assert.equal((await copyOf(world, 'a'))?.metadata.uid, replaced?.metadata.uid)
  assert.notEqual(replaced, undefined)
  assert.equal(await claimOf(world, 'a'), undefined)
})

test('a key is held until the cache has seen its own write [B4]', async () => {
  await using world = engineWorld({ objects: [greetingCrd] })
  const held: (() => void)[] = []
  let holding = false
  const { manager, passes } = world.start({
    controllers: [greetingController()],
    through: heldBack(() => (holding ? new Promise<void>(resolve => held.push(resolve)) : undefined)),
  })
  await world.settle()
  await world.client.create(greetings, greeting('a'))
  // Let the claim's own line through, then nothing: the engine does not see what it writes.
  await world.settle()
  const before = passes.length
  holding = true
  await world.client.patch(greetings, key('a'), 'merge', { spec: { text: 'new' } })
  await world.settle()
  held.shift()?.()
  await world.settle()
  manager.controllers[0]?.add(key('a'))
  await world.settle()
  const writesWhileHeld = passes.slice(before).flatMap(pass => pass.writes).length
  manager.controllers[0]?.add(key('a'))
  await world.settle()
  assert.equal(passes.slice(before).flatMap(pass => pass.writes).length, writesWhileHeld)
  assert.equal(manager.controllers[0]?.holds.size, writesWhileHeld > 0 ? 1 : 0)
  holding = false
  for (const release of held.splice(0)) release()
  await world.settle()
  assert.equal(manager.controllers[0]?.holds.size, 0)
})

test('a foreign writer on other fields after each of our reads does not keep a claim from finishing [B6]', async () => {
  await using world = engineWorld({ objects: [greetingCrd] })
  const faulty = new Faulty()
  let storm = 0
  faulty.after = async call => {
    if (call.isWatch || !call.target.includes('/greetings')) return
    await world.client.patch(greetings, key('a'), 'merge', { metadata: { annotations: { storm: String(storm++) } } })
  }
  world.start({ controllers: [greetingController()], through: faulty.through })
  await world.settle()
  await world.client.create(greetings, greeting('a'))
  await world.advance(20_000)
  assert.ok(storm > 0)
  assert.equal(readyOf(await claimOf(world, 'a'))?.status, 'True')
  assert.ok(faulty.writes.length <= 30, `${faulty.writes.length} writes`)
})

test('a day at rest brings no write, and reads within a budget [B7, L2]', async () => {
  await using world = engineWorld({ objects: [greetingCrd] })
  const faulty = new Faulty()
  world.start({ controllers: [greetingController()], through: faulty.through })
  await world.settle()
  for (let index = 0; index < 20; index++) await world.client.create(greetings, greeting(`g-${index}`))
  await world.settle()
  const before = { writes: faulty.writes.length, reads: faulty.reads.length }
  await world.advance(24 * 3_600_000)
  assert.equal(faulty.writes.length - before.writes, 0)
  // An audit of each cache every hour or two, and nothing per claim.
  assert.ok(faulty.reads.length - before.reads <= 100, `${faulty.reads.length - before.reads} reads`)
})

test('a restart at the fixpoint writes nothing [D4]', async () => {
  await using world = engineWorld({ objects: [greetingCrd] })
  const first = world.start({ controllers: [greetingController()] })
  await world.settle()
  for (let index = 0; index < 20; index++) await world.client.create(greetings, greeting(`g-${index}`))
  await world.settle()
  await first.stop()
  const { passes } = world.start({ controllers: [greetingController()] })
  await world.settle()
  assert.equal(passes.length, 20)
  assert.deepEqual(
    passes.flatMap(pass => pass.writes),
    [],
  )
})

test('a claim that is gone before the cache hears of it is not worked on without a rest, however soon it wants to be [P9, L1]', async () => {
  await using world = engineWorld({ objects: [greetingCrd] })
  const heard = Promise.withResolvers<void>()
  let isHeld = false
  let looks = 0
  const at = (afterMs: number): Plan => ({
    actions: [],
    conditions: [{ type: 'Ready', status: 'False', reason: 'Working', message: isHeld ? `look ${++looks}` : 'at rest' }],
    next: { kind: 'look-again', afterMs, why: 'the next step needs no wait' },
  })
  world.start({
    controllers: [
      greetingController({
        reconciler: {
          observe: greetingReconciler.observe,
          // No world comes to rest on what never does: a thousand looks are enough to be seen.
          decide: ({ claim }) => (claim === undefined || looks >= 1_000 ? emptyPlan : at(isHeld ? 0 : 60_000)),
        },
      }),
    ],
    through: heldBack(() => (isHeld ? heard.promise : undefined)),
  })
  await world.settle()
  await world.client.create(greetings, greeting('a'))
  await world.settle()
  isHeld = true
  await world.client.delete(greetings, key('a'))
  await world.advance(61_000)
  const whileUnheard = looks
  heard.resolve()
  assert.ok(whileUnheard > 1 && whileUnheard < 40, `${whileUnheard} looks`)
  await world.advance(600_000)
  assert.equal(looks, whileUnheard)
})

test('a change whose fan-out fails five times reaches every claim all the same [B9]', async () => {
  await using world = engineWorld({ objects: [greetingCrd] })
  let failures = 5
  const seen: string[] = []
  const controller = greetingController({
    watches: [
      {
        type: configMaps,
        indexes: {},
        toClaims: object => {
          if (object.metadata.name !== 'shared') return []
          if (failures-- > 0) return failures % 2 === 0 ? Promise.reject(new Error('list failed')) : fail('lookup failed')
          return Promise.resolve([key('a'), key('b')])
        },
      },
    ],
    reconciler: {
      observe: claim => {
        seen.push(renderKey(claim))
        return { claim: undefined, copies: [], unknown: [] }
      },
      decide: greetingReconciler.decide,
    },
  })
  world.start({ controllers: [controller] })
  await world.settle()
  await world.client.create(configMaps, { apiVersion: 'v1', kind: 'ConfigMap', metadata: key('shared') })
  await world.advance(60_000)
  assert.deepEqual([...new Set(seen)].sort(), ['default/a', 'default/b'])
})

test('a claim that is deleted before, between and after the writes leaves nothing behind [B10]', async () => {
  for (let at = 1; at <= 3; at++) {
    await using world = engineWorld({ objects: [greetingCrd] })
    const faulty = new Faulty()
    let deleted = false
    faulty.after = async call => {
      if (deleted || !call.isWrite || call.writeNumber !== at) return
      deleted = true
      await world.client.delete(greetings, key('a'))
    }
    world.start({ controllers: [greetingController()], through: faulty.through })
    await world.settle()
    await world.client.create(greetings, greeting('a'))
    await world.advance(60_000)
    assert.equal(deleted, true)
    assert.equal(await claimOf(world, 'a'), undefined, `deleted at write ${at}`)
    assert.deepEqual(await ownedCopies(world), [], `deleted at write ${at}`)
  }
})

test('an object that is not ours is left alone, the claim says whose fault it is, and there are no writes at rest [B12, S2]', async () => {
  const foreign = { apiVersion: 'v1', kind: 'ConfigMap', metadata: key('a'), data: { text: 'mine' } }
  await using world = engineWorld({ objects: [greetingCrd, foreign] })
  const faulty = new Faulty()
  world.start({ controllers: [greetingController()], through: faulty.through })
  await world.settle()
  await world.client.create(greetings, greeting('a'))
  await world.advance(600_000)
  assert.deepEqual((await copyOf(world, 'a'))?.data, { text: 'mine' })
  assert.deepEqual(readyOf(await claimOf(world, 'a'))?.reason, 'OwnedByAnother')
  assert.equal(faulty.writes.length, 2, 'the finalizer and the status')
  // The other goes away: its event is enough.
  await world.client.delete(configMaps, key('a'))
  await world.advance(120_000)
  assert.equal(readyOf(await claimOf(world, 'a'))?.status, 'True')
})

test('while the server asks for patience it is left in peace, and afterwards all is done [B20, F6]', async () => {
  await using world = engineWorld({ objects: [greetingCrd] })
  const faulty = new Faulty()
  let busy = true
  faulty.judge = call => (call.isWrite && busy ? { status: 429, reason: 'TooManyRequests', retryAfterSeconds: 30 } : 'pass')
  world.start({ controllers: [greetingController()], through: faulty.through })
  await world.settle()
  for (let index = 0; index < 50; index++) await world.client.create(greetings, greeting(`g-${index}`))
  await world.advance(300_000)
  // Ten workers may be under way when the first refusal comes; after that one probe in thirty seconds.
  assert.ok(faulty.writes.length <= 40, `${faulty.writes.length} writes`)
  busy = false
  await world.advance(120_000)
  assert.equal((await ownedCopies(world)).length, 50)
})

test('a claim that was turned away and has nothing to call any more is waited for by nobody [L6]', async () => {
  await using world = engineWorld({ objects: [greetingCrd] })
  const faulty = new Faulty()
  let busy = true
  faulty.judge = call => (call.isWrite && busy ? { status: 429, reason: 'TooManyRequests', retryAfterSeconds: 30 } : 'pass')
  const { manager } = world.start({ controllers: [greetingController()], through: faulty.through })
  await world.settle()
  await world.client.create(greetings, greeting('first'))
  await world.client.create(greetings, greeting('second'))
  await world.advance(1_000)
  assert.deepEqual(manager.controllers[0]?.heldBack.dependencies, ['hub'])
  busy = false
  await world.client.delete(greetings, key('first'))
  await world.client.delete(greetings, key('second'))
  await world.advance(120_000)
  assert.deepEqual(manager.controllers[0]?.heldBack.dependencies, [])
})

test('a claim that hangs and a claim that throws delay no other [B21]', async () => {
  await using world = engineWorld({ objects: [greetingCrd] })
  const controller = greetingController({
    workers: 2,
    deadlineMs: 10_000,
    reconciler: {
      observe: (claim, reads, signal) =>
        claim.name === 'hangs' ? new Promise(() => {}) : greetingReconciler.observe(claim, reads, signal),
      decide: (seen, now) => (seen.claim?.metadata.name === 'throws' ? fail('bad input') : greetingReconciler.decide(seen, now)),
    },
  })
  const { manager } = world.start({ controllers: [controller] })
  await world.settle()
  for (const name of ['hangs', 'throws', 'a', 'b', 'c']) await world.client.create(greetings, greeting(name))
  await world.settle()
  for (const name of ['a', 'b', 'c']) assert.equal(readyOf(await claimOf(world, name))?.status, 'True', name)
  await world.advance(5_000)
  assert.equal(readyOf(await claimOf(world, 'throws'))?.reason, 'InternalError')
  await world.advance(60_000)
  await world.client.create(greetings, greeting('d'))
  await world.client.create(greetings, greeting('e'))
  await world.settle()
  for (const name of ['d', 'e']) assert.equal(readyOf(await claimOf(world, name))?.status, 'True', name)
  assert.match(manager.metrics.expose(), /controller_runtime_reconcile_timeouts_total\{controller="greeter"\} 1/)
})

test('a reconcile that listens to its deadline ends with it, and says so [P9]', async () => {
  await using world = engineWorld({ objects: [greetingCrd] })
  const controller = greetingController({
    deadlineMs: 5_000,
    reconciler: {
      observe: (_claim, _reads, signal) =>
        new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })),
      decide: greetingReconciler.decide,
    },
  })
  world.start({ controllers: [controller] })
  await world.settle()
  await world.client.create(greetings, greeting('a'))
  await world.advance(30_000)
  assert.equal(readyOf(await claimOf(world, 'a'))?.reason, 'DeadlineExceeded')
})

test('a server that alters what it is sent does not make us write for ever [B25]', async () => {
  await using world = engineWorld({ objects: [greetingCrd] })
  const faulty = new Faulty()
  faulty.alter = (body, call) => (call.target.includes('/configmaps') ? { ...body, data: { text: 'HELLO' } } : body)
  world.start({ controllers: [greetingController()], through: faulty.through })
  await world.settle()
  await world.client.create(greetings, greeting('a'))
  await world.advance(60_000)
  const before = faulty.writes.length
  assert.ok(before <= 4, `${before} writes`)
  await world.advance(24 * 3_600_000)
  assert.equal(faulty.writes.length, before)
})

test('a permission that is taken away is named in a condition, and its return is enough [B26, F15]', async () => {
  await using world = engineWorld({ objects: [greetingCrd] })
  const faulty = new Faulty()
  let forbidden = true
  faulty.judge = call =>
    forbidden && call.isWrite && call.target.includes('/configmaps') ? { status: 403, reason: 'Forbidden' } : 'pass'
  world.start({ controllers: [greetingController()], through: faulty.through })
  await world.settle()
  await world.client.create(greetings, greeting('a'))
  await world.advance(600_000)
  assert.equal(readyOf(await claimOf(world, 'a'))?.reason, 'Forbidden')
  assert.ok(faulty.writes.length < 30, `${faulty.writes.length} writes in ten minutes`)
  forbidden = false
  await world.advance(600_000)
  assert.equal(readyOf(await claimOf(world, 'a'))?.status, 'True')
})

test('a kind that is installed later needs no restart [B26, F16]', async () => {
  await using world = engineWorld()
  const { manager } = world.start({ controllers: [greetingController()] })
  await world.advance(60_000)
  assert.deepEqual(manager.ready[0]?.check().ok, false)
  await world.client.create(customResourceDefinitions, greetingCrd)
  await world.advance(60_000)
  await world.client.create(greetings, greeting('a'))
  await world.settle()
  assert.deepEqual(manager.ready[0]?.check(), { ok: true })
  assert.equal(readyOf(await claimOf(world, 'a'))?.status, 'True')
})

test('in a namespace that is being deleted nothing is forced, and finalizers still go [B27, F17]', async () => {
  await using world = engineWorld({ objects: [greetingCrd] })
  const faulty = new Faulty()
  faulty.judge = call =>
    call.method === 'POST' ? { status: 403, reason: 'Forbidden', causes: [{ reason: 'NamespaceTerminating' }] } : 'pass'
  world.start({ controllers: [greetingController()], through: faulty.through })
  await world.settle()
  await world.client.create(greetings, greeting('a'))
  await world.advance(300_000)
  assert.equal(readyOf(await claimOf(world, 'a'))?.reason, 'NamespaceTerminating')
  assert.ok(faulty.writes.length < 20, `${faulty.writes.length} writes`)
  await world.client.delete(greetings, key('a'))
  await world.settle()
  assert.equal(await claimOf(world, 'a'), undefined)
})

test('after a stop no timer and no watch is left, whatever was under way [L5, B29]', async () => {
  await using world = engineWorld({ objects: [greetingCrd] })
  const faulty = new Faulty()
  const one = world.start({ controllers: [greetingController({ driftMs: 60_000 })], through: faulty.through })
  await world.settle()
  for (let index = 0; index < 20; index++) await world.client.create(greetings, greeting(`g-${index}`))
  faulty.judge = call => (call.isWrite && call.writeNumber % 3 === 0 ? 'hang' : 'pass')
  await world.advance(1_000)
  await one.stop()
  await world.settle()
  assert.equal(world.timersLeft(), 0)
  assert.equal(one.manager.controllers[0]?.holds.size, 0)
})

test('a spec that can only be mended by a change is left alone until it changes', async () => {
  await using world = engineWorld({ objects: [greetingCrd] })
  const { passes } = world.start({ controllers: [greetingController({ driftMs: 0 })] })
  await world.settle()
  await world.client.create(greetings, greeting('a', ''))
  await world.advance(24 * 3_600_000)
  assert.equal(readyOf(await claimOf(world, 'a'))?.reason, 'Empty')
  assert.ok(passes.length <= 3, `${passes.length} passes`)
  await world.client.patch(greetings, key('a'), 'merge', { spec: { text: 'hi' } })
  await world.settle()
  assert.equal(readyOf(await claimOf(world, 'a'))?.status, 'True')
})

test('trouble that an observe throws decides by its kind when the claim is looked at again', async () => {
  await using world = engineWorld({ objects: [greetingCrd] })
  let looks = 0
  const controller = greetingController({
    driftMs: 0,
    reconciler: {
      observe: () => {
        looks++
        throw new Trouble({ kind: 'stop', reason: 'QuotaUnknown', message: 'no such quota' })
      },
      decide: greetingReconciler.decide,
    },
  })
  world.start({ controllers: [controller] })
  await world.settle()
  await world.client.create(greetings, greeting('a'))
  await world.advance(24 * 3_600_000)
  assert.equal(readyOf(await claimOf(world, 'a'))?.reason, 'QuotaUnknown')
  assert.ok(looks <= 2, `${looks} looks`)
})

test('a dry run reads, decides and changes nothing', async () => {
  await using world = engineWorld({ objects: [greetingCrd] })
  const faulty = new Faulty()
  const { passes } = world.start({ controllers: [greetingController()], through: faulty.through, pretend: true })
  await world.settle()
  await world.client.create(greetings, greeting('a'))
  await world.settle()
  assert.equal(faulty.writes.length, 0)
  assert.deepEqual(
    passes.flatMap(pass => pass.writes).map(({ verb, type, result }) => [verb, type.plural, result]),
    [
      ['patch', 'greetings', 'pretended'],
      ['create', 'configmaps', 'pretended'],
      ['patch', 'greetings', 'pretended'],
    ],
  )
})

test('a claim that was deleted and made anew between two looks is treated as new [B5]', async () => {
  await using world = engineWorld({ objects: [greetingCrd] })
  const first = world.start({ controllers: [greetingController()] })
  await world.settle()
  await world.client.create(greetings, greeting('a'))
  await world.settle()
  await first.stop()
  // Nobody looks: the claim goes by force, its copy stays, and another claim takes the name.
  await world.client.patch(greetings, key('a'), 'merge', { metadata: { finalizers: null } })
  await world.client.delete(greetings, key('a'))
  await world.client.create(greetings, greeting('a', 'another'))
  world.start({ controllers: [greetingController()] })
  await world.advance(60_000)
  // The left copy bears another uid: it is not ours to take (S2), and the claim says so.
  assert.equal(readyOf(await claimOf(world, 'a'))?.reason, 'OwnedByAnother')
  assert.deepEqual((await copyOf(world, 'a'))?.data, { text: 'hello' })
})

test('from the moment that leadership is not proved no write leaves, also in the middle of a plan [B14, P13]', async () => {
  await using world = engineWorld({ objects: [greetingCrd] })
  const faulty = new Faulty()
  const sentAt: number[] = []
  let slow = false
  world.start({
    controllers: [greetingController({ workers: 1 })],
    election: { lease: { namespace: 'default', name: 'vouch' }, watch: false },
    through: exchange => {
      const broken = faulty.through(exchange)
      return async request => {
        const isLease = request.target.includes('/leases')
        if (slow && isLease)
          return new Promise((_resolve, reject) =>
            request.signal?.addEventListener('abort', () => reject(request.signal?.reason as Error)),
          )
        if (!isLease && request.method !== 'GET') {
          sentAt.push(world.clock.monotonicMs())
          // Each write takes two seconds: the plan outlives the fence.
          if (slow) await world.clock.sleep(2_000, request.signal)
        }
        return broken(request)
      }
    },
  })
  await world.advance(2_000)
  slow = true
  const fromMs = world.clock.monotonicMs()
  for (const name of ['a', 'b', 'c', 'd']) await world.client.create(greetings, greeting(name))
  await world.advance(60_000)
  assert.ok(sentAt.length > 0)
  assert.ok(
    Math.max(...sentAt) - fromMs <= 5_000,
    `the last write left ${Math.max(...sentAt) - fromMs} ms after the last renewal`,
  )
  slow = false
  await world.advance(60_000)
  for (const name of ['a', 'b', 'c', 'd']) assert.equal(readyOf(await claimOf(world, name))?.status, 'True', name)
})

test('an event is recorded once, and counted when it is said again', async () => {
  await using world = engineWorld({ objects: [greetingCrd] })
  const controller = greetingController({
    reconciler: {
      observe: greetingReconciler.observe,
      decide: (seen, now) => {
        const plan = greetingReconciler.decide(seen, now)
        if (seen.claim === undefined || seen.claim.metadata.deletionTimestamp !== undefined) return plan
        const regarding = { apiVersion: 'test.example.com/v1', kind: 'Greeting', ...key('a'), uid: seen.claim.metadata.uid }
        return {
          ...plan,
          actions: [...plan.actions, { kind: 'record-event', regarding, type: 'Normal', reason: 'Copied', message: 'done' }],
        }
      },
    },
  })
  world.start({ controllers: [controller] })
  await world.settle()
  await world.client.create(greetings, greeting('a'))
  await world.settle()
  for (let round = 0; round < 3; round++) {
    await world.client.delete(configMaps, key('a'))
    await world.advance(1_000)
  }
  const { items } = await world.client.list<StoredObject & { count: number; reason: string }>(events, { namespace: 'default' })
  assert.deepEqual(
    items.filter(({ reason }) => reason === 'Copied').map(({ count }) => count),
    [4],
  )
})

test('passes can be traced', async () => {
  await using world = engineWorld({ objects: [greetingCrd] })
  const lines: string[] = []
  const tracer = {
    start: (name: string, attributes: object) => {
      lines.push(`${name} ${JSON.stringify(attributes)}`)
      return { event: (what: string) => lines.push(what), end: (error?: string) => lines.push(`end ${error ?? 'ok'}`) }
    },
  }
  world.start({ controllers: [greetingController()], tracer })
  await world.settle()
  await world.client.create(greetings, greeting('a'))
  await world.settle()
  const begin = 'reconcile {"controller":"greeter","claim":"default/a","lane":"fresh"}'
  assert.deepEqual(lines.slice(0, 5), [begin, 'write', 'write', 'write', 'end ok'])
})

function fail(message: string): never {
  throw new Error(message)
}

test('a living claim that is let go of is told so in the same pass', async () => {
  await using world = engineWorld({ objects: [greetingCrd] })
  const { passes } = world.start({
    controllers: [
      greetingController({
        reconciler: {
          observe: greetingReconciler.observe,
          decide: seen => {
            const { claim } = seen
            if (claim?.metadata.finalizers?.includes(finalizer) !== true) return emptyPlan
            return {
              actions: [{ kind: 'remove-finalizer', type: greetings, object: claim, finalizer }],
              conditions: [{ type: 'Ready', status: 'True', reason: 'Free', message: 'it holds nothing' }],
              next: { kind: 'await-change' },
            }
          },
        },
      }),
    ],
  })
  await world.settle()
  const { metadata, ...rest } = greeting('a')
  await world.client.create(greetings, { ...rest, metadata: { ...metadata, finalizers: [finalizer] } })
  await world.settle()
  const claim = await claimOf(world, 'a')
  assert.deepEqual([claim?.metadata.finalizers, readyOf(claim)?.reason], [undefined, 'Free'])
  const writes = passes.flatMap(pass => pass.writes).map(({ verb, subresource }) => `${verb} ${subresource ?? ''}`.trim())
  assert.deepEqual(writes, ['patch', 'patch status'])
})

test('events of conditions are recorded after the write that changed them, once, and not for what stayed', async () => {
  await using world = engineWorld({ objects: [greetingCrd] })
  const { passes } = world.start({
    controllers: [
      greetingController({
        eventsOf: ({ apiVersion, kind, metadata: { namespace = '', name, uid } }, changed) =>
          changed.map(({ type, status, reason }) => ({
            regarding: { apiVersion, kind, namespace, name, uid },
            type: 'Normal',
            reason,
            message: `${type} is ${status}`,
          })),
      }),
    ],
  })
  await world.settle()
  await world.client.create(greetings, greeting('a'))
  await world.settle()
  const { metadata } = await world.client.get(greetings, key('a'))
  await world.client.patch(greetings, key('a'), 'merge', { spec: { text: 'bye' } })
  await world.settle()
  const told = passes.flatMap(pass => pass.writes).map(({ type, subresource }) => subresource ?? type.plural)
  assert.deepEqual(told, ['greetings', 'configmaps', 'status', 'configmaps', 'status'])
  const { items } = await world.client.listAll<EventObject & StoredObject>(events, {})
  assert.deepEqual(
    items.map(({ message, count }) => [message, count]),
    [['Ready is True', 1]],
  )
  // Revisions count all writes of the server: the status was written, and then the event.
  const said = items.map(({ metadata: { resourceVersion } }) => Number(resourceVersion))
  assert.ok(said.every(revision => revision > Number(metadata.resourceVersion)))
})

test('a watch apart hears of objects that the cache of the kind leaves out, and what is read by kind is read as before', async () => {
  await using world = engineWorld({ objects: [greetingCrd] })
  const heard: string[] = []
  const read: string[][] = []
  const labelled = { type: configMaps, labelSelector: ownerLabel, toClaims: () => [] }
  const apart: Watch = {
    type: configMaps,
    apart: 'names',
    metadataOnly: true,
    toClaims: object => {
      heard.push(`${object.metadata.name} ${'data' in object}`)
      return []
    },
  }
  world.start({
    controllers: [
      defineController<readonly string[]>({
        name: 'reader',
        claims: { type: greetings },
        watches: [labelled, apart],
        status: { kind: 'none' },
        reconciler: {
          observe: (_key, reads) => reads.list(configMaps).map(({ metadata }) => metadata.name),
          decide: seen => {
            read.push([...seen])
            return emptyPlan
          },
        },
      }),
    ],
  })
  const make = (name: string, labels: Readonly<Record<string, string>>) =>
    world.client.create(configMaps, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { namespace: 'default', name, labels },
      data: { text: 'x' },
    } as KubeObject)
  await make('ours', { [ownerLabel]: 'u1' })
  await make('theirs', {})
  await world.settle()
  await world.client.create(greetings, greeting('a'))
  await world.settle()
  assert.deepEqual(heard.filter(each => !each.startsWith('kube-root')).sort(), ['ours false', 'theirs false'])
  assert.deepEqual(read.at(-1), ['ours'])
})

test('a watch of names asks for these objects only, in all namespaces, and holds each in one cache', async () => {
  await using world = engineWorld({ objects: [greetingCrd] })
  const asked = new Set<string>()
  const read: string[][] = []
  const found: (string | undefined)[] = []
  world.start({
    through: exchange => request => {
      const [path = '', query = ''] = request.target.split('?')
      if (path.endsWith('/configmaps')) asked.add(`${path} ${new URLSearchParams(query).get('fieldSelector') ?? 'all'}`)
      return exchange(request)
    },
    controllers: [
      defineController<readonly string[]>({
        name: 'reader',
        claims: { type: greetings },
        watches: [{ type: configMaps, names: ['one', 'two'], toClaims: () => [{ namespace: 'default', name: 'a' }] }],
        status: { kind: 'none' },
        reconciler: {
          observe: (_key, reads) => {
            found.push(reads.find(configMaps, { namespace: 'default', name: 'two' })?.metadata.name)
            return reads.list(configMaps).map(({ metadata }) => metadata.name)
          },
          decide: seen => {
            read.push([...seen].sort())
            return emptyPlan
          },
        },
      }),
    ],
  })
  for (const name of ['one', 'two', 'three']) {
    await world.client.create(configMaps, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { namespace: 'default', name },
    } as KubeObject)
  }
  await world.client.create(greetings, greeting('a'))
  await world.settle()
  assert.deepEqual([...asked].sort(), ['/api/v1/configmaps metadata.name=one', '/api/v1/configmaps metadata.name=two'])
  assert.deepEqual([read.at(-1), found.at(-1)], [['one', 'two'], 'two'])
  await world.client.delete(configMaps, { namespace: 'default', name: 'two' })
  await world.settle()
  assert.deepEqual([read.at(-1), found.at(-1)], [['one'], undefined])
})

test('a watch with a pause has its claim looked at once for all that changed in it, and none of the changes is missed', async () => {
  await using world = engineWorld({ objects: [greetingCrd] })
  const read: number[] = []
  world.start({
    controllers: [
      defineController<number>({
        name: 'reader',
        claims: { type: greetings },
        watches: [{ type: configMaps, labelSelector: 'part', toClaims: () => [key('a')], pauseMs: () => 500 }],
        status: { kind: 'none' },
        reconciler: {
          observe: (_key, reads) => reads.list(configMaps).length,
          decide: seen => {
            read.push(seen)
            return emptyPlan
          },
        },
      }),
    ],
  })
  const part = (index: number): KubeObject => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { ...key(`part-${index}`), labels: { part: '' } },
  })
  await world.client.create(greetings, greeting('a'))
  await world.settle()
  for (let index = 0; index < 20; index++) {
    await world.client.create(configMaps, part(index))
    await world.settle()
  }
  assert.deepEqual(read, [0, 1], 'the first change is looked at at once, and the others wait for the end of the pause')
  await world.advance(500)
  assert.deepEqual(read, [0, 1, 20])
  await world.advance(5_000)
  assert.deepEqual(read, [0, 1, 20], 'nothing changed since')
})
