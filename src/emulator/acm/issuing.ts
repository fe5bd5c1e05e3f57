// Certificates that can be parsed and chained, with keys of the algorithm that was asked for. The authority's key is RSA, whose
// signatures are the same each time: one seed gives the same certificates to the byte.
import { X509Certificate } from 'node:crypto'
import { type CertificateRequest, type Instant, issueCertificate } from '#base'
import { seededEcKey } from '../seeded-key.ts'
import { fixedRsaKey } from '../seeded-rsa-key.ts'
import type { Context } from '../service.ts'
import type { AcmCertificate, AcmState, Issued } from './model.ts'

const dayMs = 86_400_000
/** Public certificates live this long since 2026. */
export const lifeMs: number = 198 * dayMs
/** ACM tries to renew this long before the end. */
export const renewalWindowMs: number = 45 * dayMs

const authorityBits = 2048

interface Authority {
  readonly certificate: string
  readonly key: string
  /** Its own certificate and all above it, as GetCertificate gives them. */
  readonly chain: string
}

/** Amazon's servers sign by an authority that a root signed once; a private authority is a root of its own. */
function authorityOf(asked: AcmCertificate): Authority {
  const name = authorityName(asked)
  if (name !== undefined) return rootAuthority(name)
  const root = rootAuthority('Amazon Root CA 1 (emulated)', ['Amazon'])
  const key = fixedRsaKey(authorityBits)
  const certificate = issueCertificate({ ...authority('Amazon RSA 2048 M02 (emulated)', ['Amazon']), key, issuer: root })
  return { certificate, key, chain: `${certificate}${root.certificate}` }
}

/** A private authority has no name here but the end of its ARN. */
function authorityName({ authorityArn }: AcmCertificate): string | undefined {
  return authorityArn?.slice(authorityArn.lastIndexOf('/') + 1)
}

function rootAuthority(commonName: string, organizations: readonly string[] = []): Authority {
  const key = fixedRsaKey(authorityBits, 'root')
  const certificate = issueCertificate({ ...authority(commonName, organizations), key })
  return { certificate, key, chain: certificate }
}

function authority(commonName: string, organizations: readonly string[]): Omit<CertificateRequest, 'key'> {
  const validFrom = Date.UTC(2020, 0, 1)
  const validUntil = Date.UTC(2049, 0, 1)
  return { subject: { commonName, organizations }, usage: 'ca', validFrom, validUntil, serial: Uint8Array.of(1) }
}

export function privateKeyOf(context: Context<AcmState>, certificate: AcmCertificate): string {
  return certificate.issued?.privateKey ?? newKey(context, certificate)
}

function newKey(context: Context<AcmState>, { id, keyAlgorithm }: AcmCertificate): string {
  const random = context.random(`key/${id}`)
  switch (keyAlgorithm) {
    case 'EC_prime256v1':
      return seededEcKey(random)
    case 'EC_secp384r1':
      return seededEcKey(random, 'P-384')
    case 'EC_secp521r1':
      return seededEcKey(random, 'P-521')
    default:
      return fixedRsaKey(Number(keyAlgorithm.slice('RSA_'.length)))
  }
}

export function issue(context: Context<AcmState>, certificate: AcmCertificate, at: Instant): Issued {
  const ca = authorityOf(certificate)
  const serial = context.random(`serial/${certificate.id}/${at}`).bytes(16)
  // Whole days, as in real certificates: one that is issued at noon is valid since midnight.
  const notBeforeMs = Math.floor(at / dayMs) * dayMs
  const notAfterMs = notBeforeMs + lifeMs - 1_000
  const pem = issueCertificate({
    subject: { commonName: certificate.domain },
    key: privateKeyOf(context, certificate),
    names: { dns: certificate.names },
    usage: 'server-and-client',
    validFrom: notBeforeMs,
    validUntil: notAfterMs,
    serial,
    issuer: ca,
  })
  return {
    atMs: at,
    notBeforeMs,
    notAfterMs,
    serial: colons(new X509Certificate(pem).serialNumber),
    certificate: pem,
    chain: ca.chain,
    subject: `CN=${certificate.domain}`,
    issuer: authorityName(certificate) ?? 'Amazon',
  }
}

/** Writes `0A1B` as `0a:1b`. */
export function colons(serial: string): string {
  return (serial.length % 2 === 1 ? `0${serial}` : serial).toLowerCase().replace(/(..)(?=.)/g, '$1:')
}
