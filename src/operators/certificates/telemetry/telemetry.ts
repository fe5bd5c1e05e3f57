// What is counted of Certs. Gauges over all of them are read from the cache at each scrape, and only while this process leads: followers
// would tell the same a second time. No label holds an ARN, a domain, the id of a zone or the text of an error.
import type { Clock } from '#base'
import type { StoredObject } from '#kube'
import type { Change, Companion, Counter, Manager, MetricLabels, Metrics, PassRecord, RunningOperator } from '#runtime'
import { type Cert, certKind } from '../api/kinds.ts'
import type { Zones } from '../zones/zones.ts'
import type { CallMetrics } from './call-metrics.ts'
import { callMetrics } from './calls.ts'
import { type ExpirySeries, expiryOf } from './expiry.ts'
import { populationGauges, zoneGauges } from './gauges.ts'
import { stateLabel } from './population.ts'

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

export function createTelemetry(options: CertTelemetryOptions): CertTelemetry {
  const { metrics, clock } = options
  const counters = countersOf(metrics)
  let world: Manager['world'] | undefined
  const lead = { isOurs: false }
  collectGauges(options, lead, () => (world?.isSynced(certKind.type) === true ? world.list<Cert>(certKind.type) : []))
  return {
    calls: callMetrics(metrics, clock),
    ...counters,
    ofManager: { onPass: passesOf(options, () => world), onMove: movesOf(options, lead) },
    companion: { name: 'telemetry', run: (_, signal) => leading(lead, signal) },
    attach: manager => {
      world = manager.world
    },
  }
}

/** Whether this process leads. */
interface Lead {
  isOurs: boolean
}

function leading(lead: Lead, signal: AbortSignal): Promise<void> {
  return new Promise(done => {
    lead.isOurs = !signal.aborted
    const end = (): void => {
      lead.isOurs = false
      done()
    }
    if (signal.aborted) end()
    else signal.addEventListener('abort', end, { once: true })
  })
}

function countersOf(metrics: Metrics): Pick<CertTelemetry, 'webhookRequests' | 'letThrough' | 'reloads'> {
  const webhookRequests = metrics.counter('cert_operator_webhook_requests_total', 'Reviews of Certs, by result.')
  const letThrough = metrics.counter('cert_operator_webhook_fail_open_total', 'Certs that were let through without a check.')
  const reloads = metrics.counter(
    'cert_operator_config_reload_total',
    'Readings of the zone file that changed something, or failed.',
  )
  letThrough.add({}, 0)
  for (const result of ['allowed', 'denied', 'error']) webhookRequests.add({ result }, 0)
  for (const success of ['true', 'false']) reloads.add({ success }, 0)
  return { webhookRequests, letThrough, reloads }
}

/** At each scrape. */
function collectGauges(options: CertTelemetryOptions, lead: Readonly<Lead>, certs: () => readonly Cert[]): void {
  const { metrics, zones } = options
  const leader = metrics.gauge('cert_operator_leader', 'Whether this process leads.')
  const untrackedTotal = metrics.counter(
    'cert_operator_certificates_not_tracked_total',
    'Certificates for which there was no room among the series of single ones, each once.',
  )
  untrackedTotal.add({}, 0)
  const gauges = populationGauges(metrics)
  const told = new Set<string>()
  metrics.collect(() => {
    leader.set(lead.isOurs ? 1 : 0)
    gauges.clear()
    if (!lead.isOurs) return
    const all = certs()
    const nowMs = options.nowMs()
    const expiry = expiryOf(all, { ...options, nowMs })
    gauges.set(all, { expiry, nowMs })
    zoneGauges(gauges, zones)
    countOnce(expiry.untracked, { told, counter: untrackedTotal, all })
  })
}

function passesOf(
  { metrics, controller }: CertTelemetryOptions,
  world: () => Manager['world'] | undefined,
): (record: PassRecord) => void {
  const passes = metrics.histogram('cert_operator_reconcile_duration_seconds', 'Time of passes over Certs.', reconcileSeconds)
  return record => {
    if (record.controller === controller) passes.observe(record.tookMs / 1_000, passLabels(record, world()))
  }
}

function movesOf({ metrics, clock }: CertTelemetryOptions, lead: Readonly<Lead>): (move: { readonly change: Change }) => void {
  const timeToReady = metrics.histogram('cert_operator_time_to_ready_seconds', 'From a Cert to its certificate.', readySeconds)
  const renewals = metrics.counter('cert_operator_renewals_total', 'Renewals by ACM, by result.')
  for (const result of ['success', 'failed']) renewals.add({ result }, 0)
  return ({ change }) => {
    if (!lead.isOurs || change.kind !== 'changed' || !isCert(change.object) || !isCert(change.previous)) return
    const [before, after] = [change.previous, change.object]
    if (before.status?.certReady !== true && after.status?.certReady === true)
      timeToReady.observe(secondsToReady(after, clock.now()))
    const renewed = renewalResult(before, after)
    if (renewed !== undefined) renewals.add({ result: renewed })
  }
}

function isCert(object: StoredObject): object is Cert {
  return object.kind === certKind.type.kind && object.apiVersion === certKind.apiVersion
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
