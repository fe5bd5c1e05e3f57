// What becomes of a cluster that was begun already: it is worked on still, it is done, or its time is over.
import type { Instant } from '#base'
import type { ClusterProgress, PlannedCluster } from './progress.ts'
import type { Strategy } from './strategy.ts'

export type Classified =
  /** It takes a place among those that are being worked on. */
  | { readonly kind: 'in-flight'; readonly entry: PlannedCluster }
  /** Its deadline has passed just now. */
  | { readonly kind: 'timed-out'; readonly entry: PlannedCluster }
  | { readonly kind: 'settled'; readonly entry: ClusterProgress }

export type Times = Pick<Strategy, 'deadlineMs' | 'soakMs'> & { readonly now: Instant }

/** At the limit itself the time is over, for the soak as for the deadline (§6.8 item 4). */
export function classify(entry: ClusterProgress, { deadlineMs, soakMs, now }: Times): Classified {
  switch (entry.state) {
    case 'ToApply':
      return { kind: 'in-flight', entry }
    case 'Succeeded': {
      const recheckAt = (entry.since ?? now) + soakMs
      return now < recheckAt ? { kind: 'in-flight', entry: { ...entry, recheckAt } } : { kind: 'settled', entry }
    }
    case 'Progressing':
    case 'Failed': {
      if (deadlineMs === undefined) return { kind: 'in-flight', entry }
      // Without a time it could not run out. Whoever asks gives one where one can be told.
      const recheckAt = (entry.since ?? now) + deadlineMs
      return now < recheckAt
        ? { kind: 'in-flight', entry: { ...entry, recheckAt } }
        : { kind: 'timed-out', entry: { ...entry, state: 'TimeOut', recheckAt } }
    }
    default:
      return { kind: 'settled', entry }
  }
}

export function hasFailed({ entry }: Classified): boolean {
  return entry.state === 'Failed' || entry.state === 'TimeOut'
}
