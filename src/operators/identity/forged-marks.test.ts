// What somebody gains who may make objects in one namespace of the hub, with any metadata: the finalizers, labels and annotations by which
// this operator knows its own. Nothing of a neighbour changes in AWS, on a cluster or on the hub, whatever is made,
// forced and deleted.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type ObjectKey, type StoredObject, serviceAccounts } from '#kube'
import { configKind, roleKind } from './api.ts'
import { bucketKind, roleKind as iamRoleKind, policyKind, providerKind } from './children/kinds.ts'
import { askSts, issuerOf, takeUpKey, tokenOf } from './testing/chain.ts'
import { directly, type RoomWorld, region, roomWorld, type Target, told } from './testing/room-world.ts'

const minute = 60_000
const victim = 'wlc-a'
const thief = 'wlc-b'
const selfHosted = { type: 'SelfHostedIRSA', region } as const
const document = { Version: '2012-10-17', Statement: [{ Effect: 'Allow', Action: 's3:ListAllMyBuckets', Resource: '*' }] }
const childKinds = [iamRoleKind, policyKind, bucketKind, providerKind].map(({ type }) => type)

for (const writer of ['children', 'direct'] as const) {
  describe(`forged marks, --aws-writer ${writer} [S25, B31]`, () => {
    test('a Role with the finalizer, the labels and the annotations of a neighbour’s takes nothing along when it goes', async () => {
      await using world = roomWorld()
      const { ask } = await neighbours(world, writer)
      const before = await lookAtVictim(world)
      const theirs = await world.role(victim, 'app')
      const { labels, annotations } = await marksOf(world, writer)
      await world.client.create(roleKind.type, {
        apiVersion: roleKind.apiVersion,
        kind: roleKind.type.kind,
        metadata: {
          namespace: thief,
          name: 'app',
          finalizers: ['aws.identity.appthrust.io/service-account-role-finalizer'],
          labels,
          annotations: { ...annotations, 'aws.identity.appthrust.io/force-delete': 'true' },
        },
        spec: theirs?.spec,
        status: theirs?.status,
      } as never)
      await world.advance(minute)
      await world.client.delete(roleKind.type, { namespace: thief, name: 'app' })
      await world.advance(minute)
      assert.equal(await world.role(thief, 'app'), undefined)
      assert.deepEqual(await lookAtVictim(world), before)
      assert.equal(await ask(), 'ok')
    })

    test('a Config with the finalizer and the marks of a neighbour’s takes neither its key nor its issuer along', async () => {
      await using world = roomWorld()
      const { ask } = await neighbours(world, writer)
      const before = await lookAtVictim(world)
      const theirs = await world.config(victim)
      await world.client.delete(configKind.type, { namespace: thief, name: 'default' })
      await world.advance(minute)
      assert.equal(await world.config(thief), undefined)
      const { labels } = await marksOf(world, writer)
      await world.makeConfig(thief, selfHosted, {
        finalizers: ['aws.identity.appthrust.io/config-finalizer'],
        labels: { ...labels, 'aws.identity.appthrust.io/config-uid': theirs?.metadata.uid ?? '' },
        annotations: { 'aws.identity.appthrust.io/force-delete': 'true' },
      })
      await world.advance(minute)
      await world.client.delete(configKind.type, { namespace: thief, name: 'default' })
      await world.advance(minute)
      assert.equal(await world.config(thief), undefined)
      assert.deepEqual(await lookAtVictim(world), before)
      assert.equal(await ask(), 'ok')
    })
  })
}

test('a child object that was made to stand for the role of a neighbour hands that role to nobody [S25, X5]', async () => {
  await using world = roomWorld()
  await neighbours(world, 'children')
  world.ack.down.add('Role')
  await world.makeRole(thief, 'mine')
  await world.advance(5_000)
  const [stolen, name] = [(await world.role(victim, 'app'))?.status?.roleARN ?? '', await childNameOf(world, 'mine')]
  const status = { ackResourceMetadata: { arn: stolen }, conditions: [{ type: 'ACK.ResourceSynced', status: 'True' }] }
  await world.client.patch(iamRoleKind.type, { namespace: thief, name }, 'merge', { status }, { subresource: 'status' })
  await world.advance(minute)
  const mine = await world.role(thief, 'mine')
  assert.equal(mine?.status?.roleARN, undefined)
  assert.equal(told(mine).RoleReady, 'False ACKResourceNotSynced')
  assert.match(
    mine?.status?.conditions?.find(({ type }) => type === 'RoleReady')?.message ?? '',
    /stands for arn:aws:iam::\d+:role\/awi-wlc-a-app-\S+, which is not what it was made for: take the annotations/,
  )
  // Nor is anything written to it or deleted: its controller would do that to the neighbour's role.
  const before = await world.client.find(iamRoleKind.type, { namespace: thief, name })
  await world.client.patch(roleKind.type, { namespace: thief, name: 'mine' }, 'merge', {
    spec: { policyARNs: ['arn:aws:iam::aws:policy/AdministratorAccess'] },
  })
  await world.advance(minute)
  await world.client.delete(roleKind.type, { namespace: thief, name: 'mine' })
  await world.advance(minute)
  assert.deepEqual(await world.client.find(iamRoleKind.type, { namespace: thief, name }), before)
  assert.equal(told(await world.role(thief, 'mine')).DeletionBlocked, 'True ChildrenPending')
  const account = await world.targets.get(thief)?.client.find(serviceAccounts, { namespace: 'default', name: 'mine' })
  assert.equal(account?.metadata.annotations?.['eks.amazonaws.com/role-arn'], undefined)
})

async function neighbours(world: RoomWorld, writer: 'children' | 'direct'): Promise<{ ask(): Promise<string> }> {
  const [target] = [await clusterOf(world, victim), await clusterOf(world, thief)]
  world.start(writer === 'direct' ? directly(world) : {})
  await world.makeRole(victim, 'app', { policyARNs: undefined as never, policyDocument: document })
  await world.advance(10_000)
  await takeUpKey(world, target)
  const token = await tokenOf(target, 'app')
  const arn = (await world.role(victim, 'app'))?.status?.roleARN
  const ask = (): Promise<string> => askSts(world, arn, token)
  assert.equal(await ask(), 'ok')
  return { ask }
}

async function clusterOf(world: RoomWorld, name: string): Promise<Target> {
  const target = await world.addCluster(name, { issuer: issuerOf(name) })
  await world.makeConfig(name, selfHosted)
  return target
}

/** Whatever marks the things of the victim carry. */
async function marksOf(world: RoomWorld, writer: 'children' | 'direct'): Promise<StoredObject['metadata']> {
  const theirs = (await world.role(victim, 'app')) as StoredObject
  const tags = {
    'app.kubernetes.io/managed-by': 'aws-workload-identity-operator',
    'aws.identity.appthrust.io/binding-uid': theirs.metadata.uid,
    'aws.identity.appthrust.io/delivery': 'SelfHostedIRSA',
  }
  const child = writer === 'children' ? (await world.client.listAll(iamRoleKind.type)).items[0] : undefined
  return {
    name: 'marks',
    uid: '',
    resourceVersion: '',
    labels: { ...tags, ...child?.metadata.labels },
    annotations: {
      'services.k8s.aws/adopted': 'true',
      'services.k8s.aws/adoption-policy': 'adopt-or-create',
      'services.k8s.aws/adoption-fields': JSON.stringify({ arn: (theirs as { status?: { roleARN?: string } }).status?.roleARN }),
    },
  }
}

/** All that is the victim's: objects of the hub, resources in AWS, the annotations on its cluster. */
async function lookAtVictim(world: RoomWorld): Promise<unknown> {
  const arn = (await world.role(victim, 'app'))?.status?.roleARN ?? ''
  const RoleName = arn.slice(arn.lastIndexOf('/') + 1)
  const Bucket = (await world.config(victim))?.status?.selfHostedIssuer?.bucketName
  const account = await world.targets.get(victim)?.client.find(serviceAccounts, { namespace: 'default', name: 'app' })
  const objects = await Promise.all(childKinds.map(async type => (await world.client.listAll(type, { namespace: victim })).items))
  const secret: ObjectKey = { namespace: victim, name: 'awi-signing-key-default' }
  return {
    role: (await world.iam().call('GetRole', { RoleName })).Role,
    attached: (await world.iam().call('ListAttachedRolePolicies', { RoleName })).AttachedPolicies,
    providers: await providersOf(world),
    objects: (await world.s3().call('ListObjectsV2', { Bucket })).Contents,
    policy: (await world.s3().call('GetBucketPolicy', { Bucket })).Policy,
    annotations: account?.metadata.annotations,
    children: objects.flat().map(({ kind, metadata }) => [kind, metadata.name, metadata.uid]),
    secret: (await world.client.find({ group: '', version: 'v1', kind: 'Secret', plural: 'secrets', namespaced: true }, secret))
      ?.metadata.resourceVersion,
  }
}

async function providersOf(world: RoomWorld): Promise<readonly string[]> {
  const { OpenIDConnectProviderList: found } = await world.iam().call('ListOpenIDConnectProviders', {})
  return (found as readonly { readonly Arn: string }[]).map(({ Arn }) => Arn).filter(arn => arn.includes(victim))
}

async function childNameOf(world: RoomWorld, role: string): Promise<string> {
  const { items } = await world.client.listAll(iamRoleKind.type, { namespace: thief })
  return items.find(({ metadata }) => metadata.ownerReferences?.some(({ name }) => name === role))?.metadata.name ?? ''
}
