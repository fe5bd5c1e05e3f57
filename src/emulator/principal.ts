// Who is calling (§4.1).
import type { Instant } from '#base'

export type Principal = RootPrincipal | UserPrincipal | SessionPrincipal | AnonymousPrincipal | ServicePrincipal

interface InAccount {
  readonly partition: string
  readonly account: string
  /** As GetCallerIdentity shows it. */
  readonly arn: string
  readonly userId: string
  readonly accessKeyId: string
}

export interface RootPrincipal extends InAccount {
  readonly kind: 'root'
}

export interface UserPrincipal extends InAccount {
  readonly kind: 'user'
  readonly userName: string
  /** False for the administrator that exists only as a key: it has no policies of its own and may do everything. */
  readonly managed: boolean
}

export interface SessionPrincipal extends InAccount {
  readonly kind: 'session'
  readonly roleName: string
  /** With its path: the value of `aws:PrincipalArn`. */
  readonly roleArn: string
  /** `AROA…`; a role made again under the same name has another. */
  readonly roleId: string
  readonly sessionName: string
  readonly issuedAtMs: Instant
  readonly expiresAtMs: Instant
  /** Texts of the inline session policy and of nothing else; managed ones are in `policyArns`. */
  readonly policy: string | undefined
  readonly policyArns: readonly string[]
  readonly tags: Readonly<Record<string, string>>
  readonly transitiveTagKeys: readonly string[]
  readonly sourceIdentity: string | undefined
  readonly federatedProvider: string | undefined
}

export interface AnonymousPrincipal {
  readonly kind: 'anonymous'
}

/** AWS itself, e.g. EKS Auth assuming a role for a pod. */
export interface ServicePrincipal {
  readonly kind: 'service'
  /** `pods.eks.amazonaws.com` */
  readonly service: string
}

/** The caller as messages and the record of calls name it. */
export function nameOf(caller: Principal): string {
  switch (caller.kind) {
    case 'anonymous':
      return 'anonymous'
    case 'service':
      return caller.service
    default:
      return caller.arn
  }
}
