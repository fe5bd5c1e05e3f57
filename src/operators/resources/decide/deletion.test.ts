// What is decided about a claim that goes: what was made goes first, unless it is to stay or is not ours.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { annotations } from '../api.ts'
import { absent, type Circumstances, inOneLine, now, present, situationOf, tagsOf } from '../testing/situation.ts'
import { decideDeletion, policyOf } from './deletion.ts'

const released = 'remove-finalizer, forget'
const gone = 'remove-finalizer, event Deleted, forget'
const deleting = 'Deleting=True Deleting, ResourceSynced=False Deleting'

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
