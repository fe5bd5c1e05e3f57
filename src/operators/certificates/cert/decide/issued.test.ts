// How a certificate that is issued becomes the current one, and what is said of the one before it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { annotations } from '../../api/labels.ts'
import type { CertStatus } from '../../api/status.ts'
import {
  arn,
  certSeen,
  hash,
  inSyncEntry,
  issued,
  nowMs,
  pendingArn,
  present,
  primary,
  recordSeen,
  request,
  type SeenOptions,
  settings,
  zone,
} from '../../testing/cert-seen.fixture.ts'
import { brief, callsOf, judged } from '../../testing/judged.fixture.ts'
import { ownerTags } from './calls.ts'
import { decide, sight } from './decide.ts'
import { isReplacementWanted } from './issued.ts'
import { mayGo } from './superseded.ts'

const onItsWay = { state: 'Created', certificateArn: arn, certReady: false, request: request() } as const
const beside = { ...onItsWay, certReady: true, pendingCertificateArn: pendingArn } as const
const marks = ownerTags(certSeen().claim ?? assert.fail(), 'here', 1)
const foreign = { names: [primary, 'x.org'] }
const requestedAt = new Date(nowMs).toISOString().replace('.000Z', 'Z')

test('the first certificate is current once it is issued, and what failed before is forgotten [7.4 #20]', () => {
  const verdict = judged({ status: onItsWay, current: present(issued()) })
  assert.deepEqual(brief(verdict), [20, 'Ready', undefined, 'interval'])
  const { certificateArn, certReady, supersededCertificates } = verdict.status
  assert.deepEqual([certificateArn, certReady, supersededCertificates], [arn, true, undefined])
  assert.ok('lastFailure' in verdict.status && 'pendingCertificateArn' in verdict.status)
  assert.deepEqual(verdict.events, [
    { type: 'Normal', reason: 'CertificateIssued', message: `the certificate for ${primary} is issued` },
  ])
})

for (const [what, current, inUse] of [
  ['that nothing uses', present(issued()), false],
  ['that something uses', present(issued({ inUseBy: ['arn:lb'] })), true],
  ['that was not seen', { kind: 'absent', isConfirmed: false }, false],
] as const)
  test(`a certificate ${what} is listed as replaced when another one takes its place [7.4 #20, 8.4]`, () => {
    const { status, events } = judged({
      status: beside,
      pending: present(issued({ arn: pendingArn })),
      current: current as never,
    })
    assert.deepEqual(status.supersededCertificates, [{ arn, supersededAt: requestedAt, inUse }])
    assert.deepEqual([status.certificateArn, status.certReady, 'pendingCertificateArn' in status], [pendingArn, true, true])
    assert.deepEqual(
      events.map(({ reason }) => reason),
      ['CertificateReplaced'],
    )
  })

for (const [what, status] of [
  ['another place names it as well', { ...beside, pendingCertificateArn: arn }],
  ['nothing served before', { state: 'Created', pendingCertificateArn: arn, request: request() }],
] as const)
  test(`nothing is replaced where ${what} [7.4 #20]`, () => {
    const { status: said, events } = judged({ status, pending: present(issued()) })
    assert.deepEqual([said.certificateArn, said.supersededCertificates, events[0]?.reason], [arn, undefined, 'CertificateIssued'])
  })

test('what its spec asks for beside it is changed at once where its tags were asked, and only if it stays [7.4 #20, S27]', () => {
  const calls = (spec: SeenOptions['spec'] & object, current: SeenOptions['current'] & object, status: CertStatus = onItsWay) => {
    const verdict = judged({ spec, status, current })
    return [callsOf(verdict).map(({ operation }) => operation), verdict.heldUp?.reason, verdict.status.appliedTags]
  }
  const spec = { tags: { a: '1' } }
  const tagged = { kind: 'present', certificate: issued(), tags: marks } as const
  assert.deepEqual(calls(spec, tagged), [['AddTagsToCertificate'], undefined, ['a']])
  assert.deepEqual(calls(spec, present(issued())), [[], undefined, undefined])
  assert.deepEqual(calls(spec, { ...tagged, tags: {} }), [[], 'AccessDenied', undefined])
  const other = { ...tagged, certificate: issued(foreign) }
  assert.deepEqual(calls(spec, other), [[], undefined, undefined])
})

test('what the spec changed before anybody saw that it is issued: it serves, and another one is asked for [7.4 #31, S8, S27]', () => {
  const verdict = judged({ status: onItsWay, current: present(issued(foreign)) })
  assert.deepEqual(brief(verdict), [31, 'Pending', 'ReplacementInProgress', 'at-once'])
  const { certificateArn, certReady, request: next } = verdict.status
  assert.deepEqual([certificateArn, certReady, next?.revision, next?.specHash], [arn, true, 2, hash])
})

const other = { zoneId: 'Z2', name: '_9' }
const held = { ...inSyncEntry, phase: 'Submitted', changeId: 'C1', domainStatus: 'PENDING_VALIDATION' } as const

test('ACM saw the records of what it issued: none is on its way, and each says of its name what ACM says [7.4 #20]', () => {
  const validations = [{ domain: primary }, { domain: primary, status: 'SUCCESS' }, { domain: 'y.org', status: 'FAILED' }]
  const status = { ...onItsWay, validationRecords: [held, { ...held, ...other, domains: ['z.org'] }] }
  const { validationRecords } = judged({ status, current: present(issued({ validations })) }).status
  assert.deepEqual(validationRecords, [
    { ...inSyncEntry, domainStatus: 'SUCCESS' },
    { ...inSyncEntry, ...other, domains: ['z.org'], domainStatus: 'PENDING_VALIDATION' },
  ])
  assert.equal('validationRecords' in judged({ status: onItsWay, current: present(issued()) }).status, false)
})

test('records that it asked for and that are not listed are listed [7.4 #20]', () => {
  const asked = [{ name: '_7', value: 'v', zone, domains: [primary] }]
  const current = { kind: 'present', certificate: issued({ validations: [] }), asked } as const
  const { validationRecords } = judged({ status: onItsWay, current }).status
  assert.deepEqual(validationRecords, [
    { name: '_7', type: 'CNAME', value: 'v', zoneId: 'Z1', domains: [primary], phase: 'InSync' },
  ])
})

for (const [what, seen, certificate, isWanted] of [
  ['what the spec asks for', {}, issued(), false],
  ['for other names, without an intent', {}, issued(foreign), true],
  ['for other names than the intent that is wanted', { status: { request: request() } }, issued(foreign), true],
  ['what the spec asks for, by an older intent', { status: { request: request(0, 'old') } }, issued(), false],
  ['what an older intent asked for', { status: { request: request(0, 'old') } }, issued(foreign), true],
  [
    'of another key than the intent that is wanted',
    { status: { request: request() } },
    issued({ keyAlgorithm: 'EC_prime256v1' }),
    false,
  ],
  ['while no name is known', { zones: [] }, issued(foreign), false],
] satisfies readonly (readonly [string, SeenOptions, ReturnType<typeof issued>, boolean])[])
  test(`a certificate that is ${what} is ${isWanted ? '' : 'not '}to be replaced [7.4 #31]`, () =>
    assert.equal(isReplacementWanted(sight(certSeen(seen)) ?? assert.fail(), certificate), isWanted))

const good = { ...onItsWay, state: 'Ready', certReady: true, serial: '0a:01' } as const
const dayMs = 86_400_000
const ends = (days: number, more = {}) => present(issued({ notAfterMs: nowMs + days * dayMs, ...more }))
const renew = { [annotations.renew]: 'now' }

test('Ready without an ARN, or of what never was issued, is none [7.4 #36, #37]', () => {
  assert.deepEqual(brief(judged({ status: { state: 'Ready', request: request() } })), [37, 'Pending', 'Requesting', 'at-once'])
  const proving = judged({ status: good, current: present(issued({ status: 'PENDING_VALIDATION' })) })
  assert.deepEqual([brief(proving), proving.status.certReady], [[36, 'Created', 'WaitingForDNS', 'at-once'], false])
  const unknown = judged({ status: good, current: present(issued({ status: 'UNDER_REVIEW' })) })
  assert.deepEqual(brief(unknown), [0, 'Ready', undefined, 300_000])
})

for (const [what, seen, reissues, told] of [
  ['a person asks for it while nothing uses it, at its alert', { annotations: renew, current: ends(30) }, false, 31],
  ['a person asks for it while nothing uses it, earlier', { annotations: renew, current: ends(30 + 1 / dayMs) }, false, 30],
  ['a person asks for it while it is used', { annotations: renew, current: ends(10, { inUseBy: ['arn:lb'] }) }, false, 30],
  [
    'a person asked for it and was answered',
    { annotations: renew, current: ends(10), status: { ...good, answered: { renew: 'now' } } },
    false,
    30,
  ],
  [
    'a person asks for it at the alert that the spec chose',
    { annotations: renew, current: ends(50), spec: { renewal: { alertBeforeDays: 50 } } },
    false,
    31,
  ],
  [
    'a person asks for it before the alert that the spec chose',
    { annotations: renew, current: ends(30), spec: { renewal: { alertBeforeDays: 20 } } },
    false,
    30,
  ],
  ['nobody asks for it', { current: ends(20) }, false, 30],
  [
    'it is overdue, and that was chosen',
    { current: ends(10, { inUseBy: ['arn:lb'], notBeforeMs: nowMs - 190 * dayMs }) },
    true,
    31,
  ],
  ['nothing uses it, and that was chosen', { current: ends(20, { eligibility: 'INELIGIBLE' }) }, true, 31],
  ['it is well, and that was chosen', { current: ends(100) }, true, 30],
  ['it is overdue, and that was not chosen', { current: ends(10, { notBeforeMs: nowMs - 190 * dayMs }) }, false, 30],
  [
    'its renewal failed, and that was chosen',
    { current: ends(60, { renewal: { status: 'FAILED', validations: [] } }) },
    true,
    30,
  ],
] satisfies readonly (readonly [string, SeenOptions, boolean, number])[])
  test(`another certificate is ${told === 31 ? '' : 'not '}asked for where ${what} [8.5]`, () => {
    const verdict = judged({ status: good, ...seen }, { reissuesProactively: reissues })
    assert.equal(verdict.row, told)
    assert.deepEqual([verdict.status.certificateArn, verdict.status.certReady], [arn, true])
    const isAsked = 'annotations' in seen
    assert.deepEqual(verdict.status.answered, isAsked ? { renew: 'now' } : undefined)
  })

test('a renewal is asked of ACM where a person wants it, and the key can be exported [8.5]', () => {
  const calls = (more: object, notes = renew) =>
    callsOf(
      judged({
        spec: { export: { secretName: 'x' } },
        status: { ...good, request: undefined as never },
        annotations: notes,
        current: ends(100, more),
      }),
    ).map(({ operation }) => operation)
  assert.deepEqual(calls({ isExportable: true }), ['RenewCertificate'])
  assert.deepEqual(calls({ isExportable: true }, {} as never), [])
  const plain = callsOf(judged({ status: good, annotations: renew, current: ends(100) }))
  assert.deepEqual(plain, [])
})

test('words that were answered before stay answered beside the new one [8.5]', () => {
  const verdict = judged({
    status: { ...good, answered: { retry: 'x', renew: 'before' } },
    annotations: renew,
    current: ends(100),
  })
  assert.deepEqual(verdict.status.answered, { retry: 'x', renew: 'now' })
})

test('what was asked for by an older intent, and is wanted, has its intent set right [7.4 #30]', () => {
  const said = (status: CertStatus, more: SeenOptions = {}) => judged({ status, current: present(issued()), ...more }).status
  const old = request(0, 'old', 3)
  assert.deepEqual(said({ ...good, request: old }).request, { ...old, specHash: hash })
  assert.equal('request' in said(good), false)
  const { request: _, ...wiped } = good
  assert.equal('request' in said(wiped), false)
  assert.equal('request' in said({ ...good, request: old }, { zones: [] }), false)
})

test('a record that is written again while it serves is told [7.4 #34]', () => {
  const records = [recordSeen({ standing: { kind: 'absent' } })]
  const { row, events } = judged({ status: { ...good, validationRecords: [held] }, current: present(issued()), records })
  assert.deepEqual([row, events.map(({ reason }) => reason)], [34, ['ValidationRecordsCreated']])
})

test('records that were not looked at stay as they were said [7.4 #34]', () => {
  assert.equal(
    'validationRecords' in judged({ status: { ...good, validationRecords: [held] }, current: present(issued()) }).status,
    false,
  )
})

const conditions = (type: string, reason: string) => [
  { type: 'Ready', status: 'True' as const, reason: 'Issued', message: '', lastTransitionTime: requestedAt },
  { type, status: 'False' as const, reason, message: '', lastTransitionTime: requestedAt },
]
const failing = ends(60, { renewal: { status: 'FAILED', validations: [] } })
const zoneless = { zones: [zone], spec: { dnsZone: { id: 'Z9' } } }
for (const [what, seen, told] of [
  ['its serial is another one', { current: present(issued({ serial: '0b' })) }, ['CertificateRenewed']],
  ['its serial is the same', { current: present(issued()) }, []],
  ['its serial was not known', { current: present(issued()), status: { ...good, serial: undefined as never } }, []],
  ['ACM tells no serial', { current: present(issued({ serial: undefined as never })) }, []],
  ['its renewal failed', { current: failing }, ['RenewalFailed']],
  [
    'its renewal failed, and that was told',
    { current: failing, status: { ...good, conditions: conditions('RenewalHealthy', 'RenewalFailed') } },
    [],
  ],
  [
    'its renewal failed, and it was slow before',
    { current: failing, status: { ...good, conditions: conditions('RenewalHealthy', 'Overdue') } },
    ['RenewalFailed'],
  ],
  [
    'its renewal failed, and another condition says such',
    { current: failing, status: { ...good, conditions: conditions('Stalled', 'RenewalFailed') } },
    ['RenewalFailed'],
  ],
  [
    'its zone is gone from the configuration',
    { ...zoneless, current: present(issued()), status: { ...good, domainName: primary } },
    ['ZoneNotFound'],
  ],
  [
    'its zone is gone, and that was told',
    {
      ...zoneless,
      current: present(issued()),
      status: { ...good, domainName: primary, conditions: conditions('ZoneResolved', 'ZoneNotFound') },
    },
    [],
  ],
] satisfies readonly (readonly [string, SeenOptions, readonly string[]])[])
  test(`where ${what}, ${told.length > 0 ? told.join() : 'nothing'} is told of a certificate that serves [8.5]`, () => {
    const plan = decide(certSeen({ status: good, ...seen }), settings)
    const reasons = plan.actions.flatMap(action => (action.kind === 'record-event' ? [action.reason] : []))
    assert.deepEqual(reasons, told)
  })

const supersededAt = '2026-05-31T00:00:00Z'
const replaced = (name: string, inUse = true) => ({ arn: name, supersededAt, inUse })
test('what was replaced stays listed until it is seen gone, with whether something uses it [8.4]', () => {
  const after = (entries: readonly ReturnType<typeof replaced>[], looks: SeenOptions['superseded'], more: CertStatus = {}) => {
    const { status } = judged({
      status: { ...good, supersededCertificates: entries, ...more },
      current: present(issued()),
      ...(looks && { superseded: looks }),
    })
    return 'supersededCertificates' in status ? (status.supersededCertificates ?? 'none').valueOf() : 'unsaid'
  }
  const look = (inUseBy: readonly string[]) => present(issued({ inUseBy })) as never
  assert.equal(after([], new Map()), 'unsaid')
  assert.deepEqual(after([replaced('a'), replaced('b', false)], new Map()), [replaced('a'), replaced('b', false)])
  assert.deepEqual(after([replaced('a')], new Map([['a', look([])]])), [replaced('a', false)])
  assert.deepEqual(after([replaced('a', false)], new Map([['a', look(['arn:lb'])]])), [replaced('a')])
  assert.equal(after([replaced('a')], new Map([['a', { kind: 'absent', isConfirmed: false }]])), 'none')
  assert.equal(after([replaced(arn)], new Map()), 'none')
})

test('what is in its place again is not deleted, whatever the list says of it; by default nothing is [8.4]', () => {
  const calls = (name: string, rotation: NonNullable<SeenOptions['spec']>['rotation']) => {
    const look = present(issued({ arn: name })) as never
    return callsOf(
      judged({
        ...(rotation && { spec: { rotation } }),
        status: { ...good, supersededCertificates: [{ ...replaced(name, false), supersededAt: '2026-01-01T00:00:00Z' }] },
        current: present(issued()),
        superseded: new Map([[name, look]]),
      }),
    ).map(({ input }) => input.CertificateArn)
  }
  const all = { deleteSuperseded: true, retain: '168h' }
  assert.deepEqual([calls('a', all), calls(arn, all), calls('a', undefined), calls('a', {} as never)], [['a'], [], [], []])
})

test('of certificates that were replaced all go whose records find a place in the list [8.4, S25]', () => {
  const looks = ['a', 'b'].map(name => [name, present(issued({ arn: name })) as never] as const)
  const verdict = judged({
    spec: { rotation: { deleteSuperseded: true, retain: '1h' } },
    status: { ...good, supersededCertificates: ['a', 'b'].map(name => replaced(name, false)) },
    current: present(issued()),
    superseded: new Map(looks),
  })
  assert.deepEqual(
    callsOf(verdict).map(({ input }) => input.CertificateArn),
    ['a', 'b'],
  )
})

test('what serves, or is to serve, may not go, however long ago it was replaced [8.4]', () => {
  const spec = { rotation: { deleteSuperseded: true, retain: '0s' } }
  const of = (name: string): boolean =>
    mayGo(
      replaced(name),
      present(issued()) as never,
      sight(certSeen({ spec, status: { ...good, pendingCertificateArn: pendingArn } })) ?? assert.fail(),
    )
  assert.deepEqual([arn, pendingArn, 'other'].map(of), [false, false, true])
})
