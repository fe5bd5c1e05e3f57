import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { testProcessFlags } from './process-flags.ts'

/** What a process says that runs this test file as all of ours run. */
function run(t: TestContext, source: string): { readonly status: number | null; readonly output: string } {
  const folder = mkdtempSync(join(tmpdir(), 'vouch-promises-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'one.test.mjs')
  writeFileSync(file, `import assert from 'node:assert/strict'\nimport { test } from 'node:test'\n${source}`)
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const args = [...testProcessFlags, '--test', '--test-isolation=none', '--test-force-exit', '--test-reporter=tap', file]
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', env, timeout: 60_000 })
  return { status, output: stdout + stderr }
}

test('no promise is followed to its test, which costs a third of the time of all tests', t => {
  const { status, output } = run(
    t,
    `import { executionAsyncId } from 'node:async_hooks'
test('within', async () => {
  await Promise.resolve()
  const first = executionAsyncId()
  await Promise.resolve()
  assert.equal(executionAsyncId(), first)
})
`,
  )
  assert.equal(status, 0, output)
})

const next = "test('next', () => new Promise(resolve => setTimeout(resolve, 60_000)))"

const uncaught = {
  'a promise of which nobody wants to know': `test('careless', async () => { await null; void Promise.reject(new Error('lost')) })\n${next}`,
  'a timer for which its test waits':
    "test('careless', async () => { await null; await new Promise(() => setTimeout(() => { throw new Error('lost') }, 1)) })",
  'a timer that outlives its test': `test('careless', async () => { await null; setTimeout(() => { throw new Error('lost') }, 1) })\n${next}`,
} satisfies Record<string, string>

for (const [what, source] of Object.entries(uncaught))
  test(`an error that nobody caught ends the process at once, and is told with what ran: ${what}`, t => {
    const { status, output } = run(t, `${source}\n`)
    assert.equal(status, 1, output)
    assert.match(output, /Nobody caught this, while there ran: (?:careless|next)\n[\s\S]*Error: lost/)
  })

test('a Node whose insides are closed or others runs the tests all the same', () => {
  const args = [
    '--disable-warning=ExperimentalWarning',
    '--import',
    join(import.meta.dirname, 'follow-no-promises.ts'),
    '-p',
    '"ran"',
  ]
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  assert.equal(stdout, 'ran\n', stderr)
})
