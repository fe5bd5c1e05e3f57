// An RSA key that is the same in every run: its primes are the first at or above numbers that follow from a fixed label. Finding
// those of 2048 bits takes a tenth of a second, so there is one key per length for the whole process, whatever the seed: like every
// key of the emulator it protects nothing.
import { checkPrimeSync, createPrivateKey } from 'node:crypto'
import { hashRandom } from './state/hash-random.ts'

/** By length. Results of a pure function. */
const keys = new Map<number, string>()

/** A private key as PKCS#8 PEM. */
export function fixedRsaKey(bits: number): string {
  let key = keys.get(bits)
  if (key === undefined) keys.set(bits, (key = makeKey(bits)))
  return key
}

const publicExponent = 65_537n

function makeKey(bits: number): string {
  const random = hashRandom(`rsa key of ${bits} bits`)
  const [p, q] = ['p', 'q'].map(name => primeFrom(random.fork(name).bytes(bits / 16))) as [bigint, bigint]
  const d = inverse(publicExponent, (p - 1n) * (q - 1n))
  const jwk = {
    kty: 'RSA',
    n: encoded(p * q),
    e: encoded(publicExponent),
    d: encoded(d),
    p: encoded(p),
    q: encoded(q),
    dp: encoded(d % (p - 1n)),
    dq: encoded(d % (q - 1n)),
    qi: encoded(inverse(q, p)),
  }
  return createPrivateKey({ key: jwk, format: 'jwk' }).export({ type: 'pkcs8', format: 'pem' }).toString()
}

/** With its two top bits set, so that the product of two has all its bits. */
function primeFrom(bytes: Uint8Array): bigint {
  const top = 3n << BigInt(bytes.length * 8 - 2)
  for (let candidate = BigInt(`0x${Buffer.from(bytes).toString('hex')}`) | top | 1n; ; candidate += 2n) {
    if (candidate % publicExponent !== 1n && checkPrimeSync(candidate)) return candidate
  }
}

/** By the extended algorithm of Euclid. */
function inverse(value: bigint, modulus: bigint): bigint {
  let [r, nextR, s, nextS] = [value, modulus, 1n, 0n]
  while (nextR !== 0n) {
    const quotient = r / nextR
    ;[r, nextR, s, nextS] = [nextR, r - quotient * nextR, nextS, s - quotient * nextS]
  }
  return ((s % modulus) + modulus) % modulus
}

function encoded(value: bigint): string {
  const hex = value.toString(16)
  return Buffer.from(hex.length % 2 === 1 ? `0${hex}` : hex, 'hex').toString('base64url')
}
