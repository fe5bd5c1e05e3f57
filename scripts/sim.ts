// `npm run sim`: drives a controller through seeded schedules and prints what was tried. A failure is printed as soon as it is there, and at the
// end as seed, least script and first broken invariant; `--seed` and `--script` run it again.
import { given } from '#base'
import { allFaults, type Departure, type FaultCode, faultNames, randomSchedule, replay, type Schedule, shrink } from '#simulator'
import { renderFound, renderTally } from '../test/sim/mutants/tally.ts'
import { subjects } from '../test/sim/subjects.ts'
import { searchInThreads } from '../test/sim/workers.ts'
import { commands } from './flags/commands.ts'
import { takeFlags } from './flags/flags.ts'

const names = Object.keys(subjects)
const faultList = Object.entries(faultNames).map(([code, name]) => `${code} ${name}`)
const { sim } = commands
if (sim === undefined) throw new Error('the table of commands lacks sim')
const does = `${sim.does}\n\nControllers: ${names.join(', ')}\nFaults: ${faultList.join('; ')}`
const asked = takeFlags({ ...sim, does })
const controllerName = asked.text('controller')
const subject = subjects[controllerName]
if (subject === undefined) {
  console.error(`There is no controller "${controllerName}" to simulate; there are: ${names.join(', ')}`)
  process.exit(2)
}
if (asked.isGiven('crashes') && asked.isGiven('random-only')) {
  console.error('--crashes and --random-only exclude each other: leave one out')
  process.exit(2)
}
const faults = faultsIn(asked.find('faults'))
const [seed, script] = [asked.find('seed'), asked.find('script')]
if (seed !== undefined || script !== undefined) await again()
else await search()

function faultsIn(list: string | undefined): readonly FaultCode[] {
  if (list === undefined) return allFaults
  const codes = list.split(',')
  const wrong = codes.find(code => !(code in faultNames))
  if (wrong === undefined) return codes as FaultCode[]
  console.error(`there is no fault ${JSON.stringify(wrong)}; npm run sim -- --help lists them`)
  return process.exit(2)
}

function numberOf(name: string, unit = 1): number | undefined {
  const text = asked.find(name)
  return text === undefined ? undefined : Number(text) * unit
}

async function again(): Promise<never> {
  const departures = script === undefined ? [] : (JSON.parse(script) as Departure[])
  const drawn: Schedule = seed === undefined ? { seed: 'clean', faults, departures } : randomSchedule(Number(seed), faults)
  // A script is the whole of the run's departures; without one the seed draws them.
  const { random: _drawn, ...plain } = drawn
  const schedule = { ...(script === undefined ? drawn : plain), departures }
  const result = await replay(subject as NonNullable<typeof subject>, schedule)
  if (asked.isGiven('trace')) result.trace.forEach((label, step) => console.log(`${String(step).padStart(5)} ${label}`))
  console.log(`${result.steps} steps, ${result.writes} writes, hash ${result.hash.toString(16)}`)
  console.log(`departures: ${JSON.stringify(result.departures)}`)
  console.log(result.violation === undefined ? 'all invariants hold' : result.violation.message)
  return end(result.violation === undefined ? 0 : 1)
}

async function search(): Promise<never> {
  const started = performance.now()
  const controller = subject as NonNullable<typeof subject>
  const search = {
    seeds: Number(asked.text('seeds')),
    firstSeed: Number(asked.text('first')),
    faults,
    ...(asked.isGiven('crashes')
      ? { only: 'crashes' as const }
      : asked.isGiven('random-only')
        ? { only: 'random' as const }
        : {}),
    ...given({ singlesMax: numberOf('singles'), schedulesMin: numberOf('least'), budgetMs: numberOf('seconds', 1_000) }),
  }
  const tally = await searchInThreads(controllerName, search, {
    threads: Number(asked.text('threads')),
    onFailure: failure => console.log(renderFound(failure)),
    onProgress: so =>
      process.stderr.isTTY &&
      process.stderr.write(`\r${so.schedules} schedules, ${so.steps} steps, ${so.failures.length} failures `),
  })
  console.log(renderTally(controller.name, tally, performance.now() - started))
  const limits = { elapsedMs: () => performance.now(), budgetMs: Number(asked.text('shrink-seconds')) * 1_000 }
  for (const failure of tally.failures.slice(0, 2)) {
    const shrunk = await shrink(controller, failure, limits)
    console.log(
      `\n${failure.code}: ${failure.message}\n  seed ${failure.schedule.seed}; least script, ${shrunk.length} of ${failure.schedule.departures.length} departures:`,
    )
    for (const { step, label } of shrunk) console.log(`    step ${step}: ${label}`)
    console.log(
      `  again: npm run sim -- --controller ${controller.name} --trace ${asked.isGiven('faults') ? `--faults ${asked.find('faults')} ` : ''}${failure.schedule.seed.startsWith('seed-') ? `--seed ${failure.schedule.seed.slice(5)} ` : ''}--script '${JSON.stringify(shrunk)}'`,
    )
  }
  return end(tally.failures.length === 0 ? 0 : 1)
}

/** A pipe takes what is said bit by bit, and an exit leaves out what it has not taken yet. */
async function end(code: number): Promise<never> {
  await new Promise(resolve => process.stdout.write('', resolve))
  process.exit(code)
}
