// A certificate with its key, as Secrets hold them: whether the two belong together, who signed it, and how both are made. What everybody
// who keeps serving certificates shares; when one is renewed, and who trusts it, is theirs to say.
import { createHash, createPrivateKey, hash, X509Certificate } from 'node:crypto'
import { BoundedCache } from '../limits/bounded-cache.ts'
import type { Instant } from '../seams/seams.ts'
import { type CertificateNames, issueCertificate } from './issue.ts'
import type { CertificateSubject } from './parse.ts'
import { parsePem } from './pem.ts'

/** A certificate and its private key, both as PEM. */
export interface CertificatePair {
  readonly certificate: string
  readonly key: string
}

/** What chance contributes to a new one: a private key as PEM, and 16 random bytes. */
export interface DrawnKey {
  readonly key: string
  readonly serial: Uint8Array
}

export interface Lifetime {
  readonly from: Instant
  readonly until: Instant
}

/** For clocks that are behind ours. */
export const backdatedMs = 300_000

export function issueAuthority(
  subject: CertificateSubject,
  { key, serial }: DrawnKey,
  { from, until }: Lifetime,
): CertificatePair {
  const names = { dns: [subject.commonName] }
  const times = { validFrom: from - backdatedMs, validUntil: until }
  return { certificate: issueCertificate({ subject, names, key, usage: 'ca', serial, ...times }), key }
}

export interface ServingRequest extends DrawnKey {
  readonly commonName: string
  readonly names: CertificateNames
  readonly issuer: CertificatePair
}

/** Signs a serving certificate, which is valid no longer than the certificate of its authority. */
export function issueServing(request: ServingRequest, { from, until }: Lifetime): CertificatePair {
  const { commonName, names, issuer, key, serial } = request
  const certificate = issueCertificate({
    subject: { commonName },
    names,
    key,
    usage: 'server',
    serial,
    validFrom: from - backdatedMs,
    validUntil: Math.min(until, expiryOf(issuer.certificate)),
    issuer,
  })
  return { certificate, key }
}

export function expiryOf(certificate: string): Instant {
  return Date.parse((readCertificate(certificate) ?? new X509Certificate(certificate)).validTo)
}

/** `undefined` unless the text is one block with that label and nothing around it. */
export function onlyBlock(text: string, label: string): Uint8Array | undefined {
  const [block, ...more] = parsePem(text)
  if (block?.label !== label || more.length > 0) return undefined
  const trimmed = text.trim()
  return trimmed.startsWith(`-----BEGIN ${label}-----`) && trimmed.endsWith(`-----END ${label}-----`) ? block.bytes : undefined
}

/** The certificate, where the text is exactly one. */
export function onlyCertificate(text: string): X509Certificate | undefined {
  return onlyBlock(text, 'CERTIFICATE') === undefined ? undefined : readCertificate(text)
}

/** The certificates of a bundle. What cannot be read as one is left out. */
export function certificatesIn(bundle: string): readonly X509Certificate[] {
  return parsePem(bundle).flatMap(({ label, bytes }) => (label === 'CERTIFICATE' ? (readCertificate(bytes) ?? []) : []))
}

export function isSameCertificate(one: X509Certificate, other: string): boolean {
  return readCertificate(other)?.raw.equals(one.raw) === true
}

export function isIssuedBy(certificate: X509Certificate, authority: string): boolean {
  const parsed = readCertificate(authority)
  if (parsed === undefined) return false
  const { issuers } = provenOf(certificate)
  const isIssuer = issuers.get(parsed) ?? (certificate.checkIssued(parsed) && certificate.verify(parsed.publicKey))
  issuers.set(parsed, isIssuer)
  return isIssuer
}

/** Authorities with that common name in a bundle, each once. */
export function authoritiesIn(bundle: string, commonName: string): readonly X509Certificate[] {
  const named = certificatesIn(bundle).filter(({ ca, subject }) => ca && subject.split('\n').includes(`CN=${commonName}`))
  return [...new Map(named.map(one => [one.fingerprint256, one])).values()]
}

/** Rotations that overlap are rotations that fail, and a bundle is read with each connection. */
export const earlierMax = 2

export interface Trusted {
  readonly bundle: string
  readonly commonName: string
  /** The authority that signs now, which is not an earlier one. */
  readonly current?: string
}

/** The earlier authorities of that name that a bundle trusts and that have not run out, as PEM: what they signed may still be served. */
export function earlierOf({ bundle, commonName, current = '' }: Trusted, now: Instant): readonly string[] {
  return authoritiesIn(bundle, commonName)
    .filter(one => !isSameCertificate(one, current) && Date.parse(one.validTo) > now)
    .slice(0, earlierMax)
    .map(one => one.toString().trim())
}

export interface ServingNeeds {
  readonly authority: string
  /** The host names by which clients call the server. */
  readonly names: readonly string[]
  /** With how much life left it is renewed. */
  readonly renewMs: number
}

/** Why the pair cannot go on being served; a Secret calls its parts tls.crt and tls.key. */
export function servingTrouble(
  { certificate, key }: CertificatePair,
  { authority, names, renewMs }: ServingNeeds,
  now: Instant,
): string | undefined {
  const parsed = onlyCertificate(certificate)
  if (parsed === undefined) return 'tls.crt is not exactly one certificate'
  if (!isIssuedBy(parsed, authority)) return 'tls.crt is from another CA'
  if (names.some(name => parsed.checkHost(name, { subject: 'never' }) === undefined)) return 'tls.crt is for another name'
  if (!parsed.keyUsage?.includes(serverAuth)) return 'tls.crt is not for servers'
  // A pair that ends with its authority cannot be given a longer life: renewing it early would renew it again and again.
  const endsWithAuthority = Date.parse(parsed.validTo) >= expiryOf(authority)
  return lifeTrouble(parsed, endsWithAuthority ? 0 : renewMs, now) ?? keyTrouble(parsed, key)
}

const serverAuth = '1.3.6.1.5.5.7.3.1'
const dayMs = 86_400_000

/** Why the certificate is not used any more, or not yet. */
export function lifeTrouble(certificate: X509Certificate, renewMs: number, now: Instant): string | undefined {
  if (Date.parse(certificate.validFrom) > now) return 'it is not valid yet'
  const leftMs = Date.parse(certificate.validTo) - now
  if (leftMs <= 0) return 'it has run out'
  return leftMs <= renewMs ? `it has less than ${Math.ceil(renewMs / dayMs)} days left` : undefined
}

/** Why the key is not the certificate's. */
export function keyTrouble(certificate: X509Certificate, key: string): string | undefined {
  const proven = provenOf(certificate)
  const digest = createHash('sha256').update(key).digest('hex')
  if (proven.key?.digest !== digest) proven.key = { digest, trouble: findKeyTrouble(certificate, key) }
  return proven.key.trouble
}

function findKeyTrouble(certificate: X509Certificate, key: string): string | undefined {
  try {
    return certificate.checkPrivateKey(createPrivateKey(key)) ? undefined : 'the key is of another certificate'
  } catch {
    return 'the key cannot be read'
  }
}

/** What was found out about a certificate. Nothing can change it, and each look at a pair asks for it again. */
interface Proven {
  readonly issuers: WeakMap<X509Certificate, boolean>
  /** The key that was held against it last: not the key itself, which nobody is to keep. */
  key?: { readonly digest: string; readonly trouble: string | undefined }
}

const proven = new WeakMap<X509Certificate, Proven>()

function provenOf(certificate: X509Certificate): Proven {
  const known = proven.get(certificate) ?? { issuers: new WeakMap() }
  proven.set(certificate, known)
  return known
}

/** Certificates that were read before, by the hash of their text; as many as a few hundred clusters have. */
const read = new BoundedCache<string, { readonly certificate: X509Certificate | undefined }>(1024 * 1024)

export function readCertificate(text: string | Uint8Array): X509Certificate | undefined {
  return read.getOrMake(
    hash('sha256', text),
    () => ({ certificate: parse(text) }),
    () => text.length,
  ).certificate
}

function parse(text: string | Uint8Array): X509Certificate | undefined {
  try {
    return new X509Certificate(text)
  } catch {
    return undefined
  }
}
