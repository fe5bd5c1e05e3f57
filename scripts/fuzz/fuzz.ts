// `npm run fuzz -- apiserver [--runs N] [--seed S] [--seconds S] [--steps N]`: random valid and broken sequences against the real
// kube-apiserver and the embedded one in one run; where they part, the sequence is shrunk and printed with its seed.
// `npm run fuzz -- aws [--runs N] [--seed S] [--seconds S] [--steps N]`: random calls to the AWS emulator and to moto; see aws-fuzz.ts.
// `npm run fuzz -- webhook [--runs N] [--seed S]`: random sound and broken reviews to the pod webhook; see webhook-fuzz.ts.
// `npm run fuzz -- parsers [--runs N] [--seed S]`, or the name of one: mutated inputs to everything that parses; see parser-fuzz.ts.
import { parseArgs } from 'node:util'
import { seededRandom } from '#base'
import { embeddedTarget } from '../../test/conformance/apiserver/embedded-target.ts'
import { parting, play, prepareFuzz, shrink } from '../../test/conformance/apiserver/fuzz/play.ts'
import { type FuzzStep, fuzzSteps } from '../../test/conformance/apiserver/fuzz/steps.ts'
import { startControlPlane } from '../../test/real/control-plane.ts'
import { realTarget } from '../../test/real/real-target.ts'
import { obtainKubernetes } from '../kubernetes.ts'

const runsDefault = 200

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    runs: { type: 'string' },
    seed: { type: 'string', default: '1' },
    seconds: { type: 'string', default: '60' },
    steps: { type: 'string', default: '25' },
    show: { type: 'string', default: '20' },
    large: { type: 'boolean', default: false },
  },
})
if (positionals[0] === 'webhook') {
  const { fuzzWebhook } = await import('./webhook-fuzz.ts')
  process.exit(
    await fuzzWebhook({ runs: values.runs === undefined ? undefined : Number(values.runs), seed: Number(values.seed) }),
  )
}
const { targets, fuzzLargeInputs, fuzzParsers } = await import('./parser-fuzz.ts')
const parsers = positionals[0] === 'parsers' ? Object.keys(targets) : positionals.filter(name => name in targets)
if (parsers.length > 0) {
  if (values.large) process.exit(fuzzLargeInputs(parsers))
  const [runs, seed, show] = [values.runs ?? '20000', values.seed, values.show].map(Number) as [number, number, number]
  process.exit(fuzzParsers(parsers, { runs, seed, show }))
}
if (positionals[0] === 'aws') {
  const { fuzzAws } = await import('./aws-fuzz.ts')
  const [seed, seconds, steps, show] = [values.seed, values.seconds, values.steps, values.show].map(Number) as [
    number,
    number,
    number,
    number,
  ]
  process.exit(await fuzzAws({ runs: values.runs === undefined ? undefined : Number(values.runs), seed, seconds, steps, show }))
}
if (positionals[0] !== 'apiserver') {
  console.log('usage: npm run fuzz -- apiserver [--runs N] [--seed S] [--seconds S] [--steps N] [--show N]')
  console.log('       npm run fuzz -- aws [--runs N] [--seed S] [--seconds S] [--steps N] [--show N]')
  console.log('       npm run fuzz -- webhook [--runs N] [--seed S]')
  console.log('       npm run fuzz -- parsers [--runs N] [--seed S] [--show N] [--large], or by name:')
  console.log(`         ${Object.keys(targets).join(' ')}`)
  process.exit(positionals.length === 0 ? 0 : 2)
}
const obtained = await obtainKubernetes()
if ('skipped' in obtained) {
  console.log(`skipped: ${obtained.skipped}`)
  process.exit(0)
}

const plane = await startControlPlane({ programs: obtained.programs })
let failed = false
let silences = 0
try {
  failed = await fuzz()
} finally {
  await plane.stop()
}
process.exit(failed ? 1 : 0)

async function fuzz(): Promise<boolean> {
  const [real, embedded] = [realTarget(plane), embeddedTarget()]
  await prepareFuzz(real)
  await prepareFuzz(embedded)
  let plays = 0
  const part = async (steps: readonly FuzzStep[]): Promise<ReturnType<typeof parting>> => {
    const id = `f${++plays}`
    const [expected, actual] = [await play(real, steps, id), await play(embedded, steps, id)]
    requests += expected.length
    return parting(expected, actual)
  }
  let requests = 0
  let runs = 0
  const kinds = new Map<string, number>()
  const end = performance.now() + Number(values.seconds) * 1000
  for (; runs < Number(values.runs ?? runsDefault) && performance.now() < end; runs++) {
    const seed = `${values.seed}-${runs}`
    const steps = fuzzSteps(seededRandom(seed), Number(values.steps))
    const found = await part(steps).catch((error: unknown) => silent(seed, error))
    if (found === undefined) continue
    const kind = kindOf(found)
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
    if (kinds.get(kind) !== 1 || kinds.size > Number(values.show)) continue
    const least = await shrink(steps.slice(0, found.index + 1), async some => {
      const again = await part(some)
      return again !== undefined && kindOf(again) === kind
    })
    const shown = (await part(least)) ?? found
    console.log(`\nseed ${seed}, ${steps.length} steps shrunk to ${least.length}:`)
    for (const step of least) console.log(`  ${JSON.stringify(step)}`)
    console.log(`  at ${shown.what}\n${shown.difference.replaceAll(/^/gm, '    ')}`)
  }
  await embedded.close()
  const differing = [...kinds.values()].reduce((sum, count) => sum + count, 0)
  console.log(
    `\n${runs} runs, ${requests} requests to each server, ${differing} runs differ in ${kinds.size} ways, ${silences} got no answer`,
  )
  return differing > 0
}

/** A server that gives no answer in time is told about, and the run is none. */
function silent(seed: string, error: unknown): undefined {
  silences++
  console.log(`\nseed ${seed}: no answer in time: ${error instanceof Error ? error.message : String(error)}`)
}

/** Differences of one kind are told once: the request's form and the places that differ, without names and numbers. */
function kindOf({ what, difference }: { what: string; difference: string }): string {
  const places = difference.split('\n').map(line => line.split(':')[0]?.replaceAll(/\[\d+\]/g, '[]') ?? '')
  return `${what.replaceAll(/\bf\d+\b/g, 'ns')} ${places.join(' ')}`
}
