// One try: sign, send, read. No decision about what comes after.
import { type Clock, type HttpBody, type HttpExchange, HttpFailure, type HttpHeaders, type HttpResponse } from '#base'
import type { WireRequest, WireResponse } from '../wire/protocols.ts'
import { bytesOf } from './checksums.ts'

export interface TryOptions {
  readonly exchange: HttpExchange
  readonly clock: Pick<Clock, 'timer'>
  readonly timeoutMs: number
  /** A larger answer is refused: it would be held in memory whole. */
  readonly responseBytesMax: number
  readonly signal?: AbortSignal | undefined
}

/** Sends the request and reads the whole answer within the time. Rejects with `HttpFailure`. */
export async function tryCall(request: WireRequest, options: TryOptions): Promise<WireResponse> {
  const { clock, timeoutMs, signal } = options
  if (signal?.aborted) throw aborted(signal)
  const stop = new AbortController()
  let release = (): void => {}
  // The race is ours and not left to the exchange: a deadline must hold even when the other side ignores the signal.
  const ended = new Promise<never>((_, reject) => {
    const onAbort = (): void => reject(aborted(signal))
    signal?.addEventListener('abort', onAbort, { once: true })
    const timer = clock.timer(timeoutMs, () => reject(new HttpFailure('timeout', `no answer within ${timeoutMs} ms`)))
    release = () => {
      timer.cancel()
      signal?.removeEventListener('abort', onAbort)
    }
  })
  try {
    return await Promise.race([exchangeWhole(request, options, stop.signal), ended])
  } catch (error) {
    // Whatever is still under way; after a whole answer nothing is.
    stop.abort(error)
    throw error
  } finally {
    release()
  }
}

function aborted(signal: AbortSignal | undefined): HttpFailure {
  const reason: unknown = signal?.reason
  return reason instanceof HttpFailure ? reason : new HttpFailure('aborted', 'the call was stopped', { cause: reason })
}

async function exchangeWhole(
  request: WireRequest,
  { exchange, responseBytesMax }: TryOptions,
  signal: AbortSignal,
): Promise<WireResponse> {
  const body = bytesOf(request.body)
  const response = await exchange({
    method: request.method,
    target: targetOf(request),
    headers: request.headers,
    body: body.length === 0 ? null : body,
    signal,
  })
  return {
    statusCode: response.status,
    headers: plainHeaders(response.headers),
    body: await readWhole(response, responseBytesMax),
  }
}

/** Path and query as they are signed: keys sorted, everything but unreserved characters escaped. */
export function targetOf({ path, query }: WireRequest): string {
  const pairs = Object.keys(query)
    .sort()
    .flatMap(key => {
      const value = query[key]
      if (value === undefined) return []
      if (value === null) return [escapeQuery(key)]
      return [value].flat().map(each => `${escapeQuery(key)}=${escapeQuery(each)}`)
    })
  return pairs.length === 0 ? path : `${path}?${pairs.join('&')}`
}

function escapeQuery(text: string): string {
  return encodeURIComponent(text).replaceAll(/[!'()*]/g, character => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
}

function plainHeaders(headers: HttpHeaders): Record<string, string> {
  const plain: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) plain[name.toLowerCase()] = typeof value === 'string' ? value : value.join(', ')
  }
  return plain
}

async function readWhole({ body }: HttpResponse, bytesMax: number): Promise<Uint8Array> {
  if (body === null) return new Uint8Array()
  if (body instanceof Uint8Array) return checkedSize(body, bytesMax)
  return collect(body, bytesMax)
}

async function collect(body: Exclude<HttpBody, Uint8Array | null>, bytesMax: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  let length = 0
  for await (const part of body) {
    length += part.length
    if (length > bytesMax) throw tooLarge(bytesMax)
    parts.push(part)
  }
  return parts.length === 1 ? (parts[0] as Uint8Array) : Buffer.concat(parts, length)
}

function checkedSize(body: Uint8Array, bytesMax: number): Uint8Array {
  if (body.length > bytesMax) throw tooLarge(bytesMax)
  return body
}

function tooLarge(bytesMax: number): HttpFailure {
  return new HttpFailure('too-large', `the answer is larger than ${bytesMax} bytes`)
}
