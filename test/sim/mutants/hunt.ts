// One mutant's hunt: explores until something breaks, and says what broke first. The hunt is counted in schedules and not in seconds, so
// that what is found does not depend on how busy the machine is.
import { resolve } from 'node:path'
import { run } from 'node:test'
import { type ExploreOptions, explore } from '#simulator'
import { subjects } from '../subjects.ts'
import { engineSubjects, mutants } from './mutants.ts'

const started = performance.now()
const elapsedMs = (): number => performance.now() - started
const share = Number(process.env['VOUCH_HUNT_EFFORT'] ?? '1')
const mutant = mutants.find(({ id }) => id === process.env['VOUCH_MUTANT'])
/** A defect may leave a test waiting for ever. */
const hungMs = 20_000
// From here on an early end is the defect's doing, and not a program that could not even be loaded.
console.log('STARTED')
setInterval(() => console.log('ALIVE'), 1_000).unref()
if (mutant?.tests !== undefined) await askTests(mutant.tests)

for (const name of process.env['VOUCH_HUNT_CONTROLLERS']?.split(',') ?? mutant?.controllers ?? engineSubjects) {
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
    { only: 'random', seeds: count(250) },
    { singlesMax: count(150), seeds: count(200), firstSeed: 251 },
  ]
}

/** The tests of the broken room, in this process, where the defect is. Ends it. */
async function askTests(files: readonly string[]): Promise<never> {
  let passed = 0
  const stream = run({
    files: files.map(file => resolve(import.meta.dirname, '../../..', file)),
    isolation: 'none',
    timeout: hungMs,
  })
  for await (const { type, data } of stream) {
    if (type === 'test:pass') passed++
    if (type !== 'test:fail') continue
    console.log(`FOUND test after ${passed} tests: ${data.name}`)
    process.exit(1)
  }
  console.log(`NOTHING in ${passed} tests`)
  process.exit(0)
}
