// The wire between one simulated process and one API server. A request parks until its effect is picked; its response parks until its
// delivery is picked; a watch's lines park one by one. Between the two picks anything may happen: that is the whole point.
import { type HttpBody, type HttpExchange, HttpFailure, type HttpRequest, type HttpResponse } from '#base'
import type { ScheduledAction, WorldScheduler } from './scheduler.ts'
import { Stream } from './stream.ts'

/** A call in flight, as faults and invariants see it. */
export interface Flight {
  readonly id: number
  readonly process: string
  readonly epoch: number
  readonly target: string
  readonly request: HttpRequest
  readonly mutating: boolean
  /** By the sender's own wall clock. */
  readonly sentAtMs: number
  readonly sentWorldMs: number
  readonly sentStep: number
  readonly label: string
  state: 'sent' | 'applied' | 'done'
  response: HttpResponse | undefined
  apply: ScheduledAction | undefined
  deliver: ScheduledAction | undefined
  readonly settle: (outcome: HttpResponse | HttpFailure) => void
}

/** One life of a process and one server. */
export interface Link {
  readonly process: string
  readonly epoch: number
  readonly target: string
  /** `flight`: its number, for what is to go wrong with this one. */
  readonly server: (request: HttpRequest, flight: number) => Promise<HttpResponse>
  /** What a request is, where its method and its path do not tell. */
  readonly describe?: (request: HttpRequest) => { readonly what: string; readonly mutating: boolean }
  readonly dead: () => boolean
  readonly now: () => number
}

export interface WireObserver {
  /** Before the server sees it; a returned response is given instead, without effect (rights revoked, kind absent). */
  intercept(flight: Flight): HttpResponse | undefined
  /** A process sends something: whether it may is decided now, not when it takes hold. */
  sent(flight: Flight): void
  /** Right after the instant of effect. */
  applied(flight: Flight, response: HttpResponse): void
  /** A process learns that its call did not work, or never learns what became of it: it has a reason to call again. */
  failed(flight: Flight): void
}

export class SimulatedWire {
  readonly flights: Set<Flight> = new Set()
  readonly streams: Set<Stream> = new Set()
  readonly #scheduler: WorldScheduler
  readonly #observer: WireObserver
  /** Of lines that wait: asked for each parked action at each step. */
  readonly #streamOf = new WeakMap<ScheduledAction, Stream>()
  #ids = 0

  constructor(scheduler: WorldScheduler, observer: WireObserver) {
    this.#scheduler = scheduler
    this.#observer = observer
  }

  /** The transport of one life of a process to one server. After `dead()` its replies are never delivered. */
  exchange(link: Link): HttpExchange {
    return request => {
      if (link.dead()) return new Promise(() => {})
      return new Promise((resolve, reject) => {
        const id = ++this.#ids
        const { what, mutating } = (link.describe ?? byMethod)(request)
        const label = `${link.process} ${link.target} ${what}`
        const onAbort = (): void => settle(new HttpFailure('aborted', 'the caller gave up', { cause: request.signal?.reason }))
        const settle = (outcome: HttpResponse | HttpFailure): void => {
          if (flight.state === 'done') return
          request.signal?.removeEventListener('abort', onAbort)
          this.#finish(flight)
          if (outcome instanceof HttpFailure || outcome.status >= 300) this.#observer.failed(flight)
          if (link.dead()) return
          if (outcome instanceof HttpFailure) reject(outcome)
          else resolve(outcome)
        }
        const flight: Flight = {
          id,
          process: link.process,
          epoch: link.epoch,
          target: link.target,
          request,
          mutating,
          sentAtMs: link.now(),
          sentWorldMs: this.#scheduler.nowMs,
          sentStep: this.#scheduler.steps,
          label,
          state: 'sent',
          response: undefined,
          apply: undefined,
          deliver: undefined,
          settle,
        }
        if (request.signal?.aborted) return onAbort()
        request.signal?.addEventListener('abort', onAbort, { once: true })
        this.flights.add(flight)
        this.#observer.sent(flight)
        flight.apply = { kind: 'apply', label: `apply ${label}`, run: () => void this.#apply(flight, link) }
        this.#scheduler.park(flight.apply)
      })
    }
  }

  /** A killed process hears nothing more; what it sent may still take hold, so sent requests stay parked. */
  cutOff(process: string, epoch: number): void {
    for (const flight of this.flights) {
      if (flight.process !== process || flight.epoch !== epoch) continue
      this.#observer.failed(flight)
      if (flight.deliver !== undefined) this.#scheduler.remove(flight.deliver)
      if (flight.state === 'applied') this.#finish(flight)
    }
    for (const stream of this.streams) if (stream.process === process && stream.epoch === epoch) stream.end('unheard')
  }

  /** Forgets a request that never arrived. */
  drop(flight: Flight): void {
    if (flight.apply !== undefined) this.#scheduler.remove(flight.apply)
    this.#finish(flight)
  }

  #finish(flight: Flight): void {
    // An aborted or lost call that was sent may take hold all the same: its `apply` stays parked unless it was dropped on purpose.
    flight.state = 'done'
    this.flights.delete(flight)
    if (flight.deliver !== undefined) this.#scheduler.remove(flight.deliver)
  }

  async #apply(flight: Flight, link: Link): Promise<void> {
    flight.apply = undefined
    const { signal: _, ...request } = flight.request
    let response: HttpResponse
    try {
      response = this.#observer.intercept(flight) ?? (await link.server(request, flight.id))
    } catch (error) {
      flight.settle(error instanceof HttpFailure ? error : new HttpFailure('reset', 'the server broke', { cause: error }))
      return
    }
    this.#observer.applied(flight, response)
    if (flight.state === 'done' || link.dead()) {
      this.#finish(flight)
      closeBody(response.body)
      return
    }
    flight.state = 'applied'
    flight.response = response
    flight.deliver = {
      kind: 'deliver',
      label: `reply ${response.status} ${flight.label}`,
      process: flight.process,
      run: () => flight.settle(this.#received(flight, response)),
    }
    this.#scheduler.park(flight.deliver)
  }

  #received(flight: Flight, response: HttpResponse): HttpResponse {
    if (response.body === null || response.body instanceof Uint8Array) return response
    return { ...response, body: this.#stream(flight, response.body) }
  }

  #stream(flight: Flight, source: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
    const stream = new Stream(flight, source[Symbol.asyncIterator](), {
      park: (action, of) => {
        this.#streamOf.set(action, of)
        this.#scheduler.park(action)
      },
      remove: action => this.#scheduler.remove(action),
      ended: of => this.streams.delete(of),
    })
    this.streams.add(stream)
    // A caller's signal covers the stream as it covers the call.
    flight.request.signal?.addEventListener('abort', () => stream.end('aborted'), { once: true })
    stream.open()
    return stream.reader
  }

  /** Whether an action is a line of a stalled stream, or behind another line of its own stream: lines never overtake. */
  isHeldLine(action: ScheduledAction): boolean {
    const stream = this.#streamOf.get(action)
    return stream !== undefined && (stream.stalled || stream.lines[0] !== action)
  }
}

function closeBody(body: HttpBody): void {
  if (body !== null && !(body instanceof Uint8Array)) void body[Symbol.asyncIterator]().return?.()
}

function byMethod({ method, target }: HttpRequest): { readonly what: string; readonly mutating: boolean } {
  return { what: `${method} ${pathOf(target)}`, mutating: method !== 'GET' && method !== 'HEAD' }
}

/** The path, and whether it is a watch: enough to tell calls apart, short enough to read in a trace. */
function pathOf(target: string): string {
  const [path, query] = target.split('?')
  return /(^|&)watch=true/.test(query ?? '') ? `${path}?watch` : (path ?? '')
}
