import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ProgramCall } from '../seams/seams.ts'
import { ProgramFailure, type ProgramFailureCode, systemPrograms } from './programs.ts'

function run(script: string, more: Partial<ProgramCall> = {}) {
  return systemPrograms.run({
    command: process.execPath,
    args: ['-e', script],
    env: {},
    outputBytesMax: 10_000,
    timeoutMs: 10_000,
    ...more,
  })
}

function fails(work: Promise<unknown>, code: ProgramFailureCode, message: RegExp): Promise<void> {
  return assert.rejects(work, error => {
    assert.ok(error instanceof ProgramFailure, String(error))
    assert.equal(error.code, code)
    assert.match(error.message, message)
    return true
  })
}

test('a program gets its input and its environment, nothing else, and gives outputs and code', async () => {
  const script = `process.stdin.on('data', d => { console.log(d + JSON.stringify(process.env)); console.error('e'); process.exitCode = 3 })`
  const result = await run(script, { input: Buffer.from('in '), env: { A: 'b' } })
  assert.deepEqual([result.code, String(result.stdout), String(result.stderr)], [3, 'in {"A":"b"}\n', 'e\n'])
})

test('a program that talks too much, too long, or not at all is ended [X7]', async () => {
  await fails(run(`for (;;) console.log('x'.repeat(1000))`), 'too-much-output', /more than 10000 bytes/)
  await fails(run('setInterval(() => {}, 1000)', { timeoutMs: 100 }), 'timeout', /not done within 100 ms/)
  await fails(run('setInterval(() => {}, 1000)', { signal: AbortSignal.abort() }), 'aborted', /aborted/)
  await fails(run('process.kill(process.pid, "SIGTERM")'), 'killed', /SIGTERM/)
})

test('a program that is not there is named', async () => {
  await fails(run('', { command: '/no/such/program' }), 'not-found', /cannot run \/no\/such\/program: there is no such program/)
})
