// What AWS Private CA remembers of one account and region, and the pure rules of an authority's life.
import type { Instant } from '#base'
import { SortedMap } from '../state/sorted-map.ts'

export interface PcaState {
  /** Authorities by the UUID at the end of their ARN. */
  readonly authorities: SortedMap<PrivateAuthority>
  /** What they signed, by the path of the ARN: `AUTHORITY/certificate/ID`. */
  readonly certificates: SortedMap<SignedCertificate>
  /** Idempotency tokens with the operation before them, and what they made. */
  readonly tokens: SortedMap<{ readonly arn: string; readonly atMs: Instant }>
}

export const emptyPca: PcaState = {
  authorities: SortedMap.empty(),
  certificates: SortedMap.empty(),
  tokens: SortedMap.empty(),
}

export type AuthorityStatus = 'CREATING' | 'PENDING_CERTIFICATE' | 'ACTIVE' | 'DISABLED' | 'EXPIRED' | 'DELETED'

/** As it was asked for, with the fields of the API. */
export interface AuthorityConfiguration {
  readonly KeyAlgorithm: string
  readonly SigningAlgorithm: string
  readonly Subject: AuthoritySubject
}

export interface AuthoritySubject {
  readonly CustomAttributes?: readonly { readonly ObjectIdentifier: string; readonly Value: string }[]
  /** `CommonName`, `Country` and the like. */
  readonly [field: string]: unknown
}

export interface PrivateAuthority {
  readonly id: string
  readonly arn: string
  readonly account: string
  readonly type: 'ROOT' | 'SUBORDINATE'
  readonly configuration: AuthorityConfiguration
  readonly revocation: object
  readonly usageMode: string
  readonly keyStandard: string
  readonly status: AuthorityStatus
  /** What it was before it was deleted. */
  readonly deletedFrom?: AuthorityStatus
  readonly restorableUntilMs?: Instant
  readonly createdMs: Instant
  readonly changedMs: Instant
  /** The private key of the authority, as PEM. */
  readonly key: string
  /** What the authority asks to have signed for itself, as PEM. */
  readonly request: string
  readonly installed?: InstalledCertificate
  readonly permissions: readonly AuthorityPermission[]
  /** With principals bound to their ids. */
  readonly policy?: string
  readonly tags: Readonly<Record<string, string>>
}

export interface InstalledCertificate {
  readonly certificate: string
  /** The certificates of all authorities above it; empty for a root. */
  readonly chain: string
  readonly serial: string
  readonly notBeforeMs: Instant
  readonly notAfterMs: Instant
}

export interface AuthorityPermission {
  readonly principal: string
  readonly sourceAccount: string
  readonly actions: readonly string[]
  readonly createdMs: Instant
}

export interface SignedCertificate {
  readonly arn: string
  readonly certificate: string
  /** The authority's own certificate and all above it; empty for its own. */
  readonly chain: string
  readonly serial: string
  /** It can be fetched from here on. */
  readonly readyMs: Instant
  readonly revokedMs?: Instant
}

/** The only one to which permissions are given. */
export const acmPrincipal = 'acm.amazonaws.com'

/** What ACM must be allowed for issuing and renewing by itself. */
export const acmPermissions: readonly string[] = ['IssueCertificate', 'GetCertificate', 'ListPermissions']

export function grantsAcm({ account, permissions }: PrivateAuthority): boolean {
  const own = permissions.filter(({ principal, sourceAccount }) => principal === acmPrincipal && sourceAccount === account)
  const granted = own.flatMap(({ actions }) => actions)
  return acmPermissions.every(action => granted.includes(action))
}

/** As it is at that time: what runs out does so without anybody's doing. */
export function statusAt({ status, installed }: PrivateAuthority, now: Instant): AuthorityStatus {
  const isOver = installed !== undefined && installed.notAfterMs <= now
  return isOver && (status === 'ACTIVE' || status === 'DISABLED') ? 'EXPIRED' : status
}

/** Family of the algorithm: what a key must be to sign so. */
export function familyOfAlgorithm(algorithm: string): 'rsa' | 'ec' | undefined {
  if (/^RSA_(?:2048|3072|4096)$|WITHRSA$/.test(algorithm)) return 'rsa'
  return /^EC_|WITHECDSA$/.test(algorithm) ? 'ec' : undefined
}
