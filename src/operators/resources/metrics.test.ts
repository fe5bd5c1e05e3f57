// What is counted of a kind, under the names of AWS Controllers for Kubernetes.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AwsError } from '#aws'
import { Metrics } from '#runtime'
import type { Resource } from './api.ts'
import { kindMetrics, paceGauge } from './metrics.ts'
import { modelOf } from './testing/parts.ts'

const model = modelOf('iam', 'Role')

function linesOf(metrics: Metrics): readonly string[] {
  return metrics
    .expose()
    .split('\n')
    .filter(line => line.startsWith('ack_'))
    .toSorted()
}

const refusal = (code: string, httpStatus?: number): AwsError =>
  new AwsError({ service: 'iam', operation: 'GetRole', code, message: code, httpStatus })

test('calls are counted, those that AWS refused by their status, and throttled ones apart', () => {
  const metrics = new Metrics()
  const { onCall, onDrift } = kindMetrics(metrics, model, true)
  const call = { operation: 'GetRole', verb: 'READ_ONE' }
  onCall(call)
  onCall({ ...call, error: new Error('no answer') })
  onCall({ ...call, error: refusal('AccessDenied', 403) })
  onCall({ ...call, error: refusal('Throttling', 400) })
  onCall({ ...call, error: refusal('Odd') })
  onDrift()
  assert.deepEqual(linesOf(metrics), [
    'ack_aws_throttled_total{service="iam"} 1',
    'ack_drift_detected_total{kind="Role"} 1',
    'ack_outbound_api_requests_error_total{service="iam",op_id="GetRole",status_code="0"} 1',
    'ack_outbound_api_requests_error_total{service="iam",op_id="GetRole",status_code="400"} 1',
    'ack_outbound_api_requests_error_total{service="iam",op_id="GetRole",status_code="403"} 1',
    'ack_outbound_api_requests_total{service="iam",op_type="READ_ONE",op_id="GetRole"} 5',
  ])
})

const claim = { metadata: { namespace: 'team', name: 'one' } } as unknown as Resource
const said = (type: string, status: string) => ({ type, status })
const of = (type: string, value: number, namespace = 'team'): string =>
  `ack_resource_condition{kind="Role",namespace="${namespace}",name="one",type="${type}"} ${value}`

test('conditions are 1 while they are True; what is not said any more has no series, and what is gone none at all', () => {
  const metrics = new Metrics()
  const { onConditions, onGone } = kindMetrics(metrics, model, true)
  onConditions(claim, [said('Ready', 'True'), said('ACK.Terminal', 'True')], 1_500)
  assert.deepEqual(linesOf(metrics), [of('ACK.Terminal', 1), of('Ready', 1)])
  onConditions(claim, [said('Ready', 'False'), said('ACK.ResourceSynced', 'True')], 2_500)
  const synced = 'ack_resource_last_sync_timestamp_seconds{kind="Role"} 2.5'
  assert.deepEqual(linesOf(metrics), [of('ACK.ResourceSynced', 1), of('Ready', 0), synced])
  onConditions(claim, [said('Ready', 'True'), said('ACK.ResourceSynced', 'False')], 3_500)
  assert.deepEqual(linesOf(metrics), [of('ACK.ResourceSynced', 0), of('Ready', 1), synced])
  onGone({ namespace: 'team', name: 'one' })
  assert.deepEqual(linesOf(metrics), [synced])
})

test('where objects are not named there is no series of any', () => {
  const metrics = new Metrics()
  kindMetrics(metrics, model, false).onConditions(claim, [said('Ready', 'True'), said('ACK.ResourceSynced', 'True')], 1_500)
  assert.deepEqual(linesOf(metrics), ['ack_resource_last_sync_timestamp_seconds{kind="Role"} 1.5'])
})

test('how fast a service may be called is told in tenths, for writes apart, and nothing where it is not held back', () => {
  const metrics = new Metrics()
  const onPace = paceGauge(metrics)
  const lines = (): readonly string[] =>
    metrics
      .expose()
      .split('\n')
      .filter(line => line.startsWith('vouch_'))
  const at = { service: 'IAM', place: 'here' }
  onPace({ ...at, isOfWrites: true, perSecond: 3.26 })
  onPace({ ...at, isOfWrites: false, perSecond: 12 })
  const of = (calls: string, value: number): string =>
    `vouch_aws_calls_per_second_max{service="IAM",place="here",calls="${calls}"} ${value}`
  assert.deepEqual(lines().toSorted(), [of('all', 12), of('writes', 3.3)])
  onPace({ ...at, isOfWrites: false, perSecond: Number.POSITIVE_INFINITY })
  assert.deepEqual(lines(), [of('writes', 3.3)])
})
