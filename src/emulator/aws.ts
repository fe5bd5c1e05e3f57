// The AWS emulator as its users see it: in process, over sockets, with virtual time, snapshots, faults and a memory of what was called.
import type { Clock, HttpExchange, HttpListener, Log, MessageListener, MessageNet, Net, Random } from '#base'
import type { DnsReply } from './dns/reply.ts'
import type { StoredState } from './state/state-json.ts'

export type Profile = 'instant' | 'demo' | 'async' | 'hostile'
export type SignatureMode = 'off' | 'parse' | 'verify'
export type EnforceMode = 'none' | 'adminOnly' | 'full'

export interface AwsOptions {
  readonly seed?: string | number
  readonly clock?: Clock
  readonly random?: Random
  readonly log?: Log
  readonly profile?: Profile
  /** Default `verify`. */
  readonly signatures?: SignatureMode
  /** Default `adminOnly`. */
  readonly enforce?: EnforceMode
  readonly accounts?: readonly string[]
  readonly region?: string
  /** Lets issuer documents be fetched from the network; otherwise hosts that are not in process are unreachable. */
  readonly allowExternalIssuers?: boolean
  readonly net?: Net
  /** Where `dns.listen` listens. */
  readonly messages?: MessageNet
  /** Sections 12 and 13: overrides of single delays, limits and quotas. */
  readonly knobs?: Readonly<Record<string, unknown>>
  readonly faults?: readonly AwsFaultRule[]
}

/** One observed call. Token text and secrets are never in it. */
export interface AwsCall {
  readonly atMs: number
  readonly requestId: string
  readonly service: string
  readonly operation: string
  readonly caller: string
  readonly userAgent: string
  readonly account: string
  readonly region: string
  readonly parameters: Readonly<Record<string, unknown>>
  /** `ok` or the error code. */
  readonly result: string
  readonly throttled: boolean
}

export interface AwsCallFilter {
  readonly service?: string
  readonly operation?: string
  readonly caller?: string
  readonly result?: string
}

export type AwsFaultEffect =
  | { readonly kind: 'error'; readonly code: string; readonly http: number; readonly message?: string }
  | { readonly kind: 'throttle' }
  | { readonly kind: 'latency'; readonly ms: number }
  | { readonly kind: 'timeout-before' }
  | { readonly kind: 'timeout-after' }
  | { readonly kind: 'duplicate' }
  | { readonly kind: 'truncate-body' }
  | { readonly kind: 'wrong-content-type' }
  | { readonly kind: 'html-502' }
  | { readonly kind: 'stale-read'; readonly ageMs: number }
  | { readonly kind: 'propagation'; readonly extraMs: number }
  | { readonly kind: 'partial-list' }
  | { readonly kind: 'clock-skew'; readonly ms: number }
  | { readonly kind: 'expire-credentials' }
  | { readonly kind: 'revoke-session' }
  | { readonly kind: 'corrupt-object' }
  | { readonly kind: 'drop-jwks' }
  | { readonly kind: 'slow-issuer'; readonly ms: number }

export interface AwsFaultRule {
  readonly match: {
    readonly service?: string
    readonly operation?: string
    readonly caller?: string
    readonly resource?: string
    readonly nth?: number
    readonly probability?: number
  }
  readonly effect: AwsFaultEffect
  readonly times?: number
  readonly fromMs?: number
  readonly untilMs?: number
}

/** Why a call was allowed or refused: the links of the chain in order, the deciding one last. */
export interface Explanation {
  readonly requestId: string
  readonly decision: 'allowed' | 'denied'
  readonly steps: readonly { readonly link: string; readonly holds: boolean; readonly detail: string }[]
}

/** A pod as its SDK sees it: which of its credentials is used follows from its environment, in the order of the SDKs. */
export interface PodSubject {
  readonly kind: 'pod'
  /**
   * The environment of the container, of which `AWS_ACCESS_KEY_ID`, `AWS_ROLE_ARN`, `AWS_CONTAINER_CREDENTIALS_FULL_URI` and their
   * companions are read.
   */
  readonly environment: Readonly<Record<string, string>>
  readonly namespace: string
  readonly serviceAccount: string
  /** The issuer of the tokens in its volumes. */
  readonly issuer?: string
  /** Default `sts.amazonaws.com`. */
  readonly audience?: string
  /** The EKS cluster it runs in, with the account and region of that cluster. */
  readonly cluster?: string
  readonly account?: string
  readonly region?: string
}

export interface EmulatorCredentials {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken?: string
  readonly expiresAtMs?: number
}

export interface ClusterBinding {
  readonly name: string
  readonly account?: string
  readonly region?: string
  readonly endpoint: string
  /** PEM. */
  readonly certificateAuthority: string
  /** `https://…`; register its host with `registerHost`. */
  readonly issuer: string
  /** Asked for every token; without it a pod named in a good token is taken to exist. */
  readonly podExists?: (pod: {
    readonly namespace: string
    readonly name: string
    readonly uid: string
  }) => boolean | Promise<boolean>
}

/** Whose emulator this is, for those who ask its control page and may mean another. */
export interface About {
  /** `vouch aws, process 4711`. */
  readonly owner: string
  /** Where its AWS answers. */
  readonly endpoint: string
}

/** Whose answers: those of the world, or those of a VPC, which sees its private zones first. */
export interface DnsView {
  readonly vpc?: string
  /** Default `aws`. */
  readonly partition?: string
}

export interface ZonesDns {
  /** What a resolver finds: the CNAMEs on the way, then the values. Only changes that are INSYNC are seen. */
  resolve(name: string, type: string, view?: DnsView): DnsReply
  /** A name server on a port of this machine, over UDP and TCP; `dig @127.0.0.1 -p PORT NAME TYPE` asks it. */
  listen(options?: DnsView & { readonly host?: string; readonly port?: number }): Promise<MessageListener>
}

export interface Aws {
  /** Any service: chosen by host, target, scope, body or path (§2.3). */
  readonly handle: HttpExchange
  listen(options?: { host?: string; port?: number; tls?: boolean }): Promise<HttpListener>
  /** The control interface (§15.5): state, calls and explanations as JSON and a page, read-only, on a port of its own. */
  listenControl(options?: { host?: string; port?: number; about?: About }): Promise<HttpListener>
  /** What all hosted zones together answer; `dns.listen` puts it on a port, over UDP and TCP. */
  readonly dns: ZonesDns
  /** PEM of the CA under which the HTTPS listener's certificate is issued. */
  readonly ca: string
  /** Long-lived keys of an administrator of the account (default: the first); they are valid in one partition (default `aws`). */
  adminCredentials(account?: string, partition?: string): EmulatorCredentials
  /** Issuer documents of this https host come from the handler (e.g. an embedded API server). */
  registerHost(host: string, handler: HttpExchange): void
  /** An embedded API server behind an emulated EKS cluster (§7.1): endpoint, CA and issuer are that server's from now on. */
  bindCluster(binding: ClusterBinding): void
  /**
   * What happens in AWS without a call to the service: `acm` `attach`, `detach`, `servingPair` and `approveMail`; `eks` `bind` and `signToken`. The
   * place defaults to the first account and the default region.
   */
  control(
    service: string,
    name: string,
    args: Readonly<Record<string, string>>,
    place?: { readonly account?: string; readonly region?: string; readonly partition?: string },
  ): unknown
  readonly calls: {
    all(filter?: AwsCallFilter): readonly AwsCall[]
    count(filter?: AwsCallFilter): number
    last(filter?: AwsCallFilter): AwsCall | undefined
    clear(): void
  }
  explain(requestId: string): Explanation | undefined
  /** §4.7 */
  canPod(question: {
    /** Token claims, or an EKS association's coordinates. */
    readonly subject:
      | { readonly kind: 'web-identity'; readonly issuer: string; readonly audience: string; readonly subject: string }
      | {
          readonly kind: 'pod-identity'
          readonly cluster: string
          readonly namespace: string
          readonly serviceAccount: string
          readonly account?: string
          readonly region?: string
        }
      | PodSubject
    readonly roleArn?: string
    readonly action: string
    readonly resource: string
  }): Promise<Explanation>
  readonly faults: { add(rule: AwsFaultRule): { remove(): void }; clear(): void }
  snapshot(): string
  /** A part of the snapshot: what a service keeps, by place. A state that did not change since the last look is the very same value. */
  stored(service: string): readonly StoredState[]
  fork(options?: Pick<AwsOptions, 'clock' | 'seed'>): Aws
  /** Lets the clock run (a manual one is advanced) until nothing is under way any more: no change spreading, no cluster starting. */
  settle(): Promise<void>
  /** When the next state machine moves, or something expires; `undefined` when nothing waits. */
  nextDeadline(): number | undefined
  /** `service:operation` pairs that were asked for and are not served, with how often (§3.11). */
  unimplemented(): Readonly<Record<string, number>>
  /** Fetches of issuer documents and what became of them: the status, or why there was none. */
  issuerFetches(): readonly { readonly atMs: number; readonly url: string; readonly outcome: string }[]
  close(): Promise<void>
}
