// Test files in a process of their own, as `npm test` runs them, until the first that fails, with a limit of time.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { testProcessFlags } from '../house/process-flags.ts'

const root = join(import.meta.dirname, '..', '..')
const reporter = pathToFileURL(join(import.meta.dirname, 'first-failure.ts')).href

export interface RunOptions {
  readonly env: Readonly<Record<string, string>>
  readonly limitMs: number
  /** Loaded before everything else. */
  readonly first?: string
}

/** `code` is 1 at the first failure, and null for a process that had to be ended. */
export function runTests(
  files: readonly string[],
  { env, limitMs, first }: RunOptions,
): Promise<{ readonly code: number | null; readonly output: string }> {
  const flags = [...(first === undefined ? [] : ['--import', first]), ...testProcessFlags]
  const own = ['--test', '--test-isolation=none', '--test-force-exit', `--test-reporter=${reporter}`, ...files]
  const child = spawn(process.execPath, [...flags, ...own], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, VOUCH_PROPERTY_SEED: '1', ...env },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const limit = setTimeout(() => child.kill('SIGKILL'), limitMs)
  return new Promise(resolve => {
    child.on('close', code => {
      clearTimeout(limit)
      resolve({ code, output })
    })
  })
}
