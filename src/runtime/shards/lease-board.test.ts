// Until which millisecond a lease holds: two who think otherwise of it would both work, or nobody.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ManualClock } from '#base'
import { LeaseBoard } from './lease-board.ts'
import { divisionIdentity, divisionOf, memberLeaseName, readLeaseName, shardLeaseName } from './lease-names.ts'

const division = { namespace: 'default', name: 'vouch', count: 2 }
const shard = shardLeaseName(division, 0)
const member = memberLeaseName(division, 'one')

function lease(name: string, holderIdentity: string, leaseDurationSeconds = 10) {
  const metadata = { name, namespace: 'default', uid: name, resourceVersion: '1', creationTimestamp: '2026-01-01T00:00:00Z' }
  return { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata, spec: { holderIdentity, leaseDurationSeconds } }
}

function boardOf(...leases: readonly ReturnType<typeof lease>[]) {
  const clock = new ManualClock()
  const board = new LeaseBoard(clock, division.name)
  for (const object of leases) board.see({ kind: 'added', initial: true, object })
  return { clock, board, names: () => board.living().map(({ lease: { metadata } }) => metadata.name) }
}

test('a lease holds up to its last millisecond, and no longer', async () => {
  const { clock, board, names } = boardOf(lease(shard, 'one'), lease(member, 'one'))
  await clock.advance(10_000)
  assert.deepEqual([names(), board.holderOf(shard)], [[shard, member], 'one'])
  await clock.advance(1)
  assert.deepEqual([names(), board.holderOf(shard)], [[], undefined])
})

test('a lease that nobody holds is nobody\u2019s', () => {
  const { board, names } = boardOf(lease(shard, ''), lease(member, 'one'))
  assert.deepEqual([names(), board.holderOf(shard)], [[member], undefined])
})

test('a member is dead once it ran out longer ago than asked, and a shard never is', async () => {
  const { clock, board } = boardOf(lease(shard, 'one'), lease(member, 'one'))
  const dead = (): readonly string[] => board.deadMembers(5_000).map(({ lease: { metadata } }) => metadata.name)
  await clock.advance(15_000)
  assert.deepEqual(dead(), [])
  await clock.advance(1)
  assert.deepEqual(dead(), [member])
})

test('whoever could not be heard is given the time of its lease once more', async () => {
  const { clock, board, names } = boardOf(lease(shard, 'one'))
  await clock.advance(60_000)
  assert.deepEqual(names(), [])
  board.forgive()
  await clock.advance(10_000)
  assert.deepEqual(names(), [shard])
  await clock.advance(1)
  assert.deepEqual(names(), [])
})

test('a lease that is gone is forgotten, and those of others are not ours', () => {
  const { board, names } = boardOf(lease(shard, 'one'), lease('somebody-else', 'one'))
  assert.deepEqual(names(), [shard])
  board.see({ kind: 'removed', object: lease(shard, 'one') })
  assert.deepEqual(names(), [])
})

test('a lease that says no time holds for none', async () => {
  const { spec, ...rest } = lease(shard, 'one')
  const { clock, board, names } = boardOf({ ...rest, spec: { holderIdentity: spec.holderIdentity } } as typeof rest & {
    readonly spec: typeof spec
  })
  assert.deepEqual(names(), [shard])
  await clock.advance(1)
  assert.deepEqual(names(), [])
  board.forgive()
  assert.deepEqual(names(), [shard])
  await clock.advance(1)
  assert.deepEqual(names(), [])
})

for (const [name, is] of [
  ['vouch', { kind: 'division' }],
  ['vouch-shard-12-of-16', { kind: 'shard', shard: 12, of: 16 }],
  ['vouch-member-of-16-vouch-0', { kind: 'member', of: 16 }],
  [shardLeaseName({ ...division, count: 3 }, 1), { kind: 'shard', shard: 1, of: 3 }],
  [memberLeaseName({ ...division, count: 3 }, 'Pod_1'), { kind: 'member', of: 3 }],
  ['vouch-shard-12', undefined],
  ['vouch-shard-12-of-16-more', undefined],
  ['vouch2-shard-1-of-2', undefined],
  ['other', undefined],
] as const)
  test(`the lease ${name} is ${is === undefined ? 'nobody\u2019s of ours' : `that of a ${is.kind}`}`, () => {
    assert.deepEqual(readLeaseName('vouch', name), is)
  })

test('whoever holds the lease of a leader divides the work into as many shards as its name says, or not at all', () => {
  assert.deepEqual(
    [divisionIdentity(16), 'vouch-0', 'shards-of-', 'shards-of-16-more'].map(holder => divisionOf(holder)),
    [16, undefined, undefined, undefined],
  )
  assert.equal(memberLeaseName(division, 'Pod_1'), 'vouch-member-of-2-pod-1')
})
