// What users, the inventory and strangers get wrong: one condition with a reason and the next step, nothing leaked, and whoever stands beside
// it unharmed. The whole room, by child objects that our own operator makes, and by calls.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { serviceModel } from '#aws'
import { createAwsClient, inProcessTransport, staticCredentials } from '#aws/client'
import { seededRandom } from '#base'
import { deployments } from '#kube'
import { bucketName } from './names.ts'
import { bringUpWith } from './testing/life.ts'
import { directly, type RoomWorld, region, roomWorld, type StartOptions, throughChildren, told } from './testing/room-world.ts'

const selfHosted = { type: 'SelfHostedIRSA', region } as const
const stranger = '999999999999'
const writers: Readonly<Record<string, (world: RoomWorld) => StartOptions>> = { children: throughChildren, direct: directly }

const messageOf = async (world: RoomWorld, type: string, name?: string): Promise<string> => {
  const object = name === undefined ? await world.config('wlc-a') : await world.role('wlc-a', name)
  return object?.status?.conditions?.find(one => one.type === type)?.message ?? ''
}

for (const [writer, optionsOf] of Object.entries(writers)) {
  test(`a bucket name that another account has is told with the next step, and taken when it is free: ${writer} [B23]`, async () => {
    await using world = roomWorld({ accounts: [stranger] })
    await world.addCluster('wlc-a')
    const theirs = createAwsClient({
      model: serviceModel('s3'),
      region,
      credentials: staticCredentials(world.aws.adminCredentials(stranger)),
      transport: inProcessTransport(world.aws.handle),
      clock: world.clock,
      random: seededRandom(9),
    })
    const Bucket = bucketName('wlc-a', region)
    await theirs.call('CreateBucket', { Bucket })
    await world.makeConfig('wlc-a', selfHosted)
    world.start(optionsOf(world))
    await world.advance(30_000)
    const said = told(await world.config('wlc-a'))
    assert.match(said.BucketReady ?? '', /^False (?:ACKResourceNotSynced|ChildApplyFailed)$/)
    assert.match(await messageOf(world, 'BucketReady'), /not ours|somebody else has this name/)
    assert.equal(said.WebhookRuntimeReady, 'True WebhookRuntimeSynced', 'what does not need it goes on')
    await theirs.call('DeleteBucket', { Bucket })
    await world.advance(300_000)
    assert.match(told(await world.config('wlc-a')).BucketReady ?? '', /^True /)
  })

  test(`a policy a hundred levels deep is told so for good, and its neighbour is unharmed: ${writer} [3.16]`, async () => {
    await using world = roomWorld()
    await world.addCluster('wlc-a')
    await world.makeConfig('wlc-a', selfHosted)
    world.start(optionsOf(world))
    const policyDocument = JSON.parse(`${'{"a":'.repeat(100)}1${'}'.repeat(100)}`) as Readonly<Record<string, unknown>>
    await world.makeRole('wlc-a', 'deep', { policyARNs: [], policyDocument })
    await world.makeRole('wlc-a', 'app')
    await world.advance(30_000)
    assert.equal(told(await world.role('wlc-a', 'deep')).Ready, 'False InvalidSpec')
    assert.match(await messageOf(world, 'Ready', 'deep'), /nested deeper than 20 levels/)
    assert.equal(told(await world.role('wlc-a', 'app')).RoleReady?.split(' ')[0], 'True')
  })

  test(`a policy that is too large for IAM is told with the limit; nothing is made, and its neighbour is unharmed: ${writer} [3.16]`, async () => {
    await using world = roomWorld()
    await world.addCluster('wlc-a')
    await world.makeConfig('wlc-a', selfHosted)
    world.start(optionsOf(world))
    const Resource = Array.from({ length: 200 }, (_, at) => `arn:aws:s3:::a-bucket-with-a-long-name-${at}/*`)
    const policyDocument = { Version: '2012-10-17', Statement: [{ Effect: 'Allow', Action: 's3:GetObject', Resource }] }
    await world.makeRole('wlc-a', 'large', { policyARNs: [], policyDocument })
    await world.makeRole('wlc-a', 'app')
    await world.advance(30_000)
    const said = told(await world.role('wlc-a', 'large'))
    assert.equal(said.Ready, 'False InvalidSpec')
    assert.match(await messageOf(world, 'Ready', 'large'), /6144/)
    assert.match(told(await world.role('wlc-a', 'app')).RoleReady ?? '', /^True /)
    const { Policies } = (await world.iam().call('ListPolicies', { Scope: 'Local' })) as { Policies: readonly unknown[] }
    assert.deepEqual(Policies, [])
  })
}

test('a webhook image that never starts: said with the image and where to look; no pod is sent to it, and the issuer goes on', async () => {
  await using world = roomWorld()
  const { client } = await world.addCluster('wlc-a', { withoutControllers: true })
  await world.makeConfig('wlc-a', selfHosted)
  world.start({ webhookImage: 'registry.example/none:1' })
  await world.advance(10_000)
  await bringUpWith(client, {
    counts: { replicas: 1, updatedReplicas: 1, unavailableReplicas: 1 },
    conditions: [
      { type: 'Available', status: 'False', reason: 'MinimumReplicasUnavailable', message: '' },
      { type: 'Progressing', status: 'False', reason: 'ProgressDeadlineExceeded', message: 'timed out' },
    ],
  })
  await world.advance(5_000)
  const said = told(await world.config('wlc-a'))
  assert.deepEqual(
    [said.IssuerReady, said.WebhookRuntimeReady, said.Ready],
    ['True Ready', 'False WebhookDeploymentReplicasUnavailable', 'False WebhookDeploymentReplicasUnavailable'],
  )
  assert.equal(
    await messageOf(world, 'Ready'),
    'Deployment aws-pod-identity-webhook/pod-identity-webhook has fewer Pods available than it wants, and their time to start is over: kubectl -n aws-pod-identity-webhook describe pods -l app.kubernetes.io/name=pod-identity-webhook says why; if it is the image registry.example/none:1, name another by --pod-identity-webhook-image',
  )
  assert.equal((await client.list(deployments)).items.length, 1)
})

test('an inventory that contradicts itself: said with both, no role is made, and it heals by its event', async () => {
  await using world = roomWorld()
  const said = (name: string, value: string) => ({ [`aws.identity.appthrust.io/${name}`]: value })
  const properties = {
    ...said('eks-cluster-name', 'prod'),
    ...said('eks-cluster-arn', `arn:aws:eks:${region}:123456789012:cluster/staging`),
    ...said('aws-account-id', '123456789012'),
    ...said('eks-auto-mode', 'true'),
  }
  await world.addCluster('wlc-a', { properties })
  await world.makeConfig('wlc-a', { type: 'EKSPodIdentity', region })
  world.start()
  await world.makeRole('wlc-a', 'app')
  await world.advance(30_000)
  assert.equal(told(await world.role('wlc-a', 'app')).TrustPolicyReady, 'False TrustPolicyInputMissing')
  assert.match(
    await messageOf(world, 'Ready', 'app'),
    /contradicts itself: eks-cluster-arn \S+cluster\/staging is not that of cluster prod in account 123456789012; correct it/,
  )
  const { Roles } = (await world.iam().call('ListRoles', {})) as { Roles: readonly unknown[] }
  assert.deepEqual(Roles, [])
  await world.publish('wlc-a', { ...properties, ...said('eks-cluster-arn', `arn:aws:eks:${region}:123456789012:cluster/prod`) })
  await world.advance(3_000)
  assert.equal(told(await world.role('wlc-a', 'app')).TrustPolicyReady?.startsWith('True'), true)
})
