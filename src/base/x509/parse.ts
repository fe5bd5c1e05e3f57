// What is to be known about a certificate: whom it names, how long it is valid. Trust is decided by TLS, never here.
import type { Instant } from '../seams/seams.ts'
import { childrenOf, DerError, type DerNode, readNode, readNodes, readOid, readTime } from './der-read.ts'
import { parsePem } from './pem.ts'

export interface CertificateSubject {
  readonly commonName: string
  /** Kubernetes reads these as the groups of the user that the common name names. */
  readonly organizations?: readonly string[]
}

export interface Certificate {
  readonly subject: Required<CertificateSubject>
  readonly validFrom: Instant
  readonly validUntil: Instant
  readonly der: Uint8Array
  /** The subject's name as it stands, byte for byte: what an issued certificate must repeat as its issuer. */
  readonly subjectDer: Uint8Array
  readonly subjectKeyId: Uint8Array | undefined
}

/** Reads DER, or the first certificate of a PEM text. Throws `DerError` for anything else. */
export function parseCertificate(source: Uint8Array | string): Certificate {
  const der = typeof source === 'string' ? firstBlock(source) : source
  const fields = [...childrenOf(childrenOf(readNode(der), 'certificate')[0], 'certificate body')]
  if (fields[0]?.tag === 0xa0) fields.shift()
  const [, , , validity, subject] = fields
  if (subject === undefined) throw new DerError('no subject in the certificate')
  const [from, until] = childrenOf(validity, 'validity')
  return {
    subject: readName(subject),
    validFrom: readTime(from),
    validUntil: readTime(until),
    der,
    subjectDer: subject.whole,
    subjectKeyId: readKeyId(fields.find(field => field.tag === 0xa3)),
  }
}

function firstBlock(pem: string): Uint8Array {
  const block = parsePem(pem).find(({ label }) => label === 'CERTIFICATE')
  if (block === undefined) throw new DerError('no CERTIFICATE block in the PEM text')
  return block.bytes
}

function readName(name: DerNode): Required<CertificateSubject> {
  let commonName = ''
  const organizations: string[] = []
  for (const set of childrenOf(name, 'name')) {
    for (const attribute of childrenOf(set, 'name part')) {
      const [id, value] = childrenOf(attribute, 'name attribute')
      if (id === undefined || value === undefined) throw new DerError('a name attribute is incomplete')
      if (readOid(id) === '2.5.4.3') commonName = readText(value)
      if (readOid(id) === '2.5.4.10') organizations.push(readText(value))
    }
  }
  return { commonName, organizations }
}

function readText(node: DerNode): string {
  // BMPString is two bytes a character; every other kind in use is ASCII, Latin or UTF-8.
  const encoding = node.tag === 0x1e ? 'utf-16be' : node.tag === 0x14 ? 'latin1' : 'utf-8'
  return new TextDecoder(encoding).decode(node.content)
}

function readKeyId(extensions: DerNode | undefined): Uint8Array | undefined {
  if (extensions === undefined) return undefined
  for (const extension of childrenOf(childrenOf(extensions, 'extensions')[0], 'extensions')) {
    const parts = childrenOf(extension, 'extension')
    const id = parts[0]
    const value = parts.at(-1)
    if (id !== undefined && value !== undefined && readOid(id) === '2.5.29.14') return readNodes(value.content)[0]?.content
  }
  return undefined
}
