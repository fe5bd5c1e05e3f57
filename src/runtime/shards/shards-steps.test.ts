// What a replica that shares does with its leases, step by step, with all leases in memory.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { drain, ManualClock, type Random, silentLog } from '#base'
import type { KubeObject } from '#kube'
import { KubeError } from '#kube/client'
import type { Lease } from '../election/lease.ts'
import { ScriptedCluster } from '../testing/scripted-cluster.ts'
import { Shards, type ShardsOptions } from './shards.ts'

const longest = { float: () => 1, fork: () => longest } as unknown as Random
const place = { namespace: 'default', name: 'vouch' }
const times = { leaseDurationMs: 14_000, fenceMs: 3_500, renewMs: 1_000, restMs: 10_000 }
const unreachable = new KubeError('unreachable', 'nobody answers', {})

function world() {
  const clock = new ManualClock()
  const hub = new ScriptedCluster()
  const settle = async (ms = 0): Promise<void> => {
    await clock.advance(ms)
    for (let turn = 0; turn < 5; turn++) await drain()
  }
  const replica = (identity: string, count: number, more: Partial<ShardsOptions> = {}) => {
    const told: string[] = []
    const warned: unknown[] = []
    const log = { ...silentLog, warn: (message: string, fields?: object) => void warned.push([message, fields]) }
    const options = { client: hub.client, clock, random: longest, log, lease: place, identity, count, ...times, ...more }
    const shards = new Shards({ ...options, onChange: (shard, held) => void told.push(`${held ? '+' : '-'}${shard}`) })
    const stop = new AbortController()
    const work: string[] = []
    let isOver = false
    const run = shards
      .run(stop.signal, {
        onTaken: shard => void work.push(`takes ${shard}`),
        onGiven: shard => void work.push(`gives ${shard}`),
        beside: term =>
          new Promise(resolve => {
            work.push('beside begins')
            term.addEventListener('abort', () => {
              work.push('beside ends')
              resolve()
            })
          }),
      })
      .then(() => (isOver = true))
    return { shards, told, warned, work, stop, run, isOver: () => isOver }
  }
  const lease = (name: string, holderIdentity: string, leaseDurationSeconds = 14): void => {
    const spec = { holderIdentity, leaseDurationSeconds }
    const metadata = { namespace: place.namespace, name }
    hub.put('leases', { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata, spec } as KubeObject)
  }
  const holderOf = (name: string): string | undefined =>
    (hub.find('leases', name) as unknown as Lease | undefined)?.spec.holderIdentity
  return { clock, hub, settle, replica, lease, holderOf }
}

test('one replica takes all shards at once, works beside the first, and at its end gives all back and its membership last', async () => {
  const { hub, clock, settle, replica, holderOf } = world()
  const one = replica('one', 3)
  await settle()
  assert.deepEqual([one.shards.held, one.shards.members, one.shards.trouble], [[0, 1, 2], 1, undefined])
  assert.deepEqual(one.work.toSorted(), ['beside begins', 'takes 0', 'takes 1', 'takes 2'])
  assert.deepEqual(one.told.toSorted(), ['+0', '+1', '+2'])
  assert.deepEqual(['vouch', 'vouch-member-of-3-one', ...[0, 1, 2].map(shard => `vouch-shard-${shard}-of-3`)].map(holderOf), [
    'shards-of-3',
    'one',
    'one',
    'one',
    'one',
  ])
  assert.deepEqual(hub.listed, ['leases'], 'all leases are followed by one watch')
  hub.writes.length = 0
  one.stop.abort(new Error('enough'))
  await settle()
  assert.deepEqual([one.isOver(), clock.pendingCount(), one.shards.held], [true, 0, []])
  assert.deepEqual(one.work.slice(4).toSorted(), ['beside ends', 'gives 0', 'gives 1', 'gives 2'])
  assert.deepEqual(hub.writes.at(-1), 'delete vouch-member-of-3-one')
  assert.equal(holderOf('vouch-shard-0-of-3'), '')
})

test('claims of the hub go by their namespace, others by their cluster', () => {
  const { shards } = world().replica('one', 16)
  const of = (cluster: string, namespace: string): number => shards.shardOf({ cluster, namespace })
  assert.deepEqual([of('', 'wlc-a'), of('', 'default'), of('wlc-a', 'default')], [0, 12, 0])
})

test('the work is divided into one part at least', () => {
  assert.throws(() => world().replica('one', 0), /there is at least one shard/)
})

test('a replica that joins gets its share in that moment, and what it leaves is taken in the moment in which it goes', async () => {
  const { settle, replica } = world()
  const one = replica('one', 16)
  await settle(2_000)
  const two = replica('two', 16)
  await settle()
  await settle()
  assert.deepEqual([one.shards.held.length, two.shards.held.length], [8, 8])
  assert.deepEqual([one.shards.members, two.shards.members], [2, 2])
  const all = Array.from({ length: 16 }, (_, shard) => shard)
  assert.deepEqual(
    [...one.shards.held, ...two.shards.held].toSorted((a, b) => a - b),
    all,
  )
  two.stop.abort(new Error('enough'))
  await settle()
  await settle()
  assert.deepEqual([one.shards.held, one.shards.members, two.isOver()], [all, 1, true])
})

test('what a replica that died held is taken a millisecond after it ran out, and not before', async () => {
  const { settle, replica, lease } = world()
  lease('vouch-member-of-2-dead', 'dead')
  for (const shard of [0, 1]) lease(`vouch-shard-${shard}-of-2`, 'dead')
  const one = replica('one', 2)
  await settle()
  assert.deepEqual([one.shards.held, one.shards.members], [[], 2])
  for (let second = 0; second < 13; second++) await settle(1_000)
  await settle(999)
  assert.deepEqual(one.shards.members, 2)
  await settle(2)
  await settle()
  assert.deepEqual([one.shards.held, one.shards.members], [[0, 1], 1])
})

test('members of another number of shards, and leases of theirs, are nothing to it', async () => {
  const { hub, settle, replica, lease } = world()
  const one = replica('one', 2)
  await settle()
  hub.writes.length = 0
  lease('vouch-member-of-8-other', 'other')
  lease('vouch-shard-0-of-8', 'other')
  lease('vouch-shard-1-of-8', 'other')
  lease('somebody-else', 'other')
  await settle()
  assert.deepEqual([one.shards.members, one.shards.held, hub.writes], [1, [0, 1], []])
})

for (const [what, holder, why] of [
  ['others divide it otherwise', 'shards-of-8', 'others divide the work into 8 shards, this replica into 2'],
  ['one leads over all of it', 'leader', 'leader leads by vouch and shares nothing'],
] as const)
  test(`while ${what} nothing is taken, which is told once, and when they are gone everything is`, async () => {
    const { settle, replica, lease } = world()
    lease('vouch', holder)
    const one = replica('one', 2)
    for (let second = 0; second < 5; second++) await settle(1_000)
    assert.deepEqual([one.shards.held, one.shards.trouble], [[], why])
    assert.deepEqual(one.warned, [['no shard is taken until all replicas divide the work alike', { why }]])
    for (let second = 0; second < 12; second++) await settle(1_000)
    assert.deepEqual([one.shards.held, one.shards.trouble], [[0, 1], undefined])
  })

test('a lease that is removed can be had at once', async () => {
  const { hub, settle, replica, lease } = world()
  lease('vouch-shard-1-of-2', 'gone', 600)
  const one = replica('one', 2)
  await settle(1_000)
  assert.deepEqual(one.shards.held, [0])
  hub.remove('leases', 'vouch-shard-1-of-2')
  await settle()
  assert.deepEqual(one.shards.held, [0, 1])
})

test('the lease of a member that died is swept away ten minutes after it ran out, and by who holds the first shard', async () => {
  const { hub, settle, replica, lease } = world()
  lease('vouch-member-of-2-dead', 'dead')
  const swept = (): boolean => hub.find('leases', 'vouch-member-of-2-dead') === undefined
  lease('vouch-shard-0-of-2', 'other', 3_600)
  const one = replica('one', 2)
  for (let ten = 0; ten < 62; ten++) await settle(10_000)
  assert.deepEqual([one.shards.held, swept(), one.work], [[1], false, ['takes 1']], 'it does not hold the first')
  hub.refuses.set('vouch-member-of-2-dead', unreachable)
  hub.remove('leases', 'vouch-shard-0-of-2')
  for (let ten = 0; ten < 2; ten++) await settle(10_000)
  assert.deepEqual([one.shards.held, swept()], [[0, 1], false], 'a sweep that fails is one of many')
  hub.refuses.clear()
  for (let ten = 0; ten < 2; ten++) await settle(10_000)
  assert.equal(swept(), true)
  lease('vouch-member-of-2-another', 'another')
  for (let ten = 0; ten < 61; ten++) await settle(10_000)
  assert.notEqual(hub.find('leases', 'vouch-member-of-2-another'), undefined)
  for (let ten = 0; ten < 2; ten++) await settle(10_000)
  assert.equal(hub.find('leases', 'vouch-member-of-2-another'), undefined)
})

test('who cannot have the lease of a shard for a whole lease stands back, each time for twice as long, ten minutes at most', async () => {
  const { clock, hub, settle, replica, holderOf } = world()
  hub.refuses.set('vouch-shard-0-of-1', unreachable)
  const one = replica('one', 1)
  const belongs = (): boolean => holderOf('vouch-member-of-1-one') === 'one'
  /** For how many seconds it is counted among the living, and is not, and is again. */
  const spans: number[] = []
  let [since, was] = [0, true]
  for (let second = 4; second < 2_400; second += 4) {
    await settle(4_000)
    if (belongs() === was) continue
    spans.push(second - since)
    ;[since, was] = [second, belongs()]
  }
  assert.deepEqual(
    [1, 3, 5].map(away => spans[away]),
    [28, 56, 112],
  )
  assert.ok(spans[0] !== undefined && spans[0] >= 14 && spans[0] < 28, `${spans[0]} s`)
  const stoodBack = (): readonly number[] => one.warned.map(each => (each as readonly [string, { forMs: number }])[1].forMs)
  assert.deepEqual(stoodBack().slice(0, 7), [28_000, 56_000, 112_000, 224_000, 448_000, 600_000, 600_000])
  assert.deepEqual(one.warned[0], [
    'the lease of a shard cannot be renewed: this replica stands back',
    { lease: 'vouch-shard-0-of-1', forMs: 28_000 },
  ])
  // Once it has the shard again all of that is forgotten.
  hub.refuses.clear()
  for (let ten = 0; ten < 60; ten++) await settle(10_000)
  assert.deepEqual(one.shards.held, [0])
  hub.refuses.set('vouch-shard-0-of-1', unreachable)
  for (let second = 0; second < 40; second++) await settle(1_000)
  assert.equal(stoodBack().at(-1), 28_000)
  one.stop.abort(new Error('enough'))
  await settle()
  assert.deepEqual([one.isOver(), clock.pendingCount()], [true, 0], 'nobody comes back after its end')
})

test('a replica that stands back is not woken by more of the same, and what it had goes to another', async () => {
  const { hub, settle, replica } = world()
  const one = replica('one', 2)
  await settle()
  const two = replica('two', 2)
  await settle()
  await settle()
  assert.deepEqual([one.shards.held.length, two.shards.held.length], [1, 1])
  const [mine] = one.shards.held
  hub.refuses.set(`vouch-shard-${mine}-of-2`, unreachable)
  for (let second = 0; second < 30; second++) await settle(1_000)
  assert.equal(one.warned.length, 1)
  assert.deepEqual([one.shards.held, two.shards.members], [[], 1])
  hub.refuses.clear()
  for (let second = 0; second < 2; second++) await settle(1_000)
  assert.deepEqual(two.shards.held, [0, 1])
})

test('before all leases are listed nothing is taken, and a replica is not over before its watch is', async () => {
  const { hub, settle, replica } = world()
  hub.answers.set('leases', 'silence')
  const one = replica('one', 2)
  for (let second = 0; second < 20; second++) await settle(1_000)
  assert.deepEqual([one.shards.held, hub.names('leases')], [[], ['vouch', 'vouch-member-of-2-one']])
  one.stop.abort(new Error('enough'))
  await settle()
  assert.deepEqual([hub.names('leases'), one.isOver()], [['vouch'], false])
})

test('a replica is not over before its membership is', async () => {
  const { hub, settle, replica } = world()
  const deleted = Promise.withResolvers<never>()
  const one = replica('one', 1, { client: { ...hub.client, delete: () => deleted.promise } })
  await settle()
  one.stop.abort(new Error('enough'))
  await settle()
  assert.equal(one.isOver(), false)
  deleted.resolve({} as never)
  await settle()
  assert.equal(one.isOver(), true)
})

test('a shard is given only once nothing of its work is under way', async () => {
  const { settle, replica } = world()
  const one = replica('one', 1)
  await settle()
  const term = one.shards.of({ cluster: '', namespace: 'any' })
  const under = Promise.withResolvers<void>()
  term?.follow?.(under.promise)
  one.stop.abort(new Error('enough'))
  await settle()
  assert.deepEqual([term?.signal?.aborted, one.work.includes('gives 0'), one.isOver()], [true, false, false])
  assert.equal(one.shards.of({ cluster: '', namespace: 'any' }), undefined, 'nothing more of it is begun')
  under.resolve()
  await settle()
  assert.deepEqual([one.work.includes('gives 0'), one.isOver()], [true, true])
})

test('a replica that can write nothing at all does not stand back: it is counted no more, and is there when it can', async () => {
  const { hub, settle, replica } = world()
  const one = replica('one', 2)
  await settle()
  hub.refuses.set('*', unreachable)
  for (let second = 0; second < 60; second++) await settle(1_000)
  assert.deepEqual([one.shards.held, one.warned], [[], []])
  hub.refuses.clear()
  for (let second = 0; second < 25; second++) await settle(1_000)
  assert.deepEqual(one.shards.held, [0, 1])
})
