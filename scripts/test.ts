// `npm test [-- FILTER ...] [--real]`: every test that needs only Node, in a few processes side by side, closing with one line
// "N passed, N failed". With --real (`npm run test:real`) the suites that need a real control plane or other programs run instead.
//
// Files share a process, because starting one costs more than most of our tests; the long ones are dealt first (scripts/test-seconds.json).
import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { commands } from './flags/commands.ts'
import { takeFlags } from './flags/flags.ts'
import { dealOut, type FileSeconds, remembered } from './test-shares.ts'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** What one process of tests reports on its last line; see scripts/test-reporter.ts. */
interface Tally {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  readonly todo: number
  /** Milliseconds of each file that ran. */
  readonly ranMs?: Readonly<Record<string, number>>
}

const isReal = process.argv.includes('--real')
const args = process.argv.slice(2).filter(argument => argument !== '--real')
const given = takeFlags(commands[isReal ? 'test:real' : 'test'], args)

const seed = given.text('seed') === 'random' ? randomInt(2 ** 31) : Number(given.text('seed'))
if (!Number.isInteger(seed)) {
  console.error(`--seed ${given.text('seed')}: give a whole number, or random.`)
  process.exit(2)
}
if (given.text('seed') === 'random') console.log(`Property tests try new inputs; to see them again: --seed ${seed}`)

const files = testFiles(isReal, given.words)
if (files.length === 0) {
  console.error(`No test file matches ${given.words.join(' ')}. Paths are like src/kube/selectors.test.ts.`)
  process.exit(2)
}
const environment = { ...process.env, VOUCH_TEST_VERBOSE: given.isGiven('verbose') ? '1' : '', VOUCH_PROPERTY_SEED: String(seed) }
const startedMs = Date.now()
const secondsFile = join(root, 'scripts', 'test-seconds.json')
const seconds = JSON.parse(readFileSync(secondsFile, 'utf8')) as FileSeconds
const tallies = await runAll(files, Number(given.find('processes') ?? Math.min(2, availableParallelism())))
const total = sum(tallies)
if (given.isGiven('remember')) remember(tallies)
console.log(
  `${files.length} files in ${((Date.now() - startedMs) / 1000).toFixed(1)} s${total.skipped > 0 ? `, ${total.skipped} skipped` : ''}`,
)
console.log(`${total.passed} passed, ${total.failed} failed${total.skipped > 0 ? `, ${total.skipped} skipped` : ''}`)
process.exit(total.failed > 0 ? 1 : 0)

function testFiles(real: boolean, filters: readonly string[]): string[] {
  return globSync(
    ['src/**/*.test.ts', 'test/**/*.test.ts', 'examples/**/*.test.ts', 'scripts/**/*.test.ts', 'console/**/*.test.ts'],
    {
      cwd: root,
      exclude: path => path.endsWith('node_modules'),
    },
  )
    .filter(path => path.endsWith('.real.test.ts') === real)
    .filter(path => filters.length === 0 || filters.some(filter => path.includes(filter)))
    .sort()
}

function runAll(all: readonly string[], processes: number): Promise<Tally[]> {
  return Promise.all(dealOut(all, processes, seconds).map(runShare))
}

function remember(tallies: readonly Tally[]): void {
  const ranMs = new Map(tallies.flatMap(tally => Object.entries(tally.ranMs ?? {})))
  writeFileSync(secondsFile, `${JSON.stringify(remembered(seconds, ranMs), undefined, 2)}\n`)
}

function runShare(share: readonly string[]): Promise<Tally> {
  const child = spawn(
    process.execPath,
    [
      '--disable-warning=ExperimentalWarning',
      '--expose-gc',
      '--import',
      join(root, 'test', 'house', 'traps.ts'),
      '--import',
      join(root, 'test', 'house', 'properties.ts'),
      '--test',
      '--test-isolation=none',
      '--test-force-exit',
      `--test-reporter=${join(root, 'scripts', 'test-reporter.ts')}`,
      ...share,
    ],
    { cwd: root, stdio: ['ignore', 'pipe', 'inherit'], env: environment },
  )
  return new Promise(resolve => {
    let pending = ''
    let tally: Tally | undefined
    child.stdout.setEncoding('utf8')
    child.stdout.on('data', (chunk: string) => {
      const lines = (pending + chunk).split('\n')
      pending = lines.pop() ?? ''
      for (const line of lines) {
        if (line.startsWith('@tally ')) tally = JSON.parse(line.slice('@tally '.length)) as Tally
        else process.stdout.write(`${line}\n`)
      }
    })
    child.on('close', (code, signal) => {
      if (tally === undefined) {
        console.log(`A test process ended without its tally (exit ${code ?? signal}); its files: ${share.join(' ')}`)
        tally = { passed: 0, failed: 1, skipped: 0, todo: 0 }
      } else if (code !== 0 && tally.failed === 0) {
        console.log(`A test process ended with exit ${code ?? signal} though no test failed.`)
        tally = { ...tally, failed: 1 }
      }
      resolve(tally)
    })
  })
}

function sum(all: readonly Tally[]): Tally {
  return all.reduce(
    (a, b) => ({
      passed: a.passed + b.passed,
      failed: a.failed + b.failed,
      skipped: a.skipped + b.skipped,
      todo: a.todo + b.todo,
    }),
    {
      passed: 0,
      failed: 0,
      skipped: 0,
      todo: 0,
    },
  )
}
