// HTTP/1.1 out, over kept-alive sockets. A connection that has died while idle is found out by a read, which is sent once more;
// a write is not, because nobody can know whether it arrived.
import type { ClientRequest, IncomingMessage, OutgoingHttpHeaders } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { type DialOptions, HttpFailure, type HttpRequest, type HttpResponse } from '../../seams/http.ts'
import { openSocket } from './connect.ts'
import { abortFailure, connectFailure, sentFailure } from './failures.ts'
import { http } from './node-http.ts'
import type { Origin } from './origin.ts'
import { announcedLength, type Incoming, isSmall, receivePieces, wholeAnswer } from './receive.ts'
import { pump } from './serve.ts'
import type { Wire } from './wire.ts'

/** Every open watch holds a connection of its own here, so the bound is far above what HTTP/2 needs. */
const connectionsMaxDefault = 256
const spareConnectionsMax = 16

export class Http1Wire implements Wire {
  readonly #origin: Origin
  readonly #agent: OriginAgent
  readonly #slots: Slots

  constructor(origin: Origin, options: DialOptions, first?: Socket) {
    this.#origin = origin
    this.#slots = new Slots(options.connectionsMax ?? connectionsMaxDefault)
    this.#agent = new OriginAgent(origin, options, first)
  }

  get alive(): boolean {
    return true
  }

  async send(request: HttpRequest): Promise<HttpResponse> {
    // Each attempt uses up one dead connection, and no more than the spare ones can have died.
    for (let attempt = 0; attempt <= spareConnectionsMax; attempt++) {
      await this.#slots.take(request.signal)
      const answer = await this.#attempt(request)
      if (answer !== 'stale') return answer
    }
    throw new HttpFailure('reset', `the connection to ${this.#origin.authority} breaks before an answer, again and again`)
  }

  close(): Promise<void> {
    this.#agent.destroy()
    return Promise.resolve()
  }

  #attempt(request: HttpRequest): Promise<HttpResponse | 'stale'> {
    return new Promise((resolve, reject) => {
      const outgoing = http.request({
        agent: this.#agent,
        host: this.#origin.host,
        port: this.#origin.port,
        method: request.method,
        path: request.target,
        headers: headersOf(request, this.#origin),
        maxHeaderSize: 65_536,
      })
      holdSlot(outgoing, this.#slots)
      const { signal } = request
      const onAbort = (): void => {
        outgoing.destroy()
        reject(abortFailure(signal))
      }
      const release = (): void => signal?.removeEventListener('abort', onAbort)
      signal?.addEventListener('abort', onAbort, { once: true })
      outgoing.on('response', incoming => {
        const answer = responseOf(request, outgoing, incoming, this.#origin, release)
        if (answer instanceof Promise) answer.then(resolve, reject)
        else resolve(answer)
      })
      outgoing.on('error', (error: unknown) => {
        release()
        if (signal?.aborted === true) reject(abortFailure(signal))
        else if (outgoing.socket === null) reject(connectFailure(error, this.#origin.authority))
        else if (outgoing.reusedSocket && isRepeatable(request)) resolve('stale')
        else reject(sentFailure(error, this.#origin.authority))
      })
      sendBody(outgoing, request, reject)
      if (signal?.aborted === true) onAbort()
    })
  }
}

/** Gives the slot back when the socket is spare again, or gone. */
function holdSlot(outgoing: ClientRequest, slots: Slots): void {
  let socket: Socket | undefined
  const give = (): void => {
    socket?.off('free', give)
    socket?.off('close', give)
    outgoing.off('error', give)
    slots.give()
  }
  outgoing.on('socket', assigned => {
    outgoing.off('error', give)
    socket = assigned
    // After the agent's own listener, so that whoever gets the slot finds the socket among the spare ones.
    socket.on('free', give)
    socket.on('close', give)
  })
  outgoing.on('error', give)
}

function isRepeatable(request: HttpRequest): boolean {
  return (request.method === 'GET' || request.method === 'HEAD') && request.body === null
}

function headersOf(request: HttpRequest, origin: Origin): OutgoingHttpHeaders {
  const headers: OutgoingHttpHeaders = { host: origin.authority }
  for (const name in request.headers) {
    const value = request.headers[name]
    if (value !== undefined) headers[name] = value as string | string[]
  }
  if (request.body instanceof Uint8Array) headers['content-length'] = String(request.body.length)
  return headers
}

function sendBody(outgoing: ClientRequest, { body }: HttpRequest, reject: (error: unknown) => void): void {
  if (body === null) {
    outgoing.end()
  } else if (body instanceof Uint8Array) {
    outgoing.end(body)
  } else {
    pump(body, outgoing).then(
      () => outgoing.end(),
      (error: unknown) => {
        outgoing.destroy()
        reject(error)
      },
    )
  }
}

function responseOf(
  request: HttpRequest,
  outgoing: ClientRequest,
  message: IncomingMessage,
  origin: Origin,
  release: () => void,
): HttpResponse | Promise<HttpResponse> {
  const incoming: Incoming = {
    source: message,
    complete: () => message.complete,
    failure: error => (request.signal?.aborted === true ? abortFailure(request.signal) : sentFailure(error, origin.authority)),
    done: finished => {
      release()
      if (!finished) outgoing.destroy()
    },
  }
  const status = message.statusCode ?? 0
  const { headers } = message
  if (request.method === 'HEAD' || status === 204 || status === 304 || announcedLength(headers) === 0) {
    message.resume()
    release()
    return { status, headers, body: null }
  }
  if (isSmall(headers)) return wholeAnswer(status, headers, incoming)
  return { status, headers, body: receivePieces(incoming) }
}

/** Node's agent does not count the connections that are being made, so it cannot keep the bound itself. */
class Slots {
  #left: number
  readonly #waiting = new Set<() => void>()

  constructor(count: number) {
    this.#left = count
  }

  async take(signal: AbortSignal | undefined): Promise<void> {
    while (this.#left === 0) {
      if (signal?.aborted === true) throw abortFailure(signal)
      await new Promise<void>(resolve => {
        const wake = (): void => {
          signal?.removeEventListener('abort', wake)
          this.#waiting.delete(wake)
          resolve()
        }
        this.#waiting.add(wake)
        signal?.addEventListener('abort', wake)
      })
    }
    this.#left--
  }

  give(): void {
    this.#left++
    for (const wake of this.#waiting) return wake()
  }
}

/** Node's keep-alive bookkeeping over sockets of our making. */
class OriginAgent extends http.Agent {
  readonly #origin: Origin
  readonly #options: DialOptions
  #spare: Socket | undefined

  constructor(origin: Origin, options: DialOptions, spare: Socket | undefined) {
    super({
      keepAlive: true,
      maxSockets: options.connectionsMax ?? connectionsMaxDefault,
      maxFreeSockets: spareConnectionsMax,
      scheduling: 'lifo',
    })
    this.#origin = origin
    this.#options = options
    this.#spare = spare
  }

  override createConnection(_options: unknown, done?: (error: Error | null, socket: Duplex) => void): undefined {
    const spare = this.#spare
    this.#spare = undefined
    const opened =
      spare === undefined || spare.destroyed ? openSocket(this.#origin, this.#options, ['http/1.1']) : Promise.resolve(spare)
    void this.#hand(opened, done ?? (() => {}))
    return undefined
  }

  async #hand(opened: Promise<Socket>, done: (error: Error | null, socket: Duplex) => void): Promise<void> {
    let socket: Socket
    try {
      socket = await opened
    } catch (error) {
      // Node reads the socket only when there is no error.
      done(error as Error, undefined as unknown as Duplex)
      return
    }
    // There is no ping in HTTP/1.1: the kernel's probes are all that finds a dead peer.
    socket.setKeepAlive(true, this.#options.pingIntervalMs ?? 30_000)
    done(null, socket)
  }

  override destroy(): void {
    this.#spare?.destroy()
    super.destroy()
  }
}
