// What people, inventories and strangers write that cannot hold: one reason with its words, nothing begun, nobody's Role touched, and never
// a failure of the operator's own.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { given } from '#base'
import type { KubeObject, StoredObject } from '#kube'
import { type ServiceAccountRoleReplicaSet as ReplicaSet, replicaSetKind } from '../api/kinds.ts'
import { told } from '../testing/room-world.ts'
import { setNamespace, setWorld, templateOf } from '../testing/set-world.ts'
import { decideReplicaSet } from './decide.ts'
import type { ReplicaSetSeen } from './seen.ts'

const now = Date.parse('2026-01-01T00:00:00Z')

function setWith(rolloutStrategy: object | undefined): ReplicaSet {
  const placementRefs = [{ name: 'p', ...given({ rolloutStrategy }) }]
  const set: KubeObject = replicaSetKind.make(
    { namespace: setNamespace, name: 'app', uid: 'u', resourceVersion: '1', generation: 1 },
    { placementRefs, template: templateOf('app') } as never,
  )
  return set as ReplicaSet
}

/** Its clusters have a namespace each, and no Role yet. */
function seenWith(claim: ReplicaSet, clusters: readonly string[], there: readonly string[] = clusters): ReplicaSetSeen {
  const groups = [{ name: '', index: 0, clusters }] as never
  const resolution = { ok: true as const, groups, decisionGroupCount: 1, selectedClusterCount: clusters.length }
  return {
    claim,
    placements: claim.spec.placementRefs.map(ref => ({ ref, resolution })),
    children: new Map(),
    foreign: new Set(),
    namespaces: new Map(there.map(name => [name, 'there' as const])),
    strays: [],
    kept: 0,
    remaining: [],
  }
}

type Planned = ReturnType<typeof decideReplicaSet>
const begunBy = ({ actions }: Planned): number => {
  const together = actions.find(({ kind }) => kind === 'together') as { readonly branches?: readonly unknown[] } | undefined
  return together?.branches?.length ?? 0
}
const saidBy = ({ conditions }: Planned, type: string): string => {
  const found = conditions.find(one => one.type === type)
  return `${found?.status} ${found?.reason}: ${found?.message}`
}

const four = ['a', 'b', 'c', 'd']
const progressive = (more: object): object => ({ type: 'Progressive', progressive: more })

for (const [what, strategy, begun] of [
  ['no cluster at a time means all', progressive({ maxConcurrency: 0 }), 4],
  ['0 % at a time means all', progressive({ maxConcurrency: '0%' }), 4],
  ['fewer than none means all', progressive({ maxConcurrency: -1 }), 4],
  ['more than there are means all', progressive({ maxConcurrency: 2_147_483_647 }), 4],
  ['a little of a hundredth is one cluster', progressive({ maxConcurrency: '0.001%' }), 1],
  ['all of a hundred per cent', progressive({ maxConcurrency: '100%' }), 4],
  ['the shortest deadline holds nobody back from beginning', progressive({ progressDeadline: '0s', maxConcurrency: 1 }), 1],
  ['the longest soak that can be written', progressive({ minSuccessTime: '2562047h', maxConcurrency: 1 }), 1],
  ['more than all of a hundred per cent means all', progressive({ maxConcurrency: '101%' }), 4],
  ['as many failures as can be written', progressive({ maxFailures: 2_147_483_647, maxConcurrency: 2 }), 2],
  ['fewer failures than none are none', progressive({ maxFailures: -1, maxConcurrency: 2 }), 2],
  ['failures of more than a hundred per cent', progressive({ maxFailures: '101%', maxConcurrency: 2 }), 2],
  ['a soak of less than nothing is none', progressive({ minSuccessTime: '-5s', maxConcurrency: 2 }), 2],
  ['the longest deadline that can be written', progressive({ progressDeadline: '2562047h', maxConcurrency: 2 }), 2],
  [
    'groups that are nowhere are no groups',
    progressive({ mandatoryDecisionGroups: [{ groupName: 'none' }, { groupIndex: 77 }] }),
    4,
  ],
] as const)
  test(`limits of a strategy: ${what} [6.6, 6.8]`, () => {
    const plan = decideReplicaSet(seenWith(setWith(strategy), four), now, { rules: 'safe' })
    assert.equal(begunBy(plan), begun)
    assert.match(saidBy(plan, 'PlacementRolledOut'), /^False Progressing: /)
  })

for (const [what, strategy, words] of [
  ['a number in words', progressive({ maxConcurrency: '5' }), /maxConcurrency: '5' is an invalid maximum threshold value/],
  ['failures in words', progressive({ maxFailures: 'many' }), /maxFailures: 'many' is an invalid maximum threshold value/],
  ['a deadline that only begins well', progressive({ progressDeadline: '10mfoo' }), /10mfoo|unknown unit/],
  ['a deadline beyond all time', progressive({ progressDeadline: '9999999h' }), /9999999h|out of range|invalid/],
  ['a deadline of less than nothing', progressive({ progressDeadline: '-1s' }), /invalid timeout format/],
  ['a percentage of nothing', progressive({ maxFailures: '%' }), /maxFailures: '%' is an invalid maximum threshold value/],
  ['a percentage with a blank', progressive({ maxConcurrency: '5 %' }), /maxConcurrency: '5 %' is an invalid/],
  ['a soak beyond all time', progressive({ minSuccessTime: '9999999h' }), /minSuccessTime: .*9999999h/],
  ['a deadline without a unit', progressive({ progressDeadline: '10' }), /invalid timeout format/],
  ['a soak that is no time', progressive({ minSuccessTime: 'soon' }), /minSuccessTime: .*soon/],
  ['a strategy that nobody knows', { type: 'Sideways' }, /incorrect rollout strategy type Sideways/],
] as const)
  test(`what cannot be read of a strategy is told in its words, and nothing begins: ${what} [6.6, 13.8 #187]`, () => {
    const plan = decideReplicaSet(seenWith(setWith(strategy), four), now, { rules: 'safe' })
    assert.equal(begunBy(plan), 0)
    const said = saidBy(plan, 'PlacementRolledOut')
    assert.match(said, /^False ChildApplyFailed: plan rollout for placement ref "p": /)
    assert.match(said, words)
    assert.match(saidBy(plan, 'Ready'), /^False ChildApplyFailed: /)
  })

test('ten thousand clusters: a window of them begins, and the status stays within the limits of the API [2.5, 14.1 L15]', () => {
  const clusters = Array.from({ length: 10_000 }, (_, index) => `c${String(index).padStart(5, '0')}`)
  const began = process.cpuUsage()
  const plan = decideReplicaSet(seenWith(setWith(progressive({ maxConcurrency: 25 })), clusters), now, { rules: 'safe' })
  const { user } = process.cpuUsage(began)
  assert.equal(begunBy(plan), 25)
  const status = plan.status as NonNullable<ReplicaSet['status']>
  assert.deepEqual([status.selectedClusterCount, status.clusters?.length], [10_000, 100])
  assert.match(saidBy(plan, 'Ready'), /9900 more clusters are not listed/)
  // A guard against a plan that is quadratic: that would be minutes.
  assert.ok(user < 20_000_000, `${user / 1e6} s`)
})

test('ten thousand clusters that do not exist on the hub: all counted, fifty named, nothing begun [13.8 #170]', () => {
  const clusters = Array.from({ length: 10_000 }, (_, index) => `c${String(index).padStart(5, '0')}`)
  const plan = decideReplicaSet(seenWith(setWith(undefined), clusters, []), now, { rules: 'safe' })
  const status = plan.status as NonNullable<ReplicaSet['status']>
  assert.deepEqual([begunBy(plan), status.failureCount, status.failedClusters?.length], [0, 10_000, 50])
  assert.match(saidBy(plan, 'Ready'), /^False ChildApplyFailed: 10000 clusters failed; /)
})

for (const [what, message] of [
  ['a placement that does not exist', 'Placement p does not exist in this namespace; create it'],
  ['an index with two names', 'two names'],
] as const)
  test(`${what}: nothing is taken away from anybody [13.8 #159, 6.8]`, () => {
    const claim = setWith(undefined)
    const stray = { kind: 'AWSServiceAccountRole', metadata: { namespace: 'a', name: 'app' } } as unknown as StoredObject
    const seen = seenWith(claim, [])
    const [first] = seen.placements
    const placements = first === undefined ? [] : [{ ref: first.ref, resolution: { ok: false as const, message } }]
    const plan = decideReplicaSet({ ...seen, placements, strays: [stray as never] }, now, { rules: 'safe' })
    assert.equal(begunBy(plan), 0)
    assert.equal(saidBy(plan, 'PlacementResolved'), `False PlacementUnavailable: ${message}`)
  })

for (const [what, cluster] of [
  ['of capital letters', 'UPPER'],
  ['that is a path', '../kube-system'],
  ['that is too long', 'x'.repeat(254)],
] as const)
  test(`a decision for a cluster with a name ${what} is told, and what is there stays until it is mended [6.5, 13.8 #159]`, async () => {
    await using world = await setWorld()
    await world.choose('p', ['a'])
    await world.makeSet('app')
    await world.converge()
    await world.choose('p', ['a', 'b', cluster])
    assert.equal(told(await world.set('app')).Ready, 'False PlacementUnavailable')
    assert.deepEqual(await world.clustersWith('app'), ['a'])
    const writes = world.writes().length
    await world.advance(600_000)
    assert.equal(world.writes().length, writes, 'it is said once')
    await world.choose('p', ['a', 'b'])
    await world.converge()
    assert.equal(told(await world.set('app')).Ready, 'True Ready')
    assert.deepEqual(await world.clustersWith('app'), ['a', 'b'])
  })
