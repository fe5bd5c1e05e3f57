// What one emulated service may know of another, kept narrow on purpose: STS asks IAM for roles and the issuer for keys, ACM asks
// Route 53 for records, EKS Auth asks STS for credentials. A port is offered by the service that owns the state (`Service.offers`).
import type { CertificateRequest, Instant } from '#base'
import type { DnsReply } from './dns/reply.ts'
import type { AccessQuestion, AccessStep } from './policy/access.ts'
import type { CallerPolicies } from './policy/decide.ts'
import type { AwsPolicy } from './policy/managed-policies.ts'
import type { ServicePrincipal, SessionPrincipal, UserPrincipal } from './principal.ts'
import type { QuotaList } from './quotas.ts'

export interface Ports {
  readonly roles: RolesPort
  readonly providers: ProvidersPort
  readonly identities: IdentitiesPort
  readonly sessions: SessionsPort
  readonly tokens: TokensPort
  readonly issuers: IssuersPort
  readonly dns: DnsPort
  readonly clusters: ClustersPort
  readonly resourcePolicies: ResourcePoliciesPort
  readonly certificates?: CertificatesPort
  readonly authorities?: AuthoritiesPort
  readonly queues?: QueuesPort
  readonly pods: PodsPort
  readonly organization: OrganizationPort
  readonly resources: ResourcesPort
  readonly quotas: QuotasPort
  /** Offered by the core: AWS's own managed policies, by ARN, in the order of their names. */
  readonly awsPolicies: ReadonlyMap<string, AwsPolicy>
}

/** `late` is what consumers of IAM see (§12.2), `newest` what IAM itself answers. */
export type View = 'newest' | 'late'

export interface RoleView {
  readonly arn: string
  readonly id: string
  readonly name: string
  readonly account: string
  /** As stored: principals of this emulator are bound to their unique ids (§4.1). */
  readonly trustPolicy: string
  readonly maxSessionDurationS: number
  readonly tags: Readonly<Record<string, string>>
}

/** Offered by IAM. */
export interface RolesPort {
  find(arn: string, view: View): RoleView | undefined
  /** Whether an account, role, user or session ARN, or a unique id, names somebody in this partition. */
  principalExists(principal: string, view: View): boolean
  /** Rewrites role and user ARNs of a resource or trust policy to unique ids, for storing; see `shown` for the way back. */
  bound(policyText: string): string
  /** The text as reads show it: ids of living principals become ARNs again, those of deleted ones stay ids. */
  shown(boundPolicyText: string): string
  /** Whether the trust policy lets this caller do all of these actions. The steps say which statement decided. */
  trustAllows(question: {
    readonly role: RoleView
    readonly caller: ServicePrincipal
    readonly actions: readonly string[]
    readonly context: Readonly<Record<string, string | readonly string[]>>
  }): { readonly allowed: boolean; readonly steps: readonly AccessStep[] }
}

/** Offered by IAM: who stands behind a key, and what they may do. */
export interface IdentitiesPort {
  userKey(
    accessKeyId: string,
  ): { readonly secretAccessKey: string; readonly active: boolean; readonly user: UserPrincipal } | undefined
  /** Late: as authorisation sees it (§12.2). */
  policiesOf(caller: UserPrincipal | SessionPrincipal): CallerPolicies
  /** Tags of the user, or of the session's role; session tags are not in it. */
  tagsOf(caller: UserPrincipal | SessionPrincipal): Readonly<Record<string, string>>
  /** A session lives as long as the very role it was made from, at once and not late (§4.1). */
  roleLives(roleArn: string, roleId: string): boolean
  noteRoleUse(role: Pick<RoleView, 'id' | 'account'>, use: { readonly region: string; readonly atMs: Instant }): void
  /** The text of a managed policy, for session policies; `undefined` when there is none of this ARN. */
  managedPolicy(account: string, arn: string): string | undefined
  noteKeyUse(accessKeyId: string, use: { readonly service: string; readonly region: string; readonly atMs: Instant }): void
}

/** Offered by IAM: OpenID Connect providers, by URL without scheme. */
export interface ProvidersPort {
  find(account: string, url: string, view: View): { readonly arn: string; readonly clientIds: readonly string[] } | undefined
}

/** Offered by STS. */
export interface SessionsPort {
  find(
    accessKeyId: string,
  ): { readonly secretAccessKey: string; readonly sessionToken: string; readonly principal: StoredPrincipal } | undefined
}

/** GetSessionToken makes sessions of users too. */
export type StoredPrincipal = SessionPrincipal | (UserPrincipal & { readonly expiresAtMs: Instant; readonly issuedAtMs: Instant })

export interface IssuedCredentials {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken: string
  readonly expiresAtMs: Instant
  readonly session: SessionPrincipal
}

/** Offered by STS. Throws `ServiceError` AccessDenied, with the long message, when the trust policy refuses. */
export interface TokensPort {
  assumeRole(request: {
    readonly caller: ServicePrincipal | SessionPrincipal
    readonly roleArn: string
    readonly sessionName: string
    readonly durationS: number
    readonly tags?: Readonly<Record<string, string>>
    readonly transitiveTagKeys?: readonly string[]
    readonly policy?: string
    /** Further trust keys: `aws:SourceArn`, `aws:SourceAccount`, `sts:ExternalId`. */
    readonly context?: Readonly<Record<string, string | readonly string[]>>
    readonly region: string
    readonly account: string
  }): IssuedCredentials
}

export type IssuerFetch =
  | { readonly kind: 'answer'; readonly status: number; readonly contentType: string; readonly body: Uint8Array }
  | { readonly kind: 'unreachable'; readonly why: string; readonly transient: boolean }

/** Offered by the core (§2.6): fetches of issuer documents never leave the process unless that is allowed. */
export interface IssuersPort {
  fetch(url: string): Promise<IssuerFetch>
  /** SHA-1 of the CA that signs the host's certificate, in hex; `undefined` when the host cannot be reached. */
  thumbprint(url: string): string | undefined
}

/** Offered by Route 53 (§10.5). */
export interface DnsPort {
  resolve(name: string, type: string, options?: { readonly vpc?: string }): DnsReply
}

export type PodCheck = (pod: {
  readonly namespace: string
  readonly name: string
  readonly uid: string
}) => boolean | Promise<boolean>

/** Offered by the core: clusters that are bound to an API server can say whether a pod still exists. */
export interface PodsPort {
  exists(clusterArn: string, pod: Parameters<PodCheck>[0]): boolean | Promise<boolean>
}

/** Offered by the core: the accounts of the organization, the management account first. */
export interface OrganizationPort {
  readonly id: string
  readonly rootId: string
  accounts(): readonly string[]
}

export interface TaggedResource {
  readonly arn: string
  /** `s3`, `acm:certificate` as ResourceTypeFilters has them. */
  readonly type: string
  readonly tags: Readonly<Record<string, string>>
}

/** Offered by the core: what services of an account and region list for the tagging API. */
export interface ResourcesPort {
  tagged(at: { readonly account: string; readonly region: string }): Iterable<TaggedResource>
}

/** Offered by the core: what each service counts and bounds, for Service Quotas. */
export type QuotasPort = readonly (QuotaList & { readonly service: string; readonly isGlobal: boolean })[]

/** Offered by SQS: another service puts a message into a queue. */
export interface QueuesPort {
  /** False where there is no such queue, or its policy does not let the service in. */
  deliver(queueArn: string, message: { readonly body: string; readonly service: string; readonly sourceArn: string }): boolean
}

/** Offered by ACM: Route 53 tells it when a change has reached the DNS. */
export interface CertificatesPort {
  recheck(): void
}

/** Offered by AWS Private CA. */
export interface AuthoritiesPort {
  find(arn: string): AuthorityView | undefined
}

export interface AuthorityView {
  readonly account: string
  readonly isActive: boolean
  /** The end of the authority: nothing that it signs is valid longer. */
  readonly endsMs: Instant
  /** Whether it lets ACM issue and renew by itself. */
  readonly grantsAcm: boolean
  /** What is to be asked of a caller who has it sign. */
  readonly issuing: AccessQuestion
  /** The algorithm by which it signs. */
  readonly signature: string
  /** Its own certificate and all above it. */
  readonly chain: string
  sign(request: Omit<CertificateRequest, 'issuer'>): string
}

export interface AssociationView {
  readonly arn: string
  readonly id: string
  readonly roleArn: string
  readonly targetRoleArn: string | undefined
  readonly externalId: string | undefined
  readonly policy: string | undefined
  readonly disableSessionTags: boolean
}

/** Offered by EKS. */
export interface ClustersPort {
  find(
    name: string,
    at: { readonly account: string; readonly region: string },
  ): { readonly arn: string; readonly issuer: string } | undefined
  association(question: {
    readonly cluster: string
    readonly account: string
    readonly region: string
    readonly namespace: string
    readonly serviceAccount: string
    readonly view: View
  }): AssociationView | undefined
  /** `GET https://oidc.eks.<region>.amazonaws.com/id/<hex>/…` */
  document(host: string, path: string): Promise<IssuerFetch>
}

/** Offered by S3: what a bucket's side says when access to it is asked outside of a request. */
export interface ResourcePoliciesPort {
  of(arn: string, callerAccount: string): Pick<AccessQuestion, 'resourceAccount' | 'resourcePolicy' | 'veto'> | undefined
}
