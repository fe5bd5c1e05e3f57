// One run: a safety phase in which things may go wrong, a liveness phase in which nothing does, and the questions at the end.
// A schedule is data: the seed of the world and the steps at which the run departs from the plain order. That makes a failure a line of
// text, and shrinking it a matter of leaving departures out.

import { type ApiServer, createApiServer } from '#apiserver'
import { drain, ManualClock } from '#base'
import { type Aws, createAws } from '#emulator'
import type { Effect } from '../effects.ts'
import type { FaultCode } from '../faults/faults.ts'
import { safetyInvariants } from '../invariants.ts'
import type { Deed, Subject } from '../subject.ts'
import type { Violation } from '../world/chronicle.ts'
import type { Picker } from '../world/scheduler.ts'
import type { SimProcess } from '../world/sim-process.ts'
import { World } from '../world/world.ts'
import { Guide } from './guide.ts'
import { countWrites, renderState, type WriteCount } from './outcome.ts'
import type { Departure, Schedule } from './schedule.ts'

export interface RunResult {
  readonly violation: Violation | undefined
  readonly steps: number
  readonly hash: number
  readonly trace: readonly string[]
  /** What was done against the plain order: replaying these without `random` gives the same run. */
  readonly departures: readonly Departure[]
  /** Labels of the faults on offer at each step, when asked for, and of the writes that were sent and had not taken hold yet. */
  readonly offers: readonly (readonly string[])[]
  readonly pendingWrites: readonly (readonly string[])[]
  readonly faults: ReadonlyMap<FaultCode, number>
  readonly invariants: ReadonlyMap<string, number>
  readonly writes: number
  /** For each object, how often processes wrote it, and how many of their calls to it failed or were lost. */
  readonly perObject: ReadonlyMap<string, WriteCount>
  /** Calls of processes that failed or were lost, to whatever object, reads and watches too. */
  readonly callsInVain: number
  readonly finalState: string
}

/** A run that has not ended by then is stuck, which is a failure and no skip. */
const stepsMax = 20_000
const restMs = 120_000
/** Room for a process whose clock runs at half the rate. */
const stopMs = 120_000
/** Long enough for a pause beyond the lease to end by itself while the other replica leads. */
const safetyMsMax = 540_000
const dayMs = 86_400_000

/** Worlds of one subject share their servers' start by forking them. */
export class Arena {
  readonly subject: Subject
  readonly #bases: ReadonlyMap<string, ApiServer>
  readonly #aws: Aws | undefined

  private constructor(subject: Subject, bases: ReadonlyMap<string, ApiServer>, aws: Aws | undefined) {
    this.subject = subject
    this.#bases = bases
    this.#aws = aws
  }

  static async open(subject: Subject): Promise<Arena> {
    const bases = new Map<string, ApiServer>()
    for (const name of subject.servers) {
      const server = createApiServer({
        seed: name,
        clock: new ManualClock(),
        controllers: 'none',
        objects: subject.objects(name),
      })
      await server.settle()
      bases.set(name, server)
    }
    const { cloud } = subject
    if (cloud === undefined) return new Arena(subject, bases, undefined)
    const aws = createAws({ seed: 'aws', clock: new ManualClock(), profile: 'instant', signatures: 'parse', ...cloud.options })
    await cloud.prepare?.(aws)
    await aws.settle()
    return new Arena(subject, bases, aws)
  }

  async close(): Promise<void> {
    for (const server of this.#bases.values()) await server.close()
    await this.#aws?.close()
  }

  async run(schedule: Schedule, options: { listOffers?: boolean } = {}): Promise<RunResult> {
    const world = new World({
      subject: this.subject,
      fork: (name, clock) => (this.#bases.get(name) as ApiServer).fork({ clock, seed: `${schedule.seed}/${name}` }),
      forkAws: clock => this.#aws?.fork({ clock, seed: `${schedule.seed}/aws` }),
      seed: schedule.seed,
      faults: new Set(schedule.faults),
      invariants: [...safetyInvariants, ...this.subject.invariants],
    })
    const guide = new Guide(schedule, options.listOffers ?? false)
    try {
      await live(world, guide, schedule)
    } finally {
      for (const server of world.servers.values()) await server.close()
      await world.cloud?.aws.close()
    }
    return {
      violation: world.violation,
      steps: world.scheduler.steps,
      hash: world.scheduler.hash,
      trace: world.scheduler.trace,
      departures: guide.departures,
      offers: guide.offers,
      pendingWrites: guide.pendingWrites,
      faults: world.counts.faults,
      invariants: world.counts.invariants,
      writes: world.effects.filter(effect => effect.by !== 'user').length,
      perObject: countWrites(world),
      callsInVain: world.counts.callsInVain,
      finalState: renderState(world),
    }
  }
}

async function live(world: World, guide: Guide, schedule: Schedule): Promise<void> {
  const { subject, scheduler } = world
  for (let replica = 0; replica < (schedule.replicas ?? subject.replicas); replica++)
    world.processes.parkStart(`p${replica}`, schedule.version)
  for (const deed of scriptOf(subject, schedule)) world.parkDeed(deed)
  // Safety: until the script is done and the plain order has nothing left to do but wait.
  const { safetyMs = 60_000 } = subject
  await runWhile(world, guide.pick, safetyMsMax + safetyMs, () => busy(world) || scheduler.nowMs < safetyMs)
  if (world.violation !== undefined) return
  // Liveness: nothing goes wrong any more, and everything must come to its fixpoint in bounded time (L1).
  world.heal()
  guide.rest()
  const withinMs = onlyStreamsSuffered(world) ? subject.settleStreamsMs : subject.settleMs
  // Who still means to do something comes first: what he brings about takes its time as well.
  await runWhile(world, guide.pick, scheduler.nowMs + withinMs, () => world.isAnyDeedDue)
  const deadlineMs = scheduler.nowMs + withinMs
  // A final state that a process has not heard of yet is no rest: it will tell of the news of a silent watch whenever that comes.
  const unfinishedIn = (): string | undefined => subject.unfinished(world) ?? newsHeldBack(world)
  await runWhile(world, guide.pick, deadlineMs, () => busy(world) || unfinishedIn() !== undefined)
  world.counts.checked('L1')
  const unfinished = unfinishedIn()
  if (unfinished !== undefined) world.fail('L1', `${unfinished} after ${withinMs} ms without faults`)
  await isUpToDate(world, guide)
  if (world.violation !== undefined) return
  await staysAtRest(world, guide, schedule.fullDay ? dayMs : restMs)
  if (schedule.fullDay === true) {
    await restartsQuietly(world, guide, 'D4', 0)
    // D6: each version is quiet on the state of the other.
    for (let version = 1; version < (subject.versions ?? 1); version++) {
      await restartsQuietly(world, guide, 'D6', version)
      await restartsQuietly(world, guide, 'D6', 0)
    }
  }
  if (world.violation === undefined) await stopsCleanly(world, guide)
}

function scriptOf({ script }: Subject, { creationsReversed }: Schedule): readonly Deed[] {
  if (creationsReversed !== true) return script
  const creations = script.filter(({ creates }) => creates === true)
  return script.map(deed => {
    if (deed.creates !== true) return deed
    const { label, run } = creations.pop() as Deed
    return { ...deed, label, run }
  })
}

/** L1: what no event tells of is told at the next look that time brings. */
async function isUpToDate(world: World, guide: Guide): Promise<void> {
  const outOfDate = (): string | undefined => world.subject.outOfDate?.(world)
  const { settleMs } = world.subject
  await runWhile(world, guide.pick, world.scheduler.nowMs + settleMs, () => outOfDate() !== undefined)
  const left = outOfDate()
  if (left !== undefined) world.fail('L1', `${left} ${settleMs} ms after all else was done`)
}

/** L2: at the fixpoint nothing is written, whatever timers fire. */
async function staysAtRest(world: World, guide: Guide, forMs: number): Promise<void> {
  const { scheduler, subject } = world
  const rates = [...world.processes.values()].map(({ clock }) => clock.rate)
  // Statuses of the last writes may still be under way when the state is already final. Half a minute of a clock that is slow is longer.
  await runWhile(world, guide.pick, scheduler.nowMs + 60_000 / Math.min(1, ...rates), () => true)
  const from = world.effects.length
  const readsBefore = world.counts.reads
  await runWhile(world, guide.pick, scheduler.nowMs + forMs, () => true, 400_000)
  world.counts.checked('L2')
  const reads = world.counts.reads - readsBefore
  const { readsAtRestPerMinute: allowed } = subject
  const perMinute = typeof allowed === 'number' ? allowed : allowed(world, { forMs, effects: world.effects.slice(from) })
  // A minute of whoever reads: a clock that runs faster has more of them.
  const readsMax = Math.ceil((perMinute * forMs * Math.max(1, ...rates)) / 60_000)
  if (reads > readsMax) world.fail('L2', `${reads} reads in ${forMs} ms at rest, where ${readsMax} are allowed`)
  world.counts.checked('L6')
  for (const process of workers(world)) {
    const heldBack = process.holdsBack()
    if (heldBack !== undefined) world.fail('L6', `${process.name} at rest: ${heldBack}`)
  }
  const writes = writesSince(world, from)
  const first = writes[0]
  if (first !== undefined)
    world.fail('L2', `${writes.length} writes at rest, the first: ${first.by} ${first.method} ${first.target}`)
}

const streamFaults: ReadonlySet<string> = new Set(['F8', 'F9', 'F10', 'F11', 'F12'])

/** All who share the work; else who leads. Who lost the lease to somebody else holds back what it was at, and leaves it to whoever leads. */
function workers(world: World): readonly SimProcess[] {
  if (world.subject.leaseOf !== undefined) return [...world.processes.values()]
  const leader = holdsLease(world) ? world.processes.get(world.chronicle.leader().process) : undefined
  return leader === undefined ? [] : [leader]
}

function holdsLease(world: World): boolean {
  const { holder } = world.chronicle.leader()
  if (holder === '') return true
  for (const object of world.subject.servers.flatMap(server => [...world.objects(server)])) {
    if (world.subject.roleOf(object) !== 'lease') continue
    return (object as { spec?: { holderIdentity?: string } }).spec?.holderIdentity === holder
  }
  return true
}

function onlyStreamsSuffered(world: World): boolean {
  return [...world.counts.faults.keys()].every(code => streamFaults.has(code))
}

/** D4: a restart at the fixpoint changes nothing. */
async function restartsQuietly(world: World, guide: Guide, code: 'D4' | 'D6', version: number): Promise<void> {
  if (world.violation !== undefined) return
  const from = world.effects.length
  for (const process of world.processes.values()) world.processes.kill(process.name, version)
  await runWhile(world, guide.pick, world.scheduler.nowMs + world.subject.settleMs, () => true)
  world.counts.checked(code)
  const [first] = writesSince(world, from)
  const what = `a restart at rest as version ${version} writes`
  if (first !== undefined) world.fail(code, `${what}: ${first.by} ${first.method} ${first.target}`)
}

/** What processes wrote since that effect, except for writes of leases. */
function writesSince(world: World, from: number): readonly Effect[] {
  const isLease = ({ after, before }: Effect): boolean => {
    const object = after ?? before
    return object !== undefined && world.subject.roleOf(object) === 'lease'
  }
  return world.effects.slice(from).filter(effect => effect.by !== 'user' && !isLease(effect))
}

/** L5: a graceful stop leaves no timer, watch or connection. */
async function stopsCleanly(world: World, guide: Guide): Promise<void> {
  let stopped = false
  void world.processes.stop().then(() => (stopped = true))
  // What a stop sets going, such as giving the lease back, is there only after this: a world at rest would have no step to take before.
  await drain()
  await runWhile(world, guide.pick, world.scheduler.nowMs + stopMs, () => !stopped)
  // A process that waits for nothing outside ends without a step of the world.
  await drain()
  world.counts.checked('L5')
  if (!stopped) return world.fail('L5', `a process did not stop within ${stopMs} ms`)
  for (const process of world.processes.values()) {
    const timers = world.scheduler.timersOf(process.name)
    if (timers > 0) world.fail('L5', `${process.name} leaves ${timers} timers behind`)
  }
  for (const stream of world.wire.streams) world.fail('L5', `a watch is left open: ${stream.label}`)
}

async function runWhile(world: World, pick: Picker, horizonMs: number, more: () => boolean, limit = stepsMax): Promise<void> {
  for (let steps = 0; more() && world.violation === undefined; steps++) {
    if (steps >= limit)
      return world.fail('L1', `no end after ${limit} steps; the last: ${world.scheduler.trace.slice(-3).join('; ')}`)
    if (!(await world.scheduler.step(pick, horizonMs))) return
  }
}

/** Whether something other than time has to happen. */
function busy(world: World): boolean {
  return world.scheduler.parked.some(action => !world.wire.isHeldLine(action))
}

/** A watch that fell silent and of which there is news: whoever reads it has to notice, and to ask again (L7). */
function newsHeldBack({ wire, processes }: World): string | undefined {
  for (const { process, label, lines } of wire.streams) {
    if (lines.length > 0 && processes.get(process)?.alive === true) return `${lines.length} lines of ${label} are not delivered`
  }
  return undefined
}
