import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'

/** The least runs on every machine: the clean run and its variants, single faults spread over its trace, pairs of kills. */
const seconds = 6
const least = 10

// In a process of its own: the test runner follows every promise, which makes the simulator four times slower.
test('B28: bindings hold their invariants while their cluster comes, goes, is reached by a second name and cannot be reached', {
  timeout: 400_000,
}, async t => {
  const amount = ['--least', String(least), '--seconds', String(seconds), '--singles', '8', '--seeds', '20000']
  const { code, output } = await runSim(['--controller', 'identity-fleet', ...amount])
  t.diagnostic(output.trimEnd())
  assert.equal(code, 0, output)
  assert.match(output, /failures: 0/)
  const schedules = Number(/: (\d+) schedules/.exec(output)?.[1])
  assert.ok(schedules >= least, `only ${schedules} schedules ran`)
})

test('P6, L1: a write to a cluster that left before it was seen keeps its binding back no longer (seed 9)', {
  timeout: 400_000,
}, async () => {
  const { code, output } = await runSim(['--controller', 'identity-fleet', '--seed', '9'])
  assert.equal(code, 0, output)
  assert.match(output, /all invariants hold/)
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
