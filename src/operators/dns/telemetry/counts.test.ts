// What is counted of passes, tries and requests, one by one.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Metrics } from '#runtime'
import { kinds } from '../api/kinds.ts'
import { createTelemetry } from './telemetry.ts'

function telemetry() {
  const metrics = new Metrics()
  const of = (name: string): Readonly<Record<string, number>> => {
    const points = metrics.snapshot().find(family => family.name === `externaldns_operator_${name}`)?.points ?? []
    return Object.fromEntries(points.map(({ labels, value }) => [Object.values(labels).join(' '), value]))
  }
  return { metrics, counts: createTelemetry(metrics), of }
}

test('requests and updates are there from the start, so that their first is seen', () => {
  const { of } = telemetry()
  assert.deepEqual([of('webhook_requests_total'), of('deployment_updates_total')], [{ allowed: 0, denied: 0 }, { '': 0 }])
})

test('a request is counted as what was answered', () => {
  const { counts, of } = telemetry()
  for (const isAllowed of [true, false, true]) counts.judged(isAllowed)
  assert.deepEqual(of('webhook_requests_total'), { allowed: 2, denied: 1 })
})

const write = (verb: string, plural: string, result: string): object => ({ verb, type: { plural }, result })

test('a pass is counted by its end, and of its writes the updates of Deployments that changed something', () => {
  const { counts, of } = telemetry()
  const writes = [
    write('update', 'deployments', 'changed'),
    ...['unchanged', 'lost'].map(result => write('update', 'deployments', result)),
    ...['create', 'delete'].map(verb => write(verb, 'deployments', 'changed')),
    ...['secrets', 'serviceaccounts'].map(plural => write('update', plural, 'changed')),
  ]
  counts.ofManager.onPass?.({ controller: 'externaldns', trouble: undefined, tookMs: 20, writes } as never)
  for (const trouble of [undefined, {}])
    counts.ofManager.onPass?.({ controller: 'externaldns', trouble, tookMs: 20, writes: [] } as never)
  assert.deepEqual(of('reconcile_total'), { 'externaldns success': 2, 'externaldns error': 1 })
  assert.deepEqual(of('deployment_updates_total'), { '': 1 })
})

test('the time of a pass is counted in seconds, between a hundredth and a minute', () => {
  const { metrics, counts } = telemetry()
  counts.ofManager.onPass?.({ controller: 'c', trouble: undefined, tookMs: 500, writes: [] } as never)
  const lines = metrics
    .expose()
    .split('\n')
    .filter(line => line.startsWith('externaldns_operator_reconcile_duration_seconds_bucket'))
  assert.deepEqual(
    lines.map(line => `${/le="([^"]+)"/.exec(line)?.[1]} ${line.split(' ').at(-1)}`),
    ['0.01 0', '0.05 0', '0.1 0', '0.25 0', '0.5 1', '1 1', '2.5 1', '5 1', '10 1', '30 1', '60 1', '+Inf 1'],
  )
})

test('a try is counted check by check, and one without an answer as undecided', () => {
  const { counts, of } = telemetry()
  const condition = (type: string, status: string): object => ({ type, status, reason: '', message: '' })
  const conditions = [
    condition('CredentialsValid', 'True'),
    condition('RoleAssumable', 'False'),
    condition('ZonesAccessible', 'Unknown'),
  ]
  counts.tried({ conditions } as never)
  for (let count = 0; count < 2; count++) counts.tried(undefined)
  assert.deepEqual(of('preflight_total'), {
    'CredentialsValid success': 1,
    'RoleAssumable failure': 1,
    'ZonesAccessible unknown': 1,
    'any undecided': 2,
  })
})

test('objects are counted as they are at each scrape, and nothing is counted before it is known which there are', () => {
  const { metrics, counts, of } = telemetry()
  let isSynced = false
  let objects: readonly object[] = []
  counts.attach({ world: { isSynced: () => isSynced, list: () => objects } } as never, kinds.v1beta1.type)
  const object = (type: string, conditions?: readonly object[]): object => ({
    spec: { provider: { type } },
    status: { conditions },
  })
  objects = [
    object('AWS', [
      { type: 'Other', status: 'False' },
      { type: 'Available', status: 'True' },
    ]),
    object('AWS'),
    object('GCP'),
  ]
  const scrape = (): unknown => {
    metrics.expose()
    return of('instances')
  }
  assert.deepEqual(scrape(), {})
  isSynced = true
  assert.deepEqual(scrape(), { 'AWS True': 1, 'AWS Unknown': 1, 'GCP Unknown': 1 })
  objects = [object('GCP'), object('GCP')]
  assert.deepEqual(scrape(), { 'GCP Unknown': 2 })
})
