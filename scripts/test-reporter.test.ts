import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestEvent } from 'node:test/reporters'
import report from './test-reporter.ts'

/** What is printed of one test or suite that passed, or that was not run. */
async function printed(data: object): Promise<readonly string[]> {
  const whole = { nesting: 0, testNumber: 1, ...data }
  const events = (async function* () {
    yield { type: 'test:pass', data: whole } as unknown as TestEvent
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
