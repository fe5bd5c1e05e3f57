// What makes two certificates the same: names, key, issuer. Another hash is another certificate.
import { createHash } from 'node:crypto'

export interface CertificateIdentity {
  readonly primary: string
  /** All names, the primary one too. */
  readonly domains: readonly string[]
  readonly keyAlgorithm: string
  /** `public`, or the ARN of a private authority. */
  readonly issuer: string
  readonly exportable: boolean
}

export function specHash({ primary, domains, keyAlgorithm, issuer, exportable }: CertificateIdentity): string {
  const sorted = [...new Set(domains)].sort()
  return sha256(JSON.stringify({ domains: sorted, exportable, issuer, keyAlgorithm, primary }))
}

/** By it ACM knows a request again for an hour. */
export function idempotencyToken({ uid, hash, revision }: { uid: string; hash: string; revision: number }): string {
  return sha256(`${uid}/${hash}/${revision}`).slice(0, 32)
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
