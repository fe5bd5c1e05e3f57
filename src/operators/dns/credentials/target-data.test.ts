import assert from 'node:assert/strict'
import { test } from 'node:test'
import { targetData } from './target-data.ts'

for (const [what, source, flaw] of [
  ['has a service account', { 'service_account.json': new Uint8Array([1]) }, undefined],
  ['has an empty one', { 'service_account.json': new Uint8Array() }, 'the secret of the platform has no service account'],
  ['has none', {}, 'the secret of the platform has no service account'],
] as const)
  test(`the secret of a platform on GCP that ${what} ${flaw === undefined ? 'is good' : 'is told'}`, () => {
    const found = targetData({ provider: { type: 'GCP' } } as never, source as never, true)
    assert.equal('flaw' in found ? found.flaw : undefined, flaw)
  })
