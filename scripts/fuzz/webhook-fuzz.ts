// `npm run fuzz -- webhook`: ten thousand random cases (G-02) of sound reviews and as many broken ones, through the whole webhook; a tenth of
// that of whole pods, judged by the embedded API server, and of whole worlds, judged by the oracle. What fails is shrunk and printed with its seed.
import { fuzzAzureAgainstOracle } from '../../src/operators/pods/testing/azure-oracle-play.ts'
import { fuzzAzure, openFuzzedAzure } from '../../src/operators/pods/testing/azure-play.ts'
import { openEmbeddedCluster } from '../../src/operators/pods/testing/embedded.ts'
import { fuzzAgainstOracle } from '../../src/operators/pods/testing/oracle-play.ts'
import { fuzzBroken, fuzzSound, openFuzzedWebhook } from '../../src/operators/pods/testing/play.ts'
import { assertValidStaysValid } from '../../src/operators/pods/testing/valid-pods.ts'

const runsDefault = 10_000

/** The exit code. */
export async function fuzzWebhook({
  runs = runsDefault,
  seed,
}: {
  readonly runs: number | undefined
  readonly seed: number
}): Promise<number> {
  await using fuzzed = await openFuzzedWebhook()
  const parts: readonly (readonly [string, () => Promise<string>])[] = [
    [
      'sound reviews: additions only, once, in any order of fields',
      () => fuzzSound(fuzzed, { runs, seed }).then(() => `${runs} reviews, each asked three times`),
    ],
    ['broken reviews: a well-formed answer', () => fuzzBroken(fuzzed, { runs, seed }).then(() => `${runs} reviews`)],
    ['Azure: pods get their identity once, or are refused in words', () => azure(runs, seed)],
    ['Azure: broken reviews, a well-formed answer', () => azureBroken(runs, seed)],
    ['valid pods stay valid, and otherwise the same', () => judged(Math.ceil(runs / 10), seed)],
    ['the effective pods are those of the specification', () => foretold(Math.ceil(runs / 10), seed)],
    ['Azure: the effective pods are those of the specification', () => azureForetold(Math.ceil(runs / 10), seed)],
  ]
  let failed = 0
  for (const [what, run] of parts) {
    const startedMs = performance.now()
    try {
      console.log(`ok      ${what}: ${await run()} in ${((performance.now() - startedMs) / 1_000).toFixed(1)} s`)
    } catch (error) {
      failed++
      console.log(`FAILED  ${what}\n${(error as Error).message.replaceAll(/^/gm, '  ')}`)
    }
  }
  return failed === 0 ? 0 : 1
}

async function judged(runs: number, seed: number): Promise<string> {
  await using cluster = await openEmbeddedCluster()
  const accepted = await assertValidStaysValid(cluster.client, cluster.namespace, { runs, seed })
  return `${accepted} of ${runs} pods were valid`
}

async function foretold(runs: number, seed: number): Promise<string> {
  const { reviews, mutated } = await fuzzAgainstOracle({ runs, seed })
  return `${reviews} reviews in ${runs} worlds, ${mutated} pods given an identity`
}

async function azureForetold(runs: number, seed: number): Promise<string> {
  const { pod, refused, corrected } = await fuzzAzureAgainstOracle({ runs, seed })
  return `${pod} pods foretold, ${refused} refusals, ${corrected} that upstream makes wrong, in ${runs} worlds`
}

async function azure(runs: number, seed: number): Promise<string> {
  await using fuzzed = await openFuzzedAzure()
  const { given, refused } = await fuzzAzure(fuzzed, { runs, seed })
  return `${runs} pods, ${given} given an identity, ${refused} refused`
}

async function azureBroken(runs: number, seed: number): Promise<string> {
  await using fuzzed = await openFuzzedAzure()
  await fuzzBroken(fuzzed, { runs, seed })
  return `${runs} reviews`
}
