import { holdsUnderFaults, seedHolds } from './run-sim.fixture.ts'

holdsUnderFaults(
  'bindings that make their roles in AWS themselves hold their invariants, whatever AWS answers, and whoever meddles with it [B2, B13, B23, B30]',
  { controller: 'identity-direct', seconds: 10, least: 12, singles: 8 },
)

seedHolds('a binding whose role and policy were missed at different looks is let go of [L1]', 'identity-direct', 9400062)
