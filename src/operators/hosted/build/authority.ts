// Certificate authorities of a control plane, as their Secrets hold them.
import { createHash, createPrivateKey } from 'node:crypto'
import { type CertificatePair, type Instant, keyTrouble, lifeTrouble, readCertificate } from '#base'
import type { KubeObject } from '#kube'

export interface PlatformSecret extends KubeObject {
  readonly type?: string
  readonly data?: Readonly<Record<string, string>>
}

export interface Authority extends CertificatePair {
  /** As the platform names an authority in annotations: changes with either half. */
  readonly hash: string
}

/** The text of one key of a Secret; empty when it is not there. */
export function textIn(secret: PlatformSecret | undefined, key: string): string {
  return Buffer.from(secret?.data?.[key] ?? '', 'base64').toString()
}

/** A text says why it cannot sign; it names no byte of the Secret. */
export function readAuthority(secret: PlatformSecret, now: Instant): Authority | string {
  const certificate = textIn(secret, 'ca.crt')
  const key = textIn(secret, 'ca.key')
  const parsed = readCertificate(certificate)
  if (parsed === undefined) return 'its ca.crt is no certificate'
  if (!parsed.ca) return 'its ca.crt is not that of an authority'
  const old = lifeTrouble(parsed, 0, now)
  if (old !== undefined) return `its ca.crt cannot be used: ${old}`
  if (!isKey(key)) return 'its ca.key is no private key'
  const mismatch = keyTrouble(parsed, key)
  if (mismatch !== undefined) return `${mismatch} than its ca.crt`
  return { certificate, key, hash: authorityHash(certificate, key) }
}

/** MD5 is the platform's choice: it tells two authorities apart, and protects nothing. */
export function authorityHash(certificate: string, key: string): string {
  return createHash('md5').update(certificate).update(key).digest('hex')
}

function isKey(text: string): boolean {
  try {
    createPrivateKey(text)
    return true
  } catch {
    return false
  }
}
