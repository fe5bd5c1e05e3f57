// What a pass over the targets does and says, by what the Cert is and what stands there.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Action, emptyPlan, type Outcome, type Plan, Trouble } from '#runtime'
import { annotations, finalizer, publishFinalizer } from '../api/labels.ts'
import type { PublishedPlace } from '../api/publish.ts'
import type { CertStatus } from '../api/status.ts'
import { certSeen } from '../testing/cert-seen.fixture.ts'
import { decidePublishing } from './decide.ts'
import { publishTypesDefault as types } from './kinds.ts'
import { reportPublishing } from './report.ts'
import type { FoundObject, PlaceSeen, PublishSeen } from './seen.ts'

const annotation = 'alb.ingress.kubernetes.io/certificate-arn'
const settings = { types, readyMs: 7 }
const deletionTimestamp = '2026-06-01T00:00:00Z'

interface About {
  readonly places?: readonly PlaceSeen[]
  readonly status?: CertStatus
  readonly metadata?: object
  readonly wants?: boolean
}

const serving = { certificateArn: 'new', certReady: true } as const

function seenOf({ places = [], status = serving, metadata = {}, wants = true }: About): PublishSeen {
  const { claim } = certSeen({
    status,
    metadata: metadata as never,
    spec: wants ? { publish: [{ kind: 'Ingress', name: 'web', primary: false }] } : {},
  })
  return { claim: claim ?? assert.fail(), places }
}

const ingress = (text: string | undefined): FoundObject => ({
  kind: 'present',
  object: {
    apiVersion: 'v1',
    kind: 'Ingress',
    metadata: {
      namespace: 'team',
      name: 'web',
      uid: 'u',
      resourceVersion: '1',
      ...(text === undefined ? {} : { annotations: { [annotation]: text } }),
    },
  },
})
const place = (found: FoundObject, more: Partial<PlaceSeen> = {}): PlaceSeen => ({
  kind: 'Ingress',
  name: 'web',
  isPrimary: false,
  isLeft: false,
  found,
  ...more,
})
const entry = (more: Partial<PublishedPlace>): PublishedPlace => ({ kind: 'Ingress', name: 'web', applied: false, ...more })
const held = (...published: readonly PublishedPlace[]): CertStatus => ({ ...serving, published })

/** The kinds of the actions in their order; those of one branch with the value that the annotation gets. */
function doings({ actions }: Plan): readonly unknown[] {
  const valueOf = (action: Action): unknown => {
    if (action.kind !== 'patch') return action.kind
    return (action.body as { metadata: { annotations: Record<string, unknown> } }).metadata.annotations[annotation]
  }
  return actions.map(action => (action.kind === 'together' ? action.branches.map(each => each.map(valueOf)) : action.kind))
}

function told(plan: Pick<Plan, 'conditions'>): string | undefined {
  const [condition] = plan.conditions
  return condition && `${condition.status} ${condition.reason}`
}

interface Expected {
  readonly does: readonly unknown[]
  readonly told?: string
  readonly published?: readonly PublishedPlace[] | undefined
}

const noted = entry({ mayHold: ['new'] })
const rows: readonly (readonly [what: string, about: About, expected: Expected])[] = [
  [
    'is noted before it is written: its ARN may stand there from then on',
    { places: [place(ingress(undefined))] },
    { does: ['add-finalizer'], published: [noted] },
  ],
  [
    'is written once it is noted',
    { places: [place(ingress('a'))], status: held(noted) },
    { does: ['add-finalizer', [['a,new']]], told: 'True Published', published: [entry({ applied: true, arn: 'new' })] },
  ],
  [
    'keeps what it has in mind where one more is noted',
    { places: [place(ingress('old'))], status: held(entry({ applied: true, arn: 'old', mayHold: ['before'] })) },
    { does: ['add-finalizer'], published: [entry({ arn: 'old', mayHold: ['before', 'new'] })] },
  ],
  [
    'forgets the oldest of four that it has in mind',
    { places: [place(ingress('1'))], status: held(entry({ arn: '1', mayHold: ['2', '3', '4', '5'] })) },
    { does: ['add-finalizer'], published: [entry({ arn: '1', mayHold: ['3', '4', '5', 'new'] })] },
  ],
  [
    'takes the place of what it wrote there before',
    { places: [place(ingress('a,old,b'))], status: held(entry({ arn: 'old', mayHold: ['new'] })) },
    { does: ['add-finalizer', [['a,new,b']]], told: 'True Published', published: [entry({ applied: true, arn: 'new' })] },
  ],
  [
    'takes the place of what it had in mind to write',
    { places: [place(ingress('a,2,b'))], status: held(entry({ mayHold: ['2', 'new'] })) },
    { does: ['add-finalizer', [['a,new,b']]], told: 'True Published', published: [entry({ applied: true, arn: 'new' })] },
  ],
  [
    'takes the place of a certificate that was replaced',
    {
      places: [place(ingress('a,old,b'))],
      status: { ...held(noted), supersededCertificates: [{ arn: 'old', supersededAt: deletionTimestamp, inUse: true }] },
    },
    { does: ['add-finalizer', [['a,new,b']]], told: 'True Published', published: [entry({ applied: true, arn: 'new' })] },
  ],
  [
    'that stands there is said, and nothing is written',
    { places: [place(ingress('new'))], status: held(entry({ applied: true, arn: 'new' })) },
    { does: ['add-finalizer'], told: 'True Published', published: [entry({ applied: true, arn: 'new' })] },
  ],
  [
    'that is lost there is written again without a note: it was said to stand there',
    { places: [place(ingress(undefined))], status: held(entry({ applied: true, arn: 'new' })) },
    { does: ['add-finalizer', [['new']]], told: 'True Published', published: [entry({ applied: true, arn: 'new' })] },
  ],
  [
    'has no place to stand in',
    { places: [place({ kind: 'missing' })] },
    { does: [], told: 'False TargetMissing', published: [entry({ reason: 'TargetMissing' })] },
  ],
  [
    'has no place any more, and may come back to it',
    { places: [place({ kind: 'missing' })], status: held(entry({ applied: true, arn: 'new' })) },
    { does: ['add-finalizer'], told: 'False TargetMissing', published: [entry({ arn: 'new', reason: 'TargetMissing' })] },
  ],
  [
    'may not be written where nobody may look',
    { places: [place({ kind: 'forbidden' })] },
    { does: [], told: 'False Forbidden', published: [entry({ reason: 'Forbidden' })] },
  ],
  [
    'is taken out of a place that is left, with what it had in mind',
    {
      places: [place(ingress('a,old,2,new'), { isLeft: true })],
      status: held(entry({ applied: true, arn: 'old', mayHold: ['2'] })),
      metadata: { finalizers: [finalizer, publishFinalizer] },
    },
    { does: [[['a']], 'remove-finalizer'], told: 'True Published', published: undefined },
  ],
  [
    'has left a place that is not there any more',
    {
      places: [place({ kind: 'missing' }, { isLeft: true })],
      status: held(entry({ applied: true, arn: 'old' })),
      wants: false,
      metadata: { finalizers: [publishFinalizer] },
    },
    { does: ['remove-finalizer'], published: undefined },
  ],
  [
    'is neither written nor taken out while nothing is issued',
    { places: [place(ingress('old'))], status: { ...held(entry({ applied: true, arn: 'old' })), certReady: false } },
    { does: ['add-finalizer'], published: [entry({ arn: 'old' })] },
  ],
  [
    'that was never written is not spoken of while nothing is issued',
    { places: [place(ingress(undefined))], status: { certificateArn: 'new', certReady: false } },
    { does: [], published: undefined },
  ],
  ['without a target has nothing to say', { status: serving, wants: false }, { does: [], published: undefined }],
  [
    'whose last target is gone from the spec is forgotten there',
    { status: held(entry({ reason: 'TargetMissing' })), wants: false },
    { does: [], published: undefined },
  ],
]

for (const [what, about, expected] of rows)
  test(`an ARN ${what} [16.5]`, () => {
    const plan = decidePublishing(seenOf(about), settings)
    assert.deepEqual([doings(plan), told(plan), plan.status?.['published']], [expected.does, expected.told, expected.published])
  })

test('what is noted is followed at once, and what was published is looked at each hour [16.5]', () => {
  const first = decidePublishing(seenOf({ places: [place(ingress(undefined))] }), settings)
  assert.deepEqual(first.next, {
    kind: 'look-again',
    afterMs: 0,
    why: 'our record comes before what it is about',
    lane: 'begun',
  })
  const then = decidePublishing(seenOf({ places: [place(ingress('new'))] }), settings)
  assert.deepEqual(then.next, {
    kind: 'look-again',
    afterMs: 7,
    why: 'what was published is looked at every hour',
    lane: 'drift',
  })
  assert.deepEqual(decidePublishing({ claim: undefined, places: [] }, settings), emptyPlan)
  assert.deepEqual(decidePublishing(seenOf({ wants: false }), settings), emptyPlan)
})

test('what is noted of one place leaves what is said of the others [16.5]', () => {
  const other = entry({ name: 'other', applied: true, arn: 'new' })
  const places = [place(ingress(undefined)), place(ingress('new'), { name: 'other' })]
  assert.deepEqual(decidePublishing(seenOf({ places, status: held(other, entry({ arn: 'old' })) }), settings).status, {
    published: [other, entry({ arn: 'old', mayHold: ['new'] })],
  })
})

test('the first place that has not got the ARN is told, with what is in its way [16.5]', () => {
  const messageOf = (...places: readonly PlaceSeen[]): unknown =>
    decidePublishing(seenOf({ places, status: held(noted) }), settings).conditions[0]?.message
  const good = place(ingress('new'))
  const [gone, hidden] = [place({ kind: 'missing' }, { name: 'b' }), place({ kind: 'forbidden' }, { name: 'c' })]
  assert.equal(messageOf(good), 'every target has the current ARN')
  assert.equal(messageOf(good, gone, hidden), 'Ingress b does not exist, or has no such listener')
  assert.equal(messageOf(good, hidden, gone), 'Ingress c may not be written by this operator: a right is missing')
})

const going = { deletionTimestamp, finalizers: [publishFinalizer] }
const leaving = [place(ingress('new'), { isLeft: true })]
const ends: readonly (readonly [what: string, about: About, does: readonly unknown[]])[] = [
  ['takes its ARN out and lets the object go', { places: leaving, metadata: going }, [[[null]], 'remove-finalizer']],
  ['has nothing to take out', { metadata: going }, ['remove-finalizer']],
  ['waits for its certificate', { places: leaving, metadata: { ...going, finalizers: [finalizer, publishFinalizer] } }, []],
  ['is not held', { places: leaving, metadata: { ...going, finalizers: [] } }, []],
  [
    'is let go by a person, who waits for no target',
    { places: leaving, metadata: { ...going, annotations: { [annotations.forceOrphan]: 'true' } } },
    [[[null], ['remove-finalizer']]],
  ],
]
for (const [what, about, does] of ends)
  test(`a Cert that goes ${what} [8.6, 16.5]`, () => {
    const plan = decidePublishing(seenOf(about), settings)
    assert.deepEqual([doings(plan), plan.conditions, plan.next], [does, [], { kind: 'await-change' }])
  })

const writing = { places: [place(ingress(undefined))], status: held(noted) }

/** What is reported where the write of the one place ends so. */
function reported(about: About, become: (action: Action) => readonly Outcome[]) {
  const seen = seenOf(about)
  const plan = decidePublishing(seen, settings)
  const [write] = plan.actions.flatMap(action => (action.kind === 'together' ? action.branches.flat() : []))
  const around = { plan, failures: 1, current: [], generation: 1, summary: 'Published' }
  return reportPublishing({ ...around, seen, outcomes: write === undefined ? [] : become(write) }, settings)
}

const failing =
  (reason: string) =>
  (action: Action): readonly Outcome[] => [
    { kind: 'failed', action, trouble: new Trouble({ kind: 'backoff', reason, message: 'no' }) },
  ]

for (const [outcome, become, said, published] of [
  ['is done', action => [{ kind: 'done', action, changed: true }], 'True Published', entry({ applied: true, arn: 'new' })],
  ['is not told of', () => [], 'True Published', entry({ applied: true, arn: 'new' })],
  ['is forbidden', failing('Forbidden'), 'False Forbidden', entry({ mayHold: ['new'], reason: 'Forbidden' })],
  ['is refused', failing('Rejected'), 'False Conflict', entry({ mayHold: ['new'], reason: 'Conflict' })],
  ['meets another owner', failing('OwnedByAnother'), 'False Conflict', entry({ mayHold: ['new'], reason: 'Conflict' })],
  ['finds nothing', failing('NotFound'), 'False TargetMissing', entry({ mayHold: ['new'], reason: 'TargetMissing' })],
  ['finds no such kind', failing('KindMissing'), 'False TargetMissing', entry({ mayHold: ['new'], reason: 'TargetMissing' })],
  ['meets weather', failing('Throttled'), undefined, entry({ mayHold: ['new'] })],
  ['is left out', action => [{ kind: 'skipped', action }], undefined, entry({ mayHold: ['new'] })],
] satisfies readonly (readonly [string, (action: Action) => readonly Outcome[], string | undefined, PublishedPlace])[])
  test(`where a write ${outcome}, ${said ?? 'nothing'} is said, and the place is known [16.5]`, () => {
    const report = reported(writing, become) ?? assert.fail()
    assert.deepEqual([told({ conditions: report.conditions }), report.status], [said, { published: [published] }])
  })

test('what became of the write of one place is not said of another one [16.5]', () => {
  const seen = seenOf({ places: [place(ingress(undefined)), place(ingress('new'), { name: 'b' })], status: held(noted) })
  const plan = decidePublishing(seen, settings)
  const [write = assert.fail()] = plan.actions.flatMap(action => (action.kind === 'together' ? action.branches.flat() : []))
  const around = { plan, failures: 1, current: [], generation: 1, summary: 'Published' }
  const outcomes = [
    { kind: 'done', action: { ...write, kind: 'create' }, changed: true } as never,
    ...failing('Forbidden')(write),
  ]
  assert.deepEqual(reportPublishing({ ...around, seen, outcomes }, settings)?.status?.['published'], [
    entry({ mayHold: ['new'], reason: 'Forbidden' }),
    entry({ name: 'b', applied: true, arn: 'new' }),
  ])
})

test('a place that was left and could not be cleaned is kept in mind, with why [16.5]', () => {
  const about = { places: leaving, status: held(entry({ applied: true, arn: 'new' })), wants: false }
  assert.deepEqual(reported(about, failing('Forbidden'))?.status, { published: [entry({ arn: 'new', reason: 'Forbidden' })] })
  assert.deepEqual(reported(about, failing('Throttled'))?.status, { published: [entry({ arn: 'new' })] })
})

test('a report says what is noted and nothing more, and nothing of a Cert that goes, is gone or wants nothing [16.5]', () => {
  assert.deepEqual(
    reported({ places: [place(ingress(undefined))] }, () => []),
    { conditions: [], status: { published: [noted] } },
  )
  assert.equal(
    reported({ places: leaving, metadata: going }, () => []),
    undefined,
  )
  assert.equal(
    reported({ wants: false }, () => []),
    undefined,
  )
  assert.deepEqual(
    reported({ wants: false, status: held(entry({ arn: 'x' })) }, () => []),
    {
      conditions: [],
      status: { published: undefined },
    },
  )
  const around = { plan: emptyPlan, failures: 0, current: [], generation: 1, summary: 'Published' }
  assert.equal(reportPublishing({ ...around, seen: { claim: undefined, places: [] }, outcomes: [] }, settings), undefined)
})
