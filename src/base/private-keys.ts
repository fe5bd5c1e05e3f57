// Private keys from numbers. Node's own generators cannot be seeded; with these the same randomness gives the same key, and with the
// system's randomness it is as good as theirs.
import { checkPrimeSync, createECDH, createPrivateKey, type KeyObject } from 'node:crypto'
import type { Random } from './seams/random.ts'

export type Curve = 'P-256' | 'P-384' | 'P-521'

/** Bytes of a scalar of the curve, and of each coordinate of its points. */
export const curveBytes: Readonly<Record<Curve, number>> = { 'P-256': 32, 'P-384': 48, 'P-521': 66 }

/** The scalar is above zero, below the order of the group, and as long as the curve says. */
export function ecPrivateKey(scalar: Uint8Array, crv: Curve = 'P-256'): KeyObject {
  const length = curveBytes[crv]
  const curve = createECDH(curveNames[crv])
  curve.setPrivateKey(scalar)
  const point = curve.getPublicKey()
  const key = {
    kty: 'EC',
    crv,
    d: base64url(scalar),
    x: base64url(point.subarray(1, 1 + length)),
    y: base64url(point.subarray(1 + length)),
  }
  return createPrivateKey({ key, format: 'jwk' })
}

const curveNames: Readonly<Record<Curve, string>> = { 'P-256': 'prime256v1', 'P-384': 'secp384r1', 'P-521': 'secp521r1' }

const exponent = 65_537n

/** Of two different primes that `rsaPrime` found. */
export function rsaPrivateKey(p: bigint, q: bigint): KeyObject {
  const d = inverse(exponent, (p - 1n) * (q - 1n))
  const key = {
    kty: 'RSA',
    n: encoded(p * q),
    e: encoded(exponent),
    d: encoded(d),
    p: encoded(p),
    q: encoded(q),
    dp: encoded(d % (p - 1n)),
    dq: encoded(d % (q - 1n)),
    qi: encoded(inverse(q, p)),
  }
  return createPrivateKey({ key, format: 'jwk' })
}

/** The first prime from a number that is drawn, with both top bits set, so that the product of two has all its bits. */
export function rsaPrime(random: Random, bits: number): bigint {
  const start = BigInt(`0x${Buffer.from(random.bytes(bits / 8)).toString('hex')}`) | (3n << BigInt(bits - 2)) | 1n
  const smallPrimes = (sieve ??= primesBelow(2_000))
  const residues = smallPrimes.map(prime => Number(start % BigInt(prime)))
  for (let offset = 0; ; offset += 2) {
    if (smallPrimes.some((prime, index) => ((residues[index] as number) + offset) % prime === 0)) continue
    const candidate = start + BigInt(offset)
    if (candidate % exponent !== 1n && checkPrimeSync(candidate)) return candidate
  }
}

/** Small factors are sieved out; they would cost a full test each. Found when the first key is made, since most programs make none. */
let sieve: readonly number[] | undefined

function primesBelow(limit: number): readonly number[] {
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

function encoded(value: bigint): string {
  const hex = value.toString(16)
  return base64url(Buffer.from(hex.length % 2 === 1 ? `0${hex}` : hex, 'hex'))
}

function base64url(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64url')
}
