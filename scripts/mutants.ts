// `npm run mutants [-- --only ID] [-- --seconds S]`: breaks the engine on purpose, one small defect at a time, and asks the simulator to notice.
// A defect is a text replacement in one source file, made while the file is loaded; the checkout is never touched. Prints the table of
// survivors and exits 1 below the bar of reliability.md §7.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { type Mutant, mutants } from '../test/sim/mutants.ts'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const killedShareMin = 0.95
const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    seconds: { type: 'string', default: '20' },
    room: { type: 'string' },
    processes: { type: 'string', default: '2' },
  },
})

const chosen = mutants.filter(
  mutant =>
    (values.only === undefined || mutant.id === values.only) && (values.room === undefined || mutant.file.includes(values.room)),
)
const stale = chosen.filter(mutant => readFileSync(join(root, mutant.file), 'utf8').split(mutant.find).length !== 2)
for (const mutant of stale) console.log(`${mutant.id}: its text is not in ${mutant.file} exactly once: ${mutant.find}`)

const queue = chosen.filter(mutant => !stale.includes(mutant))
const survivors: Mutant[] = []
const killers = new Map<string, number>()
let done = 0
await Promise.all(Array.from({ length: Number(values.processes) }, work))

console.log(
  `\n${done} mutants, ${done - survivors.length} killed (${((100 * (done - survivors.length)) / Math.max(1, done)).toFixed(1)} %)`,
)
console.log(
  `killed by: ${[...killers]
    .sort(([, a], [, b]) => b - a)
    .map(([code, count]) => `${code} ${count}`)
    .join(', ')}`,
)
if (survivors.length > 0) console.log('\nsurvivors:')
for (const mutant of survivors) console.log(`  ${mutant.id} ${mutant.file}: ${mutant.why}`)
process.exit(stale.length > 0 || done - survivors.length < killedShareMin * done ? 1 : 0)

async function work(): Promise<void> {
  for (let mutant = queue.shift(); mutant !== undefined; mutant = queue.shift()) {
    const { killed, by } = await hunt(mutant)
    done++
    if (!killed) survivors.push(mutant)
    else killers.set(by, (killers.get(by) ?? 0) + 1)
    console.log(`${killed ? 'killed  ' : 'SURVIVED'} ${mutant.id} ${killed ? `by ${by}` : ''} (${mutant.why})`)
  }
}

/** The simulator in a process of its own, with the defect in; killed when it reports a failure, or cannot even run. */
function hunt(mutant: Mutant): Promise<{ killed: boolean; by: string }> {
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', '--import', join(root, 'test/sim/mutate.ts'), join(root, 'test/sim/hunt.ts')],
    {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, VOUCH_MUTANT: mutant.id, VOUCH_HUNT_SECONDS: values.seconds },
    },
  )
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const limit = setTimeout(() => child.kill('SIGKILL'), (Number(values.seconds) + 30) * 1000)
  return new Promise(resolve => {
    child.on('close', code => {
      clearTimeout(limit)
      const found = /^FOUND (\S+)/m.exec(output)?.[1]
      resolve(found !== undefined ? { killed: true, by: found } : { killed: code !== 0, by: code === null ? 'hang' : 'crash' })
    })
  })
}
