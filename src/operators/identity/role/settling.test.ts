import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StoredObject } from '#kube'
import { operatorName } from '../api/labels.ts'
import type { ChildState } from '../children/state.ts'
import { leftOverReason } from '../children/state.ts'
import { settledStates, settlingMs, settlingMsMax, silentDeletionMs, silentWaitMs } from './settling.ts'

const changed = '2026-01-01T00:01:00Z'
const changedMs = Date.parse(changed)

function child(synced: Readonly<Record<string, unknown>>, generation = 2): StoredObject {
  const condition = { type: 'ACK.ResourceSynced', status: 'True', ...synced }
  const managedFields = [{ manager: operatorName, operation: 'Apply', time: changed }]
  const metadata = {
    name: 'r',
    uid: 'u',
    resourceVersion: '9',
    generation,
    creationTimestamp: '2026-01-01T00:00:00Z',
    managedFields,
  }
  const object = { apiVersion: 'iam.services.k8s.aws/v1alpha1', kind: 'Role', metadata, status: { conditions: [condition] } }
  return object as StoredObject
}

test('what was in sync in the very second of our change may be in sync with the old spec [S8]', () => {
  assert.equal(settlingMs(child({ lastTransitionTime: changed }), changedMs + 500), settlingMsMax - 500)
  assert.equal(settlingMs(child({ lastTransitionTime: '2026-01-01T00:00:59Z' }), changedMs + 500), settlingMsMax - 500)
})

test('what came into sync after our change is in sync with it', () => {
  assert.equal(settlingMs(child({ lastTransitionTime: '2026-01-01T00:01:01Z' }), changedMs + 1_000), 0)
})

test('a controller that does not touch its times is believed after a moment', () => {
  assert.equal(settlingMs(child({ lastTransitionTime: changed }), changedMs + settlingMsMax), 0)
})

test('where the condition carries a generation no time is asked, however long it takes [S8]', () => {
  assert.equal(settlingMs(child({ observedGeneration: 2, lastTransitionTime: '2026-01-01T00:00:01Z' }), changedMs), 0)
  assert.ok(settlingMs(child({ observedGeneration: 1, lastTransitionTime: '2026-01-01T00:02:00Z' }), changedMs + 600_000) > 0)
})

test('what was never changed by us, or only where it was made, has nothing to settle', () => {
  const made = child({ lastTransitionTime: changed })
  assert.equal(settlingMs(undefined, changedMs), 0)
  const otherwise = (more: object): StoredObject => ({ ...made, metadata: { ...made.metadata, ...more } }) as StoredObject
  const [entry] = made.metadata.managedFields ?? []
  assert.equal(settlingMs(otherwise({ creationTimestamp: changed }), changedMs), 0)
  assert.equal(settlingMs(otherwise({ managedFields: [] }), changedMs), 0)
  assert.equal(settlingMs(otherwise({ managedFields: [{ ...entry, manager: 'ack' }] }), changedMs), 0)
  assert.equal(settlingMs(otherwise({ managedFields: [{ ...entry, subresource: 'status' }] }), changedMs), 0)
  assert.equal(settlingMs(otherwise({ managedFields: [{ ...entry, time: undefined }] }), changedMs), 0)
  const twice = [{ ...entry, time: '2026-01-01T00:00:30Z' }, entry]
  assert.equal(settlingMs(otherwise({ managedFields: twice }), changedMs + 500), settlingMsMax - 500)
})

test('by a clock that is far behind the moment is over, and by one that is a little behind it is not [W8]', () => {
  const seen = child({ lastTransitionTime: changed })
  assert.equal(settlingMs(seen, changedMs - 5_000), settlingMsMax + 5_000)
  assert.equal(settlingMs(seen, changedMs - 5_001), 0)
})

const own = (more: object, metadata: object = {}): ChildState =>
  ({ owned: 'ours', stage: 'waiting', object: { metadata: { creationTimestamp: changed, ...metadata } }, ...more }) as ChildState
const trouble = { reason: 'AccessDenied', message: 'no' }
const ago = (ms: number): string => new Date(changedMs - ms).toISOString()

const waits: readonly (readonly [what: string, states: readonly ChildState[], leftMs: number])[] = [
  ['nothing', [], 0],
  ['what is in sync', [own({ stage: 'synced' })], 0],
  ['what is made in this pass', [{ owned: 'none' }], settlingMsMax],
  ['what was made just now', [own({})], settlingMsMax],
  ['what was made a second ago', [own({}, { creationTimestamp: ago(1_000) })], settlingMsMax - 1_000],
  ['what was made long ago', [own({}, { creationTimestamp: ago(60_000) })], 0],
  [
    'one of each age',
    [own({}, { creationTimestamp: ago(60_000) }), own({}, { creationTimestamp: ago(500) })],
    settlingMsMax - 500,
  ],
  ['what has trouble', [own({ trouble })], 0],
  ['what has trouble, beside what was made just now', [own({}), own({ trouble })], 0],
  ['what is being deleted', [own({}, { deletionTimestamp: changed })], 0],
]

for (const [what, states, leftMs] of waits)
  test(`of ${what} nothing is told for ${leftMs} ms [M4]`, () => assert.equal(silentWaitMs(states, changedMs), leftMs))

const deletions: readonly (readonly [what: string, state: ChildState, leftMs: number])[] = [
  ['what is deleted in this pass', own({}), settlingMsMax],
  ['what goes since half a second', own({}, { deletionTimestamp: ago(500) }), settlingMsMax - 500],
  ['what goes since long', own({}, { deletionTimestamp: ago(60_000) }), 0],
  ['what goes and has trouble', own({ trouble }, { deletionTimestamp: changed }), 0],
  ['what has trouble and does not go yet', own({ trouble }), settlingMsMax],
  ['what somebody else has to delete', own({ trouble: { reason: leftOverReason, message: '' } }), 0],
  ['what stands for another resource', own({ trouble: { reason: 'OtherResource', message: '' } }), 0],
]

for (const [what, state, leftMs] of deletions)
  test(`of the end of ${what} nothing is told for ${leftMs} ms [M4]`, () =>
    assert.equal(silentDeletionMs(state, changedMs), leftMs))

test('what is in sync with the spec of before our change waits, and nothing else is another [S8]', () => {
  const early = child({ lastTransitionTime: changed })
  const ours = { owned: 'ours', stage: 'synced', object: early } as ChildState
  const states = { role: ours, policy: { owned: 'none' }, association: { owned: 'foreign' }, other: { ...ours, stage: 'going' } }
  const settled = settledStates(states as never, changedMs + 100) as typeof states
  assert.deepEqual(settled, { ...states, role: { ...ours, stage: 'waiting' } })
  assert.deepEqual(settledStates(states as never, changedMs + settlingMsMax - 1), settled)
  assert.deepEqual(settledStates(states as never, changedMs + settlingMsMax), states)
})
