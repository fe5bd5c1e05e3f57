// The canonical request of AWS Signature Version 4, from the receiver's side. Our own code: the client signs with another.

import { hash } from 'node:crypto'
import { compareText } from '#base'

export interface Canonical {
  readonly method: string
  /** The path as it stands on the wire. */
  readonly path: string
  /** Pairs as they stand on the wire, still encoded. */
  readonly queryText: string
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly signedHeaders: readonly string[]
  readonly payloadHash: string
  /** S3 takes the path as it is; all others normalise it and encode it a second time. */
  readonly s3: boolean
}

export function canonicalRequest(request: Canonical): string {
  const headers = request.signedHeaders.map(name => `${name}:${headerText(request.headers[name])}\n`).join('')
  return [
    request.method,
    canonicalPath(request.path, request.s3),
    canonicalQuery(request.queryText),
    headers,
    request.signedHeaders.join(';'),
    request.payloadHash,
  ].join('\n')
}

export interface CredentialScope {
  readonly date: string
  readonly region: string
  readonly service: string
}

export function scopeText({ date, region, service }: CredentialScope): string {
  return `${date}/${region}/${service}/aws4_request`
}

export function stringToSign(algorithm: string, timestamp: string, scope: CredentialScope, canonical: string): string {
  return `${algorithm}\n${timestamp}\n${scopeText(scope)}\n${sha256Hex(canonical)}`
}

/** A key made ready for HMAC-SHA-256: the blocks that stand before what the inner and the outer hash are made of. */
export interface HmacKey {
  readonly inner: Buffer
  readonly outer: Buffer
}

/** It serves a whole day. */
export function signingKey(secret: string, { date, region, service }: CredentialScope): HmacKey {
  const scoped = [date, region, service, 'aws4_request'].reduce<Uint8Array>(
    (key, part) => hmac(hmacKey(key), part),
    Buffer.from(`AWS4${secret}`, 'utf8'),
  )
  return hmacKey(scoped)
}

const hmacBlockBytes = 64

export function hmacKey(key: Uint8Array): HmacKey {
  const block = Buffer.alloc(hmacBlockBytes)
  block.set(key.length > hmacBlockBytes ? hash('sha256', key, 'buffer') : key)
  return { inner: block.map(byte => byte ^ 0x36) as Buffer, outer: block.map(byte => byte ^ 0x5c) as Buffer }
}

/** By its definition (RFC 2104): two one-shot hashes cost a third of what Node's object for it does, and every request is checked by one. */
export function hmac({ inner, outer }: HmacKey, text: string): Buffer {
  const digest = hash('sha256', Buffer.concat([inner, Buffer.from(text, 'utf8')]), 'buffer')
  return hash('sha256', Buffer.concat([outer, digest]), 'buffer')
}

export function sha256Hex(data: string | Uint8Array): string {
  return hash('sha256', data, 'hex')
}

/** RFC 3986: everything but the unreserved characters. */
export function encodeUnreserved(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, character => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
}

function canonicalPath(path: string, s3: boolean): string {
  if (s3)
    return (
      path
        .split('/')
        .map(segment => encodeUnreserved(decodedOnce(segment)))
        .join('/') || '/'
    )
  return `/${normalised(path).map(encodeUnreserved).join('/')}`
}

/** Returns the path without empty and dot segments; a slash at the end stays. */
function normalised(path: string): readonly string[] {
  const kept: string[] = []
  const segments = path.split('/')
  for (const segment of segments) {
    if (segment === '..') kept.pop()
    else if (segment !== '' && segment !== '.') kept.push(segment)
  }
  if (kept.length > 0 && /(?:^|\/)\.{0,2}$/.test(path)) kept.push('')
  return kept
}

function canonicalQuery(text: string): string {
  if (text === '') return ''
  return text
    .split('&')
    .filter(pair => pair !== '')
    .map(pair => {
      const equals = pair.indexOf('=')
      const key = equals === -1 ? pair : pair.slice(0, equals)
      return [
        encodeUnreserved(decodedQuery(key)),
        encodeUnreserved(equals === -1 ? '' : decodedQuery(pair.slice(equals + 1))),
      ] as const
    })
    .filter(([key]) => key !== 'X-Amz-Signature')
    .sort(([keyA, valueA], [keyB, valueB]) => compareText(keyA, keyB) || compareText(valueA, valueB))
    .map(([key, value]) => `${key}=${value}`)
    .join('&')
}

/** Repeated headers are joined in their order; runs of spaces become one, also inside quotes, as AWS's own vectors do. */
function headerText(value: string | readonly string[] | undefined): string {
  const values = value === undefined ? [] : typeof value === 'string' ? [value] : value
  return values.map(text => text.trim().replace(/\s+/g, ' ')).join(',')
}

function decodedOnce(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** A "+" in a query is a plus when signing: SDKs encode spaces as %20. */
function decodedQuery(text: string): string {
  return decodedOnce(text)
}
