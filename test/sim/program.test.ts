// What whoever runs `npm run sim` sees, by the quickest of the controllers.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { runIn, type Told } from '../e2e/vouch-process.ts'

const top = join(import.meta.dirname, '../..')

function sim(...args: readonly string[]): Promise<Told> {
  const program = ['--disable-warning=ExperimentalWarning', 'scripts/sim.ts', '--controller', 'configmap-mirror']
  return runIn(top, process.execPath, [...program, ...args], {})
}

test('a search tells its figures, and ends well where it found nothing', async () => {
  const { code, stdout, stderr } = await sim('--first', '7', '--seeds', '2', '--random-only', '--threads', '1')
  assert.deepEqual([code, stderr], [0, ''])
  assert.match(stdout, /^sim configmap-mirror: \d+ schedules \(0 single faults, 0 pairs of kills, 2 random\), \d+ steps in /)
  assert.match(stdout, /\n {2}invariants checked: S1 \d+, .*\n {2}failures: 0\n$/)
})

test('a seed is run again with its departures, and a script with no others', async () => {
  const seeded = await sim('--seed', '7')
  assert.equal(seeded.code, 0, seeded.stderr)
  const [, listed = ''] = /\ndepartures: (.*)\nall invariants hold\n$/.exec(seeded.stdout) ?? []
  const departures = JSON.parse(listed) as readonly object[]
  assert.ok(departures.length > 1)
  const script = JSON.stringify(departures.slice(0, 1))
  const { code, stdout, stderr } = await sim('--trace', '--script', script)
  assert.equal(code, 0, stderr)
  assert.match(stdout, /^ {4}0 .*\n {4}1 /)
  assert.ok(stdout.endsWith(`\ndepartures: ${script}\nall invariants hold\n`), stdout.slice(-300))
})
