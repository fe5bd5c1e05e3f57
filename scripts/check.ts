// `npm run check`: types, lint (types-aware, with the seams rule), format, unused files and exports, import walls; all of them even
// when one fails, side by side, with the time each took. `--fix` (`npm run format`) mends what can be mended; `--quick` leaves out
// the slow one (unused exports).
import { spawn } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { commands } from './flags/commands.ts'
import { takeFlags } from './flags/flags.ts'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const bin = (name: string): string => join(root, 'node_modules', '.bin', name)
const given = takeFlags(commands['check'])
const [fix, quick] = [given.isGiven('fix'), given.isGiven('quick')]

interface Check {
  readonly name: string
  readonly command: readonly string[]
}

const checks: readonly Check[] = [
  { name: 'types', command: [bin('tsc'), '--noEmit', '--pretty', 'false', '-p', root] },
  // Our rule imports TypeScript, so the linter runs under this Node and not under whichever `node` comes first in PATH.
  {
    name: 'lint',
    command: [process.execPath, join(root, 'node_modules', 'oxlint', 'bin', 'oxlint'), '--type-aware', ...(fix ? ['--fix'] : [])],
  },
  { name: 'format', command: [bin('biome'), 'check', '--diagnostic-level=error', ...(fix ? ['--write'] : []), '.'] },
  ...(quick ? [] : [{ name: 'unused', command: [process.execPath, bin('knip'), '--no-progress'] }]),
  {
    name: 'walls',
    command: [
      process.execPath,
      '--disable-warning=ExperimentalWarning',
      '--test',
      '--test-reporter=dot',
      join(root, 'test/house/walls.test.ts'),
    ],
  },
]

// While mending, one after the other: the formatter has the last word over what the linter rewrote.
const results = fix ? await inTurn(checks) : await Promise.all(checks.map(run))
const failed = results.filter(({ code }) => code !== 0)
for (const { name, output } of failed) console.log(`\n--- ${name}\n${output.trim()}\n`)
console.log(
  results.map(({ name, code, tookMs }) => `${code === 0 ? 'ok' : 'FAILED'} ${name} ${(tookMs / 1000).toFixed(1)} s`).join(', '),
)
console.log(`${results.length - failed.length} passed, ${failed.length} failed`)
if (failed.length > 0 && !fix) console.log('What can be mended by itself is mended by: npm run format')
process.exit(failed.length > 0 ? 1 : 0)

async function inTurn(all: readonly Check[]): Promise<Awaited<ReturnType<typeof run>>[]> {
  const done = []
  for (const check of all) done.push(await run(check))
  return done
}

function run({ name, command }: Check): Promise<{ name: string; code: number; output: string; tookMs: number }> {
  const startedMs = Date.now()
  const [program, ...args] = command as [string, ...string[]]
  const child = spawn(program, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
  return new Promise(resolve => {
    child.on('error', error => resolve({ name, code: 1, output: error.message, tookMs: Date.now() - startedMs }))
    child.on('close', code => resolve({ name, code: code ?? 1, output, tookMs: Date.now() - startedMs }))
  })
}
