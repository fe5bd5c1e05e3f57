// One load generator for every server: HTTP/2 over TLS, a connection per client, each client one request after another.
import { type ClientHttp2Session, connect } from 'node:http2'

export interface Endpoint {
  readonly address: string
  readonly ca: string
  readonly token: string
}

export interface LoadRequest {
  readonly method: string
  readonly path: string
  readonly type?: string
  readonly body?: string
}

export interface LoadReply {
  readonly status: number
  readonly bytes: number
  readonly text: string
}

/** A connection; `text` of replies is kept only when asked for, since decoding 10 MB lists would measure ourselves. */
export class Connection {
  readonly #session: ClientHttp2Session
  readonly #token: string

  constructor(endpoint: Endpoint) {
    this.#session = connect(endpoint.address, { ca: endpoint.ca })
    this.#session.on('error', () => {})
    this.#token = endpoint.token
  }

  ask(request: LoadRequest, keepText = false): Promise<LoadReply> {
    return new Promise((resolve, reject) => {
      const stream = this.#session.request(this.#headers(request))
      const chunks: Buffer[] = []
      let status = 0
      let bytes = 0
      stream.on('response', headers => {
        status = Number(headers[':status'])
      })
      stream.on('data', (chunk: Buffer) => {
        bytes += chunk.byteLength
        if (keepText || status >= 400) chunks.push(chunk)
      })
      stream.on('end', () => resolve({ status, bytes, text: Buffer.concat(chunks).toString() }))
      stream.on('error', reject)
      stream.end(request.body)
    })
  }

  /** Opens a watch and calls back with the number of events in each piece that comes. */
  watch(path: string, onEvents: (count: number) => void): Promise<() => void> {
    return new Promise((resolve, reject) => {
      const stream = this.#session.request(this.#headers({ method: 'GET', path }))
      stream.on('response', headers => {
        if (Number(headers[':status']) === 200) resolve(() => stream.close())
        else reject(new Error(`watch answered ${String(headers[':status'])}`))
      })
      stream.on('data', (chunk: Buffer) => {
        let count = 0
        for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) count++
        if (count > 0) onEvents(count)
      })
      stream.on('error', () => {})
    })
  }

  close(): void {
    this.#session.destroy()
  }

  #headers(request: LoadRequest): Record<string, string> {
    return {
      ':method': request.method,
      ':path': request.path,
      authorization: `Bearer ${this.#token}`,
      ...(request.body === undefined ? {} : { 'content-type': request.type ?? 'application/json' }),
    }
  }
}

export interface Rate {
  readonly count: number
  /** Of the processor, of one request: what was asked and what asked. */
  readonly serverUs: number
  readonly ownUs: number
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
}

/** Runs `clients` loops for the time, each with requests of its own making, and fails on the first refusal. `processorMs` is the server's. */
export async function load(
  endpoint: Endpoint,
  clients: number,
  ms: number,
  make: (client: number, round: number) => LoadRequest,
  processorMs: () => number = () => 0,
): Promise<Rate> {
  const connections = Array.from({ length: clients }, () => new Connection(endpoint))
  // The handshakes are not what is measured.
  await Promise.all(connections.map(connection => connection.ask({ method: 'GET', path: '/version' })))
  const latencies: number[] = []
  const [serverMs, own] = [processorMs(), process.cpuUsage()]
  const started = performance.now()
  const end = started + ms
  await Promise.all(
    connections.map(async (connection, client) => {
      for (let round = 0; performance.now() < end; round++) {
        const at = performance.now()
        const request = make(client, round)
        const reply = await connection.ask(request)
        if (reply.status >= 400) throw new Error(`${request.method} ${request.path}: ${reply.status} ${reply.text.slice(0, 300)}`)
        latencies.push(performance.now() - at)
      }
    }),
  )
  const elapsed = performance.now() - started
  const { user, system } = process.cpuUsage(own)
  const count = latencies.length
  const [serverUs, ownUs] = [((processorMs() - serverMs) * 1_000) / count, (user + system) / count]
  for (const connection of connections) connection.close()
  latencies.sort((a, b) => a - b)
  const at = (share: number): number => latencies[Math.min(count - 1, Math.floor(count * share))] ?? 0
  return { count, serverUs, ownUs, perSecond: (count * 1000) / elapsed, p50Ms: at(0.5), p99Ms: at(0.99) }
}
