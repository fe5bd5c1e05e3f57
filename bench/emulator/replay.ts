// The load generator for every server alike: requests are bytes made beforehand, a connection per worker sends one and waits for its
// answer. Node's own client costs more per call than the emulator does, and would be what is measured.
import { connect, type Socket } from 'node:net'
import type { HttpExchange, HttpRequest } from '#base'

/** Sends the request and says with what status it was answered. */
export type Ask = (request: HttpRequest) => Promise<number>

export interface Connections {
  /** Each worker has its own. */
  ask(worker: number): Ask
  close(): void
}

export function inProcess(exchange: HttpExchange): Connections {
  const ask: Ask = async request => (await exchange(request)).status
  return { ask: () => ask, close: () => {} }
}

export function overSockets(address: string, workers: number): Connections {
  const { hostname, port } = new URL(address)
  const connections = Array.from({ length: workers }, () => new Connection(hostname, Number(port)))
  return {
    ask: worker => request => (connections[worker] as Connection).ask(request),
    close: () => {
      for (const connection of connections) connection.close()
    },
  }
}

class Connection {
  readonly #host: string
  readonly #port: number
  readonly #rendered = new WeakMap<HttpRequest, Buffer>()
  #socket: Socket | undefined
  #received: Buffer = empty
  #waiting: { readonly resolve: (status: number) => void; readonly reject: (error: Error) => void } | undefined

  constructor(host: string, port: number) {
    this.#host = host
    this.#port = port
  }

  ask(request: HttpRequest): Promise<number> {
    let bytes = this.#rendered.get(request)
    if (bytes === undefined) this.#rendered.set(request, (bytes = render(request)))
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject }
      this.#socket ??= this.#open()
      this.#socket.write(bytes)
    })
  }

  close(): void {
    this.#socket?.destroy()
  }

  /** A server may close after an answer, as moto does now and then; the next request opens another. */
  #open(): Socket {
    const socket = connect({ host: this.#host, port: this.#port, noDelay: true })
    socket.on('data', (piece: Buffer) => this.#take(piece))
    socket.on('error', () => {})
    socket.on('close', () => {
      if (this.#socket !== socket) return
      this.#socket = undefined
      this.#received = empty
      this.#waiting?.reject(new Error('the server closed the connection'))
    })
    return socket
  }

  #take(piece: Buffer): void {
    this.#received = this.#received.length === 0 ? piece : Buffer.concat([this.#received, piece])
    const answer = complete(this.#received)
    if (answer === undefined) return
    this.#received = empty
    const waiting = this.#waiting
    this.#waiting = undefined
    if (answer.closes) {
      this.#socket?.destroy()
      this.#socket = undefined
    }
    waiting?.resolve(answer.status)
  }
}

const empty = Buffer.alloc(0)

/** One answer and nothing after it: a worker has one request under way. */
function complete(bytes: Buffer): { readonly status: number; readonly closes: boolean } | undefined {
  const end = bytes.indexOf('\r\n\r\n')
  if (end === -1) return undefined
  const head = bytes.toString('latin1', 0, end)
  const status = Number(head.slice(9, 12))
  const announced = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
  const whole =
    announced !== undefined
      ? bytes.length - end - 4 >= Number(announced)
      : status === 204 || (/\r\ntransfer-encoding: *chunked/i.test(head) && bytes.subarray(-5).equals(lastChunk))
  return whole ? { status, closes: /\r\nconnection: *close/i.test(head) } : undefined
}

const lastChunk = Buffer.from('0\r\n\r\n')

function render({ method, target, headers, body }: HttpRequest): Buffer {
  const bytes = body instanceof Uint8Array ? body : empty
  const lines = [`${method} ${target} HTTP/1.1`]
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && name.toLowerCase() !== 'content-length') lines.push(`${name}: ${String(value)}`)
  }
  lines.push(`content-length: ${bytes.length}`, '', '')
  return Buffer.concat([Buffer.from(lines.join('\r\n'), 'latin1'), bytes])
}

/**
 * Rounds of the scripts per second, a script of two calls counting once. A refusal ends the measurement, except where `mayBreak`:
 * then the round does not count.
 */
export async function replay(
  connections: Connections,
  scripts: readonly (readonly HttpRequest[])[],
  options: { readonly workers: number; readonly forMs: number; readonly mayBreak: boolean },
): Promise<number> {
  let rounds = 0
  const startedMs = performance.now()
  const work = async (index: number): Promise<void> => {
    const script = scripts[index % scripts.length] as readonly HttpRequest[]
    const ask = connections.ask(index)
    while (performance.now() - startedMs < options.forMs) {
      let good = true
      for (const request of script) {
        const status = await ask(request)
        good &&= status < 300
        if (status >= 300 && !options.mayBreak) throw new Error(`${request.method} ${request.target} was answered ${status}`)
      }
      if (good) rounds++
    }
  }
  await Promise.all(Array.from({ length: options.workers }, (_, index) => work(index)))
  return rounds / ((performance.now() - startedMs) / 1_000)
}
