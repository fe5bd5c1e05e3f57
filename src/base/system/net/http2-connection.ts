// One connection of HTTP/2 and the streams on it.
import { type ClientHttp2Session, type ClientHttp2Stream, connect } from 'node:http2'
import type { Socket } from 'node:net'
import { HttpFailure, type HttpRequest } from '../../seams/http.ts'
import { sentFailure } from './failures.ts'
import { type Carrier, type Http2Answer, Http2Exchange } from './http2-exchange.ts'
import { appendHeaders, forNode, sessionMemoryMbMax } from './node-http2.ts'
import type { Origin } from './origin.ts'

/** Enough for a long list at full speed over a slow path. */
const streamWindowBytes = 4_194_304
const connectionWindowBytes = 16_777_216

interface ConnectionEvents {
  readonly onStreamEnd: () => void
  readonly onSettings: () => void
  /** It takes nothing more, and ends with the last of its streams. */
  readonly onLeave: () => void
  readonly onClose: () => void
}

export class Connection implements Carrier {
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

  constructor(origin: Origin, socket: Socket, pingIntervalMs: number, events: ConnectionEvents) {
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
    return !this.#isClosing && this.#open < this.#streamsMax
  }

  send(request: HttpRequest): Promise<Http2Answer> {
    let stream: ClientHttp2Stream
    try {
      stream = this.#session.request(forNode(headersIn(request, this.#origin)), { endStream: request.body === null })
    } catch (error) {
      // The connection has begun to close since we looked. Anything else is a request that cannot be written down.
      if (this.#isClosing) return Promise.resolve('refused')
      return Promise.reject(new HttpFailure('malformed', `the request cannot be sent: ${String(error)}`, { cause: error }))
    }
    const isStale = this.#reused && request.body === null && (request.method === 'GET' || request.method === 'HEAD')
    this.#begin()
    return new Http2Exchange(stream, request.signal, this, isStale).run(request.body)
  }

  destroy(): void {
    this.#session.destroy()
  }

  get hasEnded(): boolean {
    return this.#isClosing && !this.#silent
  }

  leave(): void {
    if (this.#isClosing) return
    this.#onLeave()
    this.#session.close()
  }

  answered(): void {
    this.#reused = true
  }

  failure(error: unknown): HttpFailure {
    if (!this.#silent) return sentFailure(error, this.#origin.authority)
    return new HttpFailure('reset', `the connection to ${this.#origin.authority} is dead: no echo to a ping`)
  }

  get #isClosing(): boolean {
    return this.#session.closed || this.#session.destroyed
  }

  over(): void {
    this.#open--
    this.#heardMs = performance.now()
    if (this.#open === 0) clearTimeout(this.#watch)
    this.#onStreamEnd()
  }

  #begin(): void {
    this.#open++
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

function headersIn({ method, target, headers, body }: HttpRequest, origin: Origin): string[] {
  const list = [':method', method, ':path', target, ':scheme', 'https']
  list.push(':authority', typeof headers['host'] === 'string' ? headers['host'] : origin.authority)
  appendHeaders(list, headers, said)
  if (body instanceof Uint8Array) list.push('content-length', String(body.length))
  return list
}

/** The host is the authority, and a connection of HTTP/2 is nothing that a request has a say in. */
const said: ReadonlySet<string> = new Set(['connection', 'host'])
