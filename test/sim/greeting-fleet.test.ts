import { greetingFleetSubject } from './greeting-fleet.ts'
import { holdsUnderFaults, scriptHolds } from './run-sim.fixture.ts'

const amount = { controller: 'greeting-fleet', seconds: 10, least: 40, singles: 16 }
holdsUnderFaults('a fleet holds its invariants while its targets fail, go away and come back', amount)

scriptHolds('a look in the second in which a stream of a target is opened again tells of no outage [L2]', greetingFleetSubject, {
  seed: 'seed-15',
  departures: [
    { step: 53, label: 'F7 500 for p0 west POST /api/v1/namespaces/default/configmaps' },
    { step: 73, label: 'F9 reset of p1 east GET /api/v1/configmaps?watch' },
    { step: 80, label: 'F5 422 for p0 east POST /api/v1/namespaces/default/configmaps' },
    { step: 113, label: 'F14 clock of p1 runs at twice the rate' },
    { step: 160, label: 'F9 half a line of p1 west GET /api/v1/configmaps?watch' },
    { step: 201, label: 'F7 503 for p0 hub PATCH /apis/test.example.com/v1/namespaces/default/greetings/brief' },
    { step: 203, label: 'F1 kill p1' },
    { step: 210, label: 'F1 kill p0' },
  ],
})
