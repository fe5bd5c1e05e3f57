// A certificate with its key, as Secrets hold them: whether the two belong together, who signed it, and how both are made. What everybody
// who keeps serving certificates shares; when one is renewed, and who trusts it, is theirs to say.
import { createPrivateKey, X509Certificate } from 'node:crypto'
import type { Instant } from '../seams.ts'
import { type CertificateNames, issueCertificate } from './issue.ts'
import { parsePem } from './pem.ts'

/** Both PEM. */
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

export function issueAuthority(commonName: string, { key, serial }: DrawnKey, { from, until }: Lifetime): CertificatePair {
  const names = { dns: [commonName] }
  const times = { validFrom: from - backdatedMs, validUntil: until }
  return { certificate: issueCertificate({ subject: { commonName }, names, key, usage: 'ca', serial, ...times }), key }
}

export interface ServingRequest extends DrawnKey {
  readonly commonName: string
  readonly names: CertificateNames
  readonly issuer: CertificatePair
}

/** Never longer valid than its authority. */
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
  return Date.parse(new X509Certificate(certificate).validTo)
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

/** Those of a bundle that can be read. */
export function certificatesIn(bundle: string): readonly X509Certificate[] {
  return parsePem(bundle).flatMap(({ label, bytes }) => (label === 'CERTIFICATE' ? (readCertificate(bytes) ?? []) : []))
}

export function isSameCertificate(one: X509Certificate, other: string): boolean {
  return readCertificate(other)?.raw.equals(one.raw) === true
}

export function isIssuedBy(certificate: X509Certificate, authority: string): boolean {
  const parsed = readCertificate(authority)
  return parsed !== undefined && certificate.checkIssued(parsed) && certificate.verify(parsed.publicKey)
}

/** Why the key is not the certificate's. */
export function keyTrouble(certificate: X509Certificate, key: string): string | undefined {
  try {
    return certificate.checkPrivateKey(createPrivateKey(key)) ? undefined : 'the key is of another certificate'
  } catch {
    return 'the key cannot be read'
  }
}

export function readCertificate(text: string | Uint8Array): X509Certificate | undefined {
  try {
    return new X509Certificate(text)
  } catch {
    return undefined
  }
}
