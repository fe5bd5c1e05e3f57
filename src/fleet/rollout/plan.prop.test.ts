// A fleet that lives through a rollout: clusters become well, fail, run out of time; strategies and groups are drawn. What the plan
// promises is checked at every look.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { parseAmount, sizeUpTo } from './amount.ts'
import { clustersOf, type DecisionGroup, splitGroups } from './groups.ts'
import { planRollout, type RolloutPlan } from './plan.ts'
import type { ClusterProgress, ProgressState } from './progress.ts'
import type { StrategySpec } from './strategy.ts'
import { fleetInputOf, readVectors } from './vectors.fixture.ts'

const start = Date.parse('2026-11-22T12:00:00Z')

const groupsArbitrary: fc.Arbitrary<readonly DecisionGroup[]> = fc
  .array(fc.integer({ min: 0, max: 5 }), { minLength: 1, maxLength: 4 })
  .map(sizes =>
    sizes.map((size, index) => ({
      name: index % 2 === 0 ? 'even' : 'odd',
      index: index * 2,
      clusters: Array.from({ length: size }, (_, place) => `c${(place * 7 + index) % 10}-${index}`).toSorted(),
    })),
  )

const amount = fc.oneof(
  fc.integer({ min: -1, max: 12 }),
  fc.integer({ min: 0, max: 100 }).map(percent => `${percent}%`),
)
const step = {
  maxFailures: amount,
  minSuccessTime: fc.constantFrom('0', '30s', '5m'),
  progressDeadline: fc.constantFrom('None', '2m', '10m'),
}
const mandatoryDecisionGroups = fc.array(
  fc.oneof(
    fc.record({ groupName: fc.constantFrom('even', 'odd', 'none') }),
    fc.record({ groupIndex: fc.integer({ min: 0, max: 7 }) }),
  ),
  { maxLength: 2 },
)
const strategyArbitrary: fc.Arbitrary<StrategySpec> = fc.oneof(
  fc.record({ type: fc.constant('All'), all: fc.record(step, { requiredKeys: [] }) }),
  fc.record({
    type: fc.constant('Progressive'),
    progressive: fc.record({ ...step, maxConcurrency: amount, mandatoryDecisionGroups }, { requiredKeys: [] }),
  }),
  fc.record({
    type: fc.constant('ProgressivePerGroup'),
    progressivePerGroup: fc.record({ ...step, mandatoryDecisionGroups }, { requiredKeys: [] }),
  }),
)

/** What happens to the clusters between two looks, by dice. */
const dice = fc.array(
  fc.record({
    seconds: fc.integer({ min: 1, max: 400 }),
    rolls: fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 8, maxLength: 8 }),
  }),
  {
    minLength: 1,
    maxLength: 40,
  },
)

interface Life {
  readonly states: Map<string, ClusterProgress>
  now: number
}

function planOf(life: Life, groups: readonly DecisionGroup[], strategy: StrategySpec): RolloutPlan {
  const plan = planRollout({ groups, statuses: [...life.states.values()], strategy, now: life.now })
  assert.ok(plan.ok, JSON.stringify(plan))
  return plan
}

/** What the plan says is done: what was to apply is applied now. */
function apply(life: Life, plan: RolloutPlan): readonly string[] {
  const begun = plan.rollout.filter(({ state }) => state === 'ToApply').map(({ cluster }) => cluster)
  for (const cluster of begun) life.states.set(cluster, { cluster, state: 'Progressing', since: life.now })
  return begun
}

function live(life: Life, rolls: readonly number[], failing: boolean): void {
  let at = 0
  for (const { cluster, state, since } of life.states.values()) {
    if (state !== 'Progressing' && state !== 'Failed') continue
    const roll = rolls[at++ % rolls.length] ?? 0
    const next: ProgressState | undefined = roll < 4 ? 'Succeeded' : failing && roll === 9 ? 'Failed' : undefined
    if (next !== undefined && next !== state) life.states.set(cluster, { cluster, state: next, since: life.now })
    else if (since === undefined) life.states.set(cluster, { cluster, state, since: life.now })
  }
}

function fresh(groups: readonly DecisionGroup[]): Life {
  return { now: start, states: new Map(clustersOf(groups).map(cluster => [cluster, { cluster, state: 'ToApply' }])) }
}

/** How many may be in flight at once beside mandatory groups; nothing bounds All and a group. */
function windowOf(groups: readonly DecisionGroup[], { type, progressive }: StrategySpec): number | undefined {
  if (type !== 'Progressive') return undefined
  const rest = clustersOf(splitGroups(groups, progressive?.mandatoryDecisionGroups ?? []).rest)
  const concurrency = progressive?.maxConcurrency === undefined ? undefined : parseAmount(progressive.maxConcurrency, '')
  if (concurrency?.kind === 'wrong') return undefined
  return sizeUpTo(concurrency, rest.length, rest.length)
}

test('never more in flight than the strategy says, nothing begun after a breach, nothing begun is forgotten', () => {
  fc.assert(
    fc.property(groupsArbitrary, strategyArbitrary, dice, (groups, strategy, days) => {
      const life = fresh(groups)
      const window = windowOf(groups, strategy)
      const mandatory = new Set(clustersOf(splitGroups(groups, strategy.progressive?.mandatoryDecisionGroups ?? []).mandatory))
      for (const { seconds, rolls } of days) {
        const plan = planOf(life, groups, strategy)
        const again = planOf({ now: life.now, states: new Map([...life.states].toReversed()) }, groups, strategy)
        assert.deepEqual(again, plan, 'the same statuses in another order are the same plan')
        const listed = new Set([...plan.rollout, ...plan.timedOut].map(({ cluster }) => cluster))
        for (const { cluster, state } of life.states.values()) {
          if (state === 'Progressing' || state === 'Failed') assert.ok(listed.has(cluster), `${cluster} was begun`)
        }
        const begun = apply(life, plan)
        if (plan.isBreached) assert.deepEqual(begun, [])
        const inFlight = plan.rollout.filter(({ cluster }) => !mandatory.has(cluster))
        if (window !== undefined && begun.some(cluster => !mandatory.has(cluster))) {
          assert.ok(inFlight.length <= window, `${inFlight.length} in flight, ${window} may be`)
        }
        life.now += seconds * 1000
        live(life, rolls, true)
      }
    }),
    { seed: 20261122, numRuns: 600 },
  )
})

/** Another template: what stood there well is well until its turn comes, and what did not is down. */
function edit(life: Life): void {
  for (const { cluster, state, isDown = false } of life.states.values()) {
    const isUnwell = state === 'ToApply' ? isDown : state !== 'Succeeded'
    life.states.set(cluster, { cluster, state: 'ToApply', isDown: isUnwell })
  }
}

test('edited in the middle, again and again: nothing that is well is begun while as many as may be out are out', () => {
  fc.assert(
    fc.property(groupsArbitrary, strategyArbitrary, dice, (groups, strategy, days) => {
      // What is mandatory goes first, whatever is out behind it.
      const { rest } = splitGroups(groups, strategy.progressive?.mandatoryDecisionGroups ?? [])
      const window = windowOf(groups, strategy)
      if (window === undefined) return
      const life = fresh(rest)
      for (const { seconds, rolls } of days) {
        if (rolls[0] === 0) edit(life)
        const plan = planOf(life, rest, strategy)
        const begun = plan.rollout.filter(({ state }) => state === 'ToApply')
        const down = [...life.states.values()].filter(({ isDown }) => isDown === true)
        const out = new Set([...plan.rollout, ...down].map(({ cluster }) => cluster))
        if (begun.some(({ isDown }) => isDown !== true)) assert.ok(out.size <= window, `${out.size} are out, ${window} may be`)
        apply(life, plan)
        life.now += seconds * 1000
        live(life, rolls, true)
      }
    }),
    { seed: 20261128, numRuns: 600 },
  )
})

test('a rollout in which nothing fails reaches every cluster, whatever the strategy', () => {
  fc.assert(
    fc.property(groupsArbitrary, strategyArbitrary, (groups, strategy) => {
      const life = fresh(groups)
      for (let look = 0; look < 200; look++) {
        apply(life, planOf(life, groups, strategy))
        life.now += 60_000
        for (const { cluster, state } of life.states.values()) {
          if (state === 'Progressing') life.states.set(cluster, { cluster, state: 'Succeeded', since: life.now })
        }
      }
      const left = [...life.states.values()].filter(({ state }) => state !== 'Succeeded')
      assert.deepEqual(left, [])
      assert.deepEqual(planOf(life, groups, strategy).rollout, [])
    }),
    { seed: 20261122, numRuns: 300 },
  )
})

test('our rules keep their promises on every recorded input too', {
  skip:
    readVectors() === undefined
      ? 'the recorded answers are not beside this checkout (../shared/vectors/ocm-rollouts.json)'
      : false,
}, () => {
  for (const vector of readVectors() ?? []) {
    const { placements, progressOf, now } = fleetInputOf(vector)
    for (const { groups, strategy = {} } of placements) {
      const statuses = clustersOf(groups).map(progressOf)
      const plan = planRollout({ groups, statuses, strategy, now })
      if (!plan.ok) continue
      const begun = plan.rollout.filter(({ state }) => state === 'ToApply')
      if (plan.isBreached) assert.deepEqual(begun, [], vector.id)
      const window = windowOf(groups, strategy)
      const { mandatory } = splitGroups(groups, strategy.progressive?.mandatoryDecisionGroups ?? [])
      const first = new Set(clustersOf(mandatory))
      if (window !== undefined && begun.some(({ cluster }) => !first.has(cluster))) {
        assert.ok(plan.rollout.filter(({ cluster }) => !first.has(cluster)).length <= window, vector.id)
      }
    }
  }
})
