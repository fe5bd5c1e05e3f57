// `npm run sim`: drives a controller through seeded schedules and prints what was tried. A failure is printed as seed, least script and
// first broken invariant, and `--replay` runs it again.
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { allFaults, type Departure, type FaultCode, faultNames, randomSchedule, replay, type Schedule, shrink } from '#simulator'
import { renderTally } from '../test/sim/mutants/tally.ts'
import { subjects } from '../test/sim/subjects.ts'
import { searchInThreads } from '../test/sim/workers.ts'

const { values } = parseArgs({
  options: {
    controller: { type: 'string', default: Object.keys(subjects)[0] ?? '' },
    seeds: { type: 'string', default: '2000' },
    first: { type: 'string', default: '1' },
    seed: { type: 'string' },
    faults: { type: 'string' },
    script: { type: 'string' },
    seconds: { type: 'string' },
    least: { type: 'string' },
    singles: { type: 'string' },
    threads: { type: 'string', default: String(availableParallelism()) },
    crashes: { type: 'boolean', default: false },
    'random-only': { type: 'boolean', default: false },
    trace: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

if (values.help) {
  console.log(`usage: npm run sim -- [OPTIONS]

  --controller NAME   ${Object.keys(subjects).join(', ')}
  --seeds N           random schedules after the clean run, each single fault and pairs of kills (default 2000)
  --first N           the first seed (default 1)
  --seconds S         stop after this time; what fitted is reported
  --least N           with --seconds: so many schedules run in any case
  --singles N         at most so many single faults, spread evenly over the trace
  --threads N         so many schedules at a time (default: as many as there are processors)
  --crashes           only a kill on both sides of each effect of the clean run (every step of what it does), and the clean run
  --random-only       leave out single faults and pairs of kills
  --faults F1,F4      only these faults
  --seed N            run this one random schedule and print its trace
  --script JSON       run this list of departures, as a failure prints it
  --trace             print the trace of --seed or --script

Faults: ${Object.entries(faultNames)
    .map(([code, name]) => `${code} ${name}`)
    .join('; ')}`)
  process.exit(0)
}

const subject = subjects[values.controller]
if (subject === undefined) {
  console.error(`There is no controller "${values.controller}" to simulate; there are: ${Object.keys(subjects).join(', ')}`)
  process.exit(2)
}
if (values.crashes && values['random-only']) {
  console.error('--crashes and --random-only exclude each other: leave one out')
  process.exit(2)
}
const faults =
  values.faults === undefined ? allFaults : (values.faults.split(',').filter(code => code in faultNames) as FaultCode[])
if (values.seed !== undefined || values.script !== undefined) await again()
else await search()

async function again(): Promise<never> {
  const departures = values.script === undefined ? [] : (JSON.parse(values.script) as Departure[])
  const drawn: Schedule =
    values.seed === undefined ? { seed: 'clean', faults, departures } : randomSchedule(Number(values.seed), faults)
  // A script is the whole of the run's departures; without one the seed draws them.
  const { random: _drawn, ...plain } = drawn
  const schedule = { ...(values.script === undefined ? drawn : plain), departures }
  const result = await replay(subject as NonNullable<typeof subject>, schedule)
  if (values.trace) result.trace.forEach((label, step) => console.log(`${String(step).padStart(5)} ${label}`))
  console.log(`${result.steps} steps, ${result.writes} writes, hash ${result.hash.toString(16)}`)
  console.log(`departures: ${JSON.stringify(result.departures)}`)
  console.log(result.violation === undefined ? 'all invariants hold' : result.violation.message)
  process.exit(result.violation === undefined ? 0 : 1)
}

async function search(): Promise<never> {
  const started = performance.now()
  const controller = subject as NonNullable<typeof subject>
  const search = {
    seeds: Number(values.seeds),
    firstSeed: Number(values.first),
    faults,
    ...(values.crashes ? { only: 'crashes' as const } : values['random-only'] ? { only: 'random' as const } : {}),
    ...(values.singles === undefined ? {} : { singlesMax: Number(values.singles) }),
    ...(values.least === undefined ? {} : { schedulesMin: Number(values.least) }),
    ...(values.seconds === undefined ? {} : { budgetMs: Number(values.seconds) * 1000 }),
  }
  const tally = await searchInThreads(values.controller, search, {
    threads: Number(values.threads),
    onProgress: so =>
      process.stderr.isTTY &&
      process.stderr.write(`\r${so.schedules} schedules, ${so.steps} steps, ${so.failures.length} failures `),
  })
  console.log(renderTally(controller.name, tally, performance.now() - started))
  for (const { code, schedule } of tally.failures.slice(2)) console.log(`${code}: seed ${schedule.seed}`)
  for (const failure of tally.failures.slice(0, 2)) {
    const shrunk = await shrink(controller, failure)
    console.log(
      `\n${failure.code}: ${failure.message}\n  seed ${failure.schedule.seed}; least script, ${shrunk.length} of ${failure.schedule.departures.length} departures:`,
    )
    for (const { step, label } of shrunk) console.log(`    step ${step}: ${label}`)
    console.log(
      `  again: npm run sim -- --controller ${controller.name} --trace ${values.faults === undefined ? '' : `--faults ${values.faults} `}${failure.schedule.seed.startsWith('seed-') ? `--seed ${failure.schedule.seed.slice(5)} ` : ''}--script '${JSON.stringify(shrunk)}'`,
    )
  }
  process.exit(tally.failures.length === 0 ? 0 : 1)
}
