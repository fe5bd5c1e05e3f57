// Rows `B` of docs/rules/reliability.md that take more than one life of a process, or more than one clock: what is left behind, what blocks, what
// another version makes of it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Clock, seededRandom, silentLog, sleepWith } from '#base'
import { configMaps, customResourceDefinitions } from '#kube'
import type { Action } from '../plan/plan.ts'
import { Faulty } from '../testing/faulty.ts'
import {
  type ConfigMap,
  type GreetingObject,
  greeting,
  greetingController,
  greetingCrd,
  greetingReconciler,
  greetings,
  ownerLabel,
} from '../testing/greeting.ts'
import { type EngineWorld, engineWorld } from '../testing/world.ts'
import type { AnyController } from './definition.ts'

const key = (name: string) => ({ namespace: 'default', name })
const claimOf = (world: EngineWorld, name: string) => world.client.find<GreetingObject>(greetings, key(name))
const copyOf = (world: EngineWorld, name: string) => world.client.find<ConfigMap>(configMaps, key(name))
const readyOf = (claim: GreetingObject | undefined) => claim?.status?.conditions?.find(({ type }) => type === 'Ready')

test('a claim whose copy cannot be deleted says what blocks it for as long as it does, and is released once it does not [B11]', async () => {
  await using world = engineWorld({ objects: [greetingCrd] })
  const faulty = new Faulty()
  world.start({ controllers: [greetingController()], through: faulty.through })
  await world.settle()
  await world.client.create(greetings, greeting('a'))
  await world.advance(1_000)
  const forbidden = 'configmaps "a" is forbidden: User "greeter" cannot delete resource "configmaps" in the namespace "default"'
  faulty.judge = ({ method }) => (method === 'DELETE' ? { status: 403, reason: 'Forbidden', message: forbidden } : 'pass')
  await world.client.delete(greetings, key('a'))
  await world.advance(3_600_000)
  const blocked = await claimOf(world, 'a')
  assert.notEqual(blocked?.metadata.deletionTimestamp, undefined)
  assert.notEqual(await copyOf(world, 'a'), undefined)
  assert.deepEqual([readyOf(blocked)?.status, readyOf(blocked)?.reason], ['False', 'Forbidden'])
  assert.match(readyOf(blocked)?.message ?? '', /cannot delete resource "configmaps"/)
  faulty.judge = () => 'pass'
  await world.advance(600_000)
  assert.equal(await claimOf(world, 'a'), undefined)
  assert.equal(await copyOf(world, 'a'), undefined)
})

test('after lost answers, deaths and deletions every copy belongs to a living claim, and every claim has one [B13]', async () => {
  await using world = engineWorld({ objects: [greetingCrd] })
  const names = ['a', 'b', 'c', 'd', 'e', 'f']
  for (let life = 0; life < names.length; life++) {
    const faulty = new Faulty()
    // Every third answer is lost, in each life another third; every other life ends in the middle of its writes.
    faulty.judge = ({ writeNumber }) => (writeNumber % 3 === life % 3 && writeNumber < 12 ? 'reset-after' : 'pass')
    const one = world.start({ controllers: [greetingController()], through: faulty.through, identity: `life-${life}` })
    await world.settle()
    await world.client.create(greetings, greeting(names[life] as string))
    if (life % 2 === 1) await world.client.delete(greetings, key(names[life - 1] as string))
    await world.advance(life % 2 === 0 ? 300 : 20_000)
    await one.stop()
  }
  world.start({ controllers: [greetingController()] })
  await world.advance(600_000)
  const claims = (await world.client.list(greetings, { namespace: 'default' })).items.map(({ metadata }) => metadata.uid)
  const copies = (await world.client.list(configMaps, { namespace: 'default' })).items
  const owners = copies.flatMap(({ metadata }) => metadata.labels?.[ownerLabel] ?? [])
  assert.equal(claims.length, 3)
  assert.deepEqual(owners.sort(), claims.sort())
})

/** A machine whose clock is off by so much, runs at this rate, and may be set anew. */
function oddClock(clock: Clock, rate: number, offsetMs: number): Clock & { jump(byMs: number): void } {
  let jumpedMs = offsetMs
  const startMs = clock.now()
  const odd = {
    now: () => Math.floor(startMs + (clock.now() - startMs) * rate + jumpedMs),
    monotonicMs: () => clock.monotonicMs() * rate,
    timer: (delayMs: number, fire: () => void) => clock.timer(delayMs / rate, fire),
    sleep: (delayMs: number, signal?: AbortSignal): Promise<void> => sleepWith(odd, delayMs, signal),
    jump: (byMs: number): void => {
      jumpedMs += byMs
    },
  }
  return odd
}

const hourMs = 3_600_000
for (const [what, rate, offsetMs] of [
  ['five hours ahead', 1, 5 * hourMs],
  ['five hours behind', 1, -5 * hourMs],
  ['at half the rate', 0.5, 0],
  ['at twice the rate', 2, 0],
] as const) {
  test(`with a clock ${what} that also jumps, work is done in time and an old status is not written again [B15, F14]`, async () => {
    await using world = engineWorld({ objects: [greetingCrd] })
    const clock = oddClock(world.clock, rate, offsetMs)
    const faulty = new Faulty()
    const seams = { clock, random: seededRandom(1), log: silentLog }
    world.start({ controllers: [greetingController()], seams, through: faulty.through })
    await world.settle()
    await world.client.create(greetings, greeting('a'))
    await world.advance(5_000)
    assert.equal(faulty.writes.length, 3)
    for (const jumpMs of [-3 * hourMs, 6 * hourMs]) {
      clock.jump(jumpMs)
      await world.advance(2 * hourMs)
      assert.equal(faulty.writes.length, 3, 'a jump of the clock is no reason to write')
    }
    // A delay that runs while the clock is set back ends when it would have.
    faulty.judge = ({ isWrite }) => (isWrite ? { status: 503, reason: 'ServiceUnavailable' } : 'pass')
    await world.client.create(greetings, greeting('b'))
    await world.advance(10_000)
    clock.jump(-4 * hourMs)
    faulty.judge = () => 'pass'
    await world.advance(180_000)
    assert.equal(readyOf(await claimOf(world, 'b'))?.status, 'True')
  })
}

/** The next version of the operator: it also writes a word of its own into each copy. */
function laterVersion(): AnyController {
  const { observe, decide } = greetingReconciler
  const withWord = (action: Action): Action => {
    if (action.kind === 'together')
      return { ...action, branches: action.branches.map(branch => branch.map(one => withWord(one))) }
    if (action.kind !== 'apply') return action
    const { data } = action.object as { data?: Readonly<Record<string, string>> }
    return { ...action, object: { ...action.object, data: { ...data, since: 'v2' } } as typeof action.object }
  }
  return greetingController({
    reconciler: {
      observe,
      decide: (seen, ...more) => {
        const plan = decide(seen, ...more)
        return { ...plan, actions: plan.actions.map(withWord) }
      },
    },
  })
}

test('versions that lead by turns write what they differ in, once, and lose nothing of what neither knows [B24, F26, D6]', async () => {
  await using world = engineWorld({ objects: [greetingCrd] })
  const versions = [
    { controller: greetingController(), data: { text: 'hello' } },
    { controller: laterVersion(), data: { text: 'hello', since: 'v2' } },
  ]
  const first = world.start({ controllers: [greetingController()] })
  await world.settle()
  await world.client.create(greetings, greeting('a'))
  await world.advance(5_000)
  await first.stop()
  // What a stranger keeps there is known to neither version.
  const strange = { metadata: { annotations: { 'stranger.example.com/note': 'mine' } } }
  await world.client.patch(configMaps, key('a'), 'merge', { ...strange, data: { theirs: 'kept' } })
  await world.client.patch(greetings, key('a'), 'merge', strange)
  for (let turn = 0; turn < 6; turn++) {
    const { controller, data } = versions[turn % 2] as (typeof versions)[number]
    const faulty = new Faulty()
    const one = world.start({ controllers: [controller], through: faulty.through, identity: `turn-${turn}` })
    await world.advance(hourMs / 3)
    assert.deepEqual(
      faulty.writes.map(({ target }) => target.split('?')[0]?.split('/').at(-2)),
      turn === 0 ? [] : ['configmaps'],
      `turn ${turn}`,
    )
    const copy = await copyOf(world, 'a')
    assert.deepEqual(copy?.data, { ...data, theirs: 'kept' })
    assert.equal(copy?.metadata.annotations?.['stranger.example.com/note'], 'mine')
    assert.equal((await claimOf(world, 'a'))?.metadata.annotations?.['stranger.example.com/note'], 'mine')
    await one.stop()
  }
})

test('a claim that asked for a kind which is not installed looks again the moment the kind is there, however empty [B26, L7]', async () => {
  await using world = engineWorld()
  const looks: [number, string][] = []
  const controller = greetingController({
    claims: { type: configMaps },
    status: { kind: 'none' },
    watches: [{ type: greetings, optional: true, toClaims: () => [] }],
    reconciler: {
      observe: (claim, reads) => {
        if (claim.name !== 'a') return { claim: undefined, copies: [], unknown: [] }
        looks.push([world.clock.monotonicMs(), reads.isSynced(greetings) ? 'there' : 'missing'])
        reads.list(greetings)
        return { claim: undefined, copies: [], unknown: [] }
      },
      decide: () => ({ actions: [], conditions: [], next: { kind: 'await-change' } }),
    },
  })
  world.start({ controllers: [controller], informerLimits: { backoffMsMin: 100, backoffMsMax: 1_000 } })
  await world.settle()
  await world.client.create(configMaps, { apiVersion: 'v1', kind: 'ConfigMap', metadata: key('a') })
  await world.advance(5_000)
  assert.deepEqual(
    looks.map(([, answer]) => answer),
    ['missing'],
  )
  await world.client.create(customResourceDefinitions, greetingCrd)
  // Much less than the minute or so after which it would look anyway.
  await world.advance(2_000)
  assert.deepEqual(
    looks.map(([, answer]) => answer),
    ['missing', 'there'],
  )
})

test('a refusal that could not be told, since the server failed just then, is told once it can be [P10]', async () => {
  await using world = engineWorld({ objects: [greetingCrd] })
  const faulty = new Faulty()
  let statusFails = true
  faulty.judge = ({ method, target }) => {
    if (method === 'POST' && target.includes('/configmaps')) return { status: 422, reason: 'Invalid', message: 'it does not fit' }
    return statusFails && target.includes('/status') ? 'unreachable' : 'pass'
  }
  world.start({ controllers: [greetingController()], through: faulty.through })
  await world.settle()
  await world.client.create(greetings, greeting('a'))
  await world.advance(5_000)
  assert.equal(readyOf(await claimOf(world, 'a')), undefined)
  statusFails = false
  // Far less than the hour after which a claim that waits for its spec is looked at for drift.
  await world.advance(60_000)
  const told = readyOf(await claimOf(world, 'a'))
  assert.deepEqual([told?.status, told?.reason, told?.message], ['False', 'Rejected', 'it does not fit'])
  const writes = faulty.writes.length
  await world.advance(600_000)
  assert.equal(faulty.writes.length, writes, 'and then it waits for the spec')
})

test('a kind that is not served just now says nothing of its objects: the status is told and the copy deleted later [B26, P5]', async () => {
  await using world = engineWorld({ objects: [greetingCrd] })
  const faulty = new Faulty()
  // As a server answers for a path that it does not know: no object is named.
  const notServed = { status: 404, reason: 'NotFound', message: 'the server could not find the requested resource' } as const
  faulty.judge = ({ target }) => (target.includes('/status') ? notServed : 'pass')
  world.start({ controllers: [greetingController()], through: faulty.through })
  await world.settle()
  await world.client.create(greetings, greeting('a'))
  await world.advance(1_000)
  assert.equal(readyOf(await claimOf(world, 'a')), undefined)
  faulty.judge = () => 'pass'
  await world.advance(61_000)
  assert.equal(readyOf(await claimOf(world, 'a'))?.status, 'True')
  faulty.judge = ({ method }) => (method === 'DELETE' ? notServed : 'pass')
  await world.client.delete(greetings, key('a'))
  await world.advance(1_000)
  assert.notEqual(await copyOf(world, 'a'), undefined)
  assert.deepEqual((await claimOf(world, 'a'))?.metadata.finalizers, ['test.example.com/copies'])
  faulty.judge = () => 'pass'
  await world.advance(61_000)
  assert.deepEqual([await copyOf(world, 'a'), await claimOf(world, 'a')], [undefined, undefined])
})
