// Conditions and reasons of a Cert: closed lists.

export const conditionTypes = {
  ready: 'Ready',
  reconciling: 'Reconciling',
  stalled: 'Stalled',
  zoneResolved: 'ZoneResolved',
  recordsReady: 'DNSRecordsReady',
  domainsValidated: 'DomainsValidated',
  renewalHealthy: 'RenewalHealthy',
  deletionBlocked: 'DeletionBlocked',
  dryRun: 'DryRun',
  published: 'Published',
  exported: 'Exported',
} as const

/** Why a Cert failed. */
export const failureReasons: readonly FailureReason[] = [
  'ZoneNotFound',
  'PrivateZone',
  'DuplicateDomain',
  'ValidationTimedOut',
  'Revoked',
  'Expired',
  'IssuanceFailed',
  'CAARestricted',
  'QuotaExceeded',
  'AccessDenied',
  'RecordConflict',
]

export type FailureReason =
  | 'ZoneNotFound'
  | 'PrivateZone'
  | 'DuplicateDomain'
  | 'ValidationTimedOut'
  | 'Revoked'
  | 'Expired'
  | 'IssuanceFailed'
  | 'CAARestricted'
  | 'QuotaExceeded'
  | 'AccessDenied'
  | 'RecordConflict'

/** Why a Cert is not Ready while it is on its way, or cannot be looked at. */
export type WaitReason =
  | 'Requesting'
  | 'WaitingForDNS'
  | 'WaitingForIssuance'
  | 'ReplacementInProgress'
  | 'CertificateMissing'
  | 'Paused'
  | 'AWSUnavailable'

export type ReadyReason = 'Issued' | WaitReason | FailureReason

/** A reason as it was written down before. */
export function failureReasonOf(text: string | undefined): FailureReason | undefined {
  return failureReasons.find(reason => reason === text)
}
