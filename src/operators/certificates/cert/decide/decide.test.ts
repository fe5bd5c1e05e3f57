// From a verdict to a plan: what is written beside the calls, and which state comes first.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Plan } from '#runtime'
import { annotations, finalizer, tagKeys } from '../../api/labels.ts'
import {
  arn,
  certificate,
  certSeen,
  hash,
  issued,
  nowMs,
  pendingArn,
  present,
  primary,
  request,
  type SeenOptions,
  settings,
  zone,
} from '../../testing/cert-seen.fixture.ts'
import { brief, callsOf, judged } from '../../testing/judged.fixture.ts'
import type { CertAction } from '../cloud-action.ts'
import { decide, planOf, sight } from './decide.ts'
import { type Verdict, verdict } from './verdict.ts'

const good = { state: 'Ready', certificateArn: arn, certReady: true, request: request(), serial: '0a:01' } as const
const onItsWay = { state: 'Created', certificateArn: arn, certReady: false, request: request() } as const
const going = { deletionTimestamp: '2026-06-01T00:00:00Z' }
const paused = { [annotations.paused]: 'true' }
const minute = 60_000

const planned = (options: SeenOptions, judgement: Verdict): Plan<CertAction> =>
  planOf(sight(certSeen(options)) ?? assert.fail(), judgement, settings)
const kinds = ({ actions }: Plan<CertAction>): readonly string[] => actions.map(({ kind }) => kind)

test('what is said aside is said alone: nothing is counted, and no condition speaks [P2]', () => {
  const judgement = verdict(17, 'Created', { isAside: true, status: { serial: 'x' }, next: 'at-once' })
  const plan = planned({ status: onItsWay }, judgement)
  assert.deepEqual([kinds(plan), plan.conditions, plan.status], [['add-finalizer'], [], { serial: 'x' }])
})

test('what is silent leaves the status and the counter as they are [7.4 #42]', () => {
  const plan = planned({ status: onItsWay }, verdict(42, 'Created', { isSilent: true }))
  assert.deepEqual([kinds(plan), plan.conditions, 'status' in plan], [['add-finalizer'], [], false])
})

test('an object that goes gets no finalizer, and its end is told before it is let go [8.6]', () => {
  const seen = { status: good, metadata: { ...going, finalizers: [finalizer] } }
  const plan = decide(certSeen(seen), settings)
  assert.deepEqual(kinds(plan), ['act:notice', 'record-event', 'remove-finalizer'])
  assert.deepEqual([plan.conditions, 'status' in plan, plan.next], [[], false, { kind: 'await-change' }])
})

const counting = (state: string, attempts: string): SeenOptions['annotations'] => ({
  [annotations.attemptsState]: state,
  [annotations.attempts]: attempts,
})
const blocked = { reason: 'CertificateInUse', message: 'x' } as const
for (const [what, judgement, notes, count] of [
  ['waits in its state', verdict(18, 'Created'), counting('Created', '2'), '3'],
  ['comes into another state', verdict(18, 'Created'), counting('Pending', '2'), '0'],
  ['comes to rest', verdict(30, 'Ready'), counting('Created', '2'), '0'],
  ['is at rest', verdict(30, 'Ready'), counting('Ready', '0'), undefined],
  ['stays failed', verdict(41, 'Failed'), counting('Failed', '0'), undefined],
  ['goes on at once', verdict(17, 'Created', { next: 'at-once' }), counting('Created', '2'), undefined],
  [
    'comes back at a time of its own',
    verdict(15, 'Created', { next: { afterMs: 1, why: 'x' } }),
    counting('Created', '2'),
    undefined,
  ],
  ['waits for its end', verdict(2, 'Ready', { blocked, next: { afterMs: 1, why: 'x' } }), counting('Ready', '2'), '3'],
  ['is silent', verdict(42, 'Created', { isSilent: true }), counting('Pending', '2'), undefined],
] as const)
  test(`the counter of a Cert that ${what} is ${count ?? 'left as it is'} [7.3]`, () => {
    const { actions } = planned({ status: onItsWay, ...(notes && { annotations: notes }) }, judgement)
    const patch = actions.find(({ kind }) => kind === 'patch')
    assert.deepEqual(
      patch && [patch.kind === 'patch' && patch.body, patch.kind === 'patch' && patch.key, patch.kind === 'patch' && patch.uid],
      count === undefined
        ? undefined
        : [{ metadata: { annotations: counting(judgement.state, count) } }, { namespace: 'team', name: 'api' }, 'uid-1'],
    )
  })

const tags = { [tagKeys.managedBy]: 'cert-operator', [tagKeys.uid]: 'uid-2' }
const gone = { kind: 'absent', isConfirmed: true } as const
const asked = { name: `_1.${primary}`, value: '_2.acm-validations.aws.', zone, domains: [primary] }

test('a stranger in the status comes before everything that the state asks for [7.4 #32, S6]', () => {
  const stranger = { kind: 'present', certificate: issued(), tags } as const
  assert.deepEqual(brief(judged({ status: good, current: stranger })), [32, 'Pending', 'CertificateMissing', 'at-once'])
  const unknown = judged({ status: good, current: { ...gone, isByAnother: true } })
  assert.deepEqual(brief(unknown), [32, 'Pending', 'CertificateMissing', 'at-once'])
  assert.equal(unknown.status.request?.requestedAt, '1970-01-01T00:00:00Z')
})

test('a change of a certificate that stays needs no record of it in the status [P2]', () => {
  const current = { kind: 'present', certificate: issued(), asked: [asked] } as const
  const verdictOf = judged({ status: good, spec: { transparencyLogging: 'Disabled' }, current })
  assert.deepEqual(
    [verdictOf.row, verdictOf.isAside, callsOf(verdictOf).map(({ operation }) => operation)],
    [30, undefined, ['UpdateCertificateOptions']],
  )
})

test('what ended in Ready, and is not what is asked for by now, is given up [7.4 #38]', () => {
  const current = present(issued({ notAfterMs: nowMs }))
  assert.deepEqual(brief(judged({ status: { ...good, request: request(0, 'other') }, current })), [
    38,
    'Pending',
    'Requesting',
    'at-once',
  ])
  assert.deepEqual(brief(judged({ status: good, current })), [33, 'Failed', 'Expired', 'interval'])
})

test('at the first sight what stands in the way is told, and nothing is looked up for it [7.4 #5, #7]', () => {
  const zoneless = judged({ spec: { domainName: 'a.other.org' } })
  assert.deepEqual(brief(zoneless), [7, 'Failed', 'ZoneNotFound', 'interval'])
  const lost = judged({})
  assert.deepEqual(
    [brief(lost), lost.wait?.message],
    [[5, 'Pending', 'Requesting', 'at-once'], 'the certificate is being looked up'],
  )
  assert.equal('request' in lost.status, false)
  const named = judged({ status: { pendingCertificateArn: pendingArn } })
  assert.deepEqual(
    [brief(named), named.wait?.message],
    [[5, 'Pending', 'Requesting', 'at-once'], 'the certificate is being looked up'],
  )
})

test('a pause keeps every state as it is, and what failed stays told [7.4 #4]', () => {
  const hour = 60 * minute
  const failure = { reason: 'Revoked', message: 'it was so', time: '2026-05-01T00:00:00Z', count: 2 }
  const of = (status: SeenOptions['status'] & object) => judged({ status, annotations: paused })
  assert.deepEqual(brief(of(good)), [4, 'Ready', 'Paused', hour])
  assert.deepEqual(brief(of({ ...onItsWay, state: 'Failed', lastFailure: failure })), [4, 'Failed', 'Revoked', hour])
  assert.equal(of({ ...onItsWay, state: 'Failed', lastFailure: failure }).failure?.message, 'it was so')
  assert.deepEqual(brief(of({ ...onItsWay, state: 'Failed', lastFailure: { ...failure, reason: 'Odd' } })), [
    4,
    'Failed',
    'IssuanceFailed',
    hour,
  ])
  assert.deepEqual(of({ ...onItsWay, state: 'Failed' }).failure, { reason: 'IssuanceFailed', message: '' })
  assert.deepEqual(brief(judged({ status: onItsWay, annotations: { [annotations.paused]: 'false' } }))[1], 'Created')
})

const replacing = { ...good, state: 'Created', pendingCertificateArn: pendingArn } as const
const pending = present(certificate({ arn: pendingArn, validations: [] }))
for (const [what, current, said] of [
  ['is good', present(issued({ serial: 'new' })), [true, 'new']],
  ['is past its end', present(issued({ serial: 'new', notAfterMs: nowMs })), [false, 'new']],
  ['was revoked', present(issued({ serial: 'new', status: 'REVOKED' })), [false, 'new']],
  ['does not show', { kind: 'absent', isConfirmed: false }, [undefined, undefined]],
] as const)
  test(`of a certificate that serves beside another one and ${what} that is said [7.4 #70]`, () => {
    const { status, next } = judged({ status: replacing, pending, current: current as never })
    assert.deepEqual([status.certReady, status.serial], said)
    assert.deepEqual(typeof next === 'object' ? next.afterMs : next, said[0] === undefined ? 30_000 : 'interval')
  })

test('who never served says nothing of a certificate that it replaces', () => {
  const { status } = judged({ status: { ...replacing, certReady: false }, pending, current: present(issued({ serial: 'new' })) })
  assert.equal('serial' in status, false)
})

test('an answer for what was asked for is taken, whatever the state says of it [7.4 #9]', () => {
  const status = { ...good, state: 'Pending', request: request(0, hash) } as const
  assert.deepEqual(brief(judged({ status, current: present(issued()) })), [9, 'Ready', undefined, 'interval'])
})
