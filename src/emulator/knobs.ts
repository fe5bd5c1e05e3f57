// Choices that are left to configuration, with their defaults. A service adds its own here.

export interface Knobs {
  /** Region of requests that name none (§2.4). */
  readonly defaultRegion: string
  /** Regions that are switched off for all accounts; STS answers RegionDisabledException there. */
  readonly disabledRegions: readonly string[]
  /** Our answers carry virtual time only on request: SDKs correct their clock from the `Date` header (§3.9). */
  readonly virtualDateHeader: boolean
  /** Lists come in shorter pages than asked for (§3.10). */
  readonly shortPages: boolean
  /** Two writers of one IAM entity within this time: the later gets ConcurrentModification (§5.2). 0 switches it off. */
  readonly concurrentModificationMs: number
  /** How long STS keeps an issuer's documents (§6.3). */
  readonly jwksTtlMs: number
  /** An unknown `kid` forces a fetch at most this often. */
  readonly unknownKidRefetchMs: number
  /** Transient faults while fetching issuer documents answer IDPCommunicationError, which SDKs retry. */
  readonly idpCommunicationError: boolean
  /** `provider` in AssumeRoleWithWebIdentity's answer is the provider's ARN, as observed, or the `iss` value, as documented. */
  readonly webIdentityProvider: 'arn' | 'issuer'
  /** Lifetime of EKS Auth credentials (§7.3). */
  readonly podIdentitySessionMs: number
  readonly ownBucketAgainInUsEast1: 'ok' | 'error'
  /** Answer 301 for a bucket of another region also on IP endpoints. */
  readonly wrongRegionRedirect: 'host' | 'always' | 'never'
  readonly bucketNameReuseMs: number
  readonly longS3Messages: boolean
  /** The emulator's issuer fetch refuses `bucket.with.dots.s3…`, whose real certificate does not match (§8.4). */
  readonly refuseDottedVirtualHosts: boolean
  /** How long Describe still answers for a certificate that was deleted. */
  readonly certificateGoneMs: number
  /**
   * Domains for which ACM fails at once, with the reason, e.g. `ADDITIONAL_VERIFICATION_REQUIRED` (§9.3); also for names below them. Under the
   * ARN of a private authority, why it issues nothing: `PCA_ACCESS_DENIED`.
   */
  readonly certificateFailures: Readonly<Record<string, string>>
  readonly priorRequestNotCompleteMs: number
  /** A top zone counts as delegated when no emulated zone is its parent (§10.5). */
  readonly delegateOrphanZones: boolean
  readonly accountPublicAccessBlock: Readonly<Record<string, boolean>>
  readonly serviceControlPolicies: ControlPolicies
  readonly resourceControlPolicies: ControlPolicies
  /** By name, e.g. `roles`, `certificates`: the tables of the services. */
  readonly quotas: Readonly<Record<string, number>>
  /** Milliseconds, or a range from which each object draws, by the name of the delay; wins over the profile. */
  readonly delays: Readonly<Record<string, number | readonly [number, number]>>
  /** §13.1 */
  readonly throttling: 'off' | 'published' | 'all' | 'tight'
}

/**
 * Policy documents of the organization by account, level by level from the root down: each level must allow. A level is one document or
 * several that are attached side by side, of which one must allow and none deny.
 */
export type ControlPolicies = Readonly<Record<string, readonly (string | readonly string[])[]>>

export const defaultKnobs: Knobs = {
  defaultRegion: 'us-east-1',
  disabledRegions: [],
  virtualDateHeader: false,
  shortPages: false,
  concurrentModificationMs: 0,
  jwksTtlMs: 0,
  unknownKidRefetchMs: 10_000,
  idpCommunicationError: false,
  webIdentityProvider: 'arn',
  podIdentitySessionMs: 6 * 3_600_000,
  ownBucketAgainInUsEast1: 'ok',
  wrongRegionRedirect: 'host',
  bucketNameReuseMs: 0,
  longS3Messages: true,
  refuseDottedVirtualHosts: true,
  certificateGoneMs: 0,
  certificateFailures: {},
  priorRequestNotCompleteMs: 0,
  delegateOrphanZones: true,
  accountPublicAccessBlock: {},
  serviceControlPolicies: {},
  resourceControlPolicies: {},
  quotas: {},
  delays: {},
  throttling: 'off',
}
