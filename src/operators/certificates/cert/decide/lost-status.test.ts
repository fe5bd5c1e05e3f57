import assert from 'node:assert/strict'
import { test } from 'node:test'
import { annotations, tagKeys } from '../../api/labels.ts'
import type { CloudCertificate } from '../../aws/certificate.ts'
import {
  arn,
  certificate,
  certSeen,
  hash,
  issued,
  nowMs,
  pendingArn,
  primary,
  request,
  type SeenOptions,
  settings,
} from '../../testing/cert-seen.fixture.ts'
import { judge, sight } from './decide.ts'
import {
  isLost,
  isOverwritten,
  mayHaveLostIntent,
  mayHaveLostStatus,
  strangerNamed,
  takeUpAgain,
  takeUpWanted,
  unknownGone,
} from './lost-status.ts'

const sighted = (options: SeenOptions) => sight(certSeen(options)) ?? assert.fail()
const awaited = { certificateArn: arn, request: request() }

const mayBe: readonly (readonly [what: string, seen: SeenOptions, isLost: boolean, more?: object])[] = [
  ['says nothing', {}, true],
  ['says of a state alone', { status: { state: 'Pending' } }, true],
  ['names a request', { status: { request: request() } }, false],
  ['names a certificate', { status: { certificateArn: arn } }, false],
  ['names one on its way', { status: { pendingCertificateArn: pendingArn } }, false],
  ['is new', { metadata: { finalizers: [] } }, false],
  ['has the finalizer of another', { metadata: { finalizers: ['other'] } }, false],
  ['is a dry run', { spec: { dryRun: true } }, false],
  ['says nothing while all is a dry run', {}, false, { dryRun: true }],
  ['is to adopt one', { annotations: { [annotations.adopt]: arn } }, false],
]

for (const [what, seen, isLost, more] of mayBe)
  test(`a Cert that ${what} ${isLost ? 'may have' : 'has not'} lost its status [7.4 #5]`, () =>
    assert.equal(mayHaveLostStatus(sighted(seen), { ...settings, ...more }), isLost))

const served = { state: 'Pending', certificateArn: arn, certReady: true } as const

const intents: readonly (readonly [what: string, seen: SeenOptions, isLost: boolean, more?: object])[] = [
  ['waits for another one', { status: served }, true],
  ['names a request', { status: { ...served, request: request() } }, false],
  ['has another one on its way', { status: { ...served, pendingCertificateArn: pendingArn } }, false],
  ['serves, and waits for nothing', { status: { ...served, state: 'Ready' } }, false],
  ['never served', { status: { ...served, certReady: false } }, false],
  ['is new', { status: served, metadata: { finalizers: [] } }, false],
  ['is a dry run', { status: served, spec: { dryRun: true } }, false],
  ['waits while all is a dry run', { status: served }, false, { dryRun: true }],
]

for (const [what, seen, isLost, more] of intents)
  test(`a Cert with a certificate that ${what} ${isLost ? 'may have' : 'has not'} lost its intent [7.4 #10]`, () =>
    assert.equal(mayHaveLostIntent(sighted(seen), { ...settings, ...more }), isLost))

const others = { state: 'Pending', request: request(0, 'x'.repeat(64), 7) } as const

const overwritten: readonly (readonly [what: string, seen: SeenOptions, isSo: boolean])[] = [
  ['is for something else, beside a certificate that is not listed', { status: others }, true],
  ['is for something else, and nothing else is known', { status: others, isAnyUnlisted: false }, false],
  ['is for what is wanted, beside a certificate that another intent made', { status: { ...others, request: request() } }, true],
  [
    'is for what is wanted, and made what is not listed',
    { status: { ...others, request: request() }, isAnyUnlisted: false },
    false,
  ],
  ['has its certificate', { status: { ...others, certificateArn: arn } }, false],
  ['has its certificate beside one that serves', { status: { ...served, ...others, pendingCertificateArn: pendingArn } }, false],
  ['is for something else, beside one that serves', { status: { ...served, ...others } }, true],
  ['failed', { status: { ...others, state: 'Failed' } }, false],
  ['is not there', { status: { state: 'Pending' } }, false],
]

for (const [what, seen, isSo] of overwritten)
  test(`an intent that ${what} ${isSo ? 'may be' : 'is not'} another object’s [7.4 #10, S1]`, () =>
    assert.equal(isOverwritten(sighted({ isAnyUnlisted: true, ...seen })), isSo))

const tagsOf = (uid: string): Record<string, string> => ({
  [tagKeys.managedBy]: 'cert-operator',
  [tagKeys.cluster]: 'here',
  [tagKeys.uid]: uid,
})
const look = (tags: Record<string, string> | undefined, more: object = {}, of: Partial<CloudCertificate> = {}) =>
  ({ kind: 'present', certificate: issued(of), ...(tags && { tags }), ...more }) as const
const [ours, stranger] = [look(tagsOf('uid-1')), look(tagsOf('uid-2'))]
const other = { names: [primary, 'x.example.com'] }

type Seen = SeenOptions['current']

const goneRows: readonly (readonly [what: string, current: NonNullable<Seen>, isSearched: boolean, pending?: string])[] = [
  ['is not there, and was written by another', { kind: 'absent', isConfirmed: true, isByAnother: true }, true],
  ['is not there, and was written by this process', { kind: 'absent', isConfirmed: true, isByAnother: false }, false],
  ['did not show once', { kind: 'absent', isConfirmed: false, isByAnother: true }, false],
  ['is there', look({}, { isByAnother: true }), false],
  ['is not there, while another one is on its way', { kind: 'absent', isConfirmed: true, isByAnother: true }, false, pendingArn],
]

for (const [what, current, isSearched, pendingCertificateArn] of goneRows)
  test(`before another request ${isSearched ? 'what is its own is searched' : 'nothing is searched'} where the one named ${what} [7.4 #32]`, () => {
    const status = { state: 'Ready', ...awaited, ...(pendingCertificateArn && { pendingCertificateArn }) }
    const judged = unknownGone(sighted({ status, current }))
    const requestedAt = '1970-01-01T00:00:00Z'
    assert.deepEqual(judged?.status.request, isSearched ? { requestedAt, specHash: hash, revision: 2 } : undefined)
    assert.equal(judged !== undefined, isSearched)
  })
const named: readonly (readonly [what: string, current: Seen, isStranger: boolean])[] = [
  ['with our tags', ours, false],
  ['with the tags of another object', stranger, true],
  ['whose tags were not asked', look(undefined), false],
  ['that was not looked at', { kind: 'unasked' }, false],
  ['that is not there', { kind: 'absent', isConfirmed: true }, false],
  ['without tags, which is what was asked for', look({}), false],
  ['without tags, whose ARN a hand wrote', look({}, { isByAnother: true }), true],
  ['without tags, which is another one', look({}, {}, other), true],
  ['with our tags, whose ARN a hand wrote', look(tagsOf('uid-1'), { isByAnother: true }), false],
]

for (const [what, current, isStranger] of named)
  test(`a certificate ${what} is ${isStranger ? 'a stranger’s' : 'taken for our own'} [7.4 #32, S6]`, () => {
    const seen = sighted({ status: { state: 'Ready', ...awaited }, ...(current && { current }) })
    assert.equal(strangerNamed(seen, settings) !== undefined, isStranger)
  })

const both = { state: 'Ready', ...awaited, pendingCertificateArn: pendingArn } as const
const epoch = { ...request(), requestedAt: '1970-01-01T00:00:00Z' }

test('what is on its way takes the place of a stranger, and a stranger that is on its way leaves the place', () => {
  const statusOf = (current: Seen, pending: Seen): object => {
    const seen = sighted({ status: both, ...(current && { current }), ...(pending && { pending }) })
    const { certificateArn, pendingCertificateArn, ...rest } = strangerNamed(seen, settings)?.status ?? {}
    return { certificateArn, pendingCertificateArn, ...('request' in rest && { request: rest.request }) }
  }
  assert.deepEqual(statusOf(stranger, ours), { certificateArn: pendingArn, pendingCertificateArn: undefined })
  assert.deepEqual(statusOf(stranger, stranger), {
    certificateArn: undefined,
    pendingCertificateArn: undefined,
    request: undefined,
  })
  assert.deepEqual(statusOf(ours, stranger), { certificateArn: undefined, pendingCertificateArn: undefined, request: epoch })
})

const owned = (more: Partial<CloudCertificate>, revision?: string) => ({
  certificate: certificate(more),
  tags: revision === undefined ? {} : { [tagKeys.revision]: revision },
})
const requestedAt = new Date(nowMs).toISOString().replace('.000Z', 'Z')

test('where all is lost, the certificate that is asked for is taken up, else one that lives, and the others are listed', () => {
  const statusOf = (...found: readonly ReturnType<typeof owned>[]): object | undefined =>
    takeUpAgain(sighted({ owned: found }))?.status
  const [good, wrong, dead] = [
    owned({ arn: 'good' }, '3'),
    owned({ arn: 'wrong', ...other }, '5'),
    owned({ arn: 'dead', status: 'FAILED', inUseBy: ['lb'] }),
  ]
  const listed = (name: string, inUse = false): object => ({ arn: name, supersededAt: requestedAt, inUse })
  assert.deepEqual(statusOf(wrong, good, dead), {
    supersededCertificates: [listed('wrong'), listed('dead', true)],
    certificateArn: 'good',
    certReady: false,
    request: { requestedAt, specHash: hash, revision: 5 },
  })
  assert.deepEqual(Object.keys(statusOf(good) ?? {}), ['certificateArn', 'certReady', 'request'])
  const { certificateArn } = (statusOf(dead, wrong) ?? {}) as { certificateArn?: string }
  assert.equal(certificateArn, 'wrong')
  assert.deepEqual(statusOf(dead), {
    supersededCertificates: [listed('dead', true)],
    request: { requestedAt, specHash: hash, revision: 2 },
  })
  assert.equal(takeUpAgain(sighted({ owned: [] })), undefined)
})

test('beside a certificate that serves only what is wanted is taken up, and what no field names is listed', () => {
  const superseded = { arn: 'before', supersededAt: requestedAt, inUse: false }
  const statusOf = (...found: readonly ReturnType<typeof owned>[]): object | undefined =>
    takeUpAgain(sighted({ status: { ...served, supersededCertificates: [superseded] }, owned: found }))?.status
  const current = owned({ arn, ...other }, '2')
  const [good, wrong, before] = [
    owned({ arn: 'good' }, '3'),
    owned({ arn: 'wrong', ...other }, '4'),
    owned({ arn: 'before' }, '1'),
  ]
  const named = { arn: 'wrong', supersededAt: requestedAt, inUse: false }
  const next = { requestedAt, specHash: hash }
  assert.deepEqual(statusOf(current, wrong, good, before), {
    supersededCertificates: [superseded, named],
    pendingCertificateArn: 'good',
    request: { ...next, revision: 4 },
  })
  assert.deepEqual(statusOf(current, good), { pendingCertificateArn: 'good', request: { ...next, revision: 3 } })
  assert.deepEqual(statusOf(current, wrong), {
    supersededCertificates: [superseded, named],
    request: { ...next, revision: 5 },
  })
  assert.deepEqual(statusOf(current, before), { request: { ...next, revision: 3 } })
})

test('where the status was written over, only what is wanted is taken up, and is waited for while ACM may not show it', () => {
  const taken = (options: SeenOptions): object | undefined => takeUpWanted(sighted({ status: others, ...options }))
  const [good, wrong] = [owned({ arn: 'good' }, '3'), owned({ arn: 'wrong', ...other }, '5')]
  const { status } = (taken({ owned: [wrong, good] }) ?? {}) as { status?: object }
  assert.deepEqual(status, {
    supersededCertificates: [{ arn: 'wrong', supersededAt: requestedAt, inUse: false }],
    certificateArn: 'good',
    certReady: false,
    request: { requestedAt, specHash: hash, revision: 5 },
  })
  assert.equal(taken({ owned: [wrong] }), undefined)
  assert.deepEqual((taken({ owned: [good], isAwaited: true }) as { next?: object }).next, {
    afterMs: 30_000,
    why: 'ACM shows late what was asked for',
  })
})

test('what is current again is not listed among what was replaced', () => {
  const entry = (name: string): object => ({ arn: name, supersededAt: requestedAt, inUse: false })
  const superseded = (names: readonly string[]) => {
    const status = { state: 'Pending', supersededCertificates: names.map(entry) } as NonNullable<SeenOptions['status']>
    const { status: said } = takeUpAgain(sighted({ status, owned: [owned({ arn: 'good' })] })) ?? assert.fail()
    return 'supersededCertificates' in said ? (said.supersededCertificates ?? 'none') : 'unsaid'
  }
  assert.deepEqual(superseded(['good', 'before']), [entry('before')])
  assert.equal(superseded(['good']), 'none')
  assert.equal(superseded(['before']), 'unsaid')
})

test('the number of a request that its tag tells wrongly is the first one', () => {
  for (const [revision, expected] of [
    ['7', 7],
    ['1', 1],
    ['0', 1],
    ['-3', 1],
    ['1.5', 1],
    ['x', 1],
    [undefined, 1],
  ] as const)
    assert.equal(takeUpAgain(sighted({ owned: [owned({}, revision)] }))?.status.request?.revision, expected, revision)
})

test('what failed and is asked for anew has an intent at once, unless the one before was wiped: what that made is looked up first', () => {
  const again = (before: object): object | undefined => {
    const lastFailure = { reason: 'IssuanceFailed', message: 'x', time: requestedAt, count: 1 }
    const status = { ...served, state: 'Failed' as const, lastFailure, ...before }
    return judge(sighted({ status, metadata: { generation: 2 } }), settings).status.request
  }
  assert.deepEqual(again({ request: request() }), request())
  assert.equal(again({}), undefined)
})

test('what may be lost is looked for: a status, an intent, or one that another object’s was written over [7.4 #5, #10]', () => {
  const of = (seen: SeenOptions): boolean => isLost(sighted(seen), settings)
  const unlisted = { isAnyUnlisted: true }
  assert.deepEqual(
    [
      {},
      { status: served },
      { status: others, ...unlisted },
      { status: others },
      { status: { ...served, request: request() } },
    ].map(of),
    [true, true, true, false, false],
  )
})

test('what is wanted and written over is waited for and taken up by the rows of what is lost [7.4 #10, #11]', () => {
  const rowOf = (options: SeenOptions): unknown => takeUpWanted(sighted({ status: others, ...options }))?.row
  assert.deepEqual([rowOf({ isAwaited: true }), rowOf({ owned: [owned({ arn: 'good' })] })], [11, 10])
})

test('what is taken up again is row 10; where all that is left is dead another one is asked for, and is row 11 [7.4 #10, #11]', () => {
  const [alive, dead] = [owned({ arn: 'good' }), owned({ arn: 'dead', status: 'FAILED' })]
  const told = (more: SeenOptions): readonly unknown[] => {
    const { row, state, next } = takeUpAgain(sighted(more)) ?? {}
    return [row, state, typeof next === 'object' ? next.afterMs : next]
  }
  assert.deepEqual(told({ owned: [alive, dead] }), [10, 'Created', 'at-once'])
  assert.deepEqual(told({ owned: [dead] }), [11, 'Pending', 'at-once'])
  assert.deepEqual(told({ owned: [], isAwaited: true }), [11, 'Pending', 30_000])
  assert.deepEqual(told({ owned: [] }), [undefined, undefined, undefined])
})
