// The whole room with `--aws-writer direct`: no ACK, no child objects, and the same chain of trust to the end.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AwsClients } from '#aws/client'
import type { Running } from '#runtime'
import { configKind, roleKind } from '../api.ts'
import { bucketKind, roleKind as iamRoleKind, policyKind, providerKind } from '../children/kinds.ts'
import type { IdentityOperatorOptions } from '../create-operator.ts'
import { askSts, issuerOf, takeUpKey, tokenOf } from '../testing/chain.ts'
import { directly, type RoomWorld, region, roomWorld, type StartOptions, throughChildren, told } from '../testing/room-world.ts'

const selfHosted = { type: 'SelfHostedIRSA', region } as const

const changesOf = (world: RoomWorld): readonly string[] =>
  world.aws.calls
    .all()
    .filter(({ userAgent }) => userAgent.includes('direct'))
    .map(({ operation }) => operation)
    .filter(name => !/^(?:Get|List|Head)/.test(name))

const bucketsOf = async (world: RoomWorld): Promise<readonly unknown[]> =>
  ((await world.s3().call('ListBuckets', {})).Buckets as unknown[]) ?? []
const providersOf = async (world: RoomWorld): Promise<readonly unknown[]> =>
  ((await world.iam().call('ListOpenIDConnectProviders', {})).OpenIDConnectProviderList as unknown[]) ?? []

test('from a Config and a binding to a token that STS takes, without a child object', async () => {
  await using world = roomWorld()
  const target = await world.addCluster('wlc-a', { issuer: issuerOf('wlc-a') })
  await world.makeConfig('wlc-a', selfHosted)
  world.start(directly(world))
  await world.makeRole('wlc-a', 'app')
  await world.advance(5_000)
  assert.equal(told(await world.config('wlc-a')).Ready, 'True Reconciled')
  const role = await world.role('wlc-a', 'app')
  assert.equal(told(role).Ready, 'True Ready')
  for (const kind of [bucketKind, providerKind, iamRoleKind, policyKind]) {
    assert.deepEqual((await world.client.list(kind.type)).items, [], kind.type.kind)
  }
  await takeUpKey(world, target)
  assert.equal(await askSts(world, role?.status?.roleARN, await tokenOf(target, 'app')), 'ok')
  assert.deepEqual(changesOf(world).slice(0, 4), ['CreateBucket', 'PutBucketTagging', 'PutPublicAccessBlock', 'PutBucketPolicy'])
  const changes = changesOf(world).length
  await world.advance(2 * 3_600_000)
  assert.equal(changesOf(world).length, changes, 'at rest nothing is called that changes anything')
})

test('the end in the reverse order of trust, and nothing is left in the account [P16]', async () => {
  await using world = roomWorld()
  await world.addCluster('wlc-a', { issuer: issuerOf('wlc-a') })
  await world.makeConfig('wlc-a', selfHosted)
  world.start(directly(world))
  await world.makeRole('wlc-a', 'app')
  await world.advance(5_000)
  assert.deepEqual([(await bucketsOf(world)).length, (await providersOf(world)).length], [1, 1])
  world.aws.calls.clear()
  await world.client.delete(roleKind.type, { namespace: 'wlc-a', name: 'app' })
  await world.advance(5_000)
  await world.client.delete(configKind.type, { namespace: 'wlc-a', name: 'default' })
  await world.advance(30_000)
  assert.equal(await world.config('wlc-a'), undefined)
  assert.deepEqual([await bucketsOf(world), await providersOf(world)], [[], []])
  const order = changesOf(world)
  assert.ok(order.indexOf('DeleteRole') < order.indexOf('DeleteOpenIDConnectProvider'), order.join())
  assert.ok(order.indexOf('DeleteOpenIDConnectProvider') < order.indexOf('DeleteBucket'), order.join())
})

test('a death after whichever call of a Config’s life, its effect done: the successor finishes it, once, and leaves nothing [B1]', async () => {
  for (const phase of ['create', 'delete'] as const) {
    for (let at = 1; ; at++) {
      await using world = roomWorld()
      await world.addCluster('wlc-a', { issuer: issuerOf('wlc-a') })
      await world.makeConfig('wlc-a', selfHosted)
      const dying = dyingClients(world)
      if (phase === 'create') dying.dieAfter(at)
      const first = world.start({ direct: { clients: dying.clients, region } })
      await world.advance(5_000)
      if (phase === 'delete') {
        dying.dieAfter(at)
        await world.client.delete(configKind.type, { namespace: 'wlc-a', name: 'default' })
        await world.advance(5_000)
      }
      const died = dying.isDead()
      await first.stop()
      world.start(directly(world))
      await world.advance(60_000)
      if (phase === 'create') {
        assert.equal(told(await world.config('wlc-a')).Ready, 'True Reconciled', `after call ${at}`)
        assert.deepEqual([(await bucketsOf(world)).length, (await providersOf(world)).length], [1, 1], `after call ${at}`)
        await world.client.delete(configKind.type, { namespace: 'wlc-a', name: 'default' })
        await world.advance(60_000)
      }
      assert.equal(await world.config('wlc-a'), undefined, `${phase} ${at}`)
      assert.deepEqual([await bucketsOf(world), await providersOf(world)], [[], []], `${phase} ${at}`)
      if (!died) break
      assert.ok(at < 20, 'a Config takes a bounded number of calls')
    }
  }
})

/** Clients of a process that dies right after one of its changing calls took hold: nobody hears the answer, nothing is called after it. */
function dyingClients(world: RoomWorld): { clients: Pick<AwsClients, 'for'>; dieAfter(calls: number): void; isDead(): boolean } {
  const { clients } = directly(world).direct as NonNullable<IdentityOperatorOptions['direct']>
  let left = Number.POSITIVE_INFINITY
  let isDead = false
  const never = new Promise<never>(() => {})
  return {
    dieAfter: calls => {
      left = calls
    },
    isDead: () => isDead,
    clients: {
      for: choice => {
        const client = clients.for(choice)
        const call: typeof client.call = async (operation, input, more) => {
          if (isDead) return never
          const answer = await client.call(operation, input, more)
          if (/^(?:Get|List|Head)/.test(operation) || --left > 0) return answer
          isDead = true
          return never
        }
        return {
          model: client.model,
          region: client.region,
          call,
          send: client.send,
          pages: client.pages,
          presign: client.presign,
        }
      },
    },
  }
}

test('a bucket of that name that is not ours is not touched, and the Config says so [B23, S2]', async () => {
  await using world = roomWorld()
  await world.addCluster('wlc-a', { issuer: issuerOf('wlc-a') })
  const name = issuerOf('wlc-a').replace('https://', '').split('.')[0] ?? ''
  await world.s3().call('CreateBucket', { Bucket: name })
  await world.s3().call('PutBucketTagging', { Bucket: name, Tagging: { TagSet: [{ Key: 'owner', Value: 'somebody' }] } })
  await world.makeConfig('wlc-a', selfHosted)
  world.start(directly(world))
  await world.advance(10_000)
  assert.equal(told(await world.config('wlc-a')).BucketReady, 'False ChildApplyFailed')
  assert.deepEqual(changesOf(world), [])
})

test('objects of the other way of writing that are still there: nothing is called, and a condition says what to do', async () => {
  await using world = roomWorld()
  const { before } = await switched(world)
  const config = await world.config('wlc-a')
  const role = await world.role('wlc-a', 'app')
  assert.deepEqual([told(config).BucketReady, told(config).Ready], ['False ACKResourceNotSynced', 'False WaitingForACK'])
  assert.deepEqual([told(role).RoleReady, told(role).Ready], ['False ACKResourceNotSynced', 'False WaitingForACK'])
  const said = role?.status?.conditions?.find(({ type }) => type === 'RoleReady')?.message ?? ''
  assert.match(
    said,
    /the object Role wlc-a\/awi-wlc-a-app-\w+ is left of --aws-writer children .*deletion-policy=retain and delete it/,
  )
  assert.equal(role?.status?.roleARN, before?.status?.roleARN, 'what works goes on to work')
  assert.deepEqual(changesOf(world), [])
})

/** A Config and a binding whose resources the one way of writing made, looked at by the other: by calls now. */
async function switched(
  world: RoomWorld,
  children: StartOptions = {},
): Promise<{
  before: Awaited<ReturnType<RoomWorld['role']>>
  direct: Running
}> {
  await world.addCluster('wlc-a', { issuer: issuerOf('wlc-a') })
  await world.makeConfig('wlc-a', selfHosted)
  const running = world.start(children)
  await world.makeRole('wlc-a', 'app', { policyARNs: [], policyDocument })
  await world.advance(15_000)
  const before = await world.role('wlc-a', 'app')
  assert.equal(told(before).Ready, 'True Ready')
  await running.stop()
  const direct = world.start(directly(world))
  await world.advance(5_000)
  return { before, direct }
}

const policyDocument = { Version: '2012-10-17', Statement: [{ Effect: 'Allow', Action: 's3:GetObject', Resource: '*' }] }
const childKinds = [iamRoleKind, policyKind, providerKind, bucketKind]

/** What there is in AWS, by ids that are given once: what was made anew has others. */
async function lives(world: RoomWorld): Promise<unknown> {
  const { Roles } = (await world.iam().call('ListRoles', {})) as { Roles: readonly { RoleId: string }[] }
  const { Policies } = (await world.iam().call('ListPolicies', { Scope: 'Local' })) as {
    Policies: readonly { PolicyId: string }[]
  }
  const { Buckets } = (await world.s3().call('ListBuckets', {})) as { Buckets: readonly { Name: string; CreationDate: Date }[] }
  const buckets = Buckets.map(({ Name, CreationDate }) => `${Name} of ${String(CreationDate)}`)
  return {
    roles: Roles.map(({ RoleId }) => RoleId),
    policies: Policies.map(({ PolicyId }) => PolicyId),
    buckets,
    providers: await providersOf(world),
  }
}

async function allReady(world: RoomWorld): Promise<void> {
  for (const object of [await world.config('wlc-a'), await world.role('wlc-a', 'app')])
    assert.match(told(object).Ready ?? '', /^True /, JSON.stringify(object?.status?.conditions))
}

test('from children to direct and back: each resource stays the one that it was, and nothing is made a second time', async () => {
  await using world = roomWorld()
  const { direct } = await switched(world, throughChildren(world))
  const made = await lives(world)
  // As the condition says: kept by annotation, deleted while the controller of the kind runs.
  await direct.stop()
  const handing = world.start({ ...directly(world), ...throughChildren(world) })
  for (const { type } of childKinds) {
    for (const { metadata } of (await world.client.list(type)).items) {
      const key = { namespace: metadata.namespace ?? '', name: metadata.name }
      await world.client.patch(type, key, 'merge', {
        metadata: { annotations: { 'services.k8s.aws/deletion-policy': 'retain' } },
      })
      await world.client.delete(type, key)
    }
  }
  await world.advance(60_000)
  for (const { type } of childKinds) assert.deepEqual((await world.client.list(type)).items, [], type.kind)
  await allReady(world)
  assert.deepEqual(await lives(world), made)
  await handing.stop()
  // And back: the children are told to take over what carries the tag of their parent.
  world.aws.calls.clear()
  world.start(throughChildren(world))
  await world.advance(120_000)
  await allReady(world)
  for (const { type } of childKinds) assert.equal((await world.client.list(type)).items.length, 1, type.kind)
  assert.deepEqual(await lives(world), made)
  const created = world.aws.calls.all().filter(({ operation }) => operation.startsWith('Create'))
  assert.deepEqual(
    created.map(({ operation }) => operation),
    [],
  )
  // Their end takes along what they took over.
  await world.client.delete(roleKind.type, { namespace: 'wlc-a', name: 'app' })
  await world.advance(60_000)
  await world.client.delete(configKind.type, { namespace: 'wlc-a', name: 'default' })
  await world.advance(120_000)
  assert.equal(await world.config('wlc-a'), undefined)
  assert.deepEqual(await lives(world), { roles: [], policies: [], buckets: [], providers: [] })
})

test('from direct to children, a role of that name that does not carry the uid is not taken over [B23, S2]', async () => {
  await using world = roomWorld()
  await world.addCluster('wlc-a', { issuer: issuerOf('wlc-a') })
  await world.makeConfig('wlc-a', selfHosted)
  const direct = world.start(directly(world))
  await world.makeRole('wlc-a', 'app')
  await world.advance(5_000)
  await allReady(world)
  await direct.stop()
  const { Roles } = (await world.iam().call('ListRoles', {})) as { Roles: readonly { RoleName: string }[] }
  const [{ RoleName } = { RoleName: '' }] = Roles
  await world.iam().call('UntagRole', { RoleName, TagKeys: ['aws.identity.appthrust.io/binding-uid'] })
  world.aws.calls.clear()
  world.start(throughChildren(world))
  await world.advance(60_000)
  const role = await world.role('wlc-a', 'app')
  assert.equal(told(role).RoleReady, 'False ACKResourceNotSynced')
  const said = role?.status?.conditions?.find(({ type }) => type === 'RoleReady')?.message ?? ''
  assert.match(said, /already exists, and is not adopted: it does not carry the tag aws\.identity\.appthrust\.io\/binding-uid/)
  const changed = world.aws.calls.all().filter(({ operation }) => /Role/.test(operation) && !/^(?:Get|List)/.test(operation))
  assert.deepEqual(
    changed.map(({ operation }) => operation),
    [],
  )
})

test('a binding or Config that goes while such an object is there waits for it, and says so', async () => {
  await using world = roomWorld()
  await switched(world)
  await world.client.delete(roleKind.type, { namespace: 'wlc-a', name: 'app' })
  await world.advance(5_000)
  const blocked = (await world.role('wlc-a', 'app'))?.status?.conditions?.find(({ type }) => type === 'DeletionBlocked')
  assert.deepEqual([blocked?.status, blocked?.reason], ['True', 'ChildrenPending'])
  assert.match(blocked?.message ?? '', /is left of --aws-writer children/)
  for (const { type } of [iamRoleKind, policyKind]) {
    for (const { metadata } of (await world.client.list(type)).items)
      await world.client.delete(type, { namespace: metadata.namespace ?? '', name: metadata.name })
  }
  // A second look finds as well that the role and the policy are gone.
  await world.advance(15_000)
  assert.equal(await world.role('wlc-a', 'app'), undefined)
  await world.client.delete(configKind.type, { namespace: 'wlc-a', name: 'default' })
  await world.advance(30_000)
  const config = (await world.config('wlc-a'))?.status?.conditions?.find(({ type }) => type === 'DeletionBlocked')
  assert.deepEqual([config?.status, config?.reason], ['True', 'ChildrenPending'])
  assert.match(config?.message ?? '', /OpenIDConnectProvider wlc-a\/awi-oidc-wlc-a .* is left of --aws-writer children/)
})
