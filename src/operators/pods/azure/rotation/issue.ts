// What the webhook issues to itself: an authority for ten years and a serving pair for one, in the Secret that all replicas share (§3.14).
import { createPublicKey, X509Certificate } from 'node:crypto'
import { type Instant, issueCertificate, type Keys, parseCertificate, type Random } from '#base'

/** The content of the Secret, as PEM. */
export interface RotatedPair {
  readonly authority: string
  readonly authorityKey: string
  readonly certificate: string
  readonly key: string
}

export const rotationSecretName = 'azure-wi-webhook-server-cert'
const authoritySubject = { commonName: 'azure-workload-identity-ca', organizations: ['azure-workload-identity'] }
const authorityYears = 10
const servingYears = 1

const dayMs = 24 * 3_600_000
const yearMs = 365 * dayMs
/** Clocks of API servers differ. */
const skewMs = 3_600_000
/** Both are renewed while this much is left: whoever trusts the old one has a quarter of a year to hear of the new. */
const renewMs = 90 * dayMs

export function rotationDnsName(namespace: string): string {
  return `azure-wi-webhook-webhook-service.${namespace}.svc`
}

export type RotationNeed = 'nothing' | 'serving' | 'all'

/** What has to be issued, given what is held: pure. A pair that cannot be read, or does not belong together, counts as none. */
export function rotationNeed(held: RotatedPair | undefined, dnsName: string, now: Instant): RotationNeed {
  if (held === undefined || !isPair(held.authority, held.authorityKey) || endsSoon(held.authority, now)) return 'all'
  try {
    const certificate = new X509Certificate(held.certificate)
    const isSigned = certificate.verify(createPublicKey(held.authority)) && certificate.checkHost(dnsName) !== undefined
    return isSigned && isPair(held.certificate, held.key) && !endsSoon(held.certificate, now) ? 'nothing' : 'serving'
  } catch {
    return 'serving'
  }
}

function endsSoon(certificate: string, now: Instant): boolean {
  const { validFrom, validUntil } = parseCertificate(certificate)
  return validFrom > now || validUntil - now < renewMs
}

function isPair(certificate: string, key: string): boolean {
  try {
    const [one, other] = [createPublicKey(certificate), createPublicKey(key)]
    return one.export({ type: 'spki', format: 'pem' }) === other.export({ type: 'spki', format: 'pem' })
  } catch {
    return false
  }
}

export interface Issuing {
  readonly keys: Pick<Keys, 'generateRsa'>
  readonly random: Random
  readonly now: Instant
  readonly dnsName: string
}

/** The next pair: with a new authority, or signed by the one that is held. */
export async function issuePair(held: RotatedPair | undefined, need: 'serving' | 'all', issuing: Issuing): Promise<RotatedPair> {
  const { keys, now, dnsName } = issuing
  const { authority, authorityKey } = need === 'serving' && held !== undefined ? held : await issueAuthority(issuing)
  const key = await keys.generateRsa(keyBits)
  const certificate = issueCertificate({
    subject: { commonName: dnsName },
    key,
    names: { dns: [dnsName] },
    usage: 'server',
    validFrom: now - skewMs,
    validUntil: Math.min(now + servingYears * yearMs, parseCertificate(authority).validUntil),
    serial: issuing.random.bytes(16),
    issuer: { certificate: authority, key: authorityKey },
  })
  return { authority, authorityKey, certificate, key }
}

const keyBits = 2_048

async function issueAuthority({ keys, random, now }: Issuing): Promise<Pick<RotatedPair, 'authority' | 'authorityKey'>> {
  const authorityKey = await keys.generateRsa(keyBits)
  const authority = issueCertificate({
    subject: authoritySubject,
    key: authorityKey,
    usage: 'ca',
    validFrom: now - skewMs,
    validUntil: now + authorityYears * yearMs,
    serial: random.bytes(16),
  })
  return { authority, authorityKey }
}
