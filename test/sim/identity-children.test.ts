import { holdsUnderFaults } from './run-sim.fixture.ts'

holdsUnderFaults(
  'B1, B23, B30, S12-S14: an issuer and a binding whose resources are written down as objects hold their invariants, with whoever makes them, from the first key to the end',
  { controller: 'identity-children', seconds: 8, least: 6, singles: 4 },
)
