import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestEvent } from 'node:test/reporters'
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
