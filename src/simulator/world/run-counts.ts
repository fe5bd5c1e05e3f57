// What a run counts: faults that struck, invariants that were checked, calls that were in vain and reads. The tallies and the comparisons of
// runs are made of it.
import type { FaultCode } from '../faults/faults.ts'
import { cloudName } from './cloud.ts'
import { keyOfRequest } from './shadow.ts'
import type { Flight } from './wire.ts'

export class RunCounts {
  readonly #faults = new Map<FaultCode, number>()
  readonly #invariants = new Map<string, number>()
  readonly #retries = new Map<string, number>()
  #cloudRetries = 0
  #callsInVain = 0
  #reads = 0

  get faults(): ReadonlyMap<FaultCode, number> {
    return this.#faults
  }

  get invariants(): ReadonlyMap<string, number> {
    return this.#invariants
  }

  /** All calls of processes that failed or were lost, reads and watches too; the lease apart. */
  get callsInVain(): number {
    return this.#callsInVain
  }

  /** Calls by processes that read objects; the lease and watches apart. */
  get reads(): number {
    return this.#reads
  }

  /** Calls to this object that failed, or whose answer was lost, which are tried again (D2). Which object a call to AWS was about is not
   * looked into. */
  retriesOf(server: string, key: string): number {
    return server === cloudName ? this.#cloudRetries : (this.#retries.get(`${server} ${key}`) ?? 0)
  }

  struck(code: FaultCode): void {
    increment(this.#faults, code)
  }

  checked(invariant: string): void {
    increment(this.#invariants, invariant)
  }

  sent(flight: Flight): void {
    const isRead = flight.target === cloudName ? !flight.mutating : flight.request.method === 'GET'
    if (isRead && !isOfLease(flight) && !flight.label.endsWith('?watch')) this.#reads++
  }

  failed(flight: Flight): void {
    if (!isOfLease(flight)) this.#callsInVain++
    if (flight.target === cloudName) this.#cloudRetries++
    else if (flight.mutating) increment(this.#retries, `${flight.target} ${keyOfRequest(flight.request)}`)
  }
}

export function isOfLease({ request }: Flight): boolean {
  return request.target.includes('/leases')
}

function increment<K>(counts: Map<K, number>, key: K): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}
