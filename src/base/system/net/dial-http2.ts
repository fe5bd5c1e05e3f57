// HTTP/2 out: few connections, many streams. A connection that is silent while streams are open is pinged and, without an echo,
// given up: half-open connections would otherwise leave a watch waiting for ever.
import type { Socket } from 'node:net'
import { type DialOptions, HttpFailure, type HttpRequest, type HttpResponse } from '../../seams/http.ts'
import { openSocket } from './connect.ts'
import { abortFailure } from './failures.ts'
import { Connection } from './http2-connection.ts'
import type { Origin } from './origin.ts'
import type { Wire } from './wire.ts'

/** Four connections at 100 or more streams each are enough for any client of ours; the bound is against a server that grants 1. */
const connectionsMaxDefault = 4
const pingIntervalMsDefault = 30_000

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
