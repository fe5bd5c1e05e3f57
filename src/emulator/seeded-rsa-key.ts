// An RSA key that is the same in every run: its primes are the first at or above numbers that follow from a fixed label. Finding
// those of 2048 bits takes a tenth of a second, so there is one key per length and owner for the whole process, whatever the seed: like every
// key of the emulator it protects nothing.
import { rsaPrime, rsaPrivateKey } from '#base'
import { hashRandom } from './state/hash-random.ts'

/** The keys that were made, by length and owner. They are results of a pure function, so keeping them changes nothing. */
const keys = new Map<string, string>()

/** A private key as PKCS#8 PEM. */
export function fixedRsaKey(bits: number, owner = ''): string {
  const name = `rsa key of ${bits} bits${owner}`
  let key = keys.get(name)
  if (key === undefined) keys.set(name, (key = makeKey(bits, name)))
  return key
}

function makeKey(bits: number, name: string): string {
  const random = hashRandom(name)
  const [p, q] = ['p', 'q'].map(prime => rsaPrime(random.fork(prime), bits / 2)) as [bigint, bigint]
  return rsaPrivateKey(p, q).export({ type: 'pkcs8', format: 'pem' }).toString()
}
