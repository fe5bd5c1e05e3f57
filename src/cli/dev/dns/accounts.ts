// The other account of the story: it has a zone, and a role that may write in it.
import { type ShippedService, serviceModel } from '#aws'
import { type AwsClient, createAwsClient, inProcessTransport, staticCredentials } from '#aws/client'
import { isRecord } from '#base'
import { crossAccountTrust, permissionPolicy } from '#operators/dns'
import { account, type DevWorld, region, namesAccount as zonesAccount } from '../world.ts'

export const domain = 'example.com'

export interface NamesAccounts {
  readonly zone: string
  readonly roleArn: string
  /** The keys belong to a user of the cluster's account who may assume the role and nothing else. */
  readonly keys: Readonly<Record<string, string>>
}

export async function makeAccounts(world: DevWorld): Promise<NamesAccounts> {
  const roleArn = `arn:aws:iam::${zonesAccount}:role/dns`
  const [there, names] = [clientOf(world, 'iam', zonesAccount), clientOf(world, 'route53', zonesAccount)]
  const made = await names.call('CreateHostedZone', { Name: domain, CallerReference: 'story' })
  const zone = textOf(made['HostedZone'], 'Id').replace('/hostedzone/', '')
  const keys = await userKeys(clientOf(world, 'iam', account), roleArn)
  const AssumeRolePolicyDocument = JSON.stringify(crossAccountTrust(`arn:aws:iam::${account}:user/external-dns`))
  await there.call('CreateRole', { RoleName: 'dns', AssumeRolePolicyDocument })
  const PolicyDocument = JSON.stringify(permissionPolicy('aws', [zone]))
  await there.call('PutRolePolicy', { RoleName: 'dns', PolicyName: 'dns', PolicyDocument })
  return { zone, roleArn, keys }
}

function clientOf({ aws, seams }: DevWorld, service: ShippedService, of: string): AwsClient {
  return createAwsClient({
    model: serviceModel(service),
    region,
    credentials: staticCredentials(aws.adminCredentials(of)),
    transport: inProcessTransport(aws.handle),
    clock: seams.clock,
    random: seams.random,
  })
}

async function userKeys(iam: AwsClient, roleArn: string): Promise<Readonly<Record<string, string>>> {
  const UserName = 'external-dns'
  await iam.call('CreateUser', { UserName })
  const Statement = [{ Effect: 'Allow', Action: 'sts:AssumeRole', Resource: roleArn }]
  const PolicyDocument = JSON.stringify({ Version: '2012-10-17', Statement })
  await iam.call('PutUserPolicy', { UserName, PolicyName: 'assume', PolicyDocument })
  const { AccessKey } = await iam.call('CreateAccessKey', { UserName })
  return {
    aws_access_key_id: textOf(AccessKey, 'AccessKeyId'),
    aws_secret_access_key: textOf(AccessKey, 'SecretAccessKey'),
  }
}

function textOf(value: unknown, field: string): string {
  const text = isRecord(value) ? value[field] : undefined
  return typeof text === 'string' ? text : ''
}
