// An election by its single steps and moments, with a lease that stands in memory: who asks when, and what becomes of the answer.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { drain, ManualClock, type Random, silentLog } from '#base'
import type { StoredObject } from '#kube'
import { type KubeClient, KubeError } from '#kube/client'
import { Election, type ElectionOptions } from './election.ts'
import type { Lease } from './lease.ts'

type Held = Lease & StoredObject

const lease = { namespace: 'default', name: 'vouch' }
const longest = { float: () => 1, fork: () => longest } as unknown as Random

function heldBy(holderIdentity: string, version: number, leaseDurationSeconds: number | undefined = 15): Held {
  const metadata = { ...lease, uid: 'u', resourceVersion: String(version) }
  const spec = { holderIdentity, ...(leaseDurationSeconds > 0 && { leaseDurationSeconds }) }
  return { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata, spec }
}

function electing(options: Partial<ElectionOptions> = {}, first?: Held) {
  const clock = new ManualClock()
  const server = { lease: first, isDown: false, answersAfterMs: 0 }
  /** Each call with its moment. */
  const calls: string[] = []
  const timeouts: (number | undefined)[] = []
  const asked = async (what: string, timeoutMs: number | undefined): Promise<void> => {
    calls.push(`${what} ${clock.monotonicMs()}`)
    timeouts.push(timeoutMs)
    if (server.answersAfterMs > 0) await clock.sleep(server.answersAfterMs)
    if (server.isDown) throw new KubeError('unreachable', 'nobody answers', {})
  }
  const keep = (object: object): Held => {
    const { metadata } = object as Held
    const resourceVersion = String(Number(server.lease?.metadata.resourceVersion ?? '0') + 1)
    server.lease = { ...(object as Held), metadata: { ...metadata, uid: 'u', resourceVersion } }
    return server.lease
  }
  const client: Partial<KubeClient> = {
    find: async (_type, _key, options) => {
      await asked('read', options?.timeoutMs)
      return server.lease as never
    },
    create: async (_type, object, options) => {
      await asked('create', options?.timeoutMs)
      return keep(object) as never
    },
    update: async (_type, object, options) => {
      const { holderIdentity } = (object as unknown as Held).spec
      await asked(holderIdentity === '' ? 'hand over' : 'renew', options?.timeoutMs)
      return keep(object) as never
    },
    delete: async (_type, _key, options) => {
      await asked(`delete ${JSON.stringify(options?.preconditions)}`, options?.timeoutMs)
      server.lease = undefined
      return undefined as never
    },
  }
  const told: string[] = []
  const election = new Election({
    client: client as KubeClient,
    clock,
    random: longest,
    log: silentLog,
    lease,
    identity: 'us',
    watch: false,
    onChange: leading => told.push(`${leading ? 'leads' : 'leads no more'} ${clock.monotonicMs()}`),
    ...options,
  })
  const stop = new AbortController()
  let isOver = false
  const run = election
    .run(stop.signal, async term => {
      await new Promise<void>(resolve => term.addEventListener('abort', () => resolve()))
    })
    .then(() => (isOver = true))
  const isProved = (): boolean => {
    try {
      election.check()
      return true
    } catch {
      return false
    }
  }
  return { election, clock, server, calls, timeouts, told, stop, run, isProved, isOver: () => isOver }
}

for (const [what, options, renewedAtMs, fenceMs] of [
  ['without settings', {}, [1_500, 3_000, 4_500], 5_000],
  ['with a short lease', { leaseDurationMs: 9_000 }, [750, 1_500, 2_250], 2_250],
  ['with a narrow fence', { fenceMs: 1_500 }, [500, 1_000, 1_500], 1_500],
  ['with times of its own', { leaseDurationMs: 14_000, fenceMs: 3_500, renewMs: 1_000 }, [1_000, 2_000, 3_000], 3_500],
  ['at rest', { leaseDurationMs: 14_000, fenceMs: 3_500, renewMs: 1_000, restMs: 10_000 }, [10_000, 20_000, 30_000], 3_500],
] as const)
  test(`a lease ${what} is renewed at ${renewedAtMs.join(', ')} ms, and proves leadership for ${fenceMs} ms [P13]`, async () => {
    const { clock, calls, timeouts, server, isProved, election } = electing(options)
    await clock.advance(0)
    assert.deepEqual(calls, ['read 0', 'create 0'])
    assert.equal(server.lease?.spec.leaseDurationSeconds, ((options as ElectionOptions).leaseDurationMs ?? 20_000) / 1_000)
    await clock.advance(renewedAtMs[2])
    assert.deepEqual(
      calls.slice(2),
      renewedAtMs.map(ms => `renew ${ms}`),
    )
    assert.deepEqual([...new Set(timeouts)], [fenceMs / 2])
    server.isDown = true
    await clock.advance(fenceMs - 1)
    assert.equal(isProved(), true)
    await clock.advance(1)
    assert.deepEqual([isProved(), election.leading], [false, true])
  })

test('a lease that another one holds is taken when it was seen unchanged for longer than its duration, and not in that moment', async () => {
  const { clock, told, server } = electing({}, heldBy('them', 7))
  await clock.advance(15_000)
  assert.deepEqual(told, [])
  await clock.advance(1_500)
  assert.deepEqual([told, server.lease?.spec.leaseTransitions], [['leads 16500'], 1])
})

for (const [what, restMs, seconds, atMs] of [
  ['ends in fifteen seconds', 60_000, 15, 15_001],
  ['says no duration', 60_000, 0, 20_001],
  ['ends in a minute', 10_000, 60, 60_001],
] as const)
  test(`whoever waits for a lease that ${what} takes it in the first moment that it is free`, async () => {
    const { clock, told, calls } = electing({ restMs }, heldBy('them', 7, seconds))
    await clock.advance(atMs - 1)
    assert.deepEqual(told, [])
    await clock.advance(1)
    assert.deepEqual(told, [`leads ${atMs}`])
    assert.deepEqual(
      calls.filter(call => call.startsWith('read')),
      [
        'read 0',
        ...Array.from({ length: Math.floor((atMs - 1) / restMs) }, (_, index) => `read ${(index + 1) * restMs}`),
        `read ${atMs}`,
      ],
    )
  })

test('a lease that is renewed by its holder is waited for anew', async () => {
  const { clock, told, server } = electing({ restMs: 10_000 }, heldBy('them', 7))
  await clock.advance(9_000)
  server.lease = heldBy('them', 8)
  await clock.advance(15_999)
  assert.deepEqual(told, [])
  await clock.advance(9_003)
  assert.deepEqual(told, ['leads 25001'])
})

test('a lease that nobody holds is taken at once, and one that is lost to another ends the term', async () => {
  const { clock, told, server, isProved } = electing({}, heldBy('', 7))
  await clock.advance(0)
  assert.deepEqual(told, ['leads 0'])
  server.lease = heldBy('them', 20)
  server.isDown = true
  await clock.advance(1_500)
  assert.deepEqual([told.length, isProved()], [1, true], 'a try that failed says nothing')
  server.isDown = false
  await clock.advance(1_500)
  assert.deepEqual([told, isProved()], [['leads 0', 'leads no more 3000'], false])
})

test('who cannot renew his lease for longer than it lasts leads no more, and tells how long nothing but failures came', async () => {
  const failed: number[] = []
  const { clock, told, server } = electing({ onFailed: ms => failed.push(ms), leaseDurationMs: 6_000, renewMs: 1_000 })
  await clock.advance(1_000)
  server.isDown = true
  await clock.advance(6_000)
  assert.deepEqual([told, failed], [['leads 0'], [0, 1_000, 2_000, 3_000, 4_000, 5_000]])
  await clock.advance(1_000)
  assert.deepEqual([told, failed.at(-1)], [['leads 0', 'leads no more 8000'], 6_000])
  server.isDown = false
  await clock.advance(1_000)
  assert.equal(told.at(-1), 'leads 9000')
  server.isDown = true
  await clock.advance(1_000)
  assert.equal(failed.at(-1), 0, 'the next failure is a first one')
})

test('failures are told while nobody leads, too, and are forgotten when another one is seen to lead, or the lease is not wanted', async () => {
  const failed: number[] = []
  let isWanted = true
  const { clock, server, told } = electing(
    { onFailed: ms => failed.push(ms), isWanted: () => isWanted },
    heldBy('them', 7, 3_600),
  )
  server.isDown = true
  await clock.advance(3_000)
  server.isDown = false
  await clock.advance(1_500)
  server.isDown = true
  await clock.advance(1_500)
  isWanted = false
  await clock.advance(1_500)
  isWanted = true
  await clock.advance(1_500)
  assert.deepEqual([failed, told], [[0, 1_500, 0, 0], []])
})

for (const [holding, last] of [
  [undefined, 'hand over 2000'],
  ['in-turn', 'hand over 2000'],
  ['alone', 'delete {"uid":"u","resourceVersion":"2"} 2000'],
  ['together', 'renew 1500'],
] as const) {
  test(`at the end of one who holds it ${holding ?? 'as nobody said'} the last call for the lease is: ${last}`, async () => {
    const { clock, calls, timeouts, server, stop, isOver, told } = electing(holding === undefined ? {} : { holding })
    await clock.advance(2_000)
    stop.abort(new Error('the test ends'))
    await drain()
    assert.deepEqual([calls.at(-1), isOver(), told], [last, true, ['leads 0', 'leads no more 2000']])
    if (holding !== 'together') assert.equal(timeouts.at(-1), 2_000)
    if (holding === undefined)
      assert.deepEqual([server.lease?.spec.holderIdentity, server.lease?.spec.leaseDurationSeconds], ['', 1])
    assert.equal(clock.pendingCount(), 0)
  })

  test(`one who does not want it any more lets go of what he holds ${holding ?? 'as nobody said'}, and takes it when he wants it`, async () => {
    let isWanted = true
    const { clock, calls, election, told } = electing({ isWanted: () => isWanted, ...(holding && { holding }) })
    await clock.advance(2_000)
    isWanted = false
    election.reconsider()
    await clock.advance(0)
    assert.deepEqual([calls.at(-1), told.at(-1), election.leading], [last, 'leads no more 2000', false])
    const count = calls.length
    await clock.advance(100_000)
    assert.equal(calls.length, count)
    isWanted = true
    election.reconsider()
    await clock.advance(0)
    assert.equal(told.at(-1), 'leads 102000')
  })
}

test('a lease that cannot be handed over keeps nobody from his end', async () => {
  const { clock, server, stop, isOver } = electing()
  await clock.advance(0)
  server.isDown = true
  stop.abort(new Error('the test ends'))
  await drain()
  assert.equal(isOver(), true)
})

for (const [what, seen, isLeading, calls] of [
  ['of its leader, renewed by himself', heldBy('us', 2), true, []],
  ['of its leader, held by another one', heldBy('them', 2), true, ['read 100']],
  ['of its leader, let go by somebody', heldBy('', 2), true, ['read 100']],
  ['of another one, renewed', heldBy('them', 9), false, []],
  ['of another one, let go', heldBy('', 9), false, ['read 100']],
] as const)
  test(`a lease that is seen, ${what}, is ${calls.length === 0 ? 'no reason to ask' : 'a reason to ask at once'}`, async () => {
    const one = electing({ restMs: 10_000 }, isLeading ? undefined : heldBy('them', 7))
    await one.clock.advance(100)
    one.calls.splice(0)
    one.election.notice(seen)
    await one.clock.advance(0)
    assert.deepEqual(
      one.calls.filter(call => call.startsWith('read')),
      calls,
    )
  })

test('a renewal of another one is counted from when it was seen, not from when it was asked for', async () => {
  const { clock, told, election, server } = electing({ restMs: 60_000 }, heldBy('them', 7))
  await clock.advance(5_000)
  server.lease = heldBy('them', 8)
  election.notice(server.lease)
  await clock.advance(15_000)
  assert.deepEqual(told, [])
  await clock.advance(1)
  assert.deepEqual(told, ['leads 20001'])
})

test('those who hold a lease together go on from the newest version that any of them wrote, and take what another one of them holds', async () => {
  const { clock, election, server, calls, told } = electing({ holding: 'together', renewMs: 1_000 })
  await clock.advance(0)
  server.lease = heldBy('us', 9)
  election.notice(server.lease)
  election.notice(heldBy('us', 5))
  await clock.advance(1_000)
  assert.equal(server.lease?.metadata.resourceVersion, '10')
  assert.deepEqual(calls, ['read 0', 'create 0', 'renew 1000'])
  assert.deepEqual(told, ['leads 0'])

  let isWanted = false
  const other = electing({ holding: 'together', restMs: 60_000, isWanted: () => isWanted })
  await other.clock.advance(100)
  assert.deepEqual(other.told, [])
  isWanted = true
  other.server.lease = heldBy('us', 3)
  other.election.notice(other.server.lease)
  await other.clock.advance(0)
  assert.deepEqual(other.told, ['leads 100'])
})

test('who comes to write while nobody leads here is turned away, and so is who gave up before', async () => {
  const { clock, election } = electing({}, heldBy('them', 7))
  await clock.advance(0)
  await assert.rejects(election.enter(new AbortController().signal), /does not lead/)
  await assert.rejects(election.enter(AbortSignal.abort(new Error('gave up'))), /gave up/)
})

test('at rest the proof runs out; the first who comes has it renewed, and it is kept while one is inside', async () => {
  const { clock, election, calls, isProved } = electing({
    leaseDurationMs: 14_000,
    fenceMs: 3_500,
    renewMs: 1_000,
    restMs: 10_000,
  })
  await clock.advance(5_000)
  assert.equal(isProved(), false)
  calls.splice(0)
  const { signal } = new AbortController()
  const [first, second] = await Promise.all([election.enter(signal), election.enter(signal)])
  assert.deepEqual(calls, ['renew 5000'])
  assert.deepEqual([isProved(), first.signal?.aborted], [true, false])
  first.leave()
  first.leave()
  await clock.advance(3_000)
  assert.deepEqual(calls, ['renew 5000', 'renew 6000', 'renew 7000', 'renew 8000'])
  second.leave()
  await clock.advance(1_000)
  calls.splice(0)
  await clock.advance(9_000)
  assert.deepEqual(calls, [], 'at rest again')
  await clock.advance(1_000)
  assert.equal(calls.length, 1)
  assert.equal(second.signal?.aborted, true)
  assert.match(String(second.signal?.reason), /the time for which leadership was proved is over/)
})

test('who comes while the proof holds needs no call, and makes the next one sooner', async () => {
  const { clock, election, calls } = electing({ leaseDurationMs: 14_000, fenceMs: 3_500, renewMs: 1_000, restMs: 10_000 })
  await clock.advance(500)
  calls.splice(0)
  const passage = await election.enter(new AbortController().signal)
  assert.deepEqual(calls, [])
  await clock.advance(500)
  assert.deepEqual(calls, ['renew 1000'])
  passage.leave()
})

test('who waits for a proof is let go when he gives up, or when leadership is lost', async () => {
  const { clock, election, server } = electing({ leaseDurationMs: 14_000, fenceMs: 3_500, renewMs: 1_000, restMs: 10_000 })
  await clock.advance(5_000)
  server.isDown = true
  const stop = new AbortController()
  const told: string[] = []
  const wait = (signal: AbortSignal): void =>
    void election.enter(signal).then(
      () => told.push('in'),
      (error: Error) => told.push(error.message),
    )
  wait(stop.signal)
  wait(new AbortController().signal)
  await clock.advance(0)
  assert.deepEqual(told, [])
  stop.abort(new Error('gave up'))
  await clock.advance(0)
  assert.deepEqual(told, ['gave up'])
  await clock.advance(20_000)
  assert.deepEqual(told, ['gave up', 'the lease ran out'])
})
