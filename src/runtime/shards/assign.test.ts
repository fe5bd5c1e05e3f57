import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seededRandom } from '#base'
import { assignShards } from './assign.ts'
import { shardOf } from './shard-of.ts'

type Holders = readonly (string | undefined)[]

const nobody = (count: number): Holders => Array.from({ length: count }, () => undefined)
const sizes = (holders: Holders, members: readonly string[]): readonly number[] =>
  members.map(member => holders.filter(holder => holder === member).length)
const moved = (before: Holders, after: Holders): number => after.filter((member, shard) => member !== before[shard]).length
const replica = (index: number): string => `replica-${index}`

test('a namespace is in the same shard for every version of the program', () => {
  const places = ['', 'default', 'kube-system', 'wlc-a', 'wlc-b', 'cluster-0001', 'ü'].map(namespace => shardOf(namespace, 16))
  assert.deepEqual(places, [11, 12, 11, 0, 9, 14, 6])
})

for (const [what, members, holders, assigned] of [
  ['three find all of it free', [0, 1, 2], '................', '2120212002100110'],
  ['three find all of it free, and see each other the other way round', [2, 1, 0], '................', '2120212002100110'],
  ['two find five parts free', [1, 0], '.....', '11000'],
  ['one joins another that has all of it', [0, 1], '0000000000000000', '1010001011100101'],
  ['one joins two others', [2, 1, 0], '1111111112222222', '1100110112202202'],
] as const)
  test(`versions of the program that work side by side divide the work alike where ${what}`, () => {
    const held = Array.from(holders, holder => (holder === '.' ? undefined : replica(Number(holder))))
    const found = assignShards({ members: members.map(replica), holders: held })
    assert.equal(found.map(member => member?.slice('replica-'.length)).join(''), assigned)
  })

test('a thousand namespaces are spread over the shards', () => {
  const counts = Array.from({ length: 16 }, () => 0)
  for (let index = 0; index < 1_000; index++) counts[shardOf(`cluster-${index}`, 16)]!++
  for (const count of counts) assert.ok(count > 30 && count < 100, counts.join())
})

test('without members nobody holds anything, and with one it holds all', () => {
  assert.deepEqual(assignShards({ members: [], holders: nobody(3) }), [undefined, undefined, undefined])
  assert.deepEqual(assignShards({ members: ['a'], holders: nobody(3) }), ['a', 'a', 'a'])
})

test('whoever sees the members in another order assigns the same', () => {
  const members = [0, 1, 2, 3].map(replica)
  assert.deepEqual(
    assignShards({ members, holders: nobody(16) }),
    assignShards({ members: members.toReversed(), holders: nobody(16) }),
  )
})

test('replicas come and go: shares differ by one at most, at most 1/N of the shards move, and none between two that stay', () => {
  const random = seededRandom('shards')
  for (let round = 0; round < 200; round++) {
    const count = 1 + random.integer(64)
    let members: readonly string[] = []
    let holders = nobody(count)
    for (let step = 0; step < 20; step++) {
      const joins = members.length === 0 || (members.length < 8 && random.float() < 0.6)
      const one = joins ? `r${round}-${step}` : (members[random.integer(members.length)] ?? '')
      members = joins ? [...members, one] : members.filter(member => member !== one)
      const before = holders.map(holder => (holder !== undefined && members.includes(holder) ? holder : undefined))
      const after = assignShards({ members, holders: before })
      if (members.length > 0) {
        const shares = sizes(after, members)
        assert.ok(Math.max(...shares) - Math.min(...shares) <= 1, shares.join())
      }
      if (joins) assert.ok(moved(holders, after) <= Math.ceil(count / members.length), `${moved(holders, after)} of ${count}`)
      for (const [shard, holder] of before.entries())
        if (holder !== undefined && after[shard] !== holder)
          assert.ok(joins && after[shard] === one, 'moved between two that stay')
      holders = after
    }
  }
})
