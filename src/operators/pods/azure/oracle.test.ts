// A little of what `npm run fuzz -- webhook` asks of the oracle of the Azure webhook, the same each time.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fuzzAzureAgainstOracle } from '../testing/azure-oracle-play.ts'

test('pods are those that upstream makes, in random worlds, and where an API server would refuse those, ones that it takes [P1, P2]', async () => {
  const { pod, refused, corrected } = await fuzzAzureAgainstOracle({ runs: 80, seed: 1 })
  assert.ok(pod > 60 && refused > 20 && corrected > 10, `${pod} pods foretold, ${refused} refused, ${corrected} corrected`)
})
