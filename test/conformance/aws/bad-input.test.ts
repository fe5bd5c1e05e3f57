// What a client should not send, per protocol: the codes AWS answers with (§3.2 to §3.11), and names at and past each limit.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ListCertificatesCommand, RequestCertificateCommand } from '@aws-sdk/client-acm'
import { CreateClusterCommand, ListClustersCommand } from '@aws-sdk/client-eks'
import {
  AttachRolePolicyCommand,
  CreateGroupCommand,
  CreateInstanceProfileCommand,
  CreatePolicyCommand,
  CreateRoleCommand,
  CreateUserCommand,
  ListRolesCommand,
  PutGroupPolicyCommand,
  PutRolePolicyCommand,
  PutUserPolicyCommand,
  TagRoleCommand,
  UpdateAssumeRolePolicyCommand,
} from '@aws-sdk/client-iam'
import { CreateHostedZoneCommand, ListHostedZonesCommand } from '@aws-sdk/client-route-53'
import { CreateBucketCommand, ListBucketsCommand } from '@aws-sdk/client-s3'
import { AssumeRoleCommand } from '@aws-sdk/client-sts'
import { accountA, type Clients, clients, refusal } from './clients.ts'

const form = { 'content-type': 'application/x-www-form-urlencoded' }
const code = (text: string): string | undefined => /<Code>(.*?)<\/Code>/.exec(text)?.[1] ?? /"__type":"(.*?)"/.exec(text)?.[1]
const trust = (Sid = ''): string =>
  JSON.stringify({
    Version: '2012-10-17',
    Statement: [{ ...(Sid && { Sid }), Effect: 'Allow', Principal: { AWS: accountA }, Action: 'sts:AssumeRole' }],
  })
/** A document that counts exactly this many characters. */
function documentOf(characters: number): string {
  const of = (name: string): string =>
    JSON.stringify({
      Version: '2012-10-17',
      Statement: [{ Effect: 'Allow', Action: 's3:GetObject', Resource: `arn:aws:s3:::${name}` }],
    })
  return of('x'.repeat(characters - of('').length))
}

const byFamily = (world: Pick<Clients, 'iam' | 'acm' | 'eks' | 's3' | 'route53'>): Record<string, () => Promise<unknown>> => ({
  iam: () => world.iam.send(new ListRolesCommand({})),
  acm: () => world.acm.send(new ListCertificatesCommand({})),
  eks: () => world.eks.send(new ListClustersCommand({})),
  s3: () => world.s3.send(new ListBucketsCommand({})),
  route53: () => world.route53.send(new ListHostedZonesCommand({})),
})

async function met(calls: Readonly<Record<string, () => Promise<unknown>>>): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {}
  for (const [name, call] of Object.entries(calls)) {
    found[name] = await call().then(
      () => 'ok',
      async (error: Error) => {
        const { code: refused, status } = await refusal(Promise.reject(error))
        return [refused, status]
      },
    )
  }
  return found
}

test('a clock that is off is refused past five minutes, by S3 past fifteen, in five ways', async () => {
  const skewed = async (ms: number): Promise<Record<string, unknown>> => {
    const world = clients()
    world.aws.faults.add({ match: {}, effect: { kind: 'clock-skew', ms } })
    return met(byFamily(world))
  }
  const past = {
    iam: ['SignatureDoesNotMatch', 403],
    acm: ['InvalidSignatureException', 400],
    eks: ['InvalidSignatureException', 403],
    s3: ['RequestTimeTooSkewed', 403],
    route53: ['SignatureDoesNotMatch', 403],
  }
  const fine = { iam: 'ok', acm: 'ok', eks: 'ok', s3: 'ok', route53: 'ok' }
  assert.deepEqual(await skewed(299_000), fine)
  assert.deepEqual(await skewed(302_000), { ...past, s3: 'ok' })
  assert.deepEqual(await skewed(-302_000), { ...past, s3: 'ok' })
  assert.deepEqual(await skewed(902_000), past)
})

test('a claim to an identity that cannot be read is refused in the words of each family', async () => {
  const world = clients()
  const broken = ['AWS4-HMAC-SHA256 nonsense', 'Basic abc', 'AWS4-HMAC-SHA256 Credential=a/b, SignedHeaders=host, Signature=c']
  for (const authorization of broken) {
    const send = async (target: string, headers: object, method = 'GET', body?: string): Promise<unknown> => {
      const answer = await world.raw({
        method,
        target,
        headers: { authorization, 'x-amz-date': '20260101T000000Z', ...headers },
        ...(body !== undefined && { body }),
      })
      return [answer.status, code(answer.text) ?? answer.headers['x-amzn-errortype']]
    }
    assert.deepEqual(
      await send('/', form, 'POST', 'Action=ListRoles&Version=2010-05-08'),
      [400, 'IncompleteSignature'],
      authorization,
    )
    const target = { 'x-amz-target': 'CertificateManager.ListCertificates' }
    assert.deepEqual(await send('/', target, 'POST', '{}'), [400, 'IncompleteSignatureException'], authorization)
    assert.deepEqual(await send('/clusters', {}), [403, 'IncompleteSignatureException'], authorization)
    assert.deepEqual(await send('/2013-04-01/hostedzone', {}), [400, 'IncompleteSignature'], authorization)
    const [status] = (await send('/', {})) as [number]
    assert.equal(status, 400, authorization)
  }
})

test('operations that are unknown or not served are refused by every service, and counted', async () => {
  const world = clients({ signatures: 'off' })
  const targets = {
    organizations: 'AWSOrganizationsV20161128.Nope',
    servicequotas: 'ServiceQuotasV20190624.Nope',
    tagging: 'ResourceGroupsTaggingAPI_20170126.Nope',
  }
  for (const target of Object.values(targets)) {
    const { status, text } = await world.raw({ method: 'POST', target: '/', headers: { 'x-amz-target': target }, body: '{}' })
    assert.deepEqual([status, code(text)], [400, 'UnknownOperationException'], target)
  }
  const sts = await world.raw({
    method: 'POST',
    target: '/',
    headers: form,
    body: 'Action=GetFederationToken&Version=2011-06-15',
  })
  assert.deepEqual([sts.status, code(sts.text)], [400, 'InvalidAction'])
  const signed = { as: 's3' }
  const select = await world.raw({ ...signed, method: 'POST', target: '/b/k?select&select-type=2', body: '' })
  assert.deepEqual([select.status, code(select.text)], [501, 'NotImplemented'])
  const method = await world.raw({ ...signed, method: 'PATCH', target: '/b/k' })
  assert.deepEqual([method.status, code(method.text)], [405, 'MethodNotAllowed'])
  const counted = Object.keys(world.aws.unimplemented())
  assert.deepEqual(
    counted.map(pair => pair.split(':')[0]),
    ['organizations', 'servicequotas', 'tagging', 'sts', 's3', 's3'],
  )
})

test('bodies that are no JSON, no XML, too deep, or that bring entities of their own are refused', async () => {
  const world = clients({ signatures: 'off' })
  await world.s3.send(new CreateBucketCommand({ Bucket: 'bucket-1' }))
  const outcome = async (call: Parameters<Clients['raw']>[0]): Promise<unknown> => {
    const { status, text, headers } = await world.raw(call)
    return [status, code(text) ?? headers['x-amzn-errortype']?.split(':')[0]]
  }
  const xml = (body: string): Promise<unknown> => outcome({ method: 'PUT', target: '/bucket-1?tagging', as: 's3', body })
  const deep = `${'<a>'.repeat(10_000)}${'</a>'.repeat(10_000)}`
  const laughs = '<!DOCTYPE x [<!ENTITY a "aaaa">]><Tagging><TagSet>&a;</TagSet></Tagging>'
  for (const body of ['<Tagging>', 'no XML', deep, laughs, '<Tagging></Taggin>', '<Tagging>&b;</Tagging>'])
    assert.deepEqual(await xml(body), [400, 'MalformedXML'], body.slice(0, 40))
  const json = (body: string): Promise<unknown> =>
    outcome({ method: 'POST', target: '/clusters', as: 'eks', headers: { 'content-type': 'application/json' }, body })
  for (const body of ['{', '[]', '"text"', '{"name":{}}', `${'['.repeat(50_000)}${']'.repeat(50_000)}`])
    assert.equal(((await json(body)) as [number])[0], 400, body.slice(0, 40))
  const acm = (body: string): Promise<unknown> =>
    outcome({ method: 'POST', target: '/', headers: { 'x-amz-target': 'CertificateManager.RequestCertificate' }, body })
  for (const body of ['{"DomainName":1}', '{"DomainName":"a.com","SubjectAlternativeNames":"b.com"}', 'null'])
    assert.equal(((await acm(body)) as [number])[0], 400, body)
  const deepForm = `Action=CreateRole&Version=2010-05-08&${'a.'.repeat(200)}=1`
  assert.deepEqual(await outcome({ method: 'POST', target: '/', headers: form, body: deepForm }), [400, 'MalformedInput'])
  const many = `Action=ListRoles&Version=2010-05-08&${Array.from({ length: 6_000 }, (_, index) => `a${index}=1`).join('&')}`
  assert.deepEqual(await outcome({ method: 'POST', target: '/', headers: form, body: many }), [400, 'MalformedInput'])
  const policy = await outcome({ method: 'PUT', target: '/bucket-1?policy', as: 's3', body: '{"Version":' })
  assert.deepEqual(policy, [400, 'MalformedPolicy'])
})

test('a body of more than 64 MB is refused before it is kept, in the words of its service', async () => {
  const piece = new Uint8Array(8 * 1024 * 1024)
  const outcome = async (method: string, target: string, headers: Record<string, string>): Promise<readonly unknown[]> => {
    const world = clients({ signatures: 'off' })
    let sent = 0
    const body = (async function* () {
      for (; sent < 20; sent++) yield piece
    })()
    const answer = await world.aws.handle({ method, target, headers: { host: '127.0.0.1', ...headers }, body })
    assert.ok(sent <= 9, 'the rest was not read')
    const text = Buffer.from(answer.body as Uint8Array).toString()
    return [answer.status, code(text), world.aws.calls.last()?.result]
  }
  assert.deepEqual(await outcome('PUT', '/bucket-1/k', {}), [400, 'EntityTooLarge', 'EntityTooLarge'])
  assert.deepEqual(await outcome('POST', '/', form), [413, 'RequestEntityTooLarge', 'RequestEntityTooLarge'])
})

test('names and documents at their limit are taken, one character more is refused', async () => {
  const world = clients()
  await world.iam.send(new CreateRoleCommand({ RoleName: 'r', AssumeRolePolicyDocument: trust() }))
  await world.iam.send(new CreateUserCommand({ UserName: 'u' }))
  await world.iam.send(new CreateGroupCommand({ GroupName: 'g' }))
  const rows: readonly (readonly [
    what: string,
    limit: number,
    code: string,
    call: (text: string, size: number) => Promise<unknown>,
  ])[] = [
    [
      'role name',
      64,
      'ValidationError',
      RoleName => world.iam.send(new CreateRoleCommand({ RoleName, AssumeRolePolicyDocument: trust() })),
    ],
    [
      'policy name',
      128,
      'ValidationError',
      PolicyName => world.iam.send(new CreatePolicyCommand({ PolicyName, PolicyDocument: documentOf(200) })),
    ],
    ['user name', 64, 'ValidationError', UserName => world.iam.send(new CreateUserCommand({ UserName }))],
    ['group name', 128, 'ValidationError', GroupName => world.iam.send(new CreateGroupCommand({ GroupName }))],
    [
      'instance profile name',
      128,
      'ValidationError',
      name => world.iam.send(new CreateInstanceProfileCommand({ InstanceProfileName: name })),
    ],
    ['tag key', 128, 'ValidationError', Key => world.iam.send(new TagRoleCommand({ RoleName: 'r', Tags: [{ Key, Value: '' }] }))],
    [
      'tag value',
      256,
      'ValidationError',
      Value => world.iam.send(new TagRoleCommand({ RoleName: 'r', Tags: [{ Key: 'k', Value }] })),
    ],
    [
      'role description',
      1_000,
      'ValidationError',
      (Description, size) =>
        world.iam.send(new CreateRoleCommand({ RoleName: `d-${size}`, AssumeRolePolicyDocument: trust(), Description })),
    ],
    [
      'session name',
      64,
      'ValidationError',
      RoleSessionName => world.sts.send(new AssumeRoleCommand({ RoleArn: `arn:aws:iam::${accountA}:role/r`, RoleSessionName })),
    ],
    [
      'cluster name',
      100,
      'InvalidParameterException',
      name =>
        world.eks.send(
          new CreateClusterCommand({
            name,
            roleArn: `arn:aws:iam::${accountA}:role/r`,
            resourcesVpcConfig: { subnetIds: ['subnet-1', 'subnet-2'] },
          }),
        ),
    ],
    ['bucket name', 63, 'InvalidBucketName', Bucket => world.s3.send(new CreateBucketCommand({ Bucket }))],
  ]
  for (const [what, limit, expected, call] of rows) {
    await call('a'.repeat(limit), limit)
    const { code: found, status } = await refusal(call('a'.repeat(limit + 1), limit + 1))
    assert.deepEqual([what, found, status], [what, expected, 400])
  }
})

test('policies are counted without white space and end at their sizes', async () => {
  const world = clients()
  const { iam } = world
  await iam.send(new CreateUserCommand({ UserName: 'u' }))
  await iam.send(new CreateGroupCommand({ GroupName: 'g' }))
  await iam.send(new CreateRoleCommand({ RoleName: 'r', AssumeRolePolicyDocument: trust() }))
  const rows: readonly (readonly [what: string, limit: number, put: (document: string, name: string) => Promise<unknown>])[] = [
    [
      'user',
      2_048,
      (PolicyDocument, PolicyName) => iam.send(new PutUserPolicyCommand({ UserName: 'u', PolicyName, PolicyDocument })),
    ],
    [
      'group',
      5_120,
      (PolicyDocument, PolicyName) => iam.send(new PutGroupPolicyCommand({ GroupName: 'g', PolicyName, PolicyDocument })),
    ],
    [
      'role',
      10_240,
      (PolicyDocument, PolicyName) => iam.send(new PutRolePolicyCommand({ RoleName: 'r', PolicyName, PolicyDocument })),
    ],
  ]
  for (const [what, limit, put] of rows) {
    await put(documentOf(limit), 'p')
    const { code: found, status, message } = await refusal(put(documentOf(limit + 1), 'p'))
    assert.deepEqual([what, found, status], [what, 'LimitExceededException', 409])
    assert.match(message, new RegExp(`${limit}|PolicySize`))
    await refusal(put(documentOf(200), 'second'))
  }
  const trusting = trust('x')
  const filled = (characters: number): string => trust('x'.repeat(1 + characters - trusting.length))
  await iam.send(new UpdateAssumeRolePolicyCommand({ RoleName: 'r', PolicyDocument: filled(2_048) }))
  const tooLong = await refusal(iam.send(new UpdateAssumeRolePolicyCommand({ RoleName: 'r', PolicyDocument: filled(2_049) })))
  assert.deepEqual([tooLong.code, tooLong.message], ['LimitExceededException', 'Cannot exceed quota for ACLSizePerRole: 2048'])
  const spaced = JSON.stringify(JSON.parse(filled(2_048)), undefined, 2)
  await iam.send(new UpdateAssumeRolePolicyCommand({ RoleName: 'r', PolicyDocument: spaced }))
})

test('ARNs, zone names and domain names that are none are refused in their service’s words', async () => {
  const world = clients()
  await world.iam.send(new CreateRoleCommand({ RoleName: 'r', AssumeRolePolicyDocument: trust() }))
  const zone = (Name: string): Promise<unknown> =>
    world.route53.send(new CreateHostedZoneCommand({ Name, CallerReference: Name }))
  assert.deepEqual(
    await met({
      attach: () => world.iam.send(new AttachRolePolicyCommand({ RoleName: 'r', PolicyArn: 'not-an-arn-not-an-arn' })),
      assume: () => world.sts.send(new AssumeRoleCommand({ RoleArn: 'arn:aws:iam::1:role/r-too-short', RoleSessionName: 'abc' })),
      'a label of 64': () => zone(`${'a'.repeat(64)}.com`),
      'an empty label': () => zone('a..com'),
      'a label of 63': () => zone(`${'a'.repeat(63)}.com`),
      domain: () => world.acm.send(new RequestCertificateCommand({ DomainName: 'a b.com' })),
    }),
    {
      attach: ['InvalidInputException', 400],
      assume: ['ValidationError', 400],
      'a label of 64': ['InvalidDomainName', 400],
      'an empty label': ['InvalidDomainName', 400],
      'a label of 63': 'ok',
      domain: ['ValidationException', 400],
    },
  )
})
