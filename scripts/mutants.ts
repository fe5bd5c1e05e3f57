// `npm run mutants -- --help`, of the table or by chance (test/mutation/random-mutants.ts), or `-- --follow REF` after a rename
// (test/sim/follow.ts): breaks the engine on purpose, one small defect at a time, and asks the simulator to notice. A defect is a text
// replacement in one source file, made while the file is loaded; the checkout is never touched. Prints the table of survivors and exits 1 below its bar.
import { spawn } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { locate } from '../test/sim/mutants/locate.ts'
import { engineSubjects, type Mutant, mutants } from '../test/sim/mutants/mutants.ts'
import { commands } from './flags/commands.ts'
import { takeFlags } from './flags/flags.ts'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const killedShareMin = 0.95
/** A hunt gives a sign of life every second: one that is silent for so long turns in circles, however busy the machine is. */
const silenceMsMax = 90_000
/** Until its first sign: it has the whole project to load. */
const startMsMax = 300_000
const given = takeFlags(commands['mutants'])
const [only, room, follow] = [given.find('only'), given.find('room'), given.find('follow')]

if (given.isGiven('random')) {
  const { randomMutants } = await import('../test/mutation/random-mutants.ts')
  const [count, seed, processes] = ['random', 'seed', 'processes'].map(name => Number(given.text(name))) as [
    number,
    number,
    number,
  ]
  const options = { count, seed, room: room ?? '', also: given.all('also'), processes }
  process.exit((await randomMutants(options)) ? 0 : 1)
}

if (follow !== undefined) {
  const { followMutants } = await import('../test/sim/follow.ts')
  const lost = followMutants(mutants, follow)
  console.log(lost.length === 0 ? 'every defect has its text' : `to be broken in another way: ${lost.join(', ')}`)
  process.exit(lost.length === 0 ? 0 : 1)
}

type Verdict = 'killed' | 'survived' | 'broken'

const chosen = mutants.filter(
  mutant => (only === undefined || mutant.id === only) && (room === undefined || mutant.file.includes(room)),
)
if (chosen.length === 0) {
  console.error('no mutant is called so')
  process.exit(2)
}
const stale = chosen.filter(mutant => locate(mutant) === undefined)
for (const mutant of stale)
  console.log(`${mutant.id}: its text stands neither in ${mutant.file} nor in one other file: ${mutant.find}`)

const started = performance.now()
const hunted = [...new Set(chosen.flatMap(({ controllers }) => controllers ?? engineSubjects))]
const queue = chosen.filter(mutant => !stale.includes(mutant))
const survivors: Mutant[] = []
const broken: string[] = []
const killers = new Map<string, number>()
let done = 0
await control()
await Promise.all(Array.from({ length: Number(given.text('processes')) }, work))

const killed = done - survivors.length - broken.length
const seconds = ((performance.now() - started) / 1000).toFixed(0)
console.log(`\n${done} mutants, ${killed} killed (${((100 * killed) / Math.max(1, done)).toFixed(1)} %) in ${seconds} s`)
console.log(
  `killed by: ${[...killers]
    .sort(([, a], [, b]) => b - a)
    .map(([code, count]) => `${code} ${count}`)
    .join(', ')}`,
)
if (broken.length > 0) console.log(`\nnot hunted, since the program could not run: ${broken.join(', ')}`)
console.log(survivors.length === 0 ? '\nsurvivors: none' : '\nsurvivors:')
for (const mutant of survivors) console.log(`  ${mutant.id} ${mutant.file}: ${mutant.why}`)
process.exit(stale.length > 0 || broken.length > 0 || killed < killedShareMin * done ? 1 : 0)

/** The same hunt without a defect, with each subject that is hunted with, finds nothing: otherwise a kill would prove nothing. */
async function control(): Promise<void> {
  const { verdict, by } = await hunt(undefined, '0.1')
  if (verdict === 'survived') return console.log('control  without a defect nothing is found')
  console.log(`the engine as it is does not hold: ${by}`)
  process.exit(1)
}

async function work(): Promise<void> {
  for (let mutant = queue.shift(); mutant !== undefined; mutant = queue.shift()) {
    const { verdict, by } = await hunt(mutant, given.text('effort'))
    done++
    if (verdict === 'survived') survivors.push(mutant)
    else if (verdict === 'broken') broken.push(mutant.id)
    else killers.set(by.split(' ')[0] ?? '', (killers.get(by.split(' ')[0] ?? '') ?? 0) + 1)
    console.log(`${verdict.padEnd(8)} ${mutant.id} by ${by} (${mutant.why})`)
  }
}

/** The simulator in a process of its own, with the defect in; killed when it reports a failure, or hangs. */
function hunt(mutant: Mutant | undefined, effort: string): Promise<{ verdict: Verdict; by: string }> {
  const loader = mutant === undefined ? [] : ['--import', join(root, 'test/sim/mutants/mutate.ts')]
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', ...loader, join(root, 'test/sim/mutants/hunt.ts')],
    {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        VOUCH_MUTANT: mutant?.id ?? '',
        VOUCH_HUNT_EFFORT: effort,
        ...(mutant === undefined ? { VOUCH_HUNT_CONTROLLERS: hunted.join(',') } : {}),
      },
    },
  )
  let output = ''
  let limit = setTimeout(() => child.kill('SIGKILL'), startMsMax)
  const take = (chunk: Buffer): void => {
    output += chunk.toString()
    clearTimeout(limit)
    limit = setTimeout(() => child.kill('SIGKILL'), silenceMsMax)
  }
  child.stdout.on('data', take)
  child.stderr.on('data', take)
  return new Promise(resolve => {
    child.on('close', code => {
      clearTimeout(limit)
      resolve(judge(code, output))
    })
  })
}

function judge(code: number | null, output: string): { verdict: Verdict; by: string } {
  const found = /^FOUND (\S+ after \d+ (?:schedules|tests))/m.exec(output)?.[1]
  if (found !== undefined) return { verdict: 'killed', by: found }
  if (!output.includes('STARTED')) return { verdict: 'broken', by: output.trim().split('\n')[0] ?? 'nothing' }
  if (code === null) return { verdict: 'killed', by: 'hang' }
  const nothing = /^NOTHING in (.*)$/m.exec(output)?.[1]
  return code === 0 && nothing !== undefined ? { verdict: 'survived', by: nothing } : { verdict: 'killed', by: 'crash' }
}
