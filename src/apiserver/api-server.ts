// The embedded API server as its users see it: in process, over sockets, forked, stepped and broken on purpose.
import type { Clock, HttpExchange, HttpLimits, HttpListener, Log, Net, Random } from '#base'
import type { KubeObject } from '#kube'
import type { DataFolder } from './journal/journal.ts'

export type EmulatedVersion = '1.32' | '1.33' | '1.34'

export interface ApiServerOptions {
  /** Same seed, same uids, names, ports and jitter. Default: from the system's randomness. */
  readonly seed?: string | number
  readonly emulate?: EmulatedVersion
  /** Default: the system clock. A manual clock makes every TTL, bookmark and token expiry virtual. */
  readonly clock?: Clock
  readonly random?: Random
  readonly log?: Log
  /** Needed for webhooks, conversion and proxied addresses outside this process; absent means only in-process handlers are reachable. */
  readonly net?: Net
  /** Objects (CRDs among them) that are there from the start. */
  readonly objects?: readonly KubeObject[]
  /** Which small controllers run. Default: all that are not "out by default" in §9.4. */
  readonly controllers?: readonly string[] | 'none'
  /** Name for messages and for `iss`-like defaults. */
  readonly name?: string
  /** The service-account issuer; default `https://kubernetes.default.svc.cluster.local`. */
  readonly issuer?: string
  readonly faults?: readonly FaultRule[]
  /** A state that `snapshot()` gave: the server goes on from there with the same revisions, uids, keys and certificates. */
  readonly snapshot?: string
  /** Keeps the state in a folder; see `openDataFolder`. */
  readonly data?: DataFolder
  /** Responses, watch events, due timers and controller keys wait for `step()`. Default: they happen by themselves. */
  readonly stepped?: boolean
}

/** A caller's identity as the authenticators establish it. */
export interface UserInfo {
  readonly username: string
  readonly uid?: string
  readonly groups: readonly string[]
  readonly extra?: Readonly<Record<string, readonly string[]>>
}

export interface ApiServer {
  /** One request with full authentication (a bearer token or a peer certificate), authorisation, admission. */
  readonly handle: HttpExchange
  /** The same, already authenticated as this user; default the admin (`system:masters`). For clients in the same process. */
  as(user?: UserInfo): HttpExchange
  /** Serves TLS on a socket. The first listener's address goes into kubeconfigs. */
  listen(options?: ListenWhere): Promise<HttpListener>
  /** A kubeconfig (YAML) for an admin, or for a user made on the spot. Needs a listener. */
  kubeconfig(user?: UserInfo): string
  readonly ca: string
  readonly adminToken: string
  /** The service-account issuer: discovery document, JWKS, and signing by request. */
  readonly tokens: TokenIssuer
  /** Registers a handler for calls that webhooks or conversions address to a service or URL host, without sockets. */
  serve(address: { namespace: string; service: string } | { host: string }, handler: HttpExchange): void
  readonly faults: Faults
  /** The whole state as JSON lines; as `snapshot` of a new server it keeps revisions, uids, certificates, keys and clock offset. */
  snapshot(): string
  /** A server of its own over the same past; O(1) in the number of objects. */
  fork(options?: Pick<ApiServerOptions, 'clock' | 'seed' | 'log'>): ApiServer
  /** Delivers exactly one pending thing (response, event, timer, controller key). False when nothing is pending. */
  step(): Promise<boolean>
  /** Steps until idle: no pending event or controller key; timers that are not due stay. */
  settle(): Promise<void>
  /** The store's revision now. */
  readonly revision: number
  /** Ends timers, watches, listeners. */
  close(): Promise<void>
}

export interface ListenWhere {
  readonly host?: string
  readonly port?: number
  /** How many connections there may be, and how slow their clients. */
  readonly limits?: Partial<HttpLimits>
}

export interface TokenIssuer {
  readonly issuer: string
  discoveryDocument(): string
  jwks(): string
  /** Adds a key: verified from now on, signs from `activate` on. Returns its key id. */
  rotate(options?: { activate?: boolean }): Promise<string>
  /** The same with a private key (PEM) from elsewhere: what `--service-account-signing-key-file` is to a real server. A known one stays. */
  adopt(privateKeyPem: string, options?: { activate?: boolean }): string
  activate(keyId: string): void
  retire(keyId: string): void
  /** The first signs from now on; tokens of all of them are accepted. */
  setIssuers(issuers: readonly string[]): void
}

export interface FaultMatch {
  readonly client?: string
  readonly userAgent?: string
  readonly verb?: string
  readonly group?: string
  readonly resource?: string
  readonly namespace?: string
  readonly name?: string
  readonly subresource?: string
  /** Only the nth request (from 1) that the rest of the match accepts. */
  readonly nth?: number
  readonly probability?: number
  /** Monotonic milliseconds of the server's clock. */
  readonly between?: readonly [number, number]
}

export type FaultAction =
  | { readonly kind: 'delay'; readonly ms: number; readonly what?: 'request' | 'response' | 'watch-event' }
  | { readonly kind: 'error'; readonly status: number; readonly reason?: string; readonly retryAfter?: number }
  | { readonly kind: 'error-after-commit'; readonly how: 'timeout' | 'reset' | 500 | 503 | 504 }
  | { readonly kind: 'reset' }
  | { readonly kind: 'conflict-once' }
  | { readonly kind: 'stale-read'; readonly revisions: number; readonly allowTimeTravel?: boolean }
  | { readonly kind: 'watch-lag'; readonly ms?: number; readonly events?: number }
  | { readonly kind: 'watch-cut'; readonly afterEvents?: number; readonly midLine?: boolean }
  | { readonly kind: 'watch-gone' }
  | { readonly kind: 'bookmarks'; readonly how: 'storm' | 'none' }
  | { readonly kind: 'hostile'; readonly how: 'drop' | 'duplicate' | 'reorder' }
  | { readonly kind: 'webhook'; readonly how: 'slow' | 'error' | 'malformed' | 'deny'; readonly ms?: number }
  | { readonly kind: 'partition' }
  | { readonly kind: 'not-ready' }

export interface FaultRule {
  readonly match: FaultMatch
  readonly action: FaultAction
  /** How often it may strike; default without end. */
  readonly times?: number
}

export interface Faults {
  add(rule: FaultRule): { remove(): void }
  clear(): void
  /** Drops history up to the revision: older watches and continues get 410. */
  compact(revision?: number): void
  /** All connections drop; state comes back from snapshot and journal. */
  restart(): Promise<void>
  /** What struck, in order: replayable. */
  readonly trace: readonly { readonly rule: number; readonly request: string }[]
}
