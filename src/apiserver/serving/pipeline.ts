// The life of a request: who asks, for what, may they, and then the verb. Refusals thrown on the way become Status responses here.

import { andThen, type HttpExchange, HttpFailure, type HttpRequest, type HttpResponse, type Log, type Maybe } from '#base'
import { StatusError } from '#kube'
import type { FaultPorts } from '../faults/carry-out.ts'
import { withFaults } from '../faults/carry-out.ts'
import type { FaultPlan } from '../faults/fault-plan.ts'
import { readBody } from '../http/body.ts'
import { type ApiCall, header } from '../http/call.ts'
import { Query } from '../http/query.ts'
import { classify } from '../http/request-info.ts'
import type { DataFolder } from '../journal/journal.ts'
import { badRequest, internalError, notFound, PlainRefusal, refusal } from '../refusals.ts'
import { durationTrouble } from '../text/durations.ts'
import type { UserInfo } from '../users.ts'
import type { VerbPorts } from './dispatch.ts'
import { acceptFor, dispatch, resolve } from './dispatch.ts'
import { type ListForm, type ResponseFrame, respond, respondStatus } from './respond.ts'
import { transformReply } from './transform.ts'

export interface RequestGate {
  /** Who asks; throws Unauthorized for credentials that are not accepted. */
  authenticate(request: HttpRequest): Maybe<UserInfo>
  /** The user to act as, when the request asks for that; throws Forbidden. */
  impersonate(request: HttpRequest, user: UserInfo): UserInfo
  /** Throws Forbidden. */
  authorize(call: ApiCall): void
  /** Everything that is no resource: discovery, health, version. Undefined is the plain 404. */
  path(call: ApiCall): Maybe<HttpResponse | undefined>
  /** Told of every answer, and how long it took. */
  answered(call: ApiCall, code: number, ms: number): void
}

export interface PipelinePorts extends VerbPorts, FaultPorts {
  readonly log: Log
  readonly faults: FaultPlan
  /** Where the state is kept, when it is. */
  readonly data: DataFolder | undefined
}

export function makeHandler(ports: PipelinePorts, gate: RequestGate, fixedUser: UserInfo | undefined): HttpExchange {
  return request => {
    try {
      return Promise.resolve(handle(ports, gate, fixedUser, request))
    } catch (error) {
      return Promise.reject(error as Error)
    }
  }
}

function handle(
  ports: PipelinePorts,
  gate: RequestGate,
  fixedUser: UserInfo | undefined,
  request: HttpRequest,
): Maybe<HttpResponse> {
  const call = readCall(request)
  const started = ports.clock.monotonicMs()
  const frame: ResponseFrame = {
    auditId: header(request, 'audit-id') ?? ports.random.uuid(),
    now: httpDate(ports.clock.now()),
  }
  const answered = guard(ports, call, frame, () =>
    andThen(fixedUser ?? gate.authenticate(request), user =>
      andThen(readBody(request.body), body => {
        const known: ApiCall = { ...call, user: gate.impersonate(request, user), body }
        return guard(ports, known, frame, () =>
          withFaults(ports, ports.faults, known, struck => answer(ports, gate, struck, frame)),
        )
      }),
    ),
  )
  return andThen(answered, response => {
    gate.answered(call, response.status, ports.clock.monotonicMs() - started)
    return response
  })
}

function answer(ports: PipelinePorts, gate: RequestGate, call: ApiCall, frame: ResponseFrame): Maybe<HttpResponse> {
  checkTimeout(call)
  gate.authorize(call)
  if (call.info.kind === 'path') return andThen(gate.path(call), response => framed(response ?? plainNotFound, frame))
  const resource = resolve(ports, call)
  if (resource === undefined) throwUnknown(ports, call)
  if (resource === undefined) return framed(plainNotFound, frame)
  const accepted = acceptFor(resource)
  const list: ListForm = {
    kind: resource.kind.resource.listKind,
    apiVersion: resource.kind.apiVersion,
    bareItems: resource.kind.resource.custom === undefined,
  }
  return andThen(dispatch(ports, resource, accepted), plain => {
    const reply = transformReply(resource, resource.kind, plain, accepted, ports.clock.now())
    const kept = ports.data?.flushed()
    const response = (): HttpResponse => respond(resource, reply, accepted, list, frame)
    return kept === undefined ? response() : kept.then(response)
  })
}

/** A deadline that no one can read is refused; one that can is kept by whoever waits, which here is never long. */
function checkTimeout({ query, info }: ApiCall): void {
  const timeout = query.get('timeout')
  if (timeout === undefined || timeout === '' || (info.kind === 'resource' && info.verb === 'watch')) return
  const trouble = durationTrouble(timeout)
  if (trouble !== undefined) throw badRequest(`invalid timeout specified in the request URL - ${trouble}`)
}

/** Inside a built-in group-version an unknown resource has a Status, as has an unknown subresource of a custom one. */
function throwUnknown(ports: PipelinePorts, { info }: ApiCall): void {
  if (info.kind !== 'resource') return
  const kind = ports.registry.find(info.group, info.version, info.resource)
  if (kind?.resource.custom !== undefined) throw notFound(kind.resource, info.name)
  if (ports.registry.isBuiltinVersion(info.group, info.version)) {
    throw refusal(404, 'NotFound', 'the server could not find the requested resource', {})
  }
}

/** Whatever goes wrong in `run`, at once or later, leaves as a response; only a deliberate reset does not. */
function guard(ports: PipelinePorts, call: ApiCall, frame: ResponseFrame, run: () => Maybe<HttpResponse>): Maybe<HttpResponse> {
  const refuse = (error: unknown): HttpResponse => {
    if (error instanceof HttpFailure) throw error
    if (error instanceof StatusError) return respondStatus(call, error.status, frame)
    if (error instanceof PlainRefusal)
      return framed({ status: error.status, headers: plainNotFound.headers, body: Buffer.from(error.message) }, frame)
    // Values nested past the stack are the sender's doing, wherever they were found out.
    if (error instanceof RangeError && error.message.includes('call stack'))
      return respondStatus(call, badRequest('exceeded max depth').status, frame)
    ports.log.error('a request failed inside the API server', { path: call.info.path, error })
    return respondStatus(call, internalError(error instanceof Error ? error.message : String(error)).status, frame)
  }
  try {
    const response = run()
    return response instanceof Promise ? response.catch(refuse) : response
  } catch (error) {
    return refuse(error)
  }
}

/** The text changes once a second, requests come by the thousand. */
let lastDate = { second: Number.NaN, text: '' }

function httpDate(ms: number): string {
  const second = Math.floor(ms / 1_000)
  if (second !== lastDate.second) lastDate = { second, text: new Date(ms).toUTCString() }
  return lastDate.text
}

const nobody: UserInfo = { username: '', groups: [] }
const noBody = new Uint8Array(0)

function readCall(request: HttpRequest): ApiCall {
  const question = request.target.indexOf('?')
  const path = question < 0 ? request.target : request.target.slice(0, question)
  const query = new Query(question < 0 ? '' : request.target.slice(question + 1))
  return {
    request,
    info: classify(request.method, path, query),
    query,
    user: nobody,
    userAgent: header(request, 'user-agent') ?? '',
    warnings: [],
    body: noBody,
  }
}

const plainNotFound: HttpResponse = {
  status: 404,
  headers: { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' },
  body: Buffer.from('404 page not found\n'),
}

function framed(response: HttpResponse, frame: ResponseFrame): HttpResponse {
  const headers = { 'cache-control': 'no-cache, private', ...response.headers, 'audit-id': frame.auditId, date: frame.now }
  return { ...response, headers }
}
