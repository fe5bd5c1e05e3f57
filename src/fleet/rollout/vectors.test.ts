import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeRollout, type PlacementPlan, planFleet, type RolloutCounts } from './fleet-plan.ts'
import { withoutGaps } from './groups.ts'
import { planRollout } from './plan.ts'
import type { PlannedCluster } from './progress.ts'
import { fleetInputOf, groupsOf, progressOfRaw, type RawRefAnswer, readVectors, type Vector } from './vectors.fixture.ts'

const vectors = readVectors()
const skip =
  vectors === undefined ? 'the recorded answers are not beside this checkout (../shared/vectors/ocm-rollouts.json)' : false

const told = ({ cluster, state, since, recheckAt }: PlannedCluster) => [cluster, state, since, recheckAt]
type Entry = RawRefAnswer['rollout'][number]
const recorded = ({ cluster, status, time, recheckTime }: Entry) => [cluster, status, instantOf(time), instantOf(recheckTime)]
const instantOf = (time: string | undefined) => (time === undefined ? undefined : Date.parse(time))

function answerOf(want: RawRefAnswer): unknown {
  if (want.error !== undefined) return want.error
  const { rollout, timedOut, removed = [], maxFailureBreach, recheckAfterSeconds } = want
  const lists = [rollout.map(recorded), timedOut.map(recorded), removed.map(recorded)]
  return { lists, maxFailureBreach, recheckAfterSeconds }
}

function planOfRef(vector: Vector, index: number): unknown {
  const ref = vector.refs[index]
  assert.ok(ref)
  const groups = vector.mode === 'operator' ? withoutGaps(groupsOf(ref.decisions)) : groupsOf(ref.decisions)
  const selected = new Set(groups.flatMap(({ clusters }) => clusters))
  const statuses = vector.statuses.filter(({ cluster }) => vector.mode === 'library' || selected.has(cluster)).map(progressOfRaw)
  // The operator does not plan a placement without groups.
  const strategy = vector.mode === 'operator' && groups.length === 0 ? undefined : ref.rolloutStrategy
  const plan = planRollout({ groups, statuses, strategy, now: Date.parse(vector.now), rules: 'ocm' })
  if (!plan.ok) return plan.message
  const lists = [plan.rollout.map(told), plan.timedOut.map(told), plan.removed.map(told)]
  const recheckAfterSeconds = plan.recheckAfterMs === undefined ? null : plan.recheckAfterMs / 1000
  return { lists, maxFailureBreach: plan.isBreached, recheckAfterSeconds }
}

test('every recorded placement is planned as the library planned it [6.8]', { skip }, () => {
  let placements = 0
  for (const vector of vectors ?? []) {
    for (const [index, want] of vector.expect.refs.entries()) {
      assert.deepEqual(planOfRef(vector, index), answerOf(want), `${vector.id} ${want.name}`)
      placements++
    }
  }
  assert.ok(placements > 400, `${placements} placements`)
})

function countsOf({ total, updating, succeeded, failed, timedOut }: RolloutCounts): RolloutCounts {
  return { total, updating, succeeded, failed, timedOut }
}

test('every recorded set is planned as the reference planned it: counters, words, order and time [6.8]', { skip }, () => {
  let sets = 0
  for (const vector of vectors ?? []) {
    const want = vector.expect.plan
    if (want === undefined) continue
    sets++
    const input = fleetInputOf(vector)
    const plan = planFleet({ ...input, rules: 'ocm' })
    if (want.error !== undefined || !plan.ok) {
      assert.equal(plan.ok ? 'planned' : plan.message, want.error, vector.id)
      continue
    }
    assert.deepEqual([...plan.rollout].toSorted(), want.rolloutClusters, vector.id)
    const timedOut = Object.entries(want.clusters).filter(([, [phase]]) => phase === 'TimedOut')
    const isTimedOut = timedOut.map(([cluster]) => cluster).toSorted()
    assert.deepEqual([...plan.timedOut].toSorted(), isTimedOut, vector.id)
    assert.deepEqual(plan.clusters, Object.keys(want.clusters).toSorted(), vector.id)
    assert.equal(
      plan.recheckAfterMs ?? null,
      want.requeueAfterSeconds === null ? null : want.requeueAfterSeconds * 1000,
      vector.id,
    )
    assert.equal(plan.counts.updating + plan.counts.succeeded, want.desiredClusterCount, vector.id)
    assert.deepEqual(plan.counts, countsOf(want.summary), vector.id)
    assert.equal(describeRollout(plan.counts, 'AWSServiceAccountRole children'), want.summary.message, vector.id)
    for (const [index, ref] of vector.expect.refs.entries()) {
      const own: PlacementPlan | undefined = plan.placements[index]
      assert.ok(own !== undefined && ref.summary !== undefined, vector.id)
      assert.equal(own.availableDecisionGroups, ref.availableDecisionGroups, `${vector.id} ${ref.name}`)
      assert.deepEqual(own.counts, countsOf(ref.summary), `${vector.id} ${ref.name}`)
      assert.equal(describeRollout(own.counts, 'AWSServiceAccountRole children'), ref.summary.message, `${vector.id} ${ref.name}`)
    }
  }
  assert.ok(sets > 190, `${sets} sets`)
})
