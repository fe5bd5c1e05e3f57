// An issuer's keys: which one a token means, and whether it signed it.
import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import { isRecord, memberAt } from '../text/untyped.ts'
import type { Token, TokenAlgorithm } from './jwt.ts'

export type Jwk = Readonly<Record<string, unknown>>

/** AWS STS refuses key sets with more of either kind; nobody has so many. */
const keysPerKindMax = 100

/** The keys of a JWKS document, or why it is none. */
export function readKeySet(body: Uint8Array): readonly Jwk[] | string {
  let source: unknown
  try {
    source = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    return 'the key set is not JSON'
  }
  const keys = memberAt(source, 'keys')
  if (!Array.isArray(keys)) return 'the key set has no list "keys"'
  const known = keys.filter((key): key is Jwk => isRecord(key))
  for (const kind of ['RSA', 'EC']) {
    if (known.filter(key => key['kty'] === kind).length > keysPerKindMax)
      return `the key set has more than ${keysPerKindMax} ${kind} keys`
  }
  return known
}

/** The key that the token names. Both sides must state a `kid`; a key without one never matches. */
export function keyFor(token: Token, keys: readonly Jwk[]): Jwk | undefined {
  if (token.keyId === undefined) return undefined
  return keys.find(
    key => key['kid'] === token.keyId && fits(key, token.algorithm) && (key['use'] === undefined || key['use'] === 'sig'),
  )
}

const curves: Readonly<Record<string, string>> = { ES256: 'P-256', ES384: 'P-384', ES512: 'P-521' }

/** The key decides what algorithm it is for, never the token. */
function fits(key: Jwk, algorithm: TokenAlgorithm): boolean {
  if (key['alg'] !== undefined && key['alg'] !== algorithm) return false
  return algorithm.startsWith('RS') ? key['kty'] === 'RSA' : key['kty'] === 'EC' && key['crv'] === curves[algorithm]
}

export function signatureHolds(token: Token, key: Jwk): boolean {
  const publicKey = keyObjectOf(key)
  if (publicKey === undefined) return false
  const digest = `sha${token.algorithm.slice(2)}`
  const data = Buffer.from(token.signedText, 'ascii')
  try {
    return token.algorithm.startsWith('RS')
      ? verify(digest, data, publicKey, token.signature)
      : verify(digest, data, { key: publicKey, dsaEncoding: 'ieee-p1363' }, token.signature)
  } catch {
    return false
  }
}

// Making a key object costs more than a verification, and key sets are fetched anew for each token when nothing is cached. The
// cache holds results of a pure function, by the key's own text.
const keyObjects = new Map<string, KeyObject | undefined>()
const keyObjectsMax = 1_000

function keyObjectOf(key: Jwk): KeyObject | undefined {
  const { kty, n, e, crv, x, y } = key as Readonly<Record<string, string>>
  const text = JSON.stringify(kty === 'RSA' ? { kty, n, e } : { kty, crv, x, y })
  if (keyObjects.has(text)) return keyObjects.get(text)
  if (keyObjects.size >= keyObjectsMax) keyObjects.clear()
  const made = imported(text)
  keyObjects.set(text, made)
  return made
}

function imported(text: string): KeyObject | undefined {
  try {
    return createPublicKey({ key: JSON.parse(text) as Record<string, string>, format: 'jwk' })
  } catch {
    return undefined
  }
}
