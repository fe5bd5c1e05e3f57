// Rollouts that somebody takes back, in the middle and after their end.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { roleKind } from '../api/kinds.ts'
import { told } from '../testing/room-world.ts'
import { having, policyArn, setWorld } from '../testing/set-world.ts'

const prefix = 'aws.identity.appthrust.io'
const minute = 60_000
const badPolicy = 'arn:aws:iam::aws:policy/Bad'
const newPolicy = 'arn:aws:iam::aws:policy/AmazonS3FullAccess'
const oneAtATime = (more: object = {}) => ({
  placementRefs: [{ name: 'p', rolloutStrategy: { type: 'Progressive' as const, progressive: { maxConcurrency: 1, ...more } } }],
})

test('a rollback brings back the template that was rolled out last, by the same strategy', async () => {
  await using world = await setWorld()
  await world.choose('p', ['a', 'b', 'c'])
  await world.makeSet('app', oneAtATime())
  await world.converge()
  await world.changeTemplate('app', [newPolicy])
  await world.report('a', true)
  assert.equal(await having(world, newPolicy), 'a b')
  await world.annotate('app', { [`${prefix}/rollout-rollback`]: 'true' })
  await world.converge()
  assert.equal(await having(world, policyArn), 'a b c')
  const set = await world.set('app')
  assert.equal(told(set).RolloutRolledBack, 'True RolledBack')
  assert.deepEqual(set.status?.completedTemplate?.spec.policyARNs, [policyArn])
  assert.deepEqual(set.spec.template.spec.policyARNs, [newPolicy], 'the spec is its owner’s')
  await world.annotate('app', { [`${prefix}/rollout-rollback`]: null })
  await world.converge()
  assert.equal(await having(world, newPolicy), 'a b c')
  assert.equal(told(await world.set('app')).RolloutRolledBack, 'False RollbackEnded')
  assert.deepEqual((await world.set('app')).status?.completedTemplate?.spec.policyARNs, [newPolicy])
})

test('taken back in the middle: first of all where it is not well', async () => {
  await using world = await setWorld()
  await world.choose('p', ['a', 'b', 'c'])
  await world.makeSet('app', oneAtATime())
  await world.converge()
  await world.changeTemplate('app', [badPolicy])
  await world.report('a', true)
  await world.report('b', false)
  await world.annotate('app', { [`${prefix}/rollout-rollback`]: 'true' })
  assert.deepEqual([await having(world, badPolicy), await having(world, policyArn)], ['a', 'b c'])
  await world.converge()
  assert.equal(await having(world, policyArn), 'a b c')
})

test('what was rolled out but where it may fail is what a rollback brings back', async () => {
  await using world = await setWorld()
  await world.choose('p', ['a', 'b', 'c'])
  await world.makeSet('app', oneAtATime({ maxConcurrency: 3, maxFailures: 1, progressDeadline: '10m' }))
  // b is away, today and for ever.
  await world.report('a', true)
  await world.report('c', true)
  assert.equal((await world.set('app')).status?.completedTemplate, undefined, 'b has time still')
  await world.advance(11 * minute)
  assert.deepEqual((await world.set('app')).status?.completedTemplate?.spec.policyARNs, [policyArn])
  await world.changeTemplate('app', [badPolicy])
  await world.report('a', false)
  await world.report('c', false)
  await world.advance(11 * minute)
  const stopped = await world.set('app')
  assert.equal(told(stopped).RolloutStopped, 'True TooManyFailures')
  assert.deepEqual(stopped.status?.completedTemplate?.spec.policyARNs, [policyArn], 'more failed than may')
  await world.annotate('app', { [`${prefix}/rollout-rollback`]: 'true' })
  await world.converge()
  assert.equal(await having(world, policyArn), 'a b c')
})

test('all at once tolerates no failure: a template that is broken somewhere is none to go back to', async () => {
  await using world = await setWorld()
  await world.choose('p', ['a', 'b', 'c'])
  const all = { type: 'All' as const, all: { progressDeadline: '10m' } }
  await world.makeSet('app', { placementRefs: [{ name: 'p', rolloutStrategy: all }] })
  for (const cluster of ['a', 'b']) await world.report(cluster, true)
  await world.advance(11 * minute)
  const { status } = await world.set('app')
  assert.deepEqual([status?.rollout?.timedOut, status?.completedTemplate], [1, undefined])
})

test('a rollback after the end takes nothing back, and says so', async () => {
  await using world = await setWorld()
  await world.choose('p', ['a'])
  await world.makeSet('app')
  await world.converge()
  const before = world.writes().filter(({ type }) => type === roleKind.type).length
  await world.annotate('app', { [`${prefix}/rollout-rollback`]: 'true' })
  await world.converge()
  assert.equal(world.writes().filter(({ type }) => type === roleKind.type).length, before)
  const said = (await world.set('app')).status?.conditions?.find(({ type }) => type === 'RolloutRolledBack')
  assert.equal(
    said?.message,
    'the template of the spec is what was rolled out last, so that nothing is taken back; to go further back, put an older one there',
  )
})

test('a rollback with nothing to go back to waits, and says so', async () => {
  await using world = await setWorld()
  await world.choose('p', ['a', 'b'])
  await world.makeSet('app', oneAtATime())
  await world.annotate('app', { [`${prefix}/rollout-rollback`]: 'true' })
  await world.converge()
  assert.deepEqual(await world.clustersWith('app'), ['a'])
  const said = told(await world.set('app'))
  assert.deepEqual([said.RolloutRolledBack, said.RolloutPaused], ['False RollbackUnavailable', 'True RolloutPaused'])
})
