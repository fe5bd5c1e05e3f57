// Certificates that can be parsed and chained, signed by an authority whose key follows from the seed. All have P-256 keys, whatever
// algorithm was asked for: a key of that kind can follow from the seed, an RSA key cannot.
import { X509Certificate } from 'node:crypto'
import { type Instant, issueCertificate } from '#base'
import { seededEcKey } from '../seeded-key.ts'
import type { Context } from '../service.ts'
import type { AcmState, Certificate, Issued } from './model.ts'

const dayMs = 86_400_000
/** Public certificates live this long since 2026. */
export const lifeMs: number = 198 * dayMs
/** ACM tries to renew this long before the end. */
export const renewalWindowMs: number = 45 * dayMs

interface AuthorityPair {
  readonly certificate: string
  readonly key: string
}

function authority(context: Context<AcmState>): AuthorityPair {
  const key = seededEcKey(context.random('authority'))
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

export function privateKeyOf(context: Context<AcmState>, certificate: Certificate): string {
  return certificate.issued?.privateKey ?? seededEcKey(context.random(`key/${certificate.id}`))
}

export function issue(context: Context<AcmState>, certificate: Certificate, at: Instant): Issued {
  const ca = authority(context)
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
