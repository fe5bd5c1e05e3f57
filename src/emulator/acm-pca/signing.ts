// An authority's key, its request and what it signs. Keys follow from the seed; RSA ones are shared by all authorities of their kind.
import { X509Certificate } from 'node:crypto'
import {
  type CertificateRequest,
  type Curve,
  distinguishedName,
  issueCertificate,
  requestCertificate,
  type SignatureDigest,
} from '#base'
import { colons } from '../certificate-serial.ts'
import { seededEcKey } from '../seeded-key.ts'
import { fixedRsaKey } from '../seeded-rsa-key.ts'
import type { Context } from '../service.ts'
import { pcaFailure } from './errors.ts'
import { type AuthorityConfiguration, familyOfAlgorithm, type PcaState, type PrivateAuthority } from './model.ts'

const curves: ReadonlyMap<string, Curve> = new Map([
  ['EC_prime256v1', 'P-256'],
  ['EC_secp384r1', 'P-384'],
  ['EC_secp521r1', 'P-521'],
])

export function newKey(
  context: Context<PcaState>,
  { id, type, configuration }: Pick<PrivateAuthority, 'id' | 'type' | 'configuration'>,
): string {
  const { KeyAlgorithm } = configuration
  const curve = curves.get(KeyAlgorithm)
  if (curve !== undefined) return seededEcKey(context.random(`authority/${id}`), curve)
  return fixedRsaKey(Number(KeyAlgorithm.slice('RSA_'.length)), `private ${type}`)
}

/** In the order in which names are read: from the country down. */
const attributes: readonly (readonly [field: string, id: string])[] = [
  ['Country', '2.5.4.6'],
  ['State', '2.5.4.8'],
  ['Locality', '2.5.4.7'],
  ['Organization', '2.5.4.10'],
  ['OrganizationalUnit', '2.5.4.11'],
  ['DistinguishedNameQualifier', '2.5.4.46'],
  ['SerialNumber', '2.5.4.5'],
  ['Title', '2.5.4.12'],
  ['Surname', '2.5.4.4'],
  ['GivenName', '2.5.4.42'],
  ['Initials', '2.5.4.43'],
  ['Pseudonym', '2.5.4.65'],
  ['GenerationQualifier', '2.5.4.44'],
  ['CommonName', '2.5.4.3'],
]

function subjectOf(subject: AuthorityConfiguration['Subject']): Uint8Array {
  const custom = subject.CustomAttributes ?? []
  const named = attributes.flatMap(([field, id]) => {
    const text = subject[field]
    return typeof text === 'string' ? [[id, text] as const] : []
  })
  return distinguishedName([...named, ...custom.map(({ ObjectIdentifier, Value }) => [ObjectIdentifier, Value] as const)])
}

/** What the authority asks to have signed for itself. */
export function requestOf(configuration: AuthorityConfiguration, key: string): string {
  return requestCertificate({ subject: subjectOf(configuration.Subject), key })
}

export function digestOf(signingAlgorithm: string): SignatureDigest {
  if (signingAlgorithm.startsWith('SHA384')) return 'sha384'
  return signingAlgorithm.startsWith('SHA512') ? 'sha512' : 'sha256'
}

export type ToSign = Omit<CertificateRequest, 'issuer'>

/** Signs with the authority's key, under the certificate that it has. */
export function signedBy({ arn, installed, key }: PrivateAuthority, request: ToSign): string {
  if (installed === undefined) throw pcaFailure('InvalidStateException', `${arn} has no certificate.`)
  return issueCertificate({ ...request, issuer: { certificate: installed.certificate, key } })
}

/** A root's own certificate. */
export function selfSigned({ key }: PrivateAuthority, request: Omit<ToSign, 'key'>): string {
  return issueCertificate({ ...request, key })
}

/** `0a:1b:…`, as Describe shows it. */
export function serialOf(certificate: string): string {
  return colons(new X509Certificate(certificate).serialNumber)
}

/** Whether a key of the first can sign as the second says. */
export function canSign(keyAlgorithm: string, signingAlgorithm: string): boolean {
  const family = familyOfAlgorithm(keyAlgorithm)
  return family !== undefined && family === familyOfAlgorithm(signingAlgorithm)
}
