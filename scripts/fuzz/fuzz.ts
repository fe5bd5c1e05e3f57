// `npm run fuzz -- apiserver [--runs N] [--seed S] [--seconds S] [--steps N]`: random valid and broken sequences against the real
// kube-apiserver and the embedded one in one run; where they part, the sequence is shrunk and printed with its seed.
// `npm run fuzz -- aws [--runs N] [--seed S] [--seconds S] [--steps N]`: random calls to the AWS emulator and to moto; see aws-fuzz.ts.
// `npm run fuzz -- webhook [--runs N] [--seed S]`: random sound and broken reviews to the pod webhook; see webhook-fuzz.ts.
// `npm run fuzz -- parsers [--runs N] [--seed S]`, or the name of one: mutated inputs to everything that parses; see parser-fuzz.ts.
import { seededRandom } from '#base'
import { embeddedTarget } from '../../test/conformance/apiserver/embedded-target.ts'
import { parting, play, prepareFuzz, shrink } from '../../test/conformance/apiserver/fuzz/play.ts'
import { type FuzzStep, fuzzSteps } from '../../test/conformance/apiserver/fuzz/steps.ts'
import { startControlPlane } from '../../test/real/control-plane.ts'
import { realTarget } from '../../test/real/real-target.ts'
import { commands } from '../flags/commands.ts'
import { takeFlags } from '../flags/flags.ts'
import { obtainKubernetes } from '../kubernetes.ts'

const runsDefault = 200

const given = takeFlags(commands['fuzz'])
const { words } = given
const numberOf = (name: string): number => Number(given.text(name))
const runsGiven = given.isGiven('runs') ? Number(given.find('runs')) : undefined
if (words[0] === 'webhook') {
  const { fuzzWebhook } = await import('./webhook-fuzz.ts')
  process.exit(await fuzzWebhook({ runs: runsGiven, seed: numberOf('seed') }))
}
const { targets, fuzzLargeInputs, fuzzParsers } = await import('./parser-fuzz.ts')
const parsers = words[0] === 'parsers' ? Object.keys(targets) : words.filter(name => name in targets)
if (parsers.length > 0) {
  if (given.isGiven('large')) process.exit(fuzzLargeInputs(parsers))
  process.exit(fuzzParsers(parsers, { runs: runsGiven ?? 20_000, seed: numberOf('seed'), show: numberOf('show') }))
}
if (words[0] === 'aws') {
  const { fuzzAws } = await import('./aws-fuzz.ts')
  const options = { seed: numberOf('seed'), seconds: numberOf('seconds'), steps: numberOf('steps'), show: numberOf('show') }
  process.exit(await fuzzAws({ runs: runsGiven, ...options }))
}
if (words[0] !== 'apiserver') {
  console.error(`name what to try: apiserver, aws, webhook, parsers, or one of them: ${Object.keys(targets).join(' ')}`)
  process.exit(2)
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
  const end = performance.now() + numberOf('seconds') * 1000
  for (; runs < (runsGiven ?? runsDefault) && performance.now() < end; runs++) {
    const seed = `${given.text('seed')}-${runs}`
    const steps = fuzzSteps(seededRandom(seed), numberOf('steps'))
    const found = await part(steps).catch((error: unknown) => silent(seed, error))
    if (found === undefined) continue
    const kind = kindOf(found)
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
    if (kinds.get(kind) !== 1 || kinds.size > numberOf('show')) continue
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
