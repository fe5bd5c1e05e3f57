import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RequestCertificateCommand } from '@aws-sdk/client-acm'
import { CreateOpenIDConnectProviderCommand, CreatePolicyCommand, CreateRoleCommand } from '@aws-sdk/client-iam'
import { CreateBucketCommand, PutBucketTaggingCommand } from '@aws-sdk/client-s3'
import { type Clients, clients } from './clients.ts'

const targets = {
  organizations: 'AWSOrganizationsV20161128',
  servicequotas: 'ServiceQuotasV20190624',
  tagging: 'ResourceGroupsTaggingAPI_20170126',
} as const

async function call(
  world: Clients,
  service: keyof typeof targets,
  operation: string,
  input: object = {},
  more: { readonly account?: string; readonly region?: string } = {},
): Promise<Record<string, unknown> & { readonly status: number }> {
  const scope = `${more.account ?? '123456789012'}/20260101/${more.region ?? 'us-east-1'}/${service}/aws4_request`
  const { status, text } = await world.raw({
    method: 'POST',
    target: '/',
    headers: {
      'x-amz-target': `${targets[service]}.${operation}`,
      'content-type': 'application/x-amz-json-1.1',
      authorization: `AWS4-HMAC-SHA256 Credential=${scope}, SignedHeaders=host, Signature=0`,
      'x-amz-date': '20260101T000000Z',
    },
    body: JSON.stringify(input),
  })
  return { status, ...(JSON.parse(text) as object) }
}

test('the organization, its accounts and where they hang', async () => {
  const world = clients({ signatures: 'parse' })
  const { Organization } = await call(world, 'organizations', 'DescribeOrganization')
  assert.deepEqual(Organization, {
    Id: 'o-emulator00',
    Arn: 'arn:aws:organizations::111111111111:organization/o-emulator00',
    FeatureSet: 'ALL',
    MasterAccountArn: 'arn:aws:organizations::111111111111:account/o-emulator00/111111111111',
    MasterAccountId: '111111111111',
    MasterAccountEmail: 'aws-111111111111@example.com',
    AvailablePolicyTypes: [{ Type: 'SERVICE_CONTROL_POLICY', Status: 'ENABLED' }],
  })
  const { Accounts } = await call(world, 'organizations', 'ListAccounts')
  assert.deepEqual(
    (Accounts as { Id: string }[]).map(one => one.Id),
    ['111111111111', '123456789012', '210987654321'],
  )
  const first = await call(world, 'organizations', 'ListAccounts', { MaxResults: 2 })
  const second = await call(world, 'organizations', 'ListAccounts', { MaxResults: 2, NextToken: first['NextToken'] })
  assert.deepEqual(
    [(first['Accounts'] as object[]).length, (second['Accounts'] as object[]).length, second['NextToken']],
    [2, 1, undefined],
  )
  const { Parents } = await call(world, 'organizations', 'ListParents', { ChildId: '123456789012' })
  assert.deepEqual(Parents, [{ Id: 'r-emu0', Type: 'ROOT' }])
  const absent = await call(world, 'organizations', 'DescribeAccount', { AccountId: '999999999999' })
  assert.deepEqual([absent.status, absent['__type']], [400, 'AccountNotFoundException'])
  const outside = await call(world, 'organizations', 'DescribeOrganization', {}, { account: '999999999999' })
  assert.deepEqual([outside.status, outside['__type']], [400, 'AWSOrganizationsNotInUseException'])
})

test('a quota has the value that is enforced, and its default beside it [#39]', async () => {
  const world = clients({ signatures: 'parse', knobs: { quotas: { roles: 3 } } })
  const quota = { ServiceCode: 'iam', QuotaCode: 'L-FE177D64' }
  const own = await call(world, 'servicequotas', 'GetServiceQuota', quota)
  const usual = await call(world, 'servicequotas', 'GetAWSDefaultServiceQuota', quota)
  assert.deepEqual([(own['Quota'] as { Value: number }).Value, (usual['Quota'] as { Value: number }).Value], [3, 1_000])
  const absent = await call(world, 'servicequotas', 'GetServiceQuota', { ...quota, QuotaCode: 'L-00000000' })
  assert.deepEqual([absent.status, absent['__type']], [400, 'NoSuchResourceException'])
  const list = await call(world, 'servicequotas', 'ListServiceQuotas', { ServiceCode: 'route53' })
  assert.deepEqual(
    (list['Quotas'] as { QuotaCode: string }[]).map(one => one.QuotaCode),
    ['L-4EA4796A', 'L-E209CC9F'],
  )
})

test('tagged resources are found by tag and type; roles are not covered, global ones are listed in us-east-1 only', async () => {
  const world = clients({ signatures: 'parse' })
  const Tags = [{ Key: 'team', Value: 'a' }]
  await world.s3.send(new CreateBucketCommand({ Bucket: 'data' }))
  await world.s3.send(new PutBucketTaggingCommand({ Bucket: 'data', Tagging: { TagSet: Tags } }))
  const { CertificateArn } = await world.acm.send(
    new RequestCertificateCommand({ DomainName: 'example.com', ValidationMethod: 'DNS', Tags }),
  )
  const AssumeRolePolicyDocument = JSON.stringify({
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow', Principal: { Service: 'ec2.amazonaws.com' }, Action: 'sts:AssumeRole' }],
  })
  await world.iam.send(new CreateRoleCommand({ RoleName: 'app', AssumeRolePolicyDocument, Tags }))
  const provider = { Url: 'https://issuer.example.com', ThumbprintList: ['a'.repeat(40)], Tags }
  await world.iam.send(new CreateOpenIDConnectProviderCommand(provider))
  const arns = async (input: object, region = 'us-east-1'): Promise<unknown[]> => {
    const { ResourceTagMappingList } = await call(world, 'tagging', 'GetResources', input, { region })
    return (ResourceTagMappingList as { ResourceARN: string }[]).map(one => one.ResourceARN)
  }
  const oidc = 'arn:aws:iam::123456789012:oidc-provider/issuer.example.com'
  const all = await arns({ TagFilters: [{ Key: 'team', Values: ['a', 'b'] }] })
  assert.deepEqual(all, [CertificateArn, oidc, 'arn:aws:s3:::data'])
  assert.deepEqual(await arns({ TagFilters: [{ Key: 'team', Values: ['b'] }] }), [])
  assert.deepEqual(await arns({ ResourceTypeFilters: ['acm:certificate'] }), [CertificateArn])
  assert.deepEqual(await arns({}, 'eu-west-1').then(list => list.includes(oidc)), false)
  const page = await call(world, 'tagging', 'GetResources', { ResourcesPerPage: 2 })
  const rest = await call(world, 'tagging', 'GetResources', { ResourcesPerPage: 2, PaginationToken: page['PaginationToken'] })
  assert.deepEqual(
    [(page['ResourceTagMappingList'] as object[]).length, (rest['ResourceTagMappingList'] as object[]).length],
    [2, 1],
  )
})

test('the tagging API does not list what has no tags', async () => {
  const world = clients({ signatures: 'parse' })
  const Statement = [{ Effect: 'Allow', Action: 's3:GetObject', Resource: '*' }]
  const PolicyDocument = JSON.stringify({ Version: '2012-10-17', Statement })
  await world.iam.send(new CreatePolicyCommand({ PolicyName: 'plain', PolicyDocument }))
  const Url = 'https://issuer.example.com'
  await world.iam.send(new CreateOpenIDConnectProviderCommand({ Url, ThumbprintList: ['a'.repeat(40)] }))
  await world.s3.send(new CreateBucketCommand({ Bucket: 'plain' }))
  const arns = async (): Promise<unknown[]> => {
    const { ResourceTagMappingList } = await call(world, 'tagging', 'GetResources', {})
    return (ResourceTagMappingList as { ResourceARN: string }[]).map(one => one.ResourceARN)
  }
  assert.deepEqual(await arns(), [])
  await world.iam.send(new CreatePolicyCommand({ PolicyName: 'marked', PolicyDocument, Tags: [{ Key: 'a', Value: '1' }] }))
  assert.deepEqual(await arns(), ['arn:aws:iam::123456789012:policy/marked'])
})
