import assert from 'node:assert/strict'
import { createPrivateKey, createPublicKey, sign, verify } from 'node:crypto'
import { test } from 'node:test'
import { seededEcKey } from './seeded-key.ts'
import { fixedRsaKey } from './seeded-rsa-key.ts'
import { hashRandom } from './state/hash-random.ts'

function serves(pem: string): boolean {
  const text = Buffer.from('signed')
  return verify('sha256', text, createPublicKey(pem), sign('sha256', text, pem))
}

test('a key of each curve follows from the stream, and signs', () => {
  for (const curve of ['P-256', 'P-384', 'P-521'] as const) {
    const key = seededEcKey(hashRandom('a'), curve)
    assert.equal(key, seededEcKey(hashRandom('a'), curve))
    assert.notEqual(key, seededEcKey(hashRandom('b'), curve))
    assert.ok(serves(key), curve)
  }
})

test('the RSA key of a length has all its bits, and signs', () => {
  const key = fixedRsaKey(1024)
  assert.deepEqual(createPrivateKey(key).asymmetricKeyDetails, { modulusLength: 1024, publicExponent: 65537n })
  assert.ok(serves(key))
  assert.equal(fixedRsaKey(1024), key)
})
