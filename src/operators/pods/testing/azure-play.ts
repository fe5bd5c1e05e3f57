// The Azure webhook under random reviews: pods that are odd in what it looks at, in sound reviews; the broken ones are those of every webhook.
import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { ManualClock, memoryFiles, seededRandom, silentLog } from '#base'
import { applyJsonPatch } from '#kube'
import { azurePrefix as prefix } from '../azure/api.ts'
import { readAzureProgram } from '../flags/azure-settings.ts'
import type { PatchValue } from '../patch.ts'
import { createAzureWebhook } from '../serve/azure-webhook.ts'
import { azurePods } from './azure-reviews.ts'
import { fakeCluster } from './fake-cluster.ts'
import { type Fuzz, type FuzzedWebhook, playing, wellFormed } from './play.ts'

export async function openFuzzedAzure(): Promise<FuzzedWebhook> {
  const cluster = fakeCluster()
  const clock = new ManualClock()
  cluster.put('ServiceAccount', 'ns1/app', { metadata: { annotations: { [`${prefix}/client-id`]: 'id' } } })
  const { webhook: settings } = readAzureProgram([], { AZURE_TENANT_ID: 'tenant' })
  const seams = { clock, random: seededRandom(1), log: silentLog, files: memoryFiles({}, () => clock.now()) }
  const webhook = createAzureWebhook({ client: cluster.client, seams, settings })
  return playing(webhook, clock)
}

/** Throws with the least pod that does not hold; how many were given an identity and how many refused. */
export async function fuzzAzure(
  { ask }: FuzzedWebhook,
  { runs, seed }: Fuzz,
): Promise<{ readonly given: number; readonly refused: number }> {
  let [given, refused] = [0, 0]
  const patchOf = async (object: PatchValue): Promise<readonly unknown[]> => {
    const request = { uid: 'u', namespace: 'ns1', operation: 'CREATE', object }
    const review = { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', request }
    const { status, text } = await ask(Buffer.from(JSON.stringify(review)))
    assert.equal(status, 200, text)
    const { answer, patch } = wellFormed(text)
    assert.equal(answer.response.uid, 'u')
    if (!answer.response.allowed) refused++
    return patch ?? []
  }
  await fc.assert(
    fc.asyncProperty(azurePods, async pod => {
      const patch = await patchOf(pod)
      if (patch.length === 0) return
      given++
      const after = applyJsonPatch(structuredClone(pod), patch) as PatchValue
      assert.deepEqual(await patchOf(after), [], 'applied to its own result it adds something')
    }),
    { numRuns: runs, seed },
  )
  return { given, refused }
}
