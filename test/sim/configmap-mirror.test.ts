import { configMapMirrorSubject } from './configmap-mirror.ts'
import { holdsUnderFaults, scriptHolds } from './run-sim.fixture.ts'

// As much as fits beside the other tests; `npm run sim` runs more.
const amount = { controller: 'configmap-mirror', seconds: 25, least: 100, singles: 40 }
holdsUnderFaults('the engine and the example operator hold their invariants under faults', amount)

/** Least scripts of failures that were found, each once red. */
const found = [
  {
    what: 'a claim that vanished before its finalizer was on is given no copies',
    schedule: { seed: 'clean', departures: [{ step: 21, label: 'F8 stall of p0 hub GET /api/v1/configmaps?watch' }] },
  },
  {
    what: 'a claim whose copy was made by a call without an answer is not released before the copy is known',
    schedule: {
      seed: 'seed-388',
      departures: [
        { step: 114, label: 'timer world' },
        { step: 116, label: 'timer world' },
        { step: 132, label: 'timer world' },
        { step: 134, label: 'deed delete default/brief' },
        { step: 145, label: 'F4 reply of p0 hub POST /api/v1/namespaces/team-a/configmaps becomes 504' },
      ],
    },
  },
  {
    what: 'a claim that waits for somebody else forgets the bad weather it met before [L6]',
    schedule: {
      seed: 'seed-6',
      departures: [
        { step: 10, label: 'F3 pause p1' },
        { step: 53, label: 'F3 pause p0' },
      ],
    },
  },
]

for (const { what, schedule } of found) scriptHolds(what, configMapMirrorSubject, schedule)
