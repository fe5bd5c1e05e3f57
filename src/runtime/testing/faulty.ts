// Gets between a client and its server and breaks calls: before they are sent, after they took hold, or for ever.
import { given, type HttpExchange, HttpFailure, type HttpRequest, type HttpResponse } from '#base'

export interface SentCall {
  readonly method: string
  readonly target: string
  readonly isWatch: boolean
  readonly isWrite: boolean
  /** Of all writes, from 1. */
  readonly writeNumber: number
}

export type Verdict =
  | 'pass'
  /** Never sent. */
  | 'unreachable'
  /** Took hold; the answer is lost. */
  | 'reset-after'
  /** Never answers, until the caller gives up. */
  | 'hang'
  | {
      readonly status: number
      readonly reason: string
      readonly retryAfterSeconds?: number
      readonly causes?: readonly object[]
      readonly message?: string
    }

export class Faulty {
  readonly calls: SentCall[] = []
  judge: (call: SentCall) => Verdict = () => 'pass'
  /** Runs after each request that reached the server. */
  after: (call: SentCall) => Promise<void> = () => Promise.resolve()
  /** Changes a request on its way. */
  alter: (body: Record<string, unknown>, call: SentCall) => unknown = body => body
  #writes = 0

  get writes(): readonly SentCall[] {
    return this.calls.filter(call => call.isWrite)
  }

  get reads(): readonly SentCall[] {
    return this.calls.filter(call => !call.isWrite && !call.isWatch)
  }

  readonly through = (exchange: HttpExchange): HttpExchange => {
    return async request => {
      const isWrite = request.method !== 'GET'
      if (isWrite) this.#writes++
      const isWatch = request.target.includes('watch=')
      const call = { method: request.method, target: request.target, isWatch, isWrite, writeNumber: isWrite ? this.#writes : 0 }
      this.calls.push(call)
      const verdict = this.judge(call)
      if (verdict === 'unreachable') throw new HttpFailure('unreachable', 'connect refused')
      if (verdict === 'hang') return hang(request)
      if (typeof verdict === 'object') return refusal(verdict)
      const response = await exchange(isWrite ? this.#altered(request, call) : request)
      await this.after(call)
      if (verdict === 'reset-after') throw new HttpFailure('reset', 'the answer is lost')
      return response
    }
  }

  #altered(request: HttpRequest, call: SentCall): HttpRequest {
    if (!(request.body instanceof Uint8Array)) return request
    const body: unknown = JSON.parse(Buffer.from(request.body).toString())
    if (typeof body !== 'object' || body === null || Array.isArray(body)) return request
    return { ...request, body: Buffer.from(JSON.stringify(this.alter(body as Record<string, unknown>, call))) }
  }
}

function hang(request: HttpRequest): Promise<HttpResponse> {
  return new Promise((_resolve, reject) => {
    const give = (): void => reject(new HttpFailure('aborted', 'given up'))
    if (request.signal?.aborted === true) give()
    request.signal?.addEventListener('abort', give, { once: true })
  })
}

function refusal(verdict: Exclude<Verdict, string>): HttpResponse {
  const { status, reason, retryAfterSeconds, causes } = verdict
  const details = given({ retryAfterSeconds, causes })
  const body = {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    reason,
    code: status,
    message: verdict.message ?? reason,
    details,
  }
  const headers = retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }
  return { status, headers: { 'content-type': 'application/json', ...headers }, body: Buffer.from(JSON.stringify(body)) }
}
