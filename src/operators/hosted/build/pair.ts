// Certificates that the sidecars have: the one they serve with (§4.4), and the one they call the guest's API server with (§4.5).
import { createPrivateKey, type X509Certificate } from 'node:crypto'
import {
  type CertificateNames,
  type CertificatePair,
  type CertificateSubject,
  type DrawnKey,
  expiryOf,
  type Instant,
  isIssuedBy,
  issueCertificate,
  keyTrouble,
  lifeTrouble,
  onlyCertificate,
  parseCertificate,
} from '#base'
import { guestNamespace } from '../api/names.ts'
import type { Authority } from './authority.ts'
import type { SidecarProvider } from './provider.ts'

export interface PairRequest {
  readonly subject: CertificateSubject
  readonly names?: CertificateNames
  readonly usage: 'server-and-client' | 'client'
}

const address = '127.0.0.1'

/** The guest's API server calls by this address and no other. */
export const servingRequest: PairRequest = {
  subject: { commonName: address },
  names: { ips: [address] },
  usage: 'server-and-client',
}

/** A user and groups as a token of the account would have them. */
export function clientRequest({ user }: SidecarProvider): PairRequest {
  const organizations = ['system:serviceaccounts', `system:serviceaccounts:${guestNamespace}`]
  return { subject: { commonName: user, organizations }, usage: 'client' }
}

const dayMs = 86_400_000
const lifeMs = 365 * dayMs
/** Long enough for a cluster that is switched off for a holiday. */
export const renewMs: number = 30 * dayMs
/** For clocks that are behind ours: one that was set to the local time of its place is wrong by up to fourteen hours. */
export const backdatedMs: number = 14 * 3_600_000

export function issuePair(
  request: PairRequest,
  issuer: CertificatePair,
  { key, serial }: DrawnKey,
  now: Instant,
): CertificatePair {
  const validFrom = now - backdatedMs
  const validUntil = Math.min(validFrom + lifeMs, expiryOf(issuer.certificate))
  const certificate = issueCertificate({ ...request, key, serial, validFrom, validUntil, issuer })
  return { certificate, key: createPrivateKey(key).export({ type: 'pkcs1', format: 'pem' }).toString() }
}

export interface PairNeeds {
  readonly request: PairRequest
  readonly authority: Authority
  /** Upstream goes on with a certificate whose authority is not in use any more. */
  readonly keepsForeign: boolean
}

/** Why the pair cannot go on being used. */
export function pairTrouble({ certificate, key }: CertificatePair, needs: PairNeeds, now: Instant): string | undefined {
  const parsed = onlyCertificate(certificate)
  if (parsed === undefined) return 'tls.crt is not exactly one certificate'
  const { request, authority, keepsForeign } = needs
  const isOfAuthority = isIssuedBy(parsed, authority.certificate)
  if (!isOfAuthority && !keepsForeign) return 'tls.crt is from another authority'
  if (!isFor(parsed, certificate, request)) return 'tls.crt is for another name'
  // What ends with its authority cannot be given a longer life: it would be renewed again and again.
  const endsWithAuthority = isOfAuthority && Date.parse(parsed.validTo) >= expiryOf(authority.certificate)
  return lifeTrouble(parsed, endsWithAuthority ? 0 : renewMs, now) ?? keyTrouble(parsed, key)
}

function isFor({ subjectAltName }: X509Certificate, certificate: string, { subject, names }: PairRequest): boolean {
  const held = parseCertificate(certificate).subject
  const wanted = subject.organizations ?? []
  return (
    held.commonName === subject.commonName &&
    held.organizations.length === wanted.length &&
    wanted.every(name => held.organizations.includes(name)) &&
    (subjectAltName ?? '') === (names?.ips ?? []).map(ip => `IP Address:${ip}`).join(', ')
  )
}
