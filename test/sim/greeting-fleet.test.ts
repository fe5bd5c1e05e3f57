import { holdsUnderFaults } from './run-sim.fixture.ts'

const amount = { controller: 'greeting-fleet', seconds: 10, least: 40, singles: 16 }
holdsUnderFaults('a fleet holds its invariants while its targets fail, go away and come back', amount)
