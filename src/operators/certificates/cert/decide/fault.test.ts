// What a pass decides that could not see everything: by what kept it, and by what the object said before.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CloudFault } from '../../aws/faults.ts'
import { arn, certSeen, issued, nowMs, present, request, type SeenOptions, settings } from '../../testing/cert-seen.fixture.ts'
import { decide, judge, sight } from './decide.ts'

const good = { state: 'Ready', certificateArn: arn, certReady: true, request: request() } as const
const created = { state: 'Created', certificateArn: arn, certReady: false, request: request() } as const
const deleted = { metadata: { deletionTimestamp: '2026-06-01T00:00:00Z' } } as const
const denied: CloudFault = { class: 'denied', message: 'no' }
const failedAgo = (count: number) => ({ reason: 'AccessDenied', message: 'no', time: '2026-05-31T00:00:00Z', count })
const toldAgo = (ms: number, reason = 'AccessDenied') => ({
  type: 'Ready',
  status: 'False' as const,
  reason,
  message: 'no',
  lastTransitionTime: new Date(nowMs - ms).toISOString(),
})

const judged = (fault: CloudFault, seen: SeenOptions) => judge(sight(certSeen({ ...seen, fault })) ?? assert.fail(), settings)

const nexts: readonly (readonly [what: string, fault: CloudFault, seen: SeenOptions, row: number, afterMs: number])[] = [
  [
    'our own pace holds it back',
    { class: 'held-back', message: 'x', isOurPace: true, retryAfterMs: 700 },
    { status: created },
    42,
    700,
  ],
  ['our own pace holds it back for no time', { class: 'held-back', message: 'x', isOurPace: true }, { status: created }, 42, 0],
  ['a breaker holds it back', { class: 'held-back', message: 'x', retryAfterMs: 1_000 }, { status: created }, 42, 1_050],
  ['another change is under way', { class: 'conflict', message: 'x' }, { status: created }, 42, 31_500],
  ['it is denied for the first time', denied, { status: created }, 43, 1_000],
  ['it is denied for the second time', denied, { status: { ...created, lastFailure: failedAgo(1) } }, 43, 2_000],
  ['it is denied for the third time', denied, { status: { ...created, lastFailure: failedAgo(2) } }, 43, 4_000],
  ['it is denied for the fourth time', denied, { status: { ...created, lastFailure: failedAgo(3) } }, 43, 300_000],
  ['it is denied while it serves', denied, { status: good }, 43, 1_000],
  ['it is denied since half a second', denied, { status: { ...good, conditions: [toldAgo(500)] } }, 43, 1_000],
  ['it is denied since five seconds', denied, { status: { ...good, conditions: [toldAgo(5_000)] } }, 43, 5_000],
  ['it is denied since eight seconds', denied, { status: { ...good, conditions: [toldAgo(8_000)] } }, 43, 300_000],
  [
    'it is denied, and was last just now',
    denied,
    { status: { ...good, conditions: [toldAgo(60_000), toldAgo(3_000)] } },
    43,
    3_000,
  ],
  [
    'it is denied, and something else was told',
    denied,
    { status: { ...good, conditions: [toldAgo(5_000, 'Issued')] } },
    43,
    1_000,
  ],
  ['it is denied while it goes', denied, { ...deleted, status: { ...created, lastFailure: failedAgo(3) } }, 43, 1_000],
]

for (const [what, fault, seen, row, afterMs] of nexts)
  test(`where ${what}, it comes back after ${afterMs} ms [7.4 #42, #43]`, () => {
    const { row: found, next } = judged(fault, seen)
    assert.deepEqual([found, typeof next === 'object' && Math.round(next.afterMs)], [row, afterMs])
  })

const said: readonly (readonly [what: string, fault: CloudFault, seen: SeenOptions, told: readonly unknown[]])[] = [
  // State, failure, what keeps a deletion, what is refused, trouble of records, events, silence.
  [
    'is denied',
    denied,
    { status: created },
    ['Failed', 'AccessDenied', undefined, undefined, undefined, ['AccessDenied'], undefined],
  ],
  [
    'is denied again',
    denied,
    { status: { ...created, conditions: [toldAgo(1)] } },
    ['Failed', 'AccessDenied', undefined, undefined, undefined, [], undefined],
  ],
  [
    'is denied again, and says so in one condition of two',
    denied,
    { status: { ...created, conditions: [toldAgo(1), { ...toldAgo(1, 'Progressing'), type: 'Reconciling' }] } },
    ['Failed', 'AccessDenied', undefined, undefined, undefined, [], undefined],
  ],
  [
    'is denied at rest',
    denied,
    { status: { ...good, conditions: [{ ...toldAgo(1, 'Issued'), status: 'True' }] } },
    ['Ready', undefined, undefined, undefined, 'AccessDenied', ['AccessDenied'], undefined],
  ],
  [
    'is denied a look at an edit',
    denied,
    { status: { ...good, observedGeneration: 0 } },
    ['Ready', undefined, undefined, 'AccessDenied', undefined, ['AccessDenied'], undefined],
  ],
  [
    'is denied the first look after a pause',
    denied,
    { status: { ...good, conditions: [toldAgo(1, 'Paused')] } },
    ['Ready', undefined, undefined, 'AccessDenied', undefined, ['AccessDenied'], undefined],
  ],
  [
    'is still held up',
    denied,
    { status: { ...good, conditions: [toldAgo(1)] } },
    ['Ready', undefined, undefined, 'AccessDenied', undefined, [], undefined],
  ],
  [
    'serves on its way',
    denied,
    { status: { ...good, state: 'Created', observedGeneration: 0 } },
    ['Created', undefined, undefined, undefined, 'AccessDenied', ['AccessDenied'], undefined],
  ],
  [
    'is denied its end',
    denied,
    { ...deleted, status: { ...good, observedGeneration: 0 } },
    ['Ready', undefined, 'AccessDenied', undefined, 'AccessDenied', ['AccessDenied'], undefined],
  ],
  [
    'has to wait',
    { class: 'held-back', message: 'x' },
    { status: good },
    ['Ready', undefined, undefined, undefined, undefined, [], true],
  ],
  [
    'has to wait for its end',
    { class: 'held-back', message: 'x' },
    { ...deleted, status: good },
    ['Ready', undefined, 'AWSUnavailable', undefined, undefined, [], undefined],
  ],
  [
    'waits for its turn at its end',
    { class: 'held-back', message: 'x', isOurPace: true },
    { ...deleted, status: good },
    ['Ready', undefined, undefined, undefined, undefined, [], true],
  ],
  [
    'meets weather at its end',
    { class: 'transient', message: 'x' },
    { ...deleted, status: good },
    ['Ready', undefined, 'AWSUnavailable', undefined, undefined, [], undefined],
  ],
]

for (const [what, fault, seen, told] of said)
  test(`a Cert that ${what} says so, and takes nothing from what is good [7.4 #42, #43]`, () => {
    const { state, failure, blocked, heldUp, recordsTrouble, events, isSilent } = judged(fault, seen)
    const reasons = [failure?.reason, blocked?.reason, heldUp?.reason, recordsTrouble?.reason]
    assert.deepEqual([state, ...reasons, events.map(({ reason }) => reason), isSilent], told)
  })

test('weather is the engine’s: it counts it and waits longer and longer [7.4 #43]', () => {
  for (const [fault, reason] of [
    [{ class: 'throttled', message: 'x' }, 'Throttled'],
    [{ class: 'transient', message: 'x' }, 'OutcomeUnknown'],
  ] as const) {
    const { row, actions } = judged(fault, { status: created })
    assert.equal(row, 43)
    const [action] = actions
    const { trouble } = action as unknown as { readonly trouble: { readonly kind: string; readonly reason: string } }
    assert.deepEqual([action?.kind, trouble.kind, trouble.reason], ['act:fault', 'backoff', reason])
  }
})

test('our own pace goes on with what has begun, says nothing and counts nothing', () => {
  const pace = { class: 'held-back', message: 'x', isOurPace: true, retryAfterMs: 700 } as const
  const plan = decide(certSeen({ status: created, fault: pace }), settings)
  assert.deepEqual(plan.next, { kind: 'look-again', afterMs: 700, why: 'x', lane: 'begun' })
  assert.deepEqual([plan.conditions, plan.actions.map(({ kind }) => kind)], [[], ['add-finalizer']])
})

const nextOf = (seen: SeenOptions): unknown => decide(certSeen(seen), settings).next

test('what is at rest is looked at among the last, what is paused in an hour, and what is absent twice', () => {
  assert.deepEqual(nextOf({ status: good, current: present(issued()) }), {
    kind: 'look-again',
    afterMs: 3_600_000,
    why: 'Ready is looked at every 1h0m0s',
    lane: 'drift',
  })
  const annotations = { 'acm.ops.example.dev/paused': 'true' }
  assert.deepEqual(nextOf({ status: good, annotations }), { kind: 'look-again', afterMs: 3_600_000, why: 'it is paused' })
  const gone = { kind: 'absent', isConfirmed: false } as const
  assert.deepEqual(nextOf({ status: good, current: gone }), {
    kind: 'look-again',
    afterMs: 30_000,
    why: 'an absence is looked at twice',
  })
})
