// What a status learns from the calls of a pass, whatever became of the others.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Action, emptyPlan, type Outcome, type OwnAction, Trouble } from '#runtime'
import type { CertStatus } from '../api/status.ts'
import {
  arn,
  certificate,
  certSeen,
  inSyncEntry,
  issued,
  nowMs,
  pendingArn,
  present,
  recordSeen,
  request,
  type SeenOptions,
  settings,
  zone,
} from '../testing/cert-seen.fixture.ts'
import { certificateCall, deleteCertificateCall, ownerTags, requestCall, upsertCalls } from './decide/calls.ts'
import { sight } from './decide/decide.ts'
import { reportCert } from './report.ts'

const [first, second] = [`${arn}-1`, `${arn}-2`]
const supersededAt = new Date(nowMs).toISOString()
const seen = certSeen({
  status: {
    state: 'Ready',
    certReady: true,
    certificateArn: arn,
    request: request(),
    supersededCertificates: [first, second].map(each => ({ arn: each, supersededAt, inUse: false })),
  },
  current: present(issued()),
})

const claim = seen.claim ?? assert.fail('a claim is seen')
const deleting = (which: string): Action<OwnAction> => deleteCertificateCall(claim, 'here', which)

/** The replaced certificates that the status lists after the pass: what a report says nothing of stays as it is. */
function listedAfter(...outcomes: readonly Outcome[]): readonly string[] {
  const around = { plan: emptyPlan, failures: 1, current: [], generation: 1, summary: 'Ready' }
  const report = reportCert({ ...around, seen, outcomes }, settings) ?? assert.fail('nothing is reported')
  return { ...claim.status, ...report.status }.supersededCertificates?.map(each => each.arn) ?? []
}

const denied = new Trouble({ kind: 'backoff', reason: 'AccessDenied', message: 'acm:DeleteCertificate' })

for (const [what, outcomes, listed] of [
  ['both were deleted', [done(first), done(second)], []],
  ['one was deleted, and the other one was refused', [done(first), refused(second)], [second]],
  ['one was refused, and the other one left out', [refused(first), leftOut(second)], [first, second]],
] as const)
  test(`of two replaced certificates those stay in the status that are still there: ${what} [8.4, P5]`, () => {
    assert.deepEqual(listedAfter(...outcomes), listed)
  })

test('what became of an object of the cluster is nothing that a certificate is known by [P5]', () => {
  const removal: Action<OwnAction> = {
    kind: 'remove-finalizer',
    type: { group: 'x.dev', version: 'v1', kind: 'X', plural: 'xs', namespaced: true },
    object: claim,
    finalizer: pendingArn,
  }
  assert.deepEqual(listedAfter({ kind: 'done', action: removal, changed: true }), [first, second])
})

function done(which: string): Outcome {
  return { kind: 'done', action: deleting(which), changed: true }
}

function refused(which: string): Outcome {
  return { kind: 'failed', action: deleting(which), trouble: denied }
}

function leftOut(which: string): Outcome {
  return { kind: 'skipped', action: deleting(which) }
}

const around = { plan: emptyPlan, failures: 1, current: [], generation: 1, summary: 'Ready' }
const reported = (options: SeenOptions, outcomes: readonly Outcome[] = [], failures = 1) =>
  reportCert({ ...around, seen: certSeen(options), outcomes, failures }, settings)

const trouble = (kind: 'soon' | 'backoff' | 'wait', reason: string, message = 'no') => new Trouble({ kind, reason, message })
const failing = (action: Action<OwnAction>, why: Trouble): Outcome => ({ kind: 'failed', action, trouble: why })
const succeeding = (action: Action<OwnAction>, value?: unknown): Outcome => ({ kind: 'done', action, changed: true, value })
const skipping = (action: Action<OwnAction>): Outcome => ({ kind: 'skipped', action })

const good = { state: 'Ready', certReady: true, certificateArn: arn, request: request(), observedGeneration: 1 } as const
const onItsWay = { state: 'Created', certReady: false, certificateArn: arn, request: request() } as const
const going = { deletionTimestamp: '2026-06-01T00:00:00Z' }
const serving: SeenOptions = { status: good, current: present(issued()) }

/** `type: status reason` of one condition of a report. */
function told(report: ReturnType<typeof reported>, type: string): string | undefined {
  const found = report?.conditions.find(each => each.type === type)
  return found && `${found.status} ${found.reason}`
}

const asking = requestCall(sight(certSeen({ status: onItsWay })) ?? assert.fail(), request(), 'here')
const tagging = certificateCall('tag', arn, { Tags: [] })
const untagging = certificateCall('untag', arn, { Tags: [] })
const changing = certificateCall('options', arn)
const renewing = certificateCall('renew', arn)
const [writing = assert.fail()] = upsertCalls([recordSeen()])
const finishing: Action<OwnAction> = {
  kind: 'remove-finalizer',
  type: { group: 'x.dev', version: 'v1', kind: 'X', plural: 'xs', namespaced: true },
  object: claim,
  finalizer: 'x',
}

test('what succeeded says what was decided, and forgets a plan of before [7.4]', () => {
  const report = reported(serving) ?? assert.fail()
  assert.deepEqual([told(report, 'Ready'), report.status?.['state'], report.forgotten], ['True Issued', 'Ready', ['DryRun']])
  const dry = reported({ status: { state: 'Pending' }, spec: { dryRun: true } }) ?? assert.fail()
  assert.deepEqual([told(dry, 'DryRun'), dry.forgotten], ['True Planned', []])
})

test('what is gone, silent or let go is not spoken of, and what is said aside is said alone [7.4 #2, #42]', () => {
  assert.equal(reportCert({ ...around, seen: { ...certSeen(), claim: undefined }, outcomes: [] }, settings), undefined)
  const pace = { class: 'held-back', message: 'x', isOurPace: true } as const
  assert.equal(reported({ status: onItsWay, fault: pace }), undefined)
  assert.equal(reported({ status: good, metadata: going }), undefined)
  const aside = reported({ status: good, current: { kind: 'absent', isConfirmed: false } })
  assert.deepEqual(aside, { conditions: [], status: {} })
})

test('a refusal fails what is not good: since when, how often and why [7.4 #43, 7.6]', () => {
  const lastFailure = { reason: 'QuotaExceeded', message: 'before', time: '2026-05-01T00:00:00Z', count: 2 }
  const status = { state: 'Pending', request: request(), lastFailure } as const
  const report = reported({ status }, [failing(asking, trouble('wait', 'QuotaExceeded', 'full'))])
  const time = new Date(nowMs).toISOString().replace('.000Z', 'Z')
  assert.deepEqual([told(report, 'Ready'), told(report, 'Stalled')], ['False QuotaExceeded', 'True QuotaExceeded'])
  assert.deepEqual(
    [report?.status?.['state'], report?.status?.['lastFailure']],
    ['Failed', { reason: 'QuotaExceeded', message: 'full', time, count: 3 }],
  )
  assert.equal(told(report, 'DNSRecordsReady'), 'Unknown NotRequested')
  const conflict = reported({ status: onItsWay }, [failing(writing, trouble('wait', 'RecordConflict'))])
  assert.equal(told(conflict, 'DNSRecordsReady'), 'False RecordConflict')
})

test('the words of a refusal are bounded [6.2]', () => {
  const messageOf = (length: number): string =>
    String(
      reported({ status: onItsWay }, [failing(asking, trouble('wait', 'QuotaExceeded', 'x'.repeat(length)))])?.status?.[
        'message'
      ],
    )
  assert.deepEqual([messageOf(1_024).length, messageOf(1_025).length], [1_024, 1_024])
  const last = (length: number) =>
    reported({ status: onItsWay }, [failing(asking, trouble('wait', 'QuotaExceeded', 'x'.repeat(length)))])?.status?.[
      'lastFailure'
    ] as { readonly message: string }
  assert.equal(last(1_025).message.length, 1_024)
})

test('a refusal takes nothing from a certificate that serves on its way to another one [7.4 #70]', () => {
  const beside = { ...good, state: 'Pending', request: request() } as const
  const report = reported({ status: beside }, [failing(asking, trouble('wait', 'AccessDenied'))])
  assert.deepEqual(
    [report?.status?.['state'], report?.status?.['certReady'], report?.status?.['certificateArn']],
    ['Failed', true, undefined],
  )
})

for (const [what, outcomes, ready, records] of [
  ['tags are refused', [failing(tagging, trouble('wait', 'AccessDenied'))], 'False AccessDenied', 'Unknown NotRequested'],
  ['records are refused', [failing(writing, trouble('wait', 'AccessDenied'))], 'True Issued', 'False AccessDenied'],
  ['records are in conflict', [failing(writing, trouble('wait', 'RecordConflict'))], 'True Issued', 'False RecordConflict'],
  ['a zone is gone', [failing(writing, trouble('wait', 'ZoneNotFound'))], 'False ZoneNotFound', 'Unknown NotRequested'],
  [
    'records are refused, and tags were left out for it',
    [failing(writing, trouble('wait', 'AccessDenied')), skipping(renewing), skipping(tagging)],
    'False AccessDenied',
    'False AccessDenied',
  ],
  [
    'records are refused, and a renewal was left out for it',
    [failing(writing, trouble('wait', 'AccessDenied')), skipping(renewing), skipping(finishing)],
    'True Issued',
    'False AccessDenied',
  ],
  [
    'records are refused after tags were written',
    [succeeding(tagging), failing(writing, trouble('wait', 'AccessDenied'))],
    'True Issued',
    'False AccessDenied',
  ],
  ['a renewal is refused', [failing(renewing, trouble('wait', 'AccessDenied'))], 'False AccessDenied', 'Unknown NotRequested'],
  [
    'something of the cluster is refused',
    [failing(finishing, trouble('wait', 'AccessDenied'))],
    'False AccessDenied',
    'Unknown NotRequested',
  ],
] satisfies readonly (readonly [string, readonly Outcome[], string, string])[])
  test(`where ${what}, a certificate that is good stays so, and Ready is ${ready} [7.4 #43, S27]`, () => {
    const report = reported(serving, outcomes) ?? assert.fail()
    assert.deepEqual([told(report, 'Ready'), told(report, 'DNSRecordsReady')], [ready, records])
    const { state, certReady, certificateArn, lastFailure } = report.status as CertStatus
    assert.deepEqual([state, certReady, certificateArn, lastFailure], ['Ready', true, arn, undefined])
  })

const marks = ownerTags(certSeen().claim ?? assert.fail(), 'here', 1)
test('what was not carried out is not said, and what was seen is [7.4 #43, S27]', () => {
  const renew = { 'acm.ops.example.dev/renew': 'now' }
  const current = { kind: 'present', certificate: issued({ serial: 'new' }), tags: marks } as const
  const status = { ...good, request: request(0, 'old'), validationRecords: [inSyncEntry] }
  const seenAs = {
    status,
    current,
    annotations: renew,
    spec: { tags: { a: '1' } },
    records: [recordSeen({ standing: { kind: 'absent' } })],
  } as const
  const report = reported(seenAs, [failing(tagging, trouble('wait', 'AccessDenied'))])
  const said = report?.status ?? {}
  assert.equal(said['serial'], 'new')
  assert.deepEqual(
    ['appliedTags', 'answered', 'validationRecords', 'request'].filter(name => name in said),
    [],
  )
})

for (const [what, refusedCall, state] of [
  ['its tags are refused', tagging, 'Ready'],
  ['tags that are too many are refused', untagging, 'Ready'],
  ['its options are refused', changing, 'Ready'],
  ['something else is refused', renewing, 'Failed'],
] as const)
  test(`a certificate that becomes current is ${state} where ${what} [7.4 #20, #43]`, () => {
    const report = reported({ status: onItsWay, current: present(issued()) }, [
      failing(refusedCall, trouble('wait', 'AccessDenied')),
    ])
    assert.equal(report?.status?.['state'], state)
  })

test('what is on its way fails by a refusal, whatever is refused [7.4 #43]', () => {
  const report = reported({ status: onItsWay, current: present(certificate()) }, [
    failing(tagging, trouble('wait', 'AccessDenied')),
  ])
  assert.equal(report?.status?.['state'], 'Failed')
  const lost = reported({ status: good, current: { kind: 'absent', isConfirmed: true } }, [
    failing(tagging, trouble('wait', 'AccessDenied')),
  ])
  assert.equal(lost?.status?.['state'], 'Failed')
})

const leaving: SeenOptions = { status: good, metadata: going, spec: { deleteOnRemoval: true } }
for (const [what, why, failures, blocked] of [
  ['is refused', trouble('wait', 'AccessDenied'), 1, 'True AccessDenied'],
  ['is refused for want of room', trouble('wait', 'QuotaExceeded'), 1, 'True AccessDenied'],
  ['finds it in use', trouble('wait', 'CertificateInUse'), 1, 'True CertificateInUse'],
  ['meets weather', trouble('backoff', 'Throttled'), 2, undefined],
  ['meets weather for the third time', trouble('backoff', 'Throttled'), 3, 'True AWSUnavailable'],
  ['is looked at again', trouble('soon', 'NotFound'), 9, undefined],
] as const)
  test(`a deletion that ${what} is ${blocked ?? 'not spoken of'} [7.4 #2, 8.6]`, () => {
    const report = reported(leaving, [failing(deleting(arn), why)], failures)
    assert.equal(told(report, 'DeletionBlocked'), blocked)
    assert.equal(report?.status?.['state'], blocked === undefined ? undefined : 'Ready')
    assert.equal(report?.status?.['message'], blocked === undefined ? undefined : 'no')
  })

for (const [what, why, failures, status, said] of [
  ['for the second time', trouble('backoff', 'Throttled'), 2, onItsWay, undefined],
  ['for the third time', trouble('backoff', 'Throttled'), 3, onItsWay, 'Unknown AWSUnavailable'],
  ['for the third time while one serves', trouble('backoff', 'Throttled'), 3, { ...onItsWay, certReady: true }, 'nothing'],
  ['that is over soon', trouble('soon', 'NotFound'), 9, onItsWay, undefined],
  ['of not being the leader', trouble('backoff', 'NotLeader'), 9, onItsWay, undefined],
] as const)
  test(`weather ${what} is ${said ?? 'not spoken of'} [7.4 #43]`, () => {
    const report = reported({ status }, [failing(asking, why)], failures)
    assert.equal(report === undefined ? undefined : (told(report, 'Ready') ?? 'nothing'), said)
    if (report !== undefined) assert.deepEqual(report.status, {})
  })

test('what was done before the weather is said at once [P5]', () => {
  const outcomes = [succeeding(asking, { arn }), failing(tagging, trouble('backoff', 'Throttled'))]
  const report = reported({ status: { state: 'Pending', request: request() } }, outcomes)
  assert.deepEqual([report?.conditions, report?.status?.['certificateArn']], [[], arn])
})

test('the ARN of a request takes its place by whether one serves, with the tags that it was asked for with [7.4 #11, P5]', () => {
  const asked = (status: CertStatus, tags: Readonly<Record<string, string>> = {}) => {
    const { certificateArn, pendingCertificateArn, certReady, state, appliedTags } = (reported({ status, spec: { tags } }, [
      succeeding(asking, { arn: pendingArn }),
    ])?.status ?? {}) as CertStatus
    return [certificateArn, pendingCertificateArn, certReady, state, appliedTags]
  }
  const pending = { state: 'Pending', request: request() } as const
  assert.deepEqual(asked(pending), [pendingArn, undefined, false, 'Created', undefined])
  assert.deepEqual(asked(pending, { b: '2', a: '1' }), [pendingArn, undefined, false, 'Created', ['a', 'b']])
  assert.deepEqual(asked({ ...pending, certificateArn: arn, certReady: true }), [
    undefined,
    pendingArn,
    true,
    'Created',
    undefined,
  ])
  assert.equal('certificateArn' in (reported({ status: pending }, [succeeding(asking)])?.status ?? {}), false)
})

const replaced = (name: string) => ({ arn: name, supersededAt, inUse: false })
test('what is asked for again and was replaced is not listed as replaced [8.4]', () => {
  const listed = (...names: readonly string[]): unknown => {
    const status = {
      state: 'Pending',
      request: request(),
      ...(names.length > 0 && { supersededCertificates: names.map(replaced) }),
    }
    const said = reported({ status: status as CertStatus }, [succeeding(asking, { arn })])?.status ?? {}
    return 'supersededCertificates' in said ? (said['supersededCertificates'] ?? 'none') : 'unsaid'
  }
  assert.deepEqual([listed(), listed('a'), listed(arn)], ['unsaid', 'unsaid', 'none'])
  assert.deepEqual(listed('a', arn), [replaced('a')])
})

test('the change of a zone is noted at the records that it brings, and at no others [8.1]', () => {
  const other = { name: '_9', value: 'v', domains: [] }
  const far = { name: 'far.dev', id: 'Z2' }
  const [elsewhere = assert.fail()] = upsertCalls([recordSeen({ zone: far })])
  const entries = [inSyncEntry, { ...inSyncEntry, ...other }, { ...inSyncEntry, zoneId: 'Z2' }]
  const { name } = inSyncEntry
  const weather = failing(tagging, trouble('backoff', 'Throttled'))
  const status = { ...onItsWay, validationRecords: entries }
  const seenAs = { status, current: present(certificate()), records: [recordSeen({ standing: { kind: 'absent' } })] } as const
  const after = (...outcomes: readonly Outcome[]): unknown =>
    ((reported(seenAs, [...outcomes, weather])?.status ?? {}) as CertStatus).validationRecords?.map(each => [
      each.name,
      each.zoneId,
      each.changeId,
    ])
  assert.deepEqual(after(succeeding(writing, { changeId: 'C1' })), [
    [name, zone.id, 'C1'],
    ['_9', zone.id, undefined],
    [name, 'Z2', undefined],
  ])
  assert.deepEqual(after(succeeding(writing, { changeId: 'C1' }), succeeding(elsewhere, { changeId: 'C2' })), [
    [name, zone.id, 'C1'],
    ['_9', zone.id, undefined],
    [name, 'Z2', 'C2'],
  ])
  assert.deepEqual(after(succeeding(writing)), [
    [name, zone.id, undefined],
    ['_9', zone.id, undefined],
    [name, 'Z2', undefined],
  ])
  assert.deepEqual(reported({ status: onItsWay }, [succeeding(writing, { changeId: 'C1' }), weather])?.status, {
    validationRecords: [],
  })
})

const naming = ['certificateArn', 'pendingCertificateArn', 'supersededCertificates', 'request']

/** What is said of the certificates of a status after these calls, while the object goes. */
function left(status: CertStatus, options: SeenOptions, ...outcomes: readonly Outcome[]): unknown {
  const said = reported({ ...leaving, ...options, status }, outcomes)?.status ?? {}
  return Object.fromEntries(naming.flatMap(name => (name in said ? [[name, said[name]]] : [])))
}

test('what was deleted is named no more, and its intent goes with the last [8.6, P5]', () => {
  const nothing = { certificateArn: undefined }
  const whole = { ...good, pendingCertificateArn: pendingArn, supersededCertificates: [replaced('a')] } as const
  const gone = (...names: readonly string[]) => names.map(each => succeeding(deleting(each)))
  assert.deepEqual(left(good, {}, ...gone(arn)), { ...nothing, request: undefined })
  assert.deepEqual(left(whole, {}, ...gone(pendingArn)), {
    pendingCertificateArn: undefined,
    supersededCertificates: [replaced('a')],
  })
  assert.deepEqual(left(whole, {}, ...gone('a')), { supersededCertificates: undefined })
  assert.deepEqual(left(whole, {}, ...gone(arn, pendingArn)), {
    ...nothing,
    pendingCertificateArn: undefined,
    supersededCertificates: [replaced('a')],
  })
  assert.deepEqual(left(whole, {}, ...gone(arn, 'a')), { ...nothing, supersededCertificates: undefined })
  assert.deepEqual(left(whole, {}, ...gone(pendingArn, 'a')), {
    pendingCertificateArn: undefined,
    supersededCertificates: undefined,
  })
  assert.deepEqual(left(whole, {}, ...gone(arn, pendingArn, 'a')), {
    ...nothing,
    pendingCertificateArn: undefined,
    supersededCertificates: undefined,
    request: undefined,
  })
  // Nobody knows whether more was asked for.
  assert.deepEqual(left({ ...good, state: 'Pending' }, {}, ...gone(arn)), nothing)
  const looks = (...names: readonly string[]) => ({
    deletion: {
      certificates: new Map(names.map(each => [each, { kind: 'absent', isConfirmed: true }])),
      records: undefined,
    } as never,
  })
  assert.deepEqual(left(good, looks(arn, 'unlisted'), ...gone(arn)), nothing)
  assert.deepEqual(left(good, looks(arn), ...gone(arn)), { ...nothing, request: undefined })
  const { certReady } = reported({ ...leaving, status: good }, gone(arn))?.status ?? {}
  assert.equal(certReady, false)
})

/** The same, of an object that stays and meets weather then. */
function learned(status: CertStatus, ...outcomes: readonly Outcome[]): unknown {
  return reported({ status }, [...outcomes, failing(finishing, trouble('backoff', 'Throttled'))])?.status
}

test('an object that stays keeps its intent, whatever was deleted [P5]', () => {
  const fields = ['certificateArn', 'certReady', 'expirationDate', 'notBefore', 'serial', 'inUse', 'renewal']
  assert.deepEqual(Object.keys(learned(good, succeeding(deleting(arn))) as object), fields)
})

test('what was another’s after all is left, and listed no more among what was replaced [8.4, S6]', () => {
  const whole = { ...good, supersededCertificates: [replaced('a'), replaced('b')] }
  const found = (value: object, ...names: readonly string[]) => names.map(each => succeeding(deleting(each), value))
  assert.deepEqual(learned(whole, ...found({ isForeign: true, isAnothers: true }, 'a')), {
    supersededCertificates: [replaced('b')],
  })
  assert.deepEqual(learned(whole, ...found({ isForeign: true, isAnothers: true }, 'a', 'b')), {
    supersededCertificates: undefined,
  })
  assert.equal(learned(whole, ...found({ isForeign: true, isAnothers: false }, 'a')), undefined)
  assert.equal(learned(whole, ...found({ isForeign: true, isAnothers: true }, arn)), undefined)
  assert.equal(learned(whole, succeeding(tagging, { isAnothers: true })), undefined)
})
