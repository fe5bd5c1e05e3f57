// Whether the tests notice a change: those that run its place, nearest first and one at a time, until the first that fails.
import { join } from 'node:path'
import type { Change } from './candidates.ts'
import { type Coverage, coverageOf, type Failure, isRun } from './coverage.ts'
import { ImportGraph } from './import-graph.ts'
import { KeptCoverage } from './kept-coverage.ts'
import { runTests } from './run-tests.ts'

export interface Place extends Change {
  /** From the root. */
  readonly file: string
}

export interface JudgeOptions {
  readonly root: string
  readonly tests: readonly string[]
  /** Asked about a file that none of those imports. */
  readonly elsewhere?: readonly string[]
  /** Where it is kept what tests run. */
  readonly cache: string
  /** What a test may take with a change, beyond four times what it takes without. */
  readonly slackMs?: number
}

export class Judge {
  readonly #root: string
  readonly #tests: readonly string[]
  readonly #elsewhere: readonly string[]
  readonly #graph: ImportGraph
  readonly #kept: KeptCoverage
  readonly #slackMs: number
  readonly #covered = new Map<string, Promise<Coverage | Failure>>()
  /** Which have passed, or failed, without a change in this very process. */
  readonly #sound = new Map<string, Promise<boolean>>()

  constructor({ root, tests, elsewhere = [], cache, slackMs = 30_000 }: JudgeOptions) {
    this.#root = root
    this.#tests = tests
    this.#elsewhere = elsewhere
    this.#slackMs = slackMs
    this.#graph = new ImportGraph(root)
    this.#kept = new KeptCoverage(cache, this.#graph)
  }

  async judge(place: Place): Promise<string> {
    const unsound: string[] = []
    let asked = 0
    const near = this.#graph.testsOf(place.file, this.#tests)
    for (const test of near.length > 0 ? near : this.#graph.testsOf(place.file, this.#elsewhere)) {
      const coverage = await this.#coverageOf(test)
      if ('fails' in coverage) unsound.push(test)
      if ('fails' in coverage || !isRun(coverage, place.file, place.ranAt)) continue
      const code = await this.#run(test, place, coverage.ms)
      if (code !== 0 && !(await this.#isSound(test))) unsound.push(test)
      else if (code === 0) asked++
      else return `killed by ${test}${code === null ? ', which did not end in time' : ''}`
    }
    if (unsound.length === 0) return `survived: ${asked === 0 ? 'no test comes here' : `${asked} test files notice nothing`}`
    const noticed = asked === 0 ? 'no test judges it' : `${asked} test files notice nothing`
    return `survived: ${noticed}; failing without it, and so judging nothing: ${unsound.join(', ')}`
  }

  /** Null for a loop without an end, which is noticed by whoever waits for it; a machine that has no time is told apart by a run without the change. */
  async #run(test: string, place: Place, ms: number): Promise<number | null> {
    const limitMs = this.#slackMs + 4 * ms
    const code = await this.#runChanged(test, place, limitMs)
    if (code !== null) return code
    const started = performance.now()
    this.#sound.delete(test)
    if (!(await this.#isSound(test))) return null
    const longerMs = this.#slackMs + 4 * (performance.now() - started)
    return longerMs > limitMs ? this.#runChanged(test, place, longerMs) : null
  }

  async #runChanged(test: string, { file, start, end, becomes }: Place, limitMs: number): Promise<number | null> {
    const env = { VOUCH_CHANGE: JSON.stringify({ file: join(this.#root, file), start, end, becomes }) }
    const first = join(import.meta.dirname, 'mutate-at.ts')
    const { code } = await runTests([join(this.#root, test)], { env, first, limitMs })
    return code
  }

  #coverageOf(test: string): Promise<Coverage | Failure> {
    let covered = this.#covered.get(test)
    if (covered === undefined) {
      const kept = this.#kept.find(test)
      covered = kept === undefined ? this.#measure(test) : Promise.resolve(kept)
      this.#covered.set(test, covered)
    }
    return covered
  }

  async #measure(test: string): Promise<Coverage | Failure> {
    const measured = await coverageOf(this.#root, test)
    this.#sound.set(test, Promise.resolve(!('fails' in measured)))
    if (!('fails' in measured)) this.#kept.keep(test, measured)
    return measured
  }

  /** A test whose coverage was kept has passed once, somewhere: before it kills it has to pass here. */
  #isSound(test: string): Promise<boolean> {
    let sound = this.#sound.get(test)
    if (sound === undefined) {
      sound = runTests([join(this.#root, test)], { env: {}, limitMs: 600_000 }).then(({ code }) => code === 0)
      this.#sound.set(test, sound)
    }
    return sound
  }
}
