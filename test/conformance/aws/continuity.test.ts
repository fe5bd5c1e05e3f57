// What must survive lost answers and restarts, of the services that have state machines.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ACMClient, DescribeCertificateCommand, RequestCertificateCommand } from '@aws-sdk/client-acm'
import {
  CreateClusterCommand,
  CreatePodIdentityAssociationCommand,
  ListPodIdentityAssociationsCommand,
} from '@aws-sdk/client-eks'
import { CreateRoleCommand, PutRolePolicyCommand } from '@aws-sdk/client-iam'
import {
  ChangeResourceRecordSetsCommand,
  CreateHostedZoneCommand,
  GetChangeCommand,
  Route53Client,
} from '@aws-sdk/client-route-53'
import { CreateBucketCommand, GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3'
import { AssumeRoleCommand } from '@aws-sdk/client-sts'
import { ManualClock } from '#base'
import { createAws, sdkRequestHandler } from '#emulator'
import { accountA, type Clients, clients, refusal } from './clients.ts'

const trust = (Principal: object): string =>
  JSON.stringify({
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow', Principal, Action: ['sts:AssumeRole', 'sts:TagSession'] }],
  })

async function role({ iam }: Clients, RoleName: string, actions: readonly string[]): Promise<string> {
  const principal = { AWS: `arn:aws:iam::${accountA}:root`, Service: ['pods.eks.amazonaws.com', 'eks.amazonaws.com'] }
  const { Role } = await iam.send(new CreateRoleCommand({ RoleName, AssumeRolePolicyDocument: trust(principal) }))
  const PolicyDocument = JSON.stringify({
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow', Action: actions, Resource: '*' }],
  })
  await iam.send(new PutRolePolicyCommand({ RoleName, PolicyName: 'p', PolicyDocument }))
  return Role?.Arn ?? ''
}

test('85: an absent key is 403 for a caller who may not list, and 404 for one who may', async () => {
  const world = clients({ enforce: 'full' })
  await world.s3.send(new CreateBucketCommand({ Bucket: 'data' }))
  const asRole = async (name: string, actions: readonly string[]): Promise<Clients['s3']> => {
    const RoleArn = await role(world, name, actions)
    const { Credentials } = await world.sts.send(new AssumeRoleCommand({ RoleArn, RoleSessionName: 'test' }))
    const {
      AccessKeyId: accessKeyId = '',
      SecretAccessKey: secretAccessKey = '',
      SessionToken: sessionToken = '',
    } = Credentials ?? {}
    return world.as({ credentials: { accessKeyId, secretAccessKey, sessionToken } }).s3
  }
  const get = new GetObjectCommand({ Bucket: 'data', Key: 'absent' })
  const reader = await asRole('reader', ['s3:GetObject'])
  const lister = await asRole('lister', ['s3:GetObject', 's3:ListBucket'])
  const blind = await refusal(reader.send(get))
  assert.deepEqual([blind.code, blind.status], ['AccessDenied', 403])
  const seeing = await refusal(lister.send(get))
  assert.deepEqual([seeing.code, seeing.status], ['NoSuchKey', 404])
})

test('106: an association whose answer was lost is found again by its client token', async () => {
  const world = clients({ maxAttempts: 2 })
  const roleArn = await role(world, 'app', ['s3:*'])
  await world.eks.send(new CreateClusterCommand({ name: 'c1', roleArn, resourcesVpcConfig: {} }))
  world.aws.faults.add({ match: { operation: 'CreatePodIdentityAssociation' }, effect: { kind: 'timeout-after' }, times: 1 })
  const create = new CreatePodIdentityAssociationCommand({
    clusterName: 'c1',
    namespace: 'n',
    serviceAccount: 's',
    roleArn,
    clientRequestToken: 't',
  })
  await world.eks.send(create).catch(() => undefined)
  const { association } = await world.eks.send(create)
  const { associations } = await world.eks.send(new ListPodIdentityAssociationsCommand({ clusterName: 'c1' }))
  assert.deepEqual(
    associations?.map(one => one.associationId),
    [association?.associationId],
  )
})

test('107: after a restart objects, pending certificates and changes go on where they were', async () => {
  const delays = { dnsChange: 30_000, certificateDetails: 3_000, certificateIssue: 60_000 }
  const world = clients({ profile: 'async', signatures: 'parse', knobs: { delays } })
  await world.s3.send(new CreateBucketCommand({ Bucket: 'data' }))
  await world.s3.send(new PutObjectCommand({ Bucket: 'data', Key: 'k', Body: new Uint8Array([0, 255, 10]) }))
  const { HostedZone } = await world.route53.send(new CreateHostedZoneCommand({ Name: 'example.com', CallerReference: '1' }))
  const { CertificateArn } = await world.acm.send(
    new RequestCertificateCommand({ DomainName: 'example.com', ValidationMethod: 'DNS' }),
  )
  await world.clock.advance(30_000)
  const { Certificate } = await world.acm.send(new DescribeCertificateCommand({ CertificateArn }))
  const record = Certificate?.DomainValidationOptions?.[0]?.ResourceRecord
  const ResourceRecordSet = { Name: record?.Name, Type: record?.Type, TTL: 60, ResourceRecords: [{ Value: record?.Value }] }
  const { ChangeInfo } = await world.route53.send(
    new ChangeResourceRecordSetsCommand({
      HostedZoneId: HostedZone?.Id,
      ChangeBatch: { Changes: [{ Action: 'CREATE', ResourceRecordSet }] },
    }),
  )
  const data = world.aws.snapshot()
  const clock = new ManualClock(world.clock.now())
  const restarted = createAws({ seed: 'catalogue', clock, profile: 'async', knobs: { delays }, data })
  const common = {
    region: 'us-east-1',
    credentials: restarted.adminCredentials(),
    requestHandler: sdkRequestHandler(restarted.handle),
  }
  const [acm, route53] = [new ACMClient(common), new Route53Client(common)]
  const state = async (): Promise<(string | undefined)[]> => [
    (await route53.send(new GetChangeCommand({ Id: ChangeInfo?.Id }))).ChangeInfo?.Status,
    (await acm.send(new DescribeCertificateCommand({ CertificateArn }))).Certificate?.Status,
  ]
  assert.deepEqual(await state(), ['PENDING', 'PENDING_VALIDATION'])
  await clock.advance(30_000)
  assert.deepEqual(await state(), ['INSYNC', 'PENDING_VALIDATION'])
  await clock.advance(60_000)
  assert.deepEqual(await state(), ['INSYNC', 'ISSUED'])
  assert.equal(
    restarted.snapshot(),
    createAws({ seed: 'catalogue', clock, profile: 'async', knobs: { delays }, data: restarted.snapshot() }).snapshot(),
  )
})

test('a fork goes its own way: what is written there is not seen here', async () => {
  const world = clients({ signatures: 'parse' })
  await world.s3.send(new CreateBucketCommand({ Bucket: 'data' }))
  const fork = world.aws.fork()
  const put = { method: 'PUT', target: '/data/k', headers: { host: '127.0.0.1', 'x-amz-date': '20260101T000000Z' }, body: null }
  const authorization =
    'AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20260101/us-east-1/s3/aws4_request, SignedHeaders=host, Signature=0'
  const answer = await fork.handle({ ...put, headers: { ...put.headers, authorization } })
  assert.equal(answer.status, 200)
  const here = await refusal(world.s3.send(new GetObjectCommand({ Bucket: 'data', Key: 'k' })))
  assert.equal(here.code, 'NoSuchKey')
})
