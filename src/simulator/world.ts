// One simulated world: servers, processes, the wire between them, and what can go wrong. It offers faults to the scheduler and tells the
// invariants about each effect; it decides nothing itself.

import type { ApiServer } from '#apiserver'
import { type Clock, HttpFailure, type HttpResponse, type Random, type Seams, seededRandom, silentLog, sleepWith } from '#base'
import type { KubeObject } from '#kube'
import type { FaultCode } from './faults.ts'
import type { Action } from './scheduler.ts'
import { Scheduler } from './scheduler.ts'
import { parseBody, Shadow } from './shadow.ts'
import { SimClock } from './sim-clock.ts'
import type { Deed, Effect, Invariant, Subject } from './subject.ts'
import { type Flight, type Stream, Wire } from './wire.ts'

/** A broken invariant ends its run. */
export class Violation extends Error {
  readonly code: string
  constructor(code: string, message: string) {
    super(`${code}: ${message}`)
    this.name = 'Violation'
    this.code = code
  }
}

export interface SimProcess {
  readonly name: string
  epoch: number
  alive: boolean
  paused: boolean
  startedAtStep: number
  clock: SimClock
  abort: AbortController
  /** Resolves when a graceful stop is complete. */
  done: Promise<void>
  readonly reconciling: Set<string>
  /** World time at which the last renewal of the lease that succeeded was sent. */
  provedMs: number | undefined
}

export class World {
  readonly subject: Subject
  readonly scheduler: Scheduler
  readonly wire: Wire
  readonly servers: ReadonlyMap<string, ApiServer>
  readonly shadows: ReadonlyMap<string, Shadow>
  readonly processes: Map<string, SimProcess> = new Map()
  readonly effects: Effect[] = []
  readonly counts: { faults: Map<FaultCode, number>; invariants: Map<string, number> } = {
    faults: new Map(),
    invariants: new Map(),
  }
  violation: Violation | undefined
  /** Uids of claims whose finalizer somebody took off by hand: what they leave behind is nobody's any more (F20). */
  readonly released: Set<string> = new Set()
  /** Calls by processes that read objects; the lease and watches apart. */
  reads = 0
  /** The latest leader by the lease, and whether it has acted. */
  leader: { holder: string; process: string; epoch: number; acted: boolean } = { holder: '', process: '', epoch: 0, acted: false }
  readonly #invariants: readonly Invariant[]
  readonly #enabled: ReadonlySet<FaultCode>
  readonly #random: Random
  readonly #intercepts: Set<(flight: Flight) => HttpResponse | undefined> = new Set()

  constructor(options: {
    subject: Subject
    /** Makes the world's own server of this name; its time is the world's. */
    fork: (name: string, clock: Clock) => ApiServer
    seed: string
    faults: ReadonlySet<FaultCode>
    invariants: readonly Invariant[]
  }) {
    this.subject = options.subject
    this.shadows = new Map(options.subject.servers.map(name => [name, new Shadow()]))
    this.#invariants = options.invariants
    this.#enabled = options.faults
    this.#random = seededRandom(options.seed)
    this.scheduler = new Scheduler({ held: action => this.#isHeld(action), faults: () => this.#offerFaults() })
    this.servers = new Map(
      options.subject.servers.map(name => [name, options.fork(name, new SimClock(this.scheduler, `server ${name}`))]),
    )
    this.scheduler.afterStep = () => this.#settleServers()
    this.wire = new Wire(this.scheduler, {
      intercept: flight => this.#intercept(flight),
      sent: flight => this.#sent(flight),
      applied: (flight, response) => this.#applied(flight, response),
    })
  }

  /** Parks the start of a process; a dead one starts its next life. */
  parkStart(name: string): void {
    this.scheduler.park({ kind: 'script', label: `start ${name}`, run: () => this.#start(name) })
  }

  /** The deed can happen from `afterMs` on. */
  parkDeed(deed: Deed): void {
    const park = (): void => {
      this.scheduler.park({ kind: 'script', label: `deed ${deed.label}`, run: () => void this.#guard(deed.run(this)) })
    }
    if (deed.afterMs === undefined) park()
    else this.scheduler.timer('world', deed.afterMs, park)
  }

  /** What a user or a stranger does: it takes hold at once, and the invariants see it. */
  async act(
    server: string,
    method: string,
    target: string,
    body?: unknown,
    contentType = 'application/json',
  ): Promise<{ status: number; body: unknown }> {
    const request = {
      method,
      target,
      headers: { 'content-type': contentType, accept: 'application/json' },
      body: body === undefined ? null : new TextEncoder().encode(JSON.stringify(body)),
    }
    const response = await this.#server(server).as()(request)
    this.#record({ by: 'user', epoch: 0, sentAtMs: 0, server, request, response })
    return { status: response.status, body: parseBody(response.body) }
  }

  objects(server = 'hub'): Iterable<KubeObject> {
    return (this.shadows.get(server) as Shadow).objects.values()
  }

  find(server: string, key: string): KubeObject | undefined {
    return this.shadows.get(server)?.objects.get(key)
  }

  /** Ends all faults that last: the liveness phase begins. */
  heal(): void {
    this.#intercepts.clear()
    for (const process of this.processes.values()) process.paused = false
    for (const server of this.servers.values()) server.faults?.clear()
  }

  /** Once the servers have sent what they have to send. */
  async #afterServers(then: () => void): Promise<void> {
    await this.#settleServers()
    then()
  }

  async #settleServers(): Promise<void> {
    for (const server of this.servers.values()) await server.settle()
  }

  /** Asks every living process to stop. */
  stop(): Promise<unknown> {
    const living = [...this.processes.values()].filter(process => process.alive)
    for (const process of living) process.abort.abort(new Error('stop'))
    return Promise.all(living.map(process => process.done))
  }

  fail(code: string, message: string): void {
    this.violation ??= new Violation(code, message)
  }

  #start(name: string): void {
    const last = this.processes.get(name)
    const epoch = (last?.epoch ?? 0) + 1
    const process: SimProcess = {
      name,
      epoch,
      alive: true,
      paused: false,
      startedAtStep: this.scheduler.steps,
      clock: last?.clock ?? new SimClock(this.scheduler, name),
      abort: new AbortController(),
      done: Promise.resolve(),
      reconciling: new Set(),
      provedMs: undefined,
    }
    this.processes.set(name, process)
    const dead = (): boolean => !process.alive
    process.done = this.#guard(
      this.subject.start({
        name,
        epoch,
        seams: this.#seams(process),
        connect: server =>
          this.wire.exchange({
            process: name,
            epoch,
            target: server,
            server: this.#server(server).as(),
            dead,
            now: () => process.clock.now(),
          }),
        signal: process.abort.signal,
        probe: {
          reconcileStarted: (controller, key) => this.#reconcile(process, `${controller} ${key}`, true),
          reconcileEnded: (controller, key) => this.#reconcile(process, `${controller} ${key}`, false),
        },
      }),
    )
  }

  kill(name: string): void {
    const process = this.processes.get(name)
    if (process === undefined || !process.alive) return
    process.alive = false
    this.scheduler.dropTimers(name)
    this.wire.cutOff(name, process.epoch)
    this.parkStart(name)
  }

  #seams(process: SimProcess): Seams {
    const refuse = (): never => {
      throw new HttpFailure('unreachable', 'a simulated process reaches its servers and nothing else')
    }
    return {
      clock: livingClock(process),
      random: this.#random.fork(`${process.name}/${process.epoch}`),
      keys: { generateRsa: refuse, generateEc: refuse },
      net: { dial: refuse, listen: refuse },
      files: {
        read: refuse,
        write: refuse,
        openAppend: refuse,
        info: refuse,
        list: refuse,
        makeFolder: refuse,
        rename: refuse,
        remove: refuse,
      },
      programs: { run: refuse },
      env: {},
      log: silentLog,
    }
  }

  /** A process that throws is a broken process, whatever was done to it. */
  async #guard(work: Promise<void>): Promise<void> {
    try {
      await work
    } catch (error) {
      this.fail('crash', error instanceof Error ? (error.stack ?? error.message) : String(error))
    }
  }

  #server(name: string): ApiServer {
    const server = this.servers.get(name)
    if (server === undefined) throw new Error(`no server ${name} in this world`)
    return server
  }

  #isHeld(action: Action): boolean {
    if (action.process !== undefined && action.process !== '' && this.processes.get(action.process)?.paused === true) return true
    return this.wire.isHeldLine(action)
  }

  #intercept(flight: Flight): HttpResponse | undefined {
    for (const intercept of this.#intercepts) {
      const response = intercept(flight)
      if (response !== undefined) return response
    }
    return undefined
  }

  /** S7, at the sender: leadership was proved recently enough when the call went out. */
  #sent(flight: Flight): void {
    if (flight.request.method === 'GET' && !isOfLease(flight) && !flight.label.endsWith('?watch')) this.reads++
    const { leaseMs } = this.subject
    const process = this.processes.get(flight.process)
    if (leaseMs === undefined || process === undefined || !flight.mutating || isOfLease(flight) || isOfEvent(flight)) return
    this.counts.invariants.set('S7', (this.counts.invariants.get('S7') ?? 0) + 1)
    const ageMs = this.scheduler.nowMs - (process.provedMs ?? Number.NEGATIVE_INFINITY)
    if (ageMs > leaseMs) this.fail('S7', `${flight.label} is sent ${ageMs} ms after leadership was last proved`)
  }

  #applied(flight: Flight, response: HttpResponse): void {
    if (!flight.mutating) return
    const process = this.processes.get(flight.process)
    if (isOfLease(flight) && response.status < 300 && process?.epoch === flight.epoch) process.provedMs = flight.sentWorldMs
    this.#record({
      by: flight.process,
      epoch: flight.epoch,
      sentAtMs: flight.sentAtMs,
      server: flight.target,
      request: flight.request,
      response,
    })
  }

  #record(event: {
    by: string
    epoch: number
    sentAtMs: number
    server: string
    request: Parameters<Shadow['apply']>[0]
    response: HttpResponse
  }): void {
    if (event.request.method === 'GET' || event.response.status >= 300) return
    const shadow = this.shadows.get(event.server) as Shadow
    const change = shadow.apply(event.request, event.response)
    const { by, epoch, sentAtMs, server, request } = event
    const effect: Effect = {
      step: this.scheduler.steps,
      by,
      epoch,
      sentAtMs,
      server,
      method: request.method,
      target: request.target,
      body: parseBody(request.body),
      ...change,
    }
    this.effects.push(effect)
    for (const invariant of this.#invariants) {
      this.counts.invariants.set(invariant.code, (this.counts.invariants.get(invariant.code) ?? 0) + 1)
      const broken = invariant.check(effect, this)
      if (broken !== undefined) this.fail(invariant.code, broken)
    }
  }

  #reconcile(process: SimProcess, what: string, started: boolean): void {
    if (!process.alive) return
    this.counts.invariants.set('S17', (this.counts.invariants.get('S17') ?? 0) + 1)
    if (started && process.reconciling.has(what)) this.fail('S17', `${process.name} reconciles ${what} twice at once`)
    if (started) process.reconciling.add(what)
    else process.reconciling.delete(what)
  }

  /** Everything that could go wrong at this instant, in a stable order. */
  #offerFaults(): Action[] {
    const offered: Action[] = []
    const offer = (code: FaultCode, what: string, run: () => void): void => {
      if (!this.#enabled.has(code)) return
      const strike = (): void => {
        this.counts.faults.set(code, (this.counts.faults.get(code) ?? 0) + 1)
        run()
      }
      offered.push({ kind: 'fault', label: `${code} ${what}`, run: strike })
    }
    for (const process of this.processes.values()) if (process.alive) this.#offerProcessFaults(process, offer)
    for (const flight of this.wire.flights) if (this.processes.get(flight.process)?.alive) this.#offerCallFaults(flight, offer)
    for (const stream of this.wire.streams) this.#offerStreamFaults(stream, offer)
    for (const deed of this.subject.disturbances) offer(deed.fault, deed.label, () => void this.#guard(deed.run(this)))
    return offered
  }

  #offerProcessFaults(process: SimProcess, offer: (code: FaultCode, what: string, run: () => void) => void): void {
    const young = this.scheduler.steps - process.startedAtStep < 12 && process.epoch > 1
    offer(young ? 'F2' : 'F1', `kill ${process.name}`, () => this.kill(process.name))
    if (!process.paused) {
      offer('F3', `pause ${process.name}`, () => {
        process.paused = true
        this.scheduler.timer('world', pauseMs, () => (process.paused = false))
      })
    }
    offer('F14', `clock of ${process.name} jumps an hour`, () => process.clock.jump(3_600_000))
    offer('F14', `clock of ${process.name} jumps back`, () => process.clock.jump(-7_200_000))
    offer('F14', `clock of ${process.name} runs at half the rate`, () => process.clock.setRate(0.5))
    offer('F14', `clock of ${process.name} runs at twice the rate`, () => process.clock.setRate(2))
    offer('F15', `rights of ${process.name} revoked for a minute`, () =>
      this.#forAMinute(flight =>
        flight.process === process.name && flight.mutating && !flight.request.target.includes('/leases')
          ? statusResponse(403, 'Forbidden', 'rights revoked')
          : undefined,
      ),
    )
    offer('F16', `kind absent for ${process.name} for a minute`, () =>
      this.#forAMinute(flight =>
        flight.process === process.name &&
        flight.request.target.startsWith('/apis/') &&
        !flight.request.target.includes('/leases')
          ? { status: 404, headers: { 'content-type': 'text/plain' }, body: new TextEncoder().encode('404 page not found\n') }
          : undefined,
      ),
    )
  }

  #forAMinute(intercept: (flight: Flight) => HttpResponse | undefined): void {
    this.#intercepts.add(intercept)
    this.scheduler.timer('world', 60_000, () => this.#intercepts.delete(intercept))
  }

  #offerCallFaults(flight: Flight, offer: (code: FaultCode, what: string, run: () => void) => void): void {
    const answer = (status: number, reason: string, headers: Record<string, string> = {}): void => {
      this.wire.drop(flight)
      flight.state = 'sent'
      const deliver = (): void => flight.settle(statusResponse(status, reason, 'injected', headers))
      this.scheduler.park({ kind: 'deliver', label: `reply ${status} ${flight.label}`, process: flight.process, run: deliver })
    }
    if (flight.state === 'sent' && flight.apply !== undefined) {
      if (flight.mutating) {
        offer('F5', `409 for ${flight.label}`, () => answer(409, 'Conflict'))
        offer('F5', `422 for ${flight.label}`, () => answer(422, 'Invalid'))
      }
      offer('F6', `429 for ${flight.label}`, () => answer(429, 'TooManyRequests'))
      offer('F6', `429 with a hint for ${flight.label}`, () => answer(429, 'TooManyRequests', { 'retry-after': '7' }))
      offer('F7', `500 for ${flight.label}`, () => answer(500, 'InternalError'))
      offer('F7', `503 for ${flight.label}`, () => answer(503, 'ServiceUnavailable'))
      offer('F7', `504 for ${flight.label}`, () => answer(504, 'Timeout'))
      const cut = (code: 'reset' | 'unreachable'): void => {
        this.wire.drop(flight)
        flight.state = 'sent'
        flight.settle(new HttpFailure(code, 'injected'))
      }
      offer('F7', `reset for ${flight.label}`, () => cut('reset'))
      offer('F13', `unreachable for ${flight.label}`, () => cut('unreachable'))
    }
    if (flight.deliver !== undefined && flight.mutating) {
      offer('F4', `reply lost of ${flight.label}`, () => flight.settle(new HttpFailure('reset', 'reply lost')))
      offer('F4', `reply of ${flight.label} becomes 504`, () => flight.settle(statusResponse(504, 'Timeout', 'reply lost')))
    }
  }

  #offerStreamFaults(stream: Stream, offer: (code: FaultCode, what: string, run: () => void) => void): void {
    if (!stream.stalled) offer('F8', `stall of ${stream.label}`, () => (stream.stalled = true))
    offer('F9', `end of ${stream.label}`, () => stream.end('clean'))
    offer('F9', `reset of ${stream.label}`, () => stream.end('reset'))
    offer('F9', `half a line of ${stream.label}`, () => stream.end('cut'))
    offer('F9', `line of ${stream.label} again`, () => stream.repeatLast())
    offer('F9', `expiry of ${stream.label}`, () => stream.inject(expiredLine))
    const server = this.#server(stream.label.split(' ')[1] ?? '')
    const gap = (): void => {
      server.faults.compact()
      stream.end('reset')
    }
    offer('F10', `gap in ${stream.label}`, gap)
    // What was deleted meanwhile is not in any line: only comparing the next list with what was held shows it.
    for (const deed of this.subject.disturbances) {
      if (deed.fault !== 'F19') continue
      offer(
        'F10',
        `gap in ${stream.label} hides: ${deed.label}`,
        () => void this.#guard(deed.run(this).then(() => this.#afterServers(gap))),
      )
    }
    offer('F11', `older cache behind ${stream.label}`, () => {
      server.faults.add({
        match: { verb: 'list' },
        action: { kind: 'stale-read', revisions: 3, allowTimeTravel: true },
        times: 1,
      })
      stream.end('reset')
    })
    if (!stream.stalled && stream.lines.length > 0) {
      offer('F12', `lines of ${stream.label} held`, () => {
        stream.stalled = true
        this.scheduler.timer('world', 5_000, () => (stream.stalled = false))
      })
    }
  }
}

/** Beyond any lease that a subject asks for: somebody else leads when the process wakes (F3). */
const pauseMs = 300_000

const expiredLine = JSON.stringify({
  type: 'ERROR',
  object: {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: 'too old resource version: 1 (2)',
    reason: 'Expired',
    code: 410,
  },
})

function isOfLease({ request }: Flight): boolean {
  return request.target.includes('/leases')
}

function isOfEvent({ request }: Flight): boolean {
  return request.target.includes('/events')
}

/** A dead process starts no more timers, whatever of it still runs to its next await. */
function livingClock(process: SimProcess): Clock {
  const { clock } = process
  const living: Clock = {
    now: () => clock.now(),
    monotonicMs: () => clock.monotonicMs(),
    timer: (delayMs, fire) => (process.alive ? clock.timer(delayMs, fire) : { cancel: () => {} }),
    sleep: (delayMs, signal) => sleepWith(living, delayMs, signal),
  }
  return living
}

function statusResponse(code: number, reason: string, message: string, headers: Record<string, string> = {}): HttpResponse {
  const status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, reason, code }
  return {
    status: code,
    headers: { 'content-type': 'application/json', ...headers },
    body: new TextEncoder().encode(JSON.stringify(status)),
  }
}
