// A little of what `npm run fuzz -- webhook` asks of the oracle, the same each time.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fuzzAgainstOracle } from './testing/oracle-play.ts'

test('the pods of the whole webhook are those that the tables of docs/rules say, in random worlds [P1, G-01]', async () => {
  const { reviews, mutated } = await fuzzAgainstOracle({ runs: 80, seed: 1 })
  assert.ok(mutated > reviews / 10, `only ${mutated} of ${reviews} pods were given an identity`)
})
