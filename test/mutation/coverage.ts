// Which places of the sources one test file runs: it runs once by itself under V8's coverage, which counts by blocks. Types are stripped
// into blanks when a source is loaded, so that places in what runs are places in what was written.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { runTests } from './run-tests.ts'

/** Start, end and 1 if it ran, again and again. */
type Ranges = readonly number[]

export interface Coverage {
  readonly ms: number
  /** By path from the root, of all files that were loaded; only of sources are the ranges held. */
  readonly ranges: Readonly<Record<string, Ranges>>
}

interface Script {
  readonly url: string
  readonly functions: readonly {
    readonly ranges: readonly { readonly startOffset: number; readonly endOffset: number; readonly count: number }[]
  }[]
}

/** What a test says that fails before anything is broken, and so can prove nothing. */
export interface Failure {
  readonly fails: string
}

export async function coverageOf(root: string, test: string): Promise<Coverage | Failure> {
  const folder = mkdtempSync(join(tmpdir(), 'vouch-coverage-'))
  const started = performance.now()
  try {
    const file = join(folder, 'coverage.json')
    // Of a function that was compiled in an earlier run V8 counts no blocks, but that it was called.
    const env = { VOUCH_COVERAGE: file, NODE_DISABLE_COMPILE_CACHE: '1' }
    const first = join(import.meta.dirname, 'cover.ts')
    const { code, output } = await runTests([join(root, test)], { env, first, limitMs: 600_000 })
    if (code !== 0) return { fails: output.slice(-2_000) }
    const { result } = JSON.parse(readFileSync(file, 'utf8')) as { readonly result: readonly Script[] }
    return { ms: Math.round(performance.now() - started), ranges: rangesIn(root, result) }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function rangesIn(root: string, scripts: readonly Script[]): Readonly<Record<string, Ranges>> {
  const top = `${pathToFileURL(root).href}/`
  const found: Record<string, Ranges> = {}
  for (const { url, functions } of scripts) {
    const path = decodeURI(url.slice(top.length))
    if (!url.startsWith(top) || path.startsWith('node_modules/')) continue
    const ranges = functions.flatMap(each => each.ranges)
    const flat = path.endsWith('.test.ts')
      ? []
      : ranges.flatMap(({ startOffset, endOffset, count }) => [startOffset, endOffset, Math.min(1, count)])
    found[path] = [...(found[path] ?? []), ...flat]
  }
  return found
}

/** The smallest range around a place says whether it ran. */
export function isRun({ ranges }: Coverage, file: string, offset: number): boolean {
  const all = ranges[file] ?? []
  let [ran, length] = [false, Number.POSITIVE_INFINITY]
  for (let at = 0; at < all.length; at += 3) {
    const [start = 0, end = 0, count] = all.slice(at, at + 3)
    if (offset < start || offset >= end || end - start >= length) continue
    ;[ran, length] = [count === 1, end - start]
  }
  return ran
}
