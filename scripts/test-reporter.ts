// Reporter of one test process: silent about what passes, whole about what fails, a line for what is skipped, and a tally at the end
// for scripts/test.ts. Diagnostics that tests print (counts, seeds) are shown as they come.
import { relative } from 'node:path'
import type { TestEvent } from 'node:test/reporters'
import { inspect } from 'node:util'
import { leadingCodes } from '../test/house/codes.ts'
import { takeOwner } from '../test/house/owners.ts'

const verbose = process.env['VOUCH_TEST_VERBOSE'] === '1'
const slowMs = 5_000

export default async function* report(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const tally: Counts = { passed: 0, failed: 0, skipped: 0, todo: 0, ranMs: {}, failedIn: {} }
  // A suite ends after its tests, and is of the file that the last of them was of.
  let testFile: string | undefined
  for await (const event of events) {
    if (event.type === 'test:pass' || event.type === 'test:fail') {
      const { name, nesting, file } = event.data
      const owner: string | undefined = isSuite(event.data) ? testFile : takeOwner(name)
      const data = { ...event.data, owner: owner ?? file }
      testFile = nesting === 0 ? undefined : data.owner
      addTime(data, tally.ranMs)
      if (event.type === 'test:pass') yield* pass(data, tally)
      else yield* fail(data, tally)
    }
    if (event.type === 'test:diagnostic' && !isSummary(event.data.message)) yield `  ${event.data.message}\n`
    else if (event.type === 'test:stdout' || event.type === 'test:stderr') yield event.data.message
  }
  yield `@tally ${JSON.stringify(tally)}\n`
}

type Result = Extract<TestEvent, { type: 'test:pass' | 'test:fail' }>['data'] & {
  /** The file that was run; `file` is where the test is declared. */
  readonly owner: string | undefined
}
type Counts = {
  passed: number
  failed: number
  skipped: number
  todo: number
  ranMs: Record<string, number>
  failedIn: Record<string, number>
}

function* pass(data: Result, tally: Counts): Generator<string> {
  if (data.skip !== undefined && data.skip !== false) {
    tally.skipped++
    yield `skipped: ${data.name}${typeof data.skip === 'string' ? ` (${data.skip})` : ''}\n`
    return
  }
  if (isSuite(data)) return
  // Names that are made while tests run (of rows, of settings) are seen by nobody else.
  if (leadingCodes(data.name) !== undefined) {
    tally.failed++
    if (data.owner !== undefined) addFailure(data.owner, tally.failedIn)
    yield `\nFAILED ${data.name}\n  its name begins with the code of a rule: put it behind the words, in brackets\n\n`
    return
  }
  tally.passed++
  const tookMs = data.details.duration_ms
  if (verbose || tookMs > slowMs) yield `ok ${data.name} (${(tookMs / 1000).toFixed(1)} s)\n`
}

function* fail(data: Result, tally: Counts): Generator<string> {
  const error = (data.details as { error?: Error & { cause?: unknown; failureType?: string } }).error
  // A suite fails because a test in it failed, which is told already; it counts only when its own body or hooks broke.
  if (isSuite(data) && error?.failureType === 'subtestsFailed') return
  if (data.todo !== undefined && data.todo !== false) {
    tally.todo++
    return
  }
  tally.failed++
  if (data.owner !== undefined) addFailure(data.owner, tally.failedIn)
  yield `\nFAILED ${data.name}\n  ${data.file ?? ''}${data.line === undefined ? '' : `:${data.line}`}\n`
  yield `${indent(inspect(error?.cause ?? error, { depth: 8 }))}\n\n`
}

function addFailure(file: string, failedIn: Record<string, number>): void {
  const path = relative(process.cwd(), file)
  failedIn[path] = (failedIn[path] ?? 0) + 1
}

/** Of outermost tests only: they hold the others. */
function addTime({ nesting, owner, details }: Result, ranMs: Record<string, number>): void {
  if (nesting > 0 || owner === undefined) return
  const path = relative(process.cwd(), owner)
  ranMs[path] = (ranMs[path] ?? 0) + details.duration_ms
}

function isSuite(data: Pick<Result, 'details'>): boolean {
  return (data.details as { type?: string }).type === 'suite'
}

function isSummary(message: string): boolean {
  return /^(tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) [\d.]+$/.test(message)
}

function indent(text: string): string {
  return text.replaceAll(/^/gm, '    ')
}
