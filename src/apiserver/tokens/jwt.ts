// JSON web tokens as service accounts carry them: signed synchronously with node:crypto, and read with every claim checked by type.

import { createHash, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import { isRecord, readJson } from '#base'

export interface TokenSigningKey {
  readonly id: string
  readonly algorithm: 'RS256' | 'ES256'
  readonly privateKey: KeyObject
  readonly publicKey: KeyObject
}

export type Claims = Readonly<Record<string, unknown>>

export function signingKey(privateKey: KeyObject): TokenSigningKey {
  const publicKey = createPublicKey(privateKey)
  return { id: keyId(publicKey), algorithm: privateKey.asymmetricKeyType === 'rsa' ? 'RS256' : 'ES256', privateKey, publicKey }
}

/** SHA-256 over the public key's DER, as kube-apiserver names its keys. */
export function keyId(publicKey: KeyObject): string {
  return createHash('sha256')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest('base64url')
}

export function signJwt(key: TokenSigningKey, claims: Claims): string {
  const head = encode({ alg: key.algorithm, kid: key.id })
  const input = `${head}.${encode(claims)}`
  const signature = sign('sha256', Buffer.from(input), { key: key.privateKey, dsaEncoding: 'ieee-p1363' })
  return `${input}.${signature.toString('base64url')}`
}

export interface UnverifiedJwt {
  readonly header: Claims
  readonly claims: Claims
  readonly input: string
  readonly signature: Buffer
}

/** Longer ones are not ours, and decoding them would be work for whoever sent them. */
const tokenLengthMax = 16_384

export function decodeJwt(token: string): UnverifiedJwt | undefined {
  if (token.length > tokenLengthMax) return undefined
  const parts = token.split('.')
  if (parts.length !== 3) return undefined
  const header = decode(parts[0] ?? '')
  const claims = decode(parts[1] ?? '')
  if (header === undefined || claims === undefined) return undefined
  return { header, claims, input: `${parts[0]}.${parts[1]}`, signature: Buffer.from(parts[2] ?? '', 'base64url') }
}

/** The algorithm comes from the key, never from the token: `none` and key confusion have no way in. */
export function isSignedBy(jwt: UnverifiedJwt, key: Pick<TokenSigningKey, 'algorithm' | 'publicKey'>): boolean {
  if (jwt.header.alg !== key.algorithm) return false
  return verify('sha256', Buffer.from(jwt.input), { key: key.publicKey, dsaEncoding: 'ieee-p1363' }, jwt.signature)
}

export function publicJwk(key: TokenSigningKey): Record<string, unknown> {
  const { kty, ...rest } = key.publicKey.export({ format: 'jwk' }) as Record<string, unknown>
  return { use: 'sig', kty, kid: key.id, alg: key.algorithm, ...rest }
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

function decode(part: string): Claims | undefined {
  const value = readJson(Buffer.from(part, 'base64url').toString())
  return isRecord(value) ? value : undefined
}
