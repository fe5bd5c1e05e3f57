// What must survive lost answers and restarts, of the services that have state machines.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ACMClient, DescribeCertificateCommand, RequestCertificateCommand } from '@aws-sdk/client-acm'
import {
  CreateClusterCommand,
  CreatePodIdentityAssociationCommand,
  DescribeClusterCommand,
  ListPodIdentityAssociationsCommand,
} from '@aws-sdk/client-eks'
import {
  CreateAccessKeyCommand,
  CreateRoleCommand,
  CreateServiceLinkedRoleCommand,
  CreateUserCommand,
  DeleteServiceLinkedRoleCommand,
  GetServiceLinkedRoleDeletionStatusCommand,
  ListRolesCommand,
  PutRolePolicyCommand,
} from '@aws-sdk/client-iam'
import {
  ChangeResourceRecordSetsCommand,
  CreateHostedZoneCommand,
  GetChangeCommand,
  Route53Client,
} from '@aws-sdk/client-route-53'
import { CreateBucketCommand, GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3'
import { AssumeRoleCommand, type AssumeRoleCommandOutput, GetCallerIdentityCommand } from '@aws-sdk/client-sts'
import { ManualClock } from '#base'
import { createAws, type EmulatorCredentials, podIdentityAgent, sdkRequestHandler } from '#emulator'
import { accountA, type Clients, clients, refusal } from './clients.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs

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

function credentialsOf(issued: AssumeRoleCommandOutput['Credentials']): EmulatorCredentials {
  const { AccessKeyId: accessKeyId = '', SecretAccessKey: secretAccessKey = '', SessionToken: sessionToken = '' } = issued ?? {}
  return { accessKeyId, secretAccessKey, sessionToken }
}

test('an absent key is 403 for a caller who may not list, and 404 for one who may [#85]', async () => {
  const world = clients({ enforce: 'full' })
  await world.s3.send(new CreateBucketCommand({ Bucket: 'data' }))
  const asRole = async (name: string, actions: readonly string[]): Promise<Clients['s3']> => {
    const RoleArn = await role(world, name, actions)
    const { Credentials: issued } = await world.sts.send(new AssumeRoleCommand({ RoleArn, RoleSessionName: 'test' }))
    return world.as({ credentials: credentialsOf(issued) }).s3
  }
  const get = new GetObjectCommand({ Bucket: 'data', Key: 'absent' })
  const reader = await asRole('reader', ['s3:GetObject'])
  const lister = await asRole('lister', ['s3:GetObject', 's3:ListBucket'])
  const blind = await refusal(reader.send(get))
  assert.deepEqual([blind.code, blind.status], ['AccessDenied', 403])
  const seeing = await refusal(lister.send(get))
  assert.deepEqual([seeing.code, seeing.status], ['NoSuchKey', 404])
})

test('an association whose answer was lost is found again by its client token [#106]', async () => {
  const world = clients({ maxAttempts: 2 })
  const roleArn = await role(world, 'app', ['s3:*'])
  await world.eks.send(
    new CreateClusterCommand({ name: 'c1', roleArn, resourcesVpcConfig: { subnetIds: ['subnet-1', 'subnet-2'] } }),
  )
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

test('after a restart objects, pending certificates and changes go on where they were [#107]', async () => {
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

test('whoever asks cannot tell that there was a restart, whatever was under way [#107]', async () => {
  const delays = { iam: 10_000, association: 5_000, clusterReady: 60_000, dnsChange: 30_000, serviceLinkedRoleDeletion: 20_000 }
  const options = { seed: 'restart', profile: 'async', signatures: 'verify', enforce: 'full', knobs: { delays } } as const
  const world = clients(options)
  const held = await underWay(world)
  const clock = new ManualClock(world.clock.now())
  // The seed is told by the snapshot.
  const { seed: _seed, ...rest } = options
  const restarted = clients({}, { aws: createAws({ ...rest, clock, data: world.aws.snapshot() }), clock })
  const timeline: string[][] = []
  for (const stepMs of [0, 5_000, 5_000, 25_000, 60_000, hourMs, 72 * hourMs]) {
    await Promise.all([world.clock.advance(stepMs), clock.advance(stepMs)])
    const [before, after] = [await answersFor(world, held), await answersFor(restarted, held)]
    assert.deepEqual(after, before)
    timeline.push(before)
  }
  assert.equal(restarted.aws.nextDeadline(), world.aws.nextDeadline())
  const changed = (timeline[0] ?? []).filter((line, at) => timeline.some(later => later[at] !== line))
  assert.deepEqual(
    changed.map(line => line.split(' ')[0]),
    ['session', 'fresh', 'page', 'cluster', 'change', 'certificate', 'deletion', 'agent', 'token'],
    `they have to come to their ends in the meantime: ${JSON.stringify(timeline, undefined, 1)}`,
  )
})

interface Held {
  readonly user: EmulatorCredentials
  readonly session: EmulatorCredentials
  readonly marker: string | undefined
  readonly change: string | undefined
  readonly certificate: string | undefined
  readonly deletion: string | undefined
  readonly podToken: string
}

/** Something of every kind that takes its time, and what a client keeps of it. */
async function underWay(world: Clients): Promise<Held> {
  const { iam, eks, acm, route53, sts } = world
  const [app, plane] = [await role(world, 'app', ['s3:*', 'sts:*']), await role(world, 'plane', ['ec2:*'])]
  await iam.send(new CreateUserCommand({ UserName: 'ann' }))
  const { AccessKey } = await iam.send(new CreateAccessKeyCommand({ UserName: 'ann' }))
  await iam.send(new CreateServiceLinkedRoleCommand({ AWSServiceName: 'eks.amazonaws.com' }))
  await world.clock.advance(minuteMs)
  await eks.send(
    new CreateClusterCommand({ name: 'old', roleArn: plane, resourcesVpcConfig: { subnetIds: ['subnet-1', 'subnet-2'] } }),
  )
  await world.clock.advance(minuteMs)
  const association = { clusterName: 'old', namespace: 'n', serviceAccount: 's', roleArn: app, clientRequestToken: 't' }
  await eks.send(new CreatePodIdentityAssociationCommand(association))
  await eks.send(
    new CreateClusterCommand({ name: 'new', roleArn: plane, resourcesVpcConfig: { subnetIds: ['subnet-1', 'subnet-2'] } }),
  )
  await role(world, 'fresh', ['s3:*'])
  const { HostedZone } = await route53.send(new CreateHostedZoneCommand({ Name: 'example.com', CallerReference: '1' }))
  const set = { Name: 'a.example.com', Type: 'A' as const, TTL: 60, ResourceRecords: [{ Value: '10.0.0.1' }] }
  const ChangeBatch = { Changes: [{ Action: 'CREATE' as const, ResourceRecordSet: set }] }
  const { ChangeInfo } = await route53.send(new ChangeResourceRecordSetsCommand({ HostedZoneId: HostedZone?.Id, ChangeBatch }))
  const wanted = { DomainName: 'example.com', ValidationMethod: 'DNS', IdempotencyToken: 'once' } as const
  const { CertificateArn } = await acm.send(new RequestCertificateCommand(wanted))
  const RoleName = 'AWSServiceRoleForAmazonEKS'
  const { DeletionTaskId } = await iam.send(new DeleteServiceLinkedRoleCommand({ RoleName }))
  const { Credentials } = await sts.send(new AssumeRoleCommand({ RoleArn: app, RoleSessionName: 'held' }))
  const pod = {
    cluster: 'old',
    namespace: 'n',
    serviceAccount: 's',
    audience: 'pods.eks.amazonaws.com',
    podName: 'p',
    podUid: '1',
  }
  return {
    user: { accessKeyId: AccessKey?.AccessKeyId ?? '', secretAccessKey: AccessKey?.SecretAccessKey ?? '' },
    session: credentialsOf(Credentials),
    marker: (await iam.send(new ListRolesCommand({ MaxItems: 1 }))).Marker,
    change: ChangeInfo?.Id,
    certificate: CertificateArn,
    deletion: DeletionTaskId,
    podToken: world.aws.control('eks', 'signToken', pod) as string,
  }
}

/** One line per thing that was under way: its name, and how it stands. */
async function answersFor(world: Clients, held: Held): Promise<string[]> {
  const { iam, eks, acm, route53, sts } = world
  const asked: Readonly<Record<string, () => Promise<string | number | object | undefined>>> = {
    user: async () => (await world.as({ credentials: held.user }).sts.send(new GetCallerIdentityCommand({}))).Arn,
    session: async () => (await world.as({ credentials: held.session }).sts.send(new GetCallerIdentityCommand({}))).Arn,
    fresh: () => sts.send(new AssumeRoleCommand({ RoleArn: `arn:aws:iam::${accountA}:role/fresh`, RoleSessionName: 'x1' })),
    page: async () => (await iam.send(new ListRolesCommand({ MaxItems: 1, Marker: held.marker }))).Roles?.[0]?.RoleId,
    cluster: async () => (await eks.send(new DescribeClusterCommand({ name: 'new' }))).cluster?.status,
    change: async () => (await route53.send(new GetChangeCommand({ Id: held.change }))).ChangeInfo?.Status,
    certificate: async () =>
      (await acm.send(new DescribeCertificateCommand({ CertificateArn: held.certificate }))).Certificate?.Status,
    deletion: async () =>
      (await iam.send(new GetServiceLinkedRoleDeletionStatusCommand({ DeletionTaskId: held.deletion }))).Status,
    agent: async () => {
      const target = '/v1/credentials'
      const request = { method: 'GET', target, headers: { authorization: held.podToken }, body: null }
      const { status } = await podIdentityAgent(world.aws, { name: 'old' })(request)
      return status
    },
    // Within the hour the same certificate, after it another.
    token: async () => {
      const wanted = { DomainName: 'example.com', ValidationMethod: 'DNS', IdempotencyToken: 'once' } as const
      return (await acm.send(new RequestCertificateCommand(wanted))).CertificateArn
    },
  }
  const lines: string[] = []
  for (const [name, ask] of Object.entries(asked)) {
    const outcome = await ask().then(
      answer => (typeof answer === 'object' ? 'answered' : `${answer}`),
      (error: Error) => error.name,
    )
    lines.push(`${name} ${outcome}`)
  }
  return lines
}

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

test('a saved state is not taken up under another seed, whose keys would be others [#107]', () => {
  const data = createAws({ seed: 'one' }).snapshot()
  assert.deepEqual(createAws({ data }).adminCredentials(), createAws({ seed: 'one' }).adminCredentials())
  assert.throws(() => createAws({ seed: 'two', data }), /the saved state was made with another seed/)
})
