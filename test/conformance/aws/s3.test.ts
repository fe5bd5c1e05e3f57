import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import {
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  DeleteBucketCommand,
  DeleteBucketOwnershipControlsCommand,
  DeleteBucketPolicyCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  DeletePublicAccessBlockCommand,
  GetBucketAclCommand,
  GetBucketEncryptionCommand,
  GetBucketLocationCommand,
  GetBucketOwnershipControlsCommand,
  GetBucketPolicyCommand,
  GetBucketPolicyStatusCommand,
  GetBucketTaggingCommand,
  GetBucketVersioningCommand,
  GetObjectCommand,
  GetObjectTaggingCommand,
  GetPublicAccessBlockCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListBucketsCommand,
  ListObjectsCommand,
  ListObjectsV2Command,
  ListObjectVersionsCommand,
  PutBucketPolicyCommand,
  PutBucketTaggingCommand,
  PutBucketVersioningCommand,
  PutObjectCommand,
  type PutObjectCommandInput,
  PutPublicAccessBlockCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import { accountB, type Clients, clients, refusal } from './clients.ts'

async function bucket({ s3 }: Pick<Clients, 's3'>, Bucket = 'issuer'): Promise<string> {
  await s3.send(new CreateBucketCommand({ Bucket }))
  return Bucket
}

const put = (
  { s3 }: Pick<Clients, 's3'>,
  Key: string,
  more: Partial<PutObjectCommandInput> = {},
): Promise<{ ETag?: string | undefined }> => s3.send(new PutObjectCommand({ Bucket: 'issuer', Key, Body: 'hello', ...more }))

const readPolicy = (...keys: string[]): string =>
  JSON.stringify({
    Version: '2012-10-17',
    Statement: [
      { Effect: 'Allow', Principal: '*', Action: 's3:GetObject', Resource: keys.map(key => `arn:aws:s3:::issuer/${key}`) },
    ],
  })

const setPolicy = ({ s3 }: Pick<Clients, 's3'>, Policy: string): Promise<unknown> =>
  s3.send(new PutBucketPolicyCommand({ Bucket: 'issuer', Policy }))

function setBlock({ s3 }: Pick<Clients, 's3'>, block: { policy: boolean; restrict: boolean }): Promise<unknown> {
  const PublicAccessBlockConfiguration = {
    BlockPublicAcls: true,
    IgnorePublicAcls: true,
    BlockPublicPolicy: block.policy,
    RestrictPublicBuckets: block.restrict,
  }
  return s3.send(new PutPublicAccessBlockCommand({ Bucket: 'issuer', PublicAccessBlockConfiguration }))
}

const anonymous = async (world: Clients, target: string, host = '127.0.0.1'): Promise<number> =>
  (await world.raw({ method: 'GET', target, headers: { host } })).status

test('a new bucket blocks public access, encrypts and owns its objects, and every setting answers [#77]', async () => {
  const world = clients()
  const Bucket = await bucket(world)
  const { PublicAccessBlockConfiguration } = await world.s3.send(new GetPublicAccessBlockCommand({ Bucket }))
  assert.deepEqual(Object.values(PublicAccessBlockConfiguration ?? {}), [true, true, true, true])
  const encryption = await world.s3.send(new GetBucketEncryptionCommand({ Bucket }))
  assert.deepEqual(encryption.ServerSideEncryptionConfiguration?.Rules, [
    { ApplyServerSideEncryptionByDefault: { SSEAlgorithm: 'AES256' }, BucketKeyEnabled: false },
  ])
  const ownership = await world.s3.send(new GetBucketOwnershipControlsCommand({ Bucket }))
  assert.deepEqual(ownership.OwnershipControls?.Rules, [{ ObjectOwnership: 'BucketOwnerEnforced' }])
  assert.equal((await world.s3.send(new GetBucketVersioningCommand({ Bucket }))).Status, undefined)
  assert.deepEqual(
    (await world.s3.send(new GetBucketAclCommand({ Bucket }))).Grants?.map(grant => grant.Permission),
    ['FULL_CONTROL'],
  )
})

const settings: readonly (readonly [query: string, status: number, expected: RegExp])[] = [
  ['accelerate', 200, /<AccelerateConfiguration/],
  ['logging', 200, /<BucketLoggingStatus/],
  ['notification', 200, /<NotificationConfiguration/],
  ['versioning', 200, /<VersioningConfiguration/],
  ['analytics', 200, /<IsTruncated>false</],
  ['intelligent-tiering', 200, /<IsTruncated>false</],
  ['inventory', 200, /<IsTruncated>false</],
  ['metrics', 200, /<IsTruncated>false</],
  ['requestPayment', 200, /<Payer>BucketOwner</],
  ['abac', 200, /<Status>Disabled</],
  ['acl', 200, /<Permission>FULL_CONTROL</],
  ['location', 200, /<LocationConstraint xmlns="http:\/\/s3.amazonaws.com\/doc\/2006-03-01\/"\/>/],
  ['cors', 404, /<Code>NoSuchCORSConfiguration</],
  ['lifecycle', 404, /<Code>NoSuchLifecycleConfiguration</],
  ['website', 404, /<Code>NoSuchWebsiteConfiguration</],
  ['policy', 404, /<Code>NoSuchBucketPolicy</],
  ['tagging', 404, /<Code>NoSuchTagSet</],
  ['object-lock', 404, /<Code>ObjectLockConfigurationNotFoundError</],
  ['replication', 404, /<Code>ReplicationConfigurationNotFoundError</],
]
test('77a: each query that ACK reads answers on a new bucket as listed', async () => {
  const world = clients({ signatures: 'off' })
  await world.raw({ as: 's3', method: 'PUT', target: '/issuer' })
  for (const [query, status, expected] of settings) {
    const answer = await world.raw({ as: 's3', method: 'GET', target: `/issuer?${query}` })
    assert.equal(answer.status, status, `${query}: ${answer.text}`)
    assert.match(answer.text, expected, query)
  }
  assert.deepEqual(world.aws.unimplemented(), {})
})

test('77b: after their DELETE block and ownership are not found, and encryption is the default again', async () => {
  const world = clients()
  const Bucket = await bucket(world)
  await world.s3.send(new DeletePublicAccessBlockCommand({ Bucket }))
  await world.s3.send(new DeleteBucketOwnershipControlsCommand({ Bucket }))
  const block = await refusal(world.s3.send(new GetPublicAccessBlockCommand({ Bucket })))
  assert.deepEqual([block.code, block.status], ['NoSuchPublicAccessBlockConfiguration', 404])
  const ownership = await refusal(world.s3.send(new GetBucketOwnershipControlsCommand({ Bucket })))
  assert.deepEqual([ownership.code, ownership.status], ['OwnershipControlsNotFoundError', 404])
})

test('a public policy is refused while blocked; relaxed, it opens exactly the two documents [#78]', async () => {
  const world = clients()
  await bucket(world)
  const policy = readPolicy('.well-known/openid-configuration', 'keys.json')
  const refused = await refusal(setPolicy(world, policy))
  assert.deepEqual([refused.code, refused.status], ['AccessDenied', 403])
  assert.match(
    refused.message,
    /because public policies are prevented by the BlockPublicPolicy setting in S3 Block Public Access/,
  )
  await setBlock(world, { policy: false, restrict: false })
  await setPolicy(world, policy)
  for (const key of ['.well-known/openid-configuration', 'keys.json', 'other'])
    await put(world, key, { ContentType: 'application/json' })
  assert.equal(await anonymous(world, '/issuer/.well-known/openid-configuration'), 200)
  assert.equal(await anonymous(world, '/issuer/keys.json'), 200)
  assert.equal(await anonymous(world, '/issuer/other'), 403)
  assert.equal(await anonymous(world, '/issuer/absent'), 403)
  assert.equal((await world.s3.send(new GetBucketPolicyStatusCommand({ Bucket: 'issuer' }))).PolicyStatus?.IsPublic, true)
  assert.deepEqual(
    JSON.parse((await world.s3.send(new GetBucketPolicyCommand({ Bucket: 'issuer' }))).Policy ?? ''),
    JSON.parse(policy),
  )
})

test('RestrictPublicBuckets shuts strangers out although the policy lets them in, and not the owner [#79]', async () => {
  const world = clients()
  await bucket(world)
  await setBlock(world, { policy: false, restrict: false })
  await setPolicy(world, readPolicy('keys.json'))
  await put(world, 'keys.json')
  assert.equal(await anonymous(world, '/issuer/keys.json'), 200)
  await setBlock(world, { policy: false, restrict: true })
  assert.equal(await anonymous(world, '/issuer/keys.json'), 403)
  await world.s3.send(new GetObjectCommand({ Bucket: 'issuer', Key: 'keys.json' }))
  const stranger = world.as({ account: accountB })
  assert.equal(
    (await refusal(stranger.s3.send(new GetObjectCommand({ Bucket: 'issuer', Key: 'keys.json' })))).code,
    'AccessDenied',
  )
})

test('79a: strangers see a new policy only after its delay, the owner at once', async () => {
  const world = clients({ profile: 'async', signatures: 'parse', knobs: { delays: { bucketAccess: 5_000 } } })
  await bucket(world)
  await setBlock(world, { policy: false, restrict: false })
  await setPolicy(world, readPolicy('keys.json'))
  await put(world, 'keys.json')
  assert.equal(await anonymous(world, '/issuer/keys.json'), 403)
  await world.clock.advance(5_000)
  assert.equal(await anonymous(world, '/issuer/keys.json'), 200)
})

test('what is no policy for this bucket is refused as MalformedPolicy [#80]', async () => {
  const world = clients()
  await bucket(world)
  const statement = (more: object): string =>
    JSON.stringify({
      Statement: [{ Effect: 'Deny', Principal: '*', Action: 's3:GetObject', Resource: 'arn:aws:s3:::issuer/*', ...more }],
    })
  const cases: readonly (readonly [policy: string, message: string])[] = [
    ['{}', 'Missing required field Statement'],
    ['not json', 'This policy contains invalid Json'],
    ['{"Statement":[]}', 'Could not parse the policy: Statement is empty!'],
    [statement({ Resource: 'arn:aws:s3:::other/*' }), 'Policy has invalid resource'],
    [statement({ Resource: 'arn:aws:s3:::issuer' }), 'Action does not apply to any resource(s) in statement'],
    [statement({ Action: 'iam:CreateRole' }), 'Policy has invalid action'],
    [statement({ Effect: 'Maybe' }), 'Invalid effect: Maybe'],
    [statement({ Surprise: 1 }), 'Unknown field Surprise'],
    [statement({ Condition: { StringIs: { 'aws:userid': 'x' } } }), 'Invalid Condition type : StringIs'],
    [statement({ Principal: { AWS: 'arn:aws:iam::123456789012:role/nobody' } }), 'Invalid principal in policy'],
  ]
  for (const [policy, message] of cases) {
    assert.deepEqual(await refusal(setPolicy(world, policy)), { code: 'MalformedPolicy', status: 400, message }, policy)
  }
  const large = statement({ Sid: 'x'.repeat(20_500) })
  assert.equal((await refusal(setPolicy(world, large))).code, 'PolicyTooLarge')
})

test('deleting a policy that is not there is fine, reading it is not [#81]', async () => {
  const world = clients()
  const Bucket = await bucket(world)
  const deleted = await world.s3.send(new DeleteBucketPolicyCommand({ Bucket }))
  assert.equal(deleted.$metadata.httpStatusCode, 204)
  const absent = await refusal(world.s3.send(new GetBucketPolicyCommand({ Bucket })))
  assert.deepEqual([absent.code, absent.status], ['NoSuchBucketPolicy', 404])
})

test('constraint and name rules of CreateBucket [#82]', async () => {
  const world = clients()
  const west = world.as({ region: 'eu-west-1' })
  const create = (
    client: Pick<Clients, 's3'>,
    Bucket: string,
    LocationConstraint?: 'eu-west-1' | 'eu-central-1',
  ): Promise<unknown> =>
    client.s3.send(
      new CreateBucketCommand({
        Bucket,
        ...(LocationConstraint !== undefined && { CreateBucketConfiguration: { LocationConstraint } }),
      }),
    )
  const without = await world.raw({ method: 'PUT', target: '/west', headers: { host: 's3.eu-west-1.amazonaws.com' } })
  assert.equal(without.status, 403)
  assert.equal((await refusal(create(west, 'west', 'eu-central-1'))).code, 'IllegalLocationConstraintException')
  await create(west, 'west', 'eu-west-1')
  assert.equal((await west.s3.send(new GetBucketLocationCommand({ Bucket: 'west' }))).LocationConstraint, 'eu-west-1')
  assert.equal((await refusal(create(world, 'east', 'eu-west-1'))).code, 'InvalidLocationConstraint')
  for (const name of ['Ab-c', 'a..b', '1.2.3.4', 'ab', 'xn--a', 'b-s3alias', '-ab', 'a'.repeat(64)]) {
    assert.deepEqual([(await refusal(create(world, name))).code, name], ['InvalidBucketName', name])
  }
  await create(world, 'a'.repeat(63))
  await create(world, 'a.b-c.1')
})

test("the own bucket again is 409 outside us-east-1 and 200 inside, and somebody else's is taken [#83]", async () => {
  const world = clients()
  const west = world.as({ region: 'eu-west-1' })
  const create = new CreateBucketCommand({ Bucket: 'west', CreateBucketConfiguration: { LocationConstraint: 'eu-west-1' } })
  await west.s3.send(create)
  const again = await refusal(west.s3.send(create))
  assert.deepEqual([again.code, again.status], ['BucketAlreadyOwnedByYou', 409])
  await bucket(world)
  await bucket(world)
  const taken = await refusal(bucket(world.as({ account: accountB })))
  assert.deepEqual([taken.code, taken.status], ['BucketAlreadyExists', 409])
  assert.deepEqual(
    (await world.s3.send(new ListBucketsCommand({}))).Buckets?.map(one => one.Name),
    ['issuer', 'west'],
  )
})

test('a bucket with an object stays, an empty one goes [#84]', async () => {
  const world = clients()
  const Bucket = await bucket(world)
  await put(world, 'a')
  const full = await refusal(world.s3.send(new DeleteBucketCommand({ Bucket })))
  assert.deepEqual([full.code, full.status], ['BucketNotEmpty', 409])
  await world.s3.send(new DeleteObjectCommand({ Bucket, Key: 'a' }))
  assert.equal((await world.s3.send(new DeleteBucketCommand({ Bucket }))).$metadata.httpStatusCode, 204)
  assert.deepEqual((await refusal(world.s3.send(new HeadBucketCommand({ Bucket })))).status, 404)
})

test('metadata keys come back in lower case, the type is kept, and the ETag is the MD5 [#86]', async () => {
  const world = clients()
  await bucket(world)
  const { ETag } = await put(world, 'a', {
    Metadata: { 'Digest-A': 'x' },
    ContentType: 'application/json',
    CacheControl: 'max-age=60',
  })
  assert.equal(ETag, `"${createHash('md5').update('hello').digest('hex')}"`)
  const head = await world.s3.send(new HeadObjectCommand({ Bucket: 'issuer', Key: 'a' }))
  assert.deepEqual(
    [head.Metadata, head.ContentType, head.CacheControl, head.ETag, head.ContentLength, head.ServerSideEncryption],
    [{ 'digest-a': 'x' }, 'application/json', 'max-age=60', ETag, 5, 'AES256'],
  )
})

test('If-None-Match keeps an existing object, and of two racing conditional puts one wins [#87]', async () => {
  const world = clients()
  await bucket(world)
  const race = await Promise.allSettled(['1', '2'].map(Body => put(world, 'a', { Body, IfNoneMatch: '*' })))
  assert.deepEqual(race.map(one => one.status).sort(), ['fulfilled', 'rejected'])
  const refused = await refusal(put(world, 'a', { IfNoneMatch: '*' }))
  assert.deepEqual([refused.code, refused.status], ['PreconditionFailed', 412])
  const { ETag } = await put(world, 'a', { Body: 'now' })
  assert.equal((await refusal(put(world, 'a', { IfMatch: '"other"' }))).code, 'PreconditionFailed')
  await put(world, 'a', { IfMatch: ETag })
  assert.equal((await refusal(put(world, 'absent', { IfMatch: ETag }))).code, 'NoSuchKey')
})

test('many keys (1500) come in pages, folded at the delimiter, and a write is listed at once [#88]', async () => {
  const world = clients({ signatures: 'off' })
  await bucket(world)
  for (let index = 0; index < 1_500; index++) {
    const key = `${index % 3 === 0 ? 'dir/' : ''}k${String(index).padStart(4, '0')}`
    await world.raw({ as: 's3', method: 'PUT', target: `/issuer/${key}`, body: 'x' })
  }
  const list = async (input: object): Promise<{ keys: string[]; prefixes: string[]; pages: number[] }> => {
    const found = { keys: [] as string[], prefixes: [] as string[], pages: [] as number[] }
    let ContinuationToken: string | undefined
    do {
      const page = await world.s3.send(
        new ListObjectsV2Command({ Bucket: 'issuer', ...input, ...(ContinuationToken !== undefined && { ContinuationToken }) }),
      )
      found.keys.push(...(page.Contents ?? []).map(one => one.Key ?? ''))
      found.prefixes.push(...(page.CommonPrefixes ?? []).map(one => one.Prefix ?? ''))
      found.pages.push(page.KeyCount ?? 0)
      ContinuationToken = page.NextContinuationToken
    } while (ContinuationToken !== undefined)
    return found
  }
  const flat = await list({})
  assert.deepEqual([flat.keys.length, flat.pages], [1_500, [1_000, 500]])
  assert.deepEqual(flat.keys, [...flat.keys].sort())
  const folded = await list({ Delimiter: '/', MaxKeys: 400 })
  assert.deepEqual([folded.keys.length, folded.prefixes, folded.pages], [1_000, ['dir/'], [400, 400, 201]])
  assert.equal((await list({ Prefix: 'dir/' })).keys.length, 500)
  await put(world, 'zzz')
  assert.equal((await list({ StartAfter: 'k9999' })).keys.join(), 'zzz')
  const forged = await refusal(world.s3.send(new ListObjectsV2Command({ Bucket: 'issuer', ContinuationToken: 'forged' })))
  assert.deepEqual([forged.code, forged.status], ['InvalidArgument', 400])
  const v1 = await world.s3.send(new ListObjectsCommand({ Bucket: 'issuer', Delimiter: '/', MaxKeys: 1 }))
  assert.deepEqual([v1.CommonPrefixes?.[0]?.Prefix, v1.NextMarker], ['dir/', 'dir/'])
})

test('keys are listed in the order of their UTF-8 bytes, whatever they hold', async () => {
  const world = clients()
  await bucket(world)
  const keys = ['\u{1f600}', '\uff5e', 'a b+c%', 'é', 'z']
  for (const key of keys) await put(world, key)
  const { Contents } = await world.s3.send(new ListObjectsV2Command({ Bucket: 'issuer' }))
  assert.deepEqual(
    Contents?.map(one => one.Key),
    ['a b+c%', 'z', 'é', '\uff5e', '\u{1f600}'],
  )
  for (const Key of keys) {
    const { Body } = await world.s3.send(new GetObjectCommand({ Bucket: 'issuer', Key }))
    assert.equal(await Body?.transformToString(), 'hello', Key)
  }
})

test('a wrong checksum is refused, and path and virtual-host style name the same object [#12, #13]', async () => {
  const world = clients({ signatures: 'off' })
  await world.raw({ as: 's3', method: 'PUT', target: '/b-1' })
  const wrong = await world.raw({
    as: 's3',
    method: 'PUT',
    target: '/b-1/k',
    headers: { 'x-amz-checksum-crc32': 'AAAAAA==' },
    body: 'hello',
  })
  assert.deepEqual([wrong.status, /<Code>BadDigest</.test(wrong.text)], [400, true])
  await world.raw({ as: 's3', method: 'PUT', target: '/b-1/k', headers: { 'x-amz-checksum-crc32': 'NhCmhg==' }, body: 'hello' })
  for (const host of ['b-1.s3.us-east-1.amazonaws.com', 'b-1.localhost', 'b-1.s3.localhost:4566']) {
    const { status, text } = await world.raw({ as: 's3', method: 'GET', target: '/k', headers: { host } })
    assert.deepEqual([status, text], [200, 'hello'], host)
  }
  const enabled = await world.raw({ as: 's3', method: 'HEAD', target: '/b-1/k', headers: { 'x-amz-checksum-mode': 'ENABLED' } })
  assert.equal(enabled.headers['x-amz-checksum-crc32'], 'NhCmhg==')
})

test('HEAD of a missing key is a bare 404 with a request id [#14]', async () => {
  const world = clients({ signatures: 'off' })
  await world.raw({ as: 's3', method: 'PUT', target: '/b-1' })
  const { status, headers, text } = await world.raw({ as: 's3', method: 'HEAD', target: '/b-1/absent' })
  assert.deepEqual([status, text], [404, ''])
  assert.match(headers['x-amz-request-id'] ?? '', /^[0-9A-F]{16}$/)
  const missing = await world.raw({ as: 's3', method: 'GET', target: '/b-1/absent' })
  assert.match(
    missing.text,
    /^<\?xml version="1.0" encoding="UTF-8"\?>\n?<Error><Code>NoSuchKey<\/Code><Message>The specified key does not exist.<\/Message><Key>absent<\/Key><RequestId>/,
  )
})

test('ranges, conditions and overrides of a read', async () => {
  const world = clients({ signatures: 'off' })
  await world.raw({ as: 's3', method: 'PUT', target: '/b-1' })
  await world.raw({ as: 's3', method: 'PUT', target: '/b-1/k', body: 'hello world' })
  const get = (headers: Record<string, string>, query = ''): ReturnType<Clients['raw']> =>
    world.raw({ as: 's3', method: 'GET', target: `/b-1/k${query}`, headers })
  const part = await get({ range: 'bytes=0-4' })
  assert.deepEqual([part.status, part.text, part.headers['content-range']], [206, 'hello', 'bytes 0-4/11'])
  assert.equal((await get({ range: 'bytes=-5' })).text, 'world')
  assert.equal((await get({ range: 'bytes=6-' })).text, 'world')
  const past = await get({ range: 'bytes=11-' })
  assert.deepEqual([past.status, /<Code>InvalidRange</.test(past.text)], [416, true])
  const etag = part.headers['etag'] ?? ''
  assert.deepEqual([(await get({ 'if-none-match': etag })).status, (await get({ 'if-none-match': etag })).text], [304, ''])
  assert.equal((await get({ 'if-match': '"other"' })).status, 412)
  assert.equal((await get({}, '?response-content-type=text/x')).headers['content-type'], 'text/x')
})

test('limits of keys, metadata and tags are refused in the words of S3', async () => {
  const world = clients()
  await bucket(world)
  await put(world, 'k'.repeat(1_024))
  assert.equal((await refusal(put(world, 'k'.repeat(1_025)))).code, 'KeyTooLongError')
  await put(world, 'm', { Metadata: { a: 'x'.repeat(2_047) } })
  assert.equal((await refusal(put(world, 'm', { Metadata: { a: 'x'.repeat(2_048) } }))).code, 'MetadataTooLarge')
  assert.equal((await refusal(put(world, 'a', { ACL: 'public-read' }))).code, 'AccessControlListNotSupported')
  await put(world, 'a', { ACL: 'bucket-owner-full-control', Tagging: 'team=a&tier=' })
  const { TagSet } = await world.s3.send(new GetObjectTaggingCommand({ Bucket: 'issuer', Key: 'a' }))
  assert.deepEqual(TagSet, [
    { Key: 'team', Value: 'a' },
    { Key: 'tier', Value: '' },
  ])
  const eleven = Array.from({ length: 11 }, (_, index) => `k${index}=v`).join('&')
  assert.equal((await refusal(put(world, 'a', { Tagging: eleven }))).code, 'BadRequest')
  const tag = (TagSet: { Key: string; Value: string }[]): Promise<unknown> =>
    world.s3.send(new PutBucketTaggingCommand({ Bucket: 'issuer', Tagging: { TagSet } }))
  assert.equal((await refusal(tag([{ Key: 'aws:x', Value: '' }]))).code, 'InvalidTag')
  await tag([{ Key: 'team', Value: 'a' }])
  assert.deepEqual((await world.s3.send(new GetBucketTaggingCommand({ Bucket: 'issuer' }))).TagSet, [{ Key: 'team', Value: 'a' }])
})

test('a versioned bucket hides deleted keys behind a marker, and is empty only when the versions are gone', async () => {
  const world = clients()
  const Bucket = await bucket(world)
  await world.s3.send(new PutBucketVersioningCommand({ Bucket, VersioningConfiguration: { Status: 'Enabled' } }))
  await put(world, 'a', { Body: 'one' })
  await put(world, 'a', { Body: 'two' })
  const removed = await world.s3.send(new DeleteObjectCommand({ Bucket, Key: 'a' }))
  assert.equal(removed.DeleteMarker, true)
  assert.equal((await refusal(world.s3.send(new GetObjectCommand({ Bucket, Key: 'a' })))).code, 'NoSuchKey')
  assert.equal((await refusal(world.s3.send(new DeleteBucketCommand({ Bucket })))).code, 'BucketNotEmpty')
  const { Versions = [], DeleteMarkers = [] } = await world.s3.send(new ListObjectVersionsCommand({ Bucket }))
  assert.deepEqual([Versions.length, DeleteMarkers.length], [2, 1])
  const old = await world.s3.send(new GetObjectCommand({ Bucket, Key: 'a', VersionId: Versions[1]?.VersionId }))
  assert.equal(await old.Body?.transformToString(), 'one')
  const Objects = [...Versions, ...DeleteMarkers].map(({ Key = '', VersionId }) => ({ Key, VersionId }))
  await world.s3.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects } }))
  await world.s3.send(new DeleteBucketCommand({ Bucket }))
})

test('copies keep or replace metadata, and one onto itself must change something', async () => {
  const world = clients()
  const Bucket = await bucket(world)
  await put(world, 'a b', { Metadata: { x: '1' } })
  await world.s3.send(new CopyObjectCommand({ Bucket, Key: 'c', CopySource: `${Bucket}/a%20b` }))
  assert.deepEqual((await world.s3.send(new HeadObjectCommand({ Bucket, Key: 'c' }))).Metadata, { x: '1' })
  await world.s3.send(
    new CopyObjectCommand({ Bucket, Key: 'c', CopySource: `${Bucket}/c`, MetadataDirective: 'REPLACE', Metadata: { y: '2' } }),
  )
  assert.deepEqual((await world.s3.send(new HeadObjectCommand({ Bucket, Key: 'c' }))).Metadata, { y: '2' })
  assert.equal(
    (await refusal(world.s3.send(new CopyObjectCommand({ Bucket, Key: 'c', CopySource: `${Bucket}/c` })))).code,
    'InvalidRequest',
  )
})

test('a copy has the tags of its source, or those that are given in their place', async () => {
  const world = clients()
  const Bucket = await bucket(world)
  await put(world, 'a', { Tagging: 'team=one' })
  const tagsOf = async (Key: string): Promise<unknown> =>
    (await world.s3.send(new GetObjectTaggingCommand({ Bucket, Key }))).TagSet?.map(({ Key: key, Value }) => `${key}=${Value}`)
  const copy = { Bucket, CopySource: `${Bucket}/a` }
  await world.s3.send(new CopyObjectCommand({ ...copy, Key: 'b', Tagging: 'team=two' }))
  await world.s3.send(new CopyObjectCommand({ ...copy, Key: 'c', Tagging: 'team=two', TaggingDirective: 'COPY' }))
  await world.s3.send(new CopyObjectCommand({ ...copy, Key: 'd', Tagging: 'team=two', TaggingDirective: 'REPLACE' }))
  await world.s3.send(new CopyObjectCommand({ ...copy, Key: 'e', TaggingDirective: 'REPLACE' }))
  assert.deepEqual(await Promise.all(['b', 'c', 'd', 'e'].map(tagsOf)), [['team=one'], ['team=one'], ['team=two'], []])
})

test('a multipart upload joins its parts; parts out of order, unknown or too small are refused', async () => {
  const world = clients()
  const Bucket = await bucket(world)
  const { UploadId } = await world.s3.send(new CreateMultipartUploadCommand({ Bucket, Key: 'big' }))
  const Body = new Uint8Array(5 * 1024 * 1024).fill(97)
  const part = async (PartNumber: number, body: Uint8Array): Promise<{ PartNumber: number; ETag: string | undefined }> => {
    const { ETag } = await world.s3.send(new UploadPartCommand({ Bucket, Key: 'big', UploadId, PartNumber, Body: body }))
    return { PartNumber, ETag }
  }
  const first = await part(1, Body)
  const second = await part(2, new TextEncoder().encode('end'))
  const complete = (...Parts: { PartNumber: number; ETag: string | undefined }[]): Promise<{ ETag?: string | undefined }> =>
    world.s3.send(new CompleteMultipartUploadCommand({ Bucket, Key: 'big', UploadId, MultipartUpload: { Parts } }))
  assert.equal((await refusal(complete(second, first))).code, 'InvalidPartOrder')
  assert.equal((await refusal(complete(first, { PartNumber: 3, ETag: '"x"' }))).code, 'InvalidPart')
  const small = await part(3, new TextEncoder().encode('x'))
  assert.equal((await refusal(complete(first, second, small))).code, 'EntityTooSmall')
  const { ETag } = await complete(first, second)
  const md5 = (data: Uint8Array): Buffer => createHash('md5').update(data).digest()
  const expected = createHash('md5')
    .update(Buffer.concat([md5(Body), md5(Buffer.from('end'))]))
    .digest('hex')
  assert.equal(ETag, `"${expected}-2"`)
  assert.equal((await world.s3.send(new HeadObjectCommand({ Bucket, Key: 'big' }))).ContentLength, Body.length + 3)
  assert.equal((await refusal(complete(first, second))).code, 'NoSuchUpload')
})

test('malformed XML, a wrong method and an unknown sub-resource are refused as S3 does', async () => {
  const world = clients({ signatures: 'off' })
  await world.raw({ as: 's3', method: 'PUT', target: '/b-1' })
  const broken = await world.raw({ as: 's3', method: 'PUT', target: '/b-1?tagging', body: '<Tagging><TagSet>' })
  assert.deepEqual([broken.status, /<Code>MalformedXML</.test(broken.text)], [400, true])
  const unknown = await world.raw({ as: 's3', method: 'GET', target: '/b-1?torrent' })
  assert.ok(unknown.status >= 200)
  const method = await world.raw({ as: 's3', method: 'PATCH', target: '/b-1/k' })
  assert.deepEqual([method.status, /<Code>MethodNotAllowed</.test(method.text)], [405, true])
  const absent = await world.raw({ as: 's3', method: 'GET', target: '/absent-bucket' })
  assert.match(
    absent.text,
    /<Code>NoSuchBucket<\/Code><Message>The specified bucket does not exist<\/Message><BucketName>absent-bucket</,
  )
})
