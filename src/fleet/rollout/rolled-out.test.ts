import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type FleetPlan, isRolledOut, type PlacementPlan, type RolloutCounts } from './fleet-plan.ts'

const none: RolloutCounts = { total: 0, updating: 0, succeeded: 0, failed: 0, timedOut: 0 }

type Placed = Partial<RolloutCounts> & Partial<Pick<PlacementPlan, 'isBreached' | 'toleratesFailures'>>

/** A plan of placements that share no cluster, so that their counts add up. */
function planOf(...placed: readonly Placed[]): FleetPlan {
  const placements = placed.map(({ isBreached = false, toleratesFailures = false, ...counts }, index): PlacementPlan => {
    return {
      name: `p${index}`,
      counts: { ...none, ...counts },
      clusters: [],
      availableDecisionGroups: '',
      isBreached,
      toleratesFailures,
    }
  })
  const sumOf = (key: keyof RolloutCounts): number => placements.reduce((sum, { counts }) => sum + counts[key], 0)
  const counts: RolloutCounts = {
    total: sumOf('total'),
    updating: sumOf('updating'),
    succeeded: sumOf('succeeded'),
    failed: sumOf('failed'),
    timedOut: sumOf('timedOut'),
  }
  return { ok: true, counts, placements, clusters: [], rollout: new Set(), timedOut: new Set(), timedOutAt: new Map() }
}

const rows: readonly (readonly [string, readonly Placed[], boolean])[] = [
  ['no cluster is selected', [], false],
  ['no cluster is selected, of a placement that lets some fail', [{ toleratesFailures: true }], false],
  ['all succeeded', [{ total: 3, succeeded: 3 }], true],
  ['one is worked on', [{ total: 3, succeeded: 3, updating: 1 }], false],
  ['one waits', [{ total: 3, succeeded: 2 }], false],
  ['one waits, of a placement that lets some fail', [{ total: 3, succeeded: 2, toleratesFailures: true }], false],
  ['one failed and none may', [{ total: 3, succeeded: 2, failed: 1 }], false],
  ['one failed and that many may', [{ total: 3, succeeded: 2, failed: 1, toleratesFailures: true }], true],
  ['one ran out of time and that many may', [{ total: 3, succeeded: 2, timedOut: 1, toleratesFailures: true }], true],
  ['more failed than may', [{ total: 3, succeeded: 1, failed: 2, toleratesFailures: true, isBreached: true }], false],
  [
    'of two placements the one that lets none fail has one that failed',
    [
      { total: 1, failed: 1, toleratesFailures: true },
      { total: 1, failed: 1 },
    ],
    false,
  ],
]

for (const [what, placed, wanted] of rows)
  test(`the rollout ${wanted ? 'is at its end' : 'goes on'}: ${what} [6.6]`, () =>
    assert.equal(isRolledOut(planOf(...placed)), wanted))
