// One call to the server: limits, credentials, deadline, and every ending as a value or a KubeError.
import {
  type Clock,
  type HttpExchange,
  HttpFailure,
  type HttpHeaders,
  type HttpRequest,
  type HttpResponse,
  type Timer,
  withDeadline,
} from '#base'
import { type KubeCallOptions, KubeError } from './client.ts'
import { type KubeCredentials, noCredentials } from './credentials.ts'
import { type Attempt, describeStranger, failureOf, malformed, refusalOf, textOf } from './outcome.ts'
import { ClientThrottle, type ThrottleOptions } from './throttle.ts'

export interface ClientLimits extends ThrottleOptions {
  /** An answer with more bytes is refused; default 128 MiB, a list of some 100,000 objects in one page. */
  readonly answerBytesMax?: number
  /** A request with more bytes is not sent; default 3 MiB, which is where API servers stop reading. */
  readonly requestBytesMax?: number
}

export interface KubeCallerOptions {
  readonly exchange: HttpExchange
  readonly clock: Clock
  readonly address?: string
  readonly userAgent?: string
  readonly credentials?: KubeCredentials
  readonly impersonate?: KubeCallOptions['impersonate']
  /** For calls that name none; default 30 s, under the server's own 34 s for writes, so that we know first. */
  readonly timeoutMs?: number
  readonly limits?: ClientLimits
}

export interface CallSpec {
  /** For messages: `get configmaps default/x`. */
  readonly what: string
  readonly method: string
  readonly target: string
  readonly accept?: string
  readonly contentType?: string
  readonly body?: Uint8Array
  /** Instead of `JSON.parse`. */
  readonly parse?: ((text: string) => unknown) | undefined
  readonly options: KubeCallOptions | undefined
}

export interface OpenStream {
  readonly body: AsyncIterable<Uint8Array>
  end(): void
  /** The stream was ended by us because it outlived its time. */
  overdue(): boolean
}

const answerBytesMaxDefault = 134_217_728
const requestBytesMaxDefault = 3_145_728
const timeoutMsDefault = 30_000

export class KubeCaller {
  readonly address: string
  readonly clock: Clock
  readonly #options: KubeCallerOptions
  readonly #credentials: KubeCredentials
  readonly #throttle: ClientThrottle
  readonly #answerBytesMax: number
  readonly #requestBytesMax: number

  constructor(options: KubeCallerOptions) {
    this.address = options.address ?? 'the API server in this process'
    this.clock = options.clock
    this.#options = options
    this.#credentials = options.credentials ?? noCredentials
    this.#throttle = new ClientThrottle(options.clock, options.limits ?? {})
    this.#answerBytesMax = options.limits?.answerBytesMax ?? answerBytesMaxDefault
    this.#requestBytesMax = options.limits?.requestBytesMax ?? requestBytesMaxDefault
  }

  /** The whole answer of a success, decoded. */
  async json<T>(spec: CallSpec, onHeaders?: (headers: HttpHeaders) => void): Promise<T> {
    const attempt = { what: spec.what, address: this.address }
    this.#checkSize(attempt, spec.body)
    const { response, body } = await this.#within(attempt, spec.options, async signal => {
      const leave = await this.#throttle.enter(signal)
      try {
        const received = await this.#send(spec, signal)
        return { response: received, body: await readAll(received, this.#answerBytesMax) }
      } finally {
        leave()
      }
    })
    onHeaders?.(response.headers)
    if (response.status < 200 || response.status > 299) throw refusalOf(attempt, response, body)
    return decode(attempt, response, body, spec.parse) as T
  }

  /** A success whose body is read by the caller, who calls `end` after it. The header has the call's deadline, the rest `restMs`. */
  async stream(spec: CallSpec, restMs: number): Promise<OpenStream> {
    const attempt = { what: spec.what, address: this.address }
    const signal = spec.options?.signal
    const open = new StandingStream(signal, this.clock, restMs)
    try {
      const response = await this.#within(attempt, spec.options, async within => {
        within.addEventListener('abort', () => open.abort(within.reason), { once: true })
        return this.#send(spec, open.signal)
      })
      if (response.status === 200) return open.over(piecesOf(response))
      throw refusalOf(attempt, response, await readAll(response, this.#answerBytesMax))
    } catch (error) {
      open.end()
      throw failureOf(attempt, error, signal)
    }
  }

  /** Any request of a user, with our credentials; answers of every status are the user's to judge. */
  async raw(request: HttpRequest): Promise<HttpResponse> {
    const attempt = { what: `${request.method} ${request.target}`, address: this.address }
    return this.#within(attempt, { ...(request.signal && { signal: request.signal }) }, () =>
      this.#authenticated(request, undefined, request.signal),
    )
  }

  failure(what: string, error: unknown, signal?: AbortSignal): KubeError {
    return failureOf({ what, address: this.address }, error, signal)
  }

  async #within<T>(
    attempt: Attempt,
    options: KubeCallOptions | undefined,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const timeoutMs = options?.timeoutMs ?? this.#options.timeoutMs ?? timeoutMsDefault
    try {
      return await withDeadline(this.clock, { timeoutMs, signal: options?.signal }, work)
    } catch (error) {
      throw failureOf(attempt, error, options?.signal)
    }
  }

  #send(spec: CallSpec, signal: AbortSignal): Promise<HttpResponse> {
    const headers: Record<string, string> = { accept: spec.accept ?? 'application/json' }
    if (spec.contentType !== undefined) headers['content-type'] = spec.contentType
    const request = { method: spec.method, target: spec.target, headers, body: spec.body ?? null, signal }
    return this.#authenticated(request, spec.options?.impersonate, signal)
  }

  /** A 401 means that nothing happened, so it is safe to try once more when there may be a better token by now. */
  async #authenticated(
    request: HttpRequest,
    impersonate: KubeCallOptions['impersonate'],
    signal: AbortSignal | undefined,
  ): Promise<HttpResponse> {
    const headers = { ...request.headers, 'user-agent': this.#options.userAgent ?? 'vouch' }
    Object.assign(headers, impersonation(impersonate ?? this.#options.impersonate))
    const response = await this.#options.exchange({
      ...request,
      headers: { ...headers, ...(await this.#credentials.headers(signal)) },
    })
    if (response.status !== 401 || !this.#credentials.refused()) return response
    await readAll(response, this.#answerBytesMax)
    return this.#options.exchange({ ...request, headers: { ...headers, ...(await this.#credentials.headers(signal)) } })
  }

  #checkSize(attempt: Attempt, body: Uint8Array | undefined): void {
    if (body === undefined || body.length <= this.#requestBytesMax) return
    const message = `the object has ${body.length} bytes, and more than ${this.#requestBytesMax} are not accepted`
    throw new KubeError('refused', `${attempt.what} at ${attempt.address}: ${message}`, {
      status: {
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Failure',
        message,
        reason: 'RequestEntityTooLarge',
        code: 413,
      },
    })
  }
}

const emptyBody: AsyncIterable<Uint8Array> = onePiece(null)

/** The signal of a call's deadline ends once the header is there; the one here lasts as long as the stream. */
class StandingStream implements OpenStream {
  body: AsyncIterable<Uint8Array> = emptyBody
  readonly #controller = new AbortController()
  readonly #asked: AbortSignal | undefined
  readonly #timer: Timer

  constructor(asked: AbortSignal | undefined, clock: Clock, restMs: number) {
    this.#asked = asked
    asked?.addEventListener('abort', this, { once: true })
    this.#timer = clock.timer(restMs, () => this.abort(new HttpFailure('timeout', 'the stream did not end at its time')))
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  over(body: AsyncIterable<Uint8Array>): this {
    this.body = body
    return this
  }

  abort(reason?: unknown): void {
    this.#controller.abort(reason)
  }

  end(): void {
    this.#timer.cancel()
    this.#asked?.removeEventListener('abort', this)
    this.abort()
  }

  overdue(): boolean {
    return this.signal.aborted && this.#asked?.aborted !== true
  }

  /** Whoever asked for it stops. */
  handleEvent(): void {
    this.abort(this.#asked?.reason)
  }
}

function impersonation(as: KubeCallOptions['impersonate']): HttpHeaders {
  if (as === undefined) return {}
  return {
    'impersonate-user': as.user,
    ...(as.groups === undefined || as.groups.length === 0 ? {} : { 'impersonate-group': as.groups }),
    ...(as.uid === undefined ? {} : { 'impersonate-uid': as.uid }),
  }
}

async function readAll(response: HttpResponse, bytesMax: number): Promise<Uint8Array> {
  const { body } = response
  if (body === null) return new Uint8Array(0)
  if (body instanceof Uint8Array) {
    if (body.length > bytesMax) throw tooLarge(bytesMax)
    return body
  }
  const pieces: Uint8Array[] = []
  let length = 0
  for await (const piece of body) {
    length += piece.length
    if (length > bytesMax) throw tooLarge(bytesMax)
    pieces.push(piece)
  }
  return pieces.length === 1 ? (pieces[0] as Uint8Array) : Buffer.concat(pieces)
}

/** A stream as it is: whatever stands around it costs memory for as long as the stream does. */
function piecesOf({ body }: HttpResponse): AsyncIterable<Uint8Array> {
  return body === null || body instanceof Uint8Array ? onePiece(body) : body
}

async function* onePiece(body: Uint8Array | null): AsyncGenerator<Uint8Array> {
  if (body !== null) yield body
}

function tooLarge(bytesMax: number): HttpFailure {
  return new HttpFailure('too-large', `the answer has more than ${bytesMax} bytes`)
}

function decode(
  attempt: Attempt,
  response: HttpResponse,
  body: Uint8Array,
  parse: (text: string) => unknown = JSON.parse,
): object {
  let value: unknown
  try {
    value = parse(textOf(body))
  } catch {
    const text = String(response.headers['content-type'] ?? '')
    throw malformed(
      attempt,
      text.includes('json') ? 'the answer is JSON that breaks off or has errors' : describeStranger(response, body),
      response,
    )
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw malformed(attempt, describeStranger(response, body), response)
  }
  // Some refusals come with a 200 from intermediaries that hide the number.
  const { kind, status, code } = value as { kind?: unknown; status?: unknown; code?: unknown }
  if (kind === 'Status' && status === 'Failure') {
    throw refusalOf(attempt, { ...response, status: typeof code === 'number' ? code : 500 }, body)
  }
  return value
}
