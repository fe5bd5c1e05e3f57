// Keys that sign ServiceAccount tokens (§3.12): what of them is public, and their ids. Private keys are made, stored and handed over,
// and never parsed: a key that somebody else brought may live in another form.
import { createHash, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import { BoundedCache, parsePem } from '#base'

/** Modulus length of keys that we make. */
export const signingKeyBits = 2048

/** The public half, as the key set lists it. */
export interface PublicKey {
  readonly keyId: string
  /** PKIX PEM. */
  readonly pem: string
  /** base64url, without padding and leading zeros. */
  readonly modulus: string
  readonly exponent: string
}

export interface KeyPair {
  /** PKCS#1 PEM. */
  readonly privatePem: string
  readonly publicPem: string
  readonly keyId: string
}

/** What was read before, by its text: every look at a cluster's keys holds them against those of every other cluster. */
const known = new BoundedCache<string, { readonly key: PublicKey | undefined }>(4 * 1024 * 1024)

/** Reads `sa.pub`. The label of the block is not looked at; what counts is an RSA key in PKIX form. */
export function parsePublicKey(pem: string): PublicKey | undefined {
  return known.getOrMake(
    pem,
    () => ({ key: readPublicKey(pem) }),
    () => pem.length,
  ).key
}

function readPublicKey(pem: string): PublicKey | undefined {
  const block = parsePem(pem)[0]
  if (block === undefined) return undefined
  let key: KeyObject
  try {
    key = createPublicKey({ key: Buffer.from(block.bytes), format: 'der', type: 'spki' })
  } catch {
    return undefined
  }
  if (key.asymmetricKeyType !== 'rsa') return undefined
  const { n, e } = key.export({ format: 'jwk' })
  if (n === undefined || e === undefined) return undefined
  return { keyId: keyIdOf(key), pem: key.export({ type: 'spki', format: 'pem' }).toString(), modulus: n, exponent: e }
}

/** A pair in the forms in which the Secret holds it, of a private key in any form. */
export function keyPairOf(privatePem: string): KeyPair {
  const key = createPrivateKey(privatePem)
  const publicKey = createPublicKey(key)
  return {
    privatePem: key.export({ type: 'pkcs1', format: 'pem' }).toString(),
    publicPem: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    keyId: keyIdOf(publicKey),
  }
}

function keyIdOf(key: KeyObject): string {
  return createHash('sha256')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest('base64url')
}
