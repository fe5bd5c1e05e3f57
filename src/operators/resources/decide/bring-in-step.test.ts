// What is decided about a resource that is ours and is there: what differs is sent, waited for, told or refused.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { annotations, conditions } from '../api.ts'
import type { Deviation } from '../kinds/deviation.ts'
import { tokenOf } from '../ownership/intent.ts'
import type { Notes } from '../seen/notes.ts'
import { madeUpKind } from '../testing/made-up-kind.ts'
import { type Circumstances, claimOf, inOneLine, now, present, situationOf, tagsOf, uid } from '../testing/situation.ts'
import type { ResourcePlan } from './actions.ts'
import { bringInStep } from './bring-in-step.ts'
import { decidePresent } from './present.ts'

function decided(circumstances: Circumstances): ResourcePlan {
  const situation = situationOf(circumstances)
  const { inAws } = situation.seen
  assert.equal(inAws.kind, 'present')
  return decidePresent(situation, inAws.content)
}

const differs: Circumstances = { spec: { description: 'new' } }
const known: Notes = { inStepWith: 1 }
const rests = 'LateInitialized=True LateInitialized, ResourceSynced=True Synced'
const update = 'UpdateRole, note update, event Updated; again in 0'
const identifiers = { spec: {}, status: {} }
const lookedUp = { text: 't', identifiers }
const called = { [annotations.createIntent]: `${tokenOf({ claim: claimOf({ status: undefined }) })} 2026-01-01T00:00:00Z` }
const driftOnly = { [annotations.driftPolicy]: 'detect-only', [annotations.inStepWith]: '1' }

/** As it is remembered after this very update went out. */
function sentBefore(more: Partial<NonNullable<Notes['update']>>): Notes {
  const plan = decided(differs)
  const note = plan.actions.find(({ kind }) => kind === 'act:note') as unknown as { readonly notes: Notes }
  assert.ok(note.notes.update)
  return { update: { ...note.notes.update, ...more } }
}

const rows: readonly [said: string, circumstances: () => Circumstances, plan: string | RegExp][] = [
  ['nothing is remembered twice', () => ({ seen: { notes: known } }), new RegExp(`^${rests}; again in`)],
  ['who has it first has it', () => ({ seen: { olderOwner: 'default/two' } }), 'stop DuplicateOwner'],
  [
    'whose mark it bears has it',
    () => ({ seen: { inAws: present(tagsOf('u2')), markHolder: 'default/two' } }),
    'stop DuplicateOwner',
  ],
  ['also where that one is gone', () => ({ seen: { inAws: present(tagsOf('u2')) } }), 'stop DuplicateOwner'],
  [
    'what nobody made for us is there already',
    () => ({ status: undefined, metadata: { finalizers: [] }, seen: { inAws: present({ tags: [] }) } }),
    'stop ResourceExists',
  ],
  [
    'a finalizer alone proves nothing',
    () => ({ status: undefined, seen: { inAws: present({ tags: [] }) } }),
    'stop UnexpectedFinalizer',
  ],
  ['the mark does, and the finalizer is put back', () => ({ metadata: { finalizers: [] } }), 'add-finalizer; again in 0'],
  [
    'what is to be adopted is, where it does not bear our mark',
    () => ({ seen: { adoption: { kind: 'adopt', identifiers }, inAws: present({ tags: [] }) } }),
    /^Ownership=True Adopted/,
  ],
  [
    'so is what is adopted where it is there',
    () => ({ seen: { adoption: { kind: 'adopt-or-create', identifiers }, inAws: present({ tags: [] }) } }),
    /^Ownership=True Adopted/,
  ],
  ['what bears it was', () => ({ seen: { notes: known, adoption: { kind: 'adopt', identifiers } } }), new RegExp(`^${rests}`)],
  [
    'what a call of ours may have made is not refused yet',
    () => ({ status: undefined, annotations: called, seen: { inAws: present({ tags: [] }) } }),
    'note calledMs, backoff NotVisibleYet',
  ],
  [
    'what was found by a lookup is known from then on',
    () => ({ seen: { adoption: { kind: 'read-only' }, inAws: { ...present(), lookedUp } } }),
    /^note lookedUp; /,
  ],
  [
    'and is not noted again',
    () => ({ seen: { adoption: { kind: 'read-only' }, inAws: { ...present(), lookedUp }, notes: { lookedUp } } }),
    /^Ownership|^ResourceSynced/,
  ],
  ['what differs is sent', () => differs, update],
  [
    'where it was in step, somebody else changed it',
    () => ({ ...differs, seen: { notes: known } }),
    'UpdateRole, note update, event DriftDetected; again in 0',
  ],
  ['where the manifest changed since, we did', () => ({ ...differs, seen: { notes: { inStepWith: 0 } } }), update],
  [
    'which may only be told',
    () => ({ ...differs, annotations: driftOnly }),
    /^Advisory=True DriftDetected, ResourceSynced=False NotSynced; again in 30000$/,
  ],
  [
    'a manifest that changed since is sent all the same',
    () => ({ ...differs, annotations: { ...driftOnly, [annotations.inStepWith]: '0' } }),
    update,
  ],
  [
    'that it was in step is noted where drift is only told',
    () => ({ annotations: { [annotations.driftPolicy]: 'detect-only' }, seen: { notes: known } }),
    new RegExp(`^patch; ${rests}`),
  ],
  [
    'a namespace may say so',
    () => ({ seen: { notes: known, namespaceAnnotations: { [annotations.driftPolicy]: 'detect-only' } } }),
    new RegExp(`^patch; ${rests}`),
  ],
  ['but once', () => ({ annotations: driftOnly, seen: { notes: known } }), new RegExp(`^${rests}`)],
  [
    'the same update waits until AWS shows the first',
    () => ({ ...differs, seen: { notes: sentBefore({ lastMs: now - 4_999 }) } }),
    'ResourceSynced=False NotSynced; again in 1',
  ],
  [
    'then it goes out once more',
    () => ({ ...differs, seen: { notes: sentBefore({ lastMs: now - 5_000 }) } }),
    'UpdateRole, note update; again in 0',
  ],
  [
    'and a third time not',
    () => ({ ...differs, seen: { notes: sentBefore({ lastMs: now - 50_000, sent: 2 }) } }),
    /Advisory=True PersistentDiff, .*ResourceSynced=False NotSynced; again in 30000$/,
  ],
  [
    'updates that undo each other are sent six times',
    () => ({ ...differs, seen: { notes: sentBefore({ hash: 'other', row: 5 }) } }),
    update,
  ],
  [
    'and then every ten minutes',
    () => ({ ...differs, seen: { notes: sentBefore({ hash: 'other', row: 6, lastMs: now - 1 }) } }),
    'wait UpdatesUndone in 599999',
  ],
  [
    'to the millisecond',
    () => ({ ...differs, seen: { notes: sentBefore({ hash: 'other', row: 6, lastMs: now - 599_999 }) } }),
    'wait UpdatesUndone in 1',
  ],
  [
    'when they are over',
    () => ({ ...differs, seen: { notes: sentBefore({ hash: 'other', row: 6, lastMs: now - 600_000 }) } }),
    update,
  ],
  [
    'another manifest begins anew',
    () => ({ ...differs, seen: { notes: sentBefore({ hash: 'other', row: 6, generation: 0 }) } }),
    update,
  ],
  ['what no API changes is refused', () => ({ seen: { inAws: present({ path: '/elsewhere/' }) } }), 'stop NotUpdatable'],
  ['what can be sent goes first', () => ({ ...differs, seen: { inAws: present({ path: '/elsewhere/' }) } }), update],
  [
    'where it may be replaced, it is',
    () => ({ annotations: { [annotations.allowReplace]: 'true' }, seen: { inAws: present({ path: '/elsewhere/' }) } }),
    /^DeleteRole, event Replaced; ResourceSynced=False Replacing/,
  ],
  [
    'but not what is protected',
    () => ({
      annotations: { [annotations.allowReplace]: 'true', [annotations.deletionProtection]: 'true' },
      seen: { inAws: present({ path: '/elsewhere/' }) },
    }),
    'stop NotUpdatable',
  ],
  [
    'nor what is to be retained',
    () => ({
      annotations: { [annotations.allowReplace]: 'true' },
      settings: { deletionPolicy: 'retain' },
      seen: { inAws: present({ path: '/elsewhere/' }) },
    }),
    'stop NotUpdatable',
  ],
]

for (const [said, circumstances, plan] of rows)
  test(`a resource that is there: ${said} [6.4]`, () => {
    const line = inOneLine(decided(circumstances()))
    if (typeof plan === 'string') assert.equal(line, plan)
    else assert.match(line, plan)
  })

test('what AWS chooses is filled in, waited for ten times, and then no more [10.3.18]', () => {
  const open = { path: undefined, maxSessionDuration: undefined }
  const at = (more: Circumstances): string => inOneLine(decided({ ...more, spec: open }))
  const unsaid = present(open)
  assert.match(at({ seen: { notes: known } }), /^note .*inStepWith.*, patch; LateInitialized=True/)
  assert.match(at({ seen: { inAws: unsaid, notes: known } }), /^note lateLooks; LateInitialized=False .*; again in 5000$/)
  assert.match(at({ seen: { inAws: unsaid, notes: { ...known, lateLooks: 3 } } }), /again in 40000$/)
  assert.match(at({ seen: { inAws: unsaid, notes: { ...known, lateLooks: 9 } } }), /again in 300000$/)
  assert.match(at({ seen: { inAws: unsaid, notes: { ...known, lateLooks: 10 } } }), /LateInitialized=True LateInitialized/)
})

test('a resource on its way to another state is neither changed nor called in step [6.4]', () => {
  const { model } = situationOf({})
  const field = model.status.named('CreateDate')
  assert.ok(field)
  const state = { ...field, camel: 'Status', json: 'status' }
  const named = (name: string): typeof field | undefined => (name.toLowerCase() === 'status' ? state : model.status.named(name))
  const stateful = { ...model, status: { all: [...model.status.all, state], named } }
  const at = (status: string, more: Circumstances): string =>
    inOneLine(decided({ ...more, model: stateful, seen: { notes: known, inAws: present({}, { status: { status } }) } }))
  assert.match(at('ACTIVE', {}), /ResourceSynced=True/)
  assert.match(at('UPDATING', {}), /ResourceSynced=False NotSynced; again in 30000$/)
  assert.match(at('ACTIVE', differs), /^UpdateRole/)
  assert.match(at('CREATING', differs), /^ResourceSynced=False NotSynced; again in 30000$/)
})

test('it is counted how often an update went out, and how many a manifest led to [6.4]', () => {
  const counted = (notes: Notes): unknown => {
    const { actions } = decided({ ...differs, seen: { notes } })
    const [noted] = actions.flatMap(each => (each.kind === 'act:note' && each.notes !== 'forget' ? [each.notes.update] : []))
    return [noted?.sent, noted?.row, noted?.lastMs]
  }
  assert.deepEqual(counted({}), [1, 1, now])
  assert.deepEqual(counted(sentBefore({ lastMs: 0 })), [2, 2, now])
  assert.deepEqual(counted(sentBefore({ hash: 'other', row: 3, sent: 2 })), [1, 4, now])
  assert.deepEqual(counted(sentBefore({ hash: 'other', row: 3, generation: 0 })), [1, 1, now])
})

test('what nothing here changes is told of the field by name [6.4]', () => {
  const model = madeUpKind({ spec: { Left: { compare: { ignored: true } } } })
  const plan = bringInStep(situationOf({ model, deviation: {}, spec: { left: 'is' } }), { spec: { left: 'was' }, status: {} })
  const message = (type: string): string | undefined => plan.conditions.find(each => each.type === type)?.message
  const text = 'nothing here changes Spec.Left, and AWS has something else there'
  assert.deepEqual([message(conditions.synced), message(conditions.advisory)], [text, text])
})

test('our record comes before an update that can be taken back, and nothing with it [6.4]', () => {
  const model = madeUpKind({
    parts: [{ operation: 'PutRule', fields: [{ field: 'Rule', member: 'Rule' }], remove: 'DeleteRule' }],
    spec: { Rule: 'string' },
    inputs: { PutRule: { Rule: 'String' }, DeleteRule: {} },
  })
  const plan = bringInStep(situationOf({ model, deviation: {}, spec: { rule: 'is' } }), { spec: {}, status: {} })
  assert.equal(inOneLine(plan), 'Sent=True Sent; again in 0')
})

test('a replacement is told once its call goes out [6.4]', () => {
  const deletable = { when: [{ path: 'Status.Status', in: ['ACTIVE'] }], requeueAfterSeconds: 7 }
  const model = madeUpKind({
    operations: { create: 'CreateThing', delete: 'DeleteThing', update: 'UpdateThing' },
    settings: { deletable },
    spec: { Fixed: 'string' },
    status: { Status: 'string' },
  })
  const at = (status: string): string =>
    inOneLine(
      bringInStep(
        situationOf({ model, deviation: {}, spec: { fixed: 'is' }, annotations: { [annotations.allowReplace]: 'true' } }),
        { spec: { fixed: 'was' }, status: { status } },
      ),
    )
  assert.equal(at('ACTIVE'), 'DeleteThing, event Replaced; ResourceSynced=False Replacing; again in 0')
  assert.equal(at('BUSY'), 'ResourceSynced=False Replacing; again in 7000')
})

test('objects beside the resource are applied as the claim’s own, once AWS says what is needed', () => {
  const record = { apiVersion: 'route53.services.k8s.aws/v1alpha1', kind: 'RecordSet', metadata: { name: 'r' }, spec: {} }
  const plan = (companions: ReturnType<NonNullable<Deviation['companions']>>): ResourcePlan =>
    decided({ deviation: { companions: () => companions }, seen: { notes: known } })
  assert.match(inOneLine(plan([record as never])), /^apply; .*again in (?!5000$)/)
  const [applied] = plan([record as never]).actions as unknown as readonly {
    readonly type: object
    readonly object: { readonly metadata: object }
  }[]
  assert.deepEqual(applied?.type, {
    group: 'route53.services.k8s.aws',
    version: 'v1alpha1',
    kind: 'RecordSet',
    plural: 'recordsets',
    namespaced: true,
  })
  const owner = { apiVersion: 'iam.services.k8s.aws/v1alpha1', kind: 'Role', name: 'one', uid }
  assert.deepEqual(applied?.object.metadata, {
    name: 'r',
    ownerReferences: [{ ...owner, controller: true, blockOwnerDeletion: true }],
  })
  assert.match(inOneLine(plan(undefined)), /^LateInitialized.*again in 5000$/)
})
