// A hostile tenant may make, change and delete any object in his namespace, with any metadata. Each of these found, on the code of the day
// before, what it holds against now: a bucket that was emptied for whoever named it, a key that was published for whoever wrote it.
import assert from 'node:assert/strict'
import { holdsUnderFaults } from './run-sim.fixture.ts'

const tried = (output: string): void => {
  assert.match(output, /F27 [1-9]/)
  assert.match(output, /S25 [1-9]/)
}

holdsUnderFaults(
  'whatever a hostile tenant makes, forges and deletes, no resource and no Secret of another changes or is read [S25]',
  { controller: 'tenant-resources', seconds: 5, least: 8, singles: 8 },
  tried,
)

holdsUnderFaults(
  'no key is published that is not ours, and no role of a binding changes, whatever a hostile tenant exports and forges [S24, S25]',
  { controller: 'tenant-children', seconds: 5, least: 6, singles: 6 },
  output => {
    tried(output)
    assert.match(output, /S24 [1-9]/)
  },
)

holdsUnderFaults(
  'the same where identity calls AWS by itself [S24, S25]',
  { controller: 'tenant-direct', seconds: 5, least: 6, singles: 6 },
  tried,
)

holdsUnderFaults(
  'no pod is given a role of a stranger, and no pod of the stranger one of another, whatever he calls his accounts and pods [S25]',
  { controller: 'tenant-pods', seconds: 5, least: 40, singles: 60 },
  tried,
)
