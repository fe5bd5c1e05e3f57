// What all Certs together are at a moment, for gauges: pure, from what the cache holds.

import { conditionTypes } from '../api/conditions.ts'
import type { Cert } from '../api/kinds.ts'
import { type CertState, states } from '../api/status.ts'

export interface Population {
  readonly byState: Readonly<Record<CertState, number>>
  /** For how long the oldest one of a state has been on its way, at rest or failed. */
  readonly oldestSeconds: Readonly<Record<CertState, number>>
  readonly unhealthy: Readonly<Record<UnhealthyRenewal, number>>
  readonly blocked: number
}

export const unhealthyRenewals = ['RenewalFailed', 'PendingValidation', 'NotInUse', 'Overdue'] as const
export type UnhealthyRenewal = (typeof unhealthyRenewals)[number]

export function populationOf(certs: readonly Cert[], nowMs: number): Population {
  const byState = { Pending: 0, Created: 0, Validated: 0, Ready: 0, Failed: 0 }
  const oldestSeconds = { ...byState }
  const unhealthy = { RenewalFailed: 0, PendingValidation: 0, NotInUse: 0, Overdue: 0 }
  let blocked = 0
  for (const cert of certs) {
    const state = stateLabel(cert)
    byState[state]++
    oldestSeconds[state] = Math.max(oldestSeconds[state], secondsIn(cert, state, nowMs))
    const renewal = unhealthyRenewals.find(reason => isSaid(cert, conditionTypes.renewalHealthy, 'False', reason))
    if (renewal !== undefined) unhealthy[renewal]++
    if (cert.metadata.deletionTimestamp !== undefined && isSaid(cert, conditionTypes.deletionBlocked, 'True')) blocked++
  }
  return { byState, oldestSeconds, unhealthy, blocked }
}

export function stateLabel({ status }: Cert): CertState {
  return states.find(state => state === status?.state) ?? 'Pending'
}

/** The step of a Cert that moves to and fro between two states is as old as the whole way: `Reconciling` says since when it is on it. */
function secondsIn({ metadata, status }: Cert, state: CertState, nowMs: number): number {
  const type = state === 'Failed' ? conditionTypes.stalled : state === 'Ready' ? conditionTypes.ready : conditionTypes.reconciling
  const since = status?.conditions?.find(each => each.type === type)?.lastTransitionTime ?? metadata.creationTimestamp
  const sinceMs = Date.parse(since ?? '')
  return Number.isNaN(sinceMs) ? 0 : Math.max(0, (nowMs - sinceMs) / 1_000)
}

function isSaid({ status }: Cert, type: string, value: string, reason?: string): boolean {
  const found = status?.conditions?.find(each => each.type === type)
  return found?.status === value && (reason === undefined || found.reason === reason)
}
