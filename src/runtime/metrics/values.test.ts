import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Metrics } from './registry.ts'

/** What is exposed, without the lines that describe it. */
const lines = (metrics: Metrics): readonly string[] =>
  metrics
    .expose()
    .split('\n')
    .filter(line => line !== '' && !line.startsWith('#'))

test('a counter counts one, or as many as are given, for each set of labels', () => {
  const metrics = new Metrics()
  const counter = metrics.counter('c_total', 'C.')
  counter.add()
  counter.add(undefined, 3)
  counter.add({ of: 'x' })
  counter.add({ of: 'x' }, 0.5)
  assert.deepEqual(lines(metrics), ['c_total 4', 'c_total{of="x"} 1.5'])
  assert.deepEqual([counter.value(), counter.value({ of: 'x' }), counter.value({ of: 'y' })], [4, 1.5, 0])
})

test('a gauge is set, added to, and taken away by its labels', () => {
  const metrics = new Metrics()
  const gauge = metrics.gauge('g', 'G.')
  gauge.set(2, { of: 'x' })
  gauge.add(-3, { of: 'x' })
  gauge.add(1)
  gauge.set(Number.POSITIVE_INFINITY, { of: 'most' })
  gauge.set(Number.NEGATIVE_INFINITY, { of: 'least' })
  gauge.set(1, { of: 'gone' })
  gauge.remove({ of: 'gone' })
  assert.deepEqual(lines(metrics), ['g{of="x"} -1', 'g 1', 'g{of="most"} +Inf', 'g{of="least"} -Inf'])
})

test('labels that cannot change are the same labels as others that say the same', () => {
  const counter = new Metrics().counter('c_total', 'C.')
  const frozen = Object.freeze({ of: 'x' })
  for (const labels of [frozen, { of: 'x' }, frozen]) counter.add(labels)
  const changing = { of: 'y' }
  counter.add(changing)
  changing.of = 'z'
  counter.add(changing)
  assert.deepEqual(
    ['x', 'y', 'z'].map(of => counter.value({ of })),
    [3, 1, 1],
  )
})

test('a value on the bound of a bucket falls into it, and one beyond all bounds is counted with them', () => {
  const metrics = new Metrics()
  const histogram = metrics.histogram('h', 'H.', [1, 2])
  for (const value of [1, 2, 2.5]) histogram.observe(value)
  const exposed = ['h_bucket{le="1"} 1', 'h_bucket{le="2"} 2', 'h_bucket{le="+Inf"} 3', 'h_sum 5.5', 'h_count 3']
  assert.deepEqual(lines(metrics), exposed)
  assert.deepEqual(metrics.snapshot()[0]?.points, [{ labels: {}, value: 5.5, count: 3, bounds: [1, 2], counts: [1, 1] }])
})

test('a bucket into which nothing fell is told as nothing', () => {
  const metrics = new Metrics()
  metrics.histogram('h', 'H.', [1, 2]).observe(1.5)
  assert.deepEqual(metrics.snapshot()[0]?.points[0]?.counts, [0, 1])
  assert.deepEqual(lines(metrics).slice(0, 2), ['h_bucket{le="1"} 0', 'h_bucket{le="2"} 1'])
})

test('a summary has a sum and a count, and no buckets', () => {
  const metrics = new Metrics()
  const summary = metrics.summary('s', 'S.')
  summary.observe(2, { of: 'x' })
  summary.observe(0.5, { of: 'x' })
  assert.deepEqual(lines(metrics), ['s_sum{of="x"} 2.5', 's_count{of="x"} 2'])
  assert.deepEqual(metrics.snapshot()[0]?.points, [{ labels: { of: 'x' }, value: 2.5, count: 2 }])
})

test('five thousand sets of labels are told apart; later ones are counted together, and earlier ones go on [B29]', () => {
  const counter = new Metrics().counter('c_total', 'C.')
  for (let index = 0; index < 5_002; index++) counter.add({ of: `${index}` })
  counter.add({ of: '7' })
  const values = ['7', '4999', '5000'].map(of => counter.value({ of }))
  assert.deepEqual([...values, counter.value({ overflow: 'true' })], [2, 1, 0, 2])
})

test('a snapshot is in the order of names, with labels as they were given, read when it is asked for', () => {
  const metrics = new Metrics()
  let depth = 0
  metrics.counter('z_total', 'Z.').add({ of: 'a"b\\c\nd,e="f"', to: '' }, 2)
  const gauge = metrics.gauge('a', 'A.')
  metrics.collect(() => gauge.set(++depth))
  assert.equal(metrics.gauge('a', 'A.'), gauge)
  const points = (): unknown => metrics.snapshot().map(({ name, type, points }) => [name, type, points])
  const counted = ['z_total', 'counter', [{ labels: { of: 'a"b\\c\nd,e="f"', to: '' }, value: 2, count: 1 }]]
  assert.deepEqual(points(), [['a', 'gauge', [{ labels: {}, value: 1, count: 1 }]], counted])
  assert.deepEqual(points(), [['a', 'gauge', [{ labels: {}, value: 2, count: 1 }]], counted])
})

test('what is no name of a metric is a defect', () => {
  for (const name of ['', '1a', 'a-b', 'a b', 'ä']) assert.throws(() => new Metrics().counter(name, 'X.'), /no name/, name)
  for (const name of ['a', '_a1', ':a']) new Metrics().counter(name, 'X.').add()
})

test('what describes a metric stands in one line', () => {
  const metrics = new Metrics()
  metrics.gauge('g', 'One\\two\nthree.')
  assert.equal(metrics.expose(), '# HELP g One\\\\two\\nthree.\n# TYPE g gauge\n')
})
