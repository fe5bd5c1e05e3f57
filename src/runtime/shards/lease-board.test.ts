// Until which millisecond a lease holds: two who think otherwise of it would both work, or nobody.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ManualClock } from '#base'
import { LeaseBoard } from './lease-board.ts'
import { memberLeaseName, shardLeaseName } from './lease-names.ts'

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
