// The bounds under which times are counted, and what is shown before the first review (§2.16, §5.7).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Metrics } from '#runtime'
import { webhookMetrics } from './metrics.ts'

test('reviews are timed from a tenth of a millisecond to ten seconds, requests from an eighth of a second on [§2.16]', () => {
  const metrics = new Metrics()
  const { admissionDuration, latencies } = webhookMetrics(metrics)
  admissionDuration.observe(0)
  latencies.observe(0)
  const boundsOf = (name: string): string =>
    [...metrics.expose().matchAll(new RegExp(`^${name}_bucket\\{le="([^"]+)"\\}`, 'gm'))].map(([, bound]) => bound).join(' ')
  assert.equal(
    boundsOf('identity_webhook_admission_duration_seconds'),
    '0.0001 0.00025 0.0005 0.001 0.0025 0.005 0.01 0.025 0.05 0.1 0.25 0.5 1 2.5 5 10 +Inf',
  )
  assert.equal(boundsOf('http_request_latencies'), '125000 250000 500000 1000000 2000000 4000000 8000000 +Inf')
})

test('before the first review it is shown that nothing was used and nothing missed [§2.16]', () => {
  const metrics = new Metrics()
  webhookMetrics(metrics)
  const values = metrics.expose().match(/^[^#].*$/gm)
  assert.deepEqual(values, ['pod_identity_webhook_missing_sa_count 0', 'pod_identity_webhook_used 0'])
})
