// What an answer means. Every response ends here as a value or as one KubeError (reliability W2): the code says whether the call
// took hold, and that decides whether it may be repeated.
import { DeadlineExceeded, HttpFailure, type HttpFailureCode, type HttpResponse } from '#base'
import type { Status } from '../status.ts'
import { KubeError, type KubeErrorCode } from './client.ts'

/** What was tried, for messages: `get configmaps default/x at https://…`. */
export interface Attempt {
  readonly what: string
  readonly address: string
}

/** The error for a response that is no success. */
export function refusalOf(attempt: Attempt, response: HttpResponse, body: Uint8Array): KubeError {
  const status = parseStatus(body) ?? plainStatus(response, body)
  const retryAfterMs = retryAfter(response, status)
  const more = { httpStatus: response.status, status, retryAfterMs }
  const prefix = `${attempt.what} at ${attempt.address}`
  if (status === undefined) {
    return new KubeError('malformed', `${prefix}: ${describeStranger(response, body)}`, more)
  }
  const detail = status.message ?? status.reason ?? `HTTP ${response.status}`
  const code = codeOf(response.status, retryAfterMs !== undefined)
  const advice = code === 'unauthenticated' ? '; check the credentials of this user in the kubeconfig' : ''
  return new KubeError(code, `${prefix}: ${detail}${advice}`, more)
}

/** The error for a call that got no response. */
export function failureOf(attempt: Attempt, error: unknown, signal?: AbortSignal): KubeError {
  if (error instanceof KubeError) return error
  const prefix = `${attempt.what} at ${attempt.address}`
  if (signal?.aborted === true) return new KubeError('aborted', `${prefix}: aborted`, { cause: error })
  if (error instanceof DeadlineExceeded) {
    return new KubeError('unknown-outcome', `${prefix}: no answer in time (${error.message})`, { cause: error })
  }
  if (error instanceof HttpFailure) {
    return new KubeError(failureCodes[error.code], `${prefix}: ${error.message}${advice[error.code] ?? ''}`, { cause: error })
  }
  return new KubeError('unknown-outcome', `${prefix}: ${String(error)}`, { cause: error })
}

export function malformed(attempt: Attempt, detail: string, response?: HttpResponse): KubeError {
  return new KubeError('malformed', `${attempt.what} at ${attempt.address}: ${detail}`, { httpStatus: response?.status })
}

const failureCodes: Readonly<Record<HttpFailureCode, KubeErrorCode>> = {
  unreachable: 'unreachable',
  untrusted: 'untrusted',
  reset: 'unknown-outcome',
  timeout: 'unknown-outcome',
  malformed: 'malformed',
  'too-large': 'malformed',
  aborted: 'aborted',
}

const advice: Partial<Readonly<Record<HttpFailureCode, string>>> = {
  unreachable: '; check the server address in the kubeconfig and that it can be reached from here',
  untrusted: '; check certificate-authority and tls-server-name in the kubeconfig',
}

function codeOf(httpStatus: number, hasHint: boolean): KubeErrorCode {
  if (httpStatus === 401) return 'unauthenticated'
  if (httpStatus === 429 || (httpStatus === 503 && hasHint)) return 'throttled'
  // These say nothing about whether the call took hold.
  if (httpStatus >= 500 || httpStatus === 408) return 'unknown-outcome'
  return 'refused'
}

function parseStatus(body: Uint8Array): Status | undefined {
  if (body[0] !== 0x7b) return undefined
  try {
    const value = JSON.parse(textOf(body)) as Partial<Status>
    return value.kind === 'Status' ? (value as Status) : undefined
  } catch {
    return undefined
  }
}

/** Servers, and the proxies before them, also refuse in plain text; what the number says is kept. */
function plainStatus(response: HttpResponse, body: Uint8Array): Status | undefined {
  const reason = plainReasons[response.status]
  if (reason === undefined || isMarkup(response, body)) return undefined
  const text = textOf(body.subarray(0, 500)).trim()
  const message = response.status === 404 ? 'the server could not find the requested resource' : text || reason
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, reason, code: response.status }
}

const plainReasons: Readonly<Record<number, string>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  406: 'NotAcceptable',
  408: 'Timeout',
  409: 'Conflict',
  410: 'Gone',
  413: 'RequestEntityTooLarge',
  415: 'UnsupportedMediaType',
  422: 'Invalid',
  429: 'TooManyRequests',
  500: 'InternalError',
  502: 'BadGateway',
  503: 'ServiceUnavailable',
  504: 'Timeout',
}

export function describeStranger(response: HttpResponse, body: Uint8Array): string {
  if (isMarkup(response, body)) {
    return `the server answers HTML (HTTP ${response.status}), as no Kubernetes API server does; check the server address in the kubeconfig`
  }
  if (response.status >= 300 && response.status < 400) {
    return `the server redirects to ${String(response.headers.location)}, which is not followed; check the server address in the kubeconfig`
  }
  return `the answer (HTTP ${response.status}) is not what an API server says; check the server address in the kubeconfig`
}

function isMarkup(response: HttpResponse, body: Uint8Array): boolean {
  return (
    String(response.headers['content-type'] ?? '').includes('html') || /^\s*<(!doctype|html)/i.test(textOf(body.subarray(0, 64)))
  )
}

function retryAfter(response: HttpResponse, status: Status | undefined): number | undefined {
  const header = response.headers['retry-after']
  if (typeof header === 'string' && /^\d{1,6}$/.test(header)) return Number(header) * 1_000
  const seconds = status?.details?.retryAfterSeconds
  return typeof seconds === 'number' && seconds > 0 ? seconds * 1_000 : undefined
}

export function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
}
