import { identityConfigSubject } from './identity-config.ts'
import { holdsUnderFaults, scriptHolds } from './run-sim.fixture.ts'

holdsUnderFaults(
  'B1, B16, B23, S12-S14: a self-hosted issuer keeps every live token valid from its first key over its rotation to its end, and leaves nothing',
  { controller: 'identity-config', seconds: 8, least: 8, singles: 4 },
)

scriptHolds(
  'W8, S12: a leader whose clock runs fast keeps the old key until the tokens by it have expired',
  identityConfigSubject,
  {
    seed: 'clean',
    departures: [{ step: 480, label: 'F14 clock of p0 runs at twice the rate' }],
  },
)
