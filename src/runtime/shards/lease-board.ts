// All leases of one operator's replicas, by one watch: who is alive, who holds which shard, and when that ends by our own clock, which
// counts from when we saw a renewal and not from what is written in it (W8).
import type { Clock } from '#base'
import type { StoredObject } from '#kube'
import { isLease, type Lease } from '../election/lease.ts'
import type { Change } from '../informer/change.ts'
import { type LeaseName, readLeaseName } from './lease-names.ts'

export interface SeenLease {
  readonly lease: Lease & StoredObject
  readonly is: LeaseName
  /** The lease holds until then, unless it is renewed. */
  readonly endsMs: number
}

export class LeaseBoard {
  readonly #clock: Clock
  readonly #name: string
  readonly #leases = new Map<string, SeenLease>()

  /** `name`: of the lease of a leader. */
  constructor(clock: Clock, name: string) {
    this.#clock = clock
    this.#name = name
  }

  /** The lease, when it is one of ours. */
  see(change: Change): SeenLease | undefined {
    const { object: lease } = change
    const { name } = lease.metadata
    const is = readLeaseName(this.#name, name)
    if (is === undefined || !isLease(lease)) return undefined
    const durationMs = (lease.spec.leaseDurationSeconds ?? 0) * 1_000
    const seen = { lease, is, endsMs: this.#clock.monotonicMs() + durationMs }
    if (change.kind === 'removed') this.#leases.delete(name)
    else this.#leases.set(name, seen)
    return seen
  }

  /** Those that are held and have not run out. */
  living(): readonly SeenLease[] {
    return [...this.#leases.values()].filter(seen => isHeld(seen) && this.#clock.monotonicMs() <= seen.endsMs)
  }

  /** The leases of members that ran out longer ago than this. */
  deadMembers(forMs: number): readonly SeenLease[] {
    return [...this.#leases.values()].filter(
      ({ is, endsMs }) => is.kind === 'member' && this.#clock.monotonicMs() > endsMs + forMs,
    )
  }

  holderOf(name: string): string | undefined {
    const seen = this.#leases.get(name)
    return seen !== undefined && isHeld(seen) && this.#clock.monotonicMs() <= seen.endsMs
      ? seen.lease.spec.holderIdentity
      : undefined
  }

  /** We heard nothing for a while: whoever could not be heard is given the time once more. */
  forgive(): void {
    const nowMs = this.#clock.monotonicMs()
    for (const [name, seen] of this.#leases)
      this.#leases.set(name, { ...seen, endsMs: nowMs + (seen.lease.spec.leaseDurationSeconds ?? 0) * 1_000 })
  }
}

function isHeld({ lease }: SeenLease): boolean {
  return (lease.spec.holderIdentity ?? '') !== ''
}
