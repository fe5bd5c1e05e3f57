// From a change of a watched object to the claims that it concerns. A mapping that fails is asked again until it answers (P14): the
// trigger stays here, with what the object was and what it is.
import type { Clock, Log, Random, Timer } from '#base'
import { keyOf, renderKey, type StoredObject } from '#kube'
import { type ClaimKey, claimKey, renderClaimKey } from '../claim-key.ts'
import type { Change } from '../informer/change.ts'
import type { Reads } from '../informer/reads.ts'
import { Backoff } from '../queue/backoff.ts'
import type { Lane } from '../queue/lane.ts'
import type { Targets, Watch } from './definition.ts'
import { Turns } from './turns.ts'

export interface FanOutOptions {
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  readonly world: Reads
  add(key: ClaimKey, lane: Lane, afterMs: number): void
  /** Each mapping that failed, each time. */
  onFailure?(watch: Watch): void
}

interface Trigger {
  readonly watch: Watch
  readonly cluster: string
  readonly change: Change
  readonly lane: Lane
  readonly objects: readonly StoredObject[]
}

export class FanOut {
  readonly #options: FanOutOptions
  readonly #backoff: Backoff
  readonly #turns: Turns
  readonly #timers = new Set<Timer>()
  #order = 0
  #closed = false

  constructor(options: FanOutOptions) {
    this.#options = options
    this.#backoff = new Backoff(options.random, { backoffMsMin: 100, backoffMsMax: 60_000 })
    this.#turns = new Turns(options.clock)
  }

  change(watch: Watch, cluster: string, change: Change): void {
    const objects = change.kind === 'changed' ? [change.previous, change.object] : [change.object]
    const lane: Lane = change.kind === 'added' && change.initial ? 'drift' : 'fresh'
    this.#follow({ watch, cluster, change, lane, objects }, `trigger-${this.#order++}`)
  }

  /** Triggers that wait to be tried again. */
  get pending(): number {
    return this.#timers.size
  }

  close(): void {
    this.#closed = true
    for (const timer of this.#timers) timer.cancel()
    this.#timers.clear()
  }

  #follow(trigger: Trigger, id: string): void {
    for (const object of trigger.objects) {
      try {
        const targets = trigger.watch.toClaims(object, this.#options.world, trigger.cluster)
        if (!(targets instanceof Promise)) this.#add(targets, trigger)
        else
          targets
            .then(found => this.#settle(found, trigger, id))
            .catch((error: unknown) => this.#again(trigger, object, id, error))
      } catch (error) {
        this.#again(trigger, object, id, error)
      }
    }
  }

  #settle(found: Targets, trigger: Trigger, id: string): void {
    this.#backoff.reset(id)
    this.#add(found, trigger)
  }

  #add(targets: Targets, { watch, change, lane }: Trigger): void {
    if (this.#closed) return
    for (const target of targets) {
      const key = claimKey(target)
      const pauseMs = watch.pauseMs?.(key, this.#options.world)
      const waits = watch.canWait?.(change, key, this.#options.world) === true
      const afterMs = pauseMs === undefined ? 0 : this.#turns.waitMs(renderClaimKey(key), pauseMs)
      this.#options.add(key, waits ? 'drift' : lane, afterMs)
    }
  }

  #again(trigger: Trigger, object: StoredObject, id: string, error: unknown): void {
    if (this.#closed) return
    const { log, clock } = this.#options
    const delayMs = this.#backoff.next(id)
    this.#options.onFailure?.(trigger.watch)
    log.warn('fan-out failed, will be tried again', {
      object: renderKey(keyOf(object)),
      kind: object.kind,
      error: String(error),
      delayMs,
    })
    const timer = clock.timer(delayMs, () => {
      this.#timers.delete(timer)
      this.#follow({ ...trigger, objects: [object] }, id)
    })
    this.#timers.add(timer)
  }
}
