// HTTP/1.1 over TLS by node:https alone, as an `HttpExchange`: the suites that judge our client and our server must not stand on them.
import { Agent, request as httpsRequest } from 'node:https'
import { given, type HttpExchange, HttpFailure, type HttpHeaders, type HttpResponse } from '#base'

export interface PlainExchange {
  readonly exchange: HttpExchange
  close(): void
}

/** Requests to one origin with fixed headers added, over kept-alive connections. */
export function plainExchange(options: {
  origin: string
  ca: string
  cert?: string
  key?: string
  headers?: HttpHeaders
}): PlainExchange {
  const agent = new Agent({
    keepAlive: true,
    ca: options.ca,
    ...given({ cert: options.cert, key: options.key }),
  })
  const exchange: HttpExchange = async request => {
    const body = await bytesOf(request.body)
    const headers = plainHeaders({ ...options.headers, ...request.headers })
    if (body !== null) headers['content-length'] = String(body.byteLength)
    return new Promise<HttpResponse>((resolve, reject) => {
      const outgoing = httpsRequest(
        options.origin + request.target,
        { method: request.method, headers, agent, ...given({ signal: request.signal }) },
        incoming => {
          // Without a listener a reset in mid-body would be an uncaught exception of the whole run.
          incoming.on('error', () => {})
          resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, body: incoming })
        },
      )
      outgoing.on('error', error =>
        reject(new HttpFailure('reset', `${request.method} ${request.target}: ${error.message}`, { cause: error })),
      )
      outgoing.end(body ?? undefined)
    })
  }
  return { exchange, close: () => agent.destroy() }
}

async function bytesOf(body: Uint8Array | AsyncIterable<Uint8Array> | null): Promise<Uint8Array | null> {
  if (body === null || body instanceof Uint8Array) return body
  const chunks: Uint8Array[] = []
  for await (const chunk of body) chunks.push(chunk)
  return Buffer.concat(chunks)
}

function plainHeaders(headers: HttpHeaders): Record<string, string | string[]> {
  const plain: Record<string, string | string[]> = {}
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) plain[name] = typeof value === 'string' ? value : [...value]
  }
  return plain
}
