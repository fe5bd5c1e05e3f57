// Our own model-driven client against the emulator, signatures verified and permissions enforced, in virtual time.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AwsError, type ShippedService, serviceModel } from '#aws'
import { AwsClients, createAwsClient, inProcessTransport, Pace, staticCredentials } from '#aws/client'
import { drain, ManualClock, seededRandom } from '#base'
import { type Aws, type AwsOptions, createAws } from '#emulator'

await Promise.all([import('@aws-sdk/core/protocols'), import('@smithy/signature-v4')])

const account = '123456789012'
const policy = (statement: object): string => JSON.stringify({ Version: '2012-10-17', Statement: [statement] })

interface World {
  readonly aws: Aws
  readonly clock: ManualClock
  readonly clients: AwsClients
}

function world(more: AwsOptions = {}): World {
  const clock = new ManualClock()
  const aws = createAws({ seed: 'model-client', clock, signatures: 'verify', enforce: 'full', ...more })
  const credentials = staticCredentials(aws.adminCredentials())
  const clients = new AwsClients({ credentials, transport: inProcessTransport(aws.handle), clock, random: seededRandom(1) })
  return { aws, clock, clients }
}

/** Runs to the end, moving time whenever everything waits. */
async function finish<T>(clock: ManualClock, promise: Promise<T>): Promise<T> {
  let done = false
  const settled = promise.finally(() => {
    done = true
  })
  settled.catch(() => {})
  for (let round = 0; !done && round < 5_000; round++) {
    await drain()
    if (!done) clock.fireNext()
  }
  assert.ok(done, 'the call hangs')
  return settled
}

test('every service answers one signed call of the model-driven client', async () => {
  const { aws, clock, clients } = world()
  const calls: readonly (readonly [ShippedService, string])[] = [
    ['iam', 'ListRoles'],
    ['sts', 'GetCallerIdentity'],
    ['s3', 'ListBuckets'],
    ['eks', 'ListClusters'],
    ['acm', 'ListCertificates'],
    ['route53', 'ListHostedZones'],
    ['organizations', 'DescribeOrganization'],
    ['service-quotas', 'ListServices'],
    ['resource-groups-tagging', 'GetResources'],
  ]
  for (const [service, operation] of calls) {
    const client = clients.for({ model: serviceModel(service), region: 'eu-west-1' })
    const output = await finish(clock, client.call(operation, {}))
    assert.equal(typeof output, 'object', service)
  }
  assert.deepEqual(aws.unimplemented(), {})
  assert.deepEqual(
    aws.calls.all().map(({ result }) => result),
    calls.map(() => 'ok'),
  )
})

test('a client that paces itself brings 100 Describe calls through the published ten a second in nine seconds [#96]', async () => {
  const { aws, clock } = world({ knobs: { throttling: 'published' } })
  const acm = createAwsClient({
    model: serviceModel('acm'),
    region: 'eu-west-1',
    credentials: staticCredentials(aws.adminCredentials()),
    transport: inProcessTransport(aws.handle),
    clock,
    random: seededRandom(1),
    pace: new Pace({ clock, rate: { perSecond: 10, burst: 10 } }),
  })
  const { CertificateArn } = await finish(clock, acm.call('RequestCertificate', { DomainName: 'a.com', ValidationMethod: 'DNS' }))
  await clock.advance(1_000)
  const startedMs = clock.now()
  await finish(clock, Promise.all(Array.from({ length: 100 }, () => acm.call('DescribeCertificate', { CertificateArn }))))
  const seconds = (clock.now() - startedMs) / 1_000
  assert.ok(seconds >= 8.9 && seconds < 10, `it took ${seconds} s`)
  const described = aws.calls.all({ operation: 'DescribeCertificate' })
  assert.deepEqual([described.length, described.filter(call => call.throttled).length], [100, 0])
})

test('a role is assumed once for all clients that act as it, and renewed before it ends', async () => {
  const { aws, clock, clients } = world()
  const admin = clients.for({ model: serviceModel('iam'), region: 'eu-west-1' })
  const trust = policy({ Effect: 'Allow', Principal: { AWS: account }, Action: 'sts:AssumeRole' })
  const { Role } = await finish(clock, admin.call('CreateRole', { RoleName: 'worker', AssumeRolePolicyDocument: trust }))
  const allowed = policy({ Effect: 'Allow', Action: ['s3:ListAllMyBuckets', 'iam:ListRoles'], Resource: '*' })
  await finish(clock, admin.call('PutRolePolicy', { RoleName: 'worker', PolicyName: 'p', PolicyDocument: allowed }))
  const role = { roleArn: (Role as { Arn: string }).Arn, sessionName: 'vouch' }
  const s3 = clients.for({ model: serviceModel('s3'), region: 'eu-west-1', role })
  const iam = clients.for({ model: serviceModel('iam'), region: 'eu-west-1', role })
  assert.equal(clients.for({ model: serviceModel('iam'), region: 'eu-west-1', role }), iam)
  await finish(clock, Promise.all([s3.call('ListBuckets'), iam.call('ListRoles')]))
  const assumed = (): number => aws.calls.count({ service: 'sts', operation: 'AssumeRole' })
  assert.equal(assumed(), 1)
  const denied = await finish(
    clock,
    s3.call('CreateBucket', { Bucket: 'bucket' }).catch((error: unknown) => error),
  )
  assert.ok(denied instanceof AwsError && denied.class === 'denied', String(denied))
  for (let quarter = 0; quarter < 12; quarter++) {
    await clock.advance(900_000)
    await finish(clock, iam.call('ListRoles'))
    for (let round = 0; round < 20; round++) await drain()
  }
  assert.equal(
    aws.calls.count({ service: 'iam', operation: 'ListRoles', result: 'ok' }),
    13,
    'no call ever met expired credentials',
  )
  assert.ok(assumed() >= 4 && assumed() <= 6, `three hours took ${assumed()} sessions`)
})

test('lists come page by page, and what was written comes back', async () => {
  const { clock, clients } = world()
  const iam = clients.for({ model: serviceModel('iam'), region: 'eu-west-1' })
  const trust = policy({ Effect: 'Allow', Principal: { AWS: account }, Action: 'sts:AssumeRole' })
  for (let index = 0; index < 5; index++) {
    await finish(clock, iam.call('CreateRole', { RoleName: `r${index}`, AssumeRolePolicyDocument: trust }))
  }
  const sizes: number[] = []
  const read = async (): Promise<void> => {
    for await (const page of iam.pages('ListRoles', { MaxItems: 2 })) sizes.push((page['Roles'] as unknown[]).length)
  }
  await finish(clock, read())
  assert.deepEqual(sizes, [2, 2, 1])
  const s3 = clients.for({ model: serviceModel('s3'), region: 'eu-west-1' })
  await finish(clock, s3.call('CreateBucket', { Bucket: 'bucket' }))
  const body = Buffer.from([0, 1, 2, 255])
  await finish(clock, s3.call('PutObject', { Bucket: 'bucket', Key: 'a b/ü+?', Body: body, Metadata: { Digest: 'x' } }))
  const { Body, Metadata } = await finish(clock, s3.call('GetObject', { Bucket: 'bucket', Key: 'a b/ü+?' }))
  assert.deepEqual([[...(Body as Uint8Array)], { ...(Metadata as object) }], [[...body], { digest: 'x' }])
  const url = new URL(await s3.presign('GetObject', { Bucket: 'bucket', Key: 'a b/ü+?' }, { expiresInSeconds: 60 }))
  assert.equal(url.searchParams.get('X-Amz-Algorithm'), 'AWS4-HMAC-SHA256')
})

test('a lost answer to a create is followed by a refusal that may speak of our own role', async () => {
  const { aws, clock, clients } = world()
  aws.faults.add({ match: { service: 'iam', operation: 'CreateRole' }, effect: { kind: 'timeout-after' }, times: 1 })
  const iam = clients.for({ model: serviceModel('iam'), region: 'eu-west-1' })
  const trust = policy({ Effect: 'Allow', Principal: { AWS: account }, Action: 'sts:AssumeRole' })
  const error = await finish(
    clock,
    iam.call('CreateRole', { RoleName: 'r', AssumeRolePolicyDocument: trust }).catch((failure: unknown) => failure),
  )
  assert.ok(error instanceof AwsError, String(error))
  assert.deepEqual([error.code, error.class, error.afterAmbiguousTry], ['EntityAlreadyExists', 'conflict', true])
})

test('a throttled account is called more slowly, and everything gets through', async () => {
  const { aws, clock, clients } = world()
  aws.faults.add({ match: { service: 'route53' }, effect: { kind: 'throttle' }, times: 3 })
  const route53 = clients.for({ model: serviceModel('route53'), region: 'eu-west-1' })
  await finish(clock, Promise.all(Array.from({ length: 30 }, () => route53.call('ListHostedZones'))))
  assert.equal(aws.calls.count({ service: 'route53', result: 'ok' }), 30)
  // Until the first refusal there is no limit; what waits then goes at less than the five a second that Route 53 is known to allow.
  assert.ok(clock.monotonicMs() >= 2_000 && clock.monotonicMs() < 20_000, `${clock.monotonicMs()} ms`)
})
