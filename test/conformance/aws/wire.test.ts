import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ACMClient, ListCertificatesCommand } from '@aws-sdk/client-acm'
import { EKSClient, ListClustersCommand } from '@aws-sdk/client-eks'
import { CreateRoleCommand, GetRoleCommand, IAMClient, ListRolesCommand, PutRolePolicyCommand } from '@aws-sdk/client-iam'
import { ListHostedZonesCommand, Route53Client } from '@aws-sdk/client-route-53'
import {
  CreateBucketCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListBucketsCommand,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3'
import { AssumeRoleCommand, GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts'
import { given, ManualClock } from '#base'
import { createAws, sdkRequestHandler } from '#emulator'
import { accountA, type Clients, clients, refusal } from './clients.ts'
import { signedRequest } from './signed.ts'

const trust = JSON.stringify({
  Version: '2012-10-17',
  Statement: [{ Effect: 'Allow', Principal: { AWS: accountA }, Action: 'sts:AssumeRole' }],
})
const form = { 'content-type': 'application/x-www-form-urlencoded' }
const code = (text: string): string | undefined => /<Code>(.*?)<\/Code>/.exec(text)?.[1] ?? /"__type":"(.*?)"/.exec(text)?.[1]

test('with nothing but an address for all of them, one call of each service is found and served over a socket [#1]', async () => {
  const aws = createAws({ signatures: 'verify' })
  await using _closing = { [Symbol.asyncDispose]: () => aws.close() }
  const { host, port } = await aws.listen()
  const common = { endpoint: `http://${host}:${port}`, region: 'eu-west-1', credentials: aws.adminCredentials() }
  const iam = new IAMClient(common)
  const s3 = new S3Client(common)
  const sts = new STSClient(common)
  const acm = new ACMClient(common)
  const eks = new EKSClient(common)
  const route53 = new Route53Client(common)
  await iam.send(new ListRolesCommand({}))
  await s3.send(new ListBucketsCommand({}))
  await sts.send(new GetCallerIdentityCommand({}))
  await acm.send(new ListCertificatesCommand({}))
  await eks.send(new ListClustersCommand({}))
  await route53.send(new ListHostedZonesCommand({}))
  for (const client of [iam, s3, sts, acm, eks, route53]) client.destroy()
  assert.deepEqual(aws.unimplemented(), {})
  assert.deepEqual(
    aws.calls.all().map(call => [call.service, call.region, call.result]),
    ['iam', 's3', 'sts', 'acm', 'eks', 'route53'].map(service => [service, 'eu-west-1', 'ok']),
  )
})

test('a GET that is signed in its query is answered [#3]', async () => {
  const world = clients()
  const target = '/?Action=GetCallerIdentity&Version=2011-06-15'
  const { status, text } = await world.raw(await signedRequest(world, { service: 'sts', method: 'GET', target, presign: true }))
  assert.equal(status, 200)
  assert.match(text, /<Arn>arn:aws:iam::123456789012:user\/emulator-admin<\/Arn>/)
})

test('IAM takes a scope of any region [#4]', async () => {
  const world = clients()
  await world.as({ region: 'eu-central-1' }).iam.send(new ListRolesCommand({}))
})

test('what is not signed is refused, in each protocol’s words [#5]', async () => {
  const world = clients()
  const iam = await world.raw({
    method: 'POST',
    target: '/',
    headers: form,
    body: `Action=CreateRole&Version=2010-05-08&RoleName=r`,
  })
  assert.deepEqual([iam.status, code(iam.text)], [403, 'MissingAuthenticationToken'])
  const acm = await world.raw({
    method: 'POST',
    target: '/',
    headers: { 'x-amz-target': 'CertificateManager.ListCertificates' },
    body: '{}',
  })
  assert.deepEqual([acm.status, code(acm.text)], [400, 'MissingAuthenticationTokenException'])
  const route53 = await world.raw({ method: 'GET', target: '/2013-04-01/hostedzone' })
  assert.deepEqual([route53.status, code(route53.text)], [403, 'MissingAuthenticationToken'])
  const s3 = await world.raw({ method: 'GET', target: '/' })
  assert.deepEqual([s3.status, code(s3.text)], [403, 'AccessDenied'])
  const eks = await world.raw({ method: 'GET', target: '/clusters' })
  assert.deepEqual([eks.status, eks.headers['x-amzn-errortype']], [403, 'MissingAuthenticationTokenException'])
})

const families = (
  world: Pick<Clients, 'iam' | 'acm' | 'eks' | 's3' | 'route53'>,
): readonly (readonly [string, () => Promise<unknown>])[] => [
  ['iam', () => world.iam.send(new ListRolesCommand({}))],
  ['acm', () => world.acm.send(new ListCertificatesCommand({}))],
  ['eks', () => world.eks.send(new ListClustersCommand({}))],
  ['s3', () => world.s3.send(new ListBucketsCommand({}))],
  ['route53', () => world.route53.send(new ListHostedZonesCommand({}))],
]

test('a key that nobody has is refused in five ways [#6]', async () => {
  const stranger = clients().as({ credentials: { accessKeyId: 'AKIAAAAAAAAAAAAAAAAA', secretAccessKey: 'x' } })
  const met: Record<string, unknown> = {}
  for (const [name, call] of families(stranger)) {
    const { code: found, status } = await refusal(call())
    met[name] = [found, status]
  }
  assert.deepEqual(met, {
    iam: ['InvalidClientTokenId', 403],
    acm: ['UnrecognizedClientException', 400],
    eks: ['UnrecognizedClientException', 403],
    s3: ['InvalidAccessKeyId', 403],
    route53: ['InvalidClientTokenId', 403],
  })
})

test('a signature made with another secret is refused in five ways [#7]', async () => {
  const world = clients()
  const forger = world.as({ credentials: { ...world.aws.adminCredentials(), secretAccessKey: 'wrong' } })
  const met: Record<string, unknown> = {}
  for (const [name, call] of families(forger)) {
    const { code: found, status } = await refusal(call())
    met[name] = [found, status]
  }
  assert.deepEqual(met, {
    iam: ['SignatureDoesNotMatch', 403],
    acm: ['InvalidSignatureException', 400],
    eks: ['InvalidSignatureException', 403],
    s3: ['SignatureDoesNotMatch', 403],
    route53: ['SignatureDoesNotMatch', 403],
  })
})

test('any change to what was signed is noticed [#7]', async () => {
  const world = clients()
  const body = 'Action=GetRole&Version=2010-05-08&RoleName=r'
  const good = await signedRequest(world, { service: 'iam', method: 'POST', target: '/', headers: form, body })
  const changes: readonly (readonly [string, object])[] = [
    [
      'the signature',
      {
        headers: {
          ...good.headers,
          authorization: good.headers['authorization']?.replace(/Signature=./, match =>
            match.endsWith('0') ? 'Signature=1' : 'Signature=0',
          ),
        },
      },
    ],
    ['the body', { body: body.replace('=r', '=s') }],
    ['the query', { target: '/?x=1' }],
    ['the path', { target: '/x' }],
    ['the method', { method: 'PUT' }],
    [
      'a signed header',
      {
        headers: {
          ...good.headers,
          'x-amz-date': good.headers['x-amz-date']?.replace(/\d\dZ$/, match => (match === '00Z' ? '01Z' : '00Z')),
        },
      },
    ],
    ['the host', { headers: { ...good.headers, host: 'other' } }],
  ]
  assert.equal(code((await world.raw(good)).text), 'NoSuchEntity')
  for (const [name, change] of changes) {
    const { status, text } = await world.raw({ ...good, ...change } as typeof good)
    assert.deepEqual([name, status, code(text)], [name, 403, 'SignatureDoesNotMatch'])
  }
})

test('a session that is over is told so [#8]', async () => {
  const world = clients()
  const { Role } = await world.iam.send(new CreateRoleCommand({ RoleName: 'r', AssumeRolePolicyDocument: trust }))
  const { Credentials: made } = await world.sts.send(new AssumeRoleCommand({ RoleArn: Role?.Arn, RoleSessionName: 'session' }))
  const credentials = {
    accessKeyId: made?.AccessKeyId ?? '',
    secretAccessKey: made?.SecretAccessKey ?? '',
    sessionToken: made?.SessionToken ?? '',
  }
  const session = world.as({ credentials })
  await world.clock.advance(3_600_000)
  const iam = await refusal(session.iam.send(new ListRolesCommand({})))
  assert.deepEqual([iam.code, iam.status], ['ExpiredToken', 403])
  const s3 = await refusal(session.s3.send(new ListBucketsCommand({})))
  assert.deepEqual([s3.code, s3.status], ['ExpiredToken', 400])
})

test("the SDK's provider takes new credentials when the old ones are over, and the call succeeds [#8]", async ({ mock }) => {
  const startMs = Date.UTC(2026, 0, 1)
  mock.timers.enable({ apis: ['Date'], now: startMs })
  const world = clients({ clock: new ManualClock(startMs) })
  const { Role } = await world.iam.send(new CreateRoleCommand({ RoleName: 'r', AssumeRolePolicyDocument: trust }))
  const statement = { Effect: 'Allow', Action: 'iam:ListRoles', Resource: '*' }
  const PolicyDocument = JSON.stringify({ Version: '2012-10-17', Statement: [statement] })
  await world.iam.send(new PutRolePolicyCommand({ RoleName: 'r', PolicyName: 'list', PolicyDocument }))
  const keys: string[] = []
  const session = new IAMClient({
    region: 'us-east-1',
    requestHandler: sdkRequestHandler(world.aws.handle),
    credentials: async () => {
      const assumed = await world.sts.send(new AssumeRoleCommand({ RoleArn: Role?.Arn, RoleSessionName: 'session' }))
      const { AccessKeyId = '', SecretAccessKey = '', SessionToken = '', Expiration } = assumed.Credentials ?? {}
      keys.push(AccessKeyId)
      const pair = { accessKeyId: AccessKeyId, secretAccessKey: SecretAccessKey, sessionToken: SessionToken }
      return { ...pair, ...(Expiration !== undefined && { expiration: Expiration }) }
    },
  })
  const list = (): Promise<unknown> => session.send(new ListRolesCommand({}))
  await list()
  await list()
  assert.equal(keys.length, 1)
  await world.clock.advance(3_600_000)
  mock.timers.setTime(world.clock.now())
  await list()
  assert.equal(new Set(keys).size, 2)
})

test('a session needs its own token beside its key [#8]', async () => {
  const world = clients()
  const { Role } = await world.iam.send(new CreateRoleCommand({ RoleName: 'r', AssumeRolePolicyDocument: trust }))
  const { Credentials: made } = await world.sts.send(new AssumeRoleCommand({ RoleArn: Role?.Arn, RoleSessionName: 'session' }))
  const pair = { accessKeyId: made?.AccessKeyId ?? '', secretAccessKey: made?.SecretAccessKey ?? '' }
  for (const credentials of [pair, { ...pair, sessionToken: `${made?.SessionToken}x` }]) {
    assert.equal((await refusal(world.as({ credentials }).iam.send(new ListRolesCommand({})))).code, 'InvalidClientTokenId')
  }
})

test('a request dated twenty minutes back is refused, and the SDK corrects its clock from the answer [#9]', async () => {
  const clock = new ManualClock(Date.now() + 20 * 60_000)
  const aws = createAws({ clock, signatures: 'verify', knobs: { virtualDateHeader: true } })
  await using _closing = { [Symbol.asyncDispose]: () => aws.close() }
  const { host, port } = await aws.listen()
  const common = {
    endpoint: `http://${host}:${port}`,
    region: 'us-east-1',
    credentials: aws.adminCredentials(),
  }
  const once = new IAMClient({ ...common, maxAttempts: 1 })
  const { code: found, message } = await refusal(once.send(new ListRolesCommand({})))
  assert.equal(found, 'SignatureDoesNotMatch')
  assert.match(message, /^Signature expired: \d{8}T\d{6}Z is now earlier than \d{8}T\d{6}Z \(\d{8}T\d{6}Z - 5 min\.\)$/)
  const twice = new IAMClient({ ...common, maxAttempts: 2 })
  await twice.send(new ListRolesCommand({}))
  assert.deepEqual(
    aws.calls.all().map(call => call.result),
    ['SignatureDoesNotMatch', 'SignatureDoesNotMatch', 'ok'],
  )
  once.destroy()
  twice.destroy()
})

test('what is not known is refused and counted [#10]', async () => {
  const world = clients({ signatures: 'off' })
  const iam = await world.raw({ method: 'POST', target: '/', headers: form, body: 'Action=Nope&Version=2010-05-08' })
  assert.deepEqual([iam.status, code(iam.text), iam.headers['x-emulator-unimplemented']], [400, 'InvalidAction', 'iam:Nope'])
  const acm = await world.raw({ method: 'POST', target: '/', headers: { 'x-amz-target': 'CertificateManager.Nope' }, body: '{}' })
  assert.deepEqual(
    [acm.status, code(acm.text), acm.headers['x-emulator-unimplemented']],
    [400, 'UnknownOperationException', 'acm:Nope'],
  )
  const known = await world.raw({
    method: 'POST',
    target: '/',
    headers: form,
    body: 'Action=GetCredentialReport&Version=2010-05-08',
  })
  assert.deepEqual([known.status, code(known.text)], [400, 'InvalidAction'])
  const none = await world.raw({ method: 'POST', target: '/', headers: form, body: 'Version=2010-05-08' })
  assert.deepEqual([none.status, code(none.text)], [400, 'MissingAction'])
  const route = await world.raw({ method: 'GET', target: '/2013-04-01/nothing' })
  assert.deepEqual([route.status, code(route.text)], [404, 'UnknownOperationException'])
  const eks = await world.raw({ method: 'GET', target: '/clusters/a/b/c/d' })
  assert.deepEqual([eks.status, eks.headers['x-amzn-errortype']], [404, 'UnknownOperationException'])
  assert.deepEqual(world.aws.unimplemented(), {
    'iam:Nope': 1,
    'acm:Nope': 1,
    'iam:GetCredentialReport': 1,
    'iam:none': 1,
    'route53:GET /2013-04-01/nothing': 1,
    'eks:GET /clusters/a/b/c/d': 1,
  })
})

test('a role name of 65 characters is too long, and several faults are told together [#11]', async () => {
  const world = clients()
  const RoleName = 'r'.repeat(65)
  const {
    code: found,
    status,
    message,
  } = await refusal(world.iam.send(new CreateRoleCommand({ RoleName, AssumeRolePolicyDocument: trust })))
  assert.deepEqual([found, status], ['ValidationError', 400])
  assert.equal(
    message,
    `1 validation error detected: Value '${RoleName}' at 'roleName' failed to satisfy constraint: Member must have length less than or equal to 64`,
  )
  const two = await refusal(
    world.iam.send(new CreateRoleCommand({ RoleName: 'a b', AssumeRolePolicyDocument: trust, MaxSessionDuration: 1 })),
  )
  assert.equal(
    two.message,
    "2 validation errors detected: Value 'a b' at 'roleName' failed to satisfy constraint: Member must satisfy regular expression pattern: [\\w+=,.@-]+; Value '1' at 'maxSessionDuration' failed to satisfy constraint: Member must have value greater than or equal to 3600",
  )
})

test('a checksum that does not fit the bytes is a bad digest [#12]', async () => {
  const world = clients({ signatures: 'parse' })
  await world.s3.send(new CreateBucketCommand({ Bucket: 'bucket-1' }))
  const put = (headers: Readonly<Record<string, string>>): ReturnType<Clients['raw']> =>
    signedRequest(world, { service: 's3', method: 'PUT', target: '/bucket-1/k', headers, body: 'x' }).then(world.raw)
  assert.equal((await put({ 'x-amz-checksum-crc32': 'jNy78Q==' })).status, 400)
  const wrong = await put({ 'x-amz-checksum-crc32': 'AAAAAA==' })
  assert.deepEqual([wrong.status, code(wrong.text)], [400, 'BadDigest'])
  const md5 = await put({ 'content-md5': 'nonsense' })
  assert.deepEqual([md5.status, code(md5.text)], [400, 'InvalidDigest'])
})

test('one object under three kinds of address; the HEAD of a missing one has an id and no body [#13, #14]', async () => {
  const world = clients()
  const { s3 } = world.as({ region: 'eu-west-1' })
  await s3.send(new CreateBucketCommand({ Bucket: 'bucket-1', CreateBucketConfiguration: { LocationConstraint: 'eu-west-1' } }))
  await s3.send(new PutObjectCommand({ Bucket: 'bucket-1', Key: 'a/k', Body: 'hello' }))
  for (const [host, target] of [
    ['127.0.0.1', '/bucket-1/a/k'],
    ['bucket-1.s3.eu-west-1.amazonaws.com', '/a/k'],
    ['bucket-1.localhost', '/a/k'],
  ] as const) {
    const { status, text } = await world.raw(
      await signedRequest(world, { service: 's3', region: 'eu-west-1', method: 'GET', target, headers: { host } }),
    )
    assert.deepEqual([host, status, text], [host, 200, 'hello'])
  }
  const missing = await world.raw(
    await signedRequest(world, { service: 's3', region: 'eu-west-1', method: 'HEAD', target: '/bucket-1/none' }),
  )
  assert.deepEqual([missing.status, missing.text], [404, ''])
  assert.match(missing.headers['x-amz-request-id'] ?? '', /^[0-9A-F]{16}$/)
  assert.equal((await refusal(s3.send(new HeadObjectCommand({ Bucket: 'bucket-1', Key: 'none' })))).code, 'NotFound')
  const read = await s3.send(new GetObjectCommand({ Bucket: 'bucket-1', Key: 'a/k' }))
  assert.equal(await read.Body?.transformToString(), 'hello')
})

test('five roles come in pages of two, and a forged marker is refused [#15, #16]', async () => {
  const world = clients()
  for (const name of ['c', 'a', 'e', 'b', 'd'])
    await world.iam.send(new CreateRoleCommand({ RoleName: name, AssumeRolePolicyDocument: trust }))
  const pages: unknown[] = []
  let Marker: string | undefined
  do {
    const page = await world.iam.send(new ListRolesCommand({ MaxItems: 2, ...given({ Marker }) }))
    pages.push([page.Roles?.map(role => role.RoleName), page.IsTruncated])
    Marker = page.Marker
  } while (Marker !== undefined)
  assert.deepEqual(pages, [
    [['a', 'b'], true],
    [['c', 'd'], true],
    [['e'], false],
  ])
  const { code: found, status } = await refusal(world.iam.send(new ListRolesCommand({ Marker: 'Zm9yZ2Vk' })))
  assert.deepEqual([found, status], ['ValidationError', 400])
})

test('a partition has its own ARNs and its own keys [#17]', async () => {
  const world = clients()
  const china = world.as({ region: 'cn-north-1', credentials: world.aws.adminCredentials(accountA, 'aws-cn') })
  const { Role } = await china.iam.send(new CreateRoleCommand({ RoleName: 'r', AssumeRolePolicyDocument: trust }))
  assert.equal(Role?.Arn, `arn:aws-cn:iam::${accountA}:role/r`)
  assert.equal(
    (await refusal(world.as({ region: 'cn-north-1' }).iam.send(new ListRolesCommand({})))).code,
    'InvalidClientTokenId',
  )
  assert.equal((await refusal(world.iam.send(new GetRoleCommand({ RoleName: 'r' })))).code, 'NoSuchEntityException')
})

test('bodies that cannot be read are malformed in each protocol', async () => {
  const world = clients({ signatures: 'off' })
  const acm = await world.raw({
    method: 'POST',
    target: '/',
    headers: { 'x-amz-target': 'CertificateManager.ListCertificates' },
    body: '{',
  })
  assert.deepEqual([acm.status, code(acm.text)], [400, 'SerializationException'])
  const type = await world.raw({
    method: 'POST',
    target: '/',
    headers: { 'x-amz-target': 'CertificateManager.ListCertificates' },
    body: '{"MaxItems":"many"}',
  })
  assert.deepEqual([type.status, code(type.text)], [400, 'SerializationException'])
  const iam = await world.raw({
    method: 'POST',
    target: '/',
    headers: form,
    body: 'Action=ListRoles&Version=2010-05-08&MaxItems=many',
  })
  assert.deepEqual([iam.status, code(iam.text)], [400, 'MalformedInput'])
  const route53 = await world.raw({ method: 'POST', target: '/2013-04-01/hostedzone', body: '<CreateHostedZoneRequest><Name>' })
  assert.deepEqual([route53.status, code(route53.text)], [400, 'InvalidInput'])
})

test('services that AWS has and we have not are refused in the form that their clients read, and counted [#10]', async () => {
  const { raw, aws } = clients({ signatures: 'parse' })
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const ec2 = await raw({
    as: 'ec2',
    method: 'POST',
    target: '/',
    headers: form,
    body: 'Action=DescribeInstances&Version=2016-11-15',
  })
  assert.equal(ec2.status, 400)
  assert.match(
    ec2.text,
    /^<Response><Errors><Error><Code>InvalidAction<\/Code><Message>the emulator does not serve ec2; it serves /,
  )
  const dynamodb = await raw({
    as: 'dynamodb',
    method: 'POST',
    target: '/',
    headers: { 'x-amz-target': 'DynamoDB_20120810.ListTables' },
    body: '{}',
  })
  const { __type, message } = JSON.parse(dynamodb.text) as Record<string, string>
  assert.deepEqual([dynamodb.status, __type], [400, 'UnknownOperationException'])
  assert.match(message ?? '', /^the emulator does not serve dynamodb; it serves .*\biam\b/)
  const lambda = await raw({ as: 'lambda', method: 'GET', target: '/2015-03-31/functions/' })
  assert.deepEqual([lambda.status, lambda.headers['x-amzn-errortype']], [404, 'UnknownOperationException'])
  assert.deepEqual(aws.unimplemented(), { 'ec2:DescribeInstances': 1, 'dynamodb:ListTables': 1, 'lambda:GET': 1 })
  assert.equal(lambda.headers['x-emulator-unimplemented'], 'lambda:GET')
  assert.equal(aws.calls.last()?.result, 'UnknownOperationException')
})
