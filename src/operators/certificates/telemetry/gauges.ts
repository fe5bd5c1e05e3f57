// Gauges over all Certs. Each collection begins empty: what is no more has no series, and a follower has none.
import type { MetricLabels, Metrics } from '#runtime'
import type { Cert } from '../api/kinds.ts'
import { states } from '../api/status.ts'
import type { Zones } from '../zones/zones.ts'
import type { expiryOf } from './expiry.ts'
import { populationOf, unhealthyRenewals } from './population.ts'

/** More zones than this share one series. */
const zonesMax = 50

export interface PopulationGauges {
  clear(): void
  set(all: readonly Cert[], at: { readonly expiry: ReturnType<typeof expiryOf>; readonly nowMs: number }): void
  zone(labels: MetricLabels, isHealthy: boolean): void
}

type Gauge = ReturnType<Metrics['gauge']>
type Put = (gauge: Gauge, value: number, labels?: MetricLabels) => void

export function populationGauges(metrics: Metrics): PopulationGauges {
  const gauges = registered(metrics)
  let held: (() => void)[] = []
  const put: Put = (gauge, value, labels = {}) => {
    gauge.set(value, labels)
    held.push(() => gauge.remove(labels))
  }
  return {
    clear: () => {
      for (const remove of held) remove()
      held = []
    },
    set: (all, { expiry, nowMs }) => {
      putExpiry(gauges, expiry, put)
      putPopulation(gauges, populationOf(all, nowMs), put)
    },
    zone: (labels, isHealthy) => put(gauges.zones, isHealthy ? 1 : 0, labels),
  }
}

type GaugeName = 'byBucket' | 'days' | 'untracked' | 'expired' | 'byState' | 'oldest' | 'unhealthy' | 'blocked' | 'zones'
type Registered = Readonly<Record<GaugeName, Gauge>>

function registered(metrics: Metrics): Registered {
  return {
    byBucket: metrics.gauge('cert_operator_certificate_expiry_buckets', 'Certificates by the days that are left to them.'),
    days: metrics.gauge('cert_operator_certificate_expiry_days', 'Days until a certificate ends, of those that end soonest.'),
    untracked: metrics.gauge(
      'cert_operator_certificates_not_tracked',
      'Certificates without a series of their own for want of room.',
    ),
    expired: metrics.gauge('cert_operator_certificates_expired', 'Certificates that are past their end.'),
    byState: metrics.gauge('cert_operator_certificates_total', 'Certs by state.'),
    oldest: metrics.gauge(
      'cert_operator_oldest_in_state_seconds',
      'For how long the oldest Cert of a state has been on its way to another.',
    ),
    unhealthy: metrics.gauge('cert_operator_renewal_unhealthy', 'Certificates whose renewal is no matter of course, by reason.'),
    blocked: metrics.gauge('cert_operator_deletions_blocked', 'Certs that go, and wait for something.'),
    zones: metrics.gauge('cert_operator_zone_healthy', 'Whether Route 53 has the hosted zone, and it is public.'),
  }
}

function putExpiry({ byBucket, days, untracked, expired }: Registered, expiry: ReturnType<typeof expiryOf>, put: Put): void {
  for (const [bucket, count] of Object.entries(expiry.buckets)) put(byBucket, count, { bucket })
  for (const { namespace, name, days: left } of expiry.tracked) put(days, left, { namespace, name })
  put(untracked, expiry.untracked.length)
  put(expired, expiry.expired)
}

function putPopulation(gauges: Registered, population: ReturnType<typeof populationOf>, put: Put): void {
  for (const state of states) {
    put(gauges.byState, population.byState[state], { state })
    put(gauges.oldest, population.oldestSeconds[state], { state })
  }
  for (const reason of unhealthyRenewals) put(gauges.unhealthy, population.unhealthy[reason], { reason })
  put(gauges.blocked, population.blocked)
}

export function zoneGauges(gauges: PopulationGauges, known: Pick<Zones, 'registry' | 'facts'>): void {
  let othersHealthy: boolean | undefined
  for (const [index, zone] of known.registry.zones.entries()) {
    const found = known.facts(zone)
    // Not asked yet: nothing is said.
    if (found === undefined) continue
    const isHealthy = found.exists && found.isPrivate !== true && (found.name ?? zone.name) === zone.name
    if (index < zonesMax) gauges.zone({ zone: zone.name }, isHealthy)
    else othersHealthy = (othersHealthy ?? true) && isHealthy
  }
  if (othersHealthy !== undefined) gauges.zone({ zone: 'other' }, othersHealthy)
}
