// Which test files run a given place of a source: each runs once by itself under V8's coverage, which counts by blocks. Types are stripped
// into blanks when a source is loaded, so that places in what runs are places in what was written.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { runTests } from './run-tests.ts'

interface Range {
  readonly startOffset: number
  readonly endOffset: number
  readonly count: number
}
interface Script {
  readonly url: string
  readonly functions: readonly { readonly ranges: readonly Range[] }[]
}

export interface Reach {
  /** The test files that run this place, quick ones first. */
  of(file: string, offset: number): readonly string[]
  /** How long they take together when all is well. */
  msOf(tests: readonly string[]): number
}

/** Throws when a test fails before anything is broken: then nothing could be proved. */
export async function reachOf(tests: readonly string[], processes: number): Promise<Reach> {
  const covered = new Map<string, { readonly ranges: ReadonlyMap<string, readonly Range[]>; readonly ms: number }>()
  const waiting = [...tests]
  const work = async (): Promise<void> => {
    for (let test = waiting.shift(); test !== undefined; test = waiting.shift()) covered.set(test, await coverageOf(test))
  }
  await Promise.all(Array.from({ length: processes }, work))
  const msOf = (test: string): number => covered.get(test)?.ms ?? 0
  return {
    of: (file, offset) => {
      const url = pathToFileURL(file).href
      return [...covered]
        .filter(([, { ranges }]) => isRun(ranges.get(url) ?? [], offset))
        .map(([test]) => test)
        .toSorted((a, b) => msOf(a) - msOf(b))
    },
    msOf: some => some.reduce((sum, test) => sum + msOf(test), 0),
  }
}

async function coverageOf(
  test: string,
): Promise<{ readonly ranges: ReadonlyMap<string, readonly Range[]>; readonly ms: number }> {
  const folder = mkdtempSync(join(tmpdir(), 'vouch-coverage-'))
  const started = performance.now()
  try {
    const file = join(folder, 'coverage.json')
    const first = join(import.meta.dirname, 'cover.ts')
    const { code, output } = await runTests([test], { env: { VOUCH_COVERAGE: file }, first, limitMs: 600_000 })
    if (code !== 0) throw new Error(`${test} fails before anything is broken:\n${output.slice(-2_000)}`)
    const ranges = new Map<string, readonly Range[]>()
    const { result } = JSON.parse(readFileSync(file, 'utf8')) as { readonly result: readonly Script[] }
    for (const { url, functions } of result)
      ranges.set(url, [...(ranges.get(url) ?? []), ...functions.flatMap(each => each.ranges)])
    return { ranges, ms: performance.now() - started }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The smallest range around a place says how often it ran. */
function isRun(ranges: readonly Range[], offset: number): boolean {
  let smallest: Range | undefined
  for (const range of ranges) {
    if (offset < range.startOffset || offset >= range.endOffset) continue
    if (smallest === undefined || range.endOffset - range.startOffset < smallest.endOffset - smallest.startOffset)
      smallest = range
  }
  return smallest !== undefined && smallest.count > 0
}
