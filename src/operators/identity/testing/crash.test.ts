// A few of the deaths; `node test/identity/crash-all.ts` dies at every step.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Death, liveAndDie } from './crash.ts'

const deaths: readonly (readonly [why: string, death: Death])[] = [
  ['after the key was made and before anybody knows', { part: 'create', nth: 3, instant: 'after' }],
  ['before the provider is made, the documents being there', { part: 'create', nth: 19, instant: 'before' }],
  ['after the next key was written down', { part: 'rotate', nth: 1, instant: 'after' }],
  ['after the provider was deleted', { part: 'delete', nth: 13, instant: 'after' }],
]

for (const [why, death] of deaths) {
  test(`a process that dies ${why} leaves nothing wrong and nothing behind [B1, S12, L4]`, async () => {
    const { died } = await liveAndDie(death)
    assert.equal(died, true)
  })
}

test('where the runtime goes is recorded before the first object is made there [P2]', async () => {
  const { deeds } = await liveAndDie({ part: 'create', nth: 1_000, instant: 'before' })
  const touched = deeds.findIndex(deed => deed.startsWith('target '))
  const records = deeds.slice(0, touched).filter(deed => deed.endsWith('/awsworkloadidentityconfigs/default/status'))
  assert.equal(records.length, 2, deeds.slice(0, touched).join('; '))
})
