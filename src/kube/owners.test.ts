import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StoredObject } from './objects.ts'
import { controllerOf, controllerReference, isOwnedBy, ownerReference } from './owners.ts'

const owner: StoredObject = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', uid: 'u-1', resourceVersion: '1' },
}
const plain = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', uid: 'u-1' }
const ownedBy = (...ownerReferences: readonly (typeof plain & { readonly controller?: boolean })[]): StoredObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web-1', uid: 'u-2', resourceVersion: '2', ownerReferences },
})

test('a controller is the one that deletes, and whose deletion waits for the dependent; a mere owner is neither', () => {
  assert.deepEqual(controllerReference(owner), { ...plain, controller: true, blockOwnerDeletion: true })
  assert.deepEqual(ownerReference(owner), plain)
})

test('the controller of an object is the owner that says so, whatever stands before it', () => {
  assert.deepEqual(controllerOf(ownedBy(plain, { ...plain, uid: 'u-3', controller: true }))?.uid, 'u-3')
  assert.equal(controllerOf(ownedBy({ ...plain, controller: false })), undefined)
  assert.equal(controllerOf(owner), undefined)
})

test('an owner is known by its uid: another one of the same name is a stranger [W5]', () => {
  assert.equal(isOwnedBy(ownedBy({ ...plain, uid: 'u-0' }, plain), owner), true)
  assert.equal(isOwnedBy(ownedBy({ ...plain, uid: 'u-0' }), owner), false)
  assert.equal(isOwnedBy(owner, owner), false)
})
