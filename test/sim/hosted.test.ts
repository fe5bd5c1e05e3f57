import { holdsUnderFaults, seedHolds } from './run-sim.fixture.ts'

holdsUnderFaults(
  'hosted control planes get a sidecar that is whole, or none, and their guests never refuse a pod [S-05, S-32, 4.12, B1, B16, S25]',
  { controller: 'hosted', seconds: 5, least: 6, singles: 6 },
)

seedHolds('a control plane whose image is lost for good keeps the certificates of its sidecar', 'hosted', 701_624)
