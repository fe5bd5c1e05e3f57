import { holdsUnderFaults } from './run-sim.fixture.ts'

const amount = { controller: 'identity-roles', seconds: 12, least: 40, singles: 20 }
holdsUnderFaults('bindings hold their invariants under faults: created, changed, deleted, and meddled with', amount)
