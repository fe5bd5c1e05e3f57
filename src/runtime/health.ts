// Health as data: named checks, each with a sentence when it fails. What the probes of a Deployment ask.
import type { HttpExchange, HttpResponse } from '#base'

/** `note`: what a person may want to know all the same; shown when asked for. */
export type HealthAnswer = { readonly ok: true; readonly note?: string } | { readonly ok: false; readonly why: string }

export interface HealthCheck {
  readonly name: string
  check(): HealthAnswer
}

/** Answers `/healthz`, `/livez`, `/readyz` (with `?verbose`) and `/metrics`. */
export interface HealthOptions {
  readonly live: readonly HealthCheck[]
  readonly ready: readonly HealthCheck[]
  readonly metrics?: { expose(): string }
  /** The status of a failed check: 503, or 500 where the probes of an older program expect that. */
  readonly failedStatus?: 500 | 503
}

export function healthHandler(options: HealthOptions): HttpExchange {
  const answer = (checks: readonly HealthCheck[], verbose: boolean): HttpResponse =>
    answerChecks(checks, verbose, options.failedStatus ?? 503)
  return request => {
    const [path = '', query = ''] = request.target.split('?')
    const verbose = new URLSearchParams(query).has('verbose')
    if (request.method !== 'GET' && request.method !== 'HEAD') return Promise.resolve(text(405, 'only GET'))
    switch (path) {
      case '/healthz':
      case '/livez':
        return Promise.resolve(answer(options.live, verbose))
      case '/readyz':
        return Promise.resolve(answer(options.ready, verbose))
      case '/metrics':
        if (options.metrics !== undefined) return Promise.resolve(text(200, options.metrics.expose(), metricsType))
        break
    }
    return Promise.resolve(text(404, 'not here: /healthz, /livez, /readyz, /metrics'))
  }
}

const metricsType = 'text/plain; version=0.0.4; charset=utf-8'

function answerChecks(checks: readonly HealthCheck[], verbose: boolean, failedStatus: number): HttpResponse {
  const results = checks.map(({ name, check }) => ({ name, answer: check() }))
  const ok = results.every(result => result.answer.ok)
  if (ok && !verbose) return text(200, 'ok')
  const lines = results.map(({ name, answer }) =>
    answer.ok ? `[+]${name} ok${answer.note === undefined ? '' : ` (${answer.note})`}` : `[-]${name} failed: ${answer.why}`,
  )
  return text(ok ? 200 : failedStatus, `${lines.join('\n')}\n${ok ? 'ok' : 'not ok'}\n`)
}

function text(status: number, body: string, type = 'text/plain; charset=utf-8'): HttpResponse {
  return {
    status,
    headers: { 'content-type': type, 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' },
    body: new TextEncoder().encode(body),
  }
}
