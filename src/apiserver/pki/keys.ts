// Private keys from a stream of randomness: the same seed gives the same keys, and with the system's randomness they are as good as
// any. Node's own generators cannot be seeded, but its primality test is a pure function.
import { checkPrimeSync, createECDH, createPrivateKey, type KeyObject } from 'node:crypto'
import type { Random } from '#base'

const p256Order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n

/** A P-256 key. */
export function makeEcKey(random: Random): KeyObject {
  const scalar = (toBigint(random.bytes(40)) % (p256Order - 1n)) + 1n
  const d = toBytes(scalar, 32)
  const curve = createECDH('prime256v1')
  curve.setPrivateKey(d)
  const point = curve.getPublicKey()
  const x = base64url(point.subarray(1, 33))
  const y = base64url(point.subarray(33, 65))
  return createPrivateKey({ key: { kty: 'EC', crv: 'P-256', d: base64url(d), x, y }, format: 'jwk' })
}

const exponent = 65_537n

/** An RSA key of 2048 bits: what clouds accept from a token issuer. Takes a few tens of milliseconds, so it is made when needed. */
export function makeRsaKey(random: Random): KeyObject {
  const bits = 1_024
  const p = findPrime(random, bits)
  let q = findPrime(random, bits)
  while (q === p) q = findPrime(random, bits)
  const d = inverse(exponent, (p - 1n) * (q - 1n))
  const field = (value: bigint): string => base64url(toBytes(value, Math.ceil(value.toString(16).length / 2)))
  const key = {
    kty: 'RSA',
    n: field(p * q),
    e: field(exponent),
    d: field(d),
    p: field(p),
    q: field(q),
    dp: field(d % (p - 1n)),
    dq: field(d % (q - 1n)),
    qi: field(inverse(q, p)),
  }
  return createPrivateKey({ key, format: 'jwk' })
}

/** Small factors are sieved out here; they would cost a full test each. */
const smallPrimes = primesBelow(2_000)

function findPrime(random: Random, bits: number): bigint {
  for (;;) {
    const bytes = Uint8Array.from(random.bytes(bits / 8))
    // Both top bits, so that the product has its full length; odd.
    bytes[0] = (bytes[0] as number) | 0xc0
    bytes[bytes.length - 1] = (bytes.at(-1) as number) | 1
    const start = toBigint(bytes)
    const residues = smallPrimes.map(prime => Number(start % BigInt(prime)))
    for (let offset = 0; offset < 4_000; offset += 2) {
      if (smallPrimes.some((prime, index) => ((residues[index] as number) + offset) % prime === 0)) continue
      const candidate = start + BigInt(offset)
      if ((candidate - 1n) % exponent !== 0n && checkPrimeSync(candidate)) return candidate
    }
  }
}

function primesBelow(limit: number): number[] {
  const primes: number[] = []
  for (let number = 3; number < limit; number += 2) {
    if (primes.every(prime => number % prime !== 0)) primes.push(number)
  }
  return primes
}

/** By the extended algorithm of Euclid; the arguments have no common factor. */
function inverse(value: bigint, modulus: bigint): bigint {
  let [a, b] = [value % modulus, modulus]
  let [x, y] = [1n, 0n]
  while (b !== 0n) {
    const quotient = a / b
    ;[a, b] = [b, a - quotient * b]
    ;[x, y] = [y, x - quotient * y]
  }
  return ((x % modulus) + modulus) % modulus
}

function toBigint(bytes: Uint8Array): bigint {
  return BigInt(`0x${Buffer.from(bytes).toString('hex')}`)
}

function toBytes(value: bigint, length: number): Buffer {
  return Buffer.from(value.toString(16).padStart(length * 2, '0'), 'hex')
}

function base64url(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64url')
}
