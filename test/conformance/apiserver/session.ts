// One sequence of requests against one server, in a namespace and an API group of its own, writing down what was asked and answered.
// The transcript is what vectors are made of; see transcript.ts.
import { given, type HttpBody, type HttpHeaders } from '#base'
import type { Answer, Table } from '../../../src/apiserver/ask.fixture.ts'
import { parseLossless } from './lossless.ts'
import type { Caller, Target, TargetUser } from './target.ts'
import type { Json, RecordedReply, RecordedRequest, Step } from './transcript.ts'

export interface Reply<Body = Answer> {
  readonly status: number
  readonly headers: HttpHeaders
  /** Parsed JSON, or the text when it is none. Where a case reads what is particular to a kind, it says what that is. */
  readonly body: Body
}

export interface Ask {
  /** JSON; what a server answered is, too. */
  readonly body?: Json | Answer<unknown, unknown>
  /** The body as bytes or text of the caller's making. */
  readonly raw?: string | Uint8Array
  /** Content type of the body; default JSON. */
  readonly type?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly as?: Caller
}

export interface WatchEvent {
  readonly type: string
  readonly object: Answer & Table
}

export interface Watch {
  readonly status: number
  readonly headers: HttpHeaders
  /** The next so many events; fails when they do not come in time. */
  next(count: number): Promise<WatchEvent[]>
  /** The next event. */
  one(): Promise<WatchEvent>
  /** What comes until the server ends the stream. */
  rest(): Promise<WatchEvent[]>
  close(): Promise<void>
}

export const patchTypes = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
} as const

/** Its widgets are defined once per target (`prelude` in fixtures.ts): establishing a definition takes the real server two seconds. */
export const sharedGroup = 'shared.example.com'

/** Longer than any answer takes; a stream where none was expected must not hang the run. */
const replyMsMax = 15_000

export class Session {
  readonly target: Target
  /** The session's own namespace. */
  readonly ns: string
  /** The session's own API group, for CRDs. */
  readonly group: string
  /** The group whose `widgets` the case works on: the one that all share, or its own once it has defined them there. */
  widgetGroup: string = sharedGroup
  readonly steps: Step[] = []
  readonly #watches: Watch[] = []
  #watchCount = 0

  constructor(target: Target, id: string) {
    this.target = target
    this.ns = id
    this.group = `${id}.example.com`
  }

  /** Makes the namespace, with the ServiceAccount that pods need where no controller makes it. Not part of the transcript. */
  async open(): Promise<this> {
    await this.#ask('POST', '/api/v1/namespaces', { body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: this.ns } } })
    if (!this.target.controllers) {
      const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default' } }
      await this.#ask('POST', `/api/v1/namespaces/${this.ns}/serviceaccounts`, { body: account })
    }
    return this
  }

  async close(): Promise<void> {
    for (const watch of this.#watches) await watch.close()
  }

  /** `/api/v1/namespaces/<ns>/<plural>[/<name>]`, or under `/apis` when the resource has a group: `deployments.apps/v1`. */
  path(resource: string, name = '', ns: string = this.ns): string {
    return `${rootOf(resource)}/namespaces/${ns}/${pluralOf(resource)}${name === '' ? '' : `/${name}`}`
  }

  clusterPath(resource: string, name = ''): string {
    return `${rootOf(resource)}/${pluralOf(resource)}${name === '' ? '' : `/${name}`}`
  }

  get<Body = Answer>(target: string, ask: Ask = {}): Promise<Reply<Body>> {
    return this.send('GET', target, ask)
  }

  post<Body = Answer>(target: string, body: Json | Answer<unknown, unknown>, ask: Ask = {}): Promise<Reply<Body>> {
    return this.send('POST', target, { ...ask, body })
  }

  put<Body = Answer>(target: string, body: Json | Answer<unknown, unknown>, ask: Ask = {}): Promise<Reply<Body>> {
    return this.send('PUT', target, { ...ask, body })
  }

  patch<Body = Answer>(
    target: string,
    how: keyof typeof patchTypes,
    body: Json | Answer<unknown, unknown>,
    ask: Ask = {},
  ): Promise<Reply<Body>> {
    return this.send('PATCH', target, { ...ask, body, type: patchTypes[how] })
  }

  delete<Body = Answer>(target: string, body?: Json | Answer<unknown, unknown>, ask: Ask = {}): Promise<Reply<Body>> {
    return this.send('DELETE', target, body === undefined ? ask : { ...ask, body })
  }

  async send<Body = Answer>(method: string, target: string, ask: Ask = {}): Promise<Reply<Body>> {
    const request = recorded(method, target, ask)
    const reply = await this.#ask<Body>(method, target, ask)
    this.steps.push({ kind: 'request', request, reply: keep(reply) })
    return reply
  }

  /** Asks without writing it down: to find out what is worth asking. */
  quietly<Body = Answer>(method: string, target: string, ask: Ask = {}): Promise<Reply<Body>> {
    return this.#ask(method, target, ask)
  }

  /** Asks until the reply is as wanted: for what a server does in its own time. Only the last reply is written down. */
  until<Body = Answer>(target: string, wanted: (reply: Reply<Body>) => boolean, ask: Ask = {}): Promise<Reply<Body>> {
    return this.retry('GET', target, wanted, ask)
  }

  async retry<Body = Answer>(
    method: string,
    target: string,
    wanted: (reply: Reply<Body>) => boolean,
    ask: Ask = {},
  ): Promise<Reply<Body>> {
    const deadline = performance.now() + this.target.patienceMs
    for (;;) {
      const reply = await this.#ask<Body>(method, target, ask)
      if (wanted(reply)) {
        this.steps.push({ kind: 'until', request: recorded(method, target, ask), reply: keep(reply) })
        return reply
      }
      if (performance.now() > deadline)
        throw new Error(`${method} ${target}: not as wanted within ${this.target.patienceMs} ms: ${JSON.stringify(reply.body)}`)
      await this.target.pass(20)
    }
  }

  /** Opens a watch; `target` gets `watch=true` by itself. */
  async watch(target: string, ask: Ask = {}): Promise<Watch> {
    const id = ++this.#watchCount
    const watchTarget = `${target}${target.includes('?') ? '&' : '?'}watch=true`
    const abort = new AbortController()
    const response = await this.#exchange('GET', watchTarget, ask, abort.signal)
    const request = recorded('GET', watchTarget, ask)
    const streaming = response.status === 200
    const body = streaming ? '' : parse(await textOf(response.body))
    this.steps.push({ kind: 'watch', id, request, reply: keep({ ...response, body }) })
    const lines = linesOf(streaming ? response.body : null)
    const take = async (count: number): Promise<WatchEvent[]> => {
      const events: WatchEvent[] = []
      let ended = false
      while (events.length < count) {
        const line = await within(
          unhurried(lines.next(), count, this.target),
          this.target.patienceMs,
          `${watchTarget}: event ${events.length + 1} of ${count}`,
        )
        if (line.done === true) {
          ended = true
          break
        }
        events.push(parseLossless(line.value) as WatchEvent)
      }
      this.steps.push({
        kind: 'events',
        id,
        count: count === Number.POSITIVE_INFINITY ? 'all' : count,
        events: [...events] as never,
        ended,
      })
      return events
    }
    const watch: Watch = {
      status: response.status,
      headers: response.headers,
      next: async count => {
        const events = await take(count)
        if (events.length < count) throw new Error(`${watchTarget} ended after ${events.length} of ${count} events`)
        return events
      },
      one: async () => {
        const [event] = await watch.next(1)
        if (event === undefined) throw new Error('no event')
        return event
      },
      rest: () => take(Number.POSITIVE_INFINITY),
      close: async () => {
        abort.abort()
        // Not awaited: a stream that neither sends nor ends, against the rules, would hold the whole run.
        lines.return(undefined).catch(() => {})
      },
    }
    this.#watches.push(watch)
    return watch
  }

  async pass(ms: number): Promise<void> {
    this.steps.push({ kind: 'pass', ms })
    await this.target.pass(ms)
  }

  async compact(revision: string): Promise<void> {
    this.steps.push({ kind: 'compact', revision })
    await this.target.compact(revision)
  }

  async #ask<Body = Answer>(method: string, target: string, ask: Ask): Promise<Reply<Body>> {
    const response = await this.#exchange(method, target, ask, AbortSignal.timeout(replyMsMax))
    return { status: response.status, headers: response.headers, body: parse(await textOf(response.body)) as Body }
  }

  #exchange(method: string, target: string, ask: Ask, signal?: AbortSignal): ReturnType<Target['anonymous']> {
    const body = bodyOf(ask)
    const headers = {
      ...callerHeaders(this.target, ask.as),
      ...(body === null ? {} : { 'content-type': ask.type ?? 'application/json' }),
      'user-agent': 'conformance/1.0',
      ...ask.headers,
    }
    return this.target.anonymous({ method, target, headers, body, ...given({ signal }) })
  }
}

function rootOf(resource: string): string {
  const [, rest] = split(resource)
  return rest === '' ? '/api/v1' : `/apis/${rest}`
}

function pluralOf(resource: string): string {
  return split(resource)[0]
}

/** `deployments.apps/v1` → [`deployments`, `apps/v1`]. */
function split(resource: string): [string, string] {
  const dot = resource.indexOf('.')
  return dot < 0 ? [resource, ''] : [resource.slice(0, dot), resource.slice(dot + 1)]
}

function bodyOf(ask: Ask): Uint8Array | null {
  if (ask.raw !== undefined) return typeof ask.raw === 'string' ? Buffer.from(ask.raw) : ask.raw
  return ask.body === undefined ? null : Buffer.from(JSON.stringify(ask.body))
}

/** Impersonation rather than a second set of credentials: both servers must understand it anyway. */
export function callerHeaders(target: Target, caller: Caller | undefined): Record<string, string | string[]> {
  if (caller === 'anonymous') return {}
  if (caller !== undefined && 'token' in caller) return { authorization: `Bearer ${caller.token}` }
  const headers: Record<string, string | string[]> = { authorization: `Bearer ${target.adminToken}` }
  if (caller === undefined) return headers
  return { ...headers, ...impersonation(caller.user) }
}

function impersonation(user: TargetUser): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = { 'impersonate-user': user.username }
  if (user.groups !== undefined && user.groups.length > 0) headers['impersonate-group'] = [...user.groups]
  if (user.uid !== undefined) headers['impersonate-uid'] = user.uid
  for (const [key, values] of Object.entries(user.extra ?? {})) headers[`impersonate-extra-${key}`] = [...values]
  return headers
}

function recorded(method: string, target: string, ask: Ask): RecordedRequest {
  return {
    method,
    target,
    ...given({ as: ask.as, headers: ask.headers, type: ask.type }),
    ...(ask.body === undefined ? {} : { body: ask.body as Json }),
    ...(ask.raw === undefined
      ? {}
      : typeof ask.raw === 'string'
        ? { raw: ask.raw }
        : { base64: Buffer.from(ask.raw).toString('base64') }),
  }
}

function keep(reply: Reply<unknown>): RecordedReply {
  return { status: reply.status, headers: reply.headers, body: reply.body as Json }
}

export async function textOf(body: HttpBody): Promise<string> {
  if (body === null) return ''
  if (body instanceof Uint8Array) return Buffer.from(body).toString('utf8')
  const chunks: Uint8Array[] = []
  for await (const chunk of body) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

function parse(text: string): unknown {
  try {
    return parseLossless(text)
  } catch {
    return text
  }
}

async function* linesOf(body: HttpBody): AsyncGenerator<string, undefined, undefined> {
  if (body === null) return undefined
  const chunks = body instanceof Uint8Array ? [body] : body
  let rest = ''
  try {
    for await (const chunk of chunks) {
      rest += Buffer.from(chunk).toString('utf8')
      for (let end = rest.indexOf('\n'); end >= 0; end = rest.indexOf('\n')) {
        const line = rest.slice(0, end)
        rest = rest.slice(end + 1)
        if (line.trim() !== '') yield line
      }
    }
  } catch (error) {
    if (!isAbort(error)) throw error
  }
  return undefined
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && (error.name === 'AbortError' || /aborted/.test(error.message))
}

/** Who reads to the end waits for the server's clock, which stands still between requests when it is ours: let it go on. */
async function unhurried<T>(next: Promise<T>, count: number, target: Target): Promise<T> {
  if (count !== Number.POSITIVE_INFINITY || target.name === 'real') return next
  let done = false
  const settled = next.finally(() => (done = true))
  for (let seconds = 0; seconds < 5; seconds++) {
    await Promise.race([settled, new Promise(resolve => setTimeout(resolve, 20))])
    if (done) break
    await target.pass(1_000)
  }
  return settled
}

async function within<T>(promise: Promise<T>, ms: number, what: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} did not come within ${ms} ms`)), ms)
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}
