// Whose a resource is, by what it bears and by what is on record: each row is one circumstance.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { labels } from '../../identity/api.ts'
import { annotations, ownerTag } from '../api.ts'
import type { Deviation } from '../kinds/deviation.ts'
import type { Content } from '../model/request.ts'
import { type KindMadeUp, madeUpKind, map } from '../testing/made-up-kind.ts'
import { arn, type Circumstances, claimOf, present, rulesOf, situationOf, tagsOf, uid } from '../testing/situation.ts'
import { printOf, tokenOf } from './intent.ts'
import { hasProof, hasUnexpectedMarks, marksAtCreate, ownershipOf } from './ownership.ts'
import { type OwnershipRecord, recordCondition } from './ownership-record.ts'

const finalizer = claimOf({}).metadata.finalizers?.[0] ?? ''
const other = 'arn:aws:iam::111122223333:role/other'
const place = { ownerAccountID: '111122223333', region: 'eu-west-1' }
const intent = { token: 't', atMs: 0, prints: ['aaaaaaaaaaaa'] }

/** The status of a claim with this record. */
function recorded(record: OwnershipRecord, status: object = { ackResourceMetadata: { arn, ...place } }): object {
  const condition = recordCondition(record)
  return { ...status, conditions: condition === undefined ? [] : [condition] }
}

const made = { kind: 'made', identity: {} } as const
const intended = { status: recorded({ kind: 'intended', intent, identity: {} }, {}) }
const print: Deviation = { print: () => 'wish' }
const unmarked: Content = { spec: { name: 'one' }, status: {}, arn }

interface Latest {
  readonly spec?: object
  readonly status?: object
  readonly arn?: string | undefined
}

type Row = readonly [what: string, circumstances: Circumstances, latest: Latest, is: string]
const rows: readonly Row[] = [
  ['bears our mark', { status: undefined }, { spec: tagsOf(uid) }, 'ours'],
  [
    'bears our mark and has an older owner',
    { seen: { olderOwner: 'a/b' } },
    { spec: tagsOf(uid) },
    'held: Role a/b manages the same resource, and did so first',
  ],
  [
    'bears the mark of a claim that lives',
    { seen: { markHolder: 'a/b' } },
    { spec: tagsOf('u2') },
    'held: the resource is marked as made for Role a/b (uid u2)',
  ],
  ['bears the mark of nobody who lives', {}, { spec: tagsOf('u2') }, 'marked u2'],
  ['bears no mark, and was made', {}, {}, 'ours'],
  ['bears no mark, and nothing is on record', { status: undefined }, {}, 'unknown'],
  ['was only read', { status: recorded({ kind: 'only-read' }) }, {}, 'unknown'],
  ['is on record under another ARN', {}, { arn: other }, 'unknown'],
  ['is on record, and tells no ARN', {}, { arn: undefined }, 'ours'],
  ['is on record without an ARN', { status: { ackResourceMetadata: place } }, { arn: other }, 'ours'],
  ['is on record of an object without our finalizer', { metadata: { finalizers: [] } }, {}, 'unknown'],
  ['is on record of an object with the finalizer of others', { metadata: { finalizers: ['other'] } }, {}, 'unknown'],
  [
    'is on record by its name, of an object without our finalizer',
    { status: recorded({ ...made, identity: { name: 'one' } }), metadata: { finalizers: [] } },
    {},
    'ours',
  ],
  ['is on record by another name', { status: recorded({ ...made, identity: { name: 'two' } }) }, {}, 'unknown'],
  [
    'was adopted, of an object without our finalizer',
    { status: recorded({ kind: 'adopted', formerMark: undefined, identity: {} }), metadata: { finalizers: [] } },
    {},
    'ours',
  ],
  [
    'was adopted with the mark that it bears',
    { status: recorded({ kind: 'adopted', formerMark: 'u2', identity: {} }) },
    { spec: tagsOf('u2') },
    'ours',
  ],
  [
    'was adopted with another mark',
    { status: recorded({ kind: 'adopted', formerMark: 'u3', identity: {} }) },
    { spec: tagsOf('u2') },
    'marked u2',
  ],
  ['was made, and bears a mark', { status: recorded(made) }, { spec: tagsOf('u2') }, 'marked u2'],
  [
    'was born at another time than the one on record',
    { status: { ...recorded(made), createDate: '2026-01-01T00:00:00Z' } },
    { status: { createDate: '2026-01-02T00:00:00Z' } },
    'unknown',
  ],
  [
    'was born at the time on record',
    { status: { ...recorded(made), createDate: '2026-01-01T00:00:00Z' } },
    { status: { createDate: '2026-01-01T00:00:00Z' } },
    'ours',
  ],
  ['tells no birth', { status: { ...recorded(made), createDate: '2026-01-01T00:00:00Z' } }, {}, 'ours'],
  ['has a birth that is not on record', {}, { status: { createDate: '2026-01-02T00:00:00Z' } }, 'ours'],
  [
    'has another id than the one on record',
    { status: { ...recorded(made), roleID: 'A' } },
    { status: { roleID: 'B' } },
    'unknown',
  ],
  [
    'differs in what is no birth',
    { status: { ...recorded(made), roleLastUsed: { region: 'a' } } },
    { status: { roleLastUsed: { region: 'b' } } },
    'ours',
  ],
  [
    'is in every field what a lost call asked for',
    intended,
    { spec: present().kind === 'present' ? { name: 'one' } : {} },
    'unknown',
  ],
  ['is what a lost call asked for, by the count', { ...intended, seen: { inAws: present({}, {}) } }, {}, 'unknown'],
  ['is new by the count', { ...intended, seen: { inAws: { ...present(), isNew: true } as never } }, {}, 'ours'],
  [
    'is the work of a call that AWS refused',
    { ...intended, seen: { inAws: { ...present(), isNew: true } as never, notes: { refusedIntent: 't' } } },
    {},
    'unknown',
  ],
  [
    'is the work of a call, and another was refused',
    { ...intended, seen: { inAws: { ...present(), isNew: true } as never, notes: { refusedIntent: 's' } } },
    {},
    'ours',
  ],
  ['is proved by its kind to be the work of a call', { ...intended, deviation: { proves: () => true } }, {}, 'ours'],
  ['is proved by its kind not to be', { ...intended, deviation: { proves: () => false } }, {}, 'unknown'],
  ['has another print than what was asked for', { ...intended, deviation: print }, {}, 'unknown'],
]
for (const [what, circumstances, latest, is] of rows)
  test(`a resource that ${what}: ${is}`, () => {
    const spec = { ...unmarked.spec, ...latest.spec }
    const found = ownershipOf(situationOf(circumstances), { ...unmarked, ...latest, spec, status: { ...latest.status } })
    const more = found.kind === 'held' ? `: ${found.message}` : found.kind === 'marked' ? ` ${found.mark}` : ''
    assert.equal(`${found.kind}${more}`, is)
  })

test('what is in every field what was asked for is the work of a lost call, and what has its print is, too', () => {
  const situation = situationOf(intended)
  const asked = { ...unmarked, spec: { ...situation.seen.wanted.spec, tags: undefined } }
  const same = situationOf({ ...intended, seen: { wanted: { spec: asked.spec, status: {} } } })
  assert.equal(ownershipOf(same, asked).kind, 'ours')
  assert.equal(ownershipOf(same, { ...asked, spec: { ...asked.spec, path: '/other/' } }).kind, 'unknown')
  const printed = (...prints: readonly string[]): string => {
    const status = recorded({ kind: 'intended', intent: { ...intent, prints }, identity: {} }, {})
    return ownershipOf(situationOf({ status, deviation: print }), unmarked).kind
  }
  const wish = printOf({ deviation: print }, unmarked) ?? ''
  assert.deepEqual([printed('b'.repeat(12), wish), printed('b'.repeat(12))], ['ours', 'unknown'])
})

test('what a child of the identity operator made is held for it, unless it is on record', () => {
  const foreign = {
    tags: [
      { key: labels.bindingUid, value: 'b' },
      { key: ownerTag, value: 'u2' },
    ],
  }
  const found = ownershipOf(situationOf({ status: undefined }), { ...unmarked, spec: foreign })
  assert.equal(
    found.kind === 'held' && found.message,
    `the resource is marked as made by the identity operator (${labels.bindingUid} b)`,
  )
  const adopted = { status: recorded({ kind: 'adopted', formerMark: 'u2', identity: {} }) }
  assert.equal(ownershipOf(situationOf(adopted), { ...unmarked, spec: foreign }).kind, 'ours')
})

test('our marks are unexpected where nothing of ours is on record', () => {
  const isUnexpected = (circumstances: Circumstances): boolean =>
    hasUnexpectedMarks(situationOf({ status: undefined, ...circumstances }))
  const token = (of: string): Circumstances => ({ annotations: { [annotations.createIntent]: `${of} 2026-01-01T00:00:00Z` } })
  assert.equal(isUnexpected({}), true, 'our finalizer')
  assert.equal(isUnexpected({ metadata: { finalizers: ['other'] } }), false)
  assert.equal(isUnexpected({ metadata: { finalizers: undefined } }), false)
  assert.equal(isUnexpected({ metadata: { finalizers: [] }, annotations: { [annotations.adopted]: 'true' } }), true)
  assert.equal(isUnexpected(token('of-another')), true)
  assert.equal(isUnexpected(token(tokenOf({ claim: claimOf({ status: undefined }) }))), false, 'a token of its own')
  assert.equal(isUnexpected({ status: recorded({ kind: 'only-read' }, {}) }), true)
  assert.equal(isUnexpected({ status: recorded(made) }), false)
  assert.equal(finalizer, 'finalizers.iam.services.k8s.aws/Role')
})

test('what is made carries the mark from its first moment where the create call takes tags and a look shows them', () => {
  const shapes = { TagMap: { type: 'map', key: { target: 'String' }, value: { target: 'String' } } } as const
  const tagged: KindMadeUp = {
    operations: { create: 'CreateThing', readOne: 'DescribeThing' },
    spec: { Tags: map('string') },
    settings: { tags: { path: 'Tags', key: 'Key', value: 'Value' } },
    inputs: { CreateThing: { Name: 'String', tags: 'TagMap' } },
    outputs: { DescribeThing: { Tags: 'TagMap' } },
    shapes,
  }
  const marks = (parts: KindMadeUp, deviation: Deviation = {}, ownershipTags = true): readonly boolean[] => {
    const rules = rulesOf({ model: madeUpKind(parts), deviation, settings: { ownershipTags } })
    return [marksAtCreate(rules), hasProof(rules)]
  }
  const [yes, no] = [
    [true, true],
    [false, false],
  ]
  const untold = { ...tagged, outputs: {} }
  assert.deepEqual(marks(tagged), yes)
  assert.deepEqual(marks(tagged, {}, false), no)
  assert.deepEqual(marks({ ...tagged, inputs: { CreateThing: { Name: 'String' } } }), no)
  assert.deepEqual(marks({ ...tagged, settings: {} }), no)
  assert.deepEqual(marks(untold), no)
  assert.deepEqual(marks(untold, { read: async () => undefined }), yes)
  assert.deepEqual(marks(untold, { readMore: async (_, found) => found }), yes)
  assert.deepEqual(marks(untold, { tagsAtCreate: true }), yes)
  assert.deepEqual(marks(tagged, { tagsAtCreate: false }), no)
  assert.deepEqual(marks(untold, { print: () => '' }), [false, true])
  assert.deepEqual(marks(untold, { proves: () => true }), [false, true])
})
