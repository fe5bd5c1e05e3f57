// The contract between the core and an emulated service. A service is a folder: `model.ts` holds its state and pure transitions
// `(state, call, now) -> state + reply`, `operations.ts` binds operations of the wire to them, `errors.ts` names its refusals,
// `index.ts` exports one `Service`, `README.md` says what is faithful and what is not. Everything before and after the operation is
// the core's: addressing, signatures, throttling, decoding and validating by the service's model, encoding, faults, the record of calls.
//
// Rules a service obeys:
// - Its state is immutable and made of plain JSON values, `SortedMap`s and bytes only, so that snapshot and fork work.
// - `call.store.set` makes a new state current at once. When a synchronous operation throws, all that it set is undone; an
//   asynchronous one must do its waiting first and its writing last, without an `await` between reading and writing.
// - It asks `call.authorise` before it reveals or changes anything; an operation that succeeds without having asked is a bug and
//   is reported as one, unless it is listed in `open`.
// - Timestamps are milliseconds in inputs and outputs, blobs are bytes, absent optional members are left out (not `undefined`-filled:
//   members whose value is `undefined` are omitted on the wire).
import type { ServiceModel } from '#aws'
import type { Instant, Random } from '#base'
import type { Delay } from './delays.ts'
import type { ServiceError } from './error.ts'
import type { Knobs } from './knobs.ts'
import type { AccessDecision, AccessQuestion, AccessStep } from './policy/access.ts'
import type { Ports, TaggedResource } from './ports.ts'

import type { Principal } from './principal.ts'
import type { Quota, QuotaList } from './quotas.ts'
import type { ServiceAddress } from './wire/address.ts'

/** Which part of a service's state belongs together: buckets share one name space, certificates are per account and region. */
export type StateScope = 'partition' | 'account' | 'region'

export interface ServicePlace {
  readonly partition: string
  readonly account: string
  readonly region: string
}

export interface StateCell<S> {
  get(): S
  set(next: S): void
}

/** What a service has at hand whether it was called, woken by a timer, or asked through a port. */
export interface Context<S> extends ServicePlace {
  readonly now: Instant
  /** This service's state of this place. */
  readonly store: StateCell<S>
  /** The same service elsewhere in the partition; made on first use. */
  storeAt(place: { readonly account: string; readonly region?: string }): StateCell<S>
  /** All places of this service in the partition that exist, in a fixed order. */
  stores(): readonly { readonly account: string; readonly region: string; readonly store: StateCell<S> }[]
  /** A stream that depends on the seed, the service, the place and this name only. Ids of new objects: use their name or a count. */
  random(name: string): Random
  readonly ports: Ports
  readonly knobs: Knobs
  /** The seed of this emulator, from which administrators' keys follow. */
  readonly seed: string
  /** The accounts of the organization: those that exist before they are used. */
  readonly accounts: readonly string[]
  quota(quota: Quota): number
  /** §12.2, for one object of this service. `objectId` is unique within service and place, e.g. `role/app`. */
  delay(delay: Delay, objectId: string): number
  /** How long old versions are needed by late readers: what `written` of timeline.ts takes as `keepMs`. */
  keepMs(delay: Delay): number
  /** Runs `timers[kind]` at that time of the virtual clock; survives snapshots. One that cannot be cancelled: the timer looks whether it still applies. */
  schedule(timer: {
    readonly kind: string
    readonly id: string
    readonly atMs: Instant
    /** `progress` is what `settle()` waits for; `limit` (expiry, time-outs) it does not. */
    readonly class: 'progress' | 'limit'
  }): void
  /** What §4.5 says of this caller and question, under the enforcement mode; for callers other than the request's own. */
  decideFor(caller: Principal, question: AccessQuestion, request?: RawRequest): AccessDecision
  /** Counted, for ids: 1, 2, 3 … per service and place. */
  serial(): number
}

/** One request. */
export interface Call<S = unknown, I = unknown> extends Context<S> {
  readonly service: string
  readonly operation: string
  readonly requestId: string
  /** Decoded by the model and, unless the service says otherwise, checked against its constraints. */
  readonly input: I
  readonly caller: Principal
  readonly request: RawRequest
  /** What the operation may say beyond its output. */
  readonly reply: ReplyDraft
  /** Throws the service's access-denied error unless all are allowed (§4.5, under the enforcement mode of §4.4). */
  authorise(...questions: readonly AccessQuestion[]): void
  /** The same without throwing: for answers that depend on a second right, as S3's 403 or 404. */
  decide(question: AccessQuestion): AccessDecision
  /** Adds links to the explanation of this request. */
  explain(...steps: readonly AccessStep[]): void
  readonly tokens: PageTokens
  /** Waits until something in the emulator changed, or until that time; throws once the client has gone. For long polls: look again after it. */
  untilChanged(untilMs: Instant): Promise<void>
}

/** The request as it came, for services whose protocol says more than their model. */
export interface RawRequest {
  readonly method: string
  /** Still percent-encoded, without the query; for S3 always in path style. */
  readonly path: string
  /** Decoded; a key without "=" has the value "". */
  readonly query: ReadonlyMap<string, string>
  /** Every value of a repeated query key. */
  queryAll(key: string): readonly string[]
  readonly headers: Readonly<Record<string, string>>
  /** Decoded from aws-chunked; checksums and digests were verified. */
  readonly body: Uint8Array
  /** The body as a form, read once: routing, addressing and decoding all ask for it. */
  form(): ReadonlyMap<string, string>
  readonly host: string
  /** Whether the host name (not an IP or localhost) chose the service. */
  readonly hostNamed: boolean
  readonly secure: boolean
  readonly sourceIp: string
  readonly userAgent: string
  /** True when the caller proved itself by signature (also in mode `parse`). */
  readonly signed: boolean
  /** True when that signature was checked: mode `verify`. */
  readonly proven: boolean
  /** Ends when the client goes away. */
  readonly signal?: AbortSignal
}

export interface ReplyDraft {
  status?: number
  readonly headers: Record<string, string>
  /** Sent as it is in place of the encoded output. */
  body?: Uint8Array
}

/** Opaque page tokens, bound to operation, place and filters; a forged one opens as `undefined` (§3.10). */
export interface PageTokens {
  seal(position: string, filters?: unknown): string
  open(token: string, filters?: unknown): string | undefined
}

type Output = object | undefined
interface HandlerOf<S> {
  // A method, so that a handler may state its input's type: the core decodes by the model what the handler declares.
  bivariant(call: Call<S>): Output | Promise<Output> | void
  timer(context: Context<S>, id: string): void
  control(context: Context<S>, args: Readonly<Record<string, string>>): unknown
}
export type Handler<S> = HandlerOf<S>['bivariant']
export type TimerHandler<S> = HandlerOf<S>['timer']
export type ControlHandler<S> = HandlerOf<S>['control']

/** A row of §13.1. */
export interface ThrottleRow {
  /** Name of the bucket; calls matching the same row of one key share it. */
  readonly name: string
  readonly operations: readonly string[] | 'all' | ((operation: string) => boolean)
  readonly perSecond: number
  readonly burst: number
  /** Published by AWS, or a choice of ours. */
  readonly source: 'published' | 'choice'
  readonly per: 'account' | 'region' | ((call: Call) => string)
  readonly error: { readonly code: string; readonly status: number; readonly message: string }
}

export interface Service<S = unknown> {
  /** As policies, hosts and the record of calls name it. */
  readonly name: string
  readonly model: ServiceModel
  readonly address: ServiceAddress
  readonly scope: StateScope
  initial(place: ServicePlace): S
  readonly operations: Readonly<Record<string, Handler<S>>>
  /** Operations that need no right: GetCallerIdentity. */
  readonly open?: readonly string[]
  /** Operations that take unsigned requests; `all` for S3, where the caller is then anonymous. */
  readonly unsigned?: readonly string[] | 'all'
  readonly timers?: Readonly<Record<string, TimerHandler<S>>>
  /** `at` gives the context of this service at a place of the partition for which the ports are made. */
  offers?(at: (place?: { readonly account?: string; readonly region?: string }) => Context<S>): Partial<Ports>
  /** What happens in AWS without a call to this service: `Aws.control`. */
  readonly controls?: Readonly<Record<string, ControlHandler<S>>>
  /** For the tagging API and the control interface. */
  resources?(context: Context<S>): Iterable<TaggedResource>
  readonly throttles?: readonly ThrottleRow[]
  /** What it counts and bounds, for Service Quotas. */
  readonly quotas?: QuotaList
  /** Replaces the protocol's own form of "N validation errors detected"; `undefined` from it lets the request pass. */
  invalid?(problems: readonly string[], operation: string): ServiceError | undefined
  /** Replaces the protocol's own access-denied error. */
  denied?(decision: AccessDecision, call: Call<S>): ServiceError
}
