// P6: after a write of its own, a key is not worked on before the caches have seen the write. Otherwise the next pass decides on a
// past in which the write never happened: a second child, a lost update (B4).
import type { Clock, Timer } from '#base'
import type { Written } from '../informer/cache.ts'
import type { Follower } from '../plan/target.ts'
import type { Lane } from '../queue/lane.ts'
import { moreUrgent } from '../queue/lane.ts'

export interface HoldsOptions {
  readonly clock: Clock
  /** How long a cache may take before it is asked to list afresh. */
  readonly patienceMs?: number
  readonly onReleased: (id: string, lane: Lane) => void
}

interface Hold {
  readonly pending: Map<object, { readonly follower: Follower; readonly cancel: () => void }>
  /** Set while somebody wanted the key meanwhile. */
  parked: Lane | undefined
  timer: Timer | undefined
}

export class Holds {
  readonly #options: HoldsOptions
  readonly #holds = new Map<string, Hold>()

  constructor(options: HoldsOptions) {
    this.#options = options
  }

  /** The key waits until the follower has seen the write. */
  expect(id: string, follower: Follower, written: Written): void {
    let hold = this.#holds.get(id)
    if (hold === undefined) {
      hold = { pending: new Map(), parked: undefined, timer: undefined }
      this.#holds.set(id, hold)
    }
    const token = {}
    const cancel = follower.whenReached(written, () => this.#reached(id, token))
    hold.pending.set(token, { follower, cancel })
    this.#arm(id, hold)
  }

  isHeld(id: string): boolean {
    return this.#holds.has(id)
  }

  /** Remembers that the key is wanted; `onReleased` will say when it may be worked on. */
  park(id: string, lane: Lane): void {
    const hold = this.#holds.get(id)
    if (hold !== undefined) hold.parked = hold.parked === undefined ? lane : moreUrgent(hold.parked, lane)
  }

  get size(): number {
    return this.#holds.size
  }

  /** Lets go of all without telling anybody. */
  clear(): void {
    for (const hold of this.#holds.values()) {
      hold.timer?.cancel()
      for (const { cancel } of hold.pending.values()) cancel()
    }
    this.#holds.clear()
  }

  #reached(id: string, token: object): void {
    const hold = this.#holds.get(id)
    if (hold === undefined) return
    hold.pending.delete(token)
    if (hold.pending.size > 0) return
    hold.timer?.cancel()
    this.#holds.delete(id)
    if (hold.parked !== undefined) this.#options.onReleased(id, hold.parked)
  }

  /**
   * A write that a selector hides from the cache, or a stream that lost it: a fresh list of each that has not seen its own settles both. A cache that has ended, because its
   * cluster left the fleet, will never see anything: nobody waits for it.
   */
  #arm(id: string, hold: Hold): void {
    hold.timer?.cancel()
    hold.timer = this.#options.clock.timer(this.#options.patienceMs ?? 15_000, () => {
      for (const [token, pending] of hold.pending) {
        if (pending.follower.isOver?.() !== true) continue
        pending.cancel()
        this.#reached(id, token)
      }
      for (const { follower } of hold.pending.values()) follower.relist('an own write has not been seen')
      if (this.#holds.get(id) === hold) this.#arm(id, hold)
    })
  }
}
