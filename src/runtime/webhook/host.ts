// Serves webhooks: paths to handlers, each behind the same bounds (X6). A body has a limit and a deadline, so has the answer; requests
// beyond the limit of those under way are turned away at once instead of queueing; stopping lets what is under way finish.
import type {
  Clock,
  HttpExchange,
  HttpHeaders,
  HttpLimits,
  HttpListener,
  HttpPeer,
  HttpRequest,
  HttpResponse,
  Log,
  Net,
} from '#base'
import type { Metrics } from '../metrics/registry.ts'
import { openScope } from '../scope.ts'
import { bodyLimitsDefault, readBody } from './body.ts'
import { followServingCertificate, readServingCertificate, type ServingCertificateOptions } from './serving-certificate.ts'

export interface WebhookCall {
  /** The media type without its parameters, in lower case. */
  readonly contentType: string
  readonly headers: HttpHeaders
  /** What follows the question mark. */
  readonly query: URLSearchParams
  readonly body: Uint8Array
  readonly peer: HttpPeer | undefined
  /** Aborts when the answer would come too late. */
  readonly signal: AbortSignal
}

export type WebhookHandler = (call: WebhookCall) => Promise<HttpResponse>

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
  readonly requestsMax?: number
}

export interface WebhookListenOptions {
  readonly net: Net
  readonly host?: string
  readonly port?: number
  readonly certificate: Omit<ServingCertificateOptions, 'clock' | 'log' | 'metrics'>
  readonly limits?: Partial<HttpLimits>
  /** How long requests under way may take once the signal has aborted. */
  readonly graceMs?: number
}

const requestsMaxDefault = 200
const latencyBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** The handlers as one exchange: what a listener serves, and what an embedded API server calls without sockets. */
export function webhookHost(options: WebhookHostOptions): HttpExchange {
  const { metrics, clock } = options
  const total = metrics.counter(
    'controller_runtime_webhook_requests_total',
    'Total number of admission requests by HTTP status code.',
  )
  const latency = metrics.histogram(
    'controller_runtime_webhook_latency_seconds',
    'Histogram of the latency of processing admission requests',
    latencyBuckets,
  )
  const inFlight = metrics.gauge(
    'controller_runtime_webhook_requests_in_flight',
    'Current number of admission requests being served.',
  )
  const panics = metrics.counter('controller_runtime_webhook_panics_total', 'Total number of webhook panics')
  const held = new Map<string, Readonly<Record<string, string>>>()
  const labelsOf = (path: string, code?: string): Readonly<Record<string, string>> => {
    const id = code === undefined ? path : `${path} ${code}`
    let labels = held.get(id)
    if (labels === undefined)
      held.set(id, (labels = Object.freeze(code === undefined ? { webhook: path } : { webhook: path, code })))
    return labels
  }
  let underWay = 0
  return async request => {
    const [path = '', query = ''] = request.target.split('?')
    const handler = Object.hasOwn(options.routes, path) ? options.routes[path] : undefined
    if (handler === undefined)
      return refuse(404, `nothing is served at this path; there are ${Object.keys(options.routes).join(', ')}`)
    if (request.method !== 'POST') return refuse(405, 'only POST')
    const labels = labelsOf(path)
    if (underWay >= (options.requestsMax ?? requestsMaxDefault)) {
      total.add(labelsOf(path, '429'))
      return { ...refuse(429, 'too many requests are under way'), headers: { 'retry-after': '1' } }
    }
    const startedMs = clock.monotonicMs()
    underWay++
    inFlight.add(1, labels)
    try {
      const response = await answer(options, handler, request, new URLSearchParams(query)).catch((error: unknown) => {
        panics.add()
        options.log.error('webhook failed', {
          path,
          error: error instanceof Error ? (error.stack ?? error.message) : String(error),
        })
        return refuse(500, 'the webhook failed; its log says why')
      })
      total.add(labelsOf(path, String(response.status)))
      return response
    } finally {
      underWay--
      inFlight.add(-1, labels)
      latency.observe((clock.monotonicMs() - startedMs) / 1_000, labels)
    }
  }
}

/** Listens over TLS until the signal aborts, following the certificate's files. `ready` is told the listener. */
export async function serveWebhooks(
  host: WebhookHostOptions,
  listen: WebhookListenOptions,
  signal: AbortSignal,
  ready?: (listener: HttpListener) => void,
): Promise<void> {
  const certificate = { ...listen.certificate, clock: host.clock, log: host.log, metrics: host.metrics }
  const tls = await readServingCertificate(certificate)
  const listener = await listen.net.listen(
    {
      tls,
      ...(listen.host === undefined ? {} : { host: listen.host }),
      ...(listen.port === undefined ? {} : { port: listen.port }),
      ...(listen.limits === undefined ? {} : { limits: listen.limits }),
    },
    webhookHost(host),
  )
  try {
    ready?.(listener)
    await followServingCertificate(certificate, tls, next => listener.setTls(next), signal)
  } finally {
    await listener.close(listen.graceMs ?? 10_000)
  }
}

async function answer(
  options: WebhookHostOptions,
  handler: WebhookHandler,
  request: HttpRequest,
  query: URLSearchParams,
): Promise<HttpResponse> {
  const ms = allowedMs(options, query)
  const scope = openScope({ parents: [request.signal], deadline: { clock: options.clock, ms, what: 'the webhook' } })
  try {
    const bytesMax = options.bodyBytesMax ?? bodyLimitsDefault.bytesMax
    const body = await readBody(request.body, bytesMax, scope.signal)
    if (body.kind === 'too-large') return refuse(413, 'the body is too large')
    if (body.kind === 'cut') return refuse(408, 'the body did not come in time')
    const work = handler({
      contentType: mediaType(request.headers['content-type']),
      headers: request.headers,
      query,
      body: body.bytes,
      peer: request.peer,
      signal: scope.signal,
    })
    return await beforeAbort(work, scope.signal)
  } finally {
    scope.end()
  }
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

function allowedMs({ marginMs = 500, timeoutMs = 5_000 }: WebhookHostOptions, query: URLSearchParams): number {
  const seconds = /^(\d{1,3})s$/.exec(query.get('timeout') ?? '')?.[1]
  return seconds === undefined ? timeoutMs : Math.max(100, Number(seconds) * 1_000 - marginMs)
}

function mediaType(header: string | readonly string[] | undefined): string {
  const text = typeof header === 'string' ? header : (header?.[0] ?? '')
  return (text.split(';')[0] ?? '').trim().toLowerCase()
}

function refuse(status: number, message: string): HttpResponse {
  return { status, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: Buffer.from(`${message}\n`) }
}
