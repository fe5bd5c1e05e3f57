// Asking somebody else for a certificate: PKCS#10, with the names as an extension; and reading what others ask. Pure, like issuing.
import { createPrivateKey, createPublicKey, sign, verify } from 'node:crypto'
import { childrenOf, DerError, type DerNode, readNode, readOid } from './der-read.ts'
import { bits, oid, sequence, setOf, tagged, unsigned } from './der-write.ts'
import { alternativeNames, type CertificateNames, extension, renderName, signatureAlgorithm, signatureOids } from './issue.ts'
import type { CertificateSubject } from './parse.ts'
import { parsePem, renderPem } from './pem.ts'

export interface SigningRequest {
  /** The parts of the name, or the whole name as DER. */
  readonly subject: CertificateSubject | Uint8Array
  /** PEM of the private key; it proves that we hold it and is not in the request. */
  readonly key: string
  readonly names?: CertificateNames
}

/** A certificate signing request as PEM. */
export function requestCertificate({ subject, key, names }: SigningRequest): string {
  const signingKey = createPrivateKey(key)
  const algorithm = signatureAlgorithm(signingKey)
  const body = sequence(
    unsigned(Uint8Array.of(0)),
    subject instanceof Uint8Array ? subject : renderName(subject),
    createPublicKey(key).export({ type: 'spki', format: 'der' }),
    tagged(0, ...(names === undefined ? [] : [extensionRequest(names)])),
  )
  return renderPem('CERTIFICATE REQUEST', sequence(body, algorithm, bits(sign('sha256', body, signingKey))))
}

const extensionRequestOid = '1.2.840.113549.1.9.14'

function extensionRequest(names: CertificateNames): Uint8Array {
  const extensions = sequence(extension('2.5.29.17', sequence(...alternativeNames(names))))
  return sequence(oid(extensionRequestOid), setOf(extensions))
}

/** What somebody asks to have signed, who proved to hold the key. */
export interface ReadSigningRequest {
  /** The name as it stands, as DER. */
  readonly subject: Uint8Array
  /** PEM of the public key. */
  readonly key: string
  /** The value of the extension as DER. */
  readonly names: Uint8Array | undefined
}

/** Reads DER, or the first request of a PEM text. Throws `DerError` for anything else, and where the signature does not hold. */
export function readSigningRequest(source: Uint8Array | string): ReadSigningRequest {
  const [body, algorithm, signature] = childrenOf(readNode(typeof source === 'string' ? firstRequest(source) : source), 'request')
  const [, subject, spki, attributes] = childrenOf(body, 'request body')
  if (body === undefined || subject === undefined || spki === undefined) throw new DerError('the request is cut short')
  const key = renderPem('PUBLIC KEY', spki.whole)
  if (!isSignedBy(key, { body, algorithm, signature })) throw new DerError('the signature of the request does not hold')
  return { subject: subject.whole, key, names: askedNames(attributes) }
}

function firstRequest(pem: string): Uint8Array {
  const block = parsePem(pem).find(({ label }) => /^(?:NEW )?CERTIFICATE REQUEST$/.test(label))
  if (block === undefined) throw new DerError('no CERTIFICATE REQUEST block in the PEM text')
  return block.bytes
}

interface SignedParts {
  readonly body: DerNode
  readonly algorithm: DerNode | undefined
  readonly signature: DerNode | undefined
}

function isSignedBy(key: string, { body, algorithm, signature }: SignedParts): boolean {
  const id = childrenOf(algorithm, 'signature algorithm')[0]
  const digest = id === undefined ? undefined : digestOf(readOid(id))
  if (digest === undefined || signature === undefined) throw new DerError('the request is signed in a way that is not known')
  try {
    return verify(digest, body.whole, createPublicKey(key), signature.content.subarray(1))
  } catch {
    throw new DerError('the key of the request cannot be read')
  }
}

function digestOf(id: string): string | undefined {
  const all = Object.values(signatureOids).flatMap(oids => Object.entries(oids))
  return all.find(([, known]) => known === id)?.[0]
}

function askedNames(attributes: DerNode | undefined): Uint8Array | undefined {
  for (const attribute of attributes === undefined ? [] : childrenOf(attributes, 'attributes')) {
    const [id, values] = childrenOf(attribute, 'attribute')
    if (id === undefined || readOid(id) !== extensionRequestOid) continue
    for (const asked of childrenOf(childrenOf(values, 'values')[0], 'extensions')) {
      const parts = childrenOf(asked, 'extension')
      if (parts[0] !== undefined && readOid(parts[0]) === '2.5.29.17') return parts.at(-1)?.content
    }
  }
  return undefined
}
