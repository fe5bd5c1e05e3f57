import { identitySetsSubject } from './identity-sets.ts'
import { holdsUnderFaults, scriptHolds } from './run-sim.fixture.ts'

const amount = { controller: 'identity-sets', seconds: 12, least: 40, singles: 20 }
holdsUnderFaults('rollouts of ReplicaSets hold their invariants under faults: edited, paused, meddled with', amount)

scriptHolds('a clock that is behind the server’s holds no rollout up [W8]', identitySetsSubject, {
  seed: 'seed-12',
  departures: [
    { step: 22, label: 'F14 clock of p0 runs at half the rate' },
    { step: 27, label: 'F26 p0 becomes version 1' },
  ],
})

scriptHolds('the status of a child is told although somebody takes our mark from it meanwhile [S2]', identitySetsSubject, {
  seed: 'seed-900081',
  departures: [
    { step: 127, label: 'timer world' },
    { step: 156, label: 'F18 edit c1/wide {"metadata":{"labels":{"app.kubernetes.io/managed-by":null}}}' },
  ],
})
