import assert from 'node:assert/strict'
import { test } from 'node:test'
import { claimKey, parseClaimKey, renderClaimKey } from './claim-key.ts'

for (const [text, key] of [
  ['a/b', { cluster: '', namespace: 'a', name: 'b' }],
  ['b', { cluster: '', namespace: '', name: 'b' }],
  ['c//a/b', { cluster: 'c', namespace: 'a', name: 'b' }],
  ['c//b', { cluster: 'c', namespace: '', name: 'b' }],
] as const)
  test(`${text} names one claim, and is what that claim is written as`, () => {
    assert.deepEqual(parseClaimKey(text), key)
    assert.equal(renderClaimKey(key), text)
  })

test('a key without a cluster is one of the hub, and nothing but a key is kept of an object', () => {
  assert.deepEqual(claimKey({ namespace: 'a', name: 'b' }), { cluster: '', namespace: 'a', name: 'b' })
  const more = { cluster: 'c', namespace: 'a', name: 'b', uid: 'u' }
  assert.deepEqual(claimKey(more), { cluster: 'c', namespace: 'a', name: 'b' })
})
