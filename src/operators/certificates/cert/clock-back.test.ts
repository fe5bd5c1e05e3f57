// A clock that was ahead and is right again, or a hand, leaves times in a status that lie ahead: what is counted from them ends all the same.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  arn,
  certSeen,
  hourMs,
  issued,
  nowMs,
  pendingArn,
  present,
  request,
  type SeenOptions,
  settings,
  zone,
} from '../testing/cert-seen.fixture.ts'
import { certWorld, zoneName } from '../testing/cert-world.ts'
import { decide, judge, sight } from './decide/decide.ts'
import { needsSearch } from './decide/pending.ts'
import { mayGo } from './decide/superseded.ts'
import type { Verdict } from './decide/verdict.ts'
import { AheadMemory } from './memory.ts'

const minuteMs = 60_000
const ahead = new Date(nowMs + hourMs).toISOString()
const known = (ms: number): SeenOptions => ({ aheadMs: new Map([[ahead, ms]]) })
const asked = { ...request(), requestedAt: ahead }

function judged(options: SeenOptions): Verdict {
  const seen = sight(certSeen(options))
  assert.ok(seen !== undefined)
  return judge(seen, settings)
}

test('what was asked for by a clock that is right again is waited for five minutes, and its object goes [8.6, L3]', async () => {
  await using world = certWorld()
  await world.zone(zoneName)
  let skewMs = hourMs
  world.start({ skewMs: () => skewMs })
  await world.apply('api', { deleteOnRemoval: true })
  const { status } = await world.until('api', 'Created')
  skewMs = 0
  await world.acm.call('DeleteCertificate', { CertificateArn: status?.certificateArn ?? '' })
  await world.remove('api')
  await world.advance(4 * minuteMs)
  assert.ok((await world.cert('api')) !== undefined)
  await world.advance(3 * minuteMs)
  assert.deepEqual([await world.cert('api'), await world.arns()], [undefined, []])
})

test('what was asked for by such a clock for another spec is looked for, five minutes long, before it is given up [7.4 #11, S26]', () => {
  const revisionAfter = (vainMs: number): number | undefined =>
    judged({
      spec: { subjectAlternativeNames: [`b.${zone.name}`] },
      status: { state: 'Pending', request: asked },
      owned: [],
      vainMs,
      ...known(vainMs),
    }).status.request?.revision
  assert.deepEqual([revisionAfter(0), revisionAfter(299_000), revisionAfter(300_000)], [undefined, undefined, 2])
})

test('an object whose request lies ahead goes five minutes after it was first seen, and not before [8.6, S26]', () => {
  const isReleased = (ms: number): boolean | undefined =>
    judged({
      metadata: { deletionTimestamp: '2026-06-01T00:00:00Z' },
      spec: { deleteOnRemoval: true },
      status: { state: 'Validated', request: asked },
      deletion: { certificates: new Map(), records: [] },
      ...known(ms),
    }).isRelease
  assert.deepEqual([isReleased(299_000), isReleased(300_000)], [undefined, true])
})

test('a failure that lies ahead holds up neither the deletion nor the next request [7.6, 8.6]', () => {
  const lastFailure = { reason: 'QuotaExceeded', message: 'full', time: ahead, count: 1 }
  const status = { state: 'Failed', request: request(2 * hourMs), lastFailure } as const
  const states = [hourMs - 1, hourMs].map(ms => judged({ status, ...known(ms) }).state)
  assert.deepEqual(states, ['Failed', 'Pending'])
  const isReleased = (ms: number): boolean | undefined =>
    judged({
      metadata: { deletionTimestamp: '2026-06-01T00:00:00Z' },
      spec: { deleteOnRemoval: true },
      status,
      deletion: { certificates: new Map(), records: [] },
      ...known(ms),
    }).isRelease
  assert.deepEqual([isReleased(299_000), isReleased(300_000)], [undefined, true])
})

test('an absence counts as new for five minutes, also where the request lies ahead [7.4 #14, #15]', () => {
  const current = { kind: 'absent', isConfirmed: true, isSettled: false } as const
  const status = { state: 'Created', certificateArn: arn, certReady: false, request: asked } as const
  const rows = [299_000, 300_000].map(ms => judged({ status, current, ...known(ms) }).row)
  assert.deepEqual(rows, [14, 15])
})

test('a token that may be of any age is not asked with before what it made was searched [7.4 #10, S1]', () => {
  const of = (aheadByMs: number): boolean => {
    const { claim } = certSeen({ status: { state: 'Pending', request: request(-aheadByMs) } })
    return claim !== undefined && needsSearch({ claim, nowMs })
  }
  assert.deepEqual([of(0), of(5 * minuteMs), of(5 * minuteMs + 1_000)], [false, false, true])
  const seen = certSeen({ status: { state: 'Pending', request: asked }, owned: [], ...known(0) })
  const { actions, status, next } = decide(seen, settings)
  const calls = actions.filter(({ kind }) => kind === 'act:cloud')
  assert.deepEqual([calls, status?.['request'], next.kind], [[], request(0), 'look-again'])
})

test('what was replaced at a time that lies ahead is kept as long as the spec says, from when it was seen [8.4]', () => {
  const spec = { rotation: { deleteSuperseded: true, retain: '1h' } }
  const look = present(issued({ arn: pendingArn }))
  const of = (ms: number): boolean => {
    const seen = sight(certSeen({ spec, ...known(ms) }))
    return seen !== undefined && mayGo({ arn: pendingArn, supersededAt: ahead, inUse: false }, look, seen)
  }
  assert.deepEqual([of(hourMs - 1), of(hourMs)], [false, true])
})

test('a process counts from its first sight of a time, as long as it lies ahead and stands in the status', () => {
  let now = 1_000
  const memory = new AheadMemory({ monotonicMs: () => now })
  const of = (times: readonly string[], at = nowMs): readonly number[] => [...memory.knownMs('uid-1', times, at).values()]
  assert.deepEqual(of([ahead, new Date(nowMs).toISOString()]), [0])
  now += 7_000
  assert.deepEqual(of([ahead]), [7_000])
  assert.deepEqual([...memory.knownMs('uid-2', [ahead], nowMs).values()], [0])
  assert.deepEqual([of([ahead], nowMs + hourMs), of([ahead])], [[], [0]])
})
