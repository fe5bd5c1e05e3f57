// What a Kubernetes client can do, as an interface: the engine and the operators are written against it. One implementation
// speaks to a real server over HTTP/2, the same one speaks to the embedded server in process; the simulator wraps it.
import type { HttpExchange } from '#base'
import type { KubeObject, ObjectKey, ObjectList, ResourceType, StoredObject } from '../objects.ts'
import type { Status } from '../status.ts'

/** What is known after a call failed; each outcome of W2 is one code. */
export type KubeErrorCode =
  /** The server answered with a Status: see `status`, `reason`. */
  | 'refused'
  /** The server answered 429, or 503 with a hint when to come back: the call had no effect. */
  | 'throttled'
  /** Nothing was sent. */
  | 'unreachable'
  /** Certificates or names do not match. */
  | 'untrusted'
  /** Sent, and the answer is missing or says nothing of the effect (reset, timeout, 500, 503, 504): it may have taken hold. */
  | 'unknown-outcome'
  /** The answer is not what an API server says: HTML, cut JSON, too large. */
  | 'malformed'
  /** No credentials could be had, or the server does not accept them any more. */
  | 'unauthenticated'
  | 'aborted'

/** Every failure of a client call is one of these. `status` is there when the server sent one. */
export class KubeError extends Error {
  readonly code: KubeErrorCode
  readonly httpStatus: number | undefined
  readonly status: Status | undefined
  readonly retryAfterMs: number | undefined
  constructor(
    code: KubeErrorCode,
    message: string,
    more: {
      httpStatus?: number | undefined
      status?: Status | undefined
      retryAfterMs?: number | undefined
      cause?: unknown
    } = {},
  ) {
    super(message, more.cause === undefined ? undefined : { cause: more.cause })
    this.name = 'KubeError'
    this.code = code
    this.httpStatus = more.httpStatus
    this.status = more.status
    this.retryAfterMs = more.retryAfterMs
  }

  /** The Status reason (`NotFound`, `Conflict`, `AlreadyExists`, `Invalid`, `Forbidden`, `Expired`, `Gone` …) or ''. */
  get reason(): string {
    return this.status?.reason ?? ''
  }
}

export interface KubeCallOptions {
  readonly signal?: AbortSignal
  /** Longer than this and the call fails with `unknown-outcome`; every call has one (P9). */
  readonly timeoutMs?: number
  /** Acts as someone else. */
  readonly impersonate?: { readonly user: string; readonly groups?: readonly string[]; readonly uid?: string }
}

export interface ListOptions extends KubeCallOptions {
  /** All namespaces when absent. */
  readonly namespace?: string
  readonly labelSelector?: string
  readonly fieldSelector?: string
  readonly limit?: number
  readonly continue?: string
  readonly resourceVersion?: string
  readonly resourceVersionMatch?: 'Exact' | 'NotOlderThan'
  /** Asks for PartialObjectMetadata. */
  readonly metadataOnly?: boolean
  /** Whose field sets the reader looks at; those of objects in which nobody of them has a part may be left out. All when absent. */
  readonly fieldManagers?: readonly string[]
}

export interface WatchOptions extends Omit<ListOptions, 'limit' | 'continue'> {
  readonly resourceVersion?: string
  readonly allowBookmarks?: boolean
  /** WatchList: the stream begins with the present objects and a bookmark that says so. */
  readonly sendInitialEvents?: boolean
  readonly timeoutSeconds?: number
  /** The server has agreed to the stream, which may be long before its first line. */
  readonly onOpened?: () => void
}

export type WatchEvent<T extends KubeObject = KubeObject> =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: T }
  | { readonly type: 'BOOKMARK'; readonly resourceVersion: string; readonly initialEventsEnd: boolean }
  | { readonly type: 'ERROR'; readonly status: Status }
  /** A line that could not be decoded: the stream goes on, the reader knows that it missed something. */
  | { readonly type: 'UNREADABLE'; readonly reason: string }

export interface WriteOptions extends KubeCallOptions {
  readonly dryRun?: boolean
  readonly fieldManager?: string
  readonly fieldValidation?: 'Ignore' | 'Warn' | 'Strict'
  readonly subresource?: string
  readonly onWarning?: (text: string) => void
}

export interface DeleteOptions extends KubeCallOptions {
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string }
  readonly propagationPolicy?: 'Foreground' | 'Background' | 'Orphan'
  readonly gracePeriodSeconds?: number
  readonly dryRun?: boolean
}

export type PatchKind = 'json' | 'merge' | 'strategic' | 'apply'

export interface PatchOptions extends WriteOptions {
  /** Only for `apply`: takes fields over from other managers. */
  readonly force?: boolean
}

/** Discovery's answer for one served resource. */
export interface ServedResource extends ResourceType {
  readonly singular: string
  readonly shortNames: readonly string[]
  readonly verbs: readonly string[]
  readonly subresources: readonly string[]
}

export interface TokenRequestSpec {
  readonly audiences: readonly string[]
  readonly expirationSeconds?: number
  readonly boundObject?: { readonly kind: string; readonly apiVersion: string; readonly name: string; readonly uid?: string }
}

export interface KubeClient {
  /** The address, for messages. */
  readonly address: string
  get<T extends KubeObject = StoredObject>(
    type: ResourceType,
    key: ObjectKey,
    options?: KubeCallOptions & { resourceVersion?: string },
  ): Promise<T>
  /** Like `get`, with `undefined` for NotFound. */
  find<T extends KubeObject = StoredObject>(type: ResourceType, key: ObjectKey, options?: KubeCallOptions): Promise<T | undefined>
  /** One page of a list. */
  list<T extends KubeObject = StoredObject>(type: ResourceType, options?: ListOptions): Promise<ObjectList<T>>
  /** All pages as one consistent list; begins anew when the snapshot expires between pages. */
  listAll<T extends KubeObject = StoredObject>(type: ResourceType, options?: ListOptions): Promise<ObjectList<T>>
  /** Ends when the server ends it; throws KubeError when the connection breaks. Leaving the loop closes the stream. */
  watch<T extends KubeObject = StoredObject>(type: ResourceType, options?: WatchOptions): AsyncIterable<WatchEvent<T>>
  create<T extends KubeObject>(type: ResourceType, object: T, options?: WriteOptions): Promise<T & StoredObject>
  update<T extends KubeObject>(type: ResourceType, object: T, options?: WriteOptions): Promise<T & StoredObject>
  patch<T extends KubeObject = StoredObject>(
    type: ResourceType,
    key: ObjectKey,
    kind: PatchKind,
    body: unknown,
    options?: PatchOptions,
  ): Promise<T>
  /** The object that the delete left (terminating) or the Status of one that is gone. */
  delete(type: ResourceType, key: ObjectKey, options?: DeleteOptions): Promise<StoredObject | Status>
  deleteCollection(type: ResourceType, options?: ListOptions & DeleteOptions): Promise<void>
  requestToken(
    serviceAccount: ObjectKey,
    spec: TokenRequestSpec,
    options?: KubeCallOptions,
  ): Promise<{ token: string; expirationTimestamp: string }>
  discover(options?: KubeCallOptions): Promise<readonly ServedResource[]>
  serverVersion(options?: KubeCallOptions): Promise<{ major: string; minor: string; gitVersion: string }>
  /** Anything else: a raw call with this client's credentials, deadline and error mapping. */
  readonly exchange: HttpExchange
  close(): Promise<void>
}
