// One client for every service: a representation in, calls out. It checks the input, asks for credentials, signs, sends, reads and
// tries again where that helps. What a service does differently is in services/.
import { type Clock, HttpFailure, type Log, type Random, silentLog } from '#base'
import { AwsError } from '../errors/aws-error.ts'
import type { Operation, ServiceModel, StructureShape } from '../model/service-model.ts'
import { addChecksum, bytesOf, checksumInput } from './calls/checksums.ts'
import { type Endpoint, resolveEndpoint } from './calls/endpoint.ts'
import { InputError, prepareInput } from './calls/input.ts'
import type { Pace } from './calls/pace.ts'
import { nextTokens } from './calls/paginate.ts'
import { readAnswer } from './calls/read-answer.ts'
import { RetryTokens, retryDelayMs, retryKindOf, triesMaxDefault } from './calls/retry.ts'
import { presignRequest, type SigningScope, signRequest } from './calls/sign.ts'
import { targetOf, tryCall } from './calls/try-call.ts'
import { anonymous, type Credentials, type CredentialsProvider } from './credentials/credentials.ts'
import type { Deviations, S3Addressing } from './services/deviation.ts'
import { deviationsOf } from './services/deviations.ts'
import type { Transport } from './transport/transport.ts'
import { openProtocol, type Values, type WireProtocol, type WireRequest, type WireResponse } from './wire/protocols.ts'
import { shapeOf } from './wire/tuples.ts'

export interface AwsClientOptions {
  readonly model: ServiceModel
  readonly region: string
  readonly credentials: CredentialsProvider
  readonly transport: Transport
  readonly clock: Clock
  readonly random: Random
  readonly log?: Log
  /** An address of your choice (an emulator, a VPC endpoint) instead of AWS's own. */
  readonly endpoint?: string | undefined
  readonly fips?: boolean
  readonly dualStack?: boolean
  /** Where S3's buckets stand; by default in the host on AWS's own endpoints and in the path elsewhere. */
  readonly s3Addressing?: S3Addressing
  readonly triesMax?: number
  /** How long one try may take. */
  readonly timeoutMs?: number
  readonly responseBytesMax?: number
  /** Shared by the clients of one service, account and region. */
  readonly pace?: Pace
  readonly userAgent?: string
}

export interface CallOptions {
  /** Called before each try is sent, the repeated ones too; what it throws ends the call. A try may come long after the one before. */
  readonly beforeTry?: (() => void) | undefined
  readonly signal?: AbortSignal
  /** Ends a try that is under way; the signal then only keeps another one from being begun. Default: the signal does both. */
  readonly cutOff?: AbortSignal
  /** Of the whole call, waits and retries included. */
  readonly deadlineMs?: number
  /** False leaves a call whose effect is unknown to the caller, who looks before acting again. Default true. */
  readonly retryAmbiguous?: boolean
}

export interface CallResult {
  readonly output: Values
  readonly httpStatus: number
  readonly requestId: string | undefined
  readonly tries: number
  /** An earlier try may have taken hold too. */
  readonly afterAmbiguousTry: boolean
}

export interface AwsClient {
  readonly model: ServiceModel
  readonly region: string
  /** The output. Rejects with `AwsError`, `HttpFailure`, `InputError` or `CredentialsError`. */
  call(operation: string, input?: Values, options?: CallOptions): Promise<Values>
  /** The output with what is known of the call. */
  send(operation: string, input?: Values, options?: CallOptions): Promise<CallResult>
  /** The outputs of a list, page by page, to its end. */
  pages(operation: string, input?: Values, options?: CallOptions): AsyncIterable<Values>
  /** A URL that carries its signature. */
  presign(operation: string, input: Values, options: { readonly expiresInSeconds: number }): Promise<string>
}

/** Long enough for the slowest answer (a large list), short enough that a dead connection does not hold a worker for long. */
const timeoutMsDefault = 30_000
/** The largest answers are lists of a thousand objects, a few megabytes. */
const responseBytesMaxDefault = 64 * 1024 * 1024

export function createAwsClient(options: AwsClientOptions): AwsClient {
  return new ModelClient(options)
}

class ModelClient implements AwsClient {
  readonly model: ServiceModel
  readonly region: string
  readonly #options: AwsClientOptions
  readonly #deviations: Deviations
  readonly #tokens = new RetryTokens()
  readonly #log: Log
  #protocol: Promise<WireProtocol> | undefined
  /** How far the service's clock is ahead of ours. */
  #clockOffsetMs = 0

  constructor(options: AwsClientOptions) {
    this.#options = options
    this.model = options.model
    this.region = options.region
    this.#deviations = deviationsOf(options.model)
    this.#log = options.log ?? silentLog
    // A wrong region or endpoint is found when the client is made, not at its first call.
    resolveEndpoint(options.model, options)
  }

  async call(operation: string, input?: Values, options?: CallOptions): Promise<Values> {
    return (await this.send(operation, input, options)).output
  }

  async send(operationName: string, input: Values = {}, options: CallOptions = {}): Promise<CallResult> {
    const call = await this.#begin(operationName, input)
    const { clock } = this.#options
    if (options.deadlineMs === undefined) return this.#tryUntilDone(call, options)
    const deadline = new AbortController()
    const { deadlineMs, signal } = options
    const timer = clock.timer(deadlineMs, () => deadline.abort(new HttpFailure('timeout', `not done within ${deadlineMs} ms`)))
    try {
      const both = signal === undefined ? deadline.signal : AbortSignal.any([signal, deadline.signal])
      const cutOff = options.cutOff === undefined ? both : AbortSignal.any([options.cutOff, deadline.signal])
      return await this.#tryUntilDone(call, { ...options, signal: both, cutOff })
    } finally {
      timer.cancel()
    }
  }

  async *pages(operationName: string, input: Values = {}, options: CallOptions = {}): AsyncIterable<Values> {
    const operation = this.#operation(operationName)
    let tokens: Values | undefined = {}
    while (tokens !== undefined) {
      const request: Values = { ...input, ...tokens }
      const output: Values = await this.call(operationName, request, options)
      yield output
      tokens = nextTokens(operation, { request, output, multi: this.#deviations.pagination?.[operationName] })
    }
  }

  async presign(
    operationName: string,
    input: Values,
    { expiresInSeconds }: { readonly expiresInSeconds: number },
  ): Promise<string> {
    const call = await this.#begin(operationName, input)
    const endpoint = this.#endpoint(call, this.region)
    const request = await this.#encode(call, endpoint)
    const credentials = await this.#options.credentials.get()
    if (credentials === anonymous) throw new InputError(operationName, '', 'a signed URL needs credentials')
    const scope = { ...this.#scope(call.operation, endpoint), unsignedPayload: call.operation.name === 'GetObject' || undefined }
    const { host } = request.headers
    const bare = { ...request, headers: { host: host ?? '' } }
    const signed = await presignRequest(bare, credentials, { ...scope, expiresInSeconds })
    return `${endpoint.url.origin}${targetOf(signed)}`
  }

  #operation(name: string): Operation {
    const { operations } = this.model
    const operation = Object.hasOwn(operations, name) ? operations[name] : undefined
    if (operation !== undefined) return operation
    const near = Object.keys(operations).find(each => each.toLowerCase() === name.toLowerCase())
    throw new InputError(
      `${this.model.id} ${name}`,
      '',
      `there is no such operation${near === undefined ? '' : `; did you mean ${near}?`}`,
    )
  }

  async #begin(operationName: string, given: Values): Promise<Call> {
    const operation = this.#operation(operationName)
    if (this.#streamsEvents(operation)) throw new InputError(operationName, '', 'event streams are not supported')
    const { model, region } = this
    const adapted = this.#deviations.input?.(operation, given, { region }) ?? given
    const context = { model, operation: operationName, newToken: () => this.#options.random.uuid() }
    const input = checksumInput(operation, prepareInput(operation.input, adapted, context))
    this.#protocol ??= openProtocol(model)
    return { operation, input, protocol: await this.#protocol, invocationId: this.#options.random.uuid() }
  }

  #streamsEvents({ input, output }: Operation): boolean {
    return [input, output].some(name => {
      const shape = name === undefined ? undefined : (shapeOf(this.model, name) as StructureShape)
      return Object.values(shape?.members ?? {}).some(({ target }) => {
        const member = shapeOf(this.model, target)
        return member.type === 'union' && member.eventStream === true
      })
    })
  }

  /** The loop of tries. Each way out of it is here; what a try does is below. */
  async #tryUntilDone(call: Call, options: CallOptions): Promise<CallResult> {
    const { clock, random, triesMax = triesMaxDefault } = this.#options
    const state: TryState = { region: this.region, tries: 0, afterAmbiguousTry: false, mended: new Set() }
    let lastError: unknown
    for (;;) {
      state.tries += 1
      try {
        const result = await this.#tryOnce(call, state, options)
        this.#tokens.giveBack(lastError)
        return result
      } catch (error) {
        if (this.#mend(error, state)) continue
        const kind = retryKindOf(error)
        if (kind === 'ambiguous') state.afterAmbiguousTry = true
        const mayRetry = kind !== undefined && (kind !== 'ambiguous' || options.retryAmbiguous !== false)
        if (!mayRetry || state.tries >= triesMax || !this.#tokens.take(error)) throw error
        lastError = error
        const delayMs = retryDelayMs(error, state.tries + 1, random)
        this.#log.debug('aws call is tried again', { service: this.model.id, operation: call.operation.name, delayMs, kind })
        await clock.sleep(delayMs, options.signal)
      }
    }
  }

  /** Puts right, once each, what made a try fail for a reason that is ours: region, credentials, clock. */
  #mend(error: unknown, state: TryState): boolean {
    const once = (what: string): boolean => {
      const isFirst = !state.mended.has(what)
      state.mended.add(what)
      return isFirst
    }
    const { lastResponse, credentials } = state
    if (lastResponse === undefined || !(error instanceof AwsError)) return false
    const region = this.#deviations.redirect?.(lastResponse)
    if (region !== undefined && region !== state.region && once('region')) {
      state.region = region
      return true
    }
    if (
      error.class === 'expired' &&
      credentials !== undefined &&
      this.#options.credentials.forget !== undefined &&
      once('credentials')
    ) {
      this.#options.credentials.forget(credentials)
      return true
    }
    return isSkewed(error) && once('clock') && this.#correctClock(lastResponse)
  }

  /** Takes the service's time from its answer. False when that changes nothing. */
  #correctClock({ headers }: WireResponse): boolean {
    const theirs = Date.parse(headers['date'] ?? '')
    if (Number.isNaN(theirs)) return false
    const offsetMs = theirs - this.#options.clock.now()
    if (Math.abs(offsetMs - this.#clockOffsetMs) < skewMsMin) return false
    this.#clockOffsetMs = offsetMs
    return true
  }

  async #tryOnce(call: Call, state: TryState, { signal, cutOff = signal, beforeTry }: CallOptions): Promise<CallResult> {
    const { transport, clock, timeoutMs = timeoutMsDefault, responseBytesMax = responseBytesMaxDefault, pace } = this.#options
    delete state.lastResponse
    await pace?.enter(signal, !isRead(call.operation))
    const endpoint = this.#endpoint(call, state.region)
    const encoded = await this.#encode(call, endpoint)
    const triesMax = this.#options.triesMax ?? triesMaxDefault
    encoded.headers['amz-sdk-request'] = `attempt=${state.tries}; max=${triesMax}`
    const request = await this.#sign(encoded, call, { state, endpoint, signal })
    const exchange = transport.to(endpoint.url.origin)
    signal?.throwIfAborted()
    beforeTry?.()
    const received = await tryCall(request, { exchange, clock, timeoutMs, responseBytesMax, signal: cutOff })
    const response = this.#deviations.response?.(received) ?? received
    state.lastResponse = response
    return this.#read(call, response, state)
  }

  #endpoint({ operation, input }: Call, region: string): Endpoint {
    const { model } = this
    const endpoint = resolveEndpoint(model, { ...this.#options, region })
    return (
      this.#deviations.endpoint?.(endpoint, input, { operation, addressing: this.#options.s3Addressing ?? 'auto' }) ?? endpoint
    )
  }

  async #encode({ operation, protocol, input, invocationId }: Call, endpoint: Endpoint): Promise<WireRequest> {
    const tuple = protocol.tuples.operation(operation, { hostPrefix: !endpoint.isCustom })
    const request = await protocol.encode(tuple, input, endpoint.url)
    this.#deviations.request?.(operation, request)
    addChecksum(request, operation, input)
    const { length } = bytesOf(request.body)
    const port = request.port === undefined ? '' : `:${request.port}`
    Object.assign(request.headers, {
      host: `${request.hostname}${port}`,
      'user-agent': this.#options.userAgent ?? 'vouch',
      'amz-sdk-invocation-id': invocationId,
      ...(length > 0 || request.method === 'PUT' || request.method === 'POST' ? { 'content-length': String(length) } : {}),
    })
    return request
  }

  async #sign(request: WireRequest, { operation }: Call, { state, endpoint, signal }: Signing): Promise<WireRequest> {
    delete state.credentials
    if (operation.unsigned) return request
    const credentials = await this.#options.credentials.get(signal)
    if (credentials === anonymous) return request
    state.credentials = credentials
    return signRequest(request, credentials, this.#scope(operation, endpoint))
  }

  #scope({ unsignedPayload }: Operation, { signingRegion, signingName }: Endpoint): SigningScope {
    return {
      service: signingName ?? this.model.signingName,
      region: signingRegion,
      atMs: this.#options.clock.now() + this.#clockOffsetMs,
      escapePath: this.#deviations.signing?.escapePath ?? true,
      unsignedPayload,
    }
  }

  async #read(
    { operation, protocol }: Call,
    response: WireResponse,
    { tries, afterAmbiguousTry }: TryState,
  ): Promise<CallResult> {
    const context = { model: this.model, operation, protocol, deviations: this.#deviations, tries, afterAmbiguousTry }
    const output = await readAnswer(response, context).catch((error: unknown) => {
      if (error instanceof AwsError && error.throttling) this.#options.pace?.throttled(!isRead(operation))
      throw error
    })
    const requestId = response.headers['x-amzn-requestid'] ?? response.headers['x-amz-request-id']
    return { output, httpStatus: response.statusCode, requestId, tries, afterAmbiguousTry }
  }
}

function isRead({ name, http, readonly }: Operation): boolean {
  return readonly === true || http.method === 'GET' || /^(?:Get|List|Describe|Head)/.test(name)
}

interface Call {
  readonly operation: Operation
  readonly input: Values
  readonly protocol: WireProtocol
  /** The same for all tries, so that the service's logs show them as one call. */
  readonly invocationId: string
}

/** What the tries of one call know of each other. */
interface TryState {
  region: string
  tries: number
  afterAmbiguousTry: boolean
  readonly mended: Set<string>
  lastResponse?: WireResponse
  credentials?: Credentials
}

interface Signing {
  readonly state: TryState
  readonly endpoint: Endpoint
  readonly signal: AbortSignal | undefined
}

/** Less is jitter of the network; the services allow five minutes. */
const skewMsMin = 60_000

/** Skew shows under its own code, or as a signature that does not fit. */
function isSkewed(error: AwsError): boolean {
  return error.class === 'clock-skew' || /^(SignatureDoesNotMatch|InvalidSignatureException|AuthFailure)$/.test(error.code)
}
