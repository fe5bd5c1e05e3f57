// Reading a signed JWT of an identity provider, such as a ServiceAccount's token. Nothing in it is believed yet.
import { isRecord } from '../text/untyped.ts'

export interface TokenClaims {
  readonly iss: string
  readonly sub: string
  readonly aud: readonly string[]
  readonly azp: string | undefined
  readonly exp: number
  readonly iat: number
  readonly nbf: number | undefined
  readonly amr: readonly string[]
  /** Everything, for claims that only some readers know. */
  readonly all: Readonly<Record<string, unknown>>
}

export interface Token {
  readonly algorithm: TokenAlgorithm
  /** An empty text counts as present; a header without it does not. */
  readonly keyId: string | undefined
  readonly claims: TokenClaims
  readonly signedText: string
  readonly signature: Uint8Array
}

export type TokenAlgorithm = 'RS256' | 'RS384' | 'RS512' | 'ES256' | 'ES384' | 'ES512'
const algorithms: readonly string[] = ['RS256', 'RS384', 'RS512', 'ES256', 'ES384', 'ES512']

/** `missing`: it is a JWT, without this claim. */
export type TokenReading =
  | { readonly kind: 'token'; readonly token: Token }
  | { readonly kind: 'not-jwt' }
  | { readonly kind: 'missing'; readonly claim: string }

const notJwt: TokenReading = { kind: 'not-jwt' }

export function readToken(text: string): TokenReading {
  const parts = text.split('.')
  const [headerText = '', claimsText = '', signatureText = ''] = parts
  if (parts.length !== 3) return notJwt
  const header = jsonOf(headerText)
  const claims = jsonOf(claimsText)
  const signature = bytesOf(signatureText)
  if (header === undefined || claims === undefined || signature === undefined) return notJwt
  const { alg, kid, crit } = header
  // The algorithm only has to be one that we know; the key decides whether it may be used.
  if (!isAlgorithm(alg) || crit !== undefined) return notJwt
  if (kid !== undefined && typeof kid !== 'string') return notJwt
  const read = readClaims(claims)
  if ('kind' in read) return read
  return {
    kind: 'token',
    token: { algorithm: alg, keyId: kid, claims: read, signedText: `${headerText}.${claimsText}`, signature },
  }
}

function isAlgorithm(value: unknown): value is TokenAlgorithm {
  return typeof value === 'string' && algorithms.includes(value)
}

function readClaims(all: Readonly<Record<string, unknown>>): TokenClaims | TokenReading {
  for (const name of ['iss', 'sub', 'aud', 'exp', 'iat'])
    if (all[name] === undefined || all[name] === null) return { kind: 'missing', claim: name }
  const { iss, sub, exp, iat, nbf, azp } = all
  const aud = textsOf(all['aud'])
  const amr = all['amr'] === undefined ? [] : textsOf(all['amr'])
  if (
    typeof iss !== 'string' ||
    typeof sub !== 'string' ||
    sub === '' ||
    aud === undefined ||
    aud.length === 0 ||
    amr === undefined
  )
    return notJwt
  if (!isWhole(exp) || !isWhole(iat) || (nbf !== undefined && !isWhole(nbf))) return notJwt
  if (azp !== undefined && typeof azp !== 'string') return notJwt
  return { iss, sub, aud, azp, exp, iat, nbf, amr, all }
}

function isWhole(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value)
}

function textsOf(value: unknown): readonly string[] | undefined {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value]
  return list.every(item => typeof item === 'string') ? list : undefined
}

function jsonOf(text: string): Readonly<Record<string, unknown>> | undefined {
  const bytes = bytesOf(text)
  if (bytes === undefined) return undefined
  try {
    const value: unknown = JSON.parse(utf8.decode(bytes))
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Strict base64url: other characters, padding and impossible lengths are refused, which decoders otherwise forgive. */
function bytesOf(text: string): Uint8Array | undefined {
  return /^[A-Za-z0-9_-]+$/.test(text) && text.length % 4 !== 1 ? Buffer.from(text, 'base64url') : undefined
}
