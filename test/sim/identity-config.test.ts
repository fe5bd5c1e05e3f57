import { holdsUnderFaults } from './run-sim.fixture.ts'

holdsUnderFaults(
  'B1, B16, B23, S12-S14: a self-hosted issuer keeps every live token valid from its first key over its rotation to its end, and leaves nothing',
  { controller: 'identity-config', seconds: 8, least: 8, singles: 4 },
)
