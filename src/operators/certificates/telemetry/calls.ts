// Calls of AWS as metrics.
import type { Clock } from '#base'
import { type MetricLabels, type Metrics } from '#runtime'
import type { BreakerState, CallMetrics } from './call-metrics.ts'
import { operationLabel } from './operations.ts'

const latencySeconds = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
const waitSeconds = [0.001, 0.01, 0.1, 0.5, 1, 2.5, 5, 10, 30]
const services = ['acm', 'route53', 'sts'] as const
const breakerNumbers: Readonly<Record<BreakerState, number>> = { closed: 0, 'half-open': 1, open: 2 }

export function callMetrics(metrics: Metrics, clock: Pick<Clock, 'monotonicMs'>): CallMetrics {
  const calls = metrics.counter('cert_operator_aws_api_calls_total', 'Calls of AWS, each try, by operation.')
  const latency = metrics.histogram('cert_operator_aws_api_latency_seconds', 'Time that calls of AWS took.', latencySeconds)
  const throttling = metrics.counter('cert_operator_throttling_events_total', 'Answers of AWS that asked for patience.')
  const waits = metrics.histogram('cert_operator_rate_limit_wait_seconds', 'Time that calls waited for their turn.', waitSeconds)
  const tokens = metrics.gauge('cert_operator_rate_limiter_tokens', 'Calls that could be made at once, where there are fewest.')
  const hits = metrics.counter('cert_operator_cache_hits_total', 'Answers about certificates that were remembered.')
  const misses = metrics.counter('cert_operator_cache_misses_total', 'Answers about certificates that were not.')
  const evictions = metrics.counter('cert_operator_cache_evictions_total', 'Answers that were forgotten for want of room.')
  const entries = metrics.gauge('cert_operator_cache_entries', 'Answers about certificates that are remembered.')
  const state = metrics.gauge('cert_operator_circuit_breaker_state', 'Breaker of a service: 0 closed, 1 half-open, 2 open.')
  const moves = metrics.counter('cert_operator_circuit_breaker_transitions_total', 'Moves of breakers.')
  const left = metrics.gauge('cert_operator_requests_left', 'Certificates that a namespace without any may still request today.')
  evictions.add({}, 0)
  for (const lookup_type of ['fqdn', 'arn']) for (const counter of [hits, misses]) counter.add({ lookup_type }, 0)
  return {
    begin: name => {
      const startedMs = clock.monotonicMs()
      const operation = operationLabel(name)
      return succeeded => {
        calls.add({ operation, success: String(succeeded) })
        latency.observe((clock.monotonicMs() - startedMs) / 1_000, { operation })
      }
    },
    throttled: name => throttling.add({ operation: operationLabel(name) }),
    waited: (service, ms) => waits.observe(ms / 1_000, { service: serviceLabel(service) }),
    readTokens: read => metrics.collect(() => ofServices(service => tokens.set(read(service.service ?? ''), service))),
    cacheAsked: (lookup_type, hit) => (hit ? hits : misses).add({ lookup_type }),
    cacheEvicted: () => evictions.add(),
    readCacheEntries: read => metrics.collect(() => entries.set(read())),
    readBreakers: read =>
      metrics.collect(() => ofServices(service => state.set(breakerNumbers[read(service.service ?? '')], service))),
    readRequestsLeft: read => metrics.collect(() => left.set(read())),
    breakerMoved: (service, to) => moves.add({ service: serviceLabel(service), to }),
  }
}

function ofServices(each: (labels: MetricLabels) => void): void {
  for (const service of services) each({ service })
}

function serviceLabel(service: string): string {
  return services.find(known => known === service) ?? 'other'
}
