// The life of one request: found, routed, authenticated, disturbed on purpose, throttled, read, checked, carried out, written, recorded.
import type { Operation } from '#aws'
import { Bug, type HttpResponse, type Instant } from '#base'
import { SigningKeyMemory } from '../auth/signature.ts'
import type { AwsFaultEffect, SignatureMode } from '../aws.ts'
import { ServiceError } from '../error.ts'
import { nameOf } from '../principal.ts'
import type { RawRequest, Service, ServicePlace } from '../service.ts'
import { cborProtocol } from '../wire/cbor-protocol.ts'
import { type Family, familyOf, refusal } from '../wire/family.ts'
import { MalformedInput } from '../wire/malformed.ts'
import type { Encoded, FoundOperation, ServedProtocol } from '../wire/protocol.ts'
import { malformedError, protocolOf } from '../wire/protocols.ts'
import { inputOf } from '../wire/shapes.ts'
import { problemsOf, validationMessage } from '../wire/validate.ts'
import { MalformedXml } from '../wire/xml.ts'
import { provenBody } from './body.ts'
import { type Authenticated, authenticate } from './caller/authenticate.ts'
import type { CallLog } from './calls.ts'
import type { Surroundings } from './context.ts'
import { disturbedReply, withoutOneItem } from './disturb.ts'
import { aborted, type IncomingCall } from './incoming.ts'
import { recordedParameters } from './parameters.ts'
import { notImplemented, throttleCodes, throttled } from './refusals.ts'
import { RequestCall } from './request-call.ts'
import type { CallThrottle } from './throttle.ts'

/** A service with what the core derives from its model, once. */
export interface Served {
  readonly service: Service
  readonly protocol: ServedProtocol
  readonly family: Family
  /** The same over CBOR, for services that offer it beside JSON. */
  readonly cbor?: Served
}

export function served(service: Service): Served {
  const entry = { service, protocol: protocolOf(service.model), family: familyOf(service.model) }
  return entry.family === 'json' ? { ...entry, cbor: { ...entry, protocol: cborProtocol(service.model) } } : entry
}

export interface DispatchInputs {
  readonly surroundings: Surroundings
  readonly throttle: CallThrottle
  readonly calls: CallLog
  readonly credentialsDelayMs: (partition: string, accessKeyId: string) => number
  readonly partitions: readonly string[]
}

export interface Arrival {
  readonly incoming: IncomingCall
  readonly served: Served
  readonly partition: string
  readonly region: string
  readonly requestId: string
  readonly forceAnonymous: boolean
}

/** What is known of a request so far; grows as it passes the stages. */
interface Passage {
  readonly arrival: Arrival
  operation: string
  authenticated: Authenticated | undefined
  call: RequestCall<unknown> | undefined
  input: Readonly<Record<string, unknown>>
  model: Operation | undefined
  effect: AwsFaultEffect | undefined
}

export class Dispatcher {
  readonly #inputs: DispatchInputs
  readonly #keys = new SigningKeyMemory()

  constructor(inputs: DispatchInputs) {
    this.#inputs = inputs
  }

  async dispatch(arrival: Arrival): Promise<HttpResponse> {
    const passage = newPassage(arrival)
    let error: ServiceError | undefined
    let encoded: Encoded
    try {
      const found = this.#enter(passage)
      await this.#disturbBefore(passage)
      const output = await this.#carryOut(passage, found)
      encoded = this.#encoded(passage, found.operation, output)
    } catch (thrown) {
      if (!(thrown instanceof ServiceError) && thrown instanceof Error && thrown.name === 'HttpFailure') throw thrown
      error = this.#refusalOf(thrown, arrival)
      encoded = arrival.served.protocol.encodeError(error, arrival.requestId, arrival.incoming.raw)
      // What the operation said before it refused: S3 names the right region in a header of the redirect.
      if (error === thrown) encoded = { ...encoded, headers: { ...passage.call?.reply.headers, ...encoded.headers } }
    }
    this.#record(passage, error)
    this.#inputs.surroundings.state.remember(this.#inputs.surroundings.now())
    return this.#reply(passage, encoded)
  }

  /** For what could not be read at all: its operation is not known. */
  refuse(arrival: Arrival, error: ServiceError): HttpResponse {
    const { status, headers, body } = arrival.served.protocol.encodeError(error, arrival.requestId, arrival.incoming.raw)
    this.#record(newPassage(arrival), error)
    const bytes = typeof body === 'string' ? Buffer.from(body, 'utf8') : body
    return { status, headers: { ...headers, 'content-length': String(bytes.length) }, body: bytes }
  }

  /** Routing, authentication and reading: everything that needs no waiting. */
  #enter(passage: Passage): FoundOperation {
    const { served, incoming } = passage.arrival
    const routing = served.protocol.route(incoming.raw)
    if ('unknown' in routing) {
      passage.operation = routing.unknown
      this.#unimplemented(passage)
      throw routing.error
    }
    passage.operation = routing.operation.name
    passage.model = routing.operation
    passage.authenticated = this.#authenticate(passage)
    const request = this.#readRequest(passage, passage.authenticated)
    passage.input = served.protocol.decode(routing, request)
    passage.call = this.#callOf(passage, request)
    if (served.service.operations[routing.operation.name] === undefined) {
      this.#unimplemented(passage)
      throw notImplemented(served.family)
    }
    passage.effect = this.#effectFor(passage)
    return routing
  }

  #authenticate(passage: Passage): Authenticated {
    const { arrival, operation } = passage
    const { surroundings } = this.#inputs
    const { settings } = surroundings
    const { service, family } = arrival.served
    const subject = { service: service.name, operation, caller: '', resource: '' }
    const skew = surroundings.faults.effectFor(subject, this.#now(), isClockSkew)
    const authenticated = authenticate({
      incoming: arrival.incoming,
      family,
      service: service.name,
      signingName: service.model.signingName,
      partition: arrival.partition,
      mode: modeFor(settings.signatures, arrival),
      now: this.#now() + (skew?.kind === 'clock-skew' ? skew.ms : 0),
      seed: settings.seed,
      defaultAccount: settings.accounts[0] as string,
      partitions: this.#inputs.partitions,
      ports: partition => surroundings.ports(partition),
      keys: this.#keys,
      credentialsDelayMs: key => this.#inputs.credentialsDelayMs(arrival.partition, key),
      unsignedAllowed: service.unsigned === 'all' || service.unsigned?.includes(operation) === true,
      forceAnonymous: arrival.forceAnonymous,
    })
    this.#killedSession(authenticated, passage)
    return authenticated
  }

  /** The faults that end a caller's credentials. */
  #killedSession({ caller }: Authenticated, { arrival, operation }: Passage): void {
    if (caller.kind === 'anonymous' || this.#inputs.surroundings.faults.isEmpty) return
    const subject = { service: arrival.served.service.name, operation, caller: nameOf(caller), resource: '' }
    const effect = this.#inputs.surroundings.faults.effectFor(
      subject,
      this.#now(),
      kind => kind.kind === 'expire-credentials' || kind.kind === 'revoke-session',
    )
    if (effect?.kind === 'expire-credentials') throw refusal(arrival.served.family, 'expired session')
    if (effect?.kind === 'revoke-session') throw refusal(arrival.served.family, 'unknown key')
  }

  #readRequest({ arrival }: Passage, authenticated: Authenticated): RawRequest {
    const raw = { ...arrival.incoming.raw, signed: authenticated.signed, proven: authenticated.checked !== undefined }
    return arrival.served.family === 's3' ? { ...raw, ...provenBody(raw, authenticated.claim, authenticated.checked) } : raw
  }

  #callOf(passage: Passage, request: RawRequest): RequestCall<unknown> {
    const { arrival, authenticated } = passage
    const caller = authenticated?.caller ?? { kind: 'anonymous' }
    const account =
      caller.kind === 'anonymous' || caller.kind === 'service'
        ? (this.#inputs.surroundings.settings.accounts[0] as string)
        : caller.account
    const place: ServicePlace = { partition: arrival.partition, account, region: arrival.region }
    const { requestId, served } = arrival
    return new RequestCall(this.#inputs.surroundings, served.service, place, {
      operation: passage.operation,
      requestId,
      input: passage.input,
      caller,
      request,
    })
  }

  #effectFor(passage: Passage): AwsFaultEffect | undefined {
    if (this.#inputs.surroundings.faults.isEmpty) return undefined
    const { arrival, authenticated, input } = passage
    const subject = {
      service: arrival.served.service.name,
      operation: passage.operation,
      caller: nameOf(authenticated?.caller ?? { kind: 'anonymous' }),
      resource: [arrival.incoming.raw.path, ...Object.values(input).filter(value => typeof value === 'string')].join(' '),
    }
    return this.#inputs.surroundings.faults.effectFor(subject, this.#now(), isCallEffect)
  }

  async #disturbBefore({ effect, arrival }: Passage): Promise<void> {
    switch (effect?.kind) {
      case 'error':
        throw new ServiceError(effect.code, effect.http, effect.message ?? 'injected fault')
      case 'throttle':
        throw throttled(arrival.served.service, arrival.served.family)
      case 'timeout-before':
        throw aborted()
      case 'latency':
        await this.#inputs.surroundings.settings.clock.sleep(effect.ms)
        return
      default:
    }
  }

  async #carryOut(passage: Passage, { operation }: FoundOperation): Promise<object> {
    const { served } = passage.arrival
    const call = passage.call as RequestCall<unknown>
    this.#inputs.throttle.take(served.service, call)
    const problems = problemsOf(served.service.model, inputOf(served.service.model, operation), passage.input)
    if (problems.length > 0) this.#refuseInvalid(served, problems, operation.name)
    const { state } = this.#inputs.surroundings
    const before = state.mark()
    const answerOfOld =
      passage.effect?.kind === 'stale-read' ? await this.#runOnPast(call, served, passage.effect.ageMs) : undefined
    const output = answerOfOld ?? (await this.#run(call, served, before))
    if (passage.effect?.kind === 'duplicate') await this.#runAgain(call, served)
    return output
  }

  /**
   * The answer of a replica that is behind, which may be a refusal. `undefined`: the call changes something, and a change that AWS accepts is
   * made to what is there now.
   */
  async #runOnPast(call: RequestCall<unknown>, served: Served, ageMs: number): Promise<object | undefined> {
    const { state } = this.#inputs.surroundings
    const present = state.mark()
    const past = state.markAt(this.#now() - ageMs)
    state.restore(past)
    const output = await this.#run(call, served, present)
    const isRead = state.mark() === past
    state.restore(present)
    return isRead ? output : undefined
  }

  #run(call: RequestCall<unknown>, { service }: Served, before: unknown): object | Promise<object> {
    const handler = service.operations[call.operation]
    let output: object | void | Promise<object | void>
    try {
      output = handler?.(call)
    } catch (error) {
      this.#inputs.surroundings.state.restore(before)
      throw error
    }
    const checked = (value: object | void): object => {
      if (!call.asked && service.open?.includes(call.operation) !== true)
        throw new Bug('an operation answered without asking whether it may', { operation: call.operation })
      return value ?? {}
    }
    return output instanceof Promise ? output.then(checked) : checked(output)
  }

  /** The request arrives twice; what the second time brings is lost. */
  async #runAgain(call: RequestCall<unknown>, served: Served): Promise<void> {
    try {
      await this.#run(call, served, this.#inputs.surroundings.state.mark())
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
    }
  }

  #refuseInvalid({ service, family }: Served, problems: readonly string[], operation: string): void {
    if (service.invalid === undefined) throw refusal(family, 'invalid', validationMessage(problems))
    const error = service.invalid(problems, operation)
    if (error !== undefined) throw error
  }

  #encoded(passage: Passage, operation: Operation, output: object): Encoded {
    const { protocol } = passage.arrival.served
    const call = passage.call as RequestCall<unknown>
    const shown =
      passage.effect?.kind === 'partial-list'
        ? withoutOneItem(operation, output, call.random(`partial/${call.requestId}`))
        : output
    const encoded = protocol.encode(operation, shown as Record<string, unknown>, call.requestId)
    const { reply } = call
    return {
      status: reply.status ?? encoded.status,
      headers: { ...encoded.headers, ...reply.headers },
      body: reply.body ?? encoded.body,
    }
  }

  #refusalOf(thrown: unknown, { served, requestId }: Arrival): ServiceError {
    if (thrown instanceof ServiceError) return thrown
    if (thrown instanceof MalformedInput || thrown instanceof MalformedXml) return malformedError(served.family, thrown)
    this.#inputs.surroundings.settings.log.error('an emulated operation failed', {
      service: served.service.name,
      requestId,
      error: String(thrown),
      stack: thrown instanceof Error ? thrown.stack : undefined,
    })
    return refusal(served.family, 'internal')
  }

  #unimplemented({ arrival, operation }: Passage): void {
    this.#inputs.calls.noteUnimplemented(`${arrival.served.service.name}:${operation}`)
  }

  #reply(passage: Passage, encoded: Encoded): HttpResponse {
    const { arrival, effect, operation } = passage
    const known = passage.model !== undefined && arrival.served.service.operations[operation] !== undefined
    const headers: Record<string, string> = { ...encoded.headers }
    if (!known) headers['x-emulator-unimplemented'] = `${arrival.served.service.name}:${headerSafe(operation)}`
    if (this.#inputs.surroundings.settings.knobs.virtualDateHeader) headers['date'] = new Date(this.#now()).toUTCString()
    const bytes = typeof encoded.body === 'string' ? Buffer.from(encoded.body, 'utf8') : encoded.body
    const isHead = arrival.incoming.raw.method === 'HEAD'
    if (encoded.status !== 204 && encoded.status !== 304 && headers['content-length'] === undefined)
      headers['content-length'] = String(bytes.length)
    const response: HttpResponse = { status: encoded.status, headers, body: isHead || bytes.length === 0 ? null : bytes }
    return effect === undefined ? response : disturbedReply(response, effect)
  }

  #record(passage: Passage, error: ServiceError | undefined): void {
    const { arrival, call, authenticated, model } = passage
    const { service } = arrival.served
    const steps = [...(call?.steps ?? [])]
    if (error !== undefined) steps.push({ link: 'answer', holds: false, detail: `${error.code}: ${error.message}` })
    const { raw } = arrival.incoming
    this.#inputs.calls.add({
      call: {
        atMs: this.#now(),
        requestId: arrival.requestId,
        service: service.name,
        operation: passage.operation,
        caller: authenticated === undefined ? 'unknown' : nameOf(authenticated.caller),
        userAgent: raw.userAgent,
        account: call?.account ?? '',
        region: arrival.region,
        parameters: model === undefined ? {} : recordedParameters(service.model, inputOf(service.model, model), passage.input),
        result: error?.code ?? 'ok',
        throttled: error !== undefined && throttleCodes.has(error.code),
      },
      explanation: { requestId: arrival.requestId, decision: error === undefined ? 'allowed' : 'denied', steps },
    })
  }

  #now(): Instant {
    return this.#inputs.surroundings.now()
  }
}

function newPassage(arrival: Arrival): Passage {
  return {
    arrival,
    operation: 'unknown',
    authenticated: undefined,
    call: undefined,
    input: {},
    model: undefined,
    effect: undefined,
  }
}

function isClockSkew({ kind }: AwsFaultEffect): boolean {
  return kind === 'clock-skew'
}

/** Effects that are looked for once per call; the others have places of their own. */
function isCallEffect({ kind }: AwsFaultEffect): boolean {
  return !(
    kind === 'propagation' ||
    kind === 'clock-skew' ||
    kind === 'expire-credentials' ||
    kind === 'revoke-session' ||
    kind === 'drop-jwks' ||
    kind === 'slow-issuer'
  )
}

function modeFor(mode: SignatureMode, { served, incoming }: Arrival): SignatureMode {
  // Unsigned S3 stays anonymous in mode `off` too: otherwise no public access could be tried there.
  return mode === 'off' &&
    served.family === 's3' &&
    incoming.raw.headers['authorization'] === undefined &&
    !incoming.raw.query.has('X-Amz-Signature')
    ? 'parse'
    : mode
}

function headerSafe(text: string): string {
  return text.replace(/[^\x21-\x7e]/g, '_').slice(0, 200)
}
