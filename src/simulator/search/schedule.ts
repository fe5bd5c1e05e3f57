// A schedule is data: the seed of the world and the steps at which the run departs from the plain order. That makes a failure a line of
// text, and shrinking it a matter of leaving departures out.
import type { FaultCode } from '../faults/faults.ts'

/** At `step`, do the action with this label instead of the first one in line; skipped when it is not on offer. */
export interface Departure {
  readonly step: number
  readonly label: string
}

export interface Schedule {
  readonly seed: string
  readonly faults: readonly FaultCode[]
  /** Fixed departures; with `random`, more are drawn from the seed. */
  readonly departures: readonly Departure[]
  readonly random?: { readonly faultChance: number; readonly reorderChance: number; readonly faultsMax: number }
  /** Rest for a whole virtual day (L2), then restart every process (D4). */
  readonly fullDay?: boolean
  /** What creates objects happens in the opposite order, each in another's place (D3). */
  readonly creationsReversed?: boolean
  /** Instead of as many as the subject asks for. */
  readonly replicas?: number
  /** All processes begin as this version of the program. */
  readonly version?: number
}
