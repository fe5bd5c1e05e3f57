import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Call, Service, ThrottleRow } from '../service.ts'
import { CallThrottle } from './throttle.ts'

const error = { code: 'Throttling', status: 400, message: 'Rate exceeded' }
const row = (more: Partial<ThrottleRow> = {}): ThrottleRow => ({
  name: 'row',
  operations: 'all',
  perSecond: 2,
  burst: 4,
  source: 'published',
  per: 'account',
  error,
  ...more,
})

interface Asking {
  readonly now?: number
  readonly operation?: string
  readonly account?: string
  readonly region?: string
  readonly partition?: string
}

/** How many calls of one kind pass before the first is refused. */
function passed(throttle: CallThrottle, rows: readonly ThrottleRow[] | undefined, asking: Asking = {}): number {
  const service = { name: 's', throttles: rows } as unknown as Service
  const call = { now: 0, operation: 'Get', account: 'a', region: 'r', partition: 'aws', ...asking } as unknown as Call
  for (let count = 0; count < 50; count++) {
    try {
      throttle.take(service, call)
    } catch (thrown) {
      const { code, status, message } = thrown as typeof error
      assert.deepEqual({ code, status, message }, error)
      return count
    }
  }
  return 50
}

test('a bucket holds its burst, and fills again at its rate up to the burst [§13.1]', () => {
  const throttle = new CallThrottle('all')
  assert.equal(passed(throttle, [row()]), 4)
  assert.equal(passed(throttle, [row()], { now: 499 }), 0)
  assert.equal(passed(throttle, [row()], { now: 500 }), 1)
  assert.equal(passed(throttle, [row()], { now: 1_500 }), 2)
  assert.equal(passed(throttle, [row()], { now: 1_000 }), 0)
  assert.equal(passed(throttle, [row()], { now: 100_000 }), 4)
})

test('a refused call costs nothing', () => {
  const throttle = new CallThrottle('all')
  passed(throttle, [row()])
  for (const now of [100, 200, 300, 400]) assert.equal(passed(throttle, [row()], { now }), 0)
  assert.equal(passed(throttle, [row()], { now: 500 }), 1)
})

test('a rate of thirds is a whole call after its time', () => {
  const throttle = new CallThrottle('all')
  const third = [row({ perSecond: 0.1, burst: 1 })]
  assert.equal(passed(throttle, third), 1)
  for (let now = 1_000; now < 10_000; now += 1_000) assert.equal(passed(throttle, third, { now }), 0)
  assert.equal(passed(throttle, third, { now: 10_000 }), 1)
})

for (const [mode, published, choice] of [
  ['off', 50, 50],
  ['published', 4, 50],
  ['all', 4, 4],
  ['tight', 1, 1],
] as const) {
  test(`${mode}: ${published} calls under a published rate, ${choice} under one of our choice`, () => {
    assert.equal(passed(new CallThrottle(mode), [row()]), published)
    assert.equal(passed(new CallThrottle(mode), [row({ source: 'choice' })]), choice)
  })
}

test('tight is a quarter of rate and burst, and of the burst one call at least', () => {
  const throttle = new CallThrottle('tight')
  assert.equal(passed(throttle, [row({ burst: 8 })]), 2)
  assert.equal(passed(throttle, [row({ burst: 8 })], { now: 1_999 }), 0)
  assert.equal(passed(throttle, [row({ burst: 8 })], { now: 2_000 }), 1)
  assert.equal(passed(new CallThrottle('tight'), [row({ burst: 1 })]), 1)
})

test('a row is drawn from by the operations that it names, and every such row has to have something', () => {
  const named = row({ name: 'named', operations: ['Put'], burst: 1 })
  const matched = row({ name: 'matched', operations: operation => operation.startsWith('Get'), burst: 2 })
  assert.equal(passed(new CallThrottle('all'), [named, matched], { operation: 'Get' }), 2)
  assert.equal(passed(new CallThrottle('all'), [named, matched], { operation: 'Put' }), 1)
  assert.equal(passed(new CallThrottle('all'), [named, matched], { operation: 'List' }), 50)
  assert.equal(passed(new CallThrottle('all'), [row(), matched]), 2)
  assert.equal(passed(new CallThrottle('all'), undefined), 50)
})

test('accounts, partitions, rows and, where the rate is of a region, regions have buckets of their own', () => {
  const throttle = new CallThrottle('all')
  assert.equal(passed(throttle, [row()]), 4)
  assert.equal(passed(throttle, [row()], { region: 'other' }), 0)
  assert.equal(passed(throttle, [row()], { account: 'b' }), 4)
  assert.equal(passed(throttle, [row()], { partition: 'aws-cn' }), 4)
  assert.equal(passed(throttle, [row({ name: 'more' })]), 4)
  const perRegion = row({ name: 'of regions', per: 'region' })
  assert.deepEqual(
    [passed(throttle, [perRegion]), passed(throttle, [perRegion], { region: 'other' }), passed(throttle, [perRegion])],
    [4, 4, 0],
  )
  const perOperation = row({ name: 'of zones', per: call => call.operation })
  assert.deepEqual([passed(throttle, [perOperation]), passed(throttle, [perOperation], { operation: 'Put' })], [4, 4])
})

test('a fork goes on with what is left in the buckets, and tells it', () => {
  const first = new CallThrottle('all')
  const service = { name: 's', throttles: [row()] } as unknown as Service
  first.take(service, { now: 0, operation: 'Get', account: 'a', region: 'r', partition: 'aws' } as unknown as Call)
  const second = new CallThrottle('all', first)
  assert.deepEqual(second.levels(), { 's/row/aws/a': 3 })
  assert.equal(passed(second, [row()]), 3)
  assert.deepEqual(first.levels(), { 's/row/aws/a': 3 })
})
