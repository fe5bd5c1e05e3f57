// Serves webhooks: paths to handlers, each behind the same bounds [X6]. Whoever can connect can send, so nothing that a sender does slowly
// takes a place from others: a request has a place from when its body is whole. The body has a deadline that the sender cannot lengthen, and
// so has the answer. Requests beyond the places are turned away at once instead of queueing. Stopping lets what is under way finish.
import {
  andThen,
  type Clock,
  given,
  type HttpExchange,
  type HttpHandler,
  type HttpHeaders,
  type HttpLimits,
  type HttpListener,
  type HttpPeer,
  type HttpRequest,
  type HttpResponse,
  type Log,
  type Maybe,
  type Net,
} from '#base'
import type { Metrics } from '../metrics/registry.ts'
import { openScope, type Scope } from '../scope.ts'
import { bodyLimitsDefault, readBody } from './body.ts'
import type { CertificateSource } from './certificate-source.ts'
import { HostMeters } from './host-meters.ts'
import { webhookListenLimits } from './limits.ts'
import { Places } from './places.ts'

export interface WebhookCall {
  /** The media type without its parameters, in lower case. */
  readonly contentType: string
  readonly headers: HttpHeaders
  /** What follows the question mark. */
  readonly query: URLSearchParams
  /** What the caller says of how long it waits, in its own words: an API server `10s`. */
  readonly timeout: string | null
  readonly body: Uint8Array
  readonly peer: HttpPeer | undefined
  /** Aborts when the answer would come too late. */
  readonly signal: AbortSignal
}

/** An answer that is known at once needs no promise. */
export type WebhookHandler = (call: WebhookCall) => Promise<HttpResponse> | HttpResponse

export interface WebhookHostOptions {
  readonly clock: Clock
  readonly log: Log
  readonly metrics: Metrics
  readonly routes: Readonly<Record<string, WebhookHandler>>
  readonly bodyBytesMax?: number
  /** The API server says how long it waits (`?timeout=`); we answer this much earlier, to be the one who says why. */
  readonly marginMs?: number
  /** When the caller names no time: half of the API server's default. */
  readonly timeoutMs?: number
  /** How many requests are answered at once; one peer has half of these places at most. */
  readonly requestsMax?: number
}

export interface WebhookListenOptions {
  readonly net: Net
  readonly host?: string
  readonly port?: number
  readonly certificate: CertificateSource
  readonly limits?: Partial<HttpLimits>
  /** What is offered over TLS; default all that is spoken. */
  readonly protocols?: readonly ('h2' | 'http/1.1')[]
  /** How long requests under way may take once the signal has aborted. */
  readonly graceMs?: number
}

/** One peer may have half of these places: as many requests as an API server with its default limits has under way at most. */
const requestsMaxDefault = 400
/** An API server sends a body at once. Who takes longer is slow on purpose, or not there any more. */
const bodyMs = 10_000
/** The longest time that a configuration may name; a query with more is not an API server's. */
const timeoutMsMax = 30_000

/** The handlers as one exchange: what an embedded API server calls without sockets. */
export function webhookHost(options: WebhookHostOptions): HttpExchange {
  const handler = webhookHttpHandler(options)
  return async request => handler(request)
}

/** What a listener serves: an answer that a handler has at once costs no promise. */
export function webhookHttpHandler(options: WebhookHostOptions): HttpHandler {
  const meters = new HostMeters(options.metrics)
  const places = new Places(options.requestsMax ?? requestsMaxDefault)
  const host = { options, meters, places }
  return request => {
    const route = routeOf(options.routes, request)
    if ('status' in route) return route
    return andThen(respond(host, route, request), response => {
      meters.answered(route.path, response.status)
      return response
    })
  }
}

interface Route {
  readonly path: string
  readonly query: string
  readonly timeout: string | null
  readonly handler: WebhookHandler
}

/** Where the request goes, or what its sender is told instead. */
function routeOf(routes: WebhookHostOptions['routes'], { method, target }: HttpRequest): Route | HttpResponse {
  const mark = target.indexOf('?')
  const path = mark < 0 ? target : target.slice(0, mark)
  const handler = Object.hasOwn(routes, path) ? routes[path] : undefined
  if (handler === undefined) return refuse(404, `nothing is served at this path; there are ${Object.keys(routes).join(', ')}`)
  if (method !== 'POST') return refuse(405, 'only POST')
  const query = mark < 0 ? '' : target.slice(mark + 1)
  return { path, query, timeout: timeoutIn(query), handler }
}

/** An API server asks nothing else. */
const onlyTimeout = /^timeout=(\d{1,3}s)$/

function timeoutIn(query: string): string | null {
  return onlyTimeout.exec(query)?.[1] ?? new URLSearchParams(query).get('timeout')
}

interface Host {
  readonly options: WebhookHostOptions
  readonly meters: HostMeters
  readonly places: Places
}

interface Asked {
  readonly route: Route
  readonly request: HttpRequest
  readonly startedMs: number
  /** On the monotonic clock: the answer has to be there by then. */
  readonly untilMs: number
}

function respond(host: Host, route: Route, request: HttpRequest): Maybe<HttpResponse> {
  const { options } = host
  const startedMs = options.clock.monotonicMs()
  const asked: Asked = { route, request, startedMs, untilMs: startedMs + allowedMs(options, route.timeout) }
  if (isWhole(request.body, options)) return answerWhole(host, asked, request.body)
  return wholeBody(options, request, asked.untilMs - startedMs).then(body =>
    body instanceof Uint8Array ? answerWhole(host, asked, body) : body,
  )
}

function answerWhole({ options, meters, places }: Host, asked: Asked, body: Uint8Array): Maybe<HttpResponse> {
  const { route, request, startedMs } = asked
  const { path, handler } = route
  if (!places.take(request.peer)) return fullHouse
  meters.began(path)
  const failed = (error: unknown): HttpResponse => {
    meters.failed()
    const said = error instanceof Error ? (error.stack ?? error.message) : String(error)
    options.log.error('webhook failed', { path, error: said })
    return refuse(500, 'the webhook failed; its log says why')
  }
  const ended = (answered: HttpResponse): HttpResponse => {
    places.leave(request.peer)
    meters.ended(path, (options.clock.monotonicMs() - startedMs) / 1_000)
    return answered
  }
  let answered: Maybe<HttpResponse>
  try {
    answered = answer(handler, new Call(options.clock, asked, body))
  } catch (error) {
    answered = failed(error)
  }
  return answered instanceof Promise ? answered.catch(failed).then(ended) : ended(answered)
}

function isWhole(
  body: HttpRequest['body'],
  { bodyBytesMax = bodyLimitsDefault.bytesMax }: WebhookHostOptions,
): body is Uint8Array {
  return body instanceof Uint8Array && body.byteLength <= bodyBytesMax
}

/** Listens over TLS until the signal aborts, with whatever certificate its source has at the time. `ready` is told the listener. */
export async function serveWebhooks(
  host: WebhookHostOptions,
  listen: WebhookListenOptions,
  signal: AbortSignal,
  ready?: (listener: HttpListener) => void,
): Promise<void> {
  const tls = await listen.certificate.first(signal)
  const listener = await listen.net.listen(
    {
      tls,
      ...given({ host: listen.host, port: listen.port, protocols: listen.protocols }),
      limits: { ...webhookListenLimits, ...listen.limits },
    },
    webhookHttpHandler(host),
  )
  try {
    ready?.(listener)
    await listen.certificate.follow(tls, next => listener.setTls(next), signal)
  } finally {
    await listener.close(listen.graceMs ?? 10_000)
  }
}

/** The body once all of it has come, or what its sender is told instead. */
async function wholeBody(
  { clock, bodyBytesMax: bytesMax = bodyLimitsDefault.bytesMax }: WebhookHostOptions,
  { body, signal }: HttpRequest,
  allowed: number,
): Promise<Uint8Array | HttpResponse> {
  if (body === null) return noBytes
  // One that is not too large was whole already.
  if (body instanceof Uint8Array) return refuse(413, tooLarge)
  const deadline = { clock, ms: Math.min(bodyMs, allowed), what: 'the body' }
  const scope = openScope({ parents: [signal], deadline })
  try {
    const read = await readBody(body, bytesMax, scope.signal)
    if (read.kind === 'bytes') return read.bytes
    return read.kind === 'too-large' ? refuse(413, tooLarge) : refuse(408, 'the body did not come in time')
  } finally {
    scope.end()
  }
}

const noBytes = new Uint8Array()
const tooLarge = 'the body is too large'

/** Its signal, with the timer behind it, is made when somebody waits: most answers are there at once. */
class Call implements WebhookCall {
  readonly contentType: string
  readonly headers: HttpHeaders
  readonly timeout: string | null
  readonly body: Uint8Array
  readonly peer: HttpPeer | undefined
  readonly #clock: Clock
  readonly #asked: Asked
  #scope: Scope | undefined

  constructor(clock: Clock, asked: Asked, body: Uint8Array) {
    const { request, route } = asked
    this.contentType = mediaType(request.headers['content-type'])
    this.headers = request.headers
    this.timeout = route.timeout
    this.body = body
    this.peer = request.peer
    this.#clock = clock
    this.#asked = asked
  }

  get query(): URLSearchParams {
    return new URLSearchParams(this.#asked.route.query)
  }

  get signal(): AbortSignal {
    this.#scope ??= this.#open()
    return this.#scope.signal
  }

  end(): void {
    this.#scope?.end()
  }

  #open(): Scope {
    const clock = this.#clock
    const { request, untilMs } = this.#asked
    const ms = Math.max(0, untilMs - clock.monotonicMs())
    return openScope({ parents: [request.signal], deadline: { clock, ms, what: 'the webhook' } })
  }
}

function answer(handler: WebhookHandler, call: Call): Promise<HttpResponse> | HttpResponse {
  let work: Promise<HttpResponse> | HttpResponse | undefined
  try {
    work = handler(call)
  } finally {
    if (!(work instanceof Promise)) call.end()
  }
  return work instanceof Promise ? beforeAbort(work, call.signal).finally(() => call.end()) : work
}

/** A handler that does not listen to its signal is left behind: the caller has an answer to get. */
function beforeAbort(work: Promise<HttpResponse>, signal: AbortSignal): Promise<HttpResponse> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => resolve(refuse(504, 'no decision in time'))
    if (signal.aborted) onAbort()
    else signal.addEventListener('abort', onAbort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}

function allowedMs({ marginMs = 500, timeoutMs = 5_000 }: WebhookHostOptions, timeout: string | null): number {
  const seconds = /^(\d{1,3})s$/.exec(timeout ?? '')?.[1]
  return seconds === undefined ? timeoutMs : Math.max(100, Math.min(timeoutMsMax, Number(seconds) * 1_000) - marginMs)
}

function mediaType(header: string | readonly string[] | undefined): string {
  const text = typeof header === 'string' ? header : (header?.[0] ?? '')
  if (text === 'application/json') return text
  return (text.split(';')[0] ?? '').trim().toLowerCase()
}

const fullHouse: HttpResponse = { ...refuse(429, 'too many requests are under way'), headers: { 'retry-after': '1' } }

function refuse(status: number, message: string): HttpResponse {
  return { status, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: Buffer.from(`${message}\n`) }
}
