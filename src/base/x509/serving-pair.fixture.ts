// What tests serve TLS with: a key of its own and a certificate for loopback that nobody else signed.
import { generateKeyPairSync } from 'node:crypto'
import { type CertificateRequest, issueCertificate } from './issue.ts'

export interface ServingPair {
  readonly certificate: string
  readonly key: string
}

/** Holds whenever a test runs, on a real clock or a manual one. */
const validity = { validFrom: Date.UTC(2020, 0, 1), validUntil: Date.UTC(2055, 0, 1) }

/** PEM of a new EC key. */
export function ecKey(): string {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' }) as string
}

export function servingPair(request: Partial<CertificateRequest> = {}): ServingPair {
  const key = request.key ?? ecKey()
  const certificate = issueCertificate({
    subject: { commonName: 'localhost' },
    names: { dns: ['localhost'], ips: ['127.0.0.1'] },
    usage: 'server',
    ...validity,
    serial: Uint8Array.of(1),
    ...request,
    key,
  })
  return { certificate, key }
}
