// How long an operator of ours holds what it leads, and how often it says so.

/**
 * At rest renewed every ten seconds (M15: the lease must not be the busiest object of a quiet cluster), while something is written every
 * second. The fence closes a quarter of the lease after a renewal: a clock elsewhere may run four times as fast and still finds us silent
 * (P13). A leader that crashes is followed when its lease runs out: within fifteen seconds, wherever in its interval it was.
 */
export const leaseTimes: {
  readonly leaseDurationMs: number
  readonly fenceMs: number
  readonly renewMs: number
  readonly restMs: number
} = {
  leaseDurationMs: 14_000,
  fenceMs: 3_500,
  renewMs: 1_000,
  restMs: 10_000,
}
