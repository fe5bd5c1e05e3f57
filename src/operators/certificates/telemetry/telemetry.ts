// What is counted of Certs. Gauges over all of them are read from the cache at each scrape, and only while this process leads: followers
// would tell the same a second time. No label holds an ARN, a domain, the id of a zone or the text of an error.
import type { Clock } from '#base'
import type { StoredObject } from '#kube'
import type { Companion, Counter, Manager, MetricLabels, Metrics, PassRecord, RunningOperator } from '#runtime'
import { type Cert, certKind } from '../api/kinds.ts'
import { states } from '../api/status.ts'
import type { Zones } from '../zones/zones.ts'
import type { CallMetrics } from './call-metrics.ts'
import { callMetrics } from './calls.ts'
import { type ExpirySeries, expiryOf } from './expiry.ts'
import { populationOf, stateLabel, unhealthyRenewals } from './population.ts'

export interface CertTelemetryOptions {
  readonly metrics: Metrics
  readonly clock: Pick<Clock, 'now' | 'monotonicMs'>
  /** By the clock of AWS, which dates what ends. */
  nowMs(): number
  readonly zones: Pick<Zones, 'registry' | 'facts'>
  readonly thresholdDays: number
  readonly trackedMax: number
  readonly controller: string
}

export interface CertTelemetry {
  readonly calls: CallMetrics
  readonly webhookRequests: Counter
  readonly letThrough: Counter
  readonly reloads: Counter
  readonly ofManager: NonNullable<RunningOperator['telemetry']>
  /** Runs while this process leads. */
  readonly companion: Companion
  attach(manager: Pick<Manager, 'world'>): void
}

const reconcileSeconds = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]
const readySeconds = [30, 60, 120, 300, 600, 1_800, 3_600, 21_600, 86_400, 259_200]
/** More zones than this share one series. */
const zonesMax = 50

export function createTelemetry(options: CertTelemetryOptions): CertTelemetry {
  const { metrics, clock, controller } = options
  const passes = metrics.histogram('cert_operator_reconcile_duration_seconds', 'Time of passes over Certs.', reconcileSeconds)
  const untrackedTotal = metrics.counter(
    'cert_operator_certificates_not_tracked_total',
    'Certificates for which there was no room among the series of single ones, each once.',
  )
  const timeToReady = metrics.histogram('cert_operator_time_to_ready_seconds', 'From a Cert to its certificate.', readySeconds)
  const renewals = metrics.counter('cert_operator_renewals_total', 'Renewals by ACM, by result.')
  const webhookRequests = metrics.counter('cert_operator_webhook_requests_total', 'Reviews of Certs, by result.')
  const letThrough = metrics.counter('cert_operator_webhook_fail_open_total', 'Certs that were let through without a check.')
  const reloads = metrics.counter(
    'cert_operator_config_reload_total',
    'Readings of the zone file that changed something, or failed.',
  )
  const leader = metrics.gauge('cert_operator_leader', 'Whether this process leads.')
  untrackedTotal.add({}, 0)
  letThrough.add({}, 0)
  for (const result of ['success', 'failed']) renewals.add({ result }, 0)
  for (const result of ['allowed', 'denied', 'error']) webhookRequests.add({ result }, 0)
  for (const success of ['true', 'false']) reloads.add({ success }, 0)
  const gauges = populationGauges(metrics)
  const toldUntracked = new Set<string>()
  let world: Manager['world'] | undefined
  let leads = false
  const certs = (): readonly Cert[] => (world?.isSynced(certKind.type) === true ? world.list<Cert>(certKind.type) : [])
  metrics.collect(() => {
    leader.set(leads ? 1 : 0)
    gauges.clear()
    if (!leads) return
    const all = certs()
    const nowMs = options.nowMs()
    const expiry = expiryOf(all, { ...options, nowMs })
    gauges.set(all, { expiry, nowMs })
    zoneGauges(gauges, options.zones)
    countOnce(expiry.untracked, { told: toldUntracked, counter: untrackedTotal, all })
  })
  return {
    calls: callMetrics(metrics, clock),
    webhookRequests,
    letThrough,
    reloads,
    ofManager: {
      onPass: record => {
        if (record.controller === controller) passes.observe(record.tookMs / 1_000, passLabels(record, world))
      },
      onMove: ({ change }) => {
        if (!leads || change.kind !== 'changed' || !isCert(change.object) || !isCert(change.previous)) return
        const [before, after] = [change.previous, change.object]
        if (before.status?.certReady !== true && after.status?.certReady === true)
          timeToReady.observe(secondsToReady(after, clock.now()))
        const renewed = renewalResult(before, after)
        if (renewed !== undefined) renewals.add({ result: renewed })
      },
    },
    companion: {
      name: 'telemetry',
      run: (_, signal) =>
        new Promise(done => {
          leads = !signal.aborted
          const end = (): void => {
            leads = false
            done()
          }
          if (signal.aborted) end()
          else signal.addEventListener('abort', end, { once: true })
        }),
    },
    attach: manager => {
      world = manager.world
    },
  }
}

function isCert(object: StoredObject): object is Cert {
  return object.kind === certKind.type.kind && object.apiVersion === certKind.apiVersion
}

interface PopulationGauges {
  clear(): void
  set(all: readonly Cert[], at: { readonly expiry: ReturnType<typeof expiryOf>; readonly nowMs: number }): void
  zone(labels: MetricLabels, isHealthy: boolean): void
}

/** Each collection begins empty: what is no more has no series, and a follower has none. */
function populationGauges(metrics: Metrics): PopulationGauges {
  const byBucket = metrics.gauge('cert_operator_certificate_expiry_buckets', 'Certificates by the days that are left to them.')
  const days = metrics.gauge('cert_operator_certificate_expiry_days', 'Days until a certificate ends, of those that end soonest.')
  const untracked = metrics.gauge(
    'cert_operator_certificates_not_tracked',
    'Certificates without a series of their own for want of room.',
  )
  const expired = metrics.gauge('cert_operator_certificates_expired', 'Certificates that are past their end.')
  const byState = metrics.gauge('cert_operator_certificates_total', 'Certs by state.')
  const oldest = metrics.gauge(
    'cert_operator_oldest_in_state_seconds',
    'For how long the oldest Cert of a state has been on its way to another.',
  )
  const unhealthy = metrics.gauge(
    'cert_operator_renewal_unhealthy',
    'Certificates whose renewal is no matter of course, by reason.',
  )
  const blocked = metrics.gauge('cert_operator_deletions_blocked', 'Certs that go, and wait for something.')
  const zones = metrics.gauge('cert_operator_zone_healthy', 'Whether a hosted zone is there and seen from outside.')
  let held: (() => void)[] = []
  const put = (gauge: typeof days, value: number, labels: MetricLabels = {}): void => {
    gauge.set(value, labels)
    held.push(() => gauge.remove(labels))
  }
  return {
    clear: () => {
      for (const remove of held) remove()
      held = []
    },
    set: (all, { expiry, nowMs }) => {
      const population = populationOf(all, nowMs)
      for (const [bucket, count] of Object.entries(expiry.buckets)) put(byBucket, count, { bucket })
      for (const { namespace, name, days: left } of expiry.tracked) put(days, left, { namespace, name })
      put(untracked, expiry.untracked.length)
      put(expired, expiry.expired)
      for (const state of states) {
        put(byState, population.byState[state], { state })
        put(oldest, population.oldestSeconds[state], { state })
      }
      for (const reason of unhealthyRenewals) put(unhealthy, population.unhealthy[reason], { reason })
      put(blocked, population.blocked)
    },
    zone: (labels, isHealthy) => put(zones, isHealthy ? 1 : 0, labels),
  }
}

function zoneGauges(gauges: PopulationGauges, known: CertTelemetryOptions['zones']): void {
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

function countOnce(
  untracked: readonly ExpirySeries[],
  { told, counter, all }: { readonly told: Set<string>; readonly counter: Counter; readonly all: readonly Cert[] },
): void {
  for (const { uid } of untracked) if (!told.has(uid)) counter.add()
  if (untracked.length === 0 && told.size === 0) return
  const alive = new Set(all.map(({ metadata }) => metadata.uid))
  for (const uid of told) if (!alive.has(uid)) told.delete(uid)
  for (const { uid } of untracked) told.add(uid)
}

/** What waits for ACM, and what only a person can mend, is no failure of a pass. */
function passLabels({ key, trouble }: PassRecord, world: Manager['world'] | undefined): MetricLabels {
  const cert = world?.find<Cert>(certKind.type, key)
  const isSuccess = trouble === undefined || trouble.kind === 'wait' || trouble.kind === 'stop' || trouble.reason === 'NotLeader'
  return { state: cert === undefined ? 'Pending' : stateLabel(cert), success: String(isSuccess) }
}

/** Of a first certificate since the object is there, of another one since it was asked for. */
function secondsToReady({ metadata, status }: Cert, nowMs: number): number {
  const isFirst = (status?.request?.revision ?? 1) <= 1
  const since = (isFirst ? metadata.creationTimestamp : status?.request?.requestedAt) ?? metadata.creationTimestamp
  return Math.max(0, (nowMs - Date.parse(since ?? '')) / 1_000)
}

function renewalResult({ status: before }: Cert, { status: after }: Cert): 'success' | 'failed' | undefined {
  if (before?.certificateArn === undefined || before.certificateArn !== after?.certificateArn) return undefined
  if (before.serial !== undefined && after.serial !== undefined && before.serial !== after.serial) return 'success'
  return before.renewal?.status !== 'FAILED' && after.renewal?.status === 'FAILED' ? 'failed' : undefined
}
