// A little of `npm run fuzz -- webhook`, the same each time.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fuzzAzure, openFuzzedAzure } from './testing/azure-play.ts'
import { openEmbeddedCluster } from './testing/embedded.ts'
import { fuzzBroken, fuzzSound, openFuzzedWebhook } from './testing/play.ts'
import { assertValidStaysValid } from './testing/valid-pods.ts'

test('through the whole webhook, random pods get additions, once, whatever the order of their fields [T-01 to T-05, T-07]', async () => {
  await using fuzzed = await openFuzzedWebhook()
  await fuzzSound(fuzzed, { runs: 200, seed: 1 })
})

test('broken reviews get a well-formed answer [T-06, X1]', async () => {
  await using fuzzed = await openFuzzedWebhook()
  await fuzzBroken(fuzzed, { runs: 300, seed: 1 })
})

test('on the embedded API server: a pod that is valid without identity is valid with it, and otherwise the same [E-07]', async () => {
  await using cluster = await openEmbeddedCluster()
  const accepted = await assertValidStaysValid(cluster.client, cluster.namespace, { runs: 60, seed: 1 })
  assert.ok(accepted >= 20, `only ${accepted} of the pods were valid`)
})

test('the Azure webhook answers random pods and broken reviews, and adds nothing the second time [T-02, T-06]', async () => {
  await using fuzzed = await openFuzzedAzure()
  const { given, refused } = await fuzzAzure(fuzzed, { runs: 200, seed: 1 })
  assert.ok(given > 50 && refused > 5, `${given} given, ${refused} refused`)
  await fuzzBroken(fuzzed, { runs: 200, seed: 1 })
})
