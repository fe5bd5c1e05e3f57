// Everything that a Config's decision rests on. What is missing is a value.
import type { ClusterResolution } from '#fleet'
import type { OperatorConfig, WorkloadIdentityConfig } from '../api/kinds.ts'
import type { ChildState } from '../children/state.ts'
import type { DocumentSet } from '../documents/publication.ts'
import type { RuntimeSeen } from '../target/runtime.ts'
import type { PublicationSeen, PublicView } from './issuer-store.ts'
import type { KeyProof, KeyRecord } from './key-proof.ts'
import type { RingSeen, SecretObject, SigningKey } from './key-ring.ts'
import type { Signer } from './signer.ts'

export interface SecretSeen {
  /** What is there, also when it is not ours. */
  readonly object?: SecretObject
  readonly trouble?: string
  readonly ring: RingSeen
  /** Which of its keys are ours; there when it holds any. */
  readonly proof?: KeyProof
  /** What is to be on record, where that is not what is on record. */
  readonly record?: KeyRecord
  /** Another cluster with one of these keys that had it first, as `namespace/name` of its Config. */
  readonly sharedWith?: string
  /** Fresh, there when a key has to be made. */
  readonly candidate?: SigningKey
  /** Whether the candidate is on record, so that it may be written. */
  readonly isCandidateRecorded?: boolean
}

export interface SelfHostedSeen {
  readonly bucketName: string
  readonly issuerUrl: string
  readonly hostPath: string
  readonly secret: SecretSeen
  readonly bucket: ChildState
  /** What is to be published for the keys as they are now. */
  readonly documents?: DocumentSet
  /** There once the bucket is. */
  readonly publication?: PublicationSeen
  /** There once all is published. */
  readonly publicView?: PublicView
  readonly signer?: Signer
  /** Providers of others, in this hub, that trust this issuer. */
  readonly trustedBy: readonly string[]
}

export interface ConfigSeen {
  readonly config?: WorkloadIdentityConfig
  readonly operatorConfig?: OperatorConfig
  readonly resolution: ClusterResolution
  readonly provider: ChildState
  readonly selfHosted?: SelfHostedSeen
  readonly runtime?: RuntimeSeen
  /** Names of the Roles of the namespace, terminating or not; only looked for during deletion. */
  readonly roles?: readonly string[]
  readonly sharesRuntime?: SharedRuntime
}

/** Whether another live Config uses the same cluster's runtime; only asked during deletion. */
export type SharedRuntime =
  | { readonly kind: 'no' }
  | { readonly kind: 'shared' }
  | { readonly kind: 'unknown'; readonly message: string }
