// What is counted of calls and told of conditions, under the names that dashboards for ACK look for.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AwsError } from '#aws'
import { Metrics } from '#runtime'
import { conditions } from './api.ts'
import { type KindMetrics, kindMetrics } from './metrics.ts'
import { madeUpKind } from './testing/made-up-kind.ts'
import { claimOf } from './testing/situation.ts'

function counted(namesObjects = true): { readonly of: KindMetrics; lines(name: string): readonly string[] } {
  const metrics = new Metrics()
  const of = kindMetrics(metrics, madeUpKind({}), namesObjects)
  const lines = (name: string): readonly string[] =>
    metrics
      .expose()
      .split('\n')
      .filter(line => line.startsWith(name))
      .map(line => line.slice(name.length))
  return { of, lines }
}

const refused = (code: string, httpStatus: number | undefined): AwsError =>
  new AwsError({ service: 'madeup', operation: 'DescribeThing', code, message: 'no', httpStatus, requestId: undefined })

test('calls are counted, and those that AWS refused by their status', () => {
  const { of, lines } = counted()
  of.onCall({ operation: 'DescribeThing', verb: 'READ_ONE' })
  of.onCall({ operation: 'DescribeThing', verb: 'READ_ONE', error: refused('ThrottlingException', 400) })
  of.onCall({ operation: 'DescribeThing', verb: 'READ_ONE', error: refused('Unknown', undefined) })
  of.onCall({ operation: 'DescribeThing', verb: 'READ_ONE', error: new Error('no answer') })
  assert.deepEqual(lines('ack_outbound_api_requests_total{'), ['service="madeup",op_type="READ_ONE",op_id="DescribeThing"} 4'])
  assert.deepEqual(lines('ack_outbound_api_requests_error_total{'), [
    'service="madeup",op_id="DescribeThing",status_code="400"} 1',
    'service="madeup",op_id="DescribeThing",status_code="0"} 1',
  ])
  assert.deepEqual(lines('ack_aws_throttled_total{'), ['service="madeup"} 1'])
})

test('each condition of an object is a series, which goes with it', () => {
  const { of, lines } = counted()
  const claim = claimOf({})
  const said = (...all: readonly (readonly [string, string])[]): readonly string[] => {
    of.onConditions(
      claim,
      all.map(([type, status]) => ({ type, status })),
      5_000,
    )
    return lines('ack_resource_condition{').toSorted()
  }
  const series = (type: string, value: number): string => `kind="Thing",namespace="default",name="one",type="${type}"} ${value}`
  assert.deepEqual(
    said([conditions.synced, 'False'], [conditions.terminal, 'True']),
    [series(conditions.synced, 0), series(conditions.terminal, 1)].toSorted(),
  )
  assert.deepEqual(said([conditions.synced, 'True']), [series(conditions.synced, 1)])
  of.onGone({ namespace: 'default', name: 'one' })
  assert.deepEqual(lines('ack_resource_condition{'), [])
})

test('when a resource was last in step is told of the kind', () => {
  const { of, lines } = counted(false)
  const synced = (type: string, status: string): readonly string[] => {
    of.onConditions(claimOf({ metadata: { namespace: undefined } }), [{ type, status }], 5_000)
    return lines('ack_resource_last_sync_timestamp_seconds{')
  }
  assert.deepEqual([synced(conditions.synced, 'False'), synced(conditions.ready, 'True')], [[], []])
  assert.deepEqual(synced(conditions.synced, 'True'), ['kind="Thing"} 5'])
  assert.deepEqual(lines('ack_resource_condition{'), [], 'no object is named')
})

test('without metrics nothing is counted', () => {
  const of = kindMetrics(undefined, madeUpKind({}), true)
  of.onCall({ operation: 'DescribeThing', verb: 'READ_ONE', error: refused('Unknown', 400) })
  of.onConditions(claimOf({}), [{ type: conditions.synced, status: 'True' }], 5_000)
  of.onDrift()
  of.onGone({ namespace: 'default', name: 'one' })
})
