import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { replay } from '#simulator'
import { configMapMirrorSubject } from './configmap-mirror.ts'

/**
 * As much of the small level of reliability.md §7 as fits beside the other tests; `npm run sim` runs more. The least runs on every machine,
 * however busy: the clean run and its variants, 40 single faults, and the first pairs of kills and random seeds in turns.
 */
const seconds = 25
const least = 100

// In a process of its own: the test runner follows every promise, which makes the simulator four times slower.
test('the engine and the example operator hold their invariants under faults', { timeout: 400_000 }, async t => {
  const amount = ['--least', String(least), '--seconds', String(seconds), '--singles', '40', '--seeds', '20000']
  const args = ['--controller', 'configmap-mirror', ...amount]
  const { code, output } = await runSim(args)
  t.diagnostic(output.trimEnd())
  assert.equal(code, 0, output)
  assert.match(output, /failures: 0/)
  const schedules = Number(/: (\d+) schedules/.exec(output)?.[1])
  assert.ok(schedules >= least, `only ${schedules} schedules ran`)
})

function runSim(args: readonly string[]): Promise<{ code: number | null; output: string }> {
  const script = join(import.meta.dirname, '..', '..', 'scripts', 'sim.ts')
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', script, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
  return new Promise(resolve => child.on('close', code => resolve({ code, output })))
}

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
    what: 'L6: a claim that waits for somebody else forgets the bad weather it met before',
    schedule: {
      seed: 'seed-6',
      departures: [
        { step: 10, label: 'F3 pause p1' },
        { step: 53, label: 'F3 pause p0' },
      ],
    },
  },
]

for (const { what, schedule } of found) {
  test(`found by simulation: ${what}`, async () => {
    const result = await replay(configMapMirrorSubject, { faults: ['F3', 'F4', 'F8'], ...schedule })
    assert.deepEqual(result.departures, schedule.departures, 'the script is still on offer')
    assert.equal(result.violation, undefined)
  })
}
