// HTTP/2 in, on Node's stream interface: its request/response imitation costs a third of the throughput.
import { constants, type IncomingHttpHeaders, type ServerHttp2Stream } from 'node:http2'
import type { HttpBody, HttpHandler, HttpHeaders, HttpPeer, HttpRequest, HttpResponse } from '../../seams/http.ts'
import type { Held, HeldBodies } from './held-bodies.ts'
import { appendHeaders, colon, forNode, withoutPseudo } from './node-http2.ts'
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
    const headers = plainHeaders(received, raw)
    // Without a listener a reset of one stream would be an uncaught error; `close` tells all we need.
    stream.on('error', () => {})
    const asked: Asked = { options, stream, received, headers }
    if ((flags & constants.NGHTTP2_FLAG_END_STREAM) !== 0) void serve(asked, null)
    // Node tells of a header before it reads on. What came with it is there when everything that had come was read.
    else setImmediate(takeBody, asked)
  }
}

interface Asked {
  readonly options: Http2Options
  readonly stream: ServerHttp2Stream
  readonly received: IncomingHttpHeaders
  readonly headers: HttpHeaders
}

function takeBody(asked: Asked): void {
  const { options, stream, received } = asked
  if (stream.destroyed) return
  const cut = (): void => stream.close(constants.NGHTTP2_CANCEL)
  const held = options.bodies?.open(options.peer.address, cut)
  const length = received['content-length']
  const announced = length === undefined ? undefined : Number(length)
  const served = serveBody(asked, announced, held, cut)
  if (held !== undefined) void served.finally(() => held.release())
}

function serveBody(asked: Asked, announced: number | undefined, held: Held | undefined, cut: () => void): Promise<void> {
  const { options, stream } = asked
  const body = bodyAtOnce(stream, announced)
  if (body !== undefined) {
    held?.add(body.length)
    held?.whole()
    return serve(asked, body)
  }
  if (announced === undefined || announced > wholeBodyBytesMax) return serve(asked, readPieces(stream, options.patience, held))
  return readWhole(stream, announced, options.patience, held).then(whole => serve(asked, whole), cut)
}

/**
 * The body when all of it is there and the client has ended it: one that leaves the end open is waited for within its time, or it would hold the
 * stream for ever. The end is left unread: Node destroys a stream whose end was read before it tells that the answer is written, and makes an
 * error for that, with a stack, which nobody sees and which costs more than reading the body.
 */
function bodyAtOnce(stream: ServerHttp2Stream, announced: number | undefined): Uint8Array | undefined {
  const length = stream.readableLength
  if (length === 0 || length > wholeBodyBytesMax) return undefined
  const isWhole = (announced ?? length) === length && stream.state.state === halfClosedByClient
  return isWhole ? (stream.read(length) as Buffer) : undefined
}

const halfClosedByClient = constants.NGHTTP2_STREAM_STATE_HALF_CLOSED_REMOTE

async function serve({ options, stream, received, headers }: Asked, body: HttpBody): Promise<void> {
  const lifeline = new Lifeline()
  stream.on('close', () => {
    // Node closes a stream before it says that the last of it was written: who ended it and saw no reset has answered. An error for each
    // request would cost more than reading it.
    if (!stream.writableEnded || stream.rstCode !== constants.NGHTTP2_NO_ERROR) lifeline.lose()
  })
  const value: HttpRequest = {
    method: String(received[':method']),
    target: received[':path'] ?? '/',
    headers,
    body,
    peer: options.peer,
    signal: lifeline.signal,
  }
  const isRead = body === null || body instanceof Uint8Array
  try {
    await respond(stream, value.method, await options.handler(value), isRead)
  } catch (error) {
    if (wantsCut(error) || stream.headersSent) stream.close(constants.NGHTTP2_INTERNAL_ERROR)
    else await respond(stream, value.method, brokenHandlerResponse, isRead)
  }
}

async function respond(stream: ServerHttp2Stream, method: string, answer: HttpResponse, isRead: boolean): Promise<void> {
  if (stream.destroyed) return
  const { body } = answer
  const headers = framedHeaders(answer)
  if (body === null || body instanceof Uint8Array) {
    if (mayHaveBody(answer.status) && answer.headers['content-length'] === undefined)
      headers.push('content-length', String(body?.length ?? 0))
    const bare = body === null || body.length === 0 || method === 'HEAD' || !mayHaveBody(answer.status)
    stream.respond(forNode(headers), { endStream: bare })
    if (!bare) stream.end(body)
    if (!isRead) stopUnread(stream)
    return
  }
  stream.respond(forNode(headers))
  await pump(body, stream)
  stream.end()
  if (!isRead) stopUnread(stream)
}

/** The answer is complete while the client still sends: it is told to stop, instead of being read to its end. */
function stopUnread(stream: ServerHttp2Stream): void {
  if (!stream.readableEnded && stream.readableFlowing === null) {
    stream.once('finish', () => stream.close(constants.NGHTTP2_NO_ERROR))
  }
}

/** Most requests say each header once: then they are taken as they came, without Node's object, which is made to be slow to read. */
function plainHeaders(received: IncomingHttpHeaders, raw: readonly string[]): HttpHeaders {
  const plain: Record<string, string | readonly string[] | undefined> = {}
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = raw[at] ?? ''
    if (name.charCodeAt(0) === colon) continue
    if (name in plain || name === 'set-cookie') return withHost(withoutPseudo(withRepeated(received, raw)), received)
    plain[name] = raw[at + 1]
  }
  return withHost(plain, received)
}

function withHost(plain: Record<string, HttpHeaders[string]>, { ':authority': authority }: IncomingHttpHeaders): HttpHeaders {
  if (authority !== undefined) plain['host'] = authority
  return plain
}

/** Connection-level headers have no meaning in HTTP/2 and are refused by it. */
const unframed = new Set(['connection', 'keep-alive', 'transfer-encoding', 'upgrade', 'proxy-connection'])

/** Names and values in turn. */
function framedHeaders(answer: HttpResponse): string[] {
  return appendHeaders([':status', String(answer.status)], answer.headers, unframed)
}
