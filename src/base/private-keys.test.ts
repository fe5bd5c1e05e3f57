import assert from 'node:assert/strict'
import { createPublicKey, sign, verify } from 'node:crypto'
import { test } from 'node:test'
import { type Curve, curveBytes, ecPrivateKey, rsaPrime, rsaPrivateKey } from './private-keys.ts'
import { seededRandom } from './seams/random.ts'

test('an RSA key of drawn primes has all its bits, follows from the randomness, and signs', () => {
  const make = (seed: number) => {
    const random = seededRandom(seed)
    return rsaPrivateKey(rsaPrime(random, 512), rsaPrime(random, 512))
  }
  const key = make(1)
  assert.deepEqual(key.asymmetricKeyDetails, { modulusLength: 1024, publicExponent: 65_537n })
  assert.ok(key.equals(make(1)))
  assert.ok(!key.equals(make(2)))
  assert.ok(verify('sha256', Buffer.from('x'), createPublicKey(key), sign('sha256', Buffer.from('x'), key)))
})

test('a key of each curve has the point of its scalar', () => {
  for (const curve of Object.keys(curveBytes) as Curve[]) {
    const scalar = new Uint8Array(curveBytes[curve])
    scalar[scalar.length - 1] = 7
    const key = ecPrivateKey(scalar, curve)
    assert.equal(
      key.asymmetricKeyDetails?.namedCurve,
      { 'P-256': 'prime256v1', 'P-384': 'secp384r1', 'P-521': 'secp521r1' }[curve],
    )
    assert.ok(verify('sha256', Buffer.from('x'), createPublicKey(key), sign('sha256', Buffer.from('x'), key)))
  }
})
