// The chaos command in small: it starts, misbehaves for twenty seconds, and finds nothing left over.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runChaos } from '../chaos/chaos.ts'
import { controlPlaneSkipped } from './shared.ts'

const skip = await controlPlaneSkipped()

test('twenty seconds of chaos leave nothing over', skip === undefined ? { timeout: 1_200_000 } : { skip }, async t => {
  const { troubles, counts } = await runChaos({ forMs: 20_000, seed: 'smoke', say: line => t.diagnostic(line) })
  assert.deepEqual(troubles, [])
  assert.ok((counts.get('made') ?? 0) > 0, 'people made something')
})
