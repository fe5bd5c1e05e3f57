// HTTP/2 in, on Node's stream interface: its request/response imitation costs a third of the throughput.
import { constants, type IncomingHttpHeaders, type OutgoingHttpHeaders, type ServerHttp2Stream } from 'node:http2'
import type { HttpBody, HttpHandler, HttpPeer, HttpRequest, HttpResponse } from '../../seams/http.ts'
import { drained } from './drained.ts'
import type { HeldBodies } from './held-bodies.ts'
import { type BodyPatience, readPieces, readWhole } from './read-body.ts'
import { brokenHandlerResponse, Lifeline, mayHaveBody, pump, wantsCut, wholeBodyBytesMax, withRepeated } from './serve.ts'

export interface Http2Options {
  readonly handler: HttpHandler
  readonly peer: HttpPeer
  readonly patience: BodyPatience
  /** Absent where nothing bounds what requests hold together. */
  readonly bodies: HeldBodies | undefined
}

/** A session's `stream` event. */
export function http2Handler(
  options: Http2Options,
): (stream: ServerHttp2Stream, headers: IncomingHttpHeaders, flags: number, raw: readonly string[]) => void {
  return (stream, received, flags, raw) => {
    const headers = withRepeated(received, raw) as IncomingHttpHeaders
    // Without a listener a reset of one stream would be an uncaught error; `close` tells all we need.
    stream.on('error', () => {})
    const announced = headers['content-length']
    if ((flags & constants.NGHTTP2_FLAG_END_STREAM) !== 0) {
      void serve(options, stream, headers, null)
      return
    }
    const cut = (): void => stream.close(constants.NGHTTP2_CANCEL)
    const held = options.bodies?.open(options.peer.address, cut)
    const served =
      announced !== undefined && Number(announced) <= wholeBodyBytesMax
        ? readWhole(stream, Number(announced), options.patience, held).then(body => serve(options, stream, headers, body), cut)
        : serve(options, stream, headers, readPieces(stream, options.patience, held))
    if (held !== undefined) void served.finally(() => held.release())
  }
}

async function serve(
  options: Http2Options,
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
  body: HttpBody,
): Promise<void> {
  const lifeline = new Lifeline()
  stream.on('close', () => {
    // Node closes a stream before it says that the last of it was written: who ended it and saw no reset has answered. An error for each
    // request would cost more than reading it.
    if (!stream.writableEnded || stream.rstCode !== constants.NGHTTP2_NO_ERROR) lifeline.lose()
  })
  const value: HttpRequest = {
    method: String(headers[':method']),
    target: headers[':path'] ?? '/',
    headers: plainHeaders(headers),
    body,
    peer: options.peer,
    signal: lifeline.signal,
  }
  try {
    await respond(stream, value.method, await options.handler(value))
  } catch (error) {
    if (wantsCut(error) || stream.headersSent) stream.close(constants.NGHTTP2_INTERNAL_ERROR)
    else await respond(stream, value.method, brokenHandlerResponse)
  }
}

async function respond(stream: ServerHttp2Stream, method: string, answer: HttpResponse): Promise<void> {
  if (stream.destroyed) return
  const { body } = answer
  const headers = framedHeaders(answer)
  if (body === null || body instanceof Uint8Array) {
    if (mayHaveBody(answer.status)) headers['content-length'] ??= String(body?.length ?? 0)
    const bare = body === null || body.length === 0 || method === 'HEAD' || !mayHaveBody(answer.status)
    stream.respond(headers, { endStream: bare })
    if (!bare) stream.end(body)
    stopUnread(stream)
    return
  }
  stream.respond(headers)
  await pump(body, {
    write: piece => stream.write(piece),
    closed: () => stream.destroyed,
    writable: () => drained(stream),
  })
  stream.end()
  stopUnread(stream)
}

/** The answer is complete while the client still sends: it is told to stop, instead of being read to its end. */
function stopUnread(stream: ServerHttp2Stream): void {
  if (!stream.readableEnded && stream.readableFlowing === null && !stream.endAfterHeaders) {
    stream.once('finish', () => stream.close(constants.NGHTTP2_NO_ERROR))
  }
}

function plainHeaders(headers: IncomingHttpHeaders): Record<string, string | readonly string[] | undefined> {
  const plain: Record<string, string | readonly string[] | undefined> = {}
  for (const name in headers) if (name.charCodeAt(0) !== 58) plain[name] = headers[name]
  const authority = headers[':authority']
  if (authority !== undefined) plain.host = authority
  return plain
}

/** Connection-level headers have no meaning in HTTP/2 and are refused by it. */
const unframed = new Set(['connection', 'keep-alive', 'transfer-encoding', 'upgrade', 'proxy-connection'])

function framedHeaders(answer: HttpResponse): OutgoingHttpHeaders {
  const framed: OutgoingHttpHeaders = { ':status': answer.status }
  for (const name in answer.headers) {
    const value = answer.headers[name]
    if (value !== undefined && !unframed.has(name)) framed[name] = value as string | string[]
  }
  return framed
}
