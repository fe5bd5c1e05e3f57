// A day that has no more requests, as the states see it: refused in Pending, told in Failed, and over as soon as there is one again.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CertStatus } from '../../api.ts'
import { certSeen, request, settings } from '../../testing/cert-seen.fixture.ts'
import { isCloudAction } from '../cloud-action.ts'
import { judge, sight } from '../decide/decide.ts'
import type { CertFailure, Verdict } from '../decide/verdict.ts'
import { nextFailure } from '../status.ts'

const refusal = 'namespace "team" had 9 of the 20 certificates of today (--max-requests-per-day), and the rest is for others'
const other = '20 certificates were requested today, the most of --max-requests-per-day'
const time = '2026-05-31T23:00:00Z'

function judged(status: CertStatus, dayRefusal?: string): Verdict {
  const seen = sight(certSeen({ status, owned: [], ...(dayRefusal === undefined ? {} : { dayRefusal }) }))
  assert.ok(seen !== undefined)
  return judge(seen, settings)
}

const pending: CertStatus = { state: 'Pending', request: request() }
const byAws = { reason: 'QuotaExceeded', message: 'you have reached your limit' } as const
const byDay = { ...byAws, message: refusal, refusedBy: 'DailyBudget' } as const
const refused = (by: CertFailure): CertStatus => ({ state: 'Failed', request: request(), lastFailure: { ...by, time, count: 3 } })

test('a request that the day refuses is not sent, and said with an event [7.4 #12, 16.11]', () => {
  const { row, state, failure, events, actions } = judged(pending, refusal)
  assert.deepEqual([row, state, failure, actions], [12, 'Failed', byDay, []])
  assert.deepEqual(events, [{ type: 'Warning', reason: 'QuotaExceeded', message: refusal }])
})

test('a request is counted for its namespace, by its token [16.11]', () => {
  const [call] = judged(pending).actions.filter(isCloudAction)
  const { input, ofTheDay } = call ?? {}
  assert.deepEqual(ofTheDay, { token: input?.IdempotencyToken, namespace: 'team', isUrgent: false })
})

test('what the day refused is asked for as soon as there is one again, and not after the delay of failures [7.4 #40, 16.11]', () => {
  const { row, state, next, events } = judged(refused(byDay))
  assert.deepEqual([row, state, next, events], [40, 'Pending', 'at-once', []])
})

test('what the day still refuses stays said; with other words it is told anew [7.4 #41, 16.11]', () => {
  assert.deepEqual([judged(refused(byDay), refusal).row, judged(refused(byDay), refusal).events], [41, []])
  const anew = judged(refused(byDay), other)
  assert.deepEqual([anew.row, anew.failure?.message], [12, other])
})

test('a quota of ACM is no matter of the day [7.4 #40, #55]', () => {
  assert.equal(judged(refused(byAws)).row, 41)
})

test('a name that an earlier Cert has is told first [7.4 #6]', () => {
  const rival = { namespace: 'team', name: 'first', isDeleting: false }
  const seen = sight(certSeen({ status: pending, owned: [], dayRefusal: refusal, rival }))
  assert.equal(seen === undefined ? undefined : judge(seen, settings).row, 6)
})

test('a refusal of the day counts for no longer delay, one of ACM does [7.6, 16.11]', () => {
  const at = { nowMs: Date.parse(time), isSame: false }
  const after = (by: CertFailure): CertStatus['lastFailure'] => nextFailure(refused(byAws), by, at)
  assert.deepEqual([after(byDay)?.count, after(byAws)?.count], [3, 4])
  assert.deepEqual([after(byDay)?.refusedBy, after(byAws)?.refusedBy], ['DailyBudget', undefined])
})
