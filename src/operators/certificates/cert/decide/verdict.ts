// What a decision says, before it is a plan: the row of the transition table it followed, the state it leads to, and why.
import type { Occurrence } from '#kube'
import type { Action } from '#runtime'
import type { FailureReason, WaitReason } from '../../api/conditions.ts'
import type { CertState, CertStatus, Refuser } from '../../api/status.ts'
import type { CertAction } from '../cloud-action.ts'

export type EventReason =
  | 'CertificateRequested'
  | 'ValidationRecordsCreated'
  | 'CertificateIssued'
  | 'CertificateReplaced'
  | 'CertificateRenewed'
  | 'CertificateRetained'
  | 'CertificateDeleted'
  | 'CertificateOrphaned'
  | 'CertificateMissing'
  | 'ValidationTimedOut'
  | 'IssuanceFailed'
  | 'RecordConflict'
  | 'ValidationRecordReplaced'
  | 'ValidationRecordKept'
  | 'DeletionBlocked'
  | 'RenewalFailed'
  | 'ZoneNotFound'
  | 'AccessDenied'
  | 'QuotaExceeded'
  | 'DryRun'

export interface ToldOnce {
  readonly type: Occurrence['type']
  readonly reason: EventReason
  readonly message: string
}

export interface Blocked {
  readonly reason: 'CertificateInUse' | 'AWSUnavailable' | 'AccessDenied'
  readonly message: string
}

/** What stands in the way. `refusedBy` where that was not AWS. */
export interface CertFailure {
  readonly reason: FailureReason
  readonly message: string
  readonly refusedBy?: Refuser
}

export type StatusChange = { readonly [K in keyof CertStatus]?: CertStatus[K] | undefined }

export interface Verdict {
  /** Of the transition table of docs/rules/certificates.md. */
  readonly row: number
  readonly state: CertState
  readonly actions: readonly Action<CertAction>[]
  /** Other fields of the status, if all succeeds; `undefined` removes one. */
  readonly status: StatusChange
  readonly failure?: CertFailure
  /** Why it is not Ready. */
  readonly wait?: { readonly reason: WaitReason; readonly message: string }
  readonly events: readonly ToldOnce[]
  /** `interval`: by state; the counter grows where the state stays. */
  readonly next: 'at-once' | 'interval' | 'await' | { readonly afterMs: number; readonly why: string; readonly lane?: 'begun' }
  readonly blocked?: Blocked
  /** What its spec asks for and AWS refuses, while the certificate is good. */
  readonly heldUp?: Pick<CertFailure, 'reason' | 'message'>
  /** What would be done. */
  readonly planned?: readonly string[]
  /** The status stays as it is. */
  readonly isSilent?: boolean
  /** Only these fields are written: the spec was not answered, and must not count as seen. */
  readonly isAside?: boolean
  /** Nothing of the status is said: the object goes. */
  readonly isRelease?: boolean
  /** Validation records cannot be written: what the condition says of it. */
  readonly recordsTrouble?: { readonly reason: 'RecordConflict' | 'AccessDenied'; readonly message: string }
}

type Rest = Partial<Omit<Verdict, 'row' | 'state'>>

export function verdict(row: number, state: CertState, rest: Rest = {}): Verdict {
  return { row, state, actions: [], status: {}, events: [], next: 'interval', ...rest }
}

export function failed(row: number, failure: NonNullable<Verdict['failure']>, rest: Rest = {}): Verdict {
  return verdict(row, 'Failed', { failure, ...rest })
}

export function waits(row: number, state: CertState, wait: NonNullable<Verdict['wait']>, rest: Rest = {}): Verdict {
  return verdict(row, state, { wait, ...rest })
}
