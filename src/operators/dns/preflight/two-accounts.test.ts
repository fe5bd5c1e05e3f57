// Credentials of one account, a role and a zone of another, and what is said when a right is missing: the account of the zones is the
// emulator's, which evaluates trust and permissions.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { serviceModel } from '#aws'
import { type AwsClient, createAwsClient, inProcessTransport, staticCredentials } from '#aws/client'
import { type ManualClock, seededRandom } from '#base'
import { type Aws, createAws } from '#emulator'
import { crossAccountTrust, permissionPolicy } from '../policies/policies.ts'
import { awsSpec, type DnsWorld, dnsWorld } from '../testing/dns-world.ts'

const zonesAccount = '111111111111'
const clusterAccount = '222222222222'
const roleArn = `arn:aws:iam::${zonesAccount}:role/dns`

interface Accounts extends AsyncDisposable {
  readonly world: DnsWorld
  readonly iam: AwsClient
  readonly zone: string
  create(assumeRole: object): Promise<void>
  said(): Promise<Readonly<Record<string, string>>>
  message(type: string): Promise<string | undefined>
  /** Long enough for the next try. */
  later(): Promise<void>
}

async function twoAccounts(externalId?: string): Promise<Accounts> {
  let aws: Aws | undefined
  const world = dnsWorld({
    settings: { preflightEnabled: true },
    sts: clock => {
      aws = emulatorAt(clock)
      return { transport: inProcessTransport(aws.handle), clock, random: seededRandom(2) }
    },
  })
  if (aws === undefined) throw new Error('the operator was made without AWS')
  const emulator = aws
  const client = (service: 'iam' | 'route53', account: string): AwsClient =>
    createAwsClient({
      model: serviceModel(service),
      region: 'us-east-1',
      credentials: staticCredentials(emulator.adminCredentials(account)),
      transport: inProcessTransport(emulator.handle),
      clock: world.world.clock,
      random: seededRandom(3),
    })
  const iam = client('iam', zonesAccount)
  const keys = await userKeys(client('iam', clusterAccount))
  const { HostedZone } = await client('route53', zonesAccount).call('CreateHostedZone', {
    Name: 'example.com',
    CallerReference: '1',
  })
  const zone = String(Reflect.get(Object(HostedZone), 'Id')).replace('/hostedzone/', '')
  const trust = crossAccountTrust(`arn:aws:iam::${clusterAccount}:user/dns`, externalId)
  await iam.call('CreateRole', { RoleName: 'dns', AssumeRolePolicyDocument: JSON.stringify(trust) })
  await allow(iam)
  await world.secret('dns-creds', keys)
  world.start()
  return {
    world,
    iam,
    zone,
    create: async assumeRole => {
      const provider = { type: 'AWS', aws: { credentials: { name: 'dns-creds' }, assumeRole } }
      await world.create({ ...awsSpec({ zones: [zone] }), provider }, 'blue', 'v1beta2')
      await world.settle()
    },
    said: () => world.said(),
    message: async type => (await world.dns()).status?.conditions?.find(condition => condition.type === type)?.message,
    later: () => world.advance(700_000),
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  }
}

function emulatorAt(clock: ManualClock): Aws {
  const accounts = [zonesAccount, clusterAccount]
  return createAws({ seed: 1, clock, accounts, region: 'us-east-1', profile: 'instant', enforce: 'full' })
}

async function userKeys(iam: AwsClient): Promise<Readonly<Record<string, string>>> {
  await iam.call('CreateUser', { UserName: 'dns' })
  const Statement = [{ Effect: 'Allow', Action: 'sts:AssumeRole', Resource: roleArn }]
  const PolicyDocument = JSON.stringify({ Version: '2012-10-17', Statement })
  await iam.call('PutUserPolicy', { UserName: 'dns', PolicyName: 'assume', PolicyDocument })
  const { AccessKey } = await iam.call('CreateAccessKey', { UserName: 'dns' })
  const field = (name: string): string => String(Reflect.get(Object(AccessKey), name))
  return { aws_access_key_id: field('AccessKeyId'), aws_secret_access_key: field('SecretAccessKey') }
}

async function allow(iam: AwsClient, document: object = permissionPolicy()): Promise<void> {
  await iam.call('PutRolePolicy', { RoleName: 'dns', PolicyName: 'dns', PolicyDocument: JSON.stringify(document) })
}

test('a role of another account is tried and found good, and nothing of the account is told', async () => {
  await using accounts = await twoAccounts()
  await accounts.create({ arn: roleArn })
  const said = await accounts.said()
  assert.deepEqual(
    [said.CredentialsValid, said.RoleAssumable, said.ZonesAccessible, said.Available],
    ['True/Accepted', 'True/Assumed', 'True/Readable', 'True/Available'],
  )
  const { status } = await accounts.world.dns()
  assert.equal(status?.aws?.assumedRole, 'dns')
  assert.doesNotMatch(JSON.stringify(status), new RegExp(`${zonesAccount}|${clusterAccount}`))
})

test('a role whose trust names somebody else is no reason to touch the Deployment [#75]', async () => {
  await using accounts = await twoAccounts('another')
  await accounts.create({ arn: roleArn })
  const said = await accounts.said()
  assert.deepEqual([said.RoleAssumable, said.Available], ['False/AccessDenied', 'False/AuthenticationFailed'])
  assert.ok((await accounts.world.deployment()) !== undefined)
})

test('an external id that the trust does not ask for is said to be one, and the right one works', async () => {
  await using accounts = await twoAccounts('right')
  await accounts.create({ arn: roleArn, externalID: 'wrong' })
  assert.equal((await accounts.said()).RoleAssumable, 'False/ExternalIDMismatch')
  const dns = await accounts.world.dns('blue', 'v1beta2')
  const provider = { type: 'AWS', aws: { credentials: { name: 'dns-creds' }, assumeRole: { arn: roleArn, externalID: 'right' } } }
  const { kinds } = await import('../api/kinds.ts')
  await accounts.world.client.update(kinds.v1beta2.type, { ...dns, spec: { ...dns.spec, provider } })
  await accounts.world.settle()
  assert.equal((await accounts.said()).RoleAssumable, 'True/Assumed')
})

test('a right that the role lacks is named, and once it is given all is well without a restart [#76, #77]', async () => {
  await using accounts = await twoAccounts()
  await accounts.create({ arn: roleArn })
  const Statement = [{ Effect: 'Allow', Action: 'route53:ListResourceRecordSets', Resource: '*' }]
  await allow(accounts.iam, { Version: '2012-10-17', Statement })
  await accounts.later()
  const said = await accounts.said()
  assert.deepEqual([said.ZonesAccessible, said.Available], ['False/AccessDenied', 'False/ZoneAccessDenied'])
  const message = 'assumed role is not allowed to perform route53:ListHostedZones'
  assert.deepEqual([await accounts.message('ZonesAccessible'), await accounts.message('Available')], [message, message])
  await allow(accounts.iam)
  await accounts.later()
  assert.equal((await accounts.said()).Available, 'True/Available')
  const template = (await accounts.world.deployment())?.metadata.generation
  assert.equal(template, 1)
})
