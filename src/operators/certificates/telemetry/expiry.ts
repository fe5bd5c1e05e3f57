// When certificates end, as few series: six buckets for all of them, and one series each for those that end soonest.
import type { Cert } from '../api/kinds.ts'

export interface ExpiryOptions {
  readonly nowMs: number
  /** Nearer to its end than this a certificate has a series of its own. */
  readonly thresholdDays: number
  readonly trackedMax: number
}

export interface ExpirySeries {
  readonly uid: string
  readonly namespace: string
  readonly name: string
  readonly days: number
}

export interface Expiry {
  /** Of the six, in their order. Expired certificates are in none. */
  readonly buckets: Readonly<Record<ExpiryBucket, number>>
  readonly expired: number
  /** The most urgent first. */
  readonly tracked: readonly ExpirySeries[]
  /** Inside the threshold, and there is no room for it. */
  readonly untracked: readonly ExpirySeries[]
}

/** Lower bounds in days, inclusive. */
const lowerBounds = { '0-7d': 0, '7-14d': 7, '14-30d': 14, '30-60d': 30, '60-90d': 60, '90d+': 90 } as const

export type ExpiryBucket = keyof typeof lowerBounds

const dayMs = 86_400_000

export function expiryOf(certs: readonly Cert[], { nowMs, thresholdDays, trackedMax }: ExpiryOptions): Expiry {
  const all = certs.flatMap(cert => {
    const days = daysLeft(cert, nowMs)
    return days === undefined
      ? []
      : [{ uid: cert.metadata.uid, namespace: cert.metadata.namespace ?? '', name: cert.metadata.name, days }]
  })
  const urgent = all.filter(({ days }) => days <= thresholdDays).toSorted(bySoonest)
  return {
    buckets: bucketsOf(all),
    expired: all.filter(({ days }) => days <= 0).length,
    tracked: urgent.slice(0, trackedMax),
    untracked: urgent.slice(trackedMax),
  }
}

/** Nothing where there is no certificate. */
function daysLeft({ status }: Cert, nowMs: number): number | undefined {
  const endMs = Date.parse(status?.expirationDate ?? '')
  return status?.certificateArn === undefined || Number.isNaN(endMs) ? undefined : (endMs - nowMs) / dayMs
}

/** Of two that end at once always the same one comes first: the limit must not make series come and go. */
function bySoonest(a: ExpirySeries, b: ExpirySeries): number {
  return a.days - b.days || (a.uid < b.uid ? -1 : 1)
}

function bucketsOf(all: readonly ExpirySeries[]): Expiry['buckets'] {
  const counts = { '0-7d': 0, '7-14d': 0, '14-30d': 0, '30-60d': 0, '60-90d': 0, '90d+': 0 }
  for (const { days } of all) if (days > 0) counts[bucketOf(days)]++
  return counts
}

const bucketNames: readonly ExpiryBucket[] = ['90d+', '60-90d', '30-60d', '14-30d', '7-14d', '0-7d']

function bucketOf(days: number): ExpiryBucket {
  return bucketNames.find(name => days >= lowerBounds[name]) ?? '0-7d'
}
