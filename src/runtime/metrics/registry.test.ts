import assert from 'node:assert/strict'
import { test } from 'node:test'
import { healthHandler } from '../health.ts'
import { engineMetrics } from './engine.ts'
import { countTo, Metrics } from './registry.ts'

test('the exposition is the Prometheus text format', () => {
  const metrics = new Metrics()
  metrics.counter('requests_total', 'Requests.').add({ path: 'a"b\\c\nd' }, 2)
  metrics.gauge('depth', 'Depth.').set(1.5)
  const seconds = metrics.histogram('seconds', 'Seconds.', [0.1, 1])
  for (const value of [0.05, 0.5, 0.5, 5]) seconds.observe(value, { of: 'x' })
  assert.equal(
    metrics.expose(),
    `# HELP depth Depth.
# TYPE depth gauge
depth 1.5
# HELP requests_total Requests.
# TYPE requests_total counter
requests_total{path="a\\"b\\\\c\\nd"} 2
# HELP seconds Seconds.
# TYPE seconds histogram
seconds_bucket{of="x",le="0.1"} 1
seconds_bucket{of="x",le="1"} 3
seconds_bucket{of="x",le="+Inf"} 4
seconds_sum{of="x"} 6.05
seconds_count{of="x"} 4
`,
  )
})

test('a label fed from input does not fill the memory [B29]', () => {
  const metrics = new Metrics()
  const counter = metrics.counter('c_total', 'C.')
  for (let index = 0; index < 20_000; index++) counter.add({ name: String(index) })
  assert.ok(metrics.expose().split('\n').length < 6_000)
  assert.match(metrics.expose(), /c_total\{overflow="true"\} 15000/)
})

test('a counter follows a total that is counted elsewhere, is there at nought, and never goes back', () => {
  const metrics = new Metrics()
  const counter = metrics.counter('c_total', 'C.')
  const lines = (): readonly string[] => metrics.expose().split('\n').slice(2, -1)
  const seen = [0, 1, 3, 3, 2, 5].map(total => {
    countTo(counter, total, { of: 'x' })
    return lines()
  })
  assert.deepEqual(
    seen,
    [0, 1, 3, 3, 3, 5].map(total => [`c_total{of="x"} ${total}`]),
  )
  countTo(metrics.counter('d_total', 'D.'), 2)
  countTo(metrics.counter('d_total', 'D.'), 0)
  assert.equal(metrics.counter('d_total', 'D.').value(), 2)
})

test("the names of controller-runtime's metrics are exactly its own", () => {
  const metrics = new Metrics()
  engineMetrics(metrics)
  const names = [...metrics.expose().matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(match => `${match[1]} ${match[2]}`)
  assert.deepEqual(
    names.filter(name => !name.startsWith('vouch_')),
    [
      'controller_runtime_active_workers gauge',
      'controller_runtime_max_concurrent_reconciles gauge',
      'controller_runtime_reconcile_errors_total counter',
      'controller_runtime_reconcile_panics_total counter',
      'controller_runtime_reconcile_time_seconds histogram',
      'controller_runtime_reconcile_timeouts_total counter',
      'controller_runtime_reconcile_total counter',
      'controller_runtime_terminal_reconcile_errors_total counter',
      'leader_election_master_status gauge',
      'workqueue_adds_total counter',
      'workqueue_depth gauge',
      'workqueue_longest_running_processor_seconds gauge',
      'workqueue_queue_duration_seconds histogram',
      'workqueue_retries_total counter',
      'workqueue_unfinished_work_seconds gauge',
      'workqueue_work_duration_seconds histogram',
    ],
  )
})

test("the buckets of controller-runtime's histograms are exactly its own", () => {
  const metrics = new Metrics()
  const { reconcileSeconds, queueSeconds, workSeconds } = engineMetrics(metrics)
  const boundsOf = (histogram: typeof workSeconds): string => {
    histogram.observe(0)
    const told = metrics.snapshot().flatMap(({ points }) => points)
    const bounds = told.find(point => point.count === 1 && point.bounds !== undefined)?.bounds
    return (bounds ?? []).join(' ')
  }
  assert.equal(
    boundsOf(reconcileSeconds),
    '0.005 0.01 0.025 0.05 0.1 0.15 0.2 0.25 0.3 0.35 0.4 0.45 0.5 0.6 0.7 0.8 0.9 1 1.25 1.5 1.75 2 2.5 3 ' +
      '3.5 4 4.5 5 6 7 8 9 10 15 20 25 30 40 50 60',
  )
  reconcileSeconds.observe(0)
  const queue = '1e-8 1e-7 0.000001 0.00001 0.0001 0.001 0.01 0.1 1 10 100 1000'
  assert.equal(boundsOf(queueSeconds), queue)
  queueSeconds.observe(0)
  assert.equal(boundsOf(workSeconds), queue)
})

test('one name for two types is a defect', () => {
  const metrics = new Metrics()
  metrics.counter('x', 'X.')
  assert.throws(() => metrics.gauge('x', 'X.'), /two types/)
})

test('probes say what is wrong', async () => {
  const handler = healthHandler({
    live: [{ name: 'ping', check: () => ({ ok: true }) }],
    ready: [{ name: 'caches', check: () => ({ ok: false, why: 'secrets have not been listed' }) }],
    metrics: new Metrics(),
  })
  const get = async (target: string) => {
    const { status, body } = await handler({ method: 'GET', target, headers: {}, body: null })
    return [status, Buffer.from(body as Uint8Array).toString()]
  }
  assert.deepEqual(await get('/healthz'), [200, 'ok'])
  assert.deepEqual(await get('/readyz'), [503, '[-]caches failed: secrets have not been listed\nnot ok\n'])
  assert.deepEqual(await get('/livez?verbose'), [200, '[+]ping ok\nok\n'])
  assert.deepEqual((await get('/metrics'))[0], 200)
  assert.deepEqual((await get('/other'))[0], 404)
})
