// Credentials of one account, a role and a zone of another: the emulator evaluates trust and permissions of both.
import { serviceModel } from '#aws'
import { type AwsClient, createAwsClient, inProcessTransport, staticCredentials } from '#aws/client'
import { type ManualClock, seededRandom } from '#base'
import { type Aws, createAws } from '#emulator'
import { crossAccountTrust, permissionPolicy } from '../policies/policies.ts'
import { awsSpec, type DnsWorld, type DnsWorldOptions, dnsWorld } from './dns-world.ts'

export const zonesAccount = '111111111111'
export const clusterAccount = '222222222222'
export const roleArn: string = `arn:aws:iam::${zonesAccount}:role/dns`

export interface Accounts extends AsyncDisposable {
  readonly world: DnsWorld
  readonly aws: Aws
  readonly iam: AwsClient
  /** Of the account with the cluster, where the keys are from. */
  readonly clusterIam: AwsClient
  /** Of the account with the zones. */
  readonly route53: AwsClient
  readonly zone: string
  create(assumeRole: object, spec?: object): Promise<void>
  said(): Promise<Readonly<Record<string, string>>>
  message(type: string): Promise<string | undefined>
  /** Long enough for the next try. */
  later(): Promise<void>
}

export async function twoAccounts(externalId?: string, more: Omit<DnsWorldOptions, 'sts'> = {}): Promise<Accounts> {
  let aws: Aws | undefined
  const world = dnsWorld({
    ...more,
    settings: { preflightEnabled: true, ...more.settings },
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
  const clusterIam = client('iam', clusterAccount)
  const keys = await userKeys(clusterIam)
  const route53 = client('route53', zonesAccount)
  const zone = await makeZone(route53, 'example.com')
  const trust = crossAccountTrust(`arn:aws:iam::${clusterAccount}:user/dns`, externalId)
  await iam.call('CreateRole', { RoleName: 'dns', AssumeRolePolicyDocument: JSON.stringify(trust) })
  await allow(iam)
  await world.secret('dns-creds', keys)
  world.start()
  return {
    world,
    aws: emulator,
    iam,
    clusterIam,
    route53,
    zone,
    create: async (assumeRole, spec = { zones: [zone] }) => {
      const provider = { type: 'AWS', aws: { credentials: { name: 'dns-creds' }, assumeRole } }
      await world.create({ ...awsSpec(), provider, ...spec }, 'blue', 'v1beta2')
      await world.settle()
    },
    said: () => world.said(),
    message: async type => (await world.dns()).status?.conditions?.find(condition => condition.type === type)?.message,
    later: () => world.advance(700_000),
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  }
}

/** Its id. */
export async function makeZone(route53: AwsClient, name: string, more: object = {}): Promise<string> {
  const { HostedZone } = await route53.call('CreateHostedZone', { Name: name, CallerReference: name, ...more })
  return String(Reflect.get(Object(HostedZone), 'Id')).replace('/hostedzone/', '')
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

export async function allow(iam: AwsClient, document: object = permissionPolicy()): Promise<void> {
  await iam.call('PutRolePolicy', { RoleName: 'dns', PolicyName: 'dns', PolicyDocument: JSON.stringify(document) })
}
