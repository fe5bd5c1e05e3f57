// Whether something may still come of a request whose answer nobody has.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { arn, certSeen, nowMs, pendingArn, request, type SeenOptions } from '../../testing/cert-seen.fixture.ts'
import { sight } from './decide.ts'
import { isOnItsWay, isReplacementOpen, mayComeToLight } from './open-request.ts'

const minute = 60_000
const sighted = (seen: SeenOptions) => sight(certSeen(seen)) ?? assert.fail()
const old = request(60 * minute)
const failedAgo = (ms: number) => ({
  lastFailure: { reason: 'IssuanceFailed', message: '', time: new Date(nowMs - ms).toISOString(), count: 1 },
})

for (const [what, seen, may] of [
  ['nothing was asked for', { status: { state: 'Pending' } }, false],
  ['it was asked for within five minutes', { status: { state: 'Ready', request: request(5 * minute - 1_000) } }, true],
  ['it was asked for five minutes ago', { status: { state: 'Ready', request: request(5 * minute) } }, false],
  ['it is asked for again and again', { status: { state: 'Pending', request: old }, vainMs: 5 * minute - 1 }, true],
  [
    'it is asked for again and again, for five minutes in vain',
    { status: { state: 'Pending', request: old }, vainMs: 5 * minute },
    false,
  ],
  ['it was asked for, and is looked for', { status: { state: 'Created', request: old }, vainMs: 0 }, true],
  ['it was refused within five minutes', { status: { state: 'Failed', request: old, ...failedAgo(5 * minute - 1) } }, true],
  ['it was refused five minutes ago', { status: { state: 'Failed', request: old, ...failedAgo(5 * minute) } }, false],
  ['it was refused, nobody knows when', { status: { state: 'Failed', request: old } }, false],
  ['it was had, and something failed lately', { status: { state: 'Ready', request: old, ...failedAgo(0) } }, false],
] satisfies readonly (readonly [string, SeenOptions, boolean])[])
  test(`where ${what}, something ${may ? 'may' : 'can not'} come to light [S26]`, () =>
    assert.equal(mayComeToLight(sighted(seen)), may))

const serving = { state: 'Pending', certificateArn: arn, certReady: true, request: request() } as const
for (const [what, status, isOpen] of [
  ['is to be asked for', serving, true],
  ['was refused', { ...serving, state: 'Failed' }, true],
  ['is there', { ...serving, pendingCertificateArn: pendingArn }, false],
  ['is on its way', { ...serving, state: 'Created' }, false],
  ['is none any more', { ...serving, state: 'Ready' }, false],
  ['was never asked for', { state: 'Pending', certificateArn: arn, certReady: true }, false],
] as const)
  test(`another certificate that ${what} is ${isOpen ? '' : 'not '}open [8.4]`, () =>
    assert.equal(isReplacementOpen(sighted({ status })), isOpen))

test('what ACM does not show is on its way until it has not been seen for long [S26]', () => {
  assert.equal(isOnItsWay({ kind: 'absent', isConfirmed: true }), true)
  assert.equal(isOnItsWay({ kind: 'absent', isConfirmed: true, isSettled: false }), true)
  assert.equal(isOnItsWay({ kind: 'absent', isConfirmed: true, isSettled: true }), false)
  assert.equal(isOnItsWay({ kind: 'unasked' }), false)
})
