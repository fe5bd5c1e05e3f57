// HTTP/1.1 in: Node's parsed messages to `HttpRequest`, `HttpResponse` back, one write for a whole response.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { HttpBody, HttpHandler, HttpPeer, HttpRequest, HttpResponse } from '../../seams/http.ts'
import type { HeldBodies } from './held-bodies.ts'
import { type BodyPatience, readPieces, readWhole } from './read-body.ts'
import {
  brokenHandlerResponse,
  joinedBytesMax,
  Lifeline,
  mayHaveBody,
  pump,
  wantsCut,
  wholeBodyBytesMax,
  withRepeated,
} from './serve.ts'

export interface Http1Options {
  readonly handler: HttpHandler
  readonly peerOf: (socket: Socket) => HttpPeer
  readonly patience: BodyPatience
  /** Absent where nothing bounds what requests hold together. */
  readonly bodies: HeldBodies | undefined
  /** True while the listener closes: then each answer ends its connection. */
  readonly isClosing: () => boolean
}

/** The listener's `request` event. */
export function http1Handler(options: Http1Options): (request: IncomingMessage, response: ServerResponse) => void {
  return (request, response) => {
    const announced = request.headers['content-length']
    if (announced === undefined && request.headers['transfer-encoding'] === undefined) {
      void serve(options, request, response, null)
      return
    }
    const cut = (): void => void request.socket.destroy()
    const held = options.bodies?.open(options.peerOf(request.socket).address, cut)
    const served =
      announced !== undefined && Number(announced) <= wholeBodyBytesMax
        ? readWhole(request, Number(announced), options.patience, held).then(body => serve(options, request, response, body), cut)
        : serve(options, request, response, readPieces(request, options.patience, held))
    if (held !== undefined) void served.finally(() => held.release())
  }
}

async function serve(options: Http1Options, request: IncomingMessage, response: ServerResponse, body: HttpBody): Promise<void> {
  const lifeline = new Lifeline()
  response.on('close', () => {
    if (!response.writableFinished) lifeline.lose()
  })
  const value: HttpRequest = {
    method: request.method ?? 'GET',
    target: request.url ?? '/',
    headers: withRepeated(request.headers, request.rawHeaders),
    body,
    peer: options.peerOf(request.socket),
    signal: lifeline.signal,
  }
  try {
    await respond(request, response, await options.handler(value), options.isClosing())
  } catch (error) {
    if (wantsCut(error) || response.headersSent) request.socket.destroy()
    else await respond(request, response, brokenHandlerResponse, options.isClosing())
  }
}

async function respond(request: IncomingMessage, response: ServerResponse, answer: HttpResponse, isLast: boolean): Promise<void> {
  const { body } = answer
  const headers = flatHeaders(answer)
  // An unread body would be mistaken for the next request, and reading it to its end is what a limit was meant to spare us.
  if (!request.complete || isLast) headers.push('connection', 'close')
  if (body === null || body instanceof Uint8Array) {
    if (mayHaveBody(answer.status) && answer.headers['content-length'] === undefined) {
      headers.push('content-length', String(body?.length ?? 0))
    }
    response.writeHead(answer.status, headers)
    if (body === null || request.method === 'HEAD') response.end()
    else if (body.length > joinedBytesMax) response.end(body)
    else response.end(Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('latin1'), 'latin1')
    return
  }
  response.writeHead(answer.status, headers)
  // A watcher waits for the header before there is anything to say.
  response.flushHeaders()
  await pump(body, response)
  response.end()
}

function flatHeaders(answer: HttpResponse): string[] {
  const flat: string[] = []
  for (const name in answer.headers) {
    const value = answer.headers[name]
    if (typeof value === 'string') flat.push(name, value)
    else if (value !== undefined) for (const one of value) flat.push(name, one)
  }
  return flat
}
