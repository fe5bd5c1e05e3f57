// The caller: raw TLS sockets and requests rendered once, so that little of what is measured is ours. One request at a time per connection.
import { request } from 'node:https'
import { connect, type TLSSocket } from 'node:tls'

export interface Latencies {
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
  readonly p999: number
  readonly max: number
  readonly failures: number
  readonly count: number
}

/** How long the answer to a review is. */
export function answerBytes(port: number, body: string | Buffer): Promise<number> {
  return new Promise((resolve, reject) => {
    const options = { port, host: '127.0.0.1', path: '/mutate', method: 'POST', rejectUnauthorized: false }
    const headers = { 'content-type': 'application/json' }
    const asking = request({ ...options, headers }, answer => {
      let length = 0
      answer.on('data', (chunk: Buffer) => (length += chunk.length))
      answer.on('end', () => resolve(length))
    })
    asking.on('error', reject)
    asking.end(body)
  })
}

export class Caller {
  readonly #socket: TLSSocket
  #rest: Buffer = Buffer.alloc(0)
  #done: ((isGood: boolean) => void) | undefined

  private constructor(socket: TLSSocket) {
    this.#socket = socket
    socket.on('data', (chunk: Buffer) => this.#take(chunk))
    socket.on('error', () => this.#end(false))
    socket.on('close', () => this.#end(false))
  }

  static open(port: number): Promise<Caller> {
    return new Promise((resolve, reject) => {
      const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false, ALPNProtocols: ['http/1.1'] })
      socket.setNoDelay(true)
      socket.once('error', reject)
      socket.once('secureConnect', () => {
        socket.off('error', reject)
        resolve(new Caller(socket))
      })
    })
  }

  /** True for a 200 that carries a patch. */
  ask(request: Buffer): Promise<boolean> {
    return new Promise(resolve => {
      this.#done = resolve
      this.#socket.write(request)
    })
  }

  close(): void {
    this.#socket.destroy()
  }

  #take(chunk: Buffer): void {
    this.#rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk])
    const end = this.#rest.indexOf('\r\n\r\n')
    if (end < 0) return
    const head = this.#rest.toString('latin1', 0, end)
    const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? Number.NaN)
    const body = this.#rest.subarray(end + 4)
    const isChunked = Number.isNaN(length)
    if (isChunked ? !body.includes('0\r\n\r\n') : body.length < length) return
    const isGood = head.startsWith('HTTP/1.1 200') && body.includes('"patch"')
    this.#rest = Buffer.alloc(0)
    this.#end(isGood)
  }

  #end(isGood: boolean): void {
    const done = this.#done
    this.#done = undefined
    done?.(isGood)
  }
}

/** Where a program listens: what serves both clouds has a port for each, and is asked at them in turn. */
export type Ports = number | readonly number[]

type Asking = Pick<Caller, 'ask' | 'close'>

async function openTo(ports: Ports): Promise<Asking> {
  if (typeof ports === 'number') return Caller.open(ports)
  const callers = await Promise.all(ports.map(port => Caller.open(port)))
  let turn = 0
  return {
    ask: request => (callers[turn++ % callers.length] as Caller).ask(request),
    close: () => {
      for (const caller of callers) caller.close()
    },
  }
}

/** `connections` callers, each one request after the other, for the time. */
export async function closedLoop(port: Ports, request: Buffer, connections: number, ms: number): Promise<Latencies> {
  const callers = await Promise.all(Array.from({ length: connections }, () => openTo(port)))
  const times: number[] = []
  let failures = 0
  const started = performance.now()
  await Promise.all(
    callers.map(async caller => {
      while (performance.now() - started < ms) {
        const at = performance.now()
        if (!(await caller.ask(request))) failures++
        times.push(performance.now() - at)
      }
    }),
  )
  const elapsed = performance.now() - started
  for (const caller of callers) caller.close()
  return summary(times, failures, elapsed)
}

/** A connection, with its handshake, for each request. */
export async function coldLoop(port: Ports, request: Buffer, callers: number, ms: number): Promise<Latencies> {
  const times: number[] = []
  let failures = 0
  const ports = typeof port === 'number' ? [port] : port
  let turn = 0
  const started = performance.now()
  await Promise.all(
    Array.from({ length: callers }, async () => {
      while (performance.now() - started < ms) {
        const at = performance.now()
        const caller = await Caller.open(ports[turn++ % ports.length] as number)
        if (!(await caller.ask(request))) failures++
        caller.close()
        times.push(performance.now() - at)
      }
    }),
  )
  return summary(times, failures, performance.now() - started)
}

/** So many a second, whether or not the last were answered; each is timed from when it was due. */
export async function openLoop(
  port: Ports,
  request: Buffer | readonly Buffer[],
  perSecond: number,
  ms: number,
): Promise<Latencies> {
  const requests = Array.isArray(request) ? (request as readonly Buffer[]) : [request as Buffer]
  let next = 0
  const idle = await Promise.all(Array.from({ length: 32 }, () => openTo(port)))
  const all = [...idle]
  const times: number[] = []
  const due: number[] = []
  let failures = 0
  const started = performance.now()
  let sent = 0
  const total = Math.round((perSecond * ms) / 1_000)
  await new Promise<void>(resolve => {
    const serve = async (first: number, caller: Asking): Promise<void> => {
      for (let at: number | undefined = first; at !== undefined; at = due.shift()) {
        if (!(await caller.ask(requests[next++ % requests.length] as Buffer))) failures++
        times.push(performance.now() - at)
      }
      idle.push(caller)
      if (times.length === total) resolve()
    }
    const tick = (): void => {
      const now = performance.now()
      while (sent < total && started + (sent * 1_000) / perSecond <= now) {
        const at = started + (sent++ * 1_000) / perSecond
        const caller = idle.pop()
        if (caller === undefined) due.push(at)
        else void serve(at, caller)
      }
      if (sent < total) setImmediate(tick)
    }
    tick()
  })
  const elapsed = performance.now() - started
  for (const caller of all) caller.close()
  return summary(times, failures, elapsed)
}

/** All at once over so many connections; the times are from the start of the burst. */
export async function burst(port: Ports, request: Buffer, connections: number, count: number): Promise<Latencies> {
  const started = performance.now()
  const times: number[] = []
  let failures = 0
  let left = count
  await Promise.all(
    Array.from({ length: connections }, async () => {
      const caller = await openTo(port)
      while (left-- > 0) {
        if (!(await caller.ask(request))) failures++
        times.push(performance.now() - started)
      }
      caller.close()
    }),
  )
  return summary(times, failures, performance.now() - started)
}

function summary(times: number[], failures: number, elapsed: number): Latencies {
  times.sort((a, b) => a - b)
  const at = (share: number): number => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0
  return {
    perSecond: (times.length * 1_000) / elapsed,
    p50: at(0.5),
    p99: at(0.99),
    p999: at(0.999),
    max: times.at(-1) ?? 0,
    failures,
    count: times.length,
  }
}
