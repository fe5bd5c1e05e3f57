// Inputs that nobody recorded: the planner by the library's rules beside a second reading of the specification that shares no line with it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { given } from '#base'
import { planFleet } from './fleet-plan.ts'
import type { ClusterProgress } from './progress.ts'
import { type DrawnRef, type DrawnStatus, readAgain, type SecondReading } from './second-reading.fixture.ts'
import type { StrategySpec } from './strategy.ts'
import { groupsOf } from './vectors.fixture.ts'

const now = Date.parse('2026-11-22T12:00:00Z')
/** Of which some sort otherwise by bytes than by numbers (6.8 item 12). */
const names = ['a', 'a-b', 'a1', 'a10', 'a2', 'b', 'c', 'd', 'e', 'f0', 'f1', 'zz']

/** At the limits, around them, and ahead of the clock. */
const ages = [0, 1, 89, 90, 100, 299, 300, 301, 599, 600, 700, 3_600, -60, -700]
const status = fc.record({
  state: fc.constantFrom('ToApply', 'Progressing', 'Succeeded', 'Succeeded', 'Failed'),
  age: fc.option(fc.constantFrom(...ages), { nil: undefined }),
})
const statusesArbitrary = fc.array(status, { minLength: names.length, maxLength: names.length }).map(
  drawn =>
    new Map(
      names.map((cluster, index): [string, DrawnStatus] => {
        const { state = 'ToApply', age } = drawn[index] ?? {}
        const since = age === undefined || state === 'ToApply' ? undefined : now - age * 1_000
        return [cluster, { cluster, state: state as DrawnStatus['state'], ...given({ since }) }]
      }),
    ),
)

const percents = [0, 1, 7, 10, 28, 33, 50, 56, 99, 100].map(percent => `${percent}%`)
const amount = fc.oneof(
  { weight: 20, arbitrary: fc.oneof(fc.integer({ min: -1, max: 14 }), fc.constantFrom(...percents)) },
  { weight: 1, arbitrary: fc.constant('5') },
)
const deadline = fc.oneof(
  { weight: 20, arbitrary: fc.constantFrom('', 'None', '10m', '90s', '1h', '1h30m', '1m0.5s', '007m', '0s', '10ms') },
  { weight: 1, arbitrary: fc.constantFrom('10mfoo', '5|', '5mNone', '9999999h', '0') },
)
const groupNames = ['', 'x', 'y']
const step = {
  maxFailures: amount,
  minSuccessTime: fc.constantFrom('0', '0s', '5m', '1h', '90s', '-5s'),
  progressDeadline: deadline,
}
const mandatoryDecisionGroups = fc.array(
  fc.record({ groupName: fc.constantFrom('x', 'y', 'none'), groupIndex: fc.integer({ min: 0, max: 4 }) }, { requiredKeys: [] }),
  { minLength: 1, maxLength: 2 },
)
const optional = { requiredKeys: [] }
const strategyArbitrary: fc.Arbitrary<StrategySpec> = fc.oneof(
  fc.record({ type: fc.constant('All'), all: fc.record(step, optional) }),
  fc.record({
    type: fc.constant('Progressive'),
    progressive: fc.record({ ...step, maxConcurrency: amount, mandatoryDecisionGroups }, optional),
  }),
  fc.record({
    type: fc.constant('ProgressivePerGroup'),
    progressivePerGroup: fc.record({ ...step, mandatoryDecisionGroups }, optional),
  }),
)

/** Each cluster in at most one group, and indexes with gaps and without. */
const groupsArbitrary = fc
  .record({
    indexes: fc.constantFrom([0, 1, 2, 3], [0, 1, 2, 3], [0, 2, 3, 5], [1, 2, 3, 4], [0, 1, 3, 9]),
    count: fc.integer({ min: 0, max: 4 }),
    labels: fc.array(fc.constantFrom(...groupNames), { minLength: 4, maxLength: 4 }),
    places: fc.array(fc.integer({ min: -2, max: 3 }), { minLength: names.length, maxLength: names.length }),
  })
  .map(({ indexes, count, labels, places }) =>
    indexes.slice(0, count).map((groupIndex, at) => ({
      groupIndex,
      groupName: labels[at] ?? '',
      clusters: names.filter((_, place) => places[place] === at),
    })),
  )

const refsArbitrary: fc.Arbitrary<readonly DrawnRef[]> = fc.array(
  fc.record({ groups: groupsArbitrary, strategy: strategyArbitrary }, { requiredKeys: ['groups'] }),
  { minLength: 1, maxLength: 3 },
)

function planned(refs: readonly DrawnRef[], statuses: ReadonlyMap<string, DrawnStatus>): SecondReading | undefined {
  const plan = planFleet({
    now,
    rules: 'ocm',
    progressOf: (cluster): ClusterProgress => statuses.get(cluster) ?? { cluster, state: 'ToApply' },
    placements: refs.map(({ groups, strategy }, index) => ({ name: `p${index}`, strategy, groups: groupsOf(groups) })),
  })
  if (!plan.ok) return undefined
  const { rollout, clusters, counts, placements, recheckAfterMs } = plan
  return {
    rollout: [...rollout].toSorted(),
    clusters,
    counts,
    refs: placements.map(one => one.counts),
    recheckMs: recheckAfterMs,
  }
}

test('what was never recorded is planned as a second reading of the specification has it [6.5-6.8]', () => {
  let plans = 0
  fc.assert(
    fc.property(refsArbitrary, statusesArbitrary, (refs, statuses) => {
      const again = readAgain(refs, { now, statuses })
      assert.deepEqual(planned(refs, statuses), again)
      if (again !== undefined && again.rollout.length > 0) plans++
    }),
    { seed: 20261128, numRuns: 3_000 },
  )
  assert.ok(plans > 1_000, `${plans} of them had something to do`)
})
