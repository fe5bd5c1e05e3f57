// The faults of docs/rules/reliability.md (`F`), as the simulator knows them. A run enables a subset; each strike is one action of the scheduler, so
// that it can be placed at any point, left out, and found again in a trace.

export const faultNames = {
  F1: 'kill',
  F2: 'kill during restart',
  F3: 'pause beyond the lease',
  F4: 'reply lost after effect',
  F5: '409 or 422',
  F6: '429 with and without a delay hint',
  F7: '500, 503, 504 or reset',
  F8: 'stalled stream',
  F9: 'watch closed, expired, repeated or cut',
  F10: 'relist hiding deletions',
  F11: 'older read cache after reconnect',
  F12: 'cache behind own write',
  F13: 'name lookup or TLS failure',
  F14: 'clock offset, rate or jump',
  F15: 'rights revoked, later restored',
  F16: 'kind absent, later present',
  F17: 'namespace terminating',
  F18: 'foreign edit of owned and of unowned fields',
  F19: 'same name, new uid',
  F20: 'finalizer removed by hand',
  /** Its other half, a memory limit that is reached, is a kill like any other (F1). */
  F26: 'other version as leader',
  // Behind F26, since the place in this list decides which seeds enable a fault: a seed that found something must go on to find it.
  F21: 'cloud throttle, quota or denial',
  F22: 'cloud write visible late',
  F23: 'cloud object changed or deleted by hand',
  F24: 'freed name taken by an adversary',
  F27: 'hostile tenant',
  F28: 'list that leaves one out',
} as const

export type FaultCode = keyof typeof faultNames

export const allFaults: readonly FaultCode[] = Object.keys(faultNames) as FaultCode[]

/** The code in front of a fault action's label, e.g. `F4 lose reply …`. */
export function faultOf(label: string): FaultCode | undefined {
  const code = /^F\d+\b/.exec(label)?.[0]
  return code !== undefined && code in faultNames ? (code as FaultCode) : undefined
}
