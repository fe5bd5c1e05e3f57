// What is decided about a claim before its resource is: each row is one circumstance, and what follows from it.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { Trouble } from '#runtime'
import { annotations, conditions } from '../api.ts'
import { madeUpKind } from '../testing/made-up-kind.ts'
import { absent, arn, type Circumstances, claimOf, inOneLine, now, present, rulesOf, seenOf } from '../testing/situation.ts'
import { decide, foresee } from './decide.ts'

const deleted = { deletionTimestamp: '2026-01-01T00:00:00Z' }
const inStep = 'ResourceSynced=True Synced; again in '
const failed = { kind: 'failed', trouble: new Trouble({ kind: 'stop', reason: 'Malformed', message: 'no' }) } as const
const unresolved = { kind: 'unresolved', how: 'wait', message: 'm', terminal: false } as const
const readOnly = { kind: 'read-only' } as const
const rest = { basis: 'b', shown: 's', lookedMs: now, idleLooks: 0, disturbances: 0 }

const rows: readonly [said: string, circumstances: Circumstances, plan: string | RegExp][] = [
  ['nothing is done for a claim that is gone', { seen: { claim: undefined } }, ''],
  ['nor for one that is paused', { annotations: { [annotations.paused]: 'true' } }, ''],
  ['nor for one that is being deleted and held by nobody of us', { metadata: { ...deleted, finalizers: ['other'] } }, ''],
  ['a role that is missing is waited for', { seen: { place: { kind: 'no-role', message: 'm' } } }, 'wait RoleMissing in 15000'],
  ['of two selectors none is followed', { seen: { place: { kind: 'ambiguous', message: 'm' } } }, 'backoff SelectorAmbiguous'],
  ['a place that cannot be is refused', { seen: { place: { kind: 'invalid', message: 'm' } } }, 'stop InvalidManifest'],
  ['nothing moves', { seen: { place: { kind: 'moved', message: 'm' } } }, 'stop ResourceMoved'],
  ['an adoption asked for wrongly is refused', { seen: { adoption: { kind: 'wrong', message: 'm' } } }, 'stop InvalidManifest'],
  ['references are waited for', { seen: { references: unresolved } }, 'wait ReferenceUnresolved'],
  ['or never will be', { seen: { references: { ...unresolved, how: 'stop' } } }, 'stop ReferenceUnresolved'],
  ['who only looks needs none of them', { seen: { references: unresolved, adoption: readOnly } }, new RegExp(inStep)],
  [
    'a Secret that cannot be used is terminal',
    { seen: { secrets: { kind: 'unusable', message: 'm' } } },
    /^Terminal=True SecretUnusable, ResourceSynced=False SecretUnusable; again in \d+$/,
  ],
  [
    'a document that costs too much is refused',
    { spec: { assumeRolePolicyDocument: '['.repeat(200) + ']'.repeat(200) } },
    'stop InvalidManifest',
  ],
  [
    'unless it is only looked at',
    { spec: { assumeRolePolicyDocument: '['.repeat(200) + ']'.repeat(200) }, seen: { adoption: readOnly } },
    new RegExp(inStep),
  ],
  ['what was made under another name is not renamed', { spec: { name: 'two' } }, 'stop NotUpdatable'],
  ['nor where it is gone', { spec: { name: 'two' }, seen: { inAws: absent } }, 'stop NotUpdatable'],
  ['of what could not be read nobody says so', { spec: { name: 'two' }, seen: { inAws: failed } }, 'stop Malformed'],
  ['trouble is told as it was met', { seen: { inAws: failed } }, 'stop Malformed'],
  ['but never ends a deletion', { metadata: deleted, seen: { inAws: failed } }, 'backoff Malformed'],
  ['what is in step rests', {}, new RegExp(`^note .*inStepWith.*; LateInitialized=True LateInitialized, ${inStep}`)],
  ['what shows no change rests on', { seen: { inAws: { kind: 'unchanged' }, notes: { rest } } }, /^again in \d+$/],
  ['what was not read is left alone', { seen: { inAws: { kind: 'not-read' } } }, ''],
  [
    'what was not there a look ago, and is, is no longer absent',
    { seen: { notes: { absentMs: now - 1, inStepWith: 1 } } },
    /^note absentMs; /,
  ],
]

for (const [said, circumstances, plan] of rows)
  test(`${said} [6.4]`, () => {
    const line = inOneLine(decide(rulesOf(circumstances), seenOf(circumstances), now))
    if (typeof plan === 'string') assert.equal(line, plan)
    else assert.match(line, plan)
  })

test('a preview says what would be done, and does nothing [10.3.25]', () => {
  const asked = { [annotations.plan]: 'true' }
  const differs: Circumstances = { annotations: asked, spec: { description: 'new' }, seen: { notes: { inStepWith: 0 } } }
  const plan = decide(rulesOf(differs), seenOf(differs), now)
  assert.deepEqual(plan.actions, [])
  const said = plan.conditions.find(({ reason }) => reason === 'Plan')?.message
  assert.equal(said, 'iam UpdateRole in 111122223333/eu-west-1', 'no note and no event')
  assert.equal(plan.next.kind, 'await-change')
})

test('what is foreseen is what comes after our record, where that is all that comes first [10.3.25]', () => {
  const fresh: Circumstances = { status: undefined, seen: { inAws: absent }, settings: { ownershipTags: false } }
  const [rules, seen] = [rulesOf(fresh), seenOf(fresh)]
  assert.match(inOneLine(decide(rules, seen, now)), /^patch, note unsent; Ownership=Unknown Intended/)
  assert.match(inOneLine(foresee(rules, seen, now)), /CreateRole/)
  assert.equal(inOneLine(foresee(rules, { ...seen, claim: undefined }, now)), '')
  const paused = claimOf({ ...fresh, annotations: { [annotations.paused]: 'true' } })
  assert.equal(inOneLine(foresee(rules, { ...seen, claim: paused }, now)), '')
})

test('what is foreseen is the plan itself, where our record is not what it waits for [10.3.25]', () => {
  const model = madeUpKind({
    operations: { create: 'CreateThing', update: 'UpdateThing' },
    untold: ['Hidden'],
    spec: { Hidden: 'string' },
    inputs: { UpdateThing: { Hidden: 'String' } },
  })
  const record = { lastTransitionTime: '', status: 'True' }
  const of = (sent: object): Circumstances => ({
    model,
    deviation: { identity: () => ({ name: 'one' }) },
    spec: { hidden: 'is' },
    status: {
      conditions: [
        { ...record, type: conditions.ownership, reason: 'Made', message: JSON.stringify({ is: { name: 'one' } }) },
        { ...record, type: conditions.sent, reason: 'Sent', message: JSON.stringify(sent) },
      ],
    },
    seen: { inAws: present({ hidden: 'is', tags: undefined }, { arn: undefined }) },
  })
  const foreseen = (sent: object): string => {
    const [rules, seen] = [rulesOf(of(sent)), seenOf(of(sent))]
    assert.deepEqual(foresee(rules, seen, now), decide(rules, seen, now))
    return inOneLine(foresee(rules, seen, now))
  }
  assert.match(foreseen({ Hidden: 'old' }), /^UpdateThing/)
  const hidden = createHash('sha256')
    .update(JSON.stringify(['is']))
    .digest('hex')
    .slice(0, 8)
  assert.match(foreseen({ Hidden: hidden }), /Ownership=True Made, .*Synced=True/)
})

test('what is known by what it is called, and has no ARN, is not moved to another name [9.5]', () => {
  const note = (is: object): object => ({
    conditions: [
      { type: 'ACK.Ownership', status: 'True', reason: 'Made', message: JSON.stringify({ is }), lastTransitionTime: '' },
    ],
  })
  const of = (is: object, more: Partial<Circumstances['seen']> = {}): string => {
    const circumstances: Circumstances = { status: note(is), seen: { ...more } }
    return inOneLine(decide(rulesOf(circumstances), seenOf(circumstances), now))
  }
  assert.equal(of({ name: 'two' }), 'stop NotUpdatable')
  assert.match(of({ name: 'one' }), new RegExp(inStep))
  assert.equal(of({ name: 'two' }, { inAws: failed }), 'stop Malformed')
  assert.equal(of({ name: 'two' }, { inAws: absent }), 'stop NotUpdatable')
  assert.match(of({ name: 'two' }, { adoption: readOnly, inAws: present({}, { arn }) }), new RegExp(inStep))
})
