// When a key comes back after a pass. Every kind of trouble has its own way (P10): at once, later and later, by an event with a slow
// fallback, or not before the spec changes.
import type { Random } from '#base'
import type { StoredCondition } from '#kube'
import { type ClaimKey, parseClaimKey } from '../claim-key.ts'
import type { Change } from '../informer/change.ts'
import { failuresOf } from '../plan/outcome.ts'
import { conditionsIn, readStatus } from '../plan/status.ts'
import { dependencyOf } from '../plan/target.ts'
import type { Trouble } from '../plan/trouble.ts'
import { Backoff, jittered } from '../queue/backoff.ts'
import type { Lane } from '../queue/lane.ts'
import type { Taken, WorkQueue } from '../queue/work-queue.ts'
import type { AnyController } from './definition.ts'
import type { PassRecord } from './pass.ts'

/** An hour on average: whatever can be watched is watched, this is for what cannot. */
const driftMsDefault = 3_600_000
/** The fallback for an event that should come. */
const waitMs = 60_000

export class ControllerSchedule {
  readonly #definition: AnyController
  readonly #queue: WorkQueue<ClaimKey>
  readonly #random: Random
  readonly #backoff: Backoff
  readonly #soon: Backoff
  /** Claims that wait for a cluster, by its dependency name. */
  readonly #turnedAway = new Map<string, Set<string>>()
  /** What came back while a pass is under way, for each of them. */
  readonly #comebacks = new Set<Set<string>>()

  constructor(definition: AnyController, queue: WorkQueue<ClaimKey>, random: Random) {
    this.#definition = definition
    this.#queue = queue
    this.#random = random
    this.#backoff = new Backoff(random.fork('backoff'))
    this.#soon = new Backoff(random.fork('soon'), { backoffMsMin: 10, backoffMsMax: 5_000 })
  }

  /** How often in a row the claim met weather. */
  failures(id: string): number {
    return this.#backoff.failures(id)
  }

  /** How many claims have a delay that grew with their failures: 0 when all is well (L6). */
  get failing(): number {
    return this.#backoff.size + this.#soon.size
  }

  /**
   * Notes the clusters that come back from now on. A pass asks a cache early and is known to wait for it late, after it has written its
   * status: what is whole by then would never wake it (L7).
   */
  openComebacks(): { readonly names: ReadonlySet<string>; close(): void } {
    const names = new Set<string>()
    this.#comebacks.add(names)
    return { names, close: () => void this.#comebacks.delete(names) }
  }

  /** `exists`: a claim that is gone needs no look at its drift. `comebacks`: noted since the pass began. */
  after(
    { key, id }: Taken<ClaimKey>,
    record: PassRecord,
    { exists, comebacks }: { readonly exists: boolean; readonly comebacks: ReadonlySet<string> },
  ): void {
    const { trouble, next } = record
    if (trouble !== undefined) {
      this.#afterTrouble(key, id, trouble)
      this.#rememberTurnedAway(key, id, [trouble, ...failuresOf(record.outcomes)], comebacks)
      return
    }
    this.#forgive(id)
    if (next?.kind === 'look-again') this.#queue.add(key, next.lane ?? 'retry', next.afterMs)
    else if (exists) this.#addDrift(key)
  }

  /** A cluster follows again, or left: those who were turned away for it are looked at now, not when their patience is over (L7). */
  wake(cluster: string | undefined): void {
    const dependency = dependencyOf(cluster)
    const waiting = this.#turnedAway.get(dependency)
    this.#turnedAway.delete(dependency)
    for (const names of this.#comebacks) names.add(dependency)
    for (const id of waiting ?? []) this.#queue.add(parseClaimKey(id), 'retry')
  }

  /** What a restart finds unchanged can wait; what it finds undone cannot (P12). */
  laneOf(change: Change): Lane {
    if (change.kind !== 'added' || !change.initial) return 'fresh'
    const { metadata } = change.object
    if (metadata.deletionTimestamp !== undefined) return 'fresh'
    const place = this.#definition.status ?? { kind: 'subresource', observedGeneration: true }
    if (place.kind === 'none') return 'drift'
    const status = readStatus(change.object, place)
    if (place.kind === 'subresource' && place.conditionGeneration === false) {
      const isReady = ({ type, status: said }: StoredCondition): boolean => type === 'Ready' && said === 'True'
      return conditionsIn(status).some(isReady) ? 'drift' : 'fresh'
    }
    const observed = conditionsIn(status)[0]?.observedGeneration ?? status?.observedGeneration
    return status !== undefined && observed === metadata.generation ? 'drift' : 'fresh'
  }

  #afterTrouble(key: ClaimKey, id: string, trouble: Trouble): void {
    switch (trouble.kind) {
      case 'soon':
        this.#queue.add(key, 'retry', this.#soon.next(id))
        return
      case 'backoff': {
        // Held back by a breaker it never tried: its own patience is not used up, and the breaker will wake it.
        const own = trouble.reason === 'DependencyDown' ? 0 : this.#backoff.next(id)
        this.#queue.add(key, 'retry', Math.max(own, this.#asked(trouble)))
        return
      }
      case 'wait':
        // A clear answer, if not the one hoped for: the weather of before is over, and the next bad moment is a first one (L6).
        this.#forgive(id)
        this.#queue.add(key, 'retry', jittered(trouble.retryAfterMs ?? waitMs, this.#random))
        return
      case 'stop':
        this.#forgive(id)
        this.#addDrift(key)
    }
  }

  /** Somebody else works on the claim. */
  forget(id: string): void {
    this.#forgive(id)
  }

  #forgive(id: string): void {
    this.#backoff.reset(id)
    this.#soon.reset(id)
  }

  /** What the other side asked for, and a little more each, so that they do not all come at its first moment. */
  #asked({ retryAfterMs }: Trouble): number {
    return retryAfterMs === undefined ? 0 : retryAfterMs + jittered(Math.min(1_000, retryAfterMs), this.#random)
  }

  #rememberTurnedAway(key: ClaimKey, id: string, troubles: readonly Trouble[], comebacks: ReadonlySet<string>): void {
    for (const { dependency, kind } of troubles) {
      if (kind !== 'wait' || dependency === undefined) continue
      if (comebacks.has(dependency)) {
        this.#queue.add(key, 'retry')
        return
      }
      const waiting = this.#turnedAway.get(dependency)
      if (waiting === undefined) this.#turnedAway.set(dependency, new Set([id]))
      else waiting.add(id)
    }
  }

  #addDrift(key: ClaimKey): void {
    const driftMs = this.#definition.driftMs ?? driftMsDefault
    if (driftMs > 0) this.#queue.add(key, 'drift', driftMs * (0.75 + this.#random.float() / 2))
  }
}
