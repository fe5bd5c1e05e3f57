// Issuing X.509 certificates: a CA, and what it signs for servers and clients. Pure: time, serial and keys are handed in. By hand,
// because the libraries for it are heavy or stale and what is needed is one page of RFC 5280; the tests check it with openssl.
import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto'
import type { Instant } from '../seams/seams.ts'
import { childrenOf, readNode } from './der-read.ts'
import {
  bits,
  derNode,
  nothing,
  octets,
  oid,
  retagged,
  sequence,
  setOf,
  tagged,
  time,
  truth,
  unsigned,
  utf8Text,
} from './der-write.ts'
import { parseIpAddress } from './ip-address.ts'
import { type CertificateSubject, parseCertificate } from './parse.ts'
import { renderPem } from './pem.ts'

/** What a server answers to. */
export interface CertificateNames {
  readonly dns?: readonly string[]
  readonly ips?: readonly string[]
  readonly uris?: readonly string[]
}

export interface CertificateRequest {
  /** The parts of the name, or the whole name as DER where a signing request brings it so. */
  readonly subject: CertificateSubject | Uint8Array
  /** PEM of the subject's private or public key. */
  readonly key: string
  /** The names, or the value of the whole extension as DER. */
  readonly names?: CertificateNames | Uint8Array
  readonly usage: 'ca' | 'server' | 'client' | 'server-and-client'
  /** How many authorities may stand between a CA and what is no CA; any number when absent. */
  readonly pathLength?: number
  /** SHA-256 when absent. */
  readonly digest?: SignatureDigest
  readonly validFrom: Instant
  readonly validUntil: Instant
  /** Up to 20 bytes, unique per issuer: 16 random ones will do. */
  readonly serial: Uint8Array
  /** The CA; absent means self-signed, for which `key` must be private. */
  readonly issuer?: { readonly certificate: string; readonly key: string }
}

export type SignatureDigest = 'sha256' | 'sha384' | 'sha512'

/** A signed certificate as PEM. */
export function issueCertificate(request: CertificateRequest): string {
  const publicKey = createPublicKey(request.key)
  const signingKey = createPrivateKey(request.issuer?.key ?? request.key)
  const digest = request.digest ?? 'sha256'
  const algorithm = signatureAlgorithm(signingKey, digest)
  const subject = request.subject instanceof Uint8Array ? request.subject : renderName(request.subject)
  const issuer = request.issuer === undefined ? undefined : parseCertificate(request.issuer.certificate)
  const spki = publicKey.export({ type: 'spki', format: 'der' })
  const keyId = keyIdentifier(spki)
  const body = sequence(
    tagged(0, unsigned(Uint8Array.of(2))),
    unsigned(positive(request.serial)),
    algorithm,
    issuer?.subjectDer ?? subject,
    sequence(time(request.validFrom), time(request.validUntil)),
    subject,
    spki,
    tagged(3, sequence(...extensions(request, publicKey, keyId, issuer === undefined ? keyId : issuer.subjectKeyId))),
  )
  return renderPem('CERTIFICATE', sequence(body, algorithm, bits(sign(digest, body, signingKey))))
}

/** The object identifiers of signature algorithms, by the kind of key and the digest that is signed. */
export const signatureOids: Readonly<Record<'rsa' | 'ec', Readonly<Record<SignatureDigest, string>>>> = {
  rsa: { sha256: '1.2.840.113549.1.1.11', sha384: '1.2.840.113549.1.1.12', sha512: '1.2.840.113549.1.1.13' },
  ec: { sha256: '1.2.840.10045.4.3.2', sha384: '1.2.840.10045.4.3.3', sha512: '1.2.840.10045.4.3.4' },
}

export function signatureAlgorithm(key: KeyObject, digest: SignatureDigest = 'sha256'): Uint8Array {
  if (key.asymmetricKeyType === 'rsa') return sequence(oid(signatureOids.rsa[digest]), nothing)
  if (key.asymmetricKeyType === 'ec') return sequence(oid(signatureOids.ec[digest]))
  throw new TypeError(`cannot sign certificates with a key of type ${key.asymmetricKeyType}: RSA and EC are known`)
}

export function renderName(subject: CertificateSubject): Uint8Array {
  const organizations = (subject.organizations ?? []).map(name => setOf(sequence(oid('2.5.4.10'), utf8Text(name))))
  return sequence(...organizations, setOf(sequence(oid('2.5.4.3'), utf8Text(subject.commonName))))
}

/** A name of these attributes in this order, each by its object identifier. Those that X.520 bounds to it are printable strings. */
export function distinguishedName(attributes: readonly (readonly [id: string, text: string])[]): Uint8Array {
  const value = (id: string, text: string): Uint8Array =>
    printableAttributes.has(id) ? derNode(0x13, new TextEncoder().encode(text)) : utf8Text(text)
  return sequence(...attributes.map(([id, text]) => setOf(sequence(oid(id), value(id, text)))))
}

/** Serial number, country, qualifier. */
const printableAttributes = new Set(['2.5.4.5', '2.5.4.6', '2.5.4.46'])

/** A serial of zero is not allowed, and one with its top bit set would be taken for 21 bytes. */
function positive(serial: Uint8Array): Uint8Array {
  const bytes = Uint8Array.from(serial.subarray(0, 20))
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x40
  return bytes
}

/** SHA-1 over the key's own bits, without algorithm: the first method of RFC 5280 §4.2.1.2. It is a name, not a protection. */
function keyIdentifier(spki: Uint8Array): Uint8Array {
  const keyBits = childrenOf(readNode(spki), 'public key')[1]
  return createHash('sha1')
    .update((keyBits?.content ?? new Uint8Array(1)).subarray(1))
    .digest()
}

function extensions(
  request: CertificateRequest,
  publicKey: KeyObject,
  keyId: Uint8Array,
  issuerKeyId: Uint8Array | undefined,
): readonly Uint8Array[] {
  const isCa = request.usage === 'ca'
  return [
    extension('2.5.29.19', sequence(...(isCa ? caConstraints(request) : [])), { critical: true }),
    extension('2.5.29.15', keyUsage(isCa, publicKey), { critical: true }),
    ...(isCa ? [] : [extension('2.5.29.37', sequence(...purposes(request.usage)))]),
    extension('2.5.29.14', octets(keyId)),
    ...(issuerKeyId === undefined ? [] : [extension('2.5.29.35', sequence(retagged(0, issuerKeyId)))]),
    ...(request.names === undefined ? [] : [extension('2.5.29.17', namesValue(request.names))]),
  ]
}

export function extension(id: string, value: Uint8Array, options: { critical?: boolean } = {}): Uint8Array {
  return sequence(oid(id), ...(options.critical === true ? [truth(true)] : []), octets(value))
}

function caConstraints({ pathLength }: CertificateRequest): readonly Uint8Array[] {
  return [truth(true), ...(pathLength === undefined ? [] : [unsigned(Uint8Array.of(pathLength))])]
}

function namesValue(names: CertificateNames | Uint8Array): Uint8Array {
  return names instanceof Uint8Array ? names : sequence(...alternativeNames(names))
}

function keyUsage(isCa: boolean, publicKey: KeyObject): Uint8Array {
  // Bits from the left: 0 digitalSignature, 2 keyEncipherment, 5 keyCertSign, 6 cRLSign.
  if (isCa) return bits(Uint8Array.of(0b1000_0110), 1)
  return publicKey.asymmetricKeyType === 'rsa' ? bits(Uint8Array.of(0b1010_0000), 5) : bits(Uint8Array.of(0b1000_0000), 7)
}

function purposes(usage: CertificateRequest['usage']): readonly Uint8Array[] {
  const server = oid('1.3.6.1.5.5.7.3.1')
  const client = oid('1.3.6.1.5.5.7.3.2')
  if (usage === 'server') return [server]
  return usage === 'client' ? [client] : [server, client]
}

export function alternativeNames(names: CertificateNames): readonly Uint8Array[] {
  return [
    ...(names.dns ?? []).map(name => retagged(2, ascii(name, 'DNS name'))),
    ...(names.uris ?? []).map(uri => retagged(6, ascii(uri, 'URI'))),
    ...(names.ips ?? []).map(ip => {
      const bytes = parseIpAddress(ip)
      if (bytes === undefined) throw new TypeError(`${JSON.stringify(ip)} is no IP address`)
      return derNode(0x87, bytes)
    }),
  ]
}

function ascii(text: string, what: string): Uint8Array {
  if (!/^[\x21-\x7e]+$/.test(text)) throw new TypeError(`a certificate cannot hold the ${what} ${JSON.stringify(text)}`)
  return new TextEncoder().encode(text)
}
