// What a deletion takes and leaves, from what was seen alone.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tagKeys } from '../../api/labels.ts'
import type { CertStatus } from '../../api/status.ts'
import {
  arn,
  certSeen,
  inSyncEntry,
  issued,
  pendingArn,
  present,
  recordSeen,
  request,
  type SeenOptions,
  settings,
  zone,
} from '../../testing/cert-seen.fixture.ts'
import { brief, judged } from '../../testing/judged.fixture.ts'
import { isCloudAction } from '../cloud-action.ts'
import type { DeletionSeen, Look } from '../seen.ts'
import { decide, judge, sight } from './decide.ts'
import { freeCertificates, removalsOf, stateOf, takesAway } from './deletion.ts'
import { makeRoom } from './make-room.ts'

const going = { deletionTimestamp: '2026-06-01T00:00:00Z' }
const owner = { [tagKeys.managedBy]: 'cert-operator', [tagKeys.cluster]: 'here', [tagKeys.uid]: 'uid-1' }
const oldRequest = request(90 * 60_000)
const kept = { state: 'Ready', certReady: true, certificateArn: arn, request: oldRequest } as const

const look = (tags: Readonly<Record<string, string>>): Look => ({ kind: 'present', certificate: issued(), tags })

function callsFor(deletion: DeletionSeen, more: SeenOptions = {}): readonly string[] {
  const seen = certSeen({ metadata: going, spec: { deleteOnRemoval: true }, status: kept, deletion, ...more })
  return decide(seen, settings).actions.flatMap(action => (isCloudAction(action) ? [action.operation] : []))
}

test('a certificate goes only if its own tags name this very object [8.6, S2]', () => {
  const of = (tags: Readonly<Record<string, string>>): readonly string[] =>
    callsFor({ certificates: new Map([[arn, look(tags)]]), records: undefined })
  assert.deepEqual(of(owner), ['DeleteCertificate'])
  for (const other of [{ [tagKeys.uid]: 'uid-2' }, { [tagKeys.cluster]: 'there' }, { [tagKeys.managedBy]: 'somebody' }])
    assert.deepEqual(of({ ...owner, ...other }), [])
})

test('a record goes only where nobody else needs it, whatever stands there [8.7, S25]', () => {
  const standing = { kind: 'present', type: 'CNAME', values: ['_2.acm-validations.aws.'], ttl: 300 } as const
  const of = (reference: 'none' | 'referenced' | 'unknown'): readonly string[] =>
    callsFor({ certificates: new Map(), records: [{ ...recordSeen({ standing }), reference }] })
  assert.deepEqual([of('none'), of('referenced'), of('unknown')], [['ChangeResourceRecordSets'], [], []])
})

for (const [ttl, sent] of [
  [60, 60],
  [undefined, 300],
] as const)
  test(`a record that stands with a TTL of ${ttl ?? 'nothing that was told'} is taken out with ${sent} [8.7]`, () => {
    const standing = { kind: 'present', type: 'CNAME', values: ['_2.acm-validations.aws.'], ttl } as const
    const deletion = { certificates: new Map(), records: [{ ...recordSeen({ standing }), reference: 'none' }] } as const
    const seen = certSeen({ metadata: going, spec: { deleteOnRemoval: true }, status: kept, deletion })
    const [call] = decide(seen, settings).actions.filter(isCloudAction)
    const batch = call?.input.ChangeBatch as { readonly Changes: readonly unknown[] } | undefined
    const { name, value } = recordSeen()
    const set = { Name: name, Type: 'CNAME', TTL: sent, ResourceRecords: [{ Value: value }] }
    assert.deepEqual(batch?.Changes, [{ Action: 'DELETE', ResourceRecordSet: set }])
  })

test('a record that may be needed is looked at again before its object goes [8.7]', () => {
  const standing = { kind: 'present', type: 'CNAME', values: ['_2.acm-validations.aws.'], ttl: 300 } as const
  const deletion = { certificates: new Map(), records: [{ ...recordSeen({ standing }), reference: 'unsettled' }] } as const
  const sighted = sight(certSeen({ metadata: going, spec: { deleteOnRemoval: true }, status: kept, deletion }))
  assert.ok(sighted !== undefined)
  const { actions, isRelease, blocked, next } = judge(sighted, { ...settings })
  assert.deepEqual([actions, isRelease, blocked?.reason], [[], undefined, 'AWSUnavailable'])
  assert.deepEqual(next, { afterMs: 30_000, why: 'an absence is looked at twice' })
})

test('what one list leaves out is looked for in another one, and nothing is said of it until then [8.7, S26]', () => {
  const standing = { kind: 'present', type: 'CNAME', values: ['_2.acm-validations.aws.'], ttl: 300 } as const
  const records = [{ ...recordSeen({ standing }), reference: 'unlisted' }] as const
  const leaving = certSeen({
    metadata: going,
    spec: { deleteOnRemoval: true },
    status: kept,
    deletion: { certificates: new Map(), records },
  })
  const { actions, isRelease, blocked, next } = judge(sight(leaving) ?? assert.fail(), settings)
  assert.deepEqual([actions, isRelease, blocked], [[], undefined, undefined])
  assert.deepEqual(next, { afterMs: 5_000, why: 'a list may leave one out, and is read twice' })
  const crowd = { asked: [], leaving: records }
  const {
    actions: taken,
    status,
    next: again,
  } = makeRoom({ ...(sight(certSeen({ status: kept })) ?? assert.fail()), crowd }, settings) ?? assert.fail()
  assert.deepEqual([taken, status, again], [[], {}, next])
})

test('a stranger’s ARN stays named while only records are noted, and is taken out with what is said of it [8.6, S21]', () => {
  const own = arn.replace('current', 'own')
  const asked = [{ name: '_1.api.k8s.example.com', value: '_2.acm-validations.aws.', zone, domains: ['api.k8s.example.com'] }]
  const certificates = new Map<string, Look>([
    [arn, look({ ...owner, [tagKeys.uid]: 'uid-2' })],
    [own, { kind: 'present', certificate: issued({ arn: own }), tags: owner, asked }],
  ])
  const judgedWith = (validationRecords: NonNullable<CertStatus['validationRecords']>) => {
    const status = { ...kept, validationRecords }
    const seen = certSeen({
      metadata: going,
      spec: { deleteOnRemoval: true },
      status,
      deletion: { certificates, records: undefined },
    })
    return judge(sight(seen) ?? assert.fail(), settings)
  }
  const first = judgedWith([])
  assert.deepEqual([first.isAside, Object.keys(first.status)], [true, ['validationRecords']])
  const second = judgedWith(first.status.validationRecords ?? [])
  assert.deepEqual([second.isAside, second.status.certReady, 'certificateArn' in second.status], [undefined, false, true])
})

for (const [what, status, certificates, told] of [
  ['the status names', kept, new Map(), ['CertificateDeleted']],
  ['only AWS named', { state: 'Pending', request: oldRequest }, new Map([[arn, { kind: 'absent' }]]), ['CertificateDeleted']],
  ['nobody knows of', { state: 'Pending', request: oldRequest }, new Map(), []],
] as const)
  test(`the end of a certificate that ${what} is ${told.length > 0 ? 'told' : 'no news'} [8.6]`, () => {
    const deletion = { certificates, records: [] } as DeletionSeen
    const sighted = sight(certSeen({ metadata: going, spec: { deleteOnRemoval: true }, status, deletion, vainMs: 300_000 }))
    const { isRelease, events } = judge(sighted ?? assert.fail(), settings)
    assert.deepEqual([isRelease, events.map(({ reason }) => reason)], [true, told])
  })

test('what a person lets go is told as let go, and nothing in AWS is called [8.6, #90]', () => {
  const seen = certSeen({
    metadata: going,
    spec: { deleteOnRemoval: true },
    annotations: { 'acm.ops.example.dev/force-orphan': 'true' },
    status: kept,
    deletion: { certificates: new Map([[arn, look(owner)]]), records: undefined },
  })
  const sighted = sight(seen)
  assert.ok(sighted !== undefined)
  const { isRelease, actions, events } = judge(sighted, settings)
  assert.equal(isRelease, true)
  assert.deepEqual(actions.filter(isCloudAction), [])
  assert.deepEqual(
    events.map(({ reason }) => reason),
    ['CertificateOrphaned'],
  )
})

test('what was asked for without a known outcome is looked for until five minutes brought nothing [8.6, S26]', () => {
  const released = (more: SeenOptions): boolean => {
    const deletion = { certificates: new Map(), records: [] }
    const sighted = sight(certSeen({ metadata: going, spec: { deleteOnRemoval: true }, deletion, ...more }))
    return sighted !== undefined && judge(sighted, settings).isRelease === true
  }
  const open = { state: 'Pending', request: oldRequest } as const
  assert.deepEqual([released({ status: open, vainMs: 299_000 }), released({ status: open, vainMs: 300_000 })], [false, true])
})

test('what keeps a certificate is told by kind, each once [8.6]', () => {
  const loadBalancer = 'arn:aws:elasticloadbalancing:eu-west-1:1:loadbalancer/app/x/1'
  const inUseBy = [
    loadBalancer,
    `${loadBalancer}2`,
    'arn:aws:cloudfront::1:distribution/E',
    'arn:aws:apigateway:eu-west-1:1',
    'some',
  ]
  const used: Look = { kind: 'present', certificate: issued({ inUseBy }), tags: owner }
  const deletion: DeletionSeen = { certificates: new Map([[arn, used]]), records: undefined }
  const sighted = sight(certSeen({ metadata: going, spec: { deleteOnRemoval: true }, status: kept, deletion }))
  const { blocked } = judge(sighted ?? assert.fail(), settings)
  assert.deepEqual(blocked, {
    reason: 'CertificateInUse',
    message: 'certificate is in use by 5 resource(s): apigateway, distribution, loadbalancer, resource',
  })
})

const force = { 'acm.ops.example.dev/force-orphan': 'true' }
for (const [what, more, takes] of [
  ['asks for it', { spec: { deleteOnRemoval: true } }, true],
  ['does not ask for it', {}, false],
  ['is let go by a person', { spec: { deleteOnRemoval: true }, annotations: force }, false],
  ['was never more than a dry run', { spec: { deleteOnRemoval: true, dryRun: true } }, false],
  [
    'is a dry run by now, with a certificate',
    { spec: { deleteOnRemoval: true, dryRun: true }, status: { certificateArn: arn } },
    true,
  ],
  [
    'is a dry run by now, and was requested',
    { spec: { deleteOnRemoval: true, dryRun: true }, status: { request: oldRequest } },
    true,
  ],
  [
    'is a dry run by now, of a certificate that was requested',
    { spec: { deleteOnRemoval: true, dryRun: true }, status: kept },
    true,
  ],
  ['is a dry run and does not ask for it', { spec: { dryRun: true } }, false],
] satisfies readonly (readonly [string, SeenOptions, boolean])[])
  test(`the end of a Cert that ${what} takes ${takes ? 'its certificate away' : 'nothing away'} [8.6]`, () =>
    assert.equal(takesAway(sight(certSeen(more)) ?? assert.fail()), takes))

test('a state that is none counts as Pending', () => {
  const of = (state?: string) => stateOf(sight(certSeen(state === undefined ? {} : { status: { state } })) ?? assert.fail())
  const known = ['Pending', 'Created', 'Validated', 'Ready', 'Failed']
  assert.deepEqual([...known, 'Odd', undefined].map(of), [...known, 'Pending', 'Pending'])
})

const leaving = { metadata: going, spec: { deleteOnRemoval: true } }
const none: DeletionSeen = { certificates: new Map(), records: [] }
const held = (more: Parameters<typeof issued>[0] = {}): Look => ({ kind: 'present', certificate: issued(more), tags: owner })
const of = (certificates: readonly (readonly [string, Look])[]): DeletionSeen => ({
  certificates: new Map(certificates),
  records: undefined,
})

for (const [what, seen, told] of [
  [
    'does not carry our finalizer',
    { metadata: { ...going, finalizers: ['other'] }, status: kept },
    [1, 'Ready', undefined, 'await', true],
  ],
  ['was not looked at yet', { ...leaving, status: kept }, [2, 'Ready', undefined, 'interval', undefined]],
  ['keeps its certificate', { metadata: going, status: kept }, [2, 'Ready', undefined, 'await', true]],
  ['has nothing left', { ...leaving, status: kept, deletion: none }, [2, 'Ready', undefined, 'await', true]],
  [
    'has its certificate',
    { ...leaving, status: kept, deletion: of([[arn, held()]]) },
    [2, 'Ready', undefined, 'at-once', undefined],
  ],
  [
    'was asked for a moment ago',
    { ...leaving, status: { ...kept, request: request(60_000) }, deletion: none },
    [2, 'Ready', 'AWSUnavailable', 30_000, undefined],
  ],
  [
    'may have been asked for, as this process knows',
    { ...leaving, status: { state: 'Ready' }, deletion: none, isAwaited: true },
    [2, 'Ready', 'AWSUnavailable', 30_000, undefined],
  ],
  [
    'lost its intent, and does not show',
    {
      ...leaving,
      status: { state: 'Ready', certificateArn: arn },
      deletion: of([
        [pendingArn, { kind: 'absent', isConfirmed: true, isSettled: true }],
        [arn, { kind: 'absent', isConfirmed: true }],
      ]),
    },
    [2, 'Ready', 'AWSUnavailable', 30_000, undefined],
  ],
  [
    'has its intent, and does not show',
    { ...leaving, status: kept, deletion: { ...of([[arn, { kind: 'absent', isConfirmed: true }]]), records: [] } },
    [2, 'Ready', undefined, 'await', true],
  ],
  [
    'lost its intent, and is gone for long',
    {
      ...leaving,
      status: { state: 'Ready', certificateArn: arn },
      deletion: { ...of([[arn, { kind: 'absent', isConfirmed: true, isSettled: true }]]), records: [] },
    },
    [2, 'Ready', undefined, 'await', true],
  ],
] satisfies readonly (readonly [string, SeenOptions, readonly unknown[]])[])
  test(`an object that goes and ${what} is told so [7.4 #1, #2, 8.6, S26]`, () => {
    const verdict = judged(seen)
    const [row, state, , next] = brief(verdict)
    assert.deepEqual([row, state, verdict.blocked?.reason, next, verdict.isRelease], told)
  })

test('an intent that was wiped is written with the deletion, so that what it made is looked for [8.6, S26]', () => {
  const deletion = of([[arn, held()]])
  assert.deepEqual(judged({ ...leaving, status: kept, deletion }).status.request, oldRequest)
  const { request: found } = judged({ ...leaving, status: { state: 'Ready', certificateArn: arn }, deletion }).status
  assert.equal(found?.revision, 1)
})

const consumers = (...arns: readonly string[]): SeenOptions => ({
  ...leaving,
  status: kept,
  deletion: of([[arn, held({ inUseBy: arns })]]),
})
const balancer = 'arn:aws:elasticloadbalancing:eu-west-1:1:loadbalancer/app/a/1'
const inUse = (text: string) => ({ type: 'DeletionBlocked', status: 'True' as const, reason: 'CertificateInUse', message: text })
const message = 'certificate is in use by 1 resource(s): loadbalancer'
const at = { lastTransitionTime: '2026-05-01T00:00:00Z' }

test('who uses a certificate is told by kind, each once and in order [8.6, #81]', () => {
  const said = (...arns: readonly string[]): unknown => judged(consumers(...arns)).blocked?.message
  assert.equal(said(balancer), message)
  const others = [
    'arn:aws:cloudfront::1:distribution/E1',
    'arn:aws:apigateway:eu-west-1::/domainnames/x',
    'arn:aws:x:eu-west-1:1:',
    'odd',
  ]
  assert.equal(
    said(balancer, balancer, ...others),
    `certificate is in use by 6 resource(s): , distribution, loadbalancer, resource, x`,
  )
})

for (const [what, conditions, events] of [
  ['for the first time', [], ['DeletionBlocked']],
  ['in the same words', [{ ...inUse(message), ...at }], []],
  [
    'in the same words, beside other conditions',
    [
      { ...inUse('x'), type: 'Ready', ...at },
      { ...inUse(message), ...at },
    ],
    [],
  ],
  ['in other words', [{ ...inUse('x'), ...at }], ['DeletionBlocked']],
  ['where another condition has the words', [{ ...inUse(message), type: 'Ready', ...at }], ['DeletionBlocked']],
] as const)
  test(`that a certificate is in use is ${events.length > 0 ? 'told' : 'no news'} ${what} [8.6, #81]`, () => {
    const verdict = judged({ ...consumers(balancer), status: { ...kept, conditions } })
    assert.deepEqual([verdict.row, verdict.events.map(({ reason }) => reason)], [2, events])
  })

for (const [attempts, draw, afterMs] of [
  ['0', 0, 27_000],
  ['0', 0.5, 30_000],
  ['1', 0.5, 60_000],
  ['3', 0.5, 240_000],
  ['4', 0.5, 300_000],
  ['30', 0.5, 300_000],
  ['30', 0.999_999_999, 330_000],
] as const)
  test(`a certificate in use is looked at again after ${afterMs} ms at attempt ${attempts} [8.6]`, () => {
    const annotations = {
      'acm.ops.example.dev/last-reconcile-state': 'Ready',
      'acm.ops.example.dev/reconcile-attempts-in-state': attempts,
    }
    assert.equal(brief(judged({ ...consumers(balancer), draw, annotations }))[3], afterMs)
  })

test('what is free goes, and what is in use, or another’s, or not seen stays [8.6, S2]', () => {
  const looks: readonly (readonly [string, Look])[] = [
    ['free', held()],
    ['used', held({ inUseBy: [balancer] })],
    ['another', { ...present(issued()), tags: { ...owner, [tagKeys.uid]: 'uid-2' } } as Look],
    ['untagged', present(issued())],
    ['absent', { kind: 'absent', isConfirmed: true }],
  ]
  const seen = sight(certSeen(leaving)) ?? assert.fail()
  assert.deepEqual(
    freeCertificates(seen, of(looks), settings).map(([name]) => name),
    ['free'],
  )
  const verdict = judged({ ...leaving, status: kept, deletion: of([looks[1], looks[0]].flatMap(each => (each ? [each] : []))) })
  assert.deepEqual(
    [verdict.blocked?.reason, verdict.actions.map(action => (isCloudAction(action) ? action.input.CertificateArn : ''))],
    ['CertificateInUse', ['free']],
  )
})

test('of several certificates those go first whose records find a place in the list [S25]', () => {
  const many = (count: number, from: number) =>
    Array.from({ length: count }, (_, index) => ({ name: `_${from + index}`, value: 'v', zone, domains: [] }))
  const asking = (count: number, from: number): Look => ({
    kind: 'present',
    certificate: issued(),
    tags: owner,
    asked: many(count, from),
  })
  const validationRecords = many(40, 0).map(({ name }) => ({ ...inSyncEntry, name }))
  const gone = (count: number): unknown =>
    judged({
      ...leaving,
      status: { ...kept, validationRecords },
      deletion: of([
        ['a', asking(40, 0)],
        ['b', asking(count, 40)],
      ]),
    })
  const names = (verdict: unknown): unknown => (verdict as { status: CertStatus }).status.validationRecords?.length
  // Those of the first one are listed already; those of the second one come into the list before it goes.
  assert.deepEqual([names(gone(61)), names(gone(62))], [101, undefined])
})

const standing = { kind: 'present', type: 'CNAME', values: ['_2.acm-validations.aws.'], ttl: 300 } as const
const record = (more: object) => ({ ...recordSeen({ standing }), reference: 'none', ...more }) as const

for (const [what, listed, cleanup, calls, told] of [
  ['that nobody needs', record({}), 'IfUnreferenced', 1, 0],
  ['that nobody needs, where none is to go', record({}), 'Never', 0, 0],
  ['that is needed', record({ reference: 'referenced' }), 'IfUnreferenced', 0, 0],
  ['of which nobody can tell', record({ reference: 'unknown' }), 'IfUnreferenced', 0, 1],
  ['that is gone', record({ standing: { kind: 'absent' } }), 'IfUnreferenced', 0, 0],
  ['that was not looked at', record({ standing: undefined }), 'IfUnreferenced', 0, 0],
  ['that has another value', record({ standing: { ...standing, values: ['x'] } }), 'IfUnreferenced', 0, 0],
  [
    'that has its value beside another',
    record({ standing: { ...standing, values: ['x', '_2.ACM-validations.aws'] } }),
    'IfUnreferenced',
    1,
    0,
  ],
  ['that is of another type', record({ standing: { ...standing, type: 'TXT' } }), 'IfUnreferenced', 0, 0],
] as const)
  test(`a record ${what} is ${calls > 0 ? 'taken out' : 'left'} [8.7, S25]`, () => {
    const { actions, kept: stays } = removalsOf([listed as never], { recordCleanup: cleanup })
    assert.deepEqual([actions.length, stays.length], [calls, told])
  })

const published = 'acm.ops.example.dev/published'
for (const [what, publishes, finalizers, taken] of [
  ['while nothing is published any more', false, [published], ['acm.ops.example.dev/published', 'acm.ops.example.dev/finalizer']],
  ['while another controller takes it out', true, [published], ['acm.ops.example.dev/finalizer']],
  ['where nothing was published', false, [], ['acm.ops.example.dev/finalizer']],
] as const)
  test(`what was published holds an object that goes, ${what}: ${taken.length} finalizers go [8.6, 16.5]`, () => {
    const metadata = { ...going, finalizers: ['acm.ops.example.dev/finalizer', ...finalizers] }
    const { actions } = judged({ metadata, status: kept }, { publishes })
    assert.deepEqual(
      actions.map(action => (action.kind === 'remove-finalizer' ? action.finalizer : action.kind)),
      taken,
    )
  })

for (const [reference, afterMs] of [
  ['unsettled', 30_000],
  ['unlisted', 5_000],
] as const)
  test(`a record that is ${reference} beside one that is not is looked at again [8.7, S26]`, () => {
    const deletion = { certificates: new Map(), records: [record({}), record({ reference })] } as DeletionSeen
    const verdict = judged({ ...leaving, status: kept, deletion })
    assert.deepEqual([brief(verdict)[0], brief(verdict)[3], verdict.actions], [2, afterMs, []])
    const crowd = { asked: [], leaving: [record({}), record({ reference })] } as never
    const room = makeRoom({ ...(sight(certSeen({ status: kept })) ?? assert.fail()), crowd }, settings) ?? assert.fail()
    assert.deepEqual([room.row, room.isAside, brief(room)[3], room.actions], [17, true, afterMs, []])
  })

test('once it can be told, what nobody needs leaves the zone and the list for what is asked for [S25]', () => {
  const asked = [{ name: inSyncEntry.name, value: 'v', zone, domains: [] }]
  const crowd = { asked, leaving: [record({}), record({ reference: 'unknown' })] } as never
  const make = (status: CertStatus) =>
    makeRoom({ ...(sight(certSeen({ status })) ?? assert.fail()), crowd }, settings) ?? assert.fail()
  const other = { ...inSyncEntry, name: '_9' }
  const room = make({ ...kept, validationRecords: [other, inSyncEntry] })
  assert.deepEqual([room.row, room.state, room.isAside, room.next], [17, 'Ready', true, 'at-once'])
  assert.deepEqual([room.actions.length, room.events.map(({ reason }) => reason)], [1, ['ValidationRecordKept']])
  assert.deepEqual(room.status, { validationRecords: [inSyncEntry] })
  assert.deepEqual(make({}).status, { validationRecords: [] })
})
