import assert from 'node:assert/strict'
import { holdsUnderFaults } from './run-sim.fixture.ts'

holdsUnderFaults(
  'under delays and faults no pod is let in silently without the role that was readable, or that was promised [S20]',
  { controller: 'pod-webhook', singles: 30, seeds: 60 },
  output => assert.ok(Number(/S20 (\d+)/.exec(output)?.[1]) > 1_000, 'S20 was looked at too seldom'),
)
