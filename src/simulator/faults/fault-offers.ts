// What could go wrong in a world at this instant: each strike is an action that the scheduler may pick, with a label that names its place.
import type { ApiServer } from '#apiserver'
import { HttpFailure, type HttpResponse } from '#base'
import type { AwsFaultEffect } from '#emulator'
import { type Cloud, cloudName } from '../world/cloud.ts'
import type { Processes } from '../world/processes.ts'
import type { ScheduledAction, WorldScheduler } from '../world/scheduler.ts'
import type { SimProcess } from '../world/sim-process.ts'
import type { Stream } from '../world/stream.ts'
import type { Flight, SimulatedWire } from '../world/wire.ts'
import type { FaultCode } from './faults.ts'

/** What faults strike: a world, and what users and strangers may do in it. */
export interface Struck {
  readonly enabled: ReadonlySet<FaultCode>
  readonly counts: { struck(code: FaultCode): void }
  readonly scheduler: WorldScheduler
  readonly wire: SimulatedWire
  readonly processes: Pick<Processes, 'get' | 'values' | 'kill'>
  readonly cloud: Cloud | undefined
  readonly versions: number
  readonly disturbances: readonly { readonly fault: FaultCode; readonly label: string; run(): Promise<void> }[]
  server(name: string): ApiServer
  intercept(intercept: (flight: Flight) => HttpResponse | undefined): () => void
  guard(work: Promise<void>): Promise<void>
  afterServers(then: () => void): Promise<void>
}

type Offer = (code: FaultCode, what: string, run: () => void) => void

export class FaultOffers {
  readonly #world: Struck

  constructor(world: Struck) {
    this.#world = world
  }

  /** Everything that could go wrong at this instant, in a stable order. */
  list(): ScheduledAction[] {
    const offered: ScheduledAction[] = []
    const offer: Offer = (code, what, run) => {
      if (!this.#world.enabled.has(code)) return
      const strike = (): void => {
        this.#world.counts.struck(code)
        run()
      }
      offered.push({ kind: 'fault', label: `${code} ${what}`, run: strike })
    }
    for (const process of this.#world.processes.values()) if (process.alive) this.#offerProcessFaults(process, offer)
    for (const flight of this.#world.wire.flights)
      if (this.#world.processes.get(flight.process)?.alive) {
        if (flight.target === cloudName) this.#offerCloudFaults(flight, offer)
        else this.#offerCallFaults(flight, offer)
      }
    for (const stream of this.#world.wire.streams) this.#offerStreamFaults(stream, offer)
    for (const deed of this.#world.disturbances) offer(deed.fault, deed.label, () => void this.#world.guard(deed.run()))
    return offered
  }

  #offerProcessFaults(process: SimProcess, offer: Offer): void {
    const young = this.#world.scheduler.steps - process.startedAtStep < 12 && process.epoch > 1
    offer(young ? 'F2' : 'F1', `kill ${process.name}`, () => this.#world.processes.kill(process.name))
    for (let version = 0; version < this.#world.versions; version++) {
      if (version !== process.version)
        offer('F26', `${process.name} becomes version ${version}`, () => this.#world.processes.kill(process.name, version))
    }
    if (!process.paused) {
      offer('F3', `pause ${process.name}`, () => {
        process.paused = true
        this.#world.scheduler.timer('world', pauseMs, () => (process.paused = false))
      })
    }
    offer('F14', `clock of ${process.name} jumps an hour`, () => process.clock.jump(3_600_000))
    offer('F14', `clock of ${process.name} jumps back`, () => process.clock.jump(-7_200_000))
    offer('F14', `clock of ${process.name} runs at half the rate`, () => process.clock.setRate(0.5))
    offer('F14', `clock of ${process.name} runs at twice the rate`, () => process.clock.setRate(2))
    offer('F15', `rights of ${process.name} revoked for a minute`, () =>
      this.#forAMinute(flight =>
        flight.process === process.name &&
        flight.target !== cloudName &&
        flight.mutating &&
        !flight.request.target.includes('/leases')
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
    const end = this.#world.intercept(intercept)
    this.#world.scheduler.timer('world', 60_000, end)
  }

  #offerCallFaults(flight: Flight, offer: Offer): void {
    const answer = (status: number, reason: string, headers: Record<string, string> = {}): void => {
      this.#world.wire.drop(flight)
      flight.state = 'sent'
      const deliver = (): void => flight.settle(statusResponse(status, reason, 'injected', headers))
      this.#world.scheduler.park({
        kind: 'deliver',
        label: `reply ${status} ${flight.label}`,
        process: flight.process,
        run: deliver,
      })
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
      this.#offerNoAnswer(flight, offer)
    }
    if (flight.deliver !== undefined && flight.mutating) {
      offer('F4', `reply lost of ${flight.label}`, () => flight.settle(new HttpFailure('reset', 'reply lost')))
      offer('F4', `reply of ${flight.label} becomes 504`, () => flight.settle(statusResponse(504, 'Timeout', 'reply lost')))
    }
  }

  /** Offers that a call never gets an answer. */
  #offerNoAnswer(flight: Flight, offer: Offer): void {
    const cut = (code: 'reset' | 'unreachable'): void => {
      this.#world.wire.drop(flight)
      flight.state = 'sent'
      flight.settle(new HttpFailure(code, 'injected'))
    }
    offer('F7', `reset for ${flight.label}`, () => cut('reset'))
    offer('F13', `unreachable for ${flight.label}`, () => cut('unreachable'))
  }

  /** What AWS answers when it refuses, the emulator knows: it is told to. */
  #offerCloudFaults(flight: Flight, offer: Offer): void {
    const { cloud } = this.#world
    if (cloud !== undefined && flight.state === 'sent' && flight.apply !== undefined) {
      const strike = (effect: AwsFaultEffect) => (): void => cloud.strike(flight.id, effect)
      offer('F7', `500 for ${flight.label}`, strike({ kind: 'error', code: 'InternalFailure', http: 500 }))
      offer('F7', `502 in HTML for ${flight.label}`, strike({ kind: 'html-502' }))
      offer('F21', `throttle of ${flight.label}`, strike({ kind: 'throttle' }))
      offer('F21', `denial of ${flight.label}`, strike({ kind: 'error', code: 'AccessDenied', http: 403 }))
      if (flight.mutating) {
        offer('F21', `quota for ${flight.label}`, strike({ kind: 'error', code: 'LimitExceeded', http: 409 }))
      } else offer('F22', `answer of old to ${flight.label}`, strike({ kind: 'stale-read', ageMs: visibilityMs }))
      if (/ (?:GET \S+ \S+|List\w+|Describe\w+)$/.test(flight.label))
        offer('F28', `one left out of ${flight.label}`, strike({ kind: 'partial-list' }))
      this.#offerNoAnswer(flight, offer)
    }
    if (flight.deliver !== undefined && flight.mutating) {
      offer('F4', `reply lost of ${flight.label}`, () => flight.settle(new HttpFailure('reset', 'reply lost')))
      offer('F4', `reply of ${flight.label} becomes 503`, () => flight.settle({ status: 503, headers: {}, body: null }))
    }
  }

  #offerStreamFaults(stream: Stream, offer: Offer): void {
    if (!stream.stalled) offer('F8', `stall of ${stream.label}`, () => (stream.stalled = true))
    offer('F9', `end of ${stream.label}`, () => stream.end('clean'))
    offer('F9', `reset of ${stream.label}`, () => stream.end('reset'))
    offer('F9', `half a line of ${stream.label}`, () => stream.end('cut'))
    offer('F9', `line of ${stream.label} again`, () => stream.repeatLast())
    const outdated = stream.outdated()
    if (outdated !== undefined) offer('F9', `outdated line of ${stream.label} again`, () => stream.repeat(outdated))
    offer('F9', `expiry of ${stream.label}`, () => stream.inject(expiredLine))
    const server = this.#world.server(stream.label.split(' ')[1] ?? '')
    const gap = (): void => {
      server.faults.compact()
      stream.end('reset')
    }
    offer('F10', `gap in ${stream.label}`, gap)
    // What was deleted meanwhile is not in any line: only comparing the next list with what was held shows it.
    for (const deed of this.#world.disturbances) {
      if (deed.fault !== 'F19') continue
      offer(
        'F10',
        `gap in ${stream.label} hides: ${deed.label}`,
        () => void this.#world.guard(deed.run().then(() => this.#world.afterServers(gap))),
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
        this.#world.scheduler.timer('world', 5_000, () => (stream.stalled = false))
      })
    }
  }
}

/** As long as IAM's changes are seen to take to be everywhere. */
const visibilityMs = 10_000

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

function statusResponse(code: number, reason: string, message: string, headers: Record<string, string> = {}): HttpResponse {
  const status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, reason, code }
  return {
    status: code,
    headers: { 'content-type': 'application/json', ...headers },
    body: new TextEncoder().encode(JSON.stringify(status)),
  }
}
