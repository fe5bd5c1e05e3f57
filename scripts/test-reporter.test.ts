import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { test } from 'node:test'
import type { TestEvent } from 'node:test/reporters'
import { testProcessFlags } from '../test/house/process-flags.ts'
import report from './test-reporter.ts'

/** What is printed of one test or suite: one that passed, or was not run, when nothing else is said. */
async function printed(data: object, type = 'test:pass'): Promise<readonly string[]> {
  const whole = { nesting: 0, testNumber: 1, ...data }
  const events = (async function* () {
    yield { type, data: whole } as unknown as TestEvent
  })()
  const lines: string[] = []
  for await (const line of report(events)) lines.push(line)
  return lines
}

test('what is skipped is told with its reason and counted, a whole suite too', async () => {
  for (const type of ['test', 'suite']) {
    const [line, tally] = await printed({ name: 'helm', skip: 'Go is not installed', details: { duration_ms: 1, type } })
    assert.equal(line, 'skipped: helm (Go is not installed)\n', type)
    assert.match(tally ?? '', /"passed":0,"failed":0,"skipped":1/)
  }
})

test('a suite that passed is not counted besides its tests', async () => {
  const lines = await printed({ name: 'helm', details: { duration_ms: 1, type: 'suite' } })
  assert.equal(lines.length, 1)
  assert.match(lines[0] ?? '', /"passed":0,"failed":0,"skipped":0/)
})

test('a failure is counted for its file', async () => {
  const data = {
    name: 'helm',
    file: `${process.cwd()}/test/real/helm.real.test.ts`,
    line: 3,
    details: { duration_ms: 1, error: new Error('no') },
  }
  const tally = (await printed(data, 'test:fail')).at(-1) ?? ''
  assert.match(tally, /"failed":1/)
  assert.match(tally, /"failedIn":\{"test\/real\/helm\.real\.test\.ts":1\}/)
})

const shared = `import { describe, test } from 'node:test'
const fail = () => { throw new Error('no') }
export const declare = name => {
  test('alone in ' + name, fail)
  describe('together in ' + name, () => test('within', fail))
}
`

test('what a fixture declares counts for the file that was run: its time, and its failures, which are looked at again', t => {
  const folder = mkdtempSync(join(tmpdir(), 'vouch-reporter-'))
  t.after(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'shared.mjs'), shared)
  const files = ['one', 'two'].map(name => join(folder, `${name}.test.mjs`))
  for (const file of files) writeFileSync(file, `import { declare } from './shared.mjs'\ndeclare('${basename(file)}')\n`)
  const reporter = join(import.meta.dirname, 'test-reporter.ts')
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const { stdout } = spawnSync(
    process.execPath,
    [...testProcessFlags, '--test', '--test-isolation=none', '--test-force-exit', `--test-reporter=${reporter}`, ...files],
    { encoding: 'utf8', env },
  )
  const tally = JSON.parse(/^@tally (.*)$/m.exec(stdout)?.[1] ?? '{}') as Record<'failedIn' | 'ranMs', Record<string, number>>
  const byName = (counts: Readonly<Record<string, number>>): object =>
    Object.fromEntries(Object.entries(counts).map(([file, count]) => [basename(file), count]))
  assert.deepEqual(byName(tally.failedIn), { 'one.test.mjs': 2, 'two.test.mjs': 2 })
  assert.deepEqual(Object.keys(byName(tally.ranMs)), ['one.test.mjs', 'two.test.mjs'])
})
