// An object of the other way of writing: what is said of it, and that nothing else is known of its resource.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Reads } from '#runtime'
import { bucketKind, providerKind } from '../children/kinds.ts'
import { bucketPlace } from '../config/places.ts'
import { childOf, configOf } from '../testing/config-seen.fixture.ts'
import { findLeftOver, leftOverWatches } from './left-over.ts'

const place = bucketPlace(configOf(), 'b')
const ours = childOf(bucketKind)

const worldWith = (object: unknown, isSynced = true): Reads =>
  ({ isSynced: () => isSynced, find: () => object }) as unknown as Reads

const words = (step: string): string =>
  `the object Bucket wlc-a/b is left of --aws-writer children and describes the same resource: ${step}`
const keep =
  'annotate it services.k8s.aws/deletion-policy=retain and delete it while the controller of its kind runs, or go back to --aws-writer children'

for (const [what, child, step, isTold] of [
  ['of ours', ours, keep, true],
  ['of ours that goes', childOf(bucketKind, { terminating: true }), 'let the controller of its kind finish', true],
  ['of somebody else', childOf(bucketKind, { owner: 'other' }), keep, false],
] as const)
  test(`an object ${what} is waited for, and it is said how to end that`, () => {
    const state = findLeftOver(worldWith(child.object), place)
    assert.ok(state?.owned === 'ours')
    const { owned, stage, object, trouble, ...told } = state
    assert.deepEqual([owned, stage, trouble], ['ours', 'waiting', { reason: 'LeftOver', message: words(step) }])
    assert.equal(object, child.object)
    assert.equal(told.entry !== undefined, isTold, 'of what is somebody else’s nothing more is told')
  })

test('without an object, or without its kind, calls may be made', () => {
  assert.equal(findLeftOver(worldWith(undefined), place), undefined)
  assert.equal(findLeftOver(worldWith(ours.object, false), place), undefined)
})

test('the end of such an object wakes its parent, where its kind is installed', () => {
  const toClaims = (): readonly [] => []
  assert.deepEqual(
    leftOverWatches([bucketKind, providerKind], toClaims),
    [bucketKind, providerKind].map(({ type }) => ({ type, optional: true, toClaims })),
  )
})
