// Certificates that can be parsed and chained, with keys of the algorithm that was asked for. The authority's key is RSA, whose
// signatures are the same each time: one seed gives the same certificates to the byte.
import { X509Certificate } from 'node:crypto'
import { type CertificateRequest, type Instant, invariant, issueCertificate } from '#base'
import { colons } from '../certificate-serial.ts'
import { seededEcKey } from '../seeded-key.ts'
import { fixedRsaKey } from '../seeded-rsa-key.ts'
import type { Context } from '../service.ts'
import type { AcmCertificate, AcmState, Issued } from './model.ts'

const dayMs = 86_400_000
/** Public certificates live this long since 2026. */
const lifeMs: number = 198 * dayMs
/** ACM tries to renew this long before the end. */
export const renewalWindowMs: number = 45 * dayMs

const authorityBits = 2048

interface Authority {
  readonly certificate: string
  readonly key: string
  /** Its own certificate and all above it, as GetCertificate gives them. */
  readonly chain: string
}

/** Amazon's authority, once made. It is the result of a pure function, so keeping it changes nothing: two signatures for each certificate. */
let madeAuthority: Authority | undefined

function publicAuthority(): Authority {
  madeAuthority ??= makePublicAuthority()
  return madeAuthority
}

/** Amazon's servers sign by an authority that a root signed once. */
function makePublicAuthority(): Authority {
  const root = rootAuthority('Amazon Root CA 1 (emulated)', ['Amazon'])
  const key = fixedRsaKey(authorityBits)
  const certificate = issueCertificate({ ...authority('Amazon RSA 2048 M02 (emulated)', ['Amazon']), key, issuer: root })
  return { certificate, key, chain: `${certificate}${root.certificate}` }
}

function rootAuthority(commonName: string, organizations: readonly string[]): Authority {
  const key = fixedRsaKey(authorityBits, 'root')
  const certificate = issueCertificate({ ...authority(commonName, organizations), key })
  return { certificate, key, chain: certificate }
}

function authority(commonName: string, organizations: readonly string[]): Omit<CertificateRequest, 'key'> {
  const validFrom = Date.UTC(2020, 0, 1)
  const validUntil = Date.UTC(2049, 0, 1)
  return { subject: { commonName, organizations }, usage: 'ca', validFrom, validUntil, serial: Uint8Array.of(1) }
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
  const signer = signerOf(context, certificate)
  const serial = context.random(`serial/${certificate.id}/${at}`).bytes(16)
  // Whole days, as in real certificates: one that is issued at noon is valid since midnight.
  const notBeforeMs = Math.floor(at / dayMs) * dayMs
  const notAfterMs = endAt(at)
  const pem = signer.sign({
    subject: { commonName: certificate.domain },
    key: privateKeyOf(context, certificate),
    names: { dns: certificate.names },
    usage: 'server-and-client',
    validFrom: notBeforeMs,
    validUntil: notAfterMs,
    serial,
  })
  const made = new X509Certificate(pem)
  return {
    atMs: at,
    notBeforeMs,
    notAfterMs,
    serial: colons(made.serialNumber),
    certificate: pem,
    chain: signer.chain,
    subject: `CN=${certificate.domain}`,
    issuer: certificate.authorityArn === undefined ? 'Amazon' : (/(?:^|\n)CN=(.*)/.exec(made.issuer)?.[1] ?? ''),
    ...(signer.signature !== undefined && { signature: signer.signature }),
  }
}

/** When a certificate that is issued at this time ends. */
export function endAt(at: Instant): Instant {
  return Math.floor(at / dayMs) * dayMs + lifeMs - 1_000
}

interface Signer {
  readonly chain: string
  readonly signature?: string
  sign(request: Omit<CertificateRequest, 'issuer'>): string
}

function signerOf(context: Context<AcmState>, { authorityArn }: AcmCertificate): Signer {
  if (authorityArn === undefined) {
    const issuer = publicAuthority()
    return { chain: issuer.chain, sign: request => issueCertificate({ ...request, issuer }) }
  }
  const found = context.ports.authorities?.find(authorityArn)
  invariant(found !== undefined, 'nothing is issued by an authority that is not there', { authorityArn })
  return found
}
