import { holdsUnderFaults } from './run-sim.fixture.ts'

const amount = { controller: 'shares', seconds: 10, least: 30, singles: 12 }
holdsUnderFaults('replicas share their work, each claim behind its own lease, while they die, sleep and come back', amount)
