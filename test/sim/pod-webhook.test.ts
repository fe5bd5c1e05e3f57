import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'

// In a process of its own: the test runner follows every promise, which makes the simulator four times slower.
test('S20: under delays and faults no pod is let in silently without the role that was readable, or that was promised', async t => {
  const { code, output } = await simulate(['--controller', 'pod-webhook', '--singles', '30', '--seeds', '60'])
  t.diagnostic(output.trimEnd())
  assert.equal(code, 0, output)
  assert.match(output, /failures: 0/)
  assert.ok(Number(/S20 (\d+)/.exec(output)?.[1]) > 1_000, 'S20 was looked at too seldom')
})

function simulate(args: readonly string[]): Promise<{ code: number | null; output: string }> {
  const script = join(import.meta.dirname, '..', '..', 'scripts', 'sim.ts')
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', script, ...args])
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
  return new Promise(resolve => child.on('close', code => resolve({ code, output })))
}
