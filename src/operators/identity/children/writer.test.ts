// Children as objects that ACK reads: what is deleted, and what wakes a parent.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Reads } from '#runtime'
import { bucketPlace } from '../config/places.ts'
import { childOf, configOf } from '../testing/config-seen.fixture.ts'
import { bucketKind, providerKind } from './kinds.ts'
import { absentChild, type ChildState } from './state.ts'
import { childObjects } from './writer.ts'

const place = bucketPlace(configOf(), 'b')
const ours = childOf(bucketKind)

test('a child is looked up and judged as that of its parent', async () => {
  const never = new AbortController().signal
  const find = (object: unknown): Promise<ChildState> =>
    childObjects.find(place, { isSynced: () => true, find: () => object } as unknown as Reads, never)
  assert.equal((await find(ours.object)).owned, 'ours')
  assert.equal((await find(undefined)).owned, 'none')
})

for (const [what, state, isDeleted] of [
  ['of ours', ours, true],
  ['of ours with trouble', childOf(bucketKind, { synced: false, trouble: 'AccessDenied: no' }), true],
  ['that is on its way', childOf(bucketKind, { terminating: true }), false],
  ['of somebody else', childOf(bucketKind, { owner: 'other' }), false],
  ['that is not there', absentChild, false],
  ['of which only a state is left', { owned: 'ours', stage: 'waiting' }, false],
  ['that stands for another resource', { ...ours, trouble: { reason: 'OtherResource', message: '' } }, false],
] as readonly (readonly [string, ChildState, boolean])[])
  test(`a child ${what} is ${isDeleted ? 'deleted' : 'left alone'} [S2, M14]`, () => {
    const actions = childObjects.remove(bucketKind, state, place)
    const deleted = { kind: 'delete', type: bucketKind.type, object: state.object, precondition: 'any-version' }
    assert.deepEqual(actions, isDeleted ? [deleted] : [])
  })

test('a parent is woken by its children where their kinds are there, and no call of ours makes them', () => {
  const toClaims = (): readonly [] => []
  assert.deepEqual(
    childObjects.watches([bucketKind, providerKind], toClaims),
    [bucketKind, providerKind].map(({ type }) => ({ type, optional: true, toClaims })),
  )
  assert.equal(childObjects.keepsObjects, true)
  assert.equal(childObjects.isOwn({ kind: 'act:aws', summary: '' }), false)
})
