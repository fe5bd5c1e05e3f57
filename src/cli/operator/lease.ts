// The lease of the leader among the replicas of one process.
import type { OperatorSettings } from './flags.ts'

/** With identity it is the reference's, so that the two never lead at once; a process without it leads beside one that has it. */
export function leaseNameOf({ controllers }: Pick<OperatorSettings, 'controllers'>): string {
  return controllers.has('identity') ? 'aws-workload-identity-operator' : 'vouch-resources'
}

/**
 * Renewed every ten seconds (M15: the lease must not be the busiest object at rest). The fence closes after twenty without a renewal, which
 * is a quarter of the lease: a clock elsewhere may run four times as fast and still finds us silent (P13).
 */
export const leaseTimes: { readonly leaseDurationMs: number; readonly fenceMs: number; readonly renewMs: number } = {
  leaseDurationMs: 80_000,
  fenceMs: 20_000,
  renewMs: 10_000,
}
