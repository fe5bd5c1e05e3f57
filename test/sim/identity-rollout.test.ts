import { holdsUnderFaults } from './run-sim.fixture.ts'

const amount = { controller: 'identity-rollout', seconds: 4, least: 7, singles: 0, isRandomOnly: true }
holdsUnderFaults('a rollout over clusters of which some are away holds its invariants under faults', amount)
