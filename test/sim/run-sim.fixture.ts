// `npm run sim` as a test: the same program, the same figures. In a process of its own, since the test runner follows every promise, which
// makes the simulator four times slower.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { allFaults, replay, type Schedule, type Subject } from '#simulator'

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
    const { controller, seconds, least = 0, singles, seeds = 20_000, isRandomOnly = false } = amount
    const time = seconds === undefined ? [] : ['--seconds', String(seconds), '--least', String(least)]
    const output = await holds([
      ...time,
      ...(isRandomOnly ? ['--random-only'] : []),
      '--threads',
      '1',
      '--controller',
      controller,
      '--singles',
      String(singles),
      '--seeds',
      String(seeds),
    ])
    t.diagnostic(output.trimEnd())
    assert.match(output, /failures: 0/)
    const schedules = Number(/: (\d+) schedules/.exec(output)?.[1])
    assert.ok(schedules >= least, `only ${schedules} schedules ran`)
    look(output)
  })
}

/** A test: what this seed found once is mended. */
export function seedHolds(name: string, controller: string, seed: number): void {
  test(`found by simulation: ${name} (seed ${seed})`, { timeout: timeoutMs }, async () => {
    assert.match(await holds(['--controller', controller, '--seed', String(seed)]), /all invariants hold/)
  })
}

/** A test: the least script of a failure that was found is still on offer, and breaks nothing any more. */
export function scriptHolds(what: string, subject: Subject, schedule: Omit<Schedule, 'faults'>): void {
  test(`found by simulation: ${what}`, { timeout: timeoutMs }, async () => {
    const result = await replay(subject, { faults: allFaults, ...schedule })
    assert.deepEqual(result.departures, schedule.departures, 'the script is still on offer')
    assert.equal(result.violation, undefined)
  })
}

/** Runs the program to its end, and returns what it printed. */
async function holds(args: readonly string[]): Promise<string> {
  const script = join(import.meta.dirname, '..', '..', 'scripts', 'sim.ts')
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', script, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const code = await new Promise<number | null>(resolve => child.on('close', resolve))
  assert.equal(code, 0, output)
  return output
}
