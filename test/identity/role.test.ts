// The Role controller as a whole: hub and target as embedded API servers, ACK by a stand-in.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { roleKind } from '../../src/operators/identity/api/kinds.ts'
import { roleKind as iamRoleKind } from '../../src/operators/identity/children/kinds.ts'
import { serviceAccounts } from '../../src/operators/identity/target/kinds.ts'
import { account, binding, cluster, keyIn, type RoleWorld, roleWorld, serviceAccount } from './role-world.ts'

const say = async (world: RoleWorld, name: string): Promise<readonly string[]> =>
  ((await world.role(name)).status?.conditions ?? []).map(({ type, status, reason }) => `${type}=${status}/${reason}`)

test('M4, M3: one binding with one managed policy becomes Ready in four writes of ours, and then rests', async () => {
  await using world = await roleWorld()
  await world.targetClient.create(serviceAccounts, serviceAccount('app1'))
  await world.settle()
  await world.client.create(roleKind.type, binding('app1'))
  await world.converge()
  assert.deepEqual(await say(world, 'app1'), [
    'OperatorConfigReady=True/Ready',
    'ConfigResolved=True/Resolved',
    'InventoryResolved=True/Resolved',
    'TrustPolicyReady=True/Rendered',
    'PolicyReady=True/ManagedPoliciesOnly',
    'RoleReady=True/ACKResourceSynced',
    'ServiceAccountAnnotationReady=True/Ready',
    'DeliveryReady=True/HubResourcesReady',
    'Ready=True/Ready',
  ])
  const [child] = await world.children(iamRoleKind)
  const arn = `arn:aws:iam::${account}:role/${child?.metadata.name}`
  const { status } = await world.role('app1')
  assert.deepEqual(
    [status?.roleARN, status?.deliveryType, status?.resolvedClusterName, status?.observedGeneration],
    [arn, 'SelfHostedIRSA', `${cluster}/${cluster}`, 1],
  )
  assert.deepEqual(await world.annotationsOf('app1'), {
    'eks.amazonaws.com/role-arn': arn,
    'eks.amazonaws.com/audience': 'sts.amazonaws.com',
    'eks.amazonaws.com/sts-regional-endpoints': 'true',
    'eks.amazonaws.com/token-expiration': '86400',
  })
  assert.deepEqual(
    world.writes().map(({ verb, type, subresource, result }) => [verb, type.plural, subresource, result]),
    [
      ['patch', 'awsserviceaccountroles', undefined, 'changed'],
      ['create', 'roles', undefined, 'changed'],
      ['patch', 'serviceaccounts', undefined, 'changed'],
      ['patch', 'awsserviceaccountroles', 'status', 'changed'],
    ],
  )
  world.passes.length = 0
  await world.advance(2 * 3_600_000)
  assert.deepEqual(world.writes(), [])
})

test('143: a binding that is deleted takes the annotation, then the children, then its finalizer away', async () => {
  await using world = await roleWorld()
  await world.targetClient.create(serviceAccounts, serviceAccount('app1'))
  await world.client.create(roleKind.type, binding('app1', { policyDocument: { Version: '2012-10-17', Statement: [] } }))
  await world.converge()
  assert.equal((await say(world, 'app1')).at(-1), 'Ready=True/Ready')
  world.passes.length = 0
  await world.client.delete(roleKind.type, keyIn('app1'))
  await world.converge()
  assert.equal(await world.client.find(roleKind.type, keyIn('app1')), undefined)
  assert.deepEqual(await world.children(iamRoleKind), [])
  assert.equal(await world.annotationsOf('app1'), undefined)
  assert.deepEqual(
    world.writes().map(({ verb, type }) => `${verb} ${type.plural}`),
    ['patch serviceaccounts', 'delete roles', 'delete policies', 'patch awsserviceaccountroles'],
  )
})
