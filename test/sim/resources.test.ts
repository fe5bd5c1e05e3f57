import { holdsUnderFaults, seedHolds } from './run-sim.fixture.ts'

holdsUnderFaults(
  'B1, B2, B13, B19, B23, B30: roles, policies, providers and associations hold their invariants, whatever AWS answers, and whoever meddles with them',
  { controller: 'resources-iam', seconds: 10, least: 20, singles: 12 },
)

holdsUnderFaults(
  'B1, B2, B13, B19, B30: buckets, zones, records and certificates hold their invariants, whatever AWS answers, and whoever meddles with them',
  { controller: 'resources-data', seconds: 10, least: 20, singles: 12 },
)

seedHolds('L1: a policy that is deleted while a role has it says so, and goes when it is taken off', 'resources-iam', 261)
