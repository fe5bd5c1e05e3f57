import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ManualClock } from '#base'
import { Metrics } from '#runtime'
import { boundsOf } from '../testing/histogram-bounds.ts'
import type { BreakerState } from './call-metrics.ts'
import { callMetrics } from './calls.ts'

function world() {
  const clock = new ManualClock()
  const metrics = new Metrics()
  const of = (name: string): readonly string[] =>
    metrics
      .expose()
      .split('\n')
      .filter(line => line.startsWith(`cert_operator_${name}`))
      .map(line => line.slice('cert_operator_'.length))
  return { clock, calls: callMetrics(metrics, clock), of }
}

test('the bounds of what calls take and wait are those of the contract [10.2]', () => {
  const { calls, of } = world()
  calls.begin('ListCertificates')(true)
  calls.waited('acm', 0)
  assert.equal(boundsOf(of('aws_api_latency_seconds_bucket')), '0.05 0.1 0.25 0.5 1 2.5 5 10 30 +Inf')
  assert.equal(boundsOf(of('rate_limit_wait_seconds_bucket')), '0.001 0.01 0.1 0.5 1 2.5 5 10 30 +Inf')
})

test('each try counts by its operation and its end, and what it took in seconds; an operation that nobody knows is another', async () => {
  const { clock, calls, of } = world()
  for (const [operation, succeeded] of [
    ['GetChange', true],
    ['GetChange', false],
    ['StealEverything', true],
  ] as const) {
    const end = calls.begin(operation)
    await clock.advance(1_500)
    end(succeeded)
  }
  calls.throttled('GetChange')
  assert.deepEqual(of('aws_api_calls_total'), [
    'aws_api_calls_total{operation="GetChange",success="true"} 1',
    'aws_api_calls_total{operation="GetChange",success="false"} 1',
    'aws_api_calls_total{operation="other",success="true"} 1',
  ])
  assert.ok(of('aws_api_latency_seconds_sum').includes('aws_api_latency_seconds_sum{operation="GetChange"} 3'))
  assert.deepEqual(of('throttling_events_total'), ['throttling_events_total{operation="GetChange"} 1'])
})

test('waits are told in seconds, of services that are known', () => {
  const { calls, of } = world()
  calls.waited('route53', 250)
  calls.waited('somebody', 1_000)
  assert.deepEqual(of('rate_limit_wait_seconds_sum'), [
    'rate_limit_wait_seconds_sum{service="route53"} 0.25',
    'rate_limit_wait_seconds_sum{service="other"} 1',
  ])
})

test('the series of the cache are there at nought, and count what was remembered and what was not', () => {
  const { calls, of } = world()
  assert.deepEqual(
    [of('cache_hits_total'), of('cache_misses_total'), of('cache_evictions_total')],
    [
      ['cache_hits_total{lookup_type="fqdn"} 0', 'cache_hits_total{lookup_type="arn"} 0'],
      ['cache_misses_total{lookup_type="fqdn"} 0', 'cache_misses_total{lookup_type="arn"} 0'],
      ['cache_evictions_total 0'],
    ],
  )
  calls.cacheAsked('arn', true)
  calls.cacheAsked('fqdn', false)
  calls.cacheEvicted()
  calls.readCacheEntries(() => 7)
  assert.deepEqual(
    [of('cache_hits_total')[1], of('cache_misses_total')[0], of('cache_evictions_total')[0], of('cache_entries')[0]],
    [
      'cache_hits_total{lookup_type="arn"} 1',
      'cache_misses_total{lookup_type="fqdn"} 1',
      'cache_evictions_total 1',
      'cache_entries 7',
    ],
  )
})

test('breakers, tokens and requests that are left are read when somebody asks, by service', () => {
  const { calls, of } = world()
  const states: Readonly<Record<string, BreakerState>> = { acm: 'closed', route53: 'half-open', sts: 'open' }
  calls.readBreakers(service => states[service] ?? 'open')
  calls.readTokens(service => service.length)
  calls.readRequestsLeft(() => 12)
  calls.breakerMoved('acm', 'open')
  assert.deepEqual(of('circuit_breaker_state'), [
    'circuit_breaker_state{service="acm"} 0',
    'circuit_breaker_state{service="route53"} 1',
    'circuit_breaker_state{service="sts"} 2',
  ])
  assert.deepEqual(of('rate_limiter_tokens'), [
    'rate_limiter_tokens{service="acm"} 3',
    'rate_limiter_tokens{service="route53"} 7',
    'rate_limiter_tokens{service="sts"} 3',
  ])
  assert.deepEqual(of('requests_left'), ['requests_left 12'])
  assert.deepEqual(of('circuit_breaker_transitions_total'), ['circuit_breaker_transitions_total{service="acm",to="open"} 1'])
})
