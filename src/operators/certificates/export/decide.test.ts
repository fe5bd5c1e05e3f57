// Whether a certificate and its key are written into a Secret, and what is said where they are not.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Cert } from '../api/kinds.ts'
import { certSeen } from '../testing/cert-seen.fixture.ts'
import { decideExport } from './decide.ts'
import type { ExportSeen, ExportTarget } from './seen.ts'

const arn = 'arn:aws:acm:eu-west-1:111122223333:certificate/1'
const ready = { certificateArn: arn, certReady: true, serial: 's1' }
const ours = (serial: string | undefined, held: string | undefined): ExportTarget => ({ kind: 'ours', serial, arn: held })

function cert({
  status = ready,
  metadata = {},
  exports = true,
}: {
  status?: object
  metadata?: object
  exports?: boolean
} = {}): Cert {
  const spec = exports ? { export: { secretName: 'tls' } } : {}
  const { claim } = certSeen({ spec: spec as never, status: status as never, metadata: metadata as never })
  assert.ok(claim !== undefined)
  return claim
}

const hourly = { kind: 'look-again', afterMs: 7, why: 'the Secret is looked at every hour', lane: 'drift' }
const change = { kind: 'await-change' }

for (const [what, seen, isWritten, said, next] of [
  ['whose Secret is not there', {}, true, 'True/Exported', hourly],
  ['whose Secret has it', { target: ours('s1', arn) }, false, 'True/Exported', hourly],
  ['whose Secret has an older one of it', { target: ours('s0', arn) }, true, 'True/Exported', hourly],
  ['whose Secret has another one', { target: ours('s1', 'other') }, true, 'True/Exported', hourly],
  ['whose Secret has lost its marks', { target: ours(undefined, undefined) }, true, 'True/Exported', hourly],
  [
    'without a serial that is known',
    { claim: cert({ status: { certificateArn: arn, certReady: true } }), target: ours('', arn) },
    false,
    'True/Exported',
    hourly,
  ],
  ['in whose place is somebody else’s Secret', { target: { kind: 'foreign' } }, false, 'False/Conflict', hourly],
  ['whose Secret may not be looked at', { target: { kind: 'forbidden' } }, false, 'False/Forbidden', hourly],
  ['in a namespace that nobody listed', { isListed: false }, false, 'False/NamespaceNotListed', hourly],
  ['that is not issued', { claim: cert({ status: { ...ready, certReady: false } }) }, false, undefined, change],
  ['that has no certificate', { claim: cert({ status: { certReady: true } }) }, false, undefined, change],
  ['of which nothing is said', { claim: cert({ status: {} }) }, false, undefined, change],
  ['that asks for no export', { claim: cert({ exports: false }) }, false, undefined, change],
  ['that goes', { claim: cert({ metadata: { deletionTimestamp: '2026-05-02T00:00:00Z' } }) }, false, undefined, change],
  ['that is gone', { claim: undefined }, false, undefined, change],
] as const)
  test(`the key of a Cert ${what} is ${isWritten ? 'written' : 'not written'}`, () => {
    const whole = { claim: cert(), target: { kind: 'missing' }, isListed: true, ...seen } as ExportSeen
    const plan = decideExport(whole, { readyMs: 7 })
    assert.equal(plan.actions.length, isWritten ? 1 : 0)
    const [condition] = plan.conditions
    assert.equal(condition && `${condition.status}/${condition.reason}`, said)
    assert.deepEqual(plan.next, next)
    const [action] = plan.actions
    if (action?.kind === 'act:export') assert.deepEqual([action.arn, action.serial, action.secretName], [arn, 's1', 'tls'])
  })
