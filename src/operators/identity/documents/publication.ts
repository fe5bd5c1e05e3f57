// What a self-hosted issuer publishes (§3.13-3.15): the discovery document and the key set, with digests that tell one state from
// another without reading the objects.
import { createHash } from 'node:crypto'
import { compareText } from '#base'
import type { PublicKey } from './signing-key.ts'

export const discoveryKey = '.well-known/openid-configuration'
export const keySetKey = 'keys.json'

const contentType = 'application/json'
const format = 'self-hosted-oidc/v1'

/** User metadata of the objects. */
const metadataNames = {
  format: 'awio-publication-format',
  objectDigest: 'awio-object-digest',
  setDigest: 'awio-object-set-digest',
} as const

export interface PublishedObject {
  readonly key: string
  readonly contentType: string
  readonly body: string
  /** `sha256:` and 64 hex digits. */
  readonly digest: string
}

export interface DocumentSet {
  readonly issuerUrl: string
  /** Sorted by key. */
  readonly objects: readonly PublishedObject[]
  readonly digest: string
}

/** `undefined` when the issuer is not known or no key is there. Keys stand in the order of their ids, so that which of them signs is no news. */
export function renderDocumentSet(issuer: string, keys: readonly ListedKey[]): DocumentSet | undefined {
  const issuerUrl = issuer.replace(/\/+$/, '')
  if (issuerUrl === '' || keys.length === 0 || keys.some(key => key.keyId === '')) return undefined
  const discovery = JSON.stringify({
    issuer: issuerUrl,
    jwks_uri: `${issuerUrl}/${keySetKey}`,
    response_types_supported: ['id_token'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
  })
  const keySet = JSON.stringify({
    keys: [...keys].sort(byKeyId).map(({ keyId, modulus, exponent }) => ({
      kty: 'RSA',
      use: 'sig',
      alg: 'RS256',
      kid: keyId,
      n: modulus,
      e: exponent,
    })),
  })
  const objects = [publishedObject(discoveryKey, discovery), publishedObject(keySetKey, keySet)]
  return { issuerUrl, objects, digest: setDigest(objects) }
}

type ListedKey = Omit<PublicKey, 'pem'>

function byKeyId(a: ListedKey, b: ListedKey): number {
  return compareText(a.keyId, b.keyId)
}

export function publishedObject(key: string, body: string, type: string = contentType): PublishedObject {
  return { key, contentType: type, body, digest: digestOf([framed({ key, contentType: type, body })]) }
}

/** Over all objects, in whatever order they come. */
export function setDigest(objects: readonly Omit<PublishedObject, 'digest'>[]): string {
  const sorted = [...objects].sort((a, b) => Buffer.compare(Buffer.from(a.key), Buffer.from(b.key)))
  return digestOf(sorted.map(framed))
}

/** User metadata with which an object is stored, and by which it is recognised. */
export function objectMetadata(object: PublishedObject, set: DocumentSet): Readonly<Record<string, string>> {
  return {
    [metadataNames.format]: format,
    [metadataNames.objectDigest]: object.digest,
    [metadataNames.setDigest]: set.digest,
  }
}

function framed({ key, contentType: type, body }: Omit<PublishedObject, 'digest'>): string {
  return `format:${format}\nkey:${key}\ncontent-type:${type}\nlength:${Buffer.byteLength(body)}\n${body}\n`
}

function digestOf(texts: readonly string[]): string {
  const hash = createHash('sha256')
  for (const text of texts) hash.update(text)
  return `sha256:${hash.digest('hex')}`
}
