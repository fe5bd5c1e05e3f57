// The whole Azure webhook, from its flags to its answer, against the oracle.
import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { type AzureAsked, azureAsked } from './azure-asked.ts'
import { expectedAzurePod, whyNotTaken } from './azure-oracle.ts'
import { type AzureReply, ask, openAzure, patched } from './azure-world.ts'

/** How many reviews the oracle foretold what of. */
export type AzureOracleCounts = Record<ReturnType<typeof expectedAzurePod>['kind'], number>

/** Throws with the least world in which the two differ. */
export async function fuzzAzureAgainstOracle({
  runs,
  seed,
}: {
  readonly runs: number
  readonly seed: number
}): Promise<AzureOracleCounts> {
  const counts: AzureOracleCounts = { pod: 0, refused: 0, corrected: 0 }
  await fc.assert(
    fc.asyncProperty(azureAsked, one => compare(one, counts)),
    { numRuns: runs, seed },
  )
  return counts
}

async function compare({ world, serverVersion, asks }: AzureAsked, counts: AzureOracleCounts): Promise<void> {
  const { flags, env, accounts } = world
  const ends: (() => Promise<void>)[] = []
  const opened = await openAzure(
    { after: end => void ends.push(end as () => Promise<void>) },
    { flags, env, accounts, serverVersion },
  )
  try {
    for (const { namespace, pod } of asks) {
      const expected = expectedAzurePod(world, namespace, pod)
      counts[expected.kind]++
      const reply = await ask(opened, pod, { namespace })
      const said = reply.response?.status?.message
      switch (expected.kind) {
        case 'refused':
          assert.equal(said, expected.message)
          break
        case 'pod':
          assert.equal(reply.response?.allowed, true, said)
          assert.deepEqual(normal(patched(pod, reply), namespace), normal(expected.pod, namespace))
          break
        default:
          assertCorrected(pod, reply, expected.why)
      }
    }
  } finally {
    for (const end of ends) await end()
  }
}

/** A pod that an API server takes, or a refusal of the proxy in words. */
function assertCorrected(pod: unknown, reply: AzureReply, why: string): void {
  if (reply.response?.allowed !== true) assert.match(reply.response?.status?.message ?? '', /proxy sidecar/, why)
  else assert.equal(whyNotTaken({ ...patched(pod, reply).spec }), undefined, why)
}

/** §0.3. */
function normal(pod: unknown, namespace: string): unknown {
  const mayBeEmpty = new Set(['volumes', 'initContainers', 'env', 'volumeMounts'])
  return JSON.parse(
    JSON.stringify(pod, (key, value: unknown) => {
      if (Array.isArray(value) && value.length === 0 && mayBeEmpty.has(key)) return undefined
      return key === 'namespace' && value === namespace ? undefined : value
    }),
  )
}
