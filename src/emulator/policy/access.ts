// The words in which a question about access is asked and answered. decide.ts answers it (§4.5).

/** Condition keys of one request. Names are compared without case. */
export type ContextKeys = Readonly<Record<string, string | readonly string[] | undefined>>

export type PolicyKind =
  | 'identity-based'
  | 'permissions boundary'
  | 'session'
  | 'resource-based'
  | 'service control'
  | 'resource control'
  | 'role trust'

/** A policy that hangs on the resource. */
export interface ResourcePolicy {
  readonly kind: 'resource-based' | 'role trust'
  /** For explanations: `bucket policy of b`. */
  readonly name: string
  /** As stored, with principals bound to their ids. */
  readonly text: string
}

export interface AccessQuestion {
  /** `s3:GetObject` */
  readonly action: string
  /** An ARN, or `*` for actions that have no resource. */
  readonly resource: string
  /** Keys of this action; the core adds those of the request and the caller (§4.3). */
  readonly context?: ContextKeys
  /** Default: the caller's account. */
  readonly resourceAccount?: string
  readonly resourceTags?: Readonly<Record<string, string>>
  readonly resourcePolicy?: ResourcePolicy
  /** A refusal that no policy can lift, with its reason: S3's RestrictPublicBuckets. Evaluated after an explicit deny. */
  readonly veto?: string
}

/** One link of the chain, in the order in which it was looked at; the deciding one is the last. */
export interface AccessStep {
  /** `identity-based policy`, `trust policy`, `key set` … */
  readonly link: string
  readonly holds: boolean
  /** Names the policy, statement and condition that decided. Never holds token text or secrets. */
  readonly detail: string
}

export interface AccessDecision {
  readonly allowed: boolean
  readonly kind: 'allowed' | 'explicit deny' | 'implicit deny'
  /** The kind of policy that decided; absent when it was a mode or the root user. */
  readonly policy?: PolicyKind
  readonly steps: readonly AccessStep[]
  /** `User: … is not authorized to perform: …` (§4.6); empty when allowed. */
  readonly message: string
}
