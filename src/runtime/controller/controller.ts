// A controller at work: changes come in and become keys, workers take keys and make passes, and what a pass says decides when the key
// comes back. Which claims, and what to do about them, is in the definition.
import { given } from '#base'
import { renderKey, type StoredObject } from '#kube'
import { type ClaimKey, claimKey, parseClaimKey, renderClaimKey } from '../claim-key.ts'
import type { Term } from '../election/terms.ts'
import type { Change } from '../informer/change.ts'
import { Altered } from '../plan/altered.ts'
import { Recorder } from '../plan/recorder.ts'
import { TakenClaims } from '../plan/taken-claims.ts'
import { dependencyOf } from '../plan/target.ts'
import { asTroubleUnder } from '../plan/trouble.ts'
import type { WriteRecord, Writer } from '../plan/writer.ts'
import { Breakers } from '../queue/breaker.ts'
import type { Lane } from '../queue/lane.ts'
import { type Taken, WorkQueue } from '../queue/work-queue.ts'
import { openScope, Stopped } from '../scope.ts'
import { noTracer } from '../trace.ts'
import type { AnyController, Watch } from './definition.ts'
import { FanOut } from './fan-out.ts'
import { Holds } from './holds.ts'
import { LeftAlone } from './left-alone.ts'
import { LostWrites } from './lost-writes.ts'
import { countPass, queueMeter } from './meters.ts'
import type { ControllerOptions } from './options.ts'
import { type PassRecord, runPass } from './pass.ts'
import { awaitRound, gateFor, type Round } from './round.ts'
import { ControllerSchedule } from './schedule.ts'
import { openTelling } from './telling.ts'
import { Writers } from './writers.ts'

/** Enough to hide the latency of an API server, few enough not to be its storm. */
const workersDefault = 10
const deadlineMsDefault = 60_000
export class Controller {
  readonly definition: AnyController
  readonly queue: WorkQueue<ClaimKey>
  readonly breakers: Breakers
  readonly holds: Holds
  readonly #options: ControllerOptions
  readonly #schedule: ControllerSchedule
  readonly #altered = new Altered()
  readonly #lost = new LostWrites()
  readonly #writers: Writers
  readonly #recorder: Recorder
  readonly #fanOut: FanOut
  readonly #active = new Map<string, number>()
  readonly #leftAlone = new LeftAlone()
  readonly #taken = new TakenClaims()
  #runningSinceMs = 0

  constructor(options: ControllerOptions) {
    this.#options = options
    this.definition = options.definition
    const { clock, log } = options
    const random = options.random.fork(options.definition.name)
    const workers = this.#workers
    this.queue = new WorkQueue<ClaimKey>({
      clock,
      render: renderClaimKey,
      groupOf: key => `${key.cluster}//${key.namespace}`,
      driftActiveMax: Math.max(1, workers - 1),
      observer: queueMeter(options.metrics, options.definition.name),
    })
    this.#schedule = new ControllerSchedule(options.definition, this.queue, random)
    this.breakers = new Breakers({
      clock,
      random: random.fork('breaker'),
      onClosed: (_dependency, waiting) => {
        for (const id of waiting) this.queue.add(parseClaimKey(id), 'retry')
      },
    })
    this.holds = new Holds({ clock, onReleased: (id, lane) => this.queue.add(parseClaimKey(id), lane) })
    this.#writers = new Writers({ ...options, breakers: this.breakers, holds: this.holds })
    const component = this.definition.eventSource ?? this.definition.name
    this.#recorder = new Recorder({ clock, log, component, instance: options.instance })
    this.#fanOut = new FanOut({
      clock,
      random,
      log,
      world: options.mappingWorld,
      add: (key, lane, afterMs) => this.queue.add(key, lane, afterMs),
      onFailure: watch => options.onMappingFailed?.({ controller: this.definition.name, watch }),
    })
    options.metrics.workersMax.set(workers, this.#labels)
  }

  /** A claim changed. */
  onClaim(cluster: string, change: Change): void {
    if (change.kind === 'removed') this.#taken.forget(change.object.metadata.uid)
    const isKept = this.definition.isWorth?.(change) !== false
    this.#options.onJudged?.({ controller: this.definition.name, isKept })
    if (!isKept) return
    const { namespace = '', name } = change.object.metadata
    this.queue.add({ cluster, namespace, name }, this.#schedule.laneOf(change))
  }

  /** Something changed that claims depend on. */
  onWatched(watch: Watch, cluster: string, change: Change): void {
    if (watch.isWorth?.(change) === false) return
    this.#fanOut.change(watch, cluster, change)
  }

  /** A cluster follows again; the hub when absent. */
  onClusterBack(cluster: string | undefined): void {
    this.#schedule.wake(cluster)
  }

  /** The cluster left the fleet: claims that waited for it are looked at, and its breaker is forgotten. */
  onClusterLeft(cluster: string): void {
    this.onClusterBack(cluster)
    this.breakers.forget(dependencyOf(cluster))
  }

  /** What can be said of the cluster is not what it was. Of what is not listed yet nothing is asked: it comes up by itself. */
  onClusterChanged(cluster: string): void {
    for (const key of this.definition.toClaimsOfCluster?.(cluster, this.#options.mappingWorld) ?? []) this.add(key)
  }

  /** The cluster has been silent for longer than our patience. */
  onClusterAway(cluster: string): void {
    for (const key of this.definition.toClaimsOfAway?.(cluster, this.#options.mappingWorld) ?? []) this.add(key)
  }

  /** Someone knows that these claims are worth a look. */
  add(key: { readonly cluster?: string; readonly namespace: string; readonly name: string }, lane: Lane = 'fresh'): void {
    this.queue.add(claimKey(key), lane)
  }

  /**
   * Some claims that were another replica's are this one's now: those that are known are looked at, and those for which there was a reason
   * meanwhile come first.
   */
  takeUp(known: Iterable<ClaimKey>): void {
    if (this.definition.sharing === 'everyone') return
    // Added a second time, one whose look has begun by then would be looked at twice.
    const added = new Set<string>()
    for (const { key, lane } of this.#leftAlone.takeBack(key => this.#termOf(key) !== undefined)) {
      this.queue.add(key, lane)
      added.add(renderClaimKey(key))
    }
    for (const key of known) if (!added.has(renderClaimKey(key))) this.queue.add(key, 'drift')
  }

  /** Works until the signal aborts, then waits for what is under way. May be called again: a new term of leadership. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, terms } = this.#options
    this.#runningSinceMs = clock.monotonicMs()
    this.#recorder.open(() => openTelling({ clock, fence: terms.process, writers: this.#writers, stop: signal }))
    await Promise.all(Array.from({ length: this.#workers }, () => this.#work(signal)))
    await this.#recorder.close()
  }

  #termOf(key: ClaimKey): Term | undefined {
    const { terms } = this.#options
    return this.definition.sharing === 'everyone' ? { fence: terms.process, isTakenOver: false } : terms.of(key)
  }

  /** Ends for good: no timer, no trigger, no hold is left. */
  close(): void {
    this.queue.close()
    this.holds.clear()
    this.#fanOut.close()
  }

  /** For the gauges that are read rather than kept. */
  collect(): void {
    const { metrics, clock } = this.#options
    const labels = { name: this.definition.name, controller: this.definition.name }
    metrics.queueDepth.set(this.queue.depth(), labels)
    for (const lane of ['fresh', 'retry', 'drift'] as const) {
      metrics.laneDepth.set(this.queue.depth(lane), { controller: this.definition.name, lane })
    }
    const runningMs = [...this.#active.values()].map(startedMs => clock.monotonicMs() - startedMs)
    metrics.unfinishedSeconds.set(runningMs.reduce((sum, ms) => sum + ms, 0) / 1_000, labels)
    metrics.longestRunningSeconds.set(Math.max(0, ...runningMs) / 1_000, labels)
    metrics.workersActive.set(this.#active.size, this.#labels)
    metrics.held.set(this.holds.size, this.#labels)
    metrics.breakersOpen.set(this.breakers.open().length, this.#labels)
  }

  /** Claims that are tried again later and later, and dependencies that are not called: none when all is well (L6). */
  get heldBack(): { readonly claims: number; readonly dependencies: readonly string[] } {
    return { claims: this.#schedule.failing, dependencies: this.breakers.open() }
  }

  get #workers(): number {
    return this.definition.workers ?? workersDefault
  }

  get #labels(): { controller: string } {
    return { controller: this.definition.name }
  }

  async #work(signal: AbortSignal): Promise<void> {
    for (;;) {
      const taken = await this.queue.take(signal)
      if (taken === undefined) return
      if (this.holds.isHeld(taken.id)) {
        this.holds.park(taken.id, taken.lane)
        this.queue.done(taken)
        continue
      }
      const term = this.#termOf(taken.key)
      if (term === undefined) {
        this.#leaveAlone(taken)
        continue
      }
      this.#tellTake(taken)
      const work = this.#workDuring(term, taken, signal)
      term.follow?.(work)
      await work
    }
  }

  /** The claim is another replica's now, and what this one knew of its troubles is forgotten. */
  #leaveAlone(taken: Taken<ClaimKey>): void {
    this.#leftAlone.park(taken.key, taken.lane)
    this.#schedule.forget(taken.id)
    this.breakers.leave(taken.id)
    this.queue.done(taken)
  }

  async #workDuring(term: Term, taken: Taken<ClaimKey>, signal: AbortSignal): Promise<void> {
    if (term.signal === undefined) return this.#workOn(term, taken, signal)
    const stop = openScope({ parents: [signal, term.signal] })
    await this.#workOn(term, taken, stop.signal)
    stop.end()
  }

  #tellTake({ key, lane, waitedMs }: Taken<ClaimKey>): void {
    const workedMs = this.#options.clock.monotonicMs() - this.#runningSinceMs
    this.#options.onTake?.({ controller: this.definition.name, key, lane, waitedMs: Math.min(waitedMs, workedMs) })
  }

  /** One pass under its deadline. One that does not end in time keeps its key (S17) but not its worker (B21). */
  async #workOn({ fence, isTakenOver, ...term }: Term, taken: Taken<ClaimKey>, signal: AbortSignal): Promise<void> {
    const { clock } = this.#options
    const ms = this.definition.deadlineMs ?? deadlineMsDefault
    // Whom this pass does not call, it does not wait for: what turned the claim away before may have nothing to do with it any more.
    this.breakers.leave(taken.id)
    const limit = openScope({ deadline: { clock, ms, what: 'the reconcile' } })
    const scope = openScope({ parents: [signal, limit.signal] })
    const lateTelling = openScope({})
    const telling = openScope({ parents: [signal, lateTelling.signal] })
    const gate = gateFor(fence, telling.signal, [limit, lateTelling])
    const comebacks = this.#schedule.openComebacks()
    this.#active.set(taken.id, clock.monotonicMs())
    const failed = (error: unknown): void =>
      this.#options.log.error('the engine failed', { ...this.#labels, claim: taken.id, error: String(error) })
    const scopes = [limit, scope, lateTelling, telling]
    const pass = this.#pass({
      taken,
      signal: scope.signal,
      telling: telling.signal,
      lastTelling: lateTelling.signal,
      cutOff: limit.signal,
      cutOffTelling: lateTelling.signal,
      stop: signal,
      gate,
      comebacks: comebacks.names,
      ...(isTakenOver ? { seen: this.#taken.seenIn(term.signal ?? signal) } : {}),
    })
      .catch(failed)
      .finally(() => {
        this.#active.delete(taken.id)
        comebacks.close()
        gate.leave()
        for (const each of scopes) each.end()
        this.queue.done(taken)
      })
    const leave = (): void => {
      for (const each of scopes) each.end(new Stopped('stop', 'the controller stops'))
    }
    await awaitRound(pass, { clock, deadlineMs: ms, stop: signal, onStuck: () => this.#tellStuck(taken), leave })
  }

  #tellStuck({ id }: Taken<ClaimKey>): void {
    this.#options.metrics.timeouts.add(this.#labels)
    this.#options.log.error('a reconcile ignores its deadline; its claim is stuck', { ...this.#labels, claim: id })
  }

  async #pass(round: Round): Promise<void> {
    const { definition } = this
    const { taken, signal, gate } = round
    if (await this.#isInDoubt(round)) return
    const writes: WriteRecord[] = []
    const span = (this.#options.tracer ?? noTracer).start('reconcile', {
      controller: definition.name,
      claim: taken.id,
      lane: taken.lane,
    })
    const written = new Map<string, StoredObject>()
    const writerFor = (one: AbortSignal, cutOff: AbortSignal): Writer =>
      this.#writers.ofPass(taken.id, { gate, signal: one, cutOff, writes, written })
    const record = await runPass({
      definition,
      key: taken.key,
      world: this.#options.world,
      claim: this.#claim(taken.key),
      writer: writerFor(signal, round.cutOff),
      teller: writerFor(round.telling, round.cutOffTelling),
      lastTeller: writerFor(round.lastTelling, round.cutOffTelling),
      writes,
      altered: this.#altered,
      recorder: this.#recorder,
      fieldManager: this.#writers.fieldManager,
      failures: this.#schedule.failures(taken.id),
      clock: this.#options.clock,
      log: this.#options.log,
      signal,
      target: cluster => this.#options.target(cluster),
      ...given({ seenClaims: round.seen }),
    })
    for (const { verb, type, key, result } of writes)
      span.event('write', { verb, kind: type.kind, object: renderKey(key), result })
    span.end(record.trouble?.reason)
    countPass(this.#options.metrics, record)
    this.#lost.remember(taken.id, writes)
    this.#after(round, record)
    this.#options.onPass?.(record)
  }

  /** What a stop cut short is the first thing that the next term looks at. */
  #after({ taken, stop, comebacks }: Round, record: PassRecord): void {
    if (stop.aborted) this.queue.add(taken.key, taken.lane)
    else this.#schedule.after(taken, record, { exists: this.#claim(taken.key) !== undefined, comebacks })
  }

  /** Whether a write of an earlier pass has to be looked up, or seen by the cache, before the claim can be decided on. */
  async #isInDoubt(round: Round): Promise<boolean> {
    const { taken, signal, gate } = round
    try {
      const writer = this.#writers.ofPass(taken.id, { gate, signal, writes: [], written: new Map() })
      await this.#lost.settle(taken.id, writer, cluster => this.#options.target(cluster))
    } catch (error) {
      const nothing = { plan: undefined, outcomes: [], writes: [], next: undefined, tookMs: 0 }
      const record = { ...nothing, controller: this.definition.name, key: taken.key, trouble: asTroubleUnder(signal, error) }
      this.#after(round, record)
      return true
    }
    if (!this.holds.isHeld(taken.id)) return false
    this.holds.park(taken.id, taken.lane)
    return true
  }

  #claim(key: ClaimKey): StoredObject | undefined {
    const target = this.#options.target(key.cluster === '' ? undefined : key.cluster)
    const cached = target?.cached(this.definition.claims.type, key)
    return cached?.kind === 'present' ? cached.object : undefined
  }
}
