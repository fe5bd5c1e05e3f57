import { identityConfigSubject } from './identity-config.ts'
import { holdsUnderFaults, scriptHolds, seedHolds } from './run-sim.fixture.ts'

holdsUnderFaults(
  'a self-hosted issuer keeps every live token valid from its first key over its rotation to its end, and leaves nothing [B1, B16, B23, S12-S14]',
  { controller: 'identity-config', seconds: 8, least: 8, singles: 4 },
)

scriptHolds(
  'a leader whose clock runs fast keeps the old key until the tokens by it have expired [W8, S12]',
  identityConfigSubject,
  {
    seed: 'clean',
    departures: [{ step: 480, label: 'F14 clock of p0 runs at twice the rate' }],
  },
)

seedHolds('a replica whose clock runs at twice the rate may look twice as often at rest [L2]', 'identity-config', 9_100_101)
