// One simulated world: servers, processes, the wire between them, and what can go wrong. It offers faults to the scheduler and tells the
// invariants about each effect; it decides nothing itself.

import type { ApiServer } from '#apiserver'
import { type Clock, type HttpExchange, type HttpResponse, type Random, seededRandom } from '#base'
import type { Aws } from '#emulator'
import type { KubeObject } from '#kube'
import { CacheWatch } from './cache-watch.ts'
import { Cloud, type CloudCall, cloudCallOf, cloudName, type Values } from './cloud.ts'
import { FaultOffers } from '../faults/fault-offers.ts'
import type { FaultCode } from '../faults/faults.ts'
import type { Action } from './scheduler.ts'
import { Scheduler } from './scheduler.ts'
import { keyOfRequest, parseBody, Shadow } from './shadow.ts'
import { SimClock } from './sim-clock.ts'
import { type SimProcess, seamsOf } from './sim-process.ts'
import type { Deed, Effect, Invariant, Lane, Subject } from '../subject.ts'
import { type Flight, Wire } from './wire.ts'

/** A broken invariant ends its run. */
export class Violation extends Error {
  readonly code: string
  constructor(code: string, message: string) {
    super(`${code}: ${message}`)
    this.name = 'Violation'
    this.code = code
  }
}

export class World {
  readonly subject: Subject
  readonly scheduler: Scheduler
  readonly wire: Wire
  readonly servers: ReadonlyMap<string, ApiServer>
  /** What the servers hold, AWS too where there is one. */
  readonly shadows: ReadonlyMap<string, Shadow>
  readonly cloud: Cloud | undefined
  readonly processes: Map<string, SimProcess> = new Map()
  readonly effects: Effect[] = []
  readonly counts: { faults: Map<FaultCode, number>; invariants: Map<string, number> } = {
    faults: new Map(),
    invariants: new Map(),
  }
  violation: Violation | undefined
  /** Uids of claims whose finalizer somebody took off by hand: what they leave behind is nobody's any more (F20). */
  readonly released: Set<string> = new Set()
  /** By server and path: calls that failed, or whose answer was lost, which are tried again (D2). */
  readonly retries: Map<string, number> = new Map()
  /** Those to AWS: which object a call was about is not looked into. */
  cloudRetries = 0
  /** All calls of processes that failed or were lost, reads and watches too; the lease apart. */
  callsInVain = 0
  /** Calls by processes that read objects; the lease and watches apart. */
  reads = 0
  /** The latest leader by the lease, and whether it has acted. */
  leader: { holder: string; process: string; epoch: number; acted: boolean } = { holder: '', process: '', epoch: 0, acted: false }
  /** Faults that this run may suffer. */
  readonly enabled: ReadonlySet<FaultCode>
  /** Answers given instead of the server's while rights are revoked or kinds absent. */
  readonly intercepts: Set<(flight: Flight) => HttpResponse | undefined> = new Set()
  readonly #invariants: readonly Invariant[]
  readonly #random: Random
  readonly #cloudWork = new Set<Promise<unknown>>()
  #healedAtMs: number | undefined

  constructor(options: {
    subject: Subject
    /** Makes the world's own server of this name; its time is the world's. */
    fork: (name: string, clock: Clock) => ApiServer
    forkAws: (clock: Clock) => Aws | undefined
    seed: string
    faults: ReadonlySet<FaultCode>
    invariants: readonly Invariant[]
  }) {
    this.subject = options.subject
    const { servers, cloud } = options.subject
    this.shadows = new Map([...servers, ...(cloud === undefined ? [] : [cloudName])].map(name => [name, new Shadow()]))
    this.#invariants = options.invariants
    this.enabled = options.faults
    this.#random = seededRandom(options.seed)
    const offers = new FaultOffers(this)
    this.scheduler = new Scheduler({ held: action => this.#isHeld(action), faults: () => offers.list() })
    this.servers = new Map(servers.map(name => [name, options.fork(name, new SimClock(this.scheduler, `server ${name}`))]))
    this.cloud = this.#openCloud(options.forkAws)
    this.scheduler.afterStep = () => this.#settleServers()
    this.wire = new Wire(this.scheduler, {
      intercept: flight => this.#intercept(flight),
      sent: flight => this.#sent(flight),
      applied: (flight, response) => this.#applied(flight, response),
      failed: flight => {
        if (!isOfLease(flight)) this.callsInVain++
        if (flight.target === cloudName) this.cloudRetries++
        else if (flight.mutating) increment(this.retries, `${flight.target} ${keyOfRequest(flight.request)}`)
      },
    })
  }

  /** Parks the start of a process; a dead one starts its next life, as the version that it was unless another is named. */
  parkStart(name: string, version: number = this.processes.get(name)?.version ?? 0): void {
    const label = version === 0 ? `start ${name}` : `start ${name} as version ${version}`
    this.scheduler.park({ kind: 'script', label, run: () => this.#start(name, version) })
  }

  /** The deed can happen from `afterMs` on. */
  parkDeed(deed: Deed): void {
    const park = (): void => {
      this.scheduler.park({ kind: 'script', label: `deed ${deed.label}`, run: () => void this.guard(deed.run(this)) })
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
    const response = await this.server(server).as()(request)
    this.#record({ by: 'user', epoch: 0, sentAtMs: 0, server, request, response })
    return { status: response.status, body: parseBody(response.body) }
  }

  /** The same in AWS. Rejects as the call does. */
  async actInCloud(call: CloudCall): Promise<Values> {
    const work = (this.cloud as Cloud).call(call)
    this.#cloudWork.add(work)
    try {
      return await work
    } finally {
      this.#cloudWork.delete(work)
      this.#recordCloud({ by: 'user', epoch: 0, sentAtMs: 0, request: { method: 'POST', target: call.operation } })
    }
  }

  objects(server = 'hub'): Iterable<KubeObject> {
    return (this.shadows.get(server) as Shadow).objects.values()
  }

  find(server: string, key: string): KubeObject | undefined {
    return this.shadows.get(server)?.objects.get(key)
  }

  /** Ends all faults that last: the liveness phase begins. */
  heal(): void {
    this.#healedAtMs = this.scheduler.nowMs
    this.intercepts.clear()
    for (const process of this.processes.values()) process.paused = false
    for (const server of this.servers.values()) server.faults?.clear()
    this.cloud?.aws.faults.clear()
  }

  /** Once the servers have sent what they have to send. */
  async afterServers(then: () => void): Promise<void> {
    await this.#settleServers()
    then()
  }

  async #settleServers(): Promise<void> {
    for (const server of this.servers.values()) await server.settle()
    // Signing takes as many turns of the queue as it takes.
    await Promise.allSettled(this.#cloudWork)
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

  #start(name: string, version: number): void {
    const last = this.processes.get(name)
    const epoch = (last?.epoch ?? 0) + 1
    const process: SimProcess = {
      name,
      epoch,
      version,
      alive: true,
      paused: false,
      startedAtStep: this.scheduler.steps,
      clock: last?.clock ?? new SimClock(this.scheduler, name),
      abort: new AbortController(),
      done: Promise.resolve(),
      reconciling: new Set(),
      caches: new CacheWatch(),
      holdsBack: () => undefined,
      provedMs: undefined,
    }
    this.processes.set(name, process)
    const dead = (): boolean => !process.alive
    process.done = this.guard(
      this.subject.start({
        name,
        epoch,
        version,
        seams: seamsOf(process, this.#random, this.subject.keys?.(this)),
        ...(this.cloud === undefined ? {} : { cloud: this.#cloudOf(this.cloud, process, dead) }),
        connect: server =>
          this.wire.exchange({
            process: name,
            epoch,
            target: server,
            server: this.server(server).as(),
            dead,
            now: () => process.clock.now(),
          }),
        signal: process.abort.signal,
        probe: {
          reconcileStarted: (controller, key) => this.#reconcile(process, `${controller} ${key}`, true),
          reconcileEnded: (controller, key) => this.#reconcile(process, `${controller} ${key}`, false),
          keyTaken: (lane, waitedMs) => this.#expectPrompt(process, lane, waitedMs),
          cacheMoved: (cache, listing, change) => {
            if (!process.alive) return
            const broken = process.caches.moved(cache, listing, change)
            this.#expect('S18', broken === undefined ? undefined : `${name}: ${broken}`)
          },
          expected: (code, broken) => {
            if (process.alive) this.#expect(code, broken === undefined ? undefined : `${name}: ${broken}`)
          },
          atRest: holdsBack => {
            process.holdsBack = holdsBack
          },
        },
      }),
    )
  }

  #openCloud(fork: (clock: Clock) => Aws | undefined): Cloud | undefined {
    const { cloud: subject } = this.subject
    const clock = new SimClock(this.scheduler, `server ${cloudName}`)
    const aws = fork(clock)
    if (subject === undefined || aws === undefined) return undefined
    const objects = (this.shadows.get(cloudName) as Shadow).objects
    return new Cloud({ aws, subject, objects, clock, random: this.#random.fork(cloudName) })
  }

  #cloudOf(
    cloud: Cloud,
    { name, epoch, clock }: SimProcess,
    dead: () => boolean,
  ): NonNullable<Parameters<Subject['start']>[0]['cloud']> {
    const exchange: HttpExchange = this.wire.exchange({
      process: name,
      epoch,
      target: cloudName,
      server: (request, flight) => cloud.serve(request, flight),
      describe: cloudCallOf,
      dead,
      now: () => clock.now(),
    })
    return { exchange, credentials: cloud.aws.adminCredentials() }
  }

  /** It starts again as the same version, or as another. */
  kill(name: string, version?: number): void {
    const process = this.processes.get(name)
    if (process === undefined || !process.alive) return
    process.alive = false
    this.scheduler.dropTimers(name)
    this.wire.cutOff(name, process.epoch)
    this.parkStart(name, version)
  }

  /** A process that throws is a broken process, whatever was done to it. */
  async guard(work: Promise<void>): Promise<void> {
    try {
      await work
    } catch (error) {
      this.fail('crash', error instanceof Error ? (error.stack ?? error.message) : String(error))
    }
  }

  server(name: string): ApiServer {
    const server = this.servers.get(name)
    if (server === undefined) throw new Error(`no server ${name} in this world`)
    return server
  }

  #isHeld(action: Action): boolean {
    if (action.process !== undefined && action.process !== '' && this.processes.get(action.process)?.paused === true) return true
    return this.wire.isHeldLine(action)
  }

  #intercept(flight: Flight): HttpResponse | undefined {
    for (const intercept of this.intercepts) {
      const response = intercept(flight)
      if (response !== undefined) return response
    }
    return undefined
  }

  /** S7, at the sender: leadership was proved recently enough when the call went out. */
  #sent(flight: Flight): void {
    const isRead = flight.target === cloudName ? !flight.mutating : flight.request.method === 'GET'
    if (isRead && !isOfLease(flight) && !flight.label.endsWith('?watch')) this.reads++
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
    const { process: by, epoch, sentAtMs, request } = flight
    if (flight.target === cloudName) return this.#recordCloud({ by, epoch, sentAtMs, request })
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
    this.#judge(effect)
  }

  /** Each object of AWS that is another now. */
  #recordCloud({ by, epoch, sentAtMs, request }: Pick<Effect, 'by' | 'epoch' | 'sentAtMs'> & { request: CloudRequest }): void {
    for (const { key, before, after } of this.cloud?.changes() ?? []) {
      const method = before === undefined ? 'POST' : after === undefined ? 'DELETE' : 'PATCH'
      const { steps: step } = this.scheduler
      const about = { server: cloudName, target: `${request.target} ${key}`, subresource: undefined, body: undefined }
      this.#judge({ step, by, epoch, sentAtMs, method, key, before, after, ...about })
    }
  }

  #judge(effect: Effect): void {
    this.effects.push(effect)
    for (const invariant of this.#invariants) {
      this.counts.invariants.set(invariant.code, (this.counts.invariants.get(invariant.code) ?? 0) + 1)
      const broken = invariant.check(effect, this)
      if (broken !== undefined) this.fail(invariant.code, broken)
    }
    this.subject.react?.(effect, this)
  }

  /** L9: while nothing goes wrong, workers are free soon and take what is most urgent. What waited before is not counted. */
  #expectPrompt(process: SimProcess, lane: Lane, waitedMs: number): void {
    if (!process.alive || this.#healedAtMs === undefined || !process.clock.steady) return
    const waited = Math.min(waitedMs, this.scheduler.nowMs - this.#healedAtMs)
    const allowed = (this.subject.waitsMsMax ?? waitsMsMax)[lane]
    this.#expect('L9', waited <= allowed ? undefined : `${process.name}: a ${lane} key waited ${waited} ms, more than ${allowed}`)
  }

  #expect(code: string, broken: string | undefined): void {
    this.counts.invariants.set(code, (this.counts.invariants.get(code) ?? 0) + 1)
    if (broken !== undefined) this.fail(code, broken)
  }

  #reconcile(process: SimProcess, what: string, started: boolean): void {
    if (!process.alive) return
    this.counts.invariants.set('S17', (this.counts.invariants.get('S17') ?? 0) + 1)
    if (started && process.reconciling.has(what)) this.fail('S17', `${process.name} reconciles ${what} twice at once`)
    if (started) process.reconciling.add(what)
    else process.reconciling.delete(what)
  }
}

type CloudRequest = Pick<Flight['request'], 'method' | 'target'>

/** Without faults calls are answered at once, so a worker is free as soon as it is looked for; drift may wait for others of its kind. */
const waitsMsMax: Readonly<Record<Lane, number>> = { begun: 1_000, fresh: 1_000, retry: 1_000, drift: 60_000 }

function isOfLease({ request }: Flight): boolean {
  return request.target.includes('/leases')
}

export function increment<K>(counts: Map<K, number>, key: K): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

function isOfEvent({ request }: Flight): boolean {
  return request.target.includes('/events')
}
