// The webhook's metrics: upstream's names, so that dashboards go on working, and those that tell what happened (§2.16, §5.7).
import type { Counter, Gauge, Histogram, Metrics } from '#runtime'

export interface WebhookMetrics {
  readonly requests: Counter
  readonly latencies: Histogram
  readonly durations: Histogram
  readonly podCount: Counter
  readonly missingAccounts: Counter
  readonly used: Gauge
  readonly admissionDuration: Histogram
  readonly admissions: Counter
  readonly lookups: Counter
  readonly unconfirmed: Counter
  readonly believed: Counter
  readonly lateRoles: Counter
  readonly waiting: Gauge
  readonly cacheEntries: Gauge
  readonly cacheSynced: Gauge
  readonly watchRestarts: Counter
  readonly certificateNotAfter: Gauge
}

const admissionBuckets = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
/** Upstream's: they start at 125 ms and say nothing, and are kept for its dashboards. */
const latencyBuckets = Array.from({ length: 7 }, (_, power) => 125_000 * 2 ** power)

export function webhookMetrics(metrics: Metrics): WebhookMetrics {
  const made: WebhookMetrics = {
    requests: metrics.counter('http_request_count', 'Counter of requests broken out for each verb, path, and response code.'),
    latencies: metrics.histogram(
      'http_request_latencies',
      'Response latency distribution in microseconds for each verb and path',
      latencyBuckets,
    ),
    durations: metrics.summary(
      'http_request_duration_microseconds',
      'Response latency summary in microseconds for each verb and path',
    ),
    podCount: metrics.counter(
      'pod_identity_webhook_pod_count',
      'Indicator to how many pods have been mutated, by method: sts_web_identity or container_credentials',
    ),
    missingAccounts: metrics.counter(
      'pod_identity_webhook_missing_sa_count',
      'Indicator to how many times a service account was not found in the cache',
    ),
    used: metrics.gauge('pod_identity_webhook_used', 'Indicator to know if pod identity webhook is used'),
    admissionDuration: metrics.histogram(
      'identity_webhook_admission_duration_seconds',
      'How long reviews took, with all waiting',
      admissionBuckets,
    ),
    admissions: metrics.counter('identity_webhook_admission_total', 'Reviews by result and reason'),
    lookups: metrics.counter('identity_webhook_sa_lookup_total', 'ServiceAccounts looked up, by outcome'),
    unconfirmed: metrics.counter(
      'identity_webhook_unconfirmed_total',
      'Pods admitted without a role or client id while nobody could say that they should have none',
    ),
    believed: metrics.counter(
      'identity_webhook_believed_total',
      'Pods admitted at once because the watch knows their ServiceAccount without a role; a read behind the answer confirms it',
    ),
    lateRoles: metrics.counter(
      'identity_webhook_late_role_total',
      'Pods admitted without a role whose ServiceAccount turned out right after to have one, by what brought it (read or watch), or to require one (promise)',
    ),
    waiting: metrics.gauge('identity_webhook_waiting', 'Pods that wait for a role or client id that was promised or is required'),
    cacheEntries: metrics.gauge('identity_webhook_sa_cache_entries', 'ServiceAccounts in the cache'),
    cacheSynced: metrics.gauge('identity_webhook_sa_cache_synced', 'Whether the whole list was taken in once'),
    watchRestarts: metrics.counter('identity_webhook_watch_restarts_total', 'Watches begun after the first, by resource'),
    certificateNotAfter: metrics.gauge(
      'identity_webhook_certificate_not_after_seconds',
      'End of the serving certificate, in seconds since 1970',
    ),
  }
  made.used.set(0)
  made.missingAccounts.add({}, 0)
  return made
}
