// What happens in a simulated world, as it is told: effects at servers, and what the engine says of itself.
import type { KubeObject } from '#kube'
import type { Lane } from '#runtime'

/** An effect at a server: the unit that safety invariants are checked on. */
export interface Effect {
  readonly step: number
  readonly server: string
  /** Process name, or `user`. */
  readonly by: string
  readonly epoch: number
  /** The wall clock of whoever sent it, then. */
  readonly sentAtMs: number
  /** The step of the schedule in which it was sent; absent for what users do. */
  readonly sentStep?: number
  readonly method: string
  readonly target: string
  readonly key: string
  readonly subresource: string | undefined
  readonly before: KubeObject | undefined
  readonly after: KubeObject | undefined
  /** The decoded request body, when it was JSON. */
  readonly body: unknown
}

/** Where the engine tells what only it can know. */
export interface Probe {
  reconcileStarted(controller: string, key: string): void
  /** A worker took a key that had waited for it in its lane (L9). */
  keyTaken(lane: Lane, waitedMs: number): void
  reconcileEnded(controller: string, key: string): void
  /** A cache went through a change (S18). `listing`: which of its lists that belongs to. */
  cacheMoved(cache: string, listing: number, change: CacheChange): void
  /** A promise of the engine's own that the subject has looked at: what is wrong with it, or undefined. */
  expected(code: string, broken: string | undefined): void
  /** Asked of whoever leads, at rest: what it still holds back or tries later (L6). */
  atRest(holdsBack: () => string | undefined): void
}

export interface CacheChange {
  readonly kind: 'added' | 'changed' | 'removed'
  readonly object: KubeObject
}
