// What S3 is asked in ways it must not misunderstand: sub-resources that it does not have, parts of an object, ids of versions.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  CompleteMultipartUploadCommand,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutBucketVersioningCommand,
  PutObjectCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import { type Clients, clients, refusal } from './clients.ts'

const Bucket = 'parts'

async function withBucket(): Promise<Clients> {
  const world = clients({ signatures: 'parse' })
  await world.s3.send(new CreateBucketCommand({ Bucket }))
  return world
}

const keys = async ({ s3 }: Clients): Promise<readonly (string | undefined)[]> =>
  ((await s3.send(new ListObjectsV2Command({ Bucket }))).Contents ?? []).map(({ Key }) => Key)

test('a sub-resource that S3 does not have, or not there, writes nothing', async () => {
  const world = await withBucket()
  const cases: readonly (readonly [method: string, target: string, status: number, code: string])[] = [
    ['PUT', '/parts/new?renameObject', 501, 'NotImplemented'],
    ['PUT', '/parts/new?renameObject=', 501, 'NotImplemented'],
    ['PUT', '/parts/new?somethingNew', 501, 'NotImplemented'],
    ['PUT', '/parts/new?torrent', 405, 'MethodNotAllowed'],
    ['PUT', '/parts/new?versioning', 405, 'MethodNotAllowed'],
    ['PUT', '/parts/new?versionId=null', 400, 'InvalidArgument'],
    ['PUT', '/parts/new?partNumber=1', 400, 'InvalidArgument'],
    ['PUT', '/another?somethingNew', 501, 'NotImplemented'],
    ['DELETE', '/parts?somethingNew', 501, 'NotImplemented'],
    ['GET', '/parts?metadataEverything', 501, 'NotImplemented'],
  ]
  for (const [method, target, status, code] of cases) {
    const answer = await world.raw({ method, target, as: 's3', body: 'text' })
    assert.deepEqual([target, answer.status, /<Code>(\w+)</.exec(answer.text)?.[1]], [target, status, code])
  }
  assert.deepEqual(await keys(world), [])
})

test('a query that names no sub-resource is not S3’s business', async () => {
  const world = await withBucket()
  for (const query of ['x-id=PutObject', 'cache=1', 'X-Amz-Meta=2', 'x-amz-acl=private']) {
    const { status } = await world.raw({ method: 'PUT', target: `/parts/new?${query}`, as: 's3', body: 'text' })
    assert.deepEqual([query, status], [query, 200])
  }
  assert.equal((await world.raw({ method: 'GET', target: '/parts/new?v=3&response-expires=0', as: 's3' })).text, 'text')
})

/** Two parts, of which the first is as small as it may be. */
async function inTwoParts({ s3 }: Clients): Promise<{ readonly first: string; readonly second: string }> {
  const at = { Bucket, Key: 'large' }
  const { UploadId } = await s3.send(new CreateMultipartUploadCommand(at))
  const [first, second] = ['a'.repeat(5 * 1024 * 1024), 'the end']
  const Parts: { PartNumber: number; ETag: string | undefined }[] = []
  for (const [PartNumber, Body] of [[2, first] as const, [7, second] as const])
    Parts.push({ PartNumber, ETag: (await s3.send(new UploadPartCommand({ ...at, UploadId, PartNumber, Body }))).ETag })
  await s3.send(new CompleteMultipartUploadCommand({ ...at, UploadId, MultipartUpload: { Parts } }))
  return { first, second }
}

test('a part of an object is read by its number', async () => {
  const world = await withBucket()
  const { first, second } = await inTwoParts(world)
  const total = first.length + second.length
  const at = { Bucket, Key: 'large' }
  const read = await world.s3.send(new GetObjectCommand({ ...at, PartNumber: 2 }))
  assert.deepEqual(
    [read.$metadata.httpStatusCode, read.ContentRange, read.PartsCount, await read.Body?.transformToString()],
    [206, `bytes ${first.length}-${total - 1}/${total}`, 2, second],
  )
  const head = await world.s3.send(new HeadObjectCommand({ ...at, PartNumber: 1 }))
  assert.deepEqual(
    [head.ContentLength, head.PartsCount, head.ContentRange],
    [first.length, 2, `bytes 0-${first.length - 1}/${total}`],
  )
  assert.equal((await world.s3.send(new HeadObjectCommand(at))).PartsCount, undefined)
})

test('an object that was put in one piece has one part', async () => {
  const world = await withBucket()
  const at = { Bucket, Key: 'small' }
  await world.s3.send(new PutObjectCommand({ ...at, Body: 'hello' }))
  const { PartsCount, ContentRange, Body } = await world.s3.send(new GetObjectCommand({ ...at, PartNumber: 1 }))
  assert.deepEqual([PartsCount, ContentRange, await Body?.transformToString()], [undefined, 'bytes 0-4/5', 'hello'])
})

test('parts that are not there, are no number, or compete with a range are refused', async () => {
  const world = await withBucket()
  await inTwoParts(world)
  const at = { Bucket, Key: 'large' }
  const asked = async (more: object): Promise<readonly unknown[]> => {
    const { code, status } = await refusal(world.s3.send(new GetObjectCommand({ ...at, ...more })))
    return [code, status]
  }
  assert.deepEqual(await asked({ PartNumber: 3 }), ['InvalidPartNumber', 416])
  assert.deepEqual(await asked({ PartNumber: 0 }), ['InvalidArgument', 400])
  assert.deepEqual(await asked({ PartNumber: 10_001 }), ['InvalidArgument', 400])
  assert.deepEqual(await asked({ PartNumber: 1, Range: 'bytes=0-1' }), ['InvalidRequest', 400])
  assert.equal((await world.raw({ method: 'GET', target: '/parts/large?partNumber=x', as: 's3' })).status, 400)
})

test('an id that no version can have is no version that is missing', async () => {
  const world = await withBucket()
  const at = { Bucket, Key: 'kept' }
  const VersioningConfiguration = { Status: 'Enabled' } as const
  await world.s3.send(new PutBucketVersioningCommand({ Bucket, VersioningConfiguration }))
  const { VersionId = '' } = await world.s3.send(new PutObjectCommand({ ...at, Body: 'hello' }))
  const unreadable = { code: 'InvalidArgument', status: 400, message: 'Invalid version id specified' }
  for (const id of ['x', 'nul', `${VersionId}=`, '../..']) {
    assert.deepEqual(await refusal(world.s3.send(new GetObjectCommand({ ...at, VersionId: id }))), unreadable)
    assert.deepEqual(await refusal(world.s3.send(new DeleteObjectCommand({ ...at, VersionId: id }))), unreadable)
  }
  assert.equal((await refusal(world.s3.send(new HeadObjectCommand({ ...at, VersionId: 'x' })))).status, 400)
  const empty = await world.raw({ method: 'GET', target: '/parts/kept?versionId=', as: 's3' })
  assert.deepEqual([empty.status, /<Message>(.*?)</.exec(empty.text)?.[1]], [400, 'Version id cannot be the empty string'])
  const other = `${VersionId.startsWith('A') ? 'B' : 'A'}${VersionId.slice(1)}`
  assert.equal((await refusal(world.s3.send(new GetObjectCommand({ ...at, VersionId: other })))).code, 'NoSuchVersion')
  assert.equal((await refusal(world.s3.send(new GetObjectCommand({ ...at, VersionId: 'null' })))).code, 'NoSuchVersion')
  const Delete = { Objects: [{ Key: 'kept', VersionId: 'x' }] }
  const { Errors } = await world.s3.send(new DeleteObjectsCommand({ Bucket, Delete }))
  assert.deepEqual(
    Errors?.map(({ Key, Code }) => [Key, Code]),
    [['kept', 'InvalidArgument']],
  )
  assert.deepEqual(await keys(world), ['kept'])
})
