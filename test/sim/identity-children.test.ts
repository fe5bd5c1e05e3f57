import { holdsUnderFaults } from './run-sim.fixture.ts'

holdsUnderFaults(
  'an issuer and a binding whose resources are written down as objects hold their invariants, with whoever makes them, from the first key to the end [B1, B23, B30, S12-S14]',
  { controller: 'identity-children', seconds: 8, least: 6, singles: 4 },
)
