// Who may do what in S3: canned ACLs and what blocks them, and the keys and actions by which policies tell calls apart.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CreateAccessKeyCommand, CreateUserCommand, PutUserPolicyCommand } from '@aws-sdk/client-iam'
import {
  CopyObjectCommand,
  CreateBucketCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  type ObjectOwnership,
  PutBucketAclCommand,
  PutBucketOwnershipControlsCommand,
  PutBucketPolicyCommand,
  PutBucketVersioningCommand,
  PutObjectCommand,
  PutPublicAccessBlockCommand,
  type S3Client,
} from '@aws-sdk/client-s3'
import { type Clients, clients, refusal } from './clients.ts'

const Bucket = 'b-1'

interface Opened {
  readonly ownership?: ObjectOwnership
  readonly acl?: 'public-read' | 'public-read-write' | 'authenticated-read'
  readonly objectAcl?: 'public-read' | 'public-read-write'
  readonly ignored?: boolean
  readonly policy?: string
}

async function opened({ ownership = 'ObjectWriter', acl, objectAcl, ignored = false, policy }: Opened): Promise<Clients> {
  const world = clients({ signatures: 'parse' })
  await world.s3.send(new CreateBucketCommand({ Bucket, ObjectOwnership: ownership }))
  const open = new PutPublicAccessBlockCommand({ Bucket, PublicAccessBlockConfiguration: { IgnorePublicAcls: ignored } })
  await world.s3.send(open)
  if (acl !== undefined) await world.s3.send(new PutBucketAclCommand({ Bucket, ACL: acl }))
  await world.s3.send(new PutObjectCommand({ Bucket, Key: 'k', Body: 'x', ...(objectAcl !== undefined && { ACL: objectAcl }) }))
  await world.s3.send(new PutObjectCommand({ Bucket, Key: 'private', Body: 'x' }))
  if (policy !== undefined) await world.s3.send(new PutBucketPolicyCommand({ Bucket, Policy: policy }))
  return world
}

const everybody = JSON.stringify({
  Statement: [{ Effect: 'Allow', Principal: '*', Action: 's3:GetObject', Resource: `arn:aws:s3:::${Bucket}/private` }],
})
const nobody = JSON.stringify({
  Statement: { Effect: 'Deny', Principal: '*', Action: 's3:GetObject', Resource: `arn:aws:s3:::${Bucket}/k` },
})

const strangers: readonly (readonly [what: string, opened: Opened, can: string])[] = [
  ['nothing is opened', {}, ''],
  ['one object is public', { objectAcl: 'public-read' }, 'get k'],
  ['one object is public, also for writing', { objectAcl: 'public-read-write' }, 'get k'],
  ['the bucket is public', { acl: 'public-read' }, 'list'],
  ['the bucket is public, also for writing', { acl: 'public-read-write' }, 'list, put, delete'],
  ['the bucket is for those who are signed in', { acl: 'authenticated-read' }, ''],
  ['both are public', { acl: 'public-read', objectAcl: 'public-read' }, 'get k, list'],
  ['public ACLs are ignored', { acl: 'public-read-write', objectAcl: 'public-read', ignored: true }, ''],
  ['a policy opens one object', { policy: everybody }, 'get private'],
  ['a policy and an ACL open one object each', { policy: everybody, objectAcl: 'public-read' }, 'get k, get private'],
  ['a policy denies what an ACL opens', { policy: nobody, objectAcl: 'public-read' }, ''],
]
for (const [what, open, can] of strangers) {
  test(`strangers, where ${what}: ${can === '' ? 'nothing' : can}`, async () => {
    const world = await opened(open)
    const calls = {
      'get k': ['GET', '/k'],
      'get private': ['GET', '/private'],
      list: ['GET', ''],
      put: ['PUT', '/new'],
      delete: ['DELETE', '/new'],
    } as const
    const allowed: string[] = []
    for (const [name, [method, path]] of Object.entries(calls)) {
      const body = method === 'PUT' ? { body: 'x' } : {}
      const { status } = await world.raw({ method, target: `/${Bucket}${path}`, ...body })
      assert.ok(status < 300 || status === 403, `${name}: ${status}`)
      if (status < 300) allowed.push(name)
    }
    assert.equal(allowed.join(', '), can)
  })
}

test('ACLs that were set before they were switched off have no effect', async () => {
  const world = await opened({ objectAcl: 'public-read' })
  const get = async (): Promise<number> => (await world.raw({ method: 'GET', target: `/${Bucket}/k` })).status
  assert.equal(await get(), 200)
  const OwnershipControls = { Rules: [{ ObjectOwnership: 'BucketOwnerEnforced' as const }] }
  await world.s3.send(new PutBucketOwnershipControlsCommand({ Bucket, OwnershipControls }))
  assert.equal(await get(), 403)
})

test('what the account blocks is blocked in every bucket', async () => {
  const world = clients({ knobs: { accountPublicAccessBlock: { BlockPublicPolicy: true } } })
  await world.s3.send(new CreateBucketCommand({ Bucket }))
  await world.s3.send(new PutPublicAccessBlockCommand({ Bucket, PublicAccessBlockConfiguration: {} }))
  const put = world.s3.send(new PutBucketPolicyCommand({ Bucket, Policy: everybody }))
  const { code, message } = await refusal(put)
  assert.equal(code, 'AccessDenied')
  assert.match(
    message,
    /^User: arn:aws:iam::123456789012:\S+ is not authorized to perform: s3:PutBucketPolicy on resource: "arn:aws:s3:::b-1" because public policies/,
  )
  const short = clients({ knobs: { longS3Messages: false } })
  await short.s3.send(new CreateBucketCommand({ Bucket }))
  assert.equal((await refusal(short.s3.send(new PutBucketPolicyCommand({ Bucket, Policy: everybody })))).message, 'Access Denied')
})

test('a policy of 20 kilobytes is taken, and no larger one', async () => {
  const world = clients()
  await world.s3.send(new CreateBucketCommand({ Bucket }))
  const sized = (size: number): string => {
    const of = (Sid: string): string =>
      JSON.stringify({
        Statement: [{ Sid, Effect: 'Deny', Principal: '*', Action: 's3:GetObject', Resource: `arn:aws:s3:::${Bucket}/*` }],
      })
    return of('x'.repeat(size - of('').length))
  }
  const put = (size: number): Promise<unknown> => world.s3.send(new PutBucketPolicyCommand({ Bucket, Policy: sized(size) }))
  await put(20 * 1_024)
  assert.equal((await refusal(put(20 * 1_024 + 1))).code, 'PolicyTooLarge')
})

const on = (statement: object): readonly object[] => [{ Effect: 'Allow', Resource: `arn:aws:s3:::${Bucket}/*`, ...statement }]
const onBucket = (Condition: object): readonly object[] =>
  on({ Action: 's3:ListBucket', Resource: `arn:aws:s3:::${Bucket}`, Condition })
const put =
  (more: object = {}) =>
  (s3: S3Client): Promise<unknown> =>
    s3.send(new PutObjectCommand({ Bucket, Key: 'new', Body: 'x', ...more }))
const list =
  (more: object = {}) =>
  (s3: S3Client): Promise<unknown> =>
    s3.send(new ListObjectsV2Command({ Bucket, ...more }))
const get =
  (more: object = {}) =>
  (s3: S3Client): Promise<unknown> =>
    s3.send(new GetObjectCommand({ Bucket, Key: 'k', ...more }))
const remove =
  (more: object = {}) =>
  (s3: S3Client): Promise<unknown> =>
    s3.send(new DeleteObjectCommand({ Bucket, Key: 'k', ...more }))
const copy =
  (CopySource: string) =>
  (s3: S3Client): Promise<unknown> =>
    s3.send(new CopyObjectCommand({ Bucket, Key: 'new', CopySource }))
const VersionId = 'null'

const rights: readonly (readonly [
  what: string,
  statements: readonly object[],
  call: (s3: S3Client) => Promise<unknown>,
  allowed: boolean,
])[] = [
  ['put', on({ Action: 's3:PutObject' }), put(), true],
  ['put with tags, and may not tag', on({ Action: 's3:PutObject' }), put({ Tagging: 'a=1' }), false],
  ['put with tags, and may', on({ Action: ['s3:PutObject', 's3:PutObjectTagging'] }), put({ Tagging: 'a=1' }), true],
  [
    'put with the ACL that is wanted',
    on({ Action: 's3:PutObject', Condition: { StringEquals: { 's3:x-amz-acl': 'bucket-owner-full-control' } } }),
    put({ ACL: 'bucket-owner-full-control' }),
    true,
  ],
  [
    'put without the ACL that is wanted',
    on({ Action: 's3:PutObject', Condition: { StringEquals: { 's3:x-amz-acl': 'bucket-owner-full-control' } } }),
    put(),
    false,
  ],
  [
    'put only what is not there, as is wanted',
    on({ Action: 's3:PutObject', Condition: { Null: { 's3:if-none-match': 'false' } } }),
    put({ IfNoneMatch: '*' }),
    true,
  ],
  ['put over anything', on({ Action: 's3:PutObject', Condition: { Null: { 's3:if-none-match': 'false' } } }), put(), false],
  ['list the prefix', onBucket({ StringEquals: { 's3:prefix': 'a/' } }), list({ Prefix: 'a/' }), true],
  ['list another prefix', onBucket({ StringEquals: { 's3:prefix': 'a/' } }), list({ Prefix: 'b/' }), false],
  ['list without a prefix, which is an empty one', onBucket({ StringEquals: { 's3:prefix': '' } }), list(), true],
  ['list folded', onBucket({ StringEquals: { 's3:delimiter': '/' } }), list({ Delimiter: '/' }), true],
  ['list flat', onBucket({ StringEquals: { 's3:delimiter': '/' } }), list(), false],
  ['list flat, where there must be no delimiter', onBucket({ Null: { 's3:delimiter': 'true' } }), list(), true],
  ['list a few', onBucket({ NumericLessThanEquals: { 's3:max-keys': '10' } }), list({ MaxKeys: 10 }), true],
  ['list many', onBucket({ NumericLessThanEquals: { 's3:max-keys': '10' } }), list({ MaxKeys: 11 }), false],
  ['list without a number', onBucket({ Null: { 's3:max-keys': 'true' } }), list(), true],
  ['get', on({ Action: 's3:GetObject' }), get(), true],
  ['get a version, and may get objects', on({ Action: 's3:GetObject' }), get({ VersionId }), false],
  ['get a version', on({ Action: 's3:GetObjectVersion' }), get({ VersionId }), true],
  [
    'get what has the tag',
    on({ Action: 's3:GetObject', Condition: { StringEquals: { 's3:ExistingObjectTag/a': '1' } } }),
    get({ Key: 'tagged' }),
    true,
  ],
  [
    'get what has no tag',
    on({ Action: 's3:GetObject', Condition: { StringEquals: { 's3:ExistingObjectTag/a': '1' } } }),
    get(),
    false,
  ],
  ['delete', on({ Action: 's3:DeleteObject' }), remove(), true],
  ['delete a version, and may delete objects', on({ Action: 's3:DeleteObject' }), remove({ VersionId }), false],
  ['delete a version', on({ Action: 's3:DeleteObjectVersion' }), remove({ VersionId }), true],
  ['copy', on({ Action: ['s3:GetObject', 's3:PutObject'] }), copy(`${Bucket}/k`), true],
  [
    'copy a version, and may get objects',
    on({ Action: ['s3:GetObject', 's3:PutObject'] }),
    copy(`${Bucket}/k?versionId=null`),
    false,
  ],
  ['copy a version', on({ Action: ['s3:GetObjectVersion', 's3:PutObject'] }), copy(`${Bucket}/k?versionId=null`), true],
]

async function withRights(statements: readonly object[]): Promise<S3Client> {
  const world = clients({ enforce: 'full' })
  await world.s3.send(new CreateBucketCommand({ Bucket }))
  await world.s3.send(new PutObjectCommand({ Bucket, Key: 'k', Body: 'x' }))
  await world.s3.send(new PutObjectCommand({ Bucket, Key: 'tagged', Body: 'x', Tagging: 'a=1' }))
  await world.s3.send(new PutBucketVersioningCommand({ Bucket, VersioningConfiguration: { Status: 'Enabled' } }))
  await world.iam.send(new CreateUserCommand({ UserName: 'u' }))
  const PolicyDocument = JSON.stringify({ Version: '2012-10-17', Statement: statements })
  await world.iam.send(new PutUserPolicyCommand({ UserName: 'u', PolicyName: 'p', PolicyDocument }))
  const { AccessKey } = await world.iam.send(new CreateAccessKeyCommand({ UserName: 'u' }))
  const { AccessKeyId: accessKeyId = '', SecretAccessKey: secretAccessKey = '' } = AccessKey ?? {}
  return world.as({ credentials: { accessKeyId, secretAccessKey } }).s3
}

for (const [what, statements, call, allowed] of rights) {
  test(`a user who would ${what}: ${allowed ? 'may' : 'may not'}`, async () => {
    const s3 = await withRights(statements)
    if (allowed) await call(s3)
    else assert.equal((await refusal(call(s3))).code, 'AccessDenied')
  })
}

test('of many keys those are deleted that may be', async () => {
  const s3 = await withRights([
    { Effect: 'Allow', Action: 's3:DeleteObject', Resource: `arn:aws:s3:::${Bucket}/k` },
    { Effect: 'Allow', Action: 's3:DeleteObjectVersion', Resource: `arn:aws:s3:::${Bucket}/tagged` },
  ])
  const Objects = [{ Key: 'k' }, { Key: 'tagged' }, { Key: 'k', VersionId }, { Key: 'tagged', VersionId }]
  const { Deleted = [], Errors = [] } = await s3.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects } }))
  assert.deepEqual(
    Deleted.map(one => [one.Key, one.VersionId]),
    [
      ['k', undefined],
      ['tagged', VersionId],
    ],
  )
  assert.deepEqual(Errors, [
    { Key: 'tagged', Code: 'AccessDenied', Message: 'Access Denied' },
    { Key: 'k', VersionId, Code: 'AccessDenied', Message: 'Access Denied' },
  ])
})
