// What is decided about a claim that goes: what was made goes first, unless it is to stay or is not ours.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findCondition } from '#kube'
import { annotations } from '../api.ts'
import type { Deviation, SyncContext } from '../kinds/deviation.ts'
import { tokenOf } from '../ownership/intent.ts'
import { recordCondition } from '../ownership/ownership-record.ts'
import { type KindMadeUp, madeUpKind, structure } from '../testing/made-up-kind.ts'
import { absent, arn, type Circumstances, claimOf, inOneLine, now, present, situationOf, tagsOf } from '../testing/situation.ts'
import type { CallAction, PlanAction } from './actions.ts'
import { decideDeletion, policyOf } from './deletion.ts'

const released = 'remove-finalizer, forget'
const gone = 'remove-finalizer, event Deleted, forget'
const deleting = 'Deleting=True Deleting, ResourceSynced=False Deleting'

const intended = recordCondition({ kind: 'intended', intent: { token: 't', atMs: 0, prints: [] }, identity: {} })
const maybeMade = { status: { conditions: [intended] } } as const
const unasked = { kind: 'absent', isUnasked: true } as const
const token = tokenOf({ claim: claimOf({ status: undefined }) })
const called = { [annotations.createIntent]: `${token} 2026-01-01T00:00:00Z` }
const answered = { status: { ackResourceMetadata: { arn }, conditions: [intended] }, annotations: called }
const unmarked = present({ tags: undefined, description: 'x' })

const rows: readonly [said: string, circumstances: Circumstances, plan: string][] = [
  ['what is to be retained is let go without a call', { annotations: { [annotations.deletionPolicy]: 'Retain' } }, released],
  ['so is what is only looked at', { seen: { adoption: { kind: 'read-only' } } }, released],
  ['a protection keeps it', { annotations: { [annotations.deletionProtection]: 'true' } }, deleting],
  ['what is gone, as we saw, lets the object go', { seen: { inAws: absent, notes: { deletedMs: now - 1 } } }, gone],
  ['what is gone without us is looked for once more', { seen: { inAws: absent } }, 'note absentMs; again in 5000'],
  ['and then lets go', { seen: { inAws: absent, notes: { absentMs: now - 5_000 } } }, released],
  ['what cannot be asked for is not let go', { seen: { inAws: { kind: 'absent', isUnasked: true } } }, 'backoff NotReadable'],
  [
    'nor where a list has it not, while it is on record',
    { seen: { inAws: { kind: 'absent', isUnasked: true, isSearched: true } } },
    'backoff NotReadable',
  ],
  ['what was never made is let go', { status: undefined, seen: { inAws: { kind: 'absent', isUnasked: true } } }, released],
  [
    'what may have been made and cannot be asked for is not let go',
    { ...maybeMade, seen: { inAws: unasked } },
    'backoff NotReadable',
  ],
  ['unless a list has it not', { ...maybeMade, seen: { inAws: { ...unasked, isSearched: true } } }, released],
  ['or the call was refused', { ...maybeMade, seen: { inAws: unasked, notes: { refusedIntent: 't' } } }, released],
  ['or not sent', { ...maybeMade, seen: { inAws: unasked, notes: { unsent: { token: 't', atMs: now } } } }, released],
  ['what has an id in the status is on record', { status: { roleID: 'A' }, seen: { inAws: unasked } }, 'backoff NotReadable'],
  ['what has none is not', { status: { roleID: null }, seen: { inAws: unasked } }, released],
  [
    'what was made, and bears no mark yet, is waited for',
    { ...answered, seen: { inAws: unmarked } },
    'note calledMs, wait NotVisibleYet in 5000',
  ],
  ['not what no answer was had for', { ...maybeMade, annotations: called, seen: { inAws: unmarked } }, released],
  ['nor what another’s call was for', { ...answered, annotations: {}, seen: { inAws: unmarked } }, released],
  [
    'nor what bears the mark of another',
    { ...answered, seen: { inAws: present({ description: 'x', ...tagsOf('u2') }) } },
    released,
  ],
  [
    'nor what was only read',
    {
      ...answered,
      status: { ackResourceMetadata: { arn }, conditions: [recordCondition({ kind: 'only-read' })] },
      seen: { inAws: unmarked },
    },
    released,
  ],
  ['what was not read is left for now', { seen: { inAws: { kind: 'not-read' } } }, ''],
  ['what is there goes', {}, 'DeleteRole; again in 0'],
  ['what hangs on it goes first', { seen: { inAws: present({ policies: ['p'] }) } }, 'DetachRolePolicy, DeleteRole; again in 0'],
  [
    'after a look that did not find it, the next is not at once',
    { seen: { notes: { absentMs: now - 1 } } },
    'note absentMs, DeleteRole; again in 5000',
  ],
  ['a stranger’s stays', { seen: { inAws: present(tagsOf('u2')) } }, released],
  [
    'a call that went out is waited for',
    { seen: { notes: { deletedMs: now - 1 } } },
    `note deletions; ${deleting}; again in 5000`,
  ],
  [
    'with growing patience',
    { seen: { notes: { deletedMs: now - 1, deletions: 2 } } },
    `note deletions; ${deleting}; again in 20000`,
  ],
  [
    'a minute at most',
    { seen: { notes: { deletedMs: now - 299_999, deletions: 9 } } },
    `note deletions; ${deleting}; again in 60000`,
  ],
  ['and is sent again after five', { seen: { notes: { deletedMs: now - 300_000, deletions: 9 } } }, 'DeleteRole; again in 0'],
  ['what AWS keeps deleted for a while is gone', { seen: { inAws: present({}, { isDeleted: true }) } }, released],
  [
    'where AWS has taken it, some kinds do not wait',
    { settings: { releaseAfterDelete: ['Role'] }, seen: { notes: { deletedMs: now - 1 } } },
    gone,
  ],
]

for (const [said, circumstances, plan] of rows)
  test(`a deletion: ${said} [6.7]`, () => {
    const going: Circumstances = {
      ...circumstances,
      metadata: { deletionTimestamp: '2026-01-01T00:00:00Z', ...circumstances.metadata },
    }
    assert.equal(inOneLine(decideDeletion(situationOf(going))), plan)
  })

test('the claim says whether what was made stays, then its namespace for the service, then the flags for the kind and for all [10.3.11]', () => {
  const of = (claim?: string, namespace?: string, kind?: 'retain' | 'delete', all?: 'retain' | 'delete'): string =>
    policyOf(
      situationOf({
        annotations: claim === undefined ? {} : { [annotations.deletionPolicy]: claim },
        seen: { namespaceAnnotations: namespace === undefined ? {} : { [`iam.${annotations.deletionPolicy}`]: namespace } },
        settings: {
          ...(kind === undefined ? {} : { deletionPolicyOf: { Role: kind } }),
          ...(all === undefined ? {} : { deletionPolicy: all }),
        },
      }),
    )
  assert.equal(of(), 'delete')
  assert.equal(of(undefined, undefined, undefined, 'retain'), 'retain')
  assert.equal(of(undefined, undefined, 'delete', 'retain'), 'delete')
  assert.equal(of(undefined, 'retain', 'delete', 'delete'), 'retain')
  assert.equal(of('delete', 'retain', 'retain', 'retain'), 'delete')
  assert.equal(of('RETAIN'), 'retain')
  assert.equal(of('nonsense'), 'delete')
})

const thing = (parts: KindMadeUp = {}) =>
  madeUpKind({
    operations: { create: 'CreateThing', update: 'UpdateThing', delete: 'DeleteThing' },
    spec: { Name: { primaryKey: true }, Size: 'integer' },
    inputs: {
      DeleteThing: { Name: 'String' },
      UpdateThing: { Name: 'String', Protected: 'Boolean', Size: 'Integer', Rule: 'Rule' },
    },
    required: { UpdateThing: ['Name'] },
    ...parts,
  })

function going(circumstances: Circumstances) {
  const plan = decideDeletion(situationOf({ ...circumstances, metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } }))
  const calls = plan.actions.filter((each): each is PlanAction & CallAction => each.kind === 'act:aws')
  const inputs = calls.map(({ call, destructive = false }) => [call.operation, call.input, destructive])
  const message = findCondition(plan.conditions as never, 'ACK.Deleting')?.message ?? plan.conditions[0]?.message
  return { plan, calls, inputs, message, line: inOneLine(plan) }
}

test('a kind that nothing deletes is let go, and one that its own code deletes goes by that', () => {
  const model = thing({ operations: { create: 'CreateThing' } })
  assert.equal(going({ model }).line, released)
  const deviation: Deviation = { delete: () => ({ operation: 'RemoveThing', input: { it: 1 }, verb: 'DELETE' }) }
  assert.deepEqual(going({ model, deviation }).inputs, [['RemoveThing', { it: 1 }, true]])
})

test('what is said of a deletion names what is in its way', () => {
  const status = { Status: 'string' } as const
  const deletable = { when: [{ path: 'Status.Status', in: ['ACTIVE'] }], requeueAfterSeconds: 7 }
  const of = (state: string, more: Circumstances = {}) =>
    going({
      model: thing({ status, settings: { deletable } }),
      seen: { inAws: present({}, { status: { status: state } }), ...more.seen },
    })
  assert.deepEqual(
    [of('BUSY').message, of('BUSY').line],
    ['resource is in BUSY state, cannot be deleted', `${deleting}; again in 7000`],
  )
  assert.equal(of('ACTIVE').line, 'DeleteThing; again in 0')
  const ungated = (state: string, notes: object = {}) =>
    going({ model: thing({ status }), seen: { inAws: present({}, { status: { status: state } }), notes } })
  assert.deepEqual(
    [ungated('DELETING').message, ungated('DELETING').line],
    ['AWS is deleting the resource', `note deletions; ${deleting}; again in 5000`],
  )
  assert.equal(ungated('CREATING').line, 'DeleteThing; again in 0')
  const counted = (deletions?: number): unknown => ungated('DELETING', { deletions }).plan.actions[0]
  assert.deepEqual(
    [counted(), counted(3)].map(each => (each as { readonly notes: unknown }).notes),
    [{ deletions: 1 }, { deletions: 4 }],
  )
})

test('what is emptied first is emptied by calls that never stop, and then looked at again at once', () => {
  const contexts: SyncContext[] = []
  const deviation: Deviation = {
    emptying: context => {
      contexts.push(context)
      return [{ operation: 'EmptyThing', input: {}, verb: 'UPDATE' }]
    },
  }
  const { inputs, message, line } = going({ model: thing(), deviation })
  assert.deepEqual(inputs, [['EmptyThing', {}, true]])
  assert.deepEqual([message, line], ['the resource is being emptied', `EmptyThing; ${deleting}; again in 0`])
  assert.deepEqual(
    contexts.map(({ isNew, delta }) => [isNew, delta]),
    [[false, []]],
  )
})

test('a delete call remembers what its answer says', () => {
  const { calls } = going({ model: thing() })
  assert.deepEqual(
    calls.map(({ uid, remembers }) => [uid, remembers]),
    [
      [
        'u1',
        {
          ifDone: { deletedMs: now, deletions: 0, createdMs: undefined, creations: undefined },
          ifNothingWasThere: { absentMs: now },
        },
      ],
    ],
  )
  assert.deepEqual(
    calls.map(({ call }) => [call.operation, call.input]),
    [['DeleteThing', { Name: 'one' }]],
  )
})

test('what AWS has taken and what is gone are told apart', () => {
  const told = (circumstances: Circumstances): unknown =>
    going(circumstances).plan.actions.flatMap(each => ('message' in each ? [each.message] : []))
  const notes = { deletedMs: now - 1 }
  assert.deepEqual(told({ seen: { inAws: absent, notes } }), ['the resource is gone'])
  assert.deepEqual(told({ seen: { inAws: present({}, { isDeleted: true }), notes } }), ['AWS has taken the deletion'])
})

test('what cannot be asked for is named, and what helps', () => {
  const message = (circumstances: Circumstances): string => {
    const [action] = going(circumstances).plan.actions
    return action?.kind === 'act:trouble' ? action.trouble.message : ''
  }
  const rest =
    'was made, or may have been, and nothing is known by which AWS could be asked for it: complete spec or status, or set '
  assert.equal(message({ seen: { inAws: unasked } }), `the resource ${arn} ${rest}${annotations.deletionPolicy}: retain`)
  assert.equal(message({ ...maybeMade, seen: { inAws: unasked } }), `the resource ${rest}${annotations.deletionPolicy}: retain`)
})

test('fields that stand in the way of a deletion are brought in step first, and no others', () => {
  const preDelete = { compare: { preDelete: true } } as const
  const spec = { Name: { primaryKey: true }, Size: 'integer', Protected: { type: { kind: 'boolean' }, ...preDelete } } as const
  const differing = { spec: { size: 1, protected: false }, seen: { inAws: present({ size: 2, protected: true }) } }
  const first = (parts: KindMadeUp, circumstances: Circumstances = differing) =>
    going({ model: thing({ spec, ...parts }), ...circumstances }).inputs.slice(0, -1)
  assert.deepEqual(first({}), [['UpdateThing', { Name: 'one', Protected: false, Size: 2 }, true]])
  assert.deepEqual(first({ settings: { preDeleteCompareAll: true } }), [
    ['UpdateThing', { Name: 'one', Protected: false, Size: 1 }, true],
  ])
  assert.deepEqual(first({ spec: { Name: { primaryKey: true }, Size: 'integer', Protected: { type: { kind: 'boolean' } } } }), [])
  assert.deepEqual(first({ operations: { create: 'CreateThing', delete: 'DeleteThing' } }), [])
  assert.deepEqual(first({}, { spec: { size: 1, protected: true }, seen: { inAws: present({ size: 2, protected: true }) } }), [])
  const nested: KindMadeUp = {
    spec: { Name: { primaryKey: true }, Rule: { type: structure('Rule'), ...preDelete } },
    structures: { Rule: { Mode: 'string', Level: 'integer' } },
    shapes: { Rule: { type: 'structure', required: [], members: { Mode: { target: 'String' }, Level: { target: 'Integer' } } } },
  }
  const rule = { spec: { rule: { mode: 'a', level: 1 } }, seen: { inAws: present({ rule: { mode: 'b', level: 2 } }) } }
  assert.deepEqual(first(nested, rule), [['UpdateThing', { Name: 'one', Rule: { Mode: 'a', Level: 1 } }, true]])
})
