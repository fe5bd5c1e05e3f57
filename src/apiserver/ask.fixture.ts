// How the tests of this room ask the server: one request as the admin, and its answer parsed. The conformance suite reads its answers
// through the same `Answer`.
import type { HttpHeaders } from '#base'
import type { ApiServer } from './api-server.ts'

/**
 * An object, a list or a Status, as far as tests read it. Members are declared as if they were there: one that is not reads as undefined
 * and fails the assertion that wanted it. What is particular to a kind is named where it is read: `Answer<PodSpec, PodStatus>`.
 */
export interface Answer<Spec = Fields, Status = Conditions> {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: Metadata
  readonly spec: Spec
  readonly status: Status
  readonly data: Readonly<Record<string, string>>
  readonly items: readonly Answer<Spec, Status>[]
  // Of a Status.
  readonly code: number
  readonly reason: string
  readonly message: string
  readonly details: Details
  readonly [field: string]: unknown
}

export type Fields = Readonly<Record<string, unknown>>

/** An object's metadata, or a list's. */
export interface Metadata {
  readonly name: string
  readonly generateName: string
  readonly namespace: string
  readonly uid: string
  readonly resourceVersion: string
  readonly generation: number
  readonly creationTimestamp: string
  readonly deletionTimestamp: string
  readonly deletionGracePeriodSeconds: number
  readonly labels: Readonly<Record<string, string>>
  readonly annotations: Readonly<Record<string, string>>
  readonly finalizers: readonly string[]
  readonly ownerReferences: readonly OwnerReference[]
  readonly managedFields: readonly ManagedFields[]
  readonly continue: string
  readonly remainingItemCount: number
  readonly [field: string]: unknown
}

export interface OwnerReference {
  readonly apiVersion: string
  readonly kind: string
  readonly name: string
  readonly uid: string
}

export interface ManagedFields {
  readonly manager: string
  readonly operation: string
  readonly apiVersion: string
  readonly time: string
  readonly fieldsType: string
  readonly fieldsV1: Readonly<Record<string, object>>
  readonly subresource?: string
}

/** What a server prints. */
export interface Table {
  readonly columnDefinitions: readonly { readonly name: string }[]
  readonly rows: readonly { readonly cells: readonly unknown[]; readonly object: Answer }[]
}

/** What a Status says of the refusal. */
export interface Details {
  readonly name: string
  readonly group: string
  readonly kind: string
  readonly uid: string
  readonly causes: readonly Cause[]
  readonly retryAfterSeconds: number
}

export interface Cause {
  readonly reason: string
  readonly field: string
  readonly message: string
}

export type TokenAnswer = Answer<Fields, { readonly token: string }>

/** A status with its phase and conditions. */
export interface Conditions {
  readonly phase: string
  readonly conditions: readonly Condition[]
  readonly [field: string]: unknown
}

export interface Condition {
  readonly type: string
  readonly status: string
  readonly reason: string
  readonly message: string
}

export interface Reply<Body = Answer> {
  readonly status: number
  readonly headers: HttpHeaders
  readonly text: string
  /** The JSON object that the text is, or the text when it is none. */
  readonly body: Body
}

export interface AskOptions {
  /** Content type of the body; default JSON. */
  readonly type?: string
  /** Who asks, by a bearer token; default the admin, already authenticated. */
  readonly token?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** One request and its reply. A body that is text or bytes goes as it is, any other as JSON. */
export async function ask<Body = Answer>(
  server: ApiServer,
  method: string,
  target: string,
  body?: unknown,
  { type = 'application/json', token, headers }: AskOptions = {},
): Promise<Reply<Body>> {
  const bytes = bytesOf(body)
  const response = await (token === undefined ? server.as() : server.handle)({
    method,
    target,
    headers: {
      ...(bytes !== null && { 'content-type': type }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...headers,
    },
    body: bytes,
  })
  const text = response.body instanceof Uint8Array ? Buffer.from(response.body).toString() : ''
  const parsed: unknown = text.startsWith('{') ? JSON.parse(text) : text
  return { status: response.status, headers: response.headers, text, body: parsed as Body }
}

/** The same where only the body is of interest. */
export async function answerTo<Body = Answer>(...request: Parameters<typeof ask>): Promise<Body> {
  return (await ask<Body>(...request)).body
}

/** A token of the default ServiceAccount. */
export async function tokenOf(server: ApiServer): Promise<string> {
  const request = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} }
  const account = '/api/v1/namespaces/default/serviceaccounts/default'
  return (await answerTo<TokenAnswer>(server, 'POST', `${account}/token`, request)).status.token
}

/** What a watch sends, as it comes. */
export async function openWatch(server: ApiServer, target: string): Promise<AsyncIterator<Uint8Array, undefined>> {
  const watchTarget = `${target}${target.includes('?') ? '&' : '?'}watch=true`
  const { body } = await server.as()({ method: 'GET', target: watchTarget, headers: {}, body: null })
  return (body as AsyncIterable<Uint8Array, undefined>)[Symbol.asyncIterator]()
}

export interface WatchEvent {
  readonly type: string
  readonly object: Answer
}

/** The events of a watch's next piece; none when it has ended. */
export async function nextEvents(watch: AsyncIterator<Uint8Array, undefined>): Promise<WatchEvent[]> {
  const { value } = await watch.next()
  if (value === undefined) return []
  const lines = Buffer.from(value).toString().trim().split('\n')
  return lines.map(line => JSON.parse(line) as WatchEvent)
}

function bytesOf(body: unknown): Uint8Array | null {
  if (body === undefined) return null
  if (body instanceof Uint8Array) return body
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
}
