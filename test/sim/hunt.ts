// One mutant's hunt: explores until something breaks, and says what broke first. The hunt is counted in schedules and not in seconds, so
// that what is found does not depend on how busy the machine is.
import { type ExploreOptions, explore } from '#simulator'
import { mutants } from './mutants.ts'
import { subjects } from './subjects.ts'

const started = performance.now()
const elapsedMs = (): number => performance.now() - started
const share = Number(process.env['VOUCH_HUNT_EFFORT'] ?? '1')
const mutant = mutants.find(({ id }) => id === process.env['VOUCH_MUTANT'])
// From here on an early end is the defect's doing, and not a program that could not even be loaded.
console.log('STARTED')
setInterval(() => console.log('ALIVE'), 1_000).unref()

for (const name of mutant?.controllers ?? Object.keys(subjects)) {
  const subject = subjects[name]
  if (subject === undefined) throw new Error(`no controller ${name} to simulate`)
  let schedules = 0
  for (const part of parts()) {
    const tally = await explore(subject, { ...part, elapsedMs, failuresMax: 1 })
    schedules += tally.schedules
    const failure = tally.failures[0]
    if (failure === undefined) continue
    console.log(`FOUND ${failure.code} after ${schedules} schedules: ${failure.message.split('\n')[0]}`)
    process.exit(1)
  }
  console.log(`NOTHING in ${schedules} schedules`)
}
process.exit(0)

/** First the faults that the broken line exists for, then random ones, which find most, then single ones all over the trace. */
function parts(): readonly Omit<ExploreOptions, 'elapsedMs'>[] {
  const count = (schedules: number): number => Math.ceil(schedules * share)
  const alone = mutant?.alone === true ? { replicas: 1 } : {}
  return [
    ...(mutant?.faults === undefined ? [] : [{ faults: mutant.faults, singlesMax: count(150), seeds: count(200), ...alone }]),
    { randomOnly: true, seeds: count(250) },
    { singlesMax: count(150), seeds: count(200), firstSeed: 251 },
  ]
}
