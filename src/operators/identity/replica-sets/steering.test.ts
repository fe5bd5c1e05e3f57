// Rollouts that somebody steers, that are edited in the middle, and that are at rest.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { events } from '#kube'
import { replicaSetKind } from '../api/kinds.ts'
import { told } from '../testing/room-world.ts'
import { having, type SetWorld, setNamespace, setWorld } from '../testing/set-world.ts'

const prefix = 'aws.identity.appthrust.io'
const minute = 60_000
const badPolicy = 'arn:aws:iam::aws:policy/Bad'
const newPolicy = 'arn:aws:iam::aws:policy/AmazonS3FullAccess'
const oneAtATime = (more: object = {}) => ({
  placementRefs: [{ name: 'p', rolloutStrategy: { type: 'Progressive' as const, progressive: { maxConcurrency: 1, ...more } } }],
})

async function eventsOf(world: SetWorld): Promise<readonly string[]> {
  const { items } = await world.client.list(events, { namespace: setNamespace })
  return items.map(event => (event as unknown as { readonly reason: string }).reason)
}

test('a paused rollout stops where it is, and goes on when it is resumed', async () => {
  await using world = await setWorld()
  await world.choose('p', ['a', 'b', 'c'])
  await world.makeSet('app', oneAtATime())
  await world.annotate('app', { [`${prefix}/rollout-paused`]: 'true' })
  await world.converge()
  assert.deepEqual(await world.clustersWith('app'), ['a'])
  assert.equal(told(await world.set('app')).RolloutPaused, 'True RolloutPaused')
  await world.choose('p', ['b', 'c'])
  assert.deepEqual(await world.clustersWith('app'), ['a'], 'nothing is taken away either')
  await world.annotate('app', { [`${prefix}/rollout-paused`]: null })
  await world.converge()
  assert.deepEqual(await world.clustersWith('app'), ['b', 'c'])
  assert.equal(told(await world.set('app')).RolloutPaused, 'False RolloutResumed')
  const said = await eventsOf(world)
  for (const reason of ['RolloutPaused', 'RolloutResumed']) assert.ok(said.includes(reason), said.join())
})

test('a rollout that fails stops, and goes on when it is mended', async () => {
  await using world = await setWorld()
  await world.choose('p', ['a', 'b', 'c'])
  await world.makeSet('app', oneAtATime({ progressDeadline: '10m' }))
  await world.converge()
  await world.changeTemplate('app', [newPolicy])
  await world.report('a', false)
  await world.advance(11 * minute)
  assert.equal(await having(world, newPolicy), 'a')
  assert.equal(told(await world.set('app')).RolloutStopped, 'True TooManyFailures')
  await world.converge()
  assert.equal(await having(world, newPolicy), 'a b c')
  assert.equal(told(await world.set('app')).RolloutStopped, 'False WithinLimits')
  assert.ok((await eventsOf(world)).includes('TooManyFailures'))
})

test('a retry gives what ran out of time its time again, once for each request', async () => {
  await using world = await setWorld()
  await world.choose('p', ['a', 'b'])
  await world.makeSet('app', oneAtATime({ progressDeadline: '10m' }))
  await world.report('a', false)
  await world.advance(11 * minute)
  assert.equal((await world.set('app')).status?.rollout?.timedOut, 1)
  await world.annotate('app', { [`${prefix}/rollout-retry`]: 'monday' })
  const retried = await world.set('app')
  assert.deepEqual([retried.status?.rollout?.timedOut, retried.status?.rollout?.updating], [0, 1])
  assert.equal(told(retried).RolloutRetried, 'True RetryRequested')
  await world.restart()
  await world.advance(9 * minute)
  assert.equal((await world.set('app')).status?.rollout?.timedOut, 0)
  await world.advance(2 * minute)
  const over = await world.set('app')
  assert.equal(over.status?.rollout?.timedOut, 1)
  assert.equal(told(over).RolloutRetried, 'False RetryEnded')
})

test('edited in the middle: a cluster that is not well with the former template keeps its place, and comes first', async () => {
  await using world = await setWorld({ clusters: ['a', 'b', 'c', 'd'] })
  await world.choose('p', ['a', 'b', 'c', 'd'])
  await world.makeSet('app', oneAtATime())
  await world.converge()
  await world.changeTemplate('app', [badPolicy])
  await world.report('a', true)
  await world.report('b', false)
  assert.equal(await having(world, badPolicy), 'a b')
  await world.changeTemplate('app', [newPolicy])
  assert.equal(await having(world, newPolicy), 'b', 'a is well, and would be out beside b')
  await world.report('b', true)
  assert.equal(await having(world, newPolicy), 'a b')
  await world.converge()
  assert.equal(await having(world, newPolicy), 'a b c d')
})

test('only the exact word counts', async () => {
  await using world = await setWorld()
  await world.choose('p', ['a'])
  for (const value of ['True', '1', 'yes', '']) {
    await world.makeSet(
      'app',
      {},
      { annotations: { [`${prefix}/rollout-paused`]: value, [`${prefix}/rollout-rollback`]: value } },
    )
    assert.deepEqual(await world.clustersWith('app'), ['a'], value)
    await world.client.delete(replicaSetKind.type, { namespace: setNamespace, name: 'app' })
    await world.settle()
  }
})

test('soak: a change that no condition shows is soaked from the change on, not from the last Ready', async () => {
  await using world = await setWorld()
  await world.choose('p', ['a', 'b'])
  await world.makeSet('app', oneAtATime({ minSuccessTime: '5m' }))
  await world.converge()
  await world.advance(10 * minute)
  await world.converge()
  await world.advance(60 * minute)
  await world.changeTemplate('app', [newPolicy])
  // The Role stays Ready: only the generation moves.
  await world.report('a', true)
  assert.equal(await having(world, newPolicy), 'a')
  await world.advance(4 * minute)
  assert.equal(await having(world, newPolicy), 'a')
  await world.advance(2 * minute)
  assert.equal(await having(world, newPolicy), 'a b')
})

test('a placement that is edited in the middle: the rollout goes on over what is meant now', async () => {
  await using world = await setWorld({ clusters: ['a', 'b', 'c', 'd'] })
  const groups = { type: 'ProgressivePerGroup' as const, progressivePerGroup: {} }
  await world.choose('p', { name: 'canary', clusters: ['a'] }, { name: 'rest', clusters: ['b', 'c'] })
  await world.makeSet('app', { placementRefs: [{ name: 'p', rolloutStrategy: groups }] })
  assert.deepEqual(await world.clustersWith('app'), ['a'])
  await world.choose('p', { name: 'canary', clusters: ['a', 'd'] }, { name: 'rest', clusters: ['c'] })
  await world.report('a', true)
  assert.deepEqual(await world.clustersWith('app'), ['a', 'd'], 'the new canary is waited for')
  await world.converge()
  assert.deepEqual(await world.clustersWith('app'), ['a', 'c', 'd'])
  assert.equal((await world.set('app')).status?.placements?.[0]?.availableDecisionGroups, '2 (3 / 3 clusters applied)')
})

test('a namespace that never comes does not hold a rollout up for ever: its time ends with the deadline', async () => {
  await using world = await setWorld({ clusters: ['b', 'c'] })
  await world.choose('p', ['a', 'b', 'c'])
  await world.makeSet('app', oneAtATime({ progressDeadline: '10m', maxFailures: 1 }))
  await world.converge()
  assert.deepEqual(await world.clustersWith('app'), [], 'a takes the one place')
  await world.advance(11 * minute)
  await world.converge()
  assert.deepEqual(await world.clustersWith('app'), ['b', 'c'])
  assert.match(JSON.stringify((await world.set('app')).status?.failedClusters), /RolloutTimedOut/)
})

test('at rest nothing is written, for hours and by a restart [L2, D4]', async () => {
  await using world = await setWorld()
  await world.choose('p', ['a', 'b', 'c'])
  await world.makeSet('app', oneAtATime({ minSuccessTime: '5m', progressDeadline: '10m' }))
  for (let step = 0; step < 5; step++) {
    await world.converge()
    await world.advance(6 * minute)
  }
  assert.equal(told(await world.set('app')).PlacementRolledOut, 'True Complete')
  const before = world.writes().length
  await world.advance(3 * 60 * minute)
  await world.restart()
  await world.advance(minute)
  assert.deepEqual(world.writes().slice(before), [])
})

test('as many writes as there is to say: a cluster of a set is one create, and its readiness one status [P7]', async () => {
  await using world = await setWorld()
  await world.choose('p', ['a', 'b', 'c'])
  await world.makeSet('app')
  await world.converge()
  const verbs = world
    .writes()
    .map(({ verb, type, subresource }) => `${verb} ${type.kind}${subresource === undefined ? '' : `/${subresource}`}`)
  const count = (what: string): number => verbs.filter(verb => verb === what).length
  assert.equal(count('create AWSServiceAccountRole'), 3)
  assert.equal(verbs.filter(verb => verb.startsWith('patch AWSServiceAccountRole ')).length, 0)
  assert.ok(count('patch AWSServiceAccountRoleReplicaSet/status') <= 5, verbs.join(', '))
})

test('a thousand clusters of which ten are away: the others are served, and the status stays within its limits', async () => {
  const all = Array.from({ length: 1_000 }, (_, number) => `c${String(number).padStart(4, '0')}`)
  const away = all.filter((_, number) => number % 100 === 7)
  await using world = await setWorld({ clusters: all.filter(cluster => !away.includes(cluster)) })
  await world.choose('p', all)
  await world.makeSet('app', {
    placementRefs: [
      { name: 'p', rolloutStrategy: { type: 'Progressive', progressive: { maxConcurrency: '100%', maxFailures: 20 } } },
    ],
  })
  await world.converge()
  // What changes in many Roles is looked at together, at the end of a pause.
  await world.advance(1_000)
  const { status } = await world.set('app')
  assert.deepEqual(
    [
      status?.selectedClusterCount,
      status?.readyClusterCount,
      status?.failureCount,
      status?.clusters?.length,
      status?.failedClusters?.length,
    ],
    [1_000, 990, 10, 100, 10],
  )
  assert.match(status?.conditions?.find(({ type }) => type === 'Ready')?.message ?? '', /900 more clusters are not listed/)
})
