// Private keys from a stream of randomness: the same seed gives the same keys.
import type { KeyObject } from 'node:crypto'
import { ecPrivateKey, type Random, rsaPrime, rsaPrivateKey } from '#base'

const p256Order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n

/** A P-256 key. */
export function makeEcKey(random: Random): KeyObject {
  const drawn = BigInt(`0x${Buffer.from(random.bytes(40)).toString('hex')}`)
  const scalar = (drawn % (p256Order - 1n)) + 1n
  return ecPrivateKey(Buffer.from(scalar.toString(16).padStart(64, '0'), 'hex'))
}

/** An RSA key of 2048 bits: what clouds accept from a token issuer. Takes a few tens of milliseconds, so it is made when needed. */
export function makeRsaKey(random: Random): KeyObject {
  const p = rsaPrime(random, 1_024)
  let q = rsaPrime(random, 1_024)
  while (q === p) q = rsaPrime(random, 1_024)
  return rsaPrivateKey(p, q)
}
