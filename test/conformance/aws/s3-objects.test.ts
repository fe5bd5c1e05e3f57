// Objects of S3: versions and their deletion, copies, parts, attributes, and lists with every kind of mark.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { type Asked, asked, at, each } from './asked.ts'

const Bucket = 'b-1'

async function bucket(...keys: readonly string[]): Promise<Asked> {
  const world = asked()
  await world.s3('CreateBucket', { Bucket })
  for (const Key of keys) await world.s3('PutObject', { Bucket, Key, Body: Key })
  return world
}
const versioned = ({ s3 }: Asked): Promise<unknown> =>
  s3('PutBucketVersioning', { Bucket, VersioningConfiguration: { Status: 'Enabled' } })

test('with versions a deletion hides the key, and a deletion of a version is for good', async () => {
  const world = await bucket()
  const { s3 } = world
  await versioned(world)
  await s3('PutObject', { Bucket, Key: 'k', Body: 'one' }, 'one')
  await s3('PutObject', { Bucket, Key: 'k', Body: 'two' }, 'two')
  const versions = async (): Promise<unknown> => {
    const answer = await s3('ListObjectVersions', { Bucket })
    return [each(answer, 'Versions', 'Size'), each(answer, 'Versions', 'IsLatest'), each(answer, 'DeleteMarkers', 'IsLatest')]
  }
  assert.deepEqual(await versions(), [[3, 3], [true, false], []])
  const marker = await s3('DeleteObject', { Bucket, Key: 'k' }, 'marker')
  assert.equal(at(marker, 'DeleteMarker'), true)
  assert.deepEqual(await versions(), [[3, 3], [false, false], [true]])
  assert.equal(at(await s3('GetObject', { Bucket, Key: 'k' }), 0), 'NoSuchKey')
  const body = async (VersionId: unknown): Promise<unknown> => {
    const answer = await s3('GetObject', { Bucket, Key: 'k', VersionId })
    return at(answer, 'Body') ?? at(answer, 0)
  }
  const [one, two, hidden] = ['one', 'two', 'marker'].map(name => ({ $ref: `${name}.VersionId` }))
  assert.deepEqual([await body(one), await body(two), await body(hidden)], ['one', 'two', 'MethodNotAllowed'])
  assert.equal(await body('x'.repeat(32)), 'NoSuchVersion')
  assert.deepEqual(await s3('GetObject', { Bucket, Key: 'k', VersionId: 'x' }), [
    'InvalidArgument',
    400,
    'Invalid version id specified',
  ])
  assert.equal(at(await s3('DeleteBucket', { Bucket }), 0), 'BucketNotEmpty')
  assert.equal(at(await s3('DeleteObject', { Bucket, Key: 'k', VersionId: one }), 'DeleteMarker'), undefined)
  assert.deepEqual(await versions(), [[3], [false], [true]])
  assert.equal(at(await s3('DeleteObject', { Bucket, Key: 'k', VersionId: 'y'.repeat(32) }), 'DeleteMarker'), undefined)
  assert.equal(at(await s3('DeleteObject', { Bucket, Key: 'k', VersionId: hidden }), 'DeleteMarker'), true)
  assert.deepEqual(await versions(), [[3], [true], []])
  assert.equal(await body(undefined), 'two')
})

test('what was put before there were versions is the version null, and is replaced while they are suspended', async () => {
  const world = await bucket('k')
  const { s3 } = world
  await versioned(world)
  await s3('PutObject', { Bucket, Key: 'k', Body: 'newer' })
  const sizes = async (): Promise<unknown> => each(await s3('ListObjectVersions', { Bucket }), 'Versions', 'Size')
  assert.deepEqual(await sizes(), [5, 1])
  assert.equal(at(await s3('GetObject', { Bucket, Key: 'k', VersionId: 'null' }), 'Body'), 'k')
  await s3('PutBucketVersioning', { Bucket, VersioningConfiguration: { Status: 'Suspended' } })
  assert.equal(at(await s3('PutObject', { Bucket, Key: 'k', Body: 'again!' }), 'VersionId'), 'null')
  assert.deepEqual(await sizes(), [6, 5])
  assert.equal(at(await s3('DeleteObject', { Bucket, Key: 'k' }), 'VersionId'), 'null')
  assert.deepEqual(await sizes(), [5])
})

test('many keys are deleted at once, each with its own answer', async () => {
  const world = await bucket('a', 'b', 'c')
  const { s3 } = world
  const remove = (objects: readonly object[], more: object = {}): Promise<unknown> =>
    s3('DeleteObjects', { Bucket, Delete: { Objects: objects, ...more } })
  assert.deepEqual(await remove([{ Key: 'a' }, { Key: 'absent' }]), { Deleted: [{ Key: 'a' }, { Key: 'absent' }] })
  const bad = { Key: 'b', VersionId: 'x', Code: 'InvalidArgument', Message: 'Invalid version id specified' }
  assert.deepEqual(await remove([{ Key: 'b', VersionId: 'x' }, { Key: 'b' }], { Quiet: true }), { Errors: [bad] })
  assert.deepEqual(await remove([{ Key: 'c', VersionId: 'null' }], { Quiet: false }), {
    Deleted: [{ Key: 'c', VersionId: 'null' }],
  })
  await versioned(world)
  await s3('PutObject', { Bucket, Key: 'k', Body: '1' })
  const deleted = at(await remove([{ Key: 'k' }]), 'Deleted', 0)
  assert.deepEqual(
    [at(deleted, 'DeleteMarker'), typeof at(deleted, 'DeleteMarkerVersionId'), at(deleted, 'VersionId')],
    [true, 'string', undefined],
  )
  assert.equal(at(await remove([]), 0), 'MalformedXML')
  const many = (count: number): object[] => Array.from({ length: count }, (_, index) => ({ Key: `k${index}` }))
  assert.equal(at(await remove(many(1_001)), 0), 'MalformedXML')
  assert.equal((at(await remove(many(1_000)), 'Deleted') as unknown[]).length, 1_000)
})

test('a list of keys to delete has to come with a digest', async () => {
  const world = await bucket('a')
  const body = new TextEncoder().encode('<Delete><Object><Key>a</Key></Object></Delete>')
  const ask = async (more: Readonly<Record<string, string>>): Promise<number> => {
    const scope = `${world.aws.adminCredentials().accessKeyId}/20260101/us-east-1/s3/aws4_request`
    const headers = {
      host: 's3.us-east-1.amazonaws.com',
      authorization: `AWS4-HMAC-SHA256 Credential=${scope}, SignedHeaders=host, Signature=0`,
      'x-amz-date': '20260101T000000Z',
    }
    return (await world.aws.handle({ method: 'POST', target: `/${Bucket}?delete`, headers: { ...headers, ...more }, body }))
      .status
  }
  assert.equal(await ask({}), 400)
  const digest = (name: string): string => createHash(name).update(body).digest('base64')
  assert.equal(await ask({ 'content-md5': digest('md5') }), 200)
  assert.equal(await ask({ 'x-amz-checksum-sha256': digest('sha256') }), 200)
})

test('a copy keeps what comes with the object, or takes what is given in its place', async () => {
  const world = await bucket()
  const { s3 } = world
  await s3('PutObject', {
    Bucket,
    Key: 'from/ä b',
    Body: 'body',
    ContentType: 'text/plain',
    Metadata: { a: '1' },
    Tagging: 't=1',
    StorageClass: 'STANDARD_IA',
  })
  const CopySource = `${Bucket}/${encodeURIComponent('from/ä b')}`
  const copy = (Key: string, more: object = {}): Promise<unknown> => s3('CopyObject', { Bucket, Key, CopySource, ...more })
  const head = async (Key: string): Promise<unknown> => {
    const answer = await s3('GetObject', { Bucket, Key })
    return ['ContentType', 'Metadata', 'StorageClass', 'TagCount', 'Body'].map(name => at(answer, name))
  }
  await copy('kept')
  assert.deepEqual(await head('kept'), ['text/plain', { a: '1' }, undefined, 1, 'body'])
  await copy('replaced', {
    MetadataDirective: 'REPLACE',
    Metadata: { b: '2' },
    TaggingDirective: 'REPLACE',
    Tagging: 't=1&u=2',
    StorageClass: 'GLACIER',
  })
  assert.deepEqual(await head('replaced'), ['binary/octet-stream', { b: '2' }, 'GLACIER', 2, 'body'])
  assert.equal(at(await copy('from/ä b'), 0), 'InvalidRequest')
  for (const more of [{ MetadataDirective: 'REPLACE' }, { StorageClass: 'STANDARD' }, { WebsiteRedirectLocation: '/x' }])
    assert.equal(at(await copy('from/ä b', more), 'CopyObjectResult', 'LastModified'), '<date>', JSON.stringify(more))
})

test('a copy is made of what is there and fits its conditions', async () => {
  const world = await bucket('k')
  const { s3, clock } = world
  const copy = async (CopySource: string, more: object = {}): Promise<unknown> => {
    const answer = await s3('CopyObject', { Bucket, Key: 'to', CopySource, ...more })
    return at(answer, 0) ?? 'copied'
  }
  const ETag = at(await s3('HeadObject', { Bucket, Key: 'k' }), 'ETag')
  const [before, after] = [new Date(clock.now() - 60_000), new Date(clock.now() + 60_000)]
  for (const [more, answer] of [
    [{}, 'copied'],
    [{ CopySourceIfMatch: ETag }, 'copied'],
    [{ CopySourceIfMatch: '"other"' }, 'PreconditionFailed'],
    [{ CopySourceIfNoneMatch: '"other"' }, 'copied'],
    [{ CopySourceIfNoneMatch: ETag }, 'PreconditionFailed'],
    [{ CopySourceIfModifiedSince: before }, 'copied'],
    [{ CopySourceIfModifiedSince: after }, 'PreconditionFailed'],
    [{ CopySourceIfUnmodifiedSince: after }, 'copied'],
    [{ CopySourceIfUnmodifiedSince: before }, 'PreconditionFailed'],
  ] as const)
    assert.equal(await copy(`${Bucket}/k`, more), answer, JSON.stringify(more))
  assert.equal(await copy(`/${Bucket}/k`), 'copied')
  assert.deepEqual(
    [await copy('none/k'), await copy(`${Bucket}/none`), await copy(Bucket)],
    ['NoSuchBucket', 'NoSuchKey', 'InvalidArgument'],
  )
  await versioned(world)
  await s3('PutObject', { Bucket, Key: 'k', Body: 'newer' })
  const old = await s3('CopyObject', { Bucket, Key: 'to', CopySource: `${Bucket}/k?versionId=null` })
  assert.equal(at(old, 'CopySourceVersionId'), 'null')
  assert.equal(at(await s3('GetObject', { Bucket, Key: 'to' }), 'Body'), 'k')
  const same = await s3('CopyObject', { Bucket, Key: 'k', CopySource: `${Bucket}/k?versionId=null` })
  assert.equal(at(same, 'CopyObjectResult', 'LastModified'), '<date>')
  assert.equal(at(await s3('CopyObject', { Bucket, Key: 'x', CopySource: `${Bucket}/k` }), 'CopySourceVersionId'), undefined)
})

test('of an object just those attributes are told that are asked for', async () => {
  const world = await bucket('k')
  const { s3 } = world
  const asking = async (...ObjectAttributes: readonly string[]): Promise<readonly string[]> => {
    const answer = (await s3('GetObjectAttributes', { Bucket, Key: 'k', ObjectAttributes })) as object
    return Object.keys(answer)
      .filter(name => name !== 'LastModified')
      .toSorted()
  }
  for (const name of ['ETag', 'Checksum', 'ObjectSize', 'StorageClass']) assert.deepEqual(await asking(name), [name])
  assert.deepEqual(await asking('ObjectParts'), [])
  assert.deepEqual(await asking('ETag', 'ObjectSize'), ['ETag', 'ObjectSize'])
  await s3('CreateMultipartUpload', { Bucket, Key: 'k' }, 'upload')
  const upload = { Bucket, Key: 'k', UploadId: { $ref: 'upload.UploadId' } }
  await s3('UploadPart', { ...upload, PartNumber: 1, Body: 'x' }, 'part')
  await s3('CompleteMultipartUpload', { ...upload, MultipartUpload: { Parts: [{ PartNumber: 1, ETag: { $ref: 'part.ETag' } }] } })
  assert.deepEqual(await asking('ObjectParts'), ['ObjectParts'])
  const parts = await s3('GetObjectAttributes', { Bucket, Key: 'k', ObjectAttributes: ['ObjectParts'] })
  assert.deepEqual(at(parts, 'ObjectParts'), { TotalPartsCount: 1 })
  const part = await s3('HeadObject', { Bucket, Key: 'k', PartNumber: 1 })
  assert.deepEqual([at(part, 'PartsCount'), at(part, 'ContentLength')], [1, 1])
  assert.equal(at(await s3('HeadObject', { Bucket, Key: 'k' }), 'PartsCount'), undefined)
})

const mebibyte = 1_024 * 1_024

test('parts are put together in order, and all but the last have five mebibytes', async () => {
  const { s3 } = await bucket()
  const made = await s3('CreateMultipartUpload', { Bucket, Key: 'k', Metadata: { a: '1' } }, 'upload')
  assert.deepEqual([at(made, 'ChecksumAlgorithm'), at(made, 'ChecksumType')], [undefined, undefined])
  const upload = { Bucket, Key: 'k', UploadId: { $ref: 'upload.UploadId' } }
  const part = (PartNumber: number, size: number, name: string): Promise<unknown> =>
    s3('UploadPart', { ...upload, PartNumber, Body: name.repeat(size) }, name)
  const complete = (...names: readonly (readonly [number, string])[]): Promise<unknown> =>
    s3('CompleteMultipartUpload', {
      ...upload,
      MultipartUpload: { Parts: names.map(([PartNumber, name]) => ({ PartNumber, ETag: { $ref: `${name}.ETag` } })) },
    })
  await part(1, 5 * mebibyte, 'a')
  await part(2, 5 * mebibyte - 1, 'b')
  await part(10, 1, 'c')
  assert.equal(at(await complete([1, 'a'], [1, 'a']), 0), 'InvalidPartOrder')
  assert.equal(at(await complete([10, 'c'], [1, 'a']), 0), 'InvalidPartOrder')
  assert.equal(at(await complete([1, 'b']), 0), 'InvalidPart')
  assert.equal(at(await complete([3, 'a']), 0), 'InvalidPart')
  assert.equal(at(await complete([2, 'b'], [10, 'c']), 0), 'EntityTooSmall')
  assert.equal(at(await complete(), 0), 'MalformedXML')
  assert.equal(
    at(await s3('CompleteMultipartUpload', { ...upload, Key: 'other', MultipartUpload: { Parts: [] } }), 0),
    'NoSuchUpload',
  )
  const done = await complete([1, 'a'], [10, 'c'])
  assert.match(String(at(done, 'ETag')), /^"[0-9a-f]{32}-2"$/)
  assert.deepEqual(
    [at(done, 'ChecksumType'), at(done, 'Location')],
    [undefined, `https://${Bucket}.s3.us-east-1.amazonaws.com/k`],
  )
  const second = await s3('GetObject', { Bucket, Key: 'k', PartNumber: 2 })
  assert.deepEqual([at(second, 'Body'), at(second, 'PartsCount'), at(second, 'Metadata')], ['c', 2, { a: '1' }])
  assert.equal(at(await complete([1, 'a']), 0), 'NoSuchUpload')
})

for (const [input, algorithm, type, value] of [
  // Of the one part "x": the checksum of its bytes, or that of the checksums of its parts with their number.
  [{ ChecksumAlgorithm: 'CRC32' }, 'CRC32', 'COMPOSITE', 'full'],
  [{ ChecksumAlgorithm: 'CRC64NVME' }, 'CRC64NVME', 'FULL_OBJECT', 'full'],
  [{ ChecksumAlgorithm: 'CRC32', ChecksumType: 'FULL_OBJECT' }, 'CRC32', 'FULL_OBJECT', 'full'],
  [{ ChecksumAlgorithm: 'SHA256' }, 'SHA256', 'COMPOSITE', 'full'],
] as const) {
  test(`an upload with ${JSON.stringify(input)} has a checksum of the kind ${type}`, async () => {
    const { s3 } = await bucket()
    const made = await s3('CreateMultipartUpload', { Bucket, Key: 'k', ...input }, 'upload')
    assert.deepEqual([at(made, 'ChecksumAlgorithm'), at(made, 'ChecksumType')], [algorithm, type])
    const upload = { Bucket, Key: 'k', UploadId: { $ref: 'upload.UploadId' } }
    const part = await s3('UploadPart', { ...upload, PartNumber: 1, Body: 'x' }, 'part')
    const ofPart = at(part, `Checksum${algorithm}`)
    const done = await s3('CompleteMultipartUpload', {
      ...upload,
      MultipartUpload: { Parts: [{ PartNumber: 1, ETag: { $ref: 'part.ETag' } }] },
    })
    const whole = String(at(done, `Checksum${algorithm}`))
    assert.equal(at(done, 'ChecksumType'), type)
    if (type === 'FULL_OBJECT') assert.equal(whole, ofPart, value)
    else {
      assert.match(whole, /^[A-Za-z0-9+/]+={0,2}-1$/)
      assert.notEqual(whole, `${String(ofPart)}-1`)
    }
    await s3('PutObject', { Bucket, Key: 'same', Body: 'x', ChecksumAlgorithm: algorithm })
    const plain = await s3('HeadObject', { Bucket, Key: 'same', ChecksumMode: 'ENABLED' })
    assert.equal(at(plain, `Checksum${algorithm}`), ofPart)
  })
}

test('a part is copied whole or by a range', async () => {
  const { s3 } = await bucket('0123456789')
  await s3('CreateMultipartUpload', { Bucket, Key: 'k' }, 'upload')
  const upload = { Bucket, Key: 'k', UploadId: { $ref: 'upload.UploadId' } }
  const copied = async (more: object): Promise<unknown> => {
    await s3('UploadPartCopy', { ...upload, PartNumber: 1, CopySource: `${Bucket}/0123456789`, ...more })
    return each(await s3('ListParts', upload), 'Parts', 'Size')
  }
  assert.deepEqual([await copied({}), await copied({ CopySourceRange: 'bytes=2-4' })], [[10], [3]])
  await s3(
    'UploadPartCopy',
    { ...upload, PartNumber: 1, CopySource: `${Bucket}/0123456789`, CopySourceRange: 'bytes=2-4' },
    'part',
  )
  await s3('CompleteMultipartUpload', {
    ...upload,
    MultipartUpload: { Parts: [{ PartNumber: 1, ETag: { $ref: 'part.CopyPartResult.ETag' } }] },
  })
  assert.equal(at(await s3('GetObject', { Bucket, Key: 'k' }), 'Body'), '234')
})

test('parts of an upload are listed by number, in pages', async () => {
  const { s3 } = await bucket()
  await s3('CreateMultipartUpload', { Bucket, Key: 'k', StorageClass: 'STANDARD_IA' }, 'upload')
  const upload = { Bucket, Key: 'k', UploadId: { $ref: 'upload.UploadId' } }
  for (const PartNumber of [10, 2, 1]) await s3('UploadPart', { ...upload, PartNumber, Body: 'x' })
  const list = async (more: object): Promise<unknown> => {
    const answer = await s3('ListParts', { ...upload, ...more })
    const told = ['PartNumberMarker', 'NextPartNumberMarker', 'MaxParts', 'IsTruncated'].map(name => at(answer, name))
    return [each(answer, 'Parts', 'PartNumber'), ...told]
  }
  assert.deepEqual(await list({}), [[1, 2, 10], '0', undefined, 1_000, false])
  assert.deepEqual(await list({ MaxParts: 2 }), [[1, 2], '0', '2', 2, true])
  assert.deepEqual(await list({ MaxParts: 2, PartNumberMarker: '2' }), [[10], '2', undefined, 2, false])
  assert.deepEqual(await list({ MaxParts: 3 }), [[1, 2, 10], '0', undefined, 3, false])
  assert.deepEqual(await list({ MaxParts: 2_000 }), [[1, 2, 10], '0', undefined, 1_000, false])
})

test('uploads are listed by key and then by age, in pages', async () => {
  const { s3, clock } = await bucket()
  for (const Key of ['b', 'a/2', 'a/1', 'b']) {
    await s3('CreateMultipartUpload', { Bucket, Key }, Key)
    await clock.advance(1_000)
  }
  const list = async (more: object): Promise<unknown> => {
    const answer = await s3('ListMultipartUploads', { Bucket, ...more })
    return [
      each(answer, 'Uploads', 'Key').join(' '),
      ...['NextKeyMarker', 'MaxUploads', 'IsTruncated'].map(name => at(answer, name)),
    ]
  }
  assert.deepEqual(await list({}), ['a/1 a/2 b b', undefined, 1_000, false])
  assert.deepEqual(await list({ MaxUploads: 2 }), ['a/1 a/2', 'a/2', 2, true])
  assert.deepEqual(await list({ MaxUploads: 4 }), ['a/1 a/2 b b', undefined, 4, false])
  assert.deepEqual(await list({ MaxUploads: 2_000 }), ['a/1 a/2 b b', undefined, 1_000, false])
  assert.deepEqual(await list({ KeyMarker: 'a/2' }), ['b b', undefined, 1_000, false])
  assert.deepEqual(await list({ Prefix: 'a/' }), ['a/1 a/2', undefined, 1_000, false])
  assert.deepEqual(await list({ Prefix: 'a/', KeyMarker: 'a/1' }), ['a/2', undefined, 1_000, false])
  const initiated = (at(await s3('ListMultipartUploads', { Bucket, Prefix: 'b' }), 'Uploads') as object[]).length
  assert.equal(initiated, 2)
})

const lists: readonly (readonly [input: object, keys: string, prefixes: string, more: string | undefined])[] = [
  [{}, 'a/1 a/2 a/b/3 b c/4', '', undefined],
  [{ Delimiter: '/' }, 'b', 'a/ c/', undefined],
  [{ Prefix: 'a/', Delimiter: '/' }, 'a/1 a/2', 'a/b/', undefined],
  [{ Prefix: 'a', Delimiter: '/' }, '', 'a/', undefined],
  [{ Prefix: 'x' }, '', '', undefined],
  [{ Delimiter: '/', MaxKeys: 1 }, '', 'a/', 'a/'],
  [{ Delimiter: '/', MaxKeys: 2 }, 'b', 'a/', 'b'],
  [{ Delimiter: '/', MaxKeys: 3 }, 'b', 'a/ c/', undefined],
  [{ Delimiter: '/', Marker: 'a/' }, 'b', 'c/', undefined],
  [{ Delimiter: '/', Marker: 'a/1' }, 'b', 'a/ c/', undefined],
  [{ Prefix: 'a/', Delimiter: '/', Marker: 'a/' }, 'a/1 a/2', 'a/b/', undefined],
  [{ Marker: 'a/' }, 'a/1 a/2 a/b/3 b c/4', '', undefined],
  [{ Marker: 'a/1' }, 'a/2 a/b/3 b c/4', '', undefined],
  [{ Prefix: 'b', Marker: 'a' }, 'b', '', undefined],
  [{ Prefix: 'b', Marker: 'b' }, '', '', undefined],
  [{ Prefix: 'a/', Marker: 'c' }, '', '', undefined],
  [{ MaxKeys: 0 }, '', '', undefined],
  [{ MaxKeys: 5_000 }, 'a/1 a/2 a/b/3 b c/4', '', undefined],
  [{ MaxKeys: 4 }, 'a/1 a/2 a/b/3 b', '', undefined],
]
for (const [input, keys, prefixes, next] of lists) {
  test(`a list of ${JSON.stringify(input)}: ${keys} and ${prefixes || 'no prefixes'}`, async () => {
    const { s3 } = await bucket('b', 'a/b/3', 'a/1', 'c/4', 'a/2')
    const answer = await s3('ListObjects', { Bucket, ...input })
    assert.deepEqual(
      [each(answer, 'Contents', 'Key').join(' '), each(answer, 'CommonPrefixes', 'Prefix').join(' '), at(answer, 'NextMarker')],
      [keys, prefixes, next],
    )
    const { MaxKeys } = input as { MaxKeys?: number }
    assert.equal(at(answer, 'MaxKeys'), MaxKeys === undefined ? 1_000 : Math.min(MaxKeys, 1_000))
    assert.equal(at(answer, 'IsTruncated'), next !== undefined || MaxKeys === 4)
  })
}

test('a list says what it was asked, and no more', async () => {
  const { s3 } = await bucket('a b', 'c/d')
  const told = async (operation: string, input: object): Promise<unknown> => {
    const answer = (await s3(operation, { Bucket, ...input })) as Readonly<Record<string, unknown>>
    const { Contents: _c, CommonPrefixes: _p, Name: _n, MaxKeys: _m, IsTruncated: _t, ...rest } = answer
    return rest
  }
  assert.deepEqual(await told('ListObjectsV2', {}), { KeyCount: 2, Prefix: '' })
  assert.deepEqual(await told('ListObjectsV2', { Delimiter: '/', Prefix: 'a', StartAfter: 'a', EncodingType: 'url' }), {
    KeyCount: 1,
    Delimiter: '/',
    Prefix: 'a',
    StartAfter: 'a',
    EncodingType: 'url',
  })
  const first = await s3('ListObjectsV2', { Bucket, MaxKeys: 1 }, 'first')
  assert.equal(typeof at(first, 'NextContinuationToken'), 'string')
  assert.equal(at(first, 'ContinuationToken'), undefined)
  const ContinuationToken = { $ref: 'first.NextContinuationToken' }
  const second = await s3('ListObjectsV2', { Bucket, MaxKeys: 1, ContinuationToken })
  assert.deepEqual([typeof at(second, 'ContinuationToken'), each(second, 'Contents', 'Key')], ['string', ['c/d']])
  assert.deepEqual(await s3('ListObjectsV2', { Bucket, Prefix: 'a', ContinuationToken }), [
    'InvalidArgument',
    400,
    'The continuation token provided is incorrect',
  ])
  const encoded = await s3('ListObjectsV2', { Bucket, EncodingType: 'url' })
  assert.deepEqual(each(encoded, 'Contents', 'Key'), ['a%20b', 'c/d'])
  const owner = async (input: object): Promise<unknown> =>
    each(await s3('ListObjectsV2', { Bucket, ...input }), 'Contents', 'Owner')
  const withOwner = (await owner({ FetchOwner: true })) as object[]
  assert.match(String(at(withOwner[0], 'ID')), /^[0-9a-f]{64}$/)
  assert.deepEqual(await owner({}), [undefined, undefined])
})

test('versions are listed from a key on, with what every row says', async () => {
  const world = await bucket()
  await versioned(world)
  const { s3 } = world
  for (const Key of ['a', 'b', 'b', 'c']) await s3('PutObject', { Bucket, Key, Body: Key })
  await s3('DeleteObject', { Bucket, Key: 'c' })
  const list = async (input: object): Promise<unknown> => {
    const answer = await s3('ListObjectVersions', { Bucket, ...input })
    return [
      each(answer, 'Versions', 'Key').join(''),
      each(answer, 'Versions', 'IsLatest').join(' '),
      each(answer, 'DeleteMarkers', 'Key').join(''),
      at(answer, 'NextKeyMarker'),
      at(answer, 'IsTruncated'),
    ]
  }
  assert.deepEqual(await list({}), ['abbc', 'true true false false', 'c', undefined, false])
  assert.deepEqual(await list({ MaxKeys: 2 }), ['abb', 'true true false', '', 'b', true])
  assert.deepEqual(await list({ KeyMarker: 'b' }), ['c', 'false', 'c', undefined, false])
  assert.deepEqual(await list({ Prefix: 'a' }), ['a', 'true', '', undefined, false])
  assert.equal(at(await s3('ListObjectVersions', { Bucket, KeyMarker: 'a', VersionIdMarker: 'v' }), 'VersionIdMarker'), 'v')
})

const kept: readonly (readonly [what: string, input: object, member: string, value: unknown])[] = [
  ['content encodings', { ContentEncoding: 'gzip, br' }, 'ContentEncoding', 'gzip, br'],
  ['an empty content encoding', { ContentEncoding: '' }, 'ContentEncoding', undefined],
  ['an empty cache control', { CacheControl: '' }, 'CacheControl', undefined],
  ['a language', { ContentLanguage: 'de' }, 'ContentLanguage', 'de'],
  ['a disposition', { ContentDisposition: 'inline' }, 'ContentDisposition', 'inline'],
  ['the plain storage class', { StorageClass: 'STANDARD' }, 'StorageClass', undefined],
  ['another storage class', { StorageClass: 'GLACIER' }, 'StorageClass', 'GLACIER'],
  ['no tags', { Tagging: '' }, 'TagCount', undefined],
  ['one tag', { Tagging: 'a=1' }, 'TagCount', 1],
]
for (const [what, input, member, value] of kept) {
  test(`an object that was put with ${what} has the ${member} ${JSON.stringify(value) ?? 'of nothing'}`, async () => {
    const { s3 } = await bucket()
    await s3('PutObject', { Bucket, Key: 'k', Body: 'x', ...input })
    assert.equal(at(await s3('GetObject', { Bucket, Key: 'k' }), member), value)
  })
}

test('user metadata has 2048 bytes, names and values together', async () => {
  const { s3 } = await bucket()
  const put = async (size: number): Promise<unknown> =>
    at(await s3('PutObject', { Bucket, Key: 'k', Body: 'x', Metadata: { ab: 'x'.repeat(size - 4), c: 'd' } }), 0)
  assert.deepEqual([await put(2_048), await put(2_049)], [undefined, 'MetadataTooLarge'])
})

for (const [ownership, block, input, refused] of [
  ['BucketOwnerEnforced', false, { ACL: 'private' }, undefined],
  ['BucketOwnerEnforced', false, { ACL: 'bucket-owner-full-control' }, undefined],
  ['BucketOwnerEnforced', false, { ACL: 'public-read' }, 'AccessControlListNotSupported'],
  ['BucketOwnerEnforced', false, { GrantRead: 'id=x' }, 'AccessControlListNotSupported'],
  ['BucketOwnerEnforced', false, { GrantFullControl: 'id=x' }, 'AccessControlListNotSupported'],
  ['ObjectWriter', false, { ACL: 'public-read' }, undefined],
  ['ObjectWriter', true, { ACL: 'public-read' }, 'AccessDenied'],
  ['ObjectWriter', true, { ACL: 'authenticated-read' }, undefined],
] as const) {
  test(`an object with ${JSON.stringify(input)} under ${ownership}${block ? ', public ones blocked' : ''}: ${refused ?? 'put'}`, async () => {
    const { s3 } = asked()
    await s3('CreateBucket', { Bucket, ObjectOwnership: ownership })
    await s3('PutPublicAccessBlock', { Bucket, PublicAccessBlockConfiguration: { BlockPublicAcls: block } })
    assert.equal(at(await s3('PutObject', { Bucket, Key: 'k', Body: 'x', ...input }), 0), refused)
  })
}

test('the ACL of an object is its canned one, and is changed where ACLs are on', async () => {
  const { s3 } = asked()
  await s3('CreateBucket', { Bucket, ObjectOwnership: 'ObjectWriter' })
  await s3('PutPublicAccessBlock', { Bucket, PublicAccessBlockConfiguration: {} })
  await s3('PutObject', { Bucket, Key: 'k', Body: 'x' })
  const grants = async (): Promise<unknown> => each(await s3('GetObjectAcl', { Bucket, Key: 'k' }), 'Grants', 'Permission')
  assert.deepEqual(await grants(), ['FULL_CONTROL'])
  assert.deepEqual(await s3('PutObjectAcl', { Bucket, Key: 'k', ACL: 'public-read' }), {})
  assert.deepEqual(await grants(), ['FULL_CONTROL', 'READ'])
  const lists = { AccessControlPolicy: { Grants: [] } }
  assert.equal(at(await s3('PutObjectAcl', { Bucket, Key: 'k', ...lists }), 0), 'NotImplemented')
  await s3('PutBucketOwnershipControls', { Bucket, OwnershipControls: { Rules: [{ ObjectOwnership: 'BucketOwnerEnforced' }] } })
  assert.equal(at(await s3('PutObjectAcl', { Bucket, Key: 'k', ACL: 'private' }), 0), 'AccessControlListNotSupported')
})

test('tags of a version are its own, and ten at most', async () => {
  const world = await bucket()
  await versioned(world)
  const { s3 } = world
  await s3('PutObject', { Bucket, Key: 'k', Body: '1', Tagging: 'a=1' }, 'one')
  await s3('PutObject', { Bucket, Key: 'k', Body: '2', Tagging: 'a=2' })
  const old = { Bucket, Key: 'k', VersionId: { $ref: 'one.VersionId' } }
  const tags = async (input: object): Promise<unknown> => at(await s3('GetObjectTagging', input), 'TagSet')
  await s3('PutObjectTagging', { ...old, Tagging: { TagSet: [{ Key: 'b', Value: '3' }] } })
  assert.deepEqual([await tags(old), await tags({ Bucket, Key: 'k' })], [[{ Key: 'b', Value: '3' }], [{ Key: 'a', Value: '2' }]])
  const many = (count: number): object => ({
    TagSet: Array.from({ length: count }, (_, index) => ({ Key: `k${index}`, Value: '' })),
  })
  assert.equal(
    at(await s3('PutObjectTagging', { Bucket, Key: 'k', Tagging: many(11) }), 2),
    'Object tags cannot be greater than 10',
  )
  assert.equal(at(await s3('PutObjectTagging', { Bucket, Key: 'k', Tagging: many(10) }), 0), undefined)
  await s3('DeleteObjectTagging', { Bucket, Key: 'k' })
  assert.deepEqual([await tags({ Bucket, Key: 'k' }), await tags(old)], [[], [{ Key: 'b', Value: '3' }]])
  assert.equal(at(await s3('PutBucketTagging', { Bucket, Tagging: many(51) }), 2), 'Bucket tag count cannot be greater than 50')
  assert.equal(at(await s3('PutBucketTagging', { Bucket, Tagging: many(50) }), 0), undefined)
})
