import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Clock, type ManualClock, seededRandom, silentLog, sleepWith } from '#base'
import { leases } from '#kube'
import { createKubeClient } from '#kube/client'
import { Faulty } from '../testing/faulty.ts'
import { greeting, greetingController, greetingCrd, greetings } from '../testing/greeting.ts'
import { pausable } from '../testing/pausable.ts'
import { type EngineWorld, engineWorld } from '../testing/world.ts'
import { Election, type ElectionOptions } from './election.ts'
import type { Lease } from './lease.ts'

const lease = { namespace: 'default', name: 'vouch' }

interface Candidate {
  readonly election: Election
  readonly faulty: Faulty
  readonly leading: () => boolean
  readonly stop: () => Promise<void>
}

function candidate(world: EngineWorld, identity: string, more: Partial<ElectionOptions> = {}): Candidate {
  const faulty = new Faulty()
  const clock = more.clock ?? world.clock
  const client = createKubeClient({ clock, address: 'test', exchange: faulty.through(world.server.as()) })
  const election = new Election({ client, clock, random: seededRandom(identity), log: silentLog, lease, identity, ...more })
  let working = false
  const stop = new AbortController()
  const run = election.run(stop.signal, async term => {
    working = true
    await new Promise<void>(resolve => term.addEventListener('abort', () => resolve(), { once: true }))
    working = false
  })
  return {
    election,
    faulty,
    leading: () => working,
    stop: async () => {
      stop.abort(new Error('the test stops it'))
      await world.advance(3_000)
      await run
    },
  }
}

const isOpen = ({ election }: Candidate): boolean => {
  try {
    election.check()
    return true
  } catch {
    return false
  }
}

test('one of two leads, and the lease says which', async () => {
  await using world = engineWorld()
  const a = candidate(world, 'a')
  await world.settle()
  const b = candidate(world, 'b')
  await world.advance(60_000)
  assert.deepEqual([a.leading(), b.leading(), isOpen(a), isOpen(b)], [true, false, true, false])
  const held = await world.client.get<Lease>(leases, lease)
  assert.equal(held.spec.holderIdentity, 'a')
  assert.equal(held.spec.leaseDurationSeconds, 20)
  await a.stop()
  await b.stop()
  assert.equal(world.timersLeft(), 0)
})

test('a leader that stops hands over at once', async () => {
  await using world = engineWorld()
  const a = candidate(world, 'a')
  await world.settle()
  const b = candidate(world, 'b')
  await world.advance(10_000)
  const stopping = a.stop()
  await world.settle()
  assert.deepEqual([a.leading(), b.leading()], [false, true])
  await stopping
  assert.equal(b.election.term, 1)
  await b.stop()
})

test('a leader that dies is followed after its lease, not before', async () => {
  await using world = engineWorld()
  const a = candidate(world, 'a')
  await world.settle()
  const b = candidate(world, 'b')
  await world.advance(10_000)
  a.faulty.judge = () => 'hang'
  await world.advance(15_000)
  assert.equal(b.leading(), false)
  await world.advance(10_000)
  assert.equal(b.leading(), true)
  await a.stop()
  await b.stop()
})

test('the fence closes long before anybody else may lead, and opens again when the server answers [B14, P13]', async () => {
  await using world = engineWorld()
  const a = candidate(world, 'a')
  await world.advance(10_000)
  const { signal, leave } = await a.election.enter(new AbortController().signal)
  a.faulty.judge = () => 'hang'
  await world.advance(5_100)
  assert.equal(isOpen(a), false)
  assert.equal(signal?.aborted, true, 'what was under way is aborted')
  leave()
  assert.equal(a.leading(), true, 'a slow server is no lost leadership')
  a.faulty.judge = () => 'pass'
  await world.advance(5_000)
  assert.equal(isOpen(a), true)
  const again = await a.election.enter(new AbortController().signal)
  assert.equal(again.signal?.aborted, false)
  again.leave()
  await a.stop()
})

test('a process that was paused past its lease writes nothing when it wakes [B14, F3]', async () => {
  await using world = engineWorld()
  // The paused process shares the true clock, but none of its timers fire while it sleeps.
  const paused = pausable(world.clock)
  const a = candidate(world, 'a', { clock: paused.clock, watch: false })
  await world.advance(2_000)
  assert.equal(isOpen(a), true)
  paused.pause()
  const b = candidate(world, 'b')
  await world.advance(60_000)
  assert.equal(b.leading(), true)
  assert.equal(isOpen(a), false, 'the first thing it does is to ask')
  paused.resume()
  await world.advance(10_000)
  assert.deepEqual([a.leading(), b.leading()], [false, true])
  await a.stop()
  await b.stop()
})

for (const rate of [0.5, 2]) {
  test(`with a clock that runs ${rate} times as fast on the follower, both never write at once [B14, F14]`, async () => {
    await using world = engineWorld()
    const a = candidate(world, 'a')
    await world.advance(5_000)
    const b = candidate(world, 'b', { clock: atRate(world.clock, rate) })
    await world.advance(5_000)
    a.faulty.judge = () => 'hang'
    for (let ms = 0; ms < 80_000; ms += 100) {
      await world.clock.advance(100)
      assert.ok(!(isOpen(a) && isOpen(b)), `both may write after ${ms} ms`)
    }
    assert.equal(b.leading(), true)
    await a.stop()
    await b.stop()
  })
}

/** As `vouch operator` has them: a lease of 14 s, renewed every 10 s while nothing is written. */
const quiet = { leaseDurationMs: 14_000, renewMs: 1_000, restMs: 10_000 }
const isLeaseWrite = ({ isWrite }: { readonly isWrite: boolean }): boolean => isWrite
const never = new AbortController().signal

test('at rest the lease is renewed every ten seconds, and the fence is closed in between', async () => {
  await using world = engineWorld()
  const a = candidate(world, 'a', quiet)
  await world.advance(600_000)
  const renewals = a.faulty.calls.filter(isLeaseWrite).length
  assert.ok(renewals >= 59 && renewals <= 62, `${renewals} in ten minutes`)
  await world.advance(5_000)
  assert.equal(isOpen(a), false)
  assert.equal(a.leading(), true)
  await a.stop()
  assert.equal(world.timersLeft(), 0)
})

test('whoever comes to write has the lease renewed first, and it stays proved until the last one leaves', async () => {
  await using world = engineWorld()
  const a = candidate(world, 'a', quiet)
  await world.advance(5_000)
  const before = a.faulty.calls.filter(isLeaseWrite).length
  const [one, two] = await during(world, Promise.all([a.election.enter(never), a.election.enter(never)]))
  assert.equal(isOpen(a), true)
  assert.equal(a.faulty.calls.filter(isLeaseWrite).length, before + 1, 'one renewal for all who come at once')
  for (let second = 0; second < 60; second++) {
    await world.advance(1_000)
    assert.equal(isOpen(a), true, `after ${second} s of work`)
  }
  one.leave()
  one.leave()
  await world.advance(30_000)
  assert.equal(isOpen(a), true, 'one is still behind the fence')
  two.leave()
  await world.advance(8_000)
  assert.equal(isOpen(a), false)
  await a.stop()
})

test('a proof that ran out on its way is renewed at once for the first who comes to write', async () => {
  await using world = engineWorld()
  const a = candidate(world, 'a', { ...quiet, renewMs: 9_000 })
  await world.advance(600_000)
  // The answer to the renewal comes when the fence, which counts from its sending, is about to close.
  await world.advance(8_000)
  assert.equal(isOpen(a), false)
  const entering = during(world, a.election.enter(never))
  const passage = await entering
  passage.leave()
  await world.advance(4_000)
  assert.equal(isOpen(a), false, 'the nap after that renewal is one of nine seconds')
  const startedMs = world.clock.monotonicMs()
  const again = await during(world, a.election.enter(never))
  assert.equal(world.clock.monotonicMs(), startedMs, 'no time passes')
  again.leave()
  await a.stop()
})

test('a proof that was over when its answer came, after a pause, is renewed at once for those who wait [F3, L9]', async () => {
  await using world = engineWorld()
  const paused = pausable(world.clock)
  const a = candidate(world, 'a', { ...quiet, clock: paused.clock, watch: false })
  await world.advance(8_000)
  assert.equal(isOpen(a), false)
  const answered = Promise.withResolvers<void>()
  a.faulty.after = ({ isWrite }) => (isWrite ? answered.promise : Promise.resolve())
  const entering = a.election.enter(never)
  await world.settle()
  paused.pause()
  await world.advance(60_000)
  a.faulty.after = () => Promise.resolve()
  answered.resolve()
  await world.settle()
  paused.resume()
  let hasEntered = false
  entering.then(
    passage => {
      hasEntered = true
      passage.leave()
    },
    () => undefined,
  )
  await world.settle()
  assert.equal(hasEntered, true, 'no time passes')
  await a.stop()
})

test('whoever waits for the proof is told when leadership is lost instead, and when he gives up', async () => {
  await using world = engineWorld()
  const a = candidate(world, 'a', quiet)
  await world.advance(5_000)
  a.faulty.judge = () => 'hang'
  const patience = new AbortController()
  const impatient = assert.rejects(a.election.enter(patience.signal), /gave up/)
  const waiting = assert.rejects(a.election.enter(never), { name: 'Stopped', why: 'fence' })
  await world.settle()
  patience.abort(new Error('gave up'))
  await impatient
  await world.advance(30_000)
  await waiting
  assert.equal(a.leading(), false)
  await assert.rejects(a.election.enter(never), /does not lead/)
  await a.stop()
})

for (const crashedAfterMs of [0, 1_000, 5_000, 9_900]) {
  for (const isAtWork of [false, true]) {
    test(`a leader that crashes ${crashedAfterMs} ms after a quiet spell ${isAtWork ? 'at work' : 'at rest'} is followed within 15 s [B14]`, async () => {
      await using world = engineWorld()
      const a = candidate(world, 'a', quiet)
      await world.settle()
      const b = candidate(world, 'b', quiet)
      await world.advance(60_000)
      if (isAtWork) await during(world, a.election.enter(never))
      await world.advance(crashedAfterMs)
      // Nothing of it reaches the server any more; its own clock still counts for the fence.
      a.faulty.judge = () => 'unreachable'
      let waitedMs = 0
      for (; !b.leading() && waitedMs < 60_000; waitedMs += 100) {
        assert.ok(!(isOpen(a) && isOpen(b)), `both may write after ${waitedMs} ms`)
        await world.advance(100)
      }
      assert.ok(waitedMs <= 15_000, `${waitedMs} ms`)
      await a.stop()
      await b.stop()
    })
  }
}

test('a leader in good health keeps a short lease through an hour, slow answers included', async () => {
  await using world = engineWorld()
  const a = candidate(world, 'a', quiet)
  await world.settle()
  const b = candidate(world, 'b', quiet)
  for (let minute = 0; minute < 60; minute++) {
    await world.advance(60_000)
    assert.deepEqual([a.leading(), b.leading()], [true, false])
    // One renewal in a minute gets lost, and the next one is on its way soon.
    let isFirst = true
    a.faulty.judge = call => (call.isWrite && isFirst ? ((isFirst = false), 'unreachable') : 'pass')
  }
  assert.equal(a.election.term, 0)
  await a.stop()
  await b.stop()
})

async function during<T>(world: EngineWorld, work: Promise<T>): Promise<T> {
  await world.settle()
  return work
}

test('two elections with a lease each are two shards', async () => {
  await using world = engineWorld()
  const one = candidate(world, 'a', { lease: { namespace: 'default', name: 'shard-1' } })
  const two = candidate(world, 'b', { lease: { namespace: 'default', name: 'shard-2' } })
  await world.advance(5_000)
  assert.deepEqual([one.leading(), two.leading()], [true, true])
  await one.stop()
  await two.stop()
})

test('two managers with an election do the work once, and the second takes over warm [D5]', async () => {
  await using world = engineWorld({ objects: [greetingCrd] })
  const start = (identity: string) => world.start({ controllers: [greetingController()], identity, election: { lease } })
  const first = start('one')
  await world.settle()
  const second = start('two')
  await world.advance(5_000)
  for (let index = 0; index < 5; index++) await world.client.create(greetings, greeting(`g-${index}`))
  await world.advance(5_000)
  const count = (one: typeof first): number => one.passes.flatMap(pass => pass.writes).length
  assert.deepEqual([count(first), count(second)], [15, 0])
  await first.stop()
  await world.client.create(greetings, greeting('later'))
  await world.advance(5_000)
  assert.equal(count(second), 3)
  assert.match(second.manager.metrics.expose(), /leader_election_master_status\{name="vouch"\} 1/)
})

/** The same time, counted faster or slower. */
function atRate(inner: ManualClock, rate: number): Clock {
  const timer: Clock['timer'] = (delayMs, fire) => inner.timer(delayMs / rate, fire)
  return {
    now: () => inner.now(),
    monotonicMs: () => inner.monotonicMs() * rate,
    timer,
    sleep: (delayMs, signal) => sleepWith({ timer }, delayMs, signal),
  }
}
