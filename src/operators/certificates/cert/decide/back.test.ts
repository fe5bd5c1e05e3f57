import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  arn,
  certificate,
  certSeen,
  hash,
  issued,
  nowMs,
  pendingArn,
  present,
  request,
  type SeenOptions,
} from '../../testing/cert-seen.fixture.ts'
import { brief, callsOf, judged } from '../../testing/judged.fixture.ts'
import { isAnswered } from './back.ts'
import { sight } from './decide.ts'

const minute = 60_000
const status = { state: 'Pending', certificateArn: arn, certReady: true, request: request(10 * minute) } as const
const made = (ageMs: number) => present(issued({ createdMs: nowMs - ageMs }))

for (const [what, change, current, answered] of [
  ['was made after it', {}, made(9 * minute), true],
  ['was made five minutes before it', {}, made(15 * minute), true],
  ['was made more than five minutes before it', {}, made(15 * minute + 1), false],
  ['is not issued', {}, present(issued({ status: 'EXPIRED' })), false],
  ['is not there', {}, { kind: 'absent', isConfirmed: true }, false],
  ['was made after one for another spec', { request: request(10 * minute, 'other') }, made(9 * minute), false],
  ['was made after it, while another one is on its way', { pendingCertificateArn: pendingArn }, made(9 * minute), false],
  ['was made after it, and nothing is asked for', { state: 'Ready' }, made(9 * minute), false],
] as const)
  test(`a request is ${answered ? '' : 'not '}answered by a certificate that ${what} [7.4 #9]`, () => {
    const seen = sight(certSeen({ status: { ...status, ...change }, current: current as never })) ?? assert.fail()
    assert.equal(isAnswered(seen), answered)
  })

/** One serves that is wanted again, and another one was asked for. */
const back = { ...status, state: 'Created', request: request(10 * minute, 'other', 4) } as const
const both = { ...back, pendingCertificateArn: pendingArn } as const
const other = (more = {}) => present(certificate({ arn: pendingArn, ...more }))
const open = { ...back, state: 'Pending' } as const
const lost = [{ certificate: certificate({ arn: pendingArn }), tags: {} }]

for (const [what, seen, told, calls] of [
  ['is given up, and goes', { status: both, pending: other() }, [31, 'Ready', undefined, 'interval'], ['DeleteCertificate']],
  [
    'stays where something uses it',
    { status: both, pending: other({ inUseBy: ['arn:lb'] }) },
    [31, 'Ready', undefined, 'interval'],
    [],
  ],
  [
    'has to be seen before it goes',
    { status: both, pending: { kind: 'absent', isConfirmed: true } },
    [31, 'Pending', 'ReplacementInProgress', 30_000],
    [],
  ],
  [
    'is gone',
    { status: both, pending: { kind: 'absent', isConfirmed: true, isSettled: true } },
    [31, 'Ready', undefined, 'interval'],
    [],
  ],
  ['was never asked for', { status: back }, [31, 'Ready', undefined, 'interval'], []],
  [
    'may have been asked for a moment ago',
    { status: open, owned: [], isAwaited: true },
    [31, 'Pending', 'ReplacementInProgress', 30_000],
    [],
  ],
  [
    'was asked for within minutes',
    { status: open, owned: [], vainMs: 299_000 },
    [31, 'Pending', 'ReplacementInProgress', 30_000],
    [],
  ],
  [
    'was asked for and looked for long enough',
    { status: open, owned: [], vainMs: 300_000 },
    [31, 'Ready', undefined, 'interval'],
    [],
  ],
  [
    'was made, and is found by its marks',
    { status: open, owned: lost, vainMs: 300_000 },
    [10, 'Created', 'Requesting', 'at-once'],
    [],
  ],
  [
    'was made before the try that failed, and is found by its marks',
    { status: { ...open, state: 'Failed' }, owned: lost },
    [10, 'Created', 'Requesting', 'at-once'],
    [],
  ],
  ['is on its way, and what was lost is not looked for', { status: back, owned: lost }, [31, 'Ready', undefined, 'interval'], []],
] satisfies readonly (readonly [string, SeenOptions, readonly unknown[], readonly string[]])[])
  test(`where the current certificate is wanted again, another one that ${what} [8.4, S26]`, () => {
    const verdict = judged({ current: present(issued()), ...seen })
    assert.deepEqual([brief(verdict), callsOf(verdict).map(({ operation }) => operation)], [told, calls])
  })

test('what is wanted again is said to serve, and what was asked for beside it is forgotten [8.4]', () => {
  const { status: said } = judged({ status: both, current: present(issued()), pending: other() })
  const { certificateArn, certReady, pendingCertificateArn, request: asked, lastFailure, serial } = said
  assert.deepEqual(
    [certificateArn, certReady, serial, pendingCertificateArn, lastFailure],
    [arn, true, '0a:01', undefined, undefined],
  )
  assert.deepEqual([asked?.specHash, asked?.revision], [hash, 5])
  assert.ok('pendingCertificateArn' in said && 'lastFailure' in said)
})

test('what is there and was asked for serves again, whoever wiped the state [7.4 #9]', () => {
  const verdict = judged({ status: { ...status, request: request() }, current: made(0) })
  assert.deepEqual(brief(verdict), [9, 'Ready', undefined, 'interval'])
  assert.deepEqual([verdict.status.certificateArn, verdict.status.certReady], [arn, true])
})
