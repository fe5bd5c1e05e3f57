import assert from 'node:assert/strict'
import { test } from 'node:test'
import { told } from '../testing/room-world.ts'
import { setWorld, templateOf } from '../testing/set-world.ts'

test('a set makes a Role with its marks in each cluster that its placement chose [13.8 #157]', async () => {
  await using world = await setWorld()
  await world.choose('p', ['a', 'b', 'c'])
  await world.makeSet('app')
  assert.deepEqual(await world.clustersWith('app'), ['a', 'b', 'c'])
  const child = await world.child('a')
  const { uid } = (await world.set('app')).metadata
  assert.deepEqual(child?.metadata.labels, {
    'app.kubernetes.io/managed-by': 'aws-workload-identity-operator',
    'aws.identity.appthrust.io/replicaset-uid': uid,
  })
  assert.deepEqual(child.metadata.annotations, { 'aws.identity.appthrust.io/replicaset-owner-ref': 'platform/app' })
  assert.deepEqual(child.spec, templateOf('app').spec)
  assert.equal((await world.set('app')).status?.appliedClusterCount, 3)
  await world.converge()
  const { status } = await world.set('app')
  assert.equal(status?.readyClusterCount, 3)
  assert.deepEqual(told(await world.set('app')), {
    PlacementResolved: 'True Resolved',
    PlacementRolledOut: 'True Complete',
    AWSServiceAccountRolesApplied: 'True ChildrenApplied',
    AWSServiceAccountRolesReady: 'True ChildrenReady',
    Ready: 'True Ready',
  })
})
