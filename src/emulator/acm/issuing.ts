// Certificates that can be parsed and chained, with keys of the algorithm that was asked for. The authority's key is RSA, whose
// signatures are the same each time: one seed gives the same certificates to the byte.
import { X509Certificate } from 'node:crypto'
import { type Instant, issueCertificate } from '#base'
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

interface AuthorityPair {
  readonly certificate: string
  readonly key: string
}

function authority(): AuthorityPair {
  const key = fixedRsaKey(authorityBits)
  const certificate = issueCertificate({
    subject: { commonName: 'Amazon RSA 2048 M02 (emulated)', organizations: ['Amazon'] },
    key,
    usage: 'ca',
    validFrom: Date.UTC(2020, 0, 1),
    validUntil: Date.UTC(2049, 0, 1),
    serial: Uint8Array.of(1),
  })
  return { certificate, key }
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
  const ca = authority()
  const serial = context.random(`serial/${certificate.id}/${at}`).bytes(16)
  // Days, as the real ones: a certificate issued at noon is valid since midnight.
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
    chain: ca.certificate,
    subject: `CN=${certificate.domain}`,
    issuer: 'Amazon',
  }
}

/** `0A1B` as `0a:1b`. */
export function colons(serial: string): string {
  return (serial.length % 2 === 1 ? `0${serial}` : serial).toLowerCase().replace(/(..)(?=.)/g, '$1:')
}
