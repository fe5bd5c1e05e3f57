// What `vouch rights` prints for AWS, on an emulator that evaluates everybody's permissions: with it a whole life is lived, and nothing of
// it is left over.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { permissionOf, serviceModel } from '#aws'
import { AwsClients, createAwsClient, inProcessTransport, staticCredentials } from '#aws/client'
import { seededRandom } from '#base'
import { namespaces } from '#kube'
import { rightsOf } from '../../src/cli/testing/commands.ts'
import { S3IssuerStore } from '../../src/operators/identity/config/issuer-store.ts'
import { managedLabels } from '../../src/operators/identity/target/kinds.ts'
import { liveThrough, makeEksCluster, runtimeNamespace, selfHosted } from '../../src/operators/identity/testing/life.ts'
import { type RoomWorld, region, roomWorld } from '../../src/operators/identity/testing/room-world.ts'

const flags = { of: 'aws', name: 'vouch', namespace: 'vouch-system' } as const

for (const writer of ['children', 'direct'] as const) {
  test(`the AWS permissions of identity are those that a whole life takes: ${writer}`, async t => {
    await using world = roomWorld({ enforce: 'full' })
    const { aws } = await rightsOf([`--aws-writer=${writer}`], flags)
    const policy = aws?.['identity']
    assert.ok(policy !== undefined)
    const clients = await clientsOfUser(world, JSON.stringify(policy))
    await live(world, clients, writer)
    const calls = world.aws.calls.all().filter(({ caller }) => caller.endsWith(':user/operator'))
    const denied = calls.filter(({ result }) => /denied|forbidden|unauthorized/i.test(result))
    assert.deepEqual(
      denied.map(({ service, operation }) => `${service}:${operation}`),
      [],
    )
    const used = new Set(calls.map(({ service, operation }) => permissionOf(service, operation)))
    const granted = (policy.Statement as { readonly Action: readonly string[] }[]).flatMap(({ Action }) => Action)
    const unused = granted.filter(action => !used.has(action) && !(action in neededBesides))
    assert.deepEqual(unused, [])
    t.diagnostic(`${calls.length} calls, ${granted.length} permissions`)
  })
}

/** Permissions that no call has the name of, and those for what another has changed, which this life does not do. */
const neededBesides: Readonly<Record<string, string>> = {
  'iam:PassRole': 'asked when an association is made',
  's3:ListBucket': 'asked when a document is not there',
  'iam:ListAttachedRolePolicies': 'the second look at a role, after its first writes are known',
  'iam:ListRolePolicies': 'the second look at a role, after its first writes are known',
  'eks:DescribePodIdentityAssociation': 'the second look at an association',
  's3:PutBucketOwnershipControls': 'ownership that another has changed; it is given when the bucket is made',
  's3:PutEncryptionConfiguration': 'encryption that another has changed',
  'iam:UpdateRole': 'the longest session of a role that another has changed',
  'iam:UpdateAssumeRolePolicy': 'a trust policy that another has changed',
  'iam:TagRole': 'tags that another has taken away',
  'iam:TagPolicy': 'tags that another has taken away',
  'iam:TagOpenIDConnectProvider': 'tags that another has taken away',
  'eks:TagResource': 'tags of an association, which are given when it is made',
  'eks:UpdatePodIdentityAssociation': 'a role that is another one',
  'iam:DeleteRolePolicy': 'a policy that another has put into a role',
  'iam:DetachRolePolicy': 'a policy that another has attached',
  'iam:PutRolePermissionsBoundary': 'a boundary that another has taken away',
  'iam:DeleteRolePermissionsBoundary': 'a boundary that another has put there',
  'iam:CreatePolicyVersion': 'a document that changes',
  'iam:DeletePolicyVersion': 'a document that changes too often',
  'iam:AddClientIDToOpenIDConnectProvider': 'an audience that another has taken away',
  'iam:RemoveClientIDFromOpenIDConnectProvider': 'an audience that another has put there',
}

async function clientsOfUser(world: RoomWorld, policy: string): Promise<AwsClients> {
  const iam = createAwsClient({
    model: serviceModel('iam'),
    region,
    credentials: staticCredentials(world.aws.adminCredentials()),
    transport: inProcessTransport(world.aws.handle),
    clock: world.clock,
    random: seededRandom(9),
  })
  await iam.call('CreateUser', { UserName: 'operator' })
  await iam.call('PutUserPolicy', { UserName: 'operator', PolicyName: 'rights', PolicyDocument: policy })
  const made = await iam.call('CreateAccessKey', { UserName: 'operator' })
  const { AccessKeyId, SecretAccessKey } = made['AccessKey'] as { readonly AccessKeyId: string; readonly SecretAccessKey: string }
  return new AwsClients({
    credentials: staticCredentials({ accessKeyId: AccessKeyId, secretAccessKey: SecretAccessKey }),
    transport: inProcessTransport(world.aws.handle),
    clock: world.clock,
    random: seededRandom(10),
  })
}

async function live(world: RoomWorld, clients: AwsClients, writer: 'children' | 'direct'): Promise<void> {
  const target = await world.addCluster(selfHosted, { publish: false, withoutWebhookNamespace: true })
  const metadata = { name: runtimeNamespace, labels: managedLabels }
  await target.client.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata })
  await makeEksCluster(service => admin(world, service))
  const run = world.start({
    store: new S3IssuerStore({ clients, clock: world.clock }),
    clientOf: profile => (profile.metadata.name === selfHosted ? target.client : undefined),
    rotation: { propagationMs: 1_000, graceMs: 1_000 },
    ...(writer === 'direct' ? { direct: { clients, region } } : {}),
  })
  await liveThrough({
    hub: world.client,
    target: target.client,
    region,
    hasAskedSigner: () => true,
    publish: (name, properties) => world.publish(name, properties),
    until: async (what, isSo) => {
      for (let step = 0; step < 240; step++) {
        if (await isSo()) return
        await world.advance(step < 5 ? 300 : 15_000)
      }
      throw new Error(`it never came about: ${what}; ${deniedIn(world)}`)
    },
  })
  await run.stop()
}

function deniedIn({ aws }: RoomWorld): string {
  const denied = aws.calls.all().filter(({ result }) => result !== 'ok')
  return [...new Set(denied.map(({ service, operation, result }) => `${service}:${operation} ${result}`))].join(', ')
}

function admin({ aws, clock }: RoomWorld, service: 'iam' | 'eks') {
  return createAwsClient({
    model: serviceModel(service),
    region,
    credentials: staticCredentials(aws.adminCredentials()),
    transport: inProcessTransport(aws.handle),
    clock,
    random: seededRandom(5),
  })
}
