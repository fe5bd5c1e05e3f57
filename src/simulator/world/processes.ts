// The processes of a simulated world: their lives, one after the other under one name, and what each is given to live with.
import type { HttpExchange, HttpRequest, HttpResponse, Keys, Random } from '#base'
import type { ProcessContext } from '../process-context.ts'
import { CacheWatch } from './cache-watch.ts'
import { type Cloud, cloudCallOf, cloudName } from './cloud.ts'
import type { ProbeInputs } from './probe.ts'
import { probeOf } from './probe.ts'
import type { WorldScheduler } from './scheduler.ts'
import { SimClock } from './sim-clock.ts'
import { type SimProcess, seamsOf } from './sim-process.ts'
import type { SimulatedWire } from './wire.ts'

type ProcessCloud = NonNullable<ProcessContext['cloud']>

/** What processes need of the world that they live in. */
export interface Habitat {
  readonly scheduler: WorldScheduler
  readonly wire: SimulatedWire
  readonly cloud: Cloud | undefined
  /** Before a call to the cloud takes hold. */
  letCloudMove(request: HttpRequest): void
  /** Runs one life of a process, until it ends. */
  live(context: ProcessContext): Promise<void>
  serve(server: string): (request: HttpRequest) => Promise<HttpResponse>
  /** Those that processes are given when they ask for some. */
  keys(): Keys | undefined
}

export class Processes {
  readonly #world: Habitat
  readonly #random: Random
  readonly #probe: ProbeInputs
  readonly #byName = new Map<string, SimProcess>()

  constructor(world: Habitat, random: Random, probe: ProbeInputs) {
    this.#world = world
    this.#random = random
    this.#probe = probe
  }

  get(name: string): SimProcess | undefined {
    return this.#byName.get(name)
  }

  values(): Iterable<SimProcess> {
    return this.#byName.values()
  }

  /** Parks the start of a process; a dead one starts its next life, as the version that it was unless another is named. */
  parkStart(name: string, version: number = this.#byName.get(name)?.version ?? 0): void {
    const label = version === 0 ? `start ${name}` : `start ${name} as version ${version}`
    this.#world.scheduler.park({ kind: 'script', label, run: () => this.#start(name, version) })
  }

  /** It starts again as the same version, or as another. */
  kill(name: string, version?: number): void {
    const process = this.#byName.get(name)
    if (process === undefined || !process.alive) return
    process.alive = false
    this.#world.scheduler.dropTimers(name)
    this.#world.wire.cutOff(name, process.epoch)
    this.parkStart(name, version)
  }

  resumeAll(): void {
    for (const process of this.#byName.values()) process.paused = false
  }

  /** Asks every living process to stop. */
  stop(): Promise<unknown> {
    const living = [...this.#byName.values()].filter(process => process.alive)
    for (const process of living) process.abort.abort(new Error('stop'))
    return Promise.all(living.map(process => process.done))
  }

  #start(name: string, version: number): void {
    const process = this.#nextLife(name, version)
    this.#byName.set(name, process)
    const world = this.#world
    const dead = (): boolean => !process.alive
    process.done = world.live({
      name,
      epoch: process.epoch,
      version,
      seams: seamsOf(process, this.#random, world.keys()),
      ...(world.cloud === undefined ? {} : { cloud: this.#cloudOf(world.cloud, process, dead) }),
      connect: server =>
        world.wire.exchange({
          process: name,
          epoch: process.epoch,
          target: server,
          server: world.serve(server),
          dead,
          now: () => process.clock.now(),
        }),
      signal: process.abort.signal,
      probe: probeOf(process, this.#probe),
    })
  }

  #nextLife(name: string, version: number): SimProcess {
    const last = this.#byName.get(name)
    return {
      name,
      epoch: (last?.epoch ?? 0) + 1,
      version,
      alive: true,
      paused: false,
      startedAtStep: this.#world.scheduler.steps,
      clock: last?.clock ?? new SimClock(this.#world.scheduler, name),
      abort: new AbortController(),
      done: Promise.resolve(),
      reconciling: new Set(),
      caches: new CacheWatch(),
      holdsBack: () => undefined,
      provedMs: new Map(),
    }
  }

  #cloudOf(cloud: Cloud, { name, epoch, clock }: SimProcess, dead: () => boolean): ProcessCloud {
    const exchange: HttpExchange = this.#world.wire.exchange({
      process: name,
      epoch,
      target: cloudName,
      server: (request, flight) => {
        this.#world.letCloudMove(request)
        return cloud.serve(request, flight)
      },
      describe: cloudCallOf,
      dead,
      now: () => clock.now(),
    })
    return { exchange, credentials: cloud.aws.adminCredentials() }
  }
}
