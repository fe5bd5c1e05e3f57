// What ACM remembers of one account and region, and the pure rules of a certificate's life: names, validation records, states.
import { createHash } from 'node:crypto'
import type { Instant } from '#base'
import { SortedMap } from '../state/sorted-map.ts'

export interface AcmState {
  /** Certificates by the UUID at the end of their ARN. */
  readonly certificates: SortedMap<AcmCertificate>
  /** Idempotency tokens of RequestCertificate and what they made. */
  readonly tokens: SortedMap<{ readonly id: string; readonly atMs: Instant }>
  /** When certificates were requested, by count: the yearly quota also counts failed and deleted ones. */
  readonly requests: SortedMap<Instant>
  readonly daysBeforeExpiry: number
}

export const emptyAcm: AcmState = {
  certificates: SortedMap.empty(),
  tokens: SortedMap.empty(),
  requests: SortedMap.empty(),
  daysBeforeExpiry: 45,
}

export type CertificateStatus = 'PENDING_VALIDATION' | 'ISSUED' | 'EXPIRED' | 'VALIDATION_TIMED_OUT' | 'REVOKED' | 'FAILED'

export interface AcmCertificate {
  readonly id: string
  readonly arn: string
  readonly account: string
  readonly type: 'AMAZON_ISSUED' | 'IMPORTED' | 'PRIVATE'
  readonly domain: string
  /** All names of the certificate, the primary name first. */
  readonly names: readonly string[]
  readonly method: 'DNS' | 'EMAIL' | 'HTTP' | undefined
  readonly createdMs: Instant
  /** It is found by its ARN from here on. */
  readonly visibleMs: Instant
  /** Deleted, and still to be described until it is taken away. */
  readonly deletedMs?: Instant
  /** Describe shows the validation records from here on. */
  readonly detailsMs: Instant
  readonly status: CertificateStatus
  readonly validations: readonly DomainValidation[]
  readonly failureReason?: string
  /** All names are validated; issuing takes until then. */
  readonly issueAtMs?: Instant
  readonly issued?: Issued
  readonly importedMs?: Instant
  readonly revoked?: { readonly atMs: Instant; readonly reason: string }
  readonly renewal?: CertificateRenewal
  /** The key algorithm as it was requested, such as `RSA_2048`. */
  readonly keyAlgorithm: string
  readonly transparencyLogging: string
  readonly exportable: boolean
  readonly exported: boolean
  readonly authorityArn?: string
  /** Whoever asked for it may have the authority sign, which then needs no permission for ACM. */
  readonly askerMayIssue?: boolean
  readonly managedBy?: string
  readonly uses: readonly Use[]
  readonly tags: Readonly<Record<string, string>>
}

export interface DomainValidation {
  readonly name: string
  /** Where the approval mails go. */
  readonly validationDomain: string
  readonly status: 'PENDING_VALIDATION' | 'SUCCESS' | 'FAILED'
}

export interface Use {
  /** ARN of a load balancer, a distribution and the like. */
  readonly consumer: string
  /** `InUseBy` names it from here on. */
  readonly shownMs: Instant
  /** Given back; `InUseBy` forgets it then. */
  readonly forgottenMs?: Instant
}

export interface CertificateRenewal {
  readonly status: RenewalStatus
  readonly atMs: Instant
  readonly reason?: string
  /** Names whose record was not there. */
  readonly missing: readonly string[]
}

export type RenewalStatus = 'PENDING_AUTO_RENEWAL' | 'PENDING_VALIDATION' | 'SUCCESS' | 'FAILED'

export interface Issued {
  readonly atMs: Instant
  readonly notBeforeMs: Instant
  readonly notAfterMs: Instant
  /** `0a:1b:…` */
  readonly serial: string
  readonly certificate: string
  readonly chain: string
  /** Only imported and private ones hold it; others are exported with the emulator's key. */
  readonly privateKey?: string
  readonly subject: string
  readonly issuer: string
  /** Only of a private authority that signs in another way than ACM. */
  readonly signature?: string
}

const terminal = new Set<CertificateStatus>(['EXPIRED', 'VALIDATION_TIMED_OUT', 'REVOKED', 'FAILED'])

/** Whether this is a state that a certificate never leaves. */
export function isTerminal(status: CertificateStatus): boolean {
  return terminal.has(status)
}

/** Who uses the certificate as `InUseBy` tells it, which lags on both sides. */
export function usersShown({ uses }: AcmCertificate, now: Instant): readonly string[] {
  return uses
    .filter(({ shownMs, forgottenMs }) => shownMs <= now && (forgottenMs === undefined || now < forgottenMs))
    .map(({ consumer }) => consumer)
}

/** Whether somebody holds it, shown or not: what a deletion and a renewal depend on. */
export function isInUse({ uses }: AcmCertificate, now: Instant): boolean {
  return uses.some(({ forgottenMs }) => forgottenMs === undefined || now < forgottenMs)
}

/** The name without its wildcard label: both share one record. */
export function baseDomain(name: string): string {
  return name.startsWith('*.') ? name.slice(2) : name
}

export interface ValidationRecord {
  readonly Name: string
  readonly Type: 'CNAME'
  readonly Value: string
}

/** A function of account and domain alone, so that every certificate of the account for this domain asks for the same record. */
export function validationRecord(account: string, name: string): ValidationRecord {
  const domain = baseDomain(name)
  const hash = (purpose: string): string => createHash('sha256').update(`${purpose} ${account} ${domain}`).digest('hex')
  const zone = hash('zone')
    .replace(/[0-9]/g, digit => 'ghijklmnop'[Number(digit)] ?? 'g')
    .slice(0, 10)
  return {
    Name: `_${hash('name').slice(0, 32)}.${domain}.`,
    Type: 'CNAME',
    Value: `_${hash('value').slice(0, 32)}.${zone}.acm-validations.aws.`,
  }
}

/** The names in lower case, the primary name first, each once. */
export function normalisedNames(primary: string, others: readonly string[]): readonly string[] {
  return [...new Set([primary, ...others].map(name => name.toLowerCase().replace(/\.$/, '')))]
}

const privateSuffixes = ['local', 'internal', 'test', 'localhost', 'invalid', 'example', 'onion', 'corp', 'home', 'lan']

/** Whether a public authority may issue for the domain: none does for the private suffixes. */
export function isPublicDomain(name: string): boolean {
  const labels = baseDomain(name).split('.')
  return labels.length > 1 && !privateSuffixes.includes(labels.at(-1) ?? '')
}

const amazonAuthorities = ['amazon.com', 'amazontrust.com', 'awstrust.com', 'amazonaws.com']

/** Whether CAA values, as the DNS holds them, let Amazon issue. */
export function caaAllowsAmazon(values: readonly string[], wildcard: boolean): boolean {
  const parsed = values.map(value => /^\d+ ([A-Za-z]+) "([^";]*)/.exec(value)).filter(match => match !== null)
  const ofTag = (tag: string): readonly string[] =>
    parsed.filter(([, name]) => name?.toLowerCase() === tag).map(([, , value = '']) => value.trim())
  const issueWild = ofTag('issuewild')
  const relevant = wildcard && issueWild.length > 0 ? issueWild : ofTag('issue')
  return relevant.length === 0 || relevant.some(authority => amazonAuthorities.includes(authority))
}

/** `EC_prime256v1` as it is; RSA with a hyphen, as Describe has it. */
export function describedAlgorithm(algorithm: string): string {
  return algorithm.startsWith('RSA_') ? algorithm.replace('_', '-') : algorithm
}
