// `npm run fuzz -- aws`: random sequences to the emulator and to moto; where they part, and the table of known differences does not say
// why, the sequence is shrunk and printed with its seed. AWS's documentation then decides who is right.
import { seededRandom } from '#base'
import { type Parting, play } from '../../test/conformance/aws/fuzz/play.ts'
import { fuzzSequence } from '../../test/conformance/aws/fuzz/sequences.ts'
import type { Step } from '../../test/conformance/aws/vectors/perform.ts'
import { type Moto, startMoto } from '../../test/real/programs/moto.ts'
import { pythonEnvironment } from '../../test/real/programs/python.ts'

export interface AwsFuzzOptions {
  readonly runs: number | undefined
  readonly seed: number
  readonly seconds: number
  readonly steps: number
  readonly show: number
}

const runsDefault = 200

/** The exit code. */
export async function fuzzAws(options: AwsFuzzOptions): Promise<number> {
  const python = await pythonEnvironment()
  if ('missing' in python) {
    console.log(python.missing)
    return 0
  }
  const moto = await startMoto(python)
  const startedMs = performance.now()
  const shown = new Map<string, number>()
  let [runs, calls] = [0, 0]
  try {
    for (; runs < (options.runs ?? runsDefault) && performance.now() - startedMs < options.seconds * 1_000; runs++) {
      const seed = options.seed + runs
      const steps = fuzzSequence(seededRandom(seed), options.steps)
      const met = await play(moto, steps)
      calls += met.calls
      if (met.parting === undefined) continue
      const name = nameOf(met.parting)
      shown.set(name, (shown.get(name) ?? 0) + 1)
      if (shown.get(name) === 1 && shown.size <= options.show)
        print(seed, name, await shrunk(moto, steps.slice(0, met.parting.at + 1), name))
    }
  } finally {
    await moto.stop()
  }
  console.log(
    `${runs} sequences, ${calls} calls in ${((performance.now() - startedMs) / 1_000).toFixed(0)} s from seed ${options.seed}: ${shown.size} ways of parting`,
  )
  for (const [name, count] of shown) console.log(`  ${count}x ${name}`)
  return shown.size === 0 ? 0 : 1
}

function nameOf({ step, found }: Parting): string {
  const paths = found.map(({ path, recorded, ours }) =>
    path === 'error' ? `${path} (moto ${String(recorded)}, ours ${String(ours)})` : path,
  )
  return `${step.service} ${step.operation}: ${[...new Set(paths)].slice(0, 4).join(', ')}`
}

/** Leaves out every step without which they still part in the same way. */
async function shrunk(
  moto: Moto,
  steps: readonly Step[],
  name: string,
): Promise<{ readonly steps: readonly Step[]; readonly parting: Parting }> {
  let kept = steps
  for (let at = kept.length - 2; at >= 0; at--) {
    const fewer = kept.toSpliced(at, 1)
    const { parting } = await play(moto, fewer)
    if (parting !== undefined && nameOf(parting) === name) kept = fewer
  }
  return { steps: kept, parting: (await play(moto, kept)).parting as Parting }
}

function print(seed: number, name: string, { steps, parting }: Awaited<ReturnType<typeof shrunk>>): void {
  console.log(`seed ${seed}: ${name}`)
  for (const { operation, input } of steps) console.log(`  ${operation} ${JSON.stringify(input)}`)
  for (const { path, recorded, ours } of parting.found.slice(0, 6)) {
    console.log(`    ${path}: moto ${JSON.stringify(recorded)}`)
    console.log(`    ${' '.repeat(path.length)}  ours ${JSON.stringify(ours)}`)
  }
}
