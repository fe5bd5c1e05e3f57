// `npm test [-- FILTER ...] [--real]`: every test that needs only Node, in a few processes side by side, closing with one line
// "N passed, N failed". With --real (`npm run test:real`) the suites that need a real control plane or other programs run instead.
//
// Files share a process, because starting one costs more than most of our tests; the long ones are dealt first (scripts/test-seconds.json).
// In a whole run a file or two that failed while others ran beside them are run once more, alone. What passes then does not fail the run, and its name
// closes the output: a test that wavers is a fault of the test or of the program until somebody knows which.
import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { testProcessFlags } from '../test/house/process-flags.ts'
import { commands } from './flags/commands.ts'
import { takeFlags } from './flags/flags.ts'
import { dealOut, type FileSeconds, remembered } from './test-shares.ts'
import { afterSecondLook, nothing, sum, type Tally, toLookAtAgain } from './test-tally.ts'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

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
const environment = {
  // Programs of Go, the API servers first, spend a quarter of their time on collecting what nobody here lacks.
  GOGC: '400',
  ...process.env,
  VOUCH_TEST_VERBOSE: given.isGiven('verbose') ? '1' : '',
  VOUCH_PROPERTY_SEED: String(seed),
}
const startedMs = Date.now()
const secondsFile = join(root, 'scripts', 'test-seconds.json')
const seconds = JSON.parse(readFileSync(secondsFile, 'utf8')) as FileSeconds
// The real suites wait for other programs half of their time.
const processes = Math.min(2, availableParallelism()) + (isReal ? 1 : 0)
const tallies = await runAll(files, Number(given.find('processes') ?? processes))
const first = sum(tallies)
const wavering = given.isGiven('once') || given.words.length > 0 ? [] : await wavered(toLookAtAgain(first))
const total = afterSecondLook(first, wavering)
if (given.isGiven('remember')) remember(tallies)
console.log(
  `${files.length} files in ${((Date.now() - startedMs) / 1000).toFixed(1)} s${total.skipped > 0 ? `, ${total.skipped} skipped` : ''}`,
)
for (const file of wavering) console.log(`WAVERS ${file}: it failed beside others and passed alone; what failed is told above`)
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

/** Those of the files that pass when nothing runs beside them. */
async function wavered(failed: readonly string[]): Promise<readonly string[]> {
  const passed: string[] = []
  for (const file of failed) {
    console.log(`Once more, alone: ${file}`)
    const again = await runShare([file])
    if (again.failed === 0 && again.passed > 0) passed.push(file)
  }
  return passed
}

function remember(tallies: readonly Tally[]): void {
  const ranMs = new Map(tallies.flatMap(tally => Object.entries(tally.ranMs ?? {})))
  writeFileSync(secondsFile, `${JSON.stringify(remembered(seconds, ranMs), undefined, 2)}\n`)
}

function runShare(share: readonly string[]): Promise<Tally> {
  const child = spawn(
    process.execPath,
    [
      ...testProcessFlags,
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
        tally = { ...nothing, failed: 1 }
      } else if (code !== 0 && tally.failed === 0) {
        console.log(`A test process ended with exit ${code ?? signal} though no test failed.`)
        tally = { ...tally, failed: 1 }
      }
      resolve(tally)
    })
  })
}
