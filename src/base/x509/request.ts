// Asking somebody else for a certificate: PKCS#10, with the names as an extension. Pure, like issuing.
import { createPrivateKey, createPublicKey, sign } from 'node:crypto'
import { bits, oid, sequence, setOf, tagged, unsigned } from './der-write.ts'
import { alternativeNames, type CertificateNames, extension, renderName, signatureAlgorithm } from './issue.ts'
import type { CertificateSubject } from './parse.ts'
import { renderPem } from './pem.ts'

export interface SigningRequest {
  readonly subject: CertificateSubject
  /** PEM of the private key; it proves that we hold it and is not in the request. */
  readonly key: string
  readonly names: CertificateNames
}

/** A certificate signing request as PEM. */
export function requestCertificate({ subject, key, names }: SigningRequest): string {
  const signingKey = createPrivateKey(key)
  const algorithm = signatureAlgorithm(signingKey)
  const extensions = sequence(extension('2.5.29.17', sequence(...alternativeNames(names))))
  const body = sequence(
    unsigned(Uint8Array.of(0)),
    renderName(subject),
    createPublicKey(key).export({ type: 'spki', format: 'der' }),
    tagged(0, sequence(oid('1.2.840.113549.1.9.14'), setOf(extensions))),
  )
  return renderPem('CERTIFICATE REQUEST', sequence(body, algorithm, bits(sign('sha256', body, signingKey))))
}
