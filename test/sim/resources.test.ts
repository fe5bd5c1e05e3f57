import { holdsUnderFaults, seedHolds } from './run-sim.fixture.ts'

holdsUnderFaults(
  'roles, policies, providers and associations hold their invariants, whatever AWS answers, and whoever meddles with them [B1, B2, B13, B19, B23, B30]',
  { controller: 'resources-iam', seconds: 10, least: 20, singles: 12 },
)

holdsUnderFaults(
  'buckets, zones, records and certificates hold their invariants, whatever AWS answers, and whoever meddles with them [B1, B2, B13, B19, B30]',
  { controller: 'resources-data', seconds: 10, least: 20, singles: 12 },
)

seedHolds('a policy that is deleted while a role has it says so, and goes when it is taken off [L1]', 'resources-iam', 261)

seedHolds('how many roles have a policy is told at its next look, before which nothing rests [L2]', 'resources-iam', 9400158)

holdsUnderFaults('what an AdoptedResource asked for is made once, whatever the API server and AWS answer [6.13, B1]', {
  controller: 'resources-adopted',
  seconds: 5,
  least: 10,
  singles: 6,
})
