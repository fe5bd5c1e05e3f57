// `npm run sim` as a test: the same search, the same figures.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { given } from '#base'
import { allFaults, explore, randomSchedule, replay, type Schedule, type Subject } from '#simulator'
import { renderFound, renderTally } from './mutants/tally.ts'
import { subjects } from './subjects.ts'

/** Far more than any of these takes: that they end is asserted in schedules, and not in seconds. */
const timeoutMs = 400_000

export interface Amount {
  readonly controller: string
  /** Random schedules go on for so long, or until `seeds` have run. */
  readonly seconds?: number
  /** The least that runs on every machine, however busy: the clean run and its variants, single faults, pairs of kills, first seeds. */
  readonly least?: number
  readonly singles: number
  /** Random schedules only, for a world whose clean run takes long: its variants would be all that there is time for. */
  readonly isRandomOnly?: boolean
  readonly seeds?: number
}

/** A test: no schedule of as many as there is time for breaks an invariant. `look` sees the figures that were printed. */
export function holdsUnderFaults(name: string, amount: Amount, look: (output: string) => void = () => {}): void {
  test(name, { timeout: timeoutMs }, async (t: TestContext) => {
    const { controller, seconds, least, singles, seeds = 20_000, isRandomOnly = false } = amount
    const startedMs = performance.now()
    const elapsedMs = (): number => performance.now() - startedMs
    const tally = await fast(() =>
      explore(subjectOf(controller), {
        seeds,
        elapsedMs,
        singlesMax: singles,
        ...given({ schedulesMin: least, budgetMs: seconds === undefined ? undefined : seconds * 1_000 }),
        ...(isRandomOnly ? { only: 'random' } : {}),
      }),
    )
    const output = renderTally(controller, tally, elapsedMs())
    t.diagnostic(output)
    const again = `npm run sim -- --controller ${controller} --seed N shows one, --first N --seeds 1 --random-only makes it small`
    assert.deepEqual(tally.failures.map(renderFound), [], again)
    assert.ok(tally.schedules >= (least ?? 0), `only ${tally.schedules} schedules ran`)
    look(output)
  })
}

/** A test: what this seed found once is mended. */
export function seedHolds(name: string, controller: string, seed: number): void {
  test(`found by simulation: ${name} (seed ${seed})`, { timeout: timeoutMs }, async () => {
    const { violation } = await fast(() => replay(subjectOf(controller), randomSchedule(seed, allFaults)))
    assert.equal(violation?.message, undefined)
  })
}

/** A test: the least script of a failure that was found is still on offer, and breaks nothing any more. */
export function scriptHolds(what: string, subject: Subject, schedule: Omit<Schedule, 'faults'>): void {
  test(`found by simulation: ${what}`, { timeout: timeoutMs }, async () => {
    const result = await fast(() => replay(subject, { faults: allFaults, ...schedule }))
    assert.deepEqual(result.departures, schedule.departures, 'the script is still on offer')
    assert.equal(result.violation, undefined)
  })
}

function subjectOf(controller: string): Subject {
  const subject = subjects[controller]
  assert.ok(subject !== undefined, `there is no controller ${controller} to simulate`)
  return subject
}

/** Errors are made all the time in a search, and where one was made is asked of a schedule that is run again. */
async function fast<T>(search: () => Promise<T>): Promise<T> {
  const before = Error.stackTraceLimit
  Error.stackTraceLimit = 0
  try {
    return await search()
  } finally {
    Error.stackTraceLimit = before
  }
}
