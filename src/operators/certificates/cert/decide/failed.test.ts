// What ends a failure: a person, a changed spec, time, or AWS itself; and what stays as it was said.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { annotations } from '../../api/labels.ts'
import type { CertStatus } from '../../api/status.ts'
import {
  arn,
  certificate,
  hash,
  hourMs,
  issued,
  nowMs,
  pendingArn,
  present,
  primary,
  recordSeen,
  request,
  type SeenOptions,
} from '../../testing/cert-seen.fixture.ts'
import { brief, callsOf, judged } from '../../testing/judged.fixture.ts'

const minute = 60_000
const because = (reason: string, more: object = {}, ageMs = minute) => ({
  reason,
  message: 'it was so',
  time: new Date(nowMs - ageMs).toISOString(),
  count: 3,
  ...more,
})
const failed = { state: 'Failed', lastFailure: because('IssuanceFailed') } as const
const withOne = { ...failed, certificateArn: arn, certReady: false, request: request(minute, undefined, 4) } as const
const beside = { ...withOne, certReady: true, pendingCertificateArn: pendingArn } as const
const byPolicy = { state: 'Failed', lastFailure: because('IssuanceFailed', { refusedBy: 'CertPolicy' }) } as const
const dead = present(certificate({ status: 'FAILED', failureReason: 'CAA_ERROR' }))
const again = { [annotations.retry]: 'again' }
const due = 4 * hourMs
const rival = { namespace: 'a', name: 'b', isDeleting: false }

const same = [41, 'Failed', 'IssuanceFailed', 'interval']
const asks = (row: number) => [row, 'Pending', 'Requesting', 'at-once']

for (const [what, seen, told] of [
  ['a policy forbade it, and forbids it no more', { status: byPolicy }, asks(39)],
  ['a policy forbade it, and still does', { status: byPolicy, forbidden: 'no' }, same],
  ['a policy forbade it, and now another one has the name', { status: byPolicy, rival }, same],
  ['AWS denied it', { status: { ...failed, lastFailure: because('AccessDenied') } }, asks(43)],
  [
    'a quota was full, a moment before its time',
    { status: { ...failed, lastFailure: because('QuotaExceeded', {}, due - 1_000) } },
    [41, 'Failed', 'QuotaExceeded', 'interval'],
  ],
  [
    'a quota was full, and its time has come',
    { status: { ...failed, lastFailure: because('QuotaExceeded', {}, due) } },
    asks(40),
  ],
  [
    'something failed that time does not mend',
    { status: { ...failed, lastFailure: because('IssuanceFailed', {}, 99 * hourMs) } },
    same,
  ],
  ['nobody knows why', { status: { state: 'Failed' } }, same],
  ['it says what no version says', { status: { ...failed, lastFailure: because('Odd') } }, same],
  ['its certificate is gone', { status: withOne, current: { kind: 'absent', isConfirmed: true } }, asks(37)],
  ['its certificate did not show once', { status: withOne, current: { kind: 'absent', isConfirmed: false } }, same],
  ['its certificate is issued after all', { status: withOne, current: present(issued()) }, [35, 'Ready', undefined, 'interval']],
  [
    'its certificate is on its way after all',
    { status: withOne, current: present(certificate()), records: [recordSeen()] },
    [36, 'Created', 'WaitingForDNS', 'at-once'],
  ],
  [
    'its certificate is on its way for other names',
    { status: withOne, current: present(certificate({ names: [primary, 'x.org'] })) },
    [31, 'Pending', 'Requesting', 'at-once'],
  ],
  [
    'a record is in its way, where something else was',
    {
      status: withOne,
      current: present(certificate()),
      records: [recordSeen({ standing: { kind: 'present', type: 'TXT', values: [], ttl: 1 } })],
    },
    [21, 'Failed', 'RecordConflict', 'interval'],
  ],
  [
    'its certificate failed, and its time has come',
    { status: { ...withOne, lastFailure: because('CAARestricted', {}, due) }, current: dead },
    asks(40),
  ],
  [
    'its certificate was revoked, whatever the time',
    { status: { ...withOne, lastFailure: because('IssuanceFailed', {}, due) }, current: present(issued({ status: 'REVOKED' })) },
    same,
  ],
  ['a person asks again', { status: failed, annotations: again }, asks(38)],
  ['a person asks again, and was answered', { status: { ...failed, answered: { retry: 'again' } }, annotations: again }, same],
  [
    'a person asks again, with another word',
    { status: { ...failed, answered: { retry: 'before' } }, annotations: again },
    asks(38),
  ],
  ['the spec was changed', { status: { ...failed, observedGeneration: 1 }, metadata: { generation: 2 } }, asks(38)],
  [
    'the spec was changed, and what is on its way does not show',
    { status: withOne, metadata: { generation: 2 }, current: { kind: 'absent', isConfirmed: true } },
    [41, 'Failed', 'IssuanceFailed', 30_000],
  ],
] satisfies readonly (readonly [string, SeenOptions, readonly unknown[]])[])
  test(`where ${what}, a Cert that failed ${told[1] === 'Failed' ? 'stays so' : `comes to ${String(told[1])}`} [7.4 #35-#41]`, () =>
    assert.deepEqual(brief(judged(seen)), told))

test('what nobody wrote down is said in the words of the status [7.4 #41]', () => {
  assert.deepEqual(judged({ status: { state: 'Failed', message: 'by hand' } }).failure, {
    reason: 'IssuanceFailed',
    message: 'by hand',
  })
  assert.deepEqual(judged({ status: { state: 'Failed' } }).failure, { reason: 'IssuanceFailed', message: '' })
  assert.deepEqual(judged({ status: failed }).failure, { reason: 'IssuanceFailed', message: 'it was so' })
})

test('what is given up and does not show yet is kept in mind, and nothing is said meanwhile [7.4 #38, S26]', () => {
  const seen = { metadata: { generation: 2 }, current: { kind: 'absent', isConfirmed: true } } as const
  assert.equal(judged({ ...seen, status: withOne }).isSilent, true)
  const settled = judged({ ...seen, status: withOne, current: { ...seen.current, isSettled: true } })
  assert.deepEqual([brief(settled), settled.isSilent], [asks(38), undefined])
})

const edited = { metadata: { generation: 2 }, annotations: again }
const next = (status: CertStatus, more: SeenOptions = {}) => judged({ ...edited, ...more, status })

test('a person’s word and a changed spec begin the delay anew, time does not [7.6]', () => {
  const countOf = (seen: SeenOptions) => judged(seen).status.lastFailure
  const asked = countOf({ ...edited, status: withOne, current: dead })
  assert.deepEqual([asked?.count, asked?.reason], [0, 'IssuanceFailed'])
  assert.equal(
    'lastFailure' in judged({ status: { ...withOne, lastFailure: because('CAARestricted', {}, due) }, current: dead }).status,
    false,
  )
  assert.equal(next({ state: 'Failed' }).status.lastFailure, undefined)
})

test('a word that was given is noted as answered, beside others [7.4 #38]', () => {
  assert.deepEqual(next({ ...withOne, answered: { renew: 'x' } }, { current: dead }).status.answered, {
    renew: 'x',
    retry: 'again',
  })
  assert.equal('answered' in next(withOne, { current: dead, annotations: {} }).status, false)
})

for (const [what, more, calls, superseded] of [
  ['that never was goes', {}, ['DeleteCertificate'], undefined],
  ['that was issued once stays, and is listed', { status: 'REVOKED', issuedMs: 1 }, [], [false]],
  ['that something uses stays, and is listed so', { inUseBy: ['arn:lb'] }, [], [true]],
  ['that was issued and is used stays, and is listed so', { status: 'REVOKED', issuedMs: 1, inUseBy: ['arn:lb'] }, [], [true]],
] as const)
  test(`a failed certificate ${what} [7.4 #38, 8.4]`, () => {
    const current = present(certificate({ status: 'FAILED', ...more }))
    const verdict = next(withOne, { current })
    assert.deepEqual(brief(verdict), asks(38))
    assert.deepEqual(
      callsOf(verdict).map(({ operation }) => operation),
      calls,
    )
    assert.deepEqual(
      verdict.status.supersededCertificates?.map(({ inUse }) => inUse),
      superseded,
    )
    assert.deepEqual([verdict.status.certificateArn, verdict.status.request?.revision], [undefined, 5])
    assert.deepEqual(callsOf(judged({ ...edited, status: withOne, current }, { deletesFailedRequests: false })), [])
  })

test('a replacement that failed leaves its place, and the one that serves its own [7.4 #38]', () => {
  const verdict = next(beside, {
    current: present(issued()),
    pending: present(certificate({ arn: pendingArn, status: 'FAILED' })),
  })
  assert.deepEqual(
    callsOf(verdict).map(({ input }) => input.CertificateArn),
    [pendingArn],
  )
  assert.deepEqual([verdict.status.certificateArn, verdict.status.certReady], [arn, true])
  assert.ok('pendingCertificateArn' in verdict.status && verdict.status.pendingCertificateArn === undefined)
  const gone = judged({
    status: { ...beside, observedGeneration: 1 },
    current: present(issued()),
    pending: { kind: 'absent', isConfirmed: true },
  })
  assert.deepEqual([gone.row, gone.status.certificateArn, gone.status.request?.revision], [37, arn, 5])
})

test('what is still being validated, and wanted, is not asked for anew [7.4 #38]', () => {
  const validating = judged({ status: withOne, annotations: again, current: present(certificate()) })
  assert.deepEqual(brief(validating), [38, 'Created', 'Requesting', 'at-once'])
  assert.deepEqual([callsOf(validating), validating.status.answered], [[], { retry: 'again' }])
  const other = judged({
    status: { ...withOne, request: request(minute, 'other') },
    annotations: again,
    current: present(certificate()),
  })
  assert.deepEqual([brief(other), callsOf(other).length], [asks(38), 1])
  const timedOut = judged({ status: withOne, annotations: again, current: present(certificate({ status: 'FAILED' })) })
  assert.deepEqual([brief(timedOut), callsOf(timedOut).length], [asks(38), 1])
})

test('what was refused may have been carried out before: it is asked for with its own token, and without one looked up [7.4 #38]', () => {
  const asked = { ...failed, request: request(minute, hash, 4) } as const
  assert.deepEqual(next(asked).status.request, asked.request)
  assert.equal('request' in next(failed).status, false)
  const wiped = next({ ...withOne, request: undefined as never }, { current: dead })
  assert.equal('request' in wiped.status, false)
  const adopting = next({ ...failed }, { annotations: { ...again, [annotations.adopt]: arn } })
  assert.deepEqual([brief(adopting), 'request' in adopting.status], [asks(38), false])
})

test('what ended is given up by itself only where the spec asks for something else by now [7.4 #38, #41]', () => {
  const revoked = present(issued({ status: 'REVOKED' }))
  const of = (status: CertStatus, current: SeenOptions['current'] = revoked) =>
    judged({ status, ...(current && { current }) }).row
  assert.deepEqual(
    [
      of(withOne),
      of({ ...withOne, request: request(minute, 'other') }),
      of({ ...withOne, request: undefined as never }),
      of(withOne, present(issued({ status: 'REVOKED', names: [primary, 'x.org'] }))),
    ],
    [41, 38, 41, 38],
  )
})
