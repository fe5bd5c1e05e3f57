import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Metrics } from '../metrics/registry.ts'
import { HostMeters } from './host-meters.ts'

function metered() {
  const metrics = new Metrics()
  const of = (name: string): readonly string[] =>
    metrics
      .expose()
      .split('\n')
      .filter(line => line.startsWith(`controller_runtime_webhook_${name}`))
      .map(line => line.slice('controller_runtime_webhook_'.length))
  return { meters: new HostMeters(metrics), of }
}

test('what requests take is counted under the bounds that alert rules of controllers expect', () => {
  const { meters, of } = metered()
  meters.ended('/mutate', 0.05)
  const lines = of('latency_seconds_bucket')
  assert.equal(lines.map(line => /le="([^"]+)"/.exec(line)?.[1]).join(' '), '0.005 0.01 0.025 0.05 0.1 0.25 0.5 1 2.5 5 10 +Inf')
  assert.deepEqual(
    lines.map(line => line.split(' ')[1]),
    [...Array<string>(3).fill('0'), ...Array<string>(9).fill('1')],
  )
  assert.deepEqual(of('latency_seconds_sum'), ['latency_seconds_sum{webhook="/mutate"} 0.05'])
})

test('requests that are under way are counted by path, answers by path and status, and handlers that threw', () => {
  const { meters, of } = metered()
  for (const path of ['/mutate', '/mutate', '/validate']) meters.began(path)
  meters.ended('/mutate', 1)
  assert.deepEqual(of('requests_in_flight'), [
    'requests_in_flight{webhook="/mutate"} 1',
    'requests_in_flight{webhook="/validate"} 1',
  ])
  for (const status of [200, 200, 500]) meters.answered('/mutate', status)
  meters.failed()
  assert.deepEqual(of('requests_total'), [
    'requests_total{webhook="/mutate",code="200"} 2',
    'requests_total{webhook="/mutate",code="500"} 1',
  ])
  assert.deepEqual(of('panics_total'), ['panics_total 1'])
})
