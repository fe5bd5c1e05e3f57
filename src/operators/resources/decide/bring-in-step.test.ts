// What is decided about a resource that is ours and is there: what differs is sent, waited for, told or refused.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { annotations } from '../api.ts'
import type { Notes } from '../seen/notes.ts'
import { type Circumstances, inOneLine, now, present, situationOf, tagsOf } from '../testing/situation.ts'
import type { ResourcePlan } from './actions.ts'
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
  ['what differs is sent', () => differs, update],
  [
    'where it was in step, somebody else changed it',
    () => ({ ...differs, seen: { notes: known } }),
    'UpdateRole, note update, event DriftDetected; again in 0',
  ],
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
