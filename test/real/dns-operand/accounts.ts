// Two accounts of the emulator: one has the zone and the role, the other has the cluster and its credentials. Reached by name, through the
// gateway and over TLS, as real ones are.
import { Resolver } from 'node:dns/promises'
import { AwsError, type ShippedService, serviceModel } from '#aws'
import { type AwsClient, createAwsClient, inProcessTransport, staticCredentials } from '#aws/client'
import { isRecord, seededRandom, systemClock, systemNet } from '#base'
import { type Aws, createAws } from '#emulator'
import { type Gateway, isAwsHost, openGateway } from '../../../src/cli/dev/node/index.ts'

export const zonesAccount = '111111111111'
export const clusterAccount = '222222222222'
export const domain = 'example.com'
export const roleArn = (name: string): string => `arn:aws:iam::${zonesAccount}:role/${name}`

export interface Accounts extends AsyncDisposable {
  readonly aws: Aws
  readonly gateway: Gateway
  /** `http://127.0.0.1:port`. */
  readonly endpoint: string
  readonly zone: string
  client(service: ShippedService, account: string): AwsClient
  /** A user of the cluster's account with keys, who may assume these roles. */
  userKeys(name: string, roles: readonly string[]): Promise<Readonly<Record<string, string>>>
  /** Makes a role of an account, or gives it another trust and other rights. */
  role(role: RoleOfAccount): Promise<void>
  /** Takes all rights from a role. */
  withdraw(role: string): Promise<void>
  /** A record of somebody else in the zone. */
  foreignRecord(name: string, address: string): Promise<void>
  /** `foreign-0`, `foreign-1` and so on. */
  manyForeignRecords(count: number): Promise<void>
  /** All sets of the zone but NS and SOA, as `type name value`. */
  records(): Promise<readonly string[]>
  /** What a resolver is told. */
  resolve(name: string, type: 'A' | 'TXT'): Promise<readonly string[]>
}

export interface RoleOfAccount {
  readonly name: string
  readonly account?: string
  readonly trust: object
  readonly rights: object
}

export async function openAccounts(knobs: Readonly<Record<string, unknown>> = {}): Promise<Accounts> {
  const accounts = [zonesAccount, clusterAccount]
  const aws = createAws({ seed: 18, accounts, enforce: 'full', signatures: 'verify', profile: 'instant', net: systemNet, knobs })
  const [plain, tls, dns] = [await aws.listen(), await aws.listen({ tls: true }), await aws.dns.listen()]
  const gateway = await openGateway(host => (isAwsHost(host) ? tls.port : undefined))
  const client: Accounts['client'] = (service, account) =>
    createAwsClient({
      model: serviceModel(service),
      region: 'us-east-1',
      credentials: staticCredentials(aws.adminCredentials(account)),
      transport: inProcessTransport(aws.handle),
      clock: systemClock,
      random: seededRandom(3),
    })
  const route53 = client('route53', zonesAccount)
  const made = await route53.call('CreateHostedZone', { Name: domain, CallerReference: '1' })
  const zone = textOf(made['HostedZone'], 'Id').replace('/hostedzone/', '')
  const resolver = new Resolver()
  resolver.setServers([`127.0.0.1:${dns.port}`])
  return {
    aws,
    gateway,
    endpoint: `http://127.0.0.1:${plain.port}`,
    zone,
    client,
    userKeys: (name, roles) => userKeys(client('iam', clusterAccount), name, roles),
    role: async ({ name, account = zonesAccount, trust, rights }) => {
      const iam = client('iam', account)
      const AssumeRolePolicyDocument = JSON.stringify(trust)
      await iam.call('CreateRole', { RoleName: name, AssumeRolePolicyDocument }).catch(async (error: unknown) => {
        if (!(error instanceof AwsError) || error.code !== 'EntityAlreadyExists') throw error
        await iam.call('UpdateAssumeRolePolicy', { RoleName: name, PolicyDocument: AssumeRolePolicyDocument })
      })
      await iam.call('PutRolePolicy', { RoleName: name, PolicyName: 'rights', PolicyDocument: JSON.stringify(rights) })
    },
    withdraw: async role => {
      await client('iam', zonesAccount).call('DeleteRolePolicy', { RoleName: role, PolicyName: 'rights' })
    },
    foreignRecord: (name, address) => addRecords(route53, zone, [[name, address]]),
    manyForeignRecords: async count => {
      const all = Array.from({ length: count }, (_, index) => [`foreign-${index}.${domain}`, '198.51.100.7'] as const)
      for (let from = 0; from < count; from += 500) await addRecords(route53, zone, all.slice(from, from + 500))
    },
    records: () => recordsOf(route53, zone),
    resolve: async (name, type) => {
      const found = type === 'A' ? await resolver.resolve4(name) : (await resolver.resolveTxt(name)).flat()
      return found
    },
    [Symbol.asyncDispose]: async () => {
      await gateway.close()
      await aws.close()
    },
  }
}

async function userKeys(iam: AwsClient, name: string, roles: readonly string[]): Promise<Readonly<Record<string, string>>> {
  await iam.call('CreateUser', { UserName: name })
  const Statement = [{ Effect: 'Allow', Action: 'sts:AssumeRole', Resource: roles }]
  const PolicyDocument = JSON.stringify({ Version: '2012-10-17', Statement })
  await iam.call('PutUserPolicy', { UserName: name, PolicyName: 'assume', PolicyDocument })
  const { AccessKey } = await iam.call('CreateAccessKey', { UserName: name })
  return {
    aws_access_key_id: textOf(AccessKey, 'AccessKeyId'),
    aws_secret_access_key: textOf(AccessKey, 'SecretAccessKey'),
  }
}

async function addRecords(route53: AwsClient, zone: string, records: readonly (readonly [string, string])[]): Promise<void> {
  const Changes = records.map(([Name, Value]) => ({
    Action: 'CREATE',
    ResourceRecordSet: { Name, Type: 'A', TTL: 300, ResourceRecords: [{ Value }] },
  }))
  await route53.call('ChangeResourceRecordSets', { HostedZoneId: zone, ChangeBatch: { Changes } })
}

async function recordsOf(route53: AwsClient, zone: string): Promise<readonly string[]> {
  const sets: unknown[] = []
  for (let from: object = {}; ; ) {
    const page = await route53.call('ListResourceRecordSets', { HostedZoneId: zone, ...from })
    if (Array.isArray(page['ResourceRecordSets'])) sets.push(...(page['ResourceRecordSets'] as unknown[]))
    if (page['IsTruncated'] !== true) break
    from = { StartRecordName: page['NextRecordName'], StartRecordType: page['NextRecordType'] }
  }
  return sets
    .filter(set => !['NS', 'SOA'].includes(textOf(set, 'Type')))
    .map(set => `${textOf(set, 'Type')} ${textOf(set, 'Name')} ${valuesOf(set).join()}`)
    .sort()
}

function valuesOf(set: unknown): readonly string[] {
  const records = isRecord(set) ? set['ResourceRecords'] : []
  return Array.isArray(records) ? records.map(record => textOf(record, 'Value')) : []
}

function textOf(value: unknown, name: string): string {
  const text = isRecord(value) ? value[name] : undefined
  return typeof text === 'string' ? text : ''
}
