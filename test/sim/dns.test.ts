import { holdsUnderFaults } from './run-sim.fixture.ts'

holdsUnderFaults(
  'every ExternalDNS comes to the operand and the credentials that it asks for, whoever meddles, and no stranger is touched [B1-B8, B12, S2, S4]',
  { controller: 'dns', seconds: 8, least: 8, singles: 6 },
)
