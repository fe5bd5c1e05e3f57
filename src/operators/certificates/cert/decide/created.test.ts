// What is on its way: what is waited for, what is told of it, and what its end leaves.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CertStatus } from '../../api/status.ts'
import {
  arn,
  certificate,
  hash,
  hourMs,
  inSyncEntry,
  issued,
  nowMs,
  pendingArn,
  present,
  primary,
  recordSeen,
  request,
  type SeenOptions,
  zone,
} from '../../testing/cert-seen.fixture.ts'
import { brief, judged } from '../../testing/judged.fixture.ts'

const minute = 60_000
const onItsWay = { state: 'Created', certificateArn: arn, certReady: false, request: request() } as const
const beside = { ...onItsWay, certReady: true, pendingCertificateArn: pendingArn } as const
const absent = (more = {}) => ({ kind: 'absent', isConfirmed: true, ...more }) as const
const aged = (ms: number): CertStatus => ({ ...onItsWay, request: request(ms) })
const privateCa = { issuer: { type: 'PrivateCA', certificateAuthorityArn: 'arn:ca' } } as const
const ofCa = { type: 'PRIVATE', authorityArn: 'arn:ca', validations: [] }
const listed = { ...onItsWay, validationRecords: [inSyncEntry] }
const further = { name: `_3.b.${zone.name}`, value: '_4.acm-validations.aws.', domains: [`b.${zone.name}`] }
const proofOf = (domain: string, status: string) => ({
  domain,
  status,
  record: { name: `_1.${primary}`, type: 'CNAME', value: '_2.acm-validations.aws.' },
})

for (const [what, seen, told] of [
  [
    'does not show, a moment before five minutes',
    { status: aged(5 * minute - 1_000), current: absent() },
    [14, 'Created', 'Requesting', 'interval'],
  ],
  [
    'does not show after five minutes',
    { status: aged(5 * minute), current: absent({ isConfirmed: false }) },
    [15, 'Created', 'Requesting', 30_000],
  ],
  [
    'does not show after five minutes, twice',
    { status: aged(5 * minute), current: absent() },
    [15, 'Pending', 'CertificateMissing', 'at-once'],
  ],
  [
    'has not been seen for long enough',
    { status: onItsWay, current: absent({ isSettled: true }) },
    [15, 'Pending', 'CertificateMissing', 'at-once'],
  ],
  [
    'was not seen for long',
    { status: onItsWay, current: absent({ isSettled: false }) },
    [14, 'Created', 'Requesting', 'interval'],
  ],
  ['was not looked at', { status: onItsWay }, [14, 'Created', 'Requesting', 'interval']],
  [
    'does not show once its records stand',
    { status: { ...onItsWay, state: 'Validated' }, current: absent({ isConfirmed: false }) },
    [15, 'Validated', 'Requesting', 30_000],
  ],
  ['has no ARN', { status: { state: 'Created', request: request() } }, [37, 'Pending', 'Requesting', 'at-once']],
  [
    'is of a status that nobody knows',
    { status: onItsWay, current: present(certificate({ status: 'NEW' })) },
    [0, 'Created', 'WaitingForIssuance', 5 * minute],
  ],
  [
    'asks for no record as yet',
    { status: listed, current: present(certificate()) },
    [18, 'Created', 'WaitingForDNS', 'interval'],
  ],
] satisfies readonly (readonly [string, SeenOptions, readonly unknown[]])[])
  test(`a certificate on its way that ${what} leads to ${String(told[1])} [7.4]`, () =>
    assert.deepEqual(brief(judged(seen)), told))

test('as long as one record of two is on its way the DNS is waited for [7.4 #18]', () => {
  const spec = { subjectAlternativeNames: [`b.${zone.name}`] }
  const names = [primary, `b.${zone.name}`]
  const of = (change: 'PENDING' | 'INSYNC') => {
    const first = judged({ spec, status: { ...onItsWay, request: undefined as never }, current: present(certificate({ names })) })
    const asked = first.status.request ?? assert.fail()
    const entry = { ...inSyncEntry, ...further, phase: 'Submitted', changeId: 'C1' } as const
    return brief(
      judged({
        spec,
        status: { ...onItsWay, request: asked, validationRecords: [inSyncEntry, entry] },
        current: present(certificate({ names, validations: names.map(name => ({ ...proofOf(name, 'PENDING_VALIDATION') })) })),
        records: [recordSeen({ change: 'INSYNC' }), recordSeen({ ...further, change })],
      }),
    )
  }
  assert.deepEqual(of('PENDING'), [18, 'Created', 'WaitingForDNS', 'interval'])
  assert.deepEqual(of('INSYNC'), [19, 'Validated', 'WaitingForIssuance', 'interval'])
})

test('a certificate of a private authority waits for nothing but its issuance [7.4 #18]', () => {
  const current = present(certificate(ofCa))
  const { status } = judged({ spec: privateCa, status: { ...onItsWay, request: undefined as never }, current })
  const seen = { spec: privateCa, status: { ...onItsWay, request: status.request ?? assert.fail() }, current }
  assert.deepEqual(brief(judged(seen)), [18, 'Created', 'WaitingForIssuance', 'interval'])
})

test('what is just what is wanted is kept, with the number of its request or with the first one [7.4 #31]', () => {
  const kept = (asked?: NonNullable<CertStatus['request']>) => {
    const status =
      asked === undefined ? { state: 'Created', certificateArn: arn, certReady: false } : { ...onItsWay, request: asked }
    const verdict = judged({ status: status as CertStatus, current: present(certificate()) })
    assert.deepEqual(brief(verdict), [31, 'Created', 'Requesting', 'at-once'])
    return verdict.status.request
  }
  const old = request(hourMs, 'other', 7)
  assert.deepEqual(kept(old), { ...old, specHash: hash })
  assert.deepEqual([kept()?.revision, kept()?.specHash], [1, hash])
})

for (const [what, more, row, event] of [
  ['whose validation timed out', { createdMs: nowMs - 72 * hourMs }, 26, 'ValidationTimedOut'],
  ['that ACM gave up', { status: 'VALIDATION_TIMED_OUT' }, 26, 'ValidationTimedOut'],
  ['that failed', { status: 'FAILED' }, 27, 'IssuanceFailed'],
] as const)
  test(`a certificate ${what} takes nothing from the one that serves, and is told [7.4 #${row}, #70]`, () => {
    const first = judged({ status: onItsWay, current: present(certificate(more)) })
    const second = judged({
      status: beside,
      current: present(issued()),
      pending: present(certificate({ arn: pendingArn, ...more })),
    })
    assert.deepEqual([first.row, first.status.certReady, second.row, second.status.certReady], [row, false, row, true])
    assert.deepEqual(
      [first, second].map(({ events }) => events.map(({ type, reason }) => [type, reason])),
      [[['Warning', event]], [['Warning', event]]],
    )
  })

test('what somebody deleted leaves its place, and the other one keeps its own [7.4 #15, #32]', () => {
  const old = request(10 * minute)
  const first = judged({ status: { ...onItsWay, request: old }, current: absent() })
  assert.deepEqual([first.row, 'certificateArn' in first.status, first.status.certReady], [15, true, false])
  const second = judged({ status: { ...beside, request: old }, current: present(issued()), pending: absent() })
  assert.deepEqual([second.row, second.status.certificateArn, second.status.certReady], [15, arn, true])
  assert.ok('pendingCertificateArn' in second.status && second.status.pendingCertificateArn === undefined)
  const ready = judged({ status: { ...onItsWay, state: 'Ready', certReady: true }, current: absent() })
  assert.deepEqual([ready.row, ready.status.certificateArn, ready.status.certReady], [32, undefined, false])
  assert.deepEqual(
    [first, second, ready].map(({ events }) => events.map(({ reason }) => reason)),
    [['CertificateMissing'], ['CertificateMissing'], ['CertificateMissing']],
  )
})

test('a name that lost its zone on the way is told [7.4 #7]', () => {
  const spec = { domainName: 'a.other.org' }
  const current = present(certificate({ domainName: 'a.other.org', names: ['a.other.org'] }))
  const { status } = judged({ spec, status: { ...onItsWay, request: undefined as never }, current })
  const seen = { spec, status: { ...onItsWay, request: status.request ?? assert.fail() }, current }
  assert.deepEqual(brief(judged(seen)), [7, 'Failed', 'ZoneNotFound', 'interval'])
})

const validated = { ...listed, state: 'Validated' } as const
const messageOf = (seen: SeenOptions): unknown => judged({ status: validated, ...seen }).wait?.message
const hourOld = (more = {}) => ({
  status: { ...validated, request: request(hourMs) },
  current: present(certificate({ createdMs: nowMs - hourMs, ...more })),
})

test('why ACM does not see the records is told: a private zone before one that the DNS leads past [7.4 #23]', () => {
  const current = present(certificate())
  const astray = { name: zone.name, servers: ['ns.else.net'], own: ['ns.own.net'] }
  const privateZones = new Set([zone.id])
  assert.match(String(messageOf({ current, records: [recordSeen({ astray })] })), /is delegated to ns\.else\.net/)
  assert.match(String(messageOf({ current, records: [recordSeen({ astray })], privateZones })), /is private/)
  assert.match(String(messageOf({ current, records: [recordSeen()], privateZones })), /is private/)
  assert.equal(
    messageOf({ current, records: [recordSeen()] }),
    'the records are in place; ACM has not issued the certificate yet',
  )
})

test('after an hour the zone is told of the records that ACM does not see, one that a wildcard shares among them [7.4 #23]', () => {
  const names = [primary, `*.${primary}`]
  const validations = [proofOf(primary, 'SUCCESS'), proofOf(`*.${primary}`, 'PENDING_VALIDATION')]
  const records = [recordSeen({ domains: names })]
  assert.match(
    String(messageOf({ ...hourOld({ validations }), records })),
    /stand in the hosted zone Z1, and ACM does not see them/,
  )
  const proven = [proofOf(primary, 'SUCCESS')]
  assert.match(String(messageOf({ ...hourOld({ validations: proven }), records: [recordSeen()] })), /^the records are in place/)
})

test('how many records were written is told [7.4 #17]', () => {
  const absentHere = { standing: { kind: 'absent' } } as const
  const told = (count: number): unknown => {
    const more = Array.from({ length: count }, (_, index) => ({ ...further, name: `_${index}.${zone.name}` }))
    return judged({
      status: { ...onItsWay, validationRecords: more.map(each => ({ ...inSyncEntry, ...each, phase: 'Absent' as const })) },
      current: present(certificate()),
      records: more.map(each => recordSeen({ ...each, ...absentHere })),
    }).events.map(({ message }) => message)
  }
  assert.deepEqual([told(1), told(2)], [['wrote 1 validation record'], ['wrote 2 validation records']])
})
