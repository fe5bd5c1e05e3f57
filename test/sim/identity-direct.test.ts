import { holdsUnderFaults } from './run-sim.fixture.ts'

holdsUnderFaults(
  'B2, B13, B23, B30: bindings that make their roles in AWS themselves hold their invariants, whatever AWS answers, and whoever meddles with it',
  { controller: 'identity-direct', seconds: 10, least: 12, singles: 8 },
)
