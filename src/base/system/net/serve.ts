// What both protocols of the listener share: how a request value is made, and how a handler's failure is answered.
// This is the hot path of every server here, so little is made per request: a body that is announced as small is handed over whole.
import { HttpFailure, type HttpHeaders, type HttpResponse } from '../../seams/http.ts'
import { type Drains, drained } from './drained.ts'

/** Bodies announced up to this size are read before the handler runs; above it the handler streams, so that its own limit rules. */
export const wholeBodyBytesMax = 262_144

/**
 * Node joins a header and a body that is text into one piece for one write; bytes it hands to the kernel beside each other, which costs
 * a tenth more processor time per request. Latin-1 is one character a byte, so any bytes can go as text; beyond this size the copies cost more than they save.
 */
export const joinedBytesMax = 16_384

/**
 * One request's tie to its client. The signal is there from the start: an accessor that made it when it is asked for would have to be the
 * request's own, because handlers spread requests, and making such an accessor costs ten times what the signal does.
 */
export class Lifeline {
  readonly #controller = new AbortController()

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** The client is gone before its response was complete. */
  lose(): void {
    if (!this.signal.aborted) this.#controller.abort(new HttpFailure('aborted', 'the client went away'))
  }
}

/**
 * Headers as the listener's contract has them: one that came twice has its values in order. Node joins most of them to one text, and
 * over HTTP/2 drops the second of some, by which a signature over them could not be checked any more.
 */
export function withRepeated(headers: HttpHeaders, raw: readonly string[]): HttpHeaders {
  let names = 0
  for (const _ in headers) names++
  if (raw.length === names * 2) return headers
  const repeated = new Map<string, string[]>()
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = (raw[at] as string).toLowerCase()
    if (!once.has(name)) repeated.set(name, [...(repeated.get(name) ?? []), raw[at + 1] as string])
  }
  const found = [...repeated].filter(([, values]) => values.length > 1)
  return { ...headers, ...Object.fromEntries(found) }
}

/** A request has one of these: where it repeats them the first counts, as Node has it; cookies are one text however they come. */
const once: ReadonlySet<string> = new Set([
  'age',
  'authorization',
  'content-length',
  'content-type',
  'cookie',
  'from',
  'host',
  'if-modified-since',
  'if-unmodified-since',
  'max-forwards',
  'proxy-authorization',
  'referer',
  'user-agent',
])

/** What a client sees when the handler broke; details stay in the process. */
export const brokenHandlerResponse: HttpResponse = {
  status: 500,
  headers: { 'content-type': 'text/plain; charset=utf-8' },
  body: new TextEncoder().encode('internal error\n'),
}

/** A handler that rejects with these wants the connection to break: that is how faults are played. */
export function wantsCut(error: unknown): boolean {
  return error instanceof HttpFailure && (error.code === 'reset' || error.code === 'aborted')
}

export function mayHaveBody(status: number): boolean {
  return status !== 204 && status !== 304 && status >= 200
}

/** Writes a streamed body piece by piece as the reader takes them; ends the source when the reader is gone. */
export async function pump(
  body: AsyncIterable<Uint8Array>,
  sink: Sink,
  write: (piece: Uint8Array) => boolean = piece => sink.write(piece),
): Promise<void> {
  for await (const piece of body) {
    if (sink.destroyed) return
    if (piece.length > 0 && !write(piece)) await drained(sink)
    if (sink.destroyed) return
  }
}

interface Sink extends Drains {
  readonly destroyed: boolean
  write(piece: Uint8Array): boolean
}
