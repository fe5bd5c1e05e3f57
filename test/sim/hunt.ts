// One mutant's hunt: explores until something breaks, and says what broke first.
import { explore } from '#simulator'
import { mutants } from './mutants.ts'
import { subjects } from './subjects.ts'

const started = performance.now()
const budgetMs = Number(process.env['VOUCH_HUNT_SECONDS'] ?? '20') * 1000
const mutant = mutants.find(({ id }) => id === process.env['VOUCH_MUTANT'])
for (const name of mutant?.controllers ?? Object.keys(subjects)) {
  const subject = subjects[name]
  if (subject === undefined) throw new Error(`no controller ${name} to simulate`)
  // Random schedules first: they find most defects within the first hundreds; the whole trace of single faults follows.
  for (const part of [
    { randomOnly: true, seeds: 400 },
    { randomOnly: false, seeds: 100_000, singlesMax: 2_000, firstSeed: 401 },
  ]) {
    const tally = await explore(subject, { ...part, budgetMs, elapsedMs: () => performance.now() - started, failuresMax: 1 })
    const failure = tally.failures[0]
    if (failure !== undefined) {
      console.log(`FOUND ${failure.code} ${failure.message.split('\n')[0]}`)
      process.exit(1)
    }
  }
}
process.exit(0)
