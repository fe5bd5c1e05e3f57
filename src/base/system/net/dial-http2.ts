// HTTP/2 out: few connections, many streams. A connection that is silent while streams are open is pinged and, without an echo,
// given up: half-open connections would otherwise leave a watch waiting for ever.
import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  constants,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
} from 'node:http2'
import type { Socket } from 'node:net'
import { type DialOptions, HttpFailure, type HttpHeaders, type HttpRequest, type HttpResponse } from '../../seams/http.ts'
import { openSocket } from './connect.ts'
import { abortFailure, sentFailure } from './failures.ts'
import type { Origin } from './origin.ts'
import { type Incoming, isSmall, receivePieces, wholeAnswer } from './receive.ts'
import { pump } from './serve.ts'
import { sessionMemoryMbMax } from './session-memory.ts'
import type { Wire } from './wire.ts'

/** Four connections at 100 or more streams each are enough for any client of ours; the bound is against a server that grants 1. */
const connectionsMaxDefault = 4
const pingIntervalMsDefault = 30_000
/** Enough for a long list at full speed over a slow path. */
const streamWindowBytes = 4_194_304
const connectionWindowBytes = 16_777_216

export class Http2Wire implements Wire {
  readonly #origin: Origin
  readonly #options: DialOptions
  readonly #connections: Connection[] = []
  /** They end with the last of their streams, and take no more. */
  readonly #leaving = new Set<Connection>()
  readonly #waiting: (() => void)[] = []
  #opening: Promise<void> | undefined
  #closed = false

  constructor(origin: Origin, options: DialOptions, first: Socket) {
    this.#origin = origin
    this.#options = options
    this.#add(first)
  }

  get alive(): boolean {
    return this.#connections.length > 0 || this.#leaving.size > 0 || this.#opening !== undefined
  }

  async send(request: HttpRequest): Promise<HttpResponse> {
    for (let attempt = 1; ; ) {
      // Looked up and used without a pause between, or many callers would take the same last place.
      const connection = this.#connections.find(candidate => candidate.free)
      if (connection === undefined) {
        await this.#room(request.signal)
        continue
      }
      const answer = await connection.send(request)
      if (answer !== 'refused') return answer
      const repeatable = request.body === null || request.body instanceof Uint8Array
      if (!repeatable || attempt++ === 3) {
        throw new HttpFailure('unreachable', `${this.#origin.authority} refuses new streams: nothing was sent`)
      }
    }
  }

  close(): Promise<void> {
    this.#closed = true
    for (const connection of [...this.#connections, ...this.#leaving]) connection.destroy()
    this.#wakeAll()
    return Promise.resolve()
  }

  /** Waits until there may be a place: on one more connection, or after some stream has ended. */
  async #room(signal: AbortSignal | undefined): Promise<void> {
    if (this.#closed) throw new HttpFailure('aborted', 'the client is closed')
    if (signal?.aborted === true) throw abortFailure(signal)
    if (this.#connections.length >= (this.#options.connectionsMax ?? connectionsMaxDefault)) return this.#release(signal)
    this.#opening ??= this.#open().finally(() => {
      this.#opening = undefined
    })
    await this.#opening
  }

  async #release(signal: AbortSignal | undefined): Promise<void> {
    let onAbort = (): void => {}
    await new Promise<void>(resolve => {
      onAbort = resolve
      this.#waiting.push(resolve)
      signal?.addEventListener('abort', onAbort, { once: true })
    })
    signal?.removeEventListener('abort', onAbort)
  }

  async #open(): Promise<void> {
    const socket = await openSocket(this.#origin, this.#options, ['h2'])
    if (this.#closed) socket.destroy()
    else this.#add(socket)
  }

  #add(socket: Socket): void {
    const connection = new Connection(this.#origin, socket, this.#options.pingIntervalMs ?? pingIntervalMsDefault, {
      onStreamEnd: () => this.#waiting.shift()?.(),
      onSettings: () => this.#wakeAll(),
      onLeave: () => {
        this.#takeOut(connection)
        this.#leaving.add(connection)
        this.#wakeAll()
      },
      onClose: () => {
        this.#takeOut(connection)
        this.#leaving.delete(connection)
        this.#wakeAll()
      },
    })
    this.#connections.push(connection)
  }

  #takeOut(connection: Connection): void {
    const at = this.#connections.indexOf(connection)
    if (at >= 0) this.#connections.splice(at, 1)
  }

  #wakeAll(): void {
    for (const wake of this.#waiting.splice(0)) wake()
  }
}

class Connection {
  readonly #origin: Origin
  readonly #session: ClientHttp2Session
  readonly #pingIntervalMs: number
  readonly #onStreamEnd: () => void
  readonly #onLeave: () => void
  #open = 0
  /** Until the server has said what it takes: the least that the protocol recommends. */
  #streamsMax = 100
  #reused = false
  #heardMs = performance.now()
  #watch: NodeJS.Timeout | undefined
  #silent = false

  constructor(
    origin: Origin,
    socket: Socket,
    pingIntervalMs: number,
    events: {
      readonly onStreamEnd: () => void
      readonly onSettings: () => void
      readonly onLeave: () => void
      readonly onClose: () => void
    },
  ) {
    this.#origin = origin
    this.#pingIntervalMs = pingIntervalMs
    this.#onStreamEnd = events.onStreamEnd
    this.#onLeave = events.onLeave
    this.#session = connect(`https://${origin.authority}`, {
      createConnection: () => socket,
      settings: { enablePush: false, initialWindowSize: streamWindowBytes },
      maxHeaderListPairs: 256,
      maxSessionMemory: sessionMemoryMbMax,
    })
    this.#session.on('error', () => this.#session.destroy())
    // A session that was closed while it connected tells of both.
    this.#session.once('connect', () => {
      if (!this.#session.destroyed) this.#session.setLocalWindowSize(connectionWindowBytes)
    })
    this.#session.on('remoteSettings', settings => {
      this.#streamsMax = settings.maxConcurrentStreams ?? Number.POSITIVE_INFINITY
      events.onSettings()
    })
    this.#session.once('close', () => {
      clearTimeout(this.#watch)
      events.onClose()
    })
  }

  get free(): boolean {
    return !this.#session.closed && !this.#session.destroyed && this.#open < this.#streamsMax
  }

  /** `refused` when the request may be sent again on another connection: the server did not look at it, or it is a mere read. */
  send(request: HttpRequest): Promise<HttpResponse | 'refused'> {
    let stream: ClientHttp2Stream
    try {
      stream = this.#session.request(headersOf(request, this.#origin), { endStream: request.body === null })
    } catch (error) {
      // The connection has begun to close since we looked. Anything else is a request that cannot be written down.
      if (this.#session.closed || this.#session.destroyed) return Promise.resolve('refused')
      return Promise.reject(new HttpFailure('malformed', `the request cannot be sent: ${String(error)}`, { cause: error }))
    }
    const stale = this.#reused && request.body === null && (request.method === 'GET' || request.method === 'HEAD')
    this.#begin(stream)
    return this.#answer(stream, request, stale)
  }

  destroy(): void {
    this.#session.destroy()
  }

  /** `stale`: the connection may have died while idle, and sending the request once more does no harm. */
  #answer(stream: ClientHttp2Stream, request: HttpRequest, stale: boolean): Promise<HttpResponse | 'refused'> {
    return new Promise((resolve, reject) => {
      const { signal } = request
      const onAbort = (): void => {
        stream.close(constants.NGHTTP2_CANCEL)
        reject(abortFailure(signal))
      }
      signal?.addEventListener('abort', onAbort, { once: true })
      const release = (): void => signal?.removeEventListener('abort', onAbort)
      let answered = false
      const fail = (error: unknown): void => {
        // Once the header has come, the reader of the body is told of whatever ends the stream.
        if (answered) return
        release()
        if (stream.rstCode === constants.NGHTTP2_ENHANCE_YOUR_CALM) this.#leave()
        if (signal?.aborted === true) reject(abortFailure(signal))
        else if (stream.rstCode === constants.NGHTTP2_REFUSED_STREAM) resolve('refused')
        else if (stale && (this.#session.closed || this.#session.destroyed) && !this.#silent) resolve('refused')
        else reject(this.#failure(error))
      }
      stream.on('error', fail)
      stream.on('close', () => fail(undefined))
      // Once: what it holds of the request is not needed while the answer goes on.
      stream.once('response', (received, flags) => {
        answered = true
        this.#reused = true
        const headers = plainHeaders(received)
        const incoming: Omit<Incoming, 'headers'> = {
          source: stream,
          complete: () => stream.rstCode === constants.NGHTTP2_NO_ERROR && !stream.aborted,
          failure: error => (signal?.aborted === true ? abortFailure(signal) : this.#failure(error)),
          done: finished => {
            release()
            if (!finished) stream.close(constants.NGHTTP2_CANCEL)
          },
        }
        const status = received[':status'] ?? 0
        if ((flags & constants.NGHTTP2_FLAG_END_STREAM) !== 0) {
          release()
          stream.resume()
          resolve({ status, headers, body: null })
        } else if (isSmall(headers)) {
          // Whoever has gone meanwhile is past both; what fails then must not be left to nobody, or the process ends.
          wholeAnswer(status, { ...incoming, headers }).then(resolve, reject)
        } else {
          resolve({ status, headers, body: receivePieces(incoming) })
        }
      })
      sendBody(stream, request, reject)
      if (signal?.aborted === true) onAbort()
    })
  }

  /** The server takes no more of us here, and may never again: what is to come goes over another connection. */
  #leave(): void {
    if (this.#session.closed || this.#session.destroyed) return
    this.#onLeave()
    this.#session.close()
  }

  /** Every stream closes: an error, whose stack is dear, is only made for one that closed before it was answered. */
  #failure(error: unknown = new Error('the stream was closed')): HttpFailure {
    if (!this.#silent) return sentFailure(error, this.#origin.authority)
    return new HttpFailure('reset', `the connection to ${this.#origin.authority} is dead: no echo to a ping`)
  }

  #begin(stream: ClientHttp2Stream): void {
    this.#open++
    stream.on('close', () => {
      this.#open--
      this.#heardMs = performance.now()
      if (this.#open === 0) clearTimeout(this.#watch)
      this.#onStreamEnd()
    })
    if (this.#open > 1) return
    // After a long idle time the connection may have died unseen: it is asked at once.
    if (performance.now() - this.#heardMs > this.#pingIntervalMs) this.#ping()
    else this.#arm()
  }

  #arm(): void {
    clearTimeout(this.#watch)
    this.#watch = setTimeout(() => this.#ping(), this.#pingIntervalMs)
  }

  #ping(): void {
    clearTimeout(this.#watch)
    if (this.#session.destroyed || this.#open === 0) return
    this.#watch = setTimeout(
      () => {
        this.#silent = true
        this.#session.destroy(new Error('no echo to a ping'))
      },
      Math.max(this.#pingIntervalMs / 2, 10),
    )
    this.#session.ping(error => {
      if (error !== null) return
      this.#heardMs = performance.now()
      if (this.#open > 0) this.#arm()
      else clearTimeout(this.#watch)
    })
  }
}

function headersOf(request: HttpRequest, origin: Origin): OutgoingHttpHeaders {
  const headers: OutgoingHttpHeaders = {
    ':method': request.method,
    ':path': request.target,
    ':scheme': 'https',
    ':authority': origin.authority,
  }
  for (const name in request.headers) {
    const value = request.headers[name]
    if (value === undefined || name === 'connection') continue
    headers[name === 'host' ? ':authority' : name] = value as string | string[]
  }
  if (request.body instanceof Uint8Array) headers['content-length'] = String(request.body.length)
  return headers
}

function sendBody(stream: ClientHttp2Stream, { body }: HttpRequest, reject: (error: unknown) => void): void {
  if (body === null) return
  if (body instanceof Uint8Array) {
    stream.end(body)
    return
  }
  const writable = (): Promise<void> =>
    new Promise(resolve => {
      stream.once('drain', resolve)
      stream.once('close', resolve)
    })
  pump(body, { write: piece => stream.write(piece), closed: () => stream.destroyed, writable }).then(
    () => stream.end(),
    (error: unknown) => {
      stream.close(constants.NGHTTP2_CANCEL)
      reject(error)
    },
  )
}

function plainHeaders(headers: IncomingHttpHeaders): HttpHeaders {
  const plain: Record<string, string | readonly string[] | undefined> = {}
  for (const name in headers) if (name.charCodeAt(0) !== 58) plain[name] = headers[name]
  return plain
}
