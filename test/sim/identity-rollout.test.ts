import { holdsUnderFaults } from './run-sim.fixture.ts'

const amount = { controller: 'identity-rollout', seconds: 6, least: 2, singles: 2, seeds: 4 }
holdsUnderFaults('a rollout over clusters of which some are away holds its invariants under faults', amount)
