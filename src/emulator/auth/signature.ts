// Reading a request's claim to an identity: the `Authorization` header or the query of a presigned URL, and checking it (§3.9).
import { timingSafeEqual } from 'node:crypto'
import type { Instant } from '#base'
import type { RawRequest } from '../service.ts'
import { type CredentialScope, canonicalRequest, type HmacKey, hmac, sha256Hex, signingKey, stringToSign } from './canonical.ts'

export interface Claim {
  readonly accessKeyId: string
  readonly scope: CredentialScope
  readonly signedHeaders: readonly string[]
  readonly signature: string
  /** The time that was signed, such as `20260102T030405Z`. */
  readonly timestamp: string
  readonly signedAtMs: Instant
  readonly sessionToken: string | undefined
  /** How long a presigned URL lives, as it says itself. */
  readonly expiresS: number | undefined
}

export type ClaimReading =
  | { readonly kind: 'none' }
  | { readonly kind: 'broken'; readonly why: string }
  | { readonly kind: 'claim'; readonly claim: Claim }

const algorithm = 'AWS4-HMAC-SHA256'

export function readClaim(request: RawRequest): ClaimReading {
  const header = request.headers['authorization']
  if (header !== undefined) return fromHeader(header, request)
  if (request.query.has('X-Amz-Algorithm') || request.query.has('X-Amz-Signature')) return fromQuery(request)
  return { kind: 'none' }
}

function fromHeader(header: string, request: RawRequest): ClaimReading {
  if (!header.startsWith(`${algorithm} `)) return broken(`Authorization header must begin with '${algorithm}'`)
  let [credential, signature, signedHeaders] = ['', '', '']
  for (const part of header.slice(algorithm.length + 1).split(',')) {
    const equals = part.indexOf('=')
    const value = part.slice(equals + 1).trim()
    switch (part.slice(0, Math.max(0, equals)).trim()) {
      case 'Credential':
        credential = value
        break
      case 'Signature':
        signature = value
        break
      case 'SignedHeaders':
        signedHeaders = value
        break
      default:
    }
  }
  if (credential === '') return broken("Authorization header requires 'Credential' parameter.")
  if (signature === '') return broken("Authorization header requires 'Signature' parameter.")
  if (signedHeaders === '') return broken("Authorization header requires 'SignedHeaders' parameter.")
  const timestamp = request.headers['x-amz-date'] ?? isoOfHttpDate(request.headers['date'])
  const sessionToken = request.headers['x-amz-security-token']
  return claimOf({ credential, signature, signedHeaders, timestamp, sessionToken, expires: undefined })
}

function fromQuery(request: RawRequest): ClaimReading {
  const { query } = request
  if (query.get('X-Amz-Algorithm') !== algorithm) return broken(`X-Amz-Algorithm only supports "${algorithm}"`)
  const credential = query.get('X-Amz-Credential')
  const signature = query.get('X-Amz-Signature')
  const signedHeaders = query.get('X-Amz-SignedHeaders')
  if (!credential || !signature || !signedHeaders) {
    return broken(
      'Query-string authentication requires X-Amz-Algorithm, X-Amz-Credential, X-Amz-Signature, X-Amz-Date and X-Amz-SignedHeaders.',
    )
  }
  return claimOf({
    credential,
    signature,
    signedHeaders,
    timestamp: query.get('X-Amz-Date'),
    sessionToken: query.get('X-Amz-Security-Token'),
    expires: query.get('X-Amz-Expires'),
  })
}

/** Reads a signature from the fields of a posted form. */
export function claimOfForm(fields: ReadonlyMap<string, string>): ClaimReading {
  if (!fields.has('policy') && !fields.has('x-amz-signature')) return { kind: 'none' }
  const [credential, signature] = [fields.get('x-amz-credential'), fields.get('x-amz-signature')]
  if (fields.get('x-amz-algorithm') !== algorithm || !credential || !signature || !fields.has('policy'))
    return broken("Bucket POST must contain the fields 'policy', 'x-amz-algorithm', 'x-amz-credential' and 'x-amz-signature'.")
  return claimOf({
    credential,
    signature,
    signedHeaders: '',
    timestamp: fields.get('x-amz-date'),
    sessionToken: fields.get('x-amz-security-token'),
    expires: undefined,
  })
}

/** A form is signed through its policy alone. */
export function checkFormSignature(policy: string, claim: Claim, key: HmacKey): CheckedSignature {
  const good = sameText(hmac(key, policy).toString('hex'), claim.signature)
  return { good, seedSignature: claim.signature, key }
}

interface ClaimText {
  readonly credential: string
  readonly signature: string
  readonly signedHeaders: string
  readonly timestamp: string | undefined
  readonly sessionToken: string | undefined
  readonly expires: string | undefined
}

function claimOf(text: ClaimText): ClaimReading {
  const parts = text.credential.split('/')
  if (parts.length < 5 || parts.at(-1) !== 'aws4_request')
    return broken(`Credential must have at least 5 slash-delimited elements and end in 'aws4_request'.`)
  const [date, region, service] = parts.slice(-4) as [string, string, string]
  const signedAtMs = parseBasicTime(text.timestamp)
  if (text.timestamp === undefined || signedAtMs === undefined)
    return broken("Authorization header requires existence of either a 'X-Amz-Date' or a 'Date' header.")
  if (!text.timestamp.startsWith(date))
    return broken(
      `Date in Credential scope does not match YYYYMMDD from ISO-8601 version of date from HTTP: '${date}' != '${text.timestamp.slice(0, 8)}'.`,
    )
  const expiresS = text.expires === undefined ? undefined : Number(text.expires)
  if (expiresS !== undefined && !(Number.isInteger(expiresS) && expiresS >= 0 && expiresS <= 604_800))
    return broken('X-Amz-Expires must be between 0 and 604800 seconds')
  const claim: Claim = {
    accessKeyId: parts.slice(0, -4).join('/'),
    scope: { date, region, service },
    signedHeaders: text.signedHeaders.toLowerCase().split(';'),
    signature: text.signature,
    timestamp: text.timestamp,
    signedAtMs,
    sessionToken: text.sessionToken,
    expiresS,
  }
  return { kind: 'claim', claim }
}

/** What a signature is checked against: text of the wire that decoding would lose. */
export interface SignedRequest {
  readonly method: string
  /** The path before virtual-host names were turned into path style. */
  readonly path: string
  readonly queryText: string
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  /** The body as received, before aws-chunked was decoded. */
  readonly body: Uint8Array
}

export interface CheckedSignature {
  readonly good: boolean
  /** Seed and key for the signatures of a streamed body's chunks. */
  readonly seedSignature: string
  readonly key: HmacKey
}

/** `key` is the signing key of the claim's scope; see `SigningKeyMemory`. */
export function checkSignature(request: SignedRequest, claim: Claim, key: HmacKey): CheckedSignature {
  const s3 = claim.scope.service === 's3'
  const canonical = canonicalRequest({
    method: request.method,
    path: request.path,
    queryText: request.queryText,
    headers: request.headers,
    signedHeaders: claim.signedHeaders,
    payloadHash: payloadHashOf(request, claim, s3),
    s3,
  })
  const expected = hmac(key, stringToSign(algorithm, claim.timestamp, claim.scope, canonical)).toString('hex')
  const good = coversEnough(request, claim) && sameText(expected, claim.signature)
  return { good, seedSignature: claim.signature, key }
}

/** `host` must be signed, and so must every `x-amz-*` header that was sent: an unsigned one could have been added on the way. */
function coversEnough(request: SignedRequest, claim: Claim): boolean {
  if (!claim.signedHeaders.includes('host')) return false
  return Object.keys(request.headers).every(
    name => !/^x-amz-(?:date|security-token|target|copy-source)$/.test(name) || claim.signedHeaders.includes(name),
  )
}

/** Only S3 takes the client's word for the hash of the body; it compares the two afterwards, or was told that the body is unsigned. */
function payloadHashOf(request: SignedRequest, claim: Claim, s3: boolean): string {
  const header = request.headers['x-amz-content-sha256']
  if (s3 && typeof header === 'string') return header
  if (s3 && claim.expiresS !== undefined) return 'UNSIGNED-PAYLOAD'
  return sha256Hex(request.body)
}

export function sameText(a: string, b: string): boolean {
  const left = Buffer.from(a, 'utf8')
  const right = Buffer.from(b, 'utf8')
  return left.length === right.length && timingSafeEqual(left, right)
}

const keysMax = 1_000

/** Signing keys by secret and scope: four HMACs that are the same for a whole day. */
export class SigningKeyMemory {
  readonly #keys = new Map<string, HmacKey>()

  keyOf(secret: string, scope: CredentialScope): HmacKey {
    const name = `${secret}\n${scope.date}\n${scope.region}\n${scope.service}`
    const known = this.#keys.get(name)
    if (known !== undefined) return known
    if (this.#keys.size >= keysMax) this.#keys.clear()
    const key = signingKey(secret, scope)
    this.#keys.set(name, key)
    return key
  }
}

function parseBasicTime(text: string | undefined): Instant | undefined {
  if (text === undefined || !basicTimeForm.test(text)) return undefined
  const number = (from: number, to: number): number => Number(text.slice(from, to))
  return Date.UTC(number(0, 4), number(4, 6) - 1, number(6, 8), number(9, 11), number(11, 13), number(13, 15))
}

const basicTimeForm = /^\d{8}T\d{6}Z$/

function isoOfHttpDate(text: string | undefined): string | undefined {
  const at = text === undefined ? Number.NaN : Date.parse(text)
  return Number.isNaN(at) ? undefined : `${new Date(at).toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`
}

function broken(why: string): ClaimReading {
  return { kind: 'broken', why }
}
