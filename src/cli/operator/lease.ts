// The leases of the leaders: each operator has its own, so that two processes with different operators in common never both lead one.

/**
 * Renewed every ten seconds (M15: the lease must not be the busiest object at rest). The fence closes after twenty without a renewal, which
 * is a quarter of the lease: a clock elsewhere may run four times as fast and still finds us silent (P13).
 */
export const leaseTimes: { readonly leaseDurationMs: number; readonly fenceMs: number; readonly renewMs: number } = {
  leaseDurationMs: 80_000,
  fenceMs: 20_000,
  renewMs: 10_000,
}
