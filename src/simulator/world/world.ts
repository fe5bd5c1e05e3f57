// One simulated world: servers, processes, the wire between them, and what can go wrong. It tells the invariants about each effect; it
// decides nothing itself. Its parts have files of their own: `processes.ts` (who lives), `chronicle.ts` (what happened), `run-counts.ts` (how
// often), `wire.ts` (calls under way), `witness.ts` (what a call did), `scheduler.ts` (what comes next).

import type { ApiServer } from '#apiserver'
import { type Clock, drain, type HttpResponse, seededRandom } from '#base'
import type { Aws } from '#emulator'
import type { KubeObject } from '#kube'
import type { Effect } from '../effects.ts'
import { FaultOffers } from '../faults/fault-offers.ts'
import type { FaultCode } from '../faults/faults.ts'
import type { Deed, Invariant, Subject } from '../subject.ts'
import { Chronicle, type Violation } from './chronicle.ts'
import { Cloud, type CloudCall, type CloudReply, cloudName } from './cloud.ts'
import { waitsMsMax } from './probe.ts'
import { type Habitat, Processes } from './processes.ts'
import { RunCounts } from './run-counts.ts'
import { type ScheduledAction, WorldScheduler } from './scheduler.ts'
import { parseBody, Shadow } from './shadow.ts'
import { SimClock } from './sim-clock.ts'
import { type Flight, SimulatedWire } from './wire.ts'
import { nobody, Witness } from './witness.ts'

/** Answers a call instead of its server, or lets it pass. */
export type Intercept = (flight: Flight) => HttpResponse | undefined

export interface WorldOptions {
  readonly subject: Subject
  /** Makes the world's own server of this name; its time is the world's. */
  readonly fork: (name: string, clock: Clock) => ApiServer
  readonly forkAws: (clock: Clock) => Aws | undefined
  readonly seed: string
  readonly faults: ReadonlySet<FaultCode>
  readonly invariants: readonly Invariant[]
}

export class World {
  readonly subject: Subject
  readonly scheduler: WorldScheduler
  readonly wire: SimulatedWire
  readonly servers: ReadonlyMap<string, ApiServer>
  /** What the servers hold, AWS too where there is one. */
  readonly shadows: ReadonlyMap<string, Shadow>
  readonly cloud: Cloud | undefined
  readonly processes: Processes
  readonly chronicle: Chronicle = new Chronicle()
  readonly counts: RunCounts = new RunCounts()
  /** Faults that this run may suffer. */
  readonly enabled: ReadonlySet<FaultCode>
  readonly #witness: Witness
  readonly #intercepts = new Set<Intercept>()
  readonly #invariants: readonly Invariant[]
  readonly #cloudWork = new Set<Promise<unknown>>()
  readonly #dueDeeds = new Set<Deed>()
  #healedAtMs: number | undefined
  #faultOffers: FaultOffers | undefined

  constructor({ subject, fork, forkAws, seed, faults, invariants }: WorldOptions) {
    const { servers, cloud } = subject
    this.subject = subject
    this.shadows = new Map([...servers, ...(cloud === undefined ? [] : [cloudName])].map(name => [name, new Shadow()]))
    this.#invariants = invariants
    this.enabled = faults
    const random = seededRandom(seed)
    this.scheduler = new WorldScheduler({ held: action => this.#isHeld(action), faults: () => this.#offers() })
    this.servers = new Map(servers.map(name => [name, fork(name, this.#clockOf(name))]))
    const aws = forkAws(this.#clockOf(cloudName))
    const objects = this.shadows.get(cloudName)?.objects
    if (cloud !== undefined && aws !== undefined && objects !== undefined)
      this.cloud = new Cloud({ aws, subject: cloud, objects, clock: this.#clockOf(cloudName), random: random.fork(cloudName) })
    this.scheduler.afterStep = () => this.#settleServers()
    this.wire = new SimulatedWire(this.scheduler, {
      intercept: flight => this.#intercept(flight),
      sent: flight => this.#witness.sent(flight),
      applied: (flight, response) => this.#witness.applied(flight, response),
      failed: flight => this.counts.failed(flight),
    })
    const habitat: Habitat = {
      letCloudMove: request => this.#witness.letCloudMove(request),
      scheduler: this.scheduler,
      wire: this.wire,
      cloud: this.cloud,
      live: context => this.guard(subject.start(context)),
      serve: name => this.server(name).as(),
      keys: () => subject.keys?.(this),
    }
    this.processes = new Processes(habitat, random, {
      expect: (code, broken) => this.expect(code, broken),
      healedForMs: () => (this.#healedAtMs === undefined ? undefined : this.scheduler.nowMs - this.#healedAtMs),
      passBegan: (process, controller, key) => this.chronicle.passBegan(process, controller, key, this.scheduler.steps),
      waitsMsMax: subject.waitsMsMax ?? waitsMsMax,
    })
    const { scheduler, shadows, processes, chronicle, counts } = this
    this.#witness = new Witness({
      subject,
      scheduler,
      shadows,
      cloud: this.cloud,
      processes,
      chronicle,
      counts,
      expect: (code, broken) => this.expect(code, broken),
      judge: effect => this.#judge(effect),
    })
  }

  get effects(): readonly Effect[] {
    return this.chronicle.effects
  }

  /** Uids of claims whose finalizer somebody took off by hand (F20). */
  get released(): ReadonlySet<string> {
    return this.chronicle.released
  }

  get violation(): Violation | undefined {
    return this.chronicle.violation
  }

  fail(code: string, message: string): void {
    this.chronicle.fail(code, message)
  }

  /** Counts that an invariant was looked at, and fails the run when there is a text of what is broken. */
  expect(code: string, broken: string | undefined): void {
    this.counts.checked(code)
    if (broken !== undefined) this.fail(code, broken)
  }

  /** The deed can happen from `afterMs` on. */
  parkDeed(deed: Deed): void {
    this.#dueDeeds.add(deed)
    const run = (): void => {
      this.#dueDeeds.delete(deed)
      void this.guard(deed.run(this))
    }
    const park = (): void => void this.scheduler.park({ kind: 'script', label: `deed ${deed.label}`, run })
    if (deed.afterMs === undefined) park()
    else this.scheduler.timer('world', deed.afterMs, park)
  }

  /** Whether somebody still means to do something. */
  get isAnyDeedDue(): boolean {
    return this.#dueDeeds.size > 0
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
    this.#witness.record({ by: 'user', epoch: 0, sentAtMs: 0, server, request, response })
    return { status: response.status, body: parseBody(response.body) }
  }

  /** What a user or a stranger does in AWS. Rejects as the call does. */
  async actInCloud(call: CloudCall): Promise<CloudReply> {
    const request = { method: 'POST', target: call.operation }
    this.#witness.letCloudMove(request)
    const work = (this.cloud as Cloud).call(call)
    this.#cloudWork.add(work)
    try {
      return await work
    } finally {
      this.#cloudWork.delete(work)
      this.#witness.recordCloud({ ...nobody, request })
    }
  }

  /** Somebody changes what a service beside the emulator has. */
  meddle(label: string, change: () => void): void {
    change()
    this.#witness.recordCloud({ ...nobody, request: { method: 'POST', target: label } })
  }

  objects(server = 'hub'): Iterable<KubeObject> {
    return (this.shadows.get(server) as Shadow).objects.values()
  }

  find(server: string, key: string): KubeObject | undefined {
    return this.shadows.get(server)?.objects.get(key)
  }

  server(name: string): ApiServer {
    const server = this.servers.get(name)
    if (server === undefined) throw new Error(`no server ${name} in this world`)
    return server
  }

  /**
   * Adds a function that is asked about each call before the server sees the call. The returned function takes it away again, and so
   * does `heal`.
   */
  intercept(intercept: Intercept): () => void {
    this.#intercepts.add(intercept)
    return () => this.#intercepts.delete(intercept)
  }

  /** Ends all faults that last: the liveness phase begins. */
  heal(): void {
    this.#healedAtMs = this.scheduler.nowMs
    this.#intercepts.clear()
    this.processes.resumeAll()
    for (const server of this.servers.values()) server.faults?.clear()
    this.cloud?.aws.faults.clear()
  }

  /** Once the servers have sent what they have to send. */
  async afterServers(then: () => void): Promise<void> {
    await this.#settleServers()
    then()
  }

  /** A process that throws is a broken process, whatever was done to it. */
  async guard(work: Promise<void>): Promise<void> {
    try {
      await work
    } catch (error) {
      this.fail('crash', error instanceof Error ? (error.stack ?? error.message) : String(error))
    }
  }

  #offers(): readonly ScheduledAction[] {
    // Made when it is first asked: by then all that it strikes is there.
    this.#faultOffers ??= new FaultOffers({
      enabled: this.enabled,
      counts: this.counts,
      scheduler: this.scheduler,
      wire: this.wire,
      processes: this.processes,
      cloud: this.cloud,
      versions: this.subject.versions ?? 1,
      disturbances: this.subject.disturbances.map(deed => ({
        fault: deed.fault,
        label: deed.label,
        run: () => deed.run(this),
      })),
      server: name => this.server(name),
      intercept: intercept => this.intercept(intercept),
      guard: work => this.guard(work),
      afterServers: then => this.afterServers(then),
    })
    return this.#faultOffers.list()
  }

  #clockOf(server: string): SimClock {
    return new SimClock(this.scheduler, `server ${server}`)
  }

  async #settleServers(): Promise<void> {
    await Promise.all(this.#settled())
    if (this.#cloudWork.size === 0) return
    // Signing takes as many turns of the queue as it takes.
    await Promise.allSettled(this.#cloudWork)
    await drain()
  }

  /** Waits for all servers together: each of them takes a turn of the promise queue, which is most of what a quiet step costs. */
  #settled(): readonly Promise<void>[] {
    return [...this.servers.values()].map(server => server.settle())
  }

  #isHeld(action: ScheduledAction): boolean {
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

  #judge(effect: Effect): void {
    this.chronicle.add(effect)
    for (const invariant of this.#invariants) this.expect(invariant.code, invariant.check(effect, this))
    this.subject.react?.(effect, this)
  }
}
