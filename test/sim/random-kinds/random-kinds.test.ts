import { holdsUnderFaults } from '../run-sim.fixture.ts'

for (const number of [1, 2])
  holdsUnderFaults(
    `kinds that nobody prepared hold their invariants, whatever AWS answers, and whoever meddles with them (API ${number}) [S27, S1, S6, S26]`,
    { controller: `resources-random-${number}`, seconds: 5, least: 8, singles: 4 },
  )

for (const number of [5, 8])
  holdsUnderFaults(
    `kinds with tags in the forms that services have hold their invariants, and nothing of a stranger's is taken (API ${number}) [S27, S1, S2, S6]`,
    { controller: `resources-tagged-${number}`, seconds: 5, least: 8, singles: 4 },
  )
