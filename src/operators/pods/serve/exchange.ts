// The paths of the webhook: reviews behind the bounds of the webhook host, health as upstream answers it, and the debugging paths.
import {
  andThen,
  type Clock,
  type HttpExchange,
  type HttpHandler,
  type HttpPeer,
  type HttpRequest,
  type HttpResponse,
  type Log,
  type Maybe,
  parseDuration,
  settled,
} from '#base'
import {
  findShapeTrouble,
  type MetricLabels,
  type Metrics,
  type Tracer,
  type WebhookCall,
  type WebhookHandler,
  webhookHttpHandler,
} from '#runtime'
import type { DebuggingAccess } from '../flags/settings.ts'
import type { Decision, Patience, Provider } from '../provider.ts'
import type { AdmissionReason } from '../reasons.ts'
import { answerReview, type ReviewAnswer, type ReviewSubject, type ReviewVerdict, reviewBytesMax } from '../review.ts'
import type { WebhookMetrics } from './metrics.ts'

export interface ExchangeOptions {
  readonly provider: Provider
  readonly settings: ExchangeSettings
  readonly clock: Clock
  readonly log: Log
  readonly metrics: Metrics
  readonly own: WebhookMetrics
  readonly tracer: Tracer
}

export interface ExchangeSettings {
  readonly debugging: DebuggingAccess
  readonly verbosity: number
}

/** Deeper or wider than any pod, and quick to turn away. */
const shapeLimits = { depthMax: 1_000, itemsMax: 200_000, valuesMax: 500_000 }
const shapelessBytesMax = 65_536
/** One peer may have half of them, which is as many as one API server of a large cluster has under way. */
const requestsMax = 2_000
/** Whoever waits is answered this long before the API server gives up, and the host would give up just after: a decision that comes too late is
 * a failed call, and the failure policy might let the pod in without its role. */
const marginMs = 500
const hostMarginMs = 250
/** The body of a review has this long to come (§5.1), and the answer too when the caller names no time. */
const timeoutMs = 10_000
/** No configuration may name more. */
const timeoutMsMax = 30_000

export interface WebhookExchanges {
  readonly exchange: HttpExchange
  /** The same, for a listener. */
  readonly handler: HttpHandler
  readonly debug: HttpExchange
}

export function webhookExchange(options: ExchangeOptions): WebhookExchanges {
  const { provider, settings, clock, log, metrics } = options
  const reviews = reviewHandler(options)
  const routes: Record<string, WebhookHandler> = Object.fromEntries(provider.reviewPaths.map(path => [path, reviews]))
  if (settings.debugging !== 'nobody') Object.assign(routes, debugRoutes)
  const host = webhookHttpHandler({
    clock,
    log,
    metrics,
    routes,
    requestsMax,
    timeoutMs,
    marginMs: hostMarginMs,
    bodyBytesMax: reviewBytesMax,
  })
  const { answerTooLarge } = provider
  const answered: HttpHandler = request => {
    const path = pathOf(request.target)
    if (path === '/healthz') return text(200, 'ok')
    if (request.method !== 'POST' && Object.hasOwn(routes, path))
      return { ...text(405, 'only POST'), headers: { ...plain, allow: 'POST' } }
    if (answerTooLarge === undefined) return host(request)
    return andThen(host(request), response => (response.status === 413 ? rendered(answerTooLarge()) : response))
  }
  const paths = new Set(['/healthz', ...Object.keys(routes)])
  const handler = provider.countsRequests ? counted(answered, options, paths) : answered
  return {
    exchange: async request => handler(request),
    handler,
    debug: request => Promise.resolve(answerDebug(options, pathOf(request.target), request.peer)),
  }
}

function reviewHandler(options: ExchangeOptions): WebhookHandler {
  const { provider, own, clock } = options
  const labels = frozenLabels()
  return call => {
    const startedMs = clock.monotonicMs()
    let reason: AdmissionReason = 'decode'
    const decide = (subject: ReviewSubject): Maybe<ReviewVerdict> => {
      reason = 'error'
      const patience = new CallPatience(call, startedMs + allowedMs(call.timeout))
      return andThen(
        traced(options.tracer, subject, () => provider.decide(subject, patience)),
        decision => {
          reason = decision.reason
          return decision.verdict
        },
      )
    }
    const count = (result: ReviewAnswer['result']): void => {
      own.admissions.add(labels({ provider: provider.name, result, reason }))
      own.admissionDuration.observe((clock.monotonicMs() - startedMs) / 1_000, labels({ provider: provider.name, result }))
    }
    return settled(
      () => provider.answer(textHeader(call.headers['content-type']), call.body, decide, shapeTrouble),
      answer => {
        count(answer.result)
        return rendered(answer)
      },
      () => count('error'),
    )
  }
}

/** A small body cannot be deep enough to cost anything. */
function shapeTrouble(bytes: Uint8Array): string | undefined {
  return bytes.length <= shapelessBytesMax ? undefined : findShapeTrouble(bytes, shapeLimits)
}

/** Does not ask for the signal, which costs a timer, before somebody waits. */
class CallPatience implements Patience {
  readonly #call: WebhookCall
  readonly untilMs: number

  constructor(call: WebhookCall, untilMs: number) {
    this.#call = call
    this.untilMs = untilMs
  }

  get signal(): AbortSignal {
    return this.#call.signal
  }
}

function traced(tracer: Tracer, { namespace }: ReviewSubject, decide: () => Maybe<Decision>): Maybe<Decision> {
  const span = tracer.start('review', { 'k8s.namespace.name': namespace })
  return settled(
    decide,
    decision => {
      const { verdict, reason } = decision
      span.event('decided', { reason, ...(verdict.kind === 'allow' ? { operations: verdict.operations.length } : {}) })
      span.end(troubles.has(reason) ? reason : undefined)
      return decision
    },
    () => span.end('error'),
  )
}

/** A pod that is let in without a role that it may have, or is not let in. */
const troubles: ReadonlySet<AdmissionReason> = new Set(['lookup_timeout', 'role_promised'])

function allowedMs(timeout: string | null): number {
  const ms = timeout === null ? undefined : parseDuration(timeout)
  return ms === undefined ? timeoutMs - marginMs : Math.max(50, Math.min(ms, timeoutMsMax) - marginMs)
}

function rendered({ httpStatus, contentType, body }: ReviewAnswer): HttpResponse {
  return {
    status: httpStatus,
    headers: { 'content-type': contentType === 'text/plain' ? 'text/plain; charset=utf-8' : contentType },
    body: Buffer.from(body),
  }
}

/** Upstream's request metrics. Only known paths become labels (F-11). */
function counted(answered: HttpHandler, options: ExchangeOptions, paths: ReadonlySet<string>): HttpHandler {
  const { own, clock, log, settings } = options
  const once = frozenLabels()
  const count = (request: HttpRequest, response: HttpResponse, startedMs: number): HttpResponse => {
    const path = pathOf(request.target)
    const where = { verb: methods.has(request.method) ? request.method : 'other', path: paths.has(path) ? path : 'other' }
    const microseconds = (clock.monotonicMs() - startedMs) * 1_000
    own.requests.add(once({ ...where, code: String(response.status) }))
    own.latencies.observe(microseconds, once(where))
    own.durations.observe(microseconds, once(where))
    if (settings.verbosity >= accessVerbosity) log.info('request', { ...where, code: response.status, microseconds })
    return response
  }
  return request => {
    const startedMs = clock.monotonicMs()
    return andThen(answered(request), response => count(request, response, startedMs))
  }
}

/** A line for each request (§2.18). */
const accessVerbosity = 4

const methods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** §2.17, on the webhook's port. */
const debugRoutes: Readonly<Record<string, WebhookHandler>> = {
  '/debug/alpha/deny': ({ contentType, body }) =>
    andThen(
      answerReview(contentType, body, () => ({ kind: 'refuse', message: 'denied by the debugging handler' })),
      rendered,
    ),
  '/debug/alpha/500': () => Promise.resolve(text(500, 'the debugging handler answers 500')),
}

function answerDebug(options: ExchangeOptions, path: string, peer: HttpPeer | undefined): HttpResponse {
  const { settings, provider } = options
  if (settings.debugging === 'nobody') return text(404, 'not here')
  if (settings.debugging === 'loopback' && !isLoopback(peer))
    return text(
      403,
      'debugging handlers answer callers on loopback only (kubectl port-forward is one); --debug-any-address changes that',
    )
  switch (path) {
    case '/debug/alpha/cache':
      return {
        ...text(200, ''),
        headers: { 'content-type': 'application/json' },
        body: Buffer.from(JSON.stringify(provider.knows())),
      }
    case '/debug/alpha/cache/clear':
      provider.refresh()
      return text(200, 'what direct reads brought is forgotten, and ServiceAccounts are listed afresh')
    default:
      return text(404, 'not here: /debug/alpha/cache, /debug/alpha/cache/clear')
  }
}

function textHeader(header: string | readonly string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : header?.[0]
}

/** The same frozen labels for the same values: there are few, and the registry renders each once. */
function frozenLabels(): (labels: MetricLabels) => MetricLabels {
  const held = new Map<string, MetricLabels>()
  return labels => {
    let id = ''
    for (const name in labels) id += `${labels[name]} `
    let frozen = held.get(id)
    if (frozen === undefined) held.set(id, (frozen = Object.freeze(labels)))
    return frozen
  }
}

function isLoopback(peer: HttpPeer | undefined): boolean {
  const address = peer?.address
  return address === undefined || address === '::1' || address.startsWith('127.')
}

function pathOf(target: string): string {
  const query = target.indexOf('?')
  return query < 0 ? target : target.slice(0, query)
}

const plain = { 'content-type': 'text/plain; charset=utf-8' } as const

function text(status: number, body: string): HttpResponse {
  return { status, headers: plain, body: Buffer.from(body === 'ok' ? body : `${body}\n`) }
}
