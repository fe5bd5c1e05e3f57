// The dialler: one origin, as many connections as it takes. The first one settles the protocol.
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { type DialOptions, type HttpClient, HttpFailure } from '../../seams/http.ts'
import { openSocket } from './connect.ts'
import { Http1Wire } from './dial-http1.ts'
import { Http2Wire } from './dial-http2.ts'
import { abortFailure } from './failures.ts'
import { parseOrigin } from './origin.ts'
import type { Wire } from './wire.ts'

export function dial(options: DialOptions): HttpClient {
  const origin = parseOrigin(options.origin)
  let wire: Wire | undefined
  let opening: Promise<Wire> | undefined
  let closed = false

  const open = async (): Promise<Wire> => {
    if (!origin.secure || options.protocol === 'http/1.1') return new Http1Wire(origin, options)
    const offered = options.protocol === 'h2' ? ['h2'] : ['h2', 'http/1.1']
    const socket = await openSocket(origin, options, offered)
    if (speaksHttp2(socket)) return new Http2Wire(origin, options, socket)
    if (options.protocol !== 'h2') return new Http1Wire(origin, options, socket)
    socket.destroy()
    throw new HttpFailure('unreachable', `${origin.authority} does not speak HTTP/2`)
  }
  const ready = async (): Promise<Wire> => {
    if (wire?.alive === true) return wire
    opening ??= open().finally(() => {
      opening = undefined
    })
    const opened = await opening
    if (closed) {
      await opened.close()
      throw new HttpFailure('aborted', 'the client is closed')
    }
    return (wire = opened)
  }
  return {
    exchange: async request => {
      if (closed) throw new HttpFailure('aborted', 'the client is closed')
      if (request.signal?.aborted === true) throw abortFailure(request.signal)
      const current = wire?.alive === true ? wire : await unlessAborted(ready(), request.signal)
      return current.send(request)
    },
    close: async () => {
      closed = true
      await wire?.close()
    },
  }
}

function speaksHttp2(socket: Socket): boolean {
  return (socket as TLSSocket).alpnProtocol === 'h2'
}

/** The connection goes on being made for others; only this caller stops waiting. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(abortFailure(signal))
    signal.addEventListener('abort', onAbort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}
