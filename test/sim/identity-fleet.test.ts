import { identityFleetSubject } from './identity-fleet.ts'
import { holdsUnderFaults, scriptHolds, seedHolds } from './run-sim.fixture.ts'

holdsUnderFaults(
  'bindings hold their invariants while their cluster comes, goes, is reached by a second name and cannot be reached [B28]',
  { controller: 'identity-fleet', seconds: 6, least: 10, singles: 8 },
)

seedHolds('a write to a cluster that left before it was seen keeps its binding back no longer [P6, L1]', 'identity-fleet', 9)
scriptHolds('rest begins when a cluster that came and went behind a silent watch has been heard of [L2]', identityFleetSubject, {
  seed: 'clean',
  departures: [{ step: 140, label: 'F8 stall of p0 hub GET /apis/multicluster.x-k8s.io/v1alpha1/clusterprofiles?watch' }],
})
