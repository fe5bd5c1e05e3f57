// The embedded API server as its users see it: in process, over sockets, forked, stepped and broken on purpose.
import type { Clock, HttpExchange, HttpLimits, HttpListener, Log, Net, Random } from '#base'
import type { KubeObject } from '#kube'
import type { EmulatedVersion } from './emulated-version.ts'
import type { FaultRule } from './fault.ts'
import type { DataFolder } from './journal/journal.ts'
import type { TokenIssuer } from './tokens/token-issuer.ts'
import type { UserInfo } from './users.ts'

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
  /** What a program of the pod printed, for its log: nothing runs here, so whoever ran it hands it in. */
  printed(pod: { readonly namespace: string; readonly name: string }, text: string): void
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
