// What a conformance case may ask of a server, whichever it is. Everything goes through raw HTTP, so the suite stands on neither our
// client nor our server's inner rooms.
import type { HttpExchange } from '#base'
import type { ReviewRequest } from '../../../src/apiserver/review.fixture.ts'

export interface TargetUser {
  readonly username: string
  readonly uid?: string
  readonly groups?: readonly string[]
  readonly extra?: Readonly<Record<string, readonly string[]>>
}

/** Who asks: the admin (the default), an impersonated user, nobody, or the bearer of a token. */
export type Caller = { readonly user: TargetUser } | 'anonymous' | { readonly token: string }

/** Takes the parsed review and gives the answer's body, or its promise; undefined answers with 500. */
export type HookHandler = (review: HookReview, target: string) => unknown

export interface HookReview {
  readonly apiVersion: string
  readonly kind: string
  readonly request: ReviewRequest
}

export interface Target {
  readonly name: 'real' | 'embedded'
  /** Whether controllers, scheduler and kubelet run. The real one here is kube-apiserver alone. */
  readonly controllers: boolean
  /** How long an event or a state that is due may take before the case fails. */
  readonly patienceMs: number
  /** Without any credentials of its own. */
  readonly anonymous: HttpExchange
  readonly adminToken: string
  /** The server's wall clock, near enough to recognise times it made. */
  now(): number
  /** Lets time pass: really, or on the server's clock. */
  pass(ms: number): Promise<void>
  /** Drops history up to the revision. */
  compact(revision: string): Promise<void>
  /** Makes a webhook reachable for the server: gives the client configuration that points at it. */
  hook(handler: HookHandler): Promise<{ readonly clientConfig: Readonly<Record<string, string>>; close(): Promise<void> }>
  close(): Promise<void>
}
