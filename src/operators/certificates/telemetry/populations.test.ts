// What all Certs together are at a moment, and the boundaries of what is counted.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Cert } from '../api/kinds.ts'
import { certSeen, nowMs } from '../testing/cert-seen.fixture.ts'
import { expiryOf } from './expiry.ts'
import { populationOf } from './population.ts'

const time = (agoMs: number): string => new Date(nowMs - agoMs).toISOString()

function cert(status: object, metadata: object = {}): Cert {
  const { claim } = certSeen({ status: status as never, metadata: metadata as never })
  assert.ok(claim !== undefined)
  return claim
}

const condition = (type: string, status: string, reason = '', agoMs = 0): object => ({
  type,
  status,
  reason,
  message: '',
  lastTransitionTime: time(agoMs),
})
const oldest = (...certs: readonly Cert[]) => populationOf(certs, nowMs).oldestSeconds

for (const [what, state, conditions, seconds] of [
  [
    'on its way, since it is',
    'Created',
    [condition('Ready', 'False', '', 9_000), condition('Reconciling', 'True', '', 5_000)],
    5,
  ],
  ['at rest, since it is', 'Ready', [condition('Reconciling', 'False', '', 9_000), condition('Ready', 'True', '', 4_000)], 4],
  ['that failed, since it did', 'Failed', [condition('Ready', 'False', '', 9_000), condition('Stalled', 'True', '', 3_000)], 3],
  ['of which nothing is said, since it is there', 'Pending', [], 60],
  ['of which something else is said, since it is there', 'Validated', [condition('Published', 'True', '', 1_000)], 60],
  ['of another clock, for no time', 'Ready', [condition('Ready', 'True', '', -5_000)], 0],
] as const)
  test(`a Cert ${what} is so for ${seconds} seconds`, () => {
    const found = oldest(cert({ state, conditions }, { creationTimestamp: time(60_000) }))
    assert.deepEqual(found, { Pending: 0, Created: 0, Validated: 0, Ready: 0, Failed: 0, [state]: seconds })
  })

test('of several the oldest counts, and one of no time for none', () => {
  const of = (agoMs: number): Cert => cert({ state: 'Pending' }, { creationTimestamp: time(agoMs) })
  assert.equal(oldest(of(1_000), of(7_000), of(3_000)).Pending, 7)
  assert.equal(oldest(cert({ state: 'Pending' }, { creationTimestamp: undefined })).Pending, 0)
})

test('what keeps a Cert counts where it goes, and a renewal that is not well by its reason', () => {
  const blocked = { conditions: [condition('DeletionBlocked', 'True')] }
  const going = { deletionTimestamp: time(0) }
  const unwell = { conditions: [condition('RenewalHealthy', 'False', 'NotInUse')] }
  const certs = [
    cert(blocked, going),
    cert(blocked),
    cert(blocked),
    cert({}, going),
    cert({ conditions: [condition('DeletionBlocked', 'False')] }, going),
    cert(unwell),
  ]
  const { blocked: count, unhealthy } = populationOf(certs, nowMs)
  assert.equal(count, 1)
  assert.deepEqual(unhealthy, { RenewalFailed: 0, PendingValidation: 0, NotInUse: 1, Overdue: 0 })
})

const dayMs = 86_400_000
const ending = (days: number, uid = 'u', more: object = {}): Cert =>
  cert({ certificateArn: 'arn', expirationDate: time(-days * dayMs), ...more }, { uid, name: uid })
const options = { nowMs, thresholdDays: 30, trackedMax: 2 }

test('a certificate is urgent up to its last day of the threshold, and expired from its very end', () => {
  const tracked = (days: number): number => expiryOf([ending(days)], options).tracked.length
  assert.deepEqual([30, 30.001].map(tracked), [1, 0])
  const expired = (days: number): number => expiryOf([ending(days)], options).expired
  assert.deepEqual([0.001, 0, -1].map(expired), [0, 1, 1])
})

test('each certificate that is not over is in one of six buckets, by the days that are left', () => {
  const bucketOf = (days: number): string | undefined =>
    Object.entries(expiryOf([ending(days)], options).buckets).find(([, count]) => count > 0)?.[0]
  assert.deepEqual([0, 0.5, 1, 6.9, 7, 14, 30, 60, 89.9, 90].map(bucketOf), [
    undefined,
    '0-7d',
    '0-7d',
    '0-7d',
    '7-14d',
    '14-30d',
    '30-60d',
    '60-90d',
    '60-90d',
    '90d+',
  ])
})

test('the soonest ends have series, of one end always the same ones, and a Cert without a certificate has none', () => {
  const all = [ending(9, 'c'), ending(9, 'b'), ending(3, 'd'), ending(9, 'a')]
  for (const certs of [all, all.toReversed()]) {
    const { tracked, untracked } = expiryOf(certs, options)
    assert.deepEqual(
      [tracked, untracked].map(series => series.map(({ uid }) => uid)),
      [
        ['d', 'a'],
        ['b', 'c'],
      ],
    )
  }
  for (const none of [ending(3, 'e', { certificateArn: undefined }), ending(3, 'f', { expirationDate: undefined })])
    assert.deepEqual(expiryOf([none], options).tracked, [])
})
