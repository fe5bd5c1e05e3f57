// The engine's metrics. The first group has exactly the names, labels and buckets of controller-runtime, so that dashboards and alerts
// made for Go operators work unchanged; what those do not know is called `vouch_*`.
import type { Counter, Gauge, Histogram, Metrics } from './registry.ts'

export interface EngineMetrics {
  readonly reconciles: Counter
  readonly reconcileErrors: Counter
  readonly terminalErrors: Counter
  readonly panics: Counter
  readonly timeouts: Counter
  readonly reconcileSeconds: Histogram
  readonly workersMax: Gauge
  readonly workersActive: Gauge
  readonly queueDepth: Gauge
  readonly queueAdds: Counter
  readonly queueSeconds: Histogram
  readonly workSeconds: Histogram
  readonly queueRetries: Counter
  readonly unfinishedSeconds: Gauge
  readonly longestRunningSeconds: Gauge
  readonly masterStatus: Gauge
  readonly shardsHeld: Gauge
  readonly shardMembers: Gauge
  readonly writes: Counter
  readonly laneDepth: Gauge
  readonly held: Gauge
  readonly breakersOpen: Gauge
  readonly informerObjects: Gauge
  readonly informerBehindSeconds: Gauge
  readonly informerEvents: Gauge
  readonly informerLists: Gauge
}

const reconcileBuckets = [
  0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.25, 1.5, 1.75, 2, 2.5, 3,
  3.5, 4, 4.5, 5, 6, 7, 8, 9, 10, 15, 20, 25, 30, 40, 50, 60,
]
const queueBuckets = [1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1, 10, 100, 1000]

export function engineMetrics(metrics: Metrics): EngineMetrics {
  return {
    reconciles: metrics.counter('controller_runtime_reconcile_total', 'Total number of reconciliations per controller'),
    reconcileErrors: metrics.counter(
      'controller_runtime_reconcile_errors_total',
      'Total number of reconciliation errors per controller',
    ),
    terminalErrors: metrics.counter(
      'controller_runtime_terminal_reconcile_errors_total',
      'Total number of terminal reconciliation errors per controller',
    ),
    panics: metrics.counter('controller_runtime_reconcile_panics_total', 'Total number of reconciliation panics per controller'),
    timeouts: metrics.counter(
      'controller_runtime_reconcile_timeouts_total',
      'Total number of reconciliation timeouts per controller',
    ),
    reconcileSeconds: metrics.histogram(
      'controller_runtime_reconcile_time_seconds',
      'Length of time per reconciliation per controller',
      reconcileBuckets,
    ),
    workersMax: metrics.gauge(
      'controller_runtime_max_concurrent_reconciles',
      'Maximum number of concurrent reconciles per controller',
    ),
    workersActive: metrics.gauge('controller_runtime_active_workers', 'Number of currently used workers per controller'),
    queueDepth: metrics.gauge('workqueue_depth', 'Current depth of workqueue by workqueue and priority'),
    queueAdds: metrics.counter('workqueue_adds_total', 'Total number of adds handled by workqueue'),
    queueSeconds: metrics.histogram(
      'workqueue_queue_duration_seconds',
      'How long in seconds an item stays in workqueue before being requested',
      queueBuckets,
    ),
    workSeconds: metrics.histogram(
      'workqueue_work_duration_seconds',
      'How long in seconds processing an item from workqueue takes.',
      queueBuckets,
    ),
    queueRetries: metrics.counter('workqueue_retries_total', 'Total number of retries handled by workqueue'),
    unfinishedSeconds: metrics.gauge(
      'workqueue_unfinished_work_seconds',
      'How many seconds of work has been done that is in progress and has not been observed by work_duration. ' +
        'Large values indicate stuck threads. One can deduce the number of stuck threads by observing the rate at which this increases.',
    ),
    longestRunningSeconds: metrics.gauge(
      'workqueue_longest_running_processor_seconds',
      'How many seconds has the longest running processor for workqueue been running.',
    ),
    masterStatus: metrics.gauge(
      'leader_election_master_status',
      "Gauge of if the reporting system is master of the relevant lease, 0 indicates backup, 1 indicates master. 'name' is the string used to identify the lease. Please make sure to group by name.",
    ),
    shardsHeld: metrics.gauge('vouch_shards_held', 'Shards that this replica holds'),
    shardMembers: metrics.gauge('vouch_shard_members', 'Replicas that share the work, as far as this one sees'),
    writes: metrics.counter('vouch_writes_total', 'Mutating calls by controller, verb, resource and result'),
    laneDepth: metrics.gauge('vouch_queue_lane_depth', 'Keys that could be worked on now, by lane'),
    held: metrics.gauge('vouch_keys_held', 'Keys that wait until the cache has seen a write of their own'),
    breakersOpen: metrics.gauge('vouch_breaker_open', 'Dependencies that are held back at the moment, by controller'),
    informerObjects: metrics.gauge('vouch_informer_objects', 'Objects in the cache, by cluster and resource'),
    informerBehindSeconds: metrics.gauge(
      'vouch_informer_behind_seconds',
      'Time since the cache was last in step with the server',
    ),
    informerEvents: metrics.gauge('vouch_informer_events_total', 'Lines of watches that were taken in'),
    informerLists: metrics.gauge('vouch_informer_lists_total', 'Fresh lists'),
  }
}
