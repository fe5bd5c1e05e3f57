// The Role controller as a whole: hub and target as embedded API servers, ACK by a stand-in.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type EventObject, events, type StoredObject, serviceAccounts } from '#kube'
import { Faulty } from '../../../runtime/testing/faulty.ts'
import { roleKind } from '../api/kinds.ts'
import { finalizers } from '../api/labels.ts'
import { associationKind, roleKind as iamRoleKind, policyKind } from '../children/kinds.ts'
import { stableRoleName } from '../names.ts'
import {
  account,
  associationCrd,
  binding,
  cluster,
  clusterArn,
  createConfig,
  eksProperties,
  keyIn,
  profile,
  type RoleWorld,
  readyConfig,
  roleWorld,
  serviceAccount,
} from '../testing/role-world.ts'

const say = async (world: RoleWorld, name: string): Promise<readonly string[]> =>
  ((await world.role(name)).status?.conditions ?? []).map(({ type, status, reason }) => `${type}=${status}/${reason}`)

test('one binding with one managed policy becomes Ready in four writes of ours, and then rests [M4, M3]', async () => {
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

test('a binding that is deleted takes the annotation, then the children, then its finalizer away [#143]', async () => {
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

const inline = {
  policyDocument: { Version: '2012-10-17', Statement: [{ Effect: 'Allow', Action: 's3:GetObject', Resource: '*' }] },
}

/** A world with one binding that is Ready. */
async function readyWorld(spec?: object): Promise<RoleWorld> {
  const world = await roleWorld()
  await world.targetClient.create(serviceAccounts, serviceAccount('app1'))
  await world.client.create(roleKind.type, binding('app1', spec))
  await world.converge()
  assert.equal((await say(world, 'app1')).at(-1), 'Ready=True/Ready')
  world.passes.length = 0
  return world
}

const readyOf = async (world: RoleWorld, name: string): Promise<string | undefined> =>
  (await say(world, name)).find(text => text.startsWith('Ready='))

test('a binding with a policy document comes to rest, and the policy is attached [M1]', async () => {
  await using world = await readyWorld(inline)
  const [role] = await world.children(iamRoleKind)
  const [policy] = await world.children(policyKind)
  const arn = `arn:aws:iam::${account}:policy/${policy?.metadata.name}`
  assert.deepEqual((role as unknown as { spec: { policies: string[] } }).spec.policies, [arn])
  assert.equal((await world.role('app1')).status?.generatedPolicyARN, arn)
  await world.converge()
  await world.advance(2 * 3_600_000)
  assert.deepEqual(world.writes(), [])
})

test('from a document to managed policies: the role loses it first, then the policy goes, and the status forgets it [#125]', async () => {
  await using world = await readyWorld(inline)
  const managed = { policyARNs: ['arn:aws:iam::aws:policy/ReadOnlyAccess'], policyDocument: null }
  await world.client.patch(roleKind.type, keyIn('app1'), 'merge', { spec: managed })
  await world.advance(3_000)
  await world.converge()
  assert.deepEqual(await world.children(policyKind), [])
  const { status } = await world.role('app1')
  assert.deepEqual([status?.generatedPolicyARN, status?.ackResources?.map(({ kind }) => kind)], [undefined, ['Role']])
  assert.deepEqual(
    world.writes().flatMap(({ verb, type }) => (type.group === 'iam.services.k8s.aws' ? [`${verb} ${type.plural}`] : [])),
    ['apply roles', 'delete policies'],
  )
  assert.equal(await readyOf(world, 'app1'), 'Ready=True/Ready')
})

test('a ServiceAccount that a binding names is annotated the moment it appears, without a timer [M8, #134]', async () => {
  await using world = await roleWorld()
  await world.client.create(roleKind.type, binding('app1'))
  await world.converge()
  assert.equal(await readyOf(world, 'app1'), 'Ready=False/RemoteDeliveryPending')
  await world.targetClient.create(serviceAccounts, serviceAccount('app1'))
  await world.settle()
  assert.equal(await readyOf(world, 'app1'), 'Ready=True/Ready')
})

test('a drifted annotation is repaired in one write there and one status, and told in one event [#135, M4]', async () => {
  await using world = await readyWorld()
  const drift = async (role: string): Promise<void> => {
    const body = { metadata: { annotations: { 'eks.amazonaws.com/role-arn': `arn:aws:iam::123456789012:role/${role}` } } }
    await world.targetClient.patch(serviceAccounts, { namespace: 'apps', name: 'app1' }, 'merge', body)
    await world.settle()
  }
  const written = (): readonly string[] => world.writes().map(({ type, subresource = '' }) => `${type.plural}/${subresource}`)
  await drift('evil')
  const { roleARN } = (await world.role('app1')).status ?? {}
  assert.equal((await world.annotationsOf('app1'))?.['eks.amazonaws.com/role-arn'], roleARN)
  assert.deepEqual(written(), ['serviceaccounts/', 'awsserviceaccountroles/status'])
  assert.ok((await say(world, 'app1')).includes('ServiceAccountAnnotationReady=True/AnnotationRepaired'))
  await drift('again')
  assert.deepEqual(written().slice(2), ['serviceaccounts/'], 'the same words are no write')
  const { items } = await world.client.list(events)
  const repairs = (items as readonly (StoredObject & EventObject)[]).filter(({ reason }) => reason === 'AnnotationRepaired')
  assert.deepEqual(
    repairs.map(({ count, action }) => [count, action]),
    [[2, 'RepairAnnotation']],
  )
  await world.advance(2 * 3_600_000)
  assert.equal(written().length, 3, 'what was said stays said')
})

test('a change of trust on its way to a role that works takes nothing from Ready, and trouble with it does [S9, M4]', async () => {
  await using world = await readyWorld()
  await world.advance(5_000)
  const trust = async (name: string): Promise<void> => {
    const configs = {
      group: 'aws.identity.appthrust.io',
      version: 'v1alpha1',
      kind: 'x',
      plural: 'awsworkloadidentityconfigs',
      namespaced: true,
    }
    const issuerHostPath = `${name}.example.com`
    const body = { status: { issuerHostPath, oidcProviderARN: `arn:aws:iam::${account}:oidc-provider/${issuerHostPath}` } }
    await world.client.patch(configs, { namespace: cluster, name: 'default' }, 'merge', body, { subresource: 'status' })
    await world.settle()
  }
  const statuses = (): number => world.writes().filter(({ subresource }) => subresource === 'status').length
  await trust('new')
  const [child] = await world.children(iamRoleKind)
  assert.ok(JSON.stringify(child).includes('new.example.com'))
  assert.deepEqual([await readyOf(world, 'app1'), statuses()], ['Ready=True/Ready', 0])
  await world.converge()
  await world.advance(10_000)
  assert.deepEqual([await readyOf(world, 'app1'), statuses()], ['Ready=True/Ready', 0])
  await trust('other')
  const refusal = {
    type: 'ACK.Recoverable',
    status: 'True',
    message: 'AccessDenied: not authorized to perform: iam:UpdateAssumeRolePolicy',
  }
  const conditions = [{ type: 'ACK.ResourceSynced', status: 'False', lastTransitionTime: '2026-01-01T00:00:07Z' }, refusal]
  await world.client.patch(
    iamRoleKind.type,
    keyIn(child?.metadata.name ?? ''),
    'merge',
    { status: { conditions } },
    { subresource: 'status' },
  )
  await world.settle()
  assert.equal(await readyOf(world, 'app1'), 'Ready=False/WaitingForACK')
})

const byReplicaSet = { 'aws.identity.appthrust.io/replicaset-owner-ref': 'fleet/app2' }
for (const [whose, annotations] of Object.entries({ 'a hand-made': {}, 'a ReplicaSet’s': byReplicaSet })) {
  test(`a second binding of a ServiceAccount, ${whose} one: the older stays Ready, the younger is told and takes its place when it goes [#119, #121]`, async () => {
    await using world = await readyWorld()
    await world.advance(2_000)
    const serviceAccount = { namespace: 'apps', name: 'app1' }
    const twin = binding('app2')
    const { metadata, spec } = twin as typeof twin & { readonly spec: object }
    await world.client.create(roleKind.type, {
      ...twin,
      metadata: { ...metadata, annotations },
      spec: { ...spec, serviceAccount },
    } as typeof twin)
    await world.converge()
    const states = [await readyOf(world, 'app1'), await readyOf(world, 'app2')]
    assert.deepEqual(states, ['Ready=True/Ready', 'Ready=False/InvalidSpec'])
    assert.equal((await world.children(iamRoleKind)).length, 1, 'nothing is made for the younger one')
    const ofElder = world.writes().filter(({ key }) => key?.name === 'app1')
    assert.deepEqual(ofElder, [], 'the older one notices nothing')
    const arn = (await world.role('app1')).status?.roleARN
    await world.client.delete(roleKind.type, keyIn('app1'))
    await world.converge()
    assert.equal(await readyOf(world, 'app2'), 'Ready=True/Ready')
    const annotated = (await world.annotationsOf('app1'))?.['eks.amazonaws.com/role-arn']
    assert.equal(annotated, (await world.role('app2')).status?.roleARN)
    assert.notEqual(annotated, arn)
  })
}

test('where nothing on a target tells of it, the end of the older binding wakes the younger one, too [#121]', async () => {
  await using world = await roleWorld({ delivery: 'EKSPodIdentity' })
  await world.client.create(roleKind.type, binding('app1'))
  await world.converge()
  await world.advance(2_000)
  const { metadata, spec } = binding('app2') as ReturnType<typeof binding> & { readonly spec: object }
  const twin = { ...binding('app2'), metadata, spec: { ...spec, serviceAccount: { namespace: 'apps', name: 'app1' } } }
  await world.client.create(roleKind.type, twin as never)
  await world.converge()
  assert.equal(await readyOf(world, 'app2'), 'Ready=False/InvalidSpec')
  await world.client.delete(roleKind.type, keyIn('app1'))
  await world.converge()
  assert.equal(await readyOf(world, 'app2'), 'Ready=True/Ready')
})

test('two bindings made within one second: the uid decides, each time the same way [#119]', async () => {
  await using world = await roleWorld()
  await world.targetClient.create(serviceAccounts, serviceAccount('app1'))
  const names = ['first', 'second', 'third']
  for (const name of names) {
    const { spec, ...rest } = binding(name) as ReturnType<typeof binding> & { readonly spec: object }
    await world.client.create(roleKind.type, {
      ...rest,
      spec: { ...spec, serviceAccount: { namespace: 'apps', name: 'app1' } },
    } as typeof rest)
  }
  await world.converge()
  const made = await Promise.all(names.map(name => world.role(name)))
  const [oldest] = made
    .map(({ metadata }) => ({ uid: metadata.uid, name: metadata.name }))
    .sort((a, b) => (a.uid < b.uid ? -1 : 1))
  for (const name of names) {
    assert.equal(await readyOf(world, name), name === oldest?.name ? 'Ready=True/Ready' : 'Ready=False/InvalidSpec')
  }
})

test('a Config that comes, and its provider, wake the binding [#122, #123]', async () => {
  await using world = await roleWorld()
  const configs = {
    group: 'aws.identity.appthrust.io',
    version: 'v1alpha1',
    kind: 'x',
    plural: 'awsworkloadidentityconfigs',
    namespaced: true,
  }
  await world.client.delete(configs, { namespace: cluster, name: 'default' })
  await world.targetClient.create(serviceAccounts, serviceAccount('app1'))
  await world.client.create(roleKind.type, binding('app1'))
  await world.settle()
  assert.equal(await readyOf(world, 'app1'), 'Ready=False/ConfigUnavailable')
  await createConfig(world.client, 'EKSIRSA')
  await world.settle()
  assert.equal(await readyOf(world, 'app1'), 'Ready=False/TrustPolicyInputMissing')
  await readyConfig(world.client, 'EKSIRSA')
  await world.converge()
  assert.equal(await readyOf(world, 'app1'), 'Ready=True/Ready')
  await readyConfig(world.client, 'EKSIRSA', 'False')
  await world.settle()
  assert.equal(await readyOf(world, 'app1'), 'Ready=False/ConfigNotReady', 'case 137')
})

test('an ACK Role that is deleted by hand is made again, and the status follows it [#141]', async () => {
  await using world = await readyWorld()
  const [child] = await world.children(iamRoleKind)
  await world.client.patch(iamRoleKind.type, keyIn(child?.metadata.name ?? ''), 'merge', { metadata: { finalizers: null } })
  await world.client.delete(iamRoleKind.type, keyIn(child?.metadata.name ?? ''))
  await world.settle()
  assert.deepEqual(
    [await readyOf(world, 'app1'), (await world.role('app1')).status?.roleARN],
    ['Ready=False/WaitingForACK', undefined],
  )
  await world.converge()
  assert.equal(await readyOf(world, 'app1'), 'Ready=True/Ready')
  assert.notEqual((await world.children(iamRoleKind))[0]?.metadata.uid, child?.metadata.uid)
})

test('EKSPodIdentity: role and association, and nothing on the target', async () => {
  await using world = await roleWorld({ delivery: 'EKSPodIdentity' })
  await world.targetClient.create(serviceAccounts, serviceAccount('app1'))
  await world.client.create(roleKind.type, binding('app1'))
  await world.converge()
  assert.deepEqual((await say(world, 'app1')).slice(-5), [
    'RoleReady=True/ACKResourceSynced',
    'PodIdentityAssociationReady=True/ACKResourceSynced',
    'PodIdentityAgentReady=True/EKSAutoMode',
    'DeliveryReady=True/HubResourcesReady',
    'Ready=True/Ready',
  ])
  const [association] = await world.children(associationKind)
  assert.equal(association?.metadata.name, 'awi-pia-app1')
  const [role] = await world.children(iamRoleKind)
  const { assumeRolePolicyDocument } = (role as unknown as { spec: { assumeRolePolicyDocument: string } }).spec
  assert.ok(assumeRolePolicyDocument.includes(clusterArn))
  assert.equal(await world.annotationsOf('app1'), undefined)
  assert.ok(
    world.writes().length <= 5,
    world
      .writes()
      .map(({ verb, type }) => `${verb} ${type.plural}`)
      .join(),
  )
  await world.client.delete(roleKind.type, keyIn('app1'))
  await world.converge()
  await assert.rejects(world.role('app1'))
  assert.deepEqual([await world.children(iamRoleKind), await world.children(associationKind)], [[], []])
})

test('the property that was missing is an event [#124]', async () => {
  await using world = await roleWorld({ delivery: 'EKSPodIdentity', properties: eksProperties.slice(1) })
  await world.client.create(roleKind.type, binding('app1'))
  await world.converge()
  assert.equal(await readyOf(world, 'app1'), 'Ready=False/TrustPolicyInputMissing')
  const type = {
    group: 'multicluster.x-k8s.io',
    version: 'v1alpha1',
    kind: 'ClusterProfile',
    plural: 'clusterprofiles',
    namespaced: true,
  }
  const { status } = profile(eksProperties) as unknown as { status: object }
  await world.client.patch(type, { namespace: 'awio-system', name: cluster }, 'merge', { status }, { subresource: 'status' })
  await world.converge()
  assert.equal(await readyOf(world, 'app1'), 'Ready=True/Ready')
})

test('without the association kind a binding is told so and can be deleted; the kind that comes late is an event [#130, #146, 5.7]', async () => {
  await using world = await roleWorld({ delivery: 'EKSPodIdentity', without: [associationKind] })
  await world.client.create(roleKind.type, binding('app1'))
  await world.converge()
  const conditions = await say(world, 'app1')
  assert.ok(conditions.includes('PodIdentityAssociationReady=False/ChildApplyFailed'), conditions.join())
  assert.equal(await readyOf(world, 'app1'), 'Ready=False/ChildApplyFailed')
  await world.client.create(roleKind.type, binding('app2'))
  await world.converge()
  await world.client.delete(roleKind.type, keyIn('app1'))
  await world.converge()
  await assert.rejects(world.role('app1'))
  await world.client.create(associationCrd.type, associationCrd.object)
  await world.advance(5_000)
  assert.equal((await world.children(associationKind)).length, 1, 'of the binding that waited for the kind')
})

test('kinds that are not served for a while, as when an API server starts, are not taken for children that are gone [P5]', async () => {
  await using world = await readyWorld()
  const faulty = new Faulty()
  faulty.judge = ({ target }) =>
    target.includes('iam.services.k8s.aws') ? { status: 404, reason: 'NotFound', message: '404 page not found' } : 'pass'
  await world.restart({ through: faulty.through })
  await world.client.delete(roleKind.type, keyIn('app1'))
  await world.advance(120_000)
  assert.ok((await world.role('app1')).metadata.finalizers?.includes(finalizers.role), 'the finalizer stays')
  assert.equal((await world.children(iamRoleKind)).length, 1, 'the role stays with its claim')
  faulty.judge = () => 'pass'
  await world.advance(300_000)
  await world.converge()
  await assert.rejects(world.role('app1'))
  assert.deepEqual(await world.children(iamRoleKind), [])
})

test('an IAM role object that the API server refuses: told in RoleReady, what was recorded stays [#129]', async () => {
  await using world = await readyWorld()
  const before = (await world.role('app1')).status?.ackResources
  const faulty = new Faulty()
  faulty.judge = ({ isWrite, target }) =>
    isWrite && target.includes('iam.services.k8s.aws')
      ? { status: 422, reason: 'Invalid', message: 'no such role, please' }
      : 'pass'
  await world.restart({ through: faulty.through })
  await world.client.patch(roleKind.type, keyIn('app1'), 'merge', { spec: { policyARNs: ['arn:aws:iam::aws:policy/Other'] } })
  await world.advance(5_000)
  const conditions = await say(world, 'app1')
  assert.ok(conditions.includes('RoleReady=False/ChildApplyFailed'), conditions.join())
  assert.ok(conditions.includes('Ready=False/ChildApplyFailed'), conditions.join())
  assert.deepEqual((await world.role('app1')).status?.ackResources, before)
})

test('a child that ACK does not let go blocks, says so after a moment, and the end is told before it comes [#144, #156]', async () => {
  await using world = await readyWorld()
  await world.client.delete(roleKind.type, keyIn('app1'))
  await world.settle()
  assert.equal((await say(world, 'app1')).at(-1), 'Ready=True/Ready', 'nothing is said in the first moment')
  await world.advance(4_000)
  assert.equal((await say(world, 'app1')).at(-1), 'DeletionBlocked=True/ChildrenPending')
  assert.equal(world.writes().filter(({ verb }) => verb === 'delete').length, 1, 'M14')
  await world.ack()
  await world.settle()
  await assert.rejects(world.role('app1'))
})

test('a target that is gone blocks the deletion; force ends it [#147, 14.1 L9]', async () => {
  await using world = await readyWorld()
  world.manager.targets.leave(cluster)
  await world.client.delete(roleKind.type, keyIn('app1'))
  await world.advance(120_000)
  assert.equal((await say(world, 'app1')).at(-1), 'DeletionBlocked=True/RemoteClusterUnavailable')
  assert.equal((await world.children(iamRoleKind)).length, 1)
  const body = { metadata: { annotations: { 'aws.identity.appthrust.io/force-delete': 'true' } } }
  await world.client.patch(roleKind.type, keyIn('app1'), 'merge', body)
  await world.converge()
  await assert.rejects(world.role('app1'))
})

test('a restart with everything converged writes nothing and changes no condition [M6, D4]', async () => {
  await using world = await readyWorld(inline)
  const before = await world.role('app1')
  await world.restart()
  await world.advance(60_000)
  assert.deepEqual(world.writes(), [])
  assert.deepEqual(await world.role('app1'), before)
})

test('a foreign label on a child stays, an owned field comes back, an inline policy that somebody added goes [B30]', async () => {
  await using world = await readyWorld()
  const [child] = await world.children(iamRoleKind)
  const key = keyIn(child?.metadata.name ?? '')
  const body = { metadata: { labels: { team: 'a' } }, spec: { path: '/other/', inlinePolicies: { x: '{}' } } }
  await world.client.patch(iamRoleKind.type, key, 'merge', body)
  await world.advance(5_000)
  const after = (await world.client.get(iamRoleKind.type, key)) as unknown as { metadata: { labels: object }; spec: object }
  assert.equal((after.metadata.labels as Record<string, string>).team, 'a')
  const { path, inlinePolicies } = after.spec as { path: string; inlinePolicies?: object }
  assert.deepEqual([path, inlinePolicies], ['/', undefined])
})

test('a child whose status was written by hand takes nothing down: what is no ARN of a role counts as none [B21, X5]', async () => {
  await using world = await readyWorld()
  const [child] = await world.children(iamRoleKind)
  const key = keyIn(child?.metadata.name ?? '')
  const rows = [
    ['x'.repeat(3_000), 'ACKResourceNotSynced'],
    ['arn:aws:s3:::bucket', 'ACKResourceNotSynced'],
    ['arn:aws:iam::1:role/short', 'ACKResourceNotSynced'],
    ['', 'ACKResourceIdentifierPending'],
  ] as const
  for (const [arn, reason] of rows) {
    await world.client.patch(
      iamRoleKind.type,
      key,
      'merge',
      { status: { ackResourceMetadata: { arn } } },
      { subresource: 'status' },
    )
    await world.settle()
    const { status } = await world.role('app1')
    assert.equal(status?.roleARN, undefined)
    const said = await say(world, 'app1')
    assert.ok(said.includes(`RoleReady=False/${reason}`), said.join('\n'))
  }
})

describe('role names that stay', () => {
  const operatorConfigs = {
    group: 'aws.identity.appthrust.io',
    version: 'v1alpha1',
    kind: 'x',
    plural: 'awsworkloadidentityoperatorconfigs',
    namespaced: false,
  }
  const choose = (world: RoleWorld, roleNames: string): Promise<unknown> =>
    world.client.patch(operatorConfigs, { namespace: '', name: 'default' }, 'merge', { spec: { roleNames } })
  const arnOf = async (world: RoleWorld): Promise<string | undefined> => (await world.role('app1')).status?.roleARN

  test('a binding that is deleted and made again has the same ARN, which was on record before the role was made', async () => {
    await using world = await roleWorld()
    await choose(world, 'ServiceAccount')
    await world.targetClient.create(serviceAccounts, serviceAccount('app1'))
    await world.client.create(roleKind.type, binding('app1'))
    await world.converge()
    const arn = await arnOf(world)
    assert.match(arn ?? '', /:role\/awi-wlc-a-apps-app1-[0-9a-f]{10}$/)
    const written = world.writes().map(({ verb, type, subresource = '' }) => `${verb} ${type.plural}/${subresource}`)
    assert.deepEqual(written.slice(0, 3), [
      'patch awsserviceaccountroles/',
      'patch awsserviceaccountroles/status',
      'create roles/',
    ])
    await world.client.delete(roleKind.type, keyIn('app1'))
    await world.converge()
    assert.deepEqual(await world.children(iamRoleKind), [])
    await world.client.create(roleKind.type, binding('app1'))
    await world.converge()
    assert.deepEqual([await arnOf(world), await readyOf(world, 'app1')], [arn, 'Ready=True/Ready'])
    const warned = ((await world.client.list(events)).items as readonly (StoredObject & EventObject)[]).map(
      ({ reason }) => reason,
    )
    assert.ok(!warned.includes('RoleARNEnds'))
    world.passes.length = 0
    await world.advance(2 * 3_600_000)
    assert.deepEqual(world.writes(), [])
  })

  test('what was made keeps its name whatever is chosen later, and back again', async () => {
    await using world = await readyWorld()
    const arn = await arnOf(world)
    await choose(world, 'ServiceAccount')
    await world.converge()
    await world.client.create(roleKind.type, binding('app2'))
    await world.targetClient.create(serviceAccounts, serviceAccount('app2'))
    await world.converge()
    const stable = (await world.role('app2')).status?.roleARN
    assert.match(stable ?? '', /awi-wlc-a-apps-app2-/)
    await choose(world, 'ObjectUID')
    await world.converge()
    assert.deepEqual([await arnOf(world), (await world.role('app2')).status?.roleARN], [arn, stable])
    assert.equal((await world.children(iamRoleKind)).length, 2)
  })

  test('a name on record that is not the ServiceAccount’s own leads nowhere [S25]', async () => {
    await using world = await readyWorld()
    const arn = await arnOf(world)
    const body = { status: { roleName: 'awi-somebody-elses' } }
    await world.client.patch(roleKind.type, keyIn('app1'), 'merge', body, { subresource: 'status' })
    await world.converge()
    assert.deepEqual([await arnOf(world), (await world.children(iamRoleKind)).length], [arn, 1])
  })

  test('a role of that name that is not ours is not touched, and told [S2]', async () => {
    await using world = await roleWorld()
    await choose(world, 'ServiceAccount')
    const name = stableRoleName(cluster, { namespace: 'apps', name: 'app1' })
    const { group, version, kind } = iamRoleKind.type
    const stranger = { apiVersion: `${group}/${version}`, kind, metadata: { namespace: cluster, name }, spec: { name } }
    await world.client.create(iamRoleKind.type, stranger as never)
    await world.targetClient.create(serviceAccounts, serviceAccount('app1'))
    await world.client.create(roleKind.type, binding('app1'))
    await world.converge()
    assert.equal(await readyOf(world, 'app1'), 'Ready=False/ChildApplyFailed')
    const [held] = await world.children(iamRoleKind)
    assert.deepEqual((held as unknown as { spec: { name: string } }).spec, { name, path: '/' })
  })

  test('the end of a role whose name rests on the uid is told before it goes', async () => {
    await using world = await readyWorld()
    const arn = await arnOf(world)
    await world.client.delete(roleKind.type, keyIn('app1'))
    await world.converge()
    const { items } = await world.client.list(events)
    const warned = (items as readonly (StoredObject & EventObject)[]).filter(({ reason }) => reason === 'RoleARNEnds')
    assert.deepEqual(
      warned.map(({ type, action }) => [type, action]),
      [['Warning', 'DeleteRole']],
    )
    assert.ok(warned[0]?.message.startsWith(`${arn} ends with this object`))
  })
})
