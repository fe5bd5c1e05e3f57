// An RSA key that is the same in every run: its primes are the first at or above numbers that follow from a fixed label. Finding
// those of 2048 bits takes a tenth of a second, so there is one key per length for the whole process, whatever the seed: like every
// key of the emulator it protects nothing.
import { rsaPrime, rsaPrivateKey } from '#base'
import { hashRandom } from './state/hash-random.ts'

/** By length. Results of a pure function. */
const keys = new Map<number, string>()

/** A private key as PKCS#8 PEM. */
export function fixedRsaKey(bits: number): string {
  let key = keys.get(bits)
  if (key === undefined) keys.set(bits, (key = makeKey(bits)))
  return key
}

function makeKey(bits: number): string {
  const random = hashRandom(`rsa key of ${bits} bits`)
  const [p, q] = ['p', 'q'].map(name => rsaPrime(random.fork(name), bits / 2)) as [bigint, bigint]
  return rsaPrivateKey(p, q).export({ type: 'pkcs8', format: 'pem' }).toString()
}
