// Objects: put, read, copy, delete. One object per call is read and written; lists are listing.ts, parts are multipart.ts.
import type { Call } from '../service.ts'
import { absentKey, bucketOf, onKey } from './access.ts'
import { type BucketInput, putBucket } from './buckets.ts'
import { checkWrite, isNotModified, type ReadConditions } from './conditions.ts'
import { type ContentInput, checksumFor, contentFrom, etagOf, renderChecksum, renderVersion } from './content.ts'
import { s3Failure } from './errors.ts'
import {
  type Bucket,
  latestContent,
  nextVersionId,
  type ObjectContent,
  type ObjectVersion,
  type S3State,
  withoutVersion,
  withVersion,
} from './model.ts'
import { askedBytes } from './ranges.ts'
import { checkVersionId, isVersionId } from './version-id.ts'

type CallS3<I> = Call<S3State, I>
type Readable = ObjectVersion & { readonly content: ObjectContent }

interface PutObjectInput extends BucketInput, ContentInput {
  readonly Body?: Uint8Array
  readonly IfMatch?: string
  readonly IfNoneMatch?: string
}

export function putObject(call: CallS3<PutObjectInput>): object {
  const bucket = bucketOf(call)
  const { Key: key, Tagging, ACL, IfNoneMatch } = call.input
  const context = {
    ...(ACL !== undefined && { 's3:x-amz-acl': ACL }),
    ...(IfNoneMatch !== undefined && { 's3:if-none-match': IfNoneMatch }),
  }
  call.authorise(
    onKey(call, bucket, { action: 'PutObject', key, context }),
    ...(Tagging === undefined ? [] : [onKey(call, bucket, { action: 'PutObjectTagging', key })]),
  )
  const described = contentFrom(call, bucket)
  checkWrite(call.input, latestContent(bucket, key)?.content, key)
  const body = call.input.Body ?? new Uint8Array()
  const content: ObjectContent = { ...described, body, etag: etagOf(body), checksum: checksumFor(call.request.headers, body) }
  const version = store(call, bucket, key, content)
  return written(bucket, version, content)
}

/** Puts new content on top of the key; the version's id is drawn only where versions are kept. */
export function store(call: Call<S3State>, bucket: Bucket, key: string, content: ObjectContent): ObjectVersion {
  const version = { versionId: nextVersionId(bucket, () => drawnVersionId(call)), modifiedMs: call.now, content }
  putBucket(call, withVersion(bucket, key, version))
  return version
}

export function drawnVersionId(call: Call<S3State>): string {
  return Buffer.from(call.random(`version/${call.serial()}`).bytes(24)).toString('base64url')
}

export function written(bucket: Bucket, version: ObjectVersion, content: ObjectContent): object {
  return {
    ETag: `"${content.etag}"`,
    ServerSideEncryption: 'AES256',
    ...renderChecksum(content.checksum),
    ...renderVersion(bucket, version),
  }
}

interface GetObjectInput extends BucketInput, ReadConditions {
  readonly Key: string
  readonly Range?: string
  readonly VersionId?: string
  readonly PartNumber?: number
  readonly ChecksumMode?: string
  readonly ResponseCacheControl?: string
  readonly ResponseContentDisposition?: string
  readonly ResponseContentEncoding?: string
  readonly ResponseContentLanguage?: string
  readonly ResponseContentType?: string
  readonly ResponseExpires?: number
}

export function getObject(call: CallS3<GetObjectInput>): object {
  return read(call, true)
}

/** A HEAD answer has the headers of the GET, and no body; the core cuts it. */
export function headObject(call: CallS3<GetObjectInput>): object {
  return read(call, false)
}

function read(call: CallS3<GetObjectInput>, withBody: boolean): object {
  const { input } = call
  const bucket = bucketOf(call)
  const action = input.VersionId === undefined ? 'GetObject' : 'GetObjectVersion'
  call.authorise(onKey(call, bucket, { action, key: input.Key }))
  const version = readableVersion(call, bucket, input)
  const { content } = version
  if (isNotModified(input, version)) {
    call.reply.status = 304
    call.reply.headers['etag'] = `"${content.etag}"`
    call.reply.body = new Uint8Array()
    return {}
  }
  const { range, partsCount } = askedBytes(input, content)
  if (range !== undefined) call.reply.status = 206
  const length = range === undefined ? content.body.length : range.end - range.start
  const whole = range === undefined
  return {
    ...(withBody && { Body: whole ? content.body : content.body.subarray(range.start, range.end) }),
    AcceptRanges: 'bytes',
    ContentLength: length,
    ...(range !== undefined && { ContentRange: `bytes ${range.start}-${range.end - 1}/${content.body.length}` }),
    ...(partsCount !== undefined && { PartsCount: partsCount }),
    ...described(content, version),
    ...overrides(call),
    ...(input.ChecksumMode === 'ENABLED' && whole && renderChecksum(content.checksum)),
    ...renderVersion(bucket, version),
  }
}

function described(content: ObjectContent, version: ObjectVersion): object {
  const tags = Object.keys(content.tags).length
  return {
    ETag: `"${content.etag}"`,
    LastModified: version.modifiedMs,
    ...content.headers,
    Metadata: content.metadata,
    ServerSideEncryption: 'AES256',
    ...(content.storageClass !== 'STANDARD' && { StorageClass: content.storageClass }),
    ...(tags > 0 && { TagCount: tags }),
  }
}

/** `response-*` parameters; only a signed request may ask for them. */
function overrides(call: CallS3<GetObjectInput>): object {
  const { input } = call
  const asked = {
    CacheControl: input.ResponseCacheControl,
    ContentDisposition: input.ResponseContentDisposition,
    ContentEncoding: input.ResponseContentEncoding,
    ContentLanguage: input.ResponseContentLanguage,
    ContentType: input.ResponseContentType,
    Expires: call.request.query.get('response-expires'),
  }
  const given = Object.entries(asked).filter(([, value]) => value !== undefined)
  if (given.length > 0 && call.caller.kind === 'anonymous') {
    throw s3Failure('InvalidRequest', { message: 'Request specific response headers cannot be used for anonymous GET requests.' })
  }
  return Object.fromEntries(given)
}

/** The version asked for, or the refusals for absent keys, unknown versions and delete markers. */
export function readableVersion(
  call: Call<S3State>,
  bucket: Bucket,
  at: { readonly Key: string; readonly VersionId?: string },
): Readable {
  if (at.VersionId === undefined) {
    const current = latestContent(bucket, at.Key)
    return current ?? absentKey(call, bucket, at.Key)
  }
  checkVersionId(at.VersionId)
  const version = versionsOf(bucket, at.Key).find(other => other.versionId === at.VersionId)
  if (version === undefined) throw s3Failure('NoSuchVersion', { fields: { Key: at.Key, VersionId: at.VersionId } })
  if (version.content === undefined) {
    call.reply.headers['x-amz-delete-marker'] = 'true'
    throw s3Failure('MethodNotAllowed')
  }
  return { ...version, content: version.content }
}

function versionsOf(bucket: Bucket, key: string): readonly ObjectVersion[] {
  return bucket.objects.get(Buffer.from(key).toString('latin1'))?.versions ?? []
}

interface DeleteObjectInput extends BucketInput {
  readonly Key: string
  readonly VersionId?: string
  readonly IfMatch?: string
}

export function deleteObject(call: CallS3<DeleteObjectInput>): object {
  const bucket = bucketOf(call)
  const { Key: key, VersionId } = call.input
  const action = VersionId === undefined ? 'DeleteObject' : 'DeleteObjectVersion'
  call.authorise(onKey(call, bucket, { action, key }))
  checkWrite(call.input, latestContent(bucket, key)?.content, key)
  return removeOne(call, bucket, { key, ...(VersionId !== undefined && { versionId: VersionId }) })
}

export interface Removed {
  readonly VersionId?: string
  readonly DeleteMarker?: boolean
}

/** Removes a version for good, or hides the key behind a delete marker where versions are kept. */
export function removeOne(
  call: Call<S3State>,
  bucket: Bucket,
  at: { readonly key: string; readonly versionId?: string },
): Removed {
  const { key, versionId } = at
  if (versionId !== undefined) {
    checkVersionId(versionId)
    const version = versionsOf(bucket, key).find(other => other.versionId === versionId)
    putBucket(call, withoutVersion(bucket, key, versionId))
    return { VersionId: versionId, ...(version !== undefined && version.content === undefined && { DeleteMarker: true }) }
  }
  if (bucket.versioning === undefined) {
    putBucket(call, withoutVersion(bucket, key, 'null'))
    return {}
  }
  const marker = { versionId: nextVersionId(bucket, () => drawnVersionId(call)), modifiedMs: call.now }
  putBucket(call, withVersion(bucket, key, marker))
  return { VersionId: marker.versionId, DeleteMarker: true }
}

interface DeleteObjectsInput extends BucketInput {
  readonly Delete: {
    readonly Objects: readonly { readonly Key: string; readonly VersionId?: string }[]
    readonly Quiet?: boolean
  }
}

const deletesPerCallMax = 1_000

export function deleteObjects(call: CallS3<DeleteObjectsInput>): object {
  const bucket = bucketOf(call)
  const { Objects: objects, Quiet } = call.input.Delete
  checkDigestSent(call.request.headers)
  if (objects.length > deletesPerCallMax) throw s3Failure('MalformedXML')
  const deleted: object[] = []
  const errors: object[] = []
  for (const { Key, VersionId } of objects) {
    const at = { Key, ...(VersionId !== undefined && { VersionId }) }
    const action = VersionId === undefined ? 'DeleteObject' : 'DeleteObjectVersion'
    const allowed = call.decide(onKey(call, bucket, { action, key: Key })).allowed
    if (!allowed) {
      errors.push({ ...at, Code: 'AccessDenied', Message: 'Access Denied' })
      continue
    }
    if (VersionId !== undefined && !isVersionId(VersionId)) {
      errors.push({ ...at, Code: 'InvalidArgument', Message: 'Invalid version id specified' })
      continue
    }
    const current = call.store.get().buckets.get(bucket.name) ?? bucket
    const removed = removeOne(call, current, { key: Key, ...(VersionId !== undefined && { versionId: VersionId }) })
    const marker = removed.DeleteMarker === true ? { DeleteMarker: true, DeleteMarkerVersionId: removed.VersionId } : {}
    deleted.push({ ...at, ...marker })
  }
  return { ...(Quiet !== true && { Deleted: deleted }), Errors: errors }
}

/** A list of keys to delete that was damaged on its way must not be carried out. */
function checkDigestSent(headers: Readonly<Record<string, string>>): void {
  const sent = headers['content-md5'] !== undefined || headers['x-amz-trailer'] !== undefined
  if (sent || Object.keys(headers).some(name => name.startsWith('x-amz-checksum-'))) return
  throw s3Failure('InvalidRequest', { message: 'Missing required header for this request: Content-MD5 OR x-amz-checksum-*' })
}

interface CopyObjectInput extends BucketInput, ContentInput {
  readonly CopySource: string
  readonly MetadataDirective?: 'COPY' | 'REPLACE'
  readonly TaggingDirective?: 'COPY' | 'REPLACE'
  readonly CopySourceIfMatch?: string
  readonly CopySourceIfNoneMatch?: string
  readonly CopySourceIfModifiedSince?: number
  readonly CopySourceIfUnmodifiedSince?: number
}

export function copyObject(call: CallS3<CopyObjectInput>): object {
  const { input } = call
  const bucket = bucketOf(call)
  const source = copySource(call, input)
  call.authorise(onKey(call, bucket, { action: 'PutObject', key: input.Key }))
  const replaces = input.MetadataDirective === 'REPLACE'
  const itself = source.bucket.name === bucket.name && source.key === input.Key && source.versionId === undefined
  if (itself && !replaces && input.StorageClass === undefined && input.WebsiteRedirectLocation === undefined) {
    throw s3Failure('InvalidRequest', {
      message:
        "This copy request is illegal because it is trying to copy an object to itself without changing the object's metadata, storage class, website redirect location or encryption attributes.",
    })
  }
  const own = contentFrom(call, bucket)
  const { content } = source.version
  const copied: ObjectContent = {
    ...content,
    ...(replaces && { headers: own.headers, metadata: own.metadata }),
    tags: input.TaggingDirective === 'REPLACE' ? own.tags : content.tags,
    storageClass: own.storageClass,
    acl: own.acl,
  }
  const version = store(call, bucket, input.Key, copied)
  return {
    CopyObjectResult: { ETag: `"${content.etag}"`, LastModified: version.modifiedMs, ...renderChecksum(content.checksum) },
    ServerSideEncryption: 'AES256',
    ...renderVersion(bucket, version),
    ...(source.versionId !== undefined && { CopySourceVersionId: source.versionId }),
  }
}

export interface CopySource {
  readonly bucket: Bucket
  readonly key: string
  readonly versionId: string | undefined
  readonly version: Readable
}

/** Finds and opens `x-amz-copy-source`: `[/]bucket/key[?versionId=id]`, percent-encoded. */
export function copySource(
  call: Call<S3State>,
  input: Pick<
    CopyObjectInput,
    'CopySource' | 'CopySourceIfMatch' | 'CopySourceIfNoneMatch' | 'CopySourceIfModifiedSince' | 'CopySourceIfUnmodifiedSince'
  >,
): CopySource {
  const [path = '', query = ''] = input.CopySource.split('?versionId=')
  const match = /^\/?([^/]+)\/(.+)$/s.exec(decoded(path))
  if (match === null) throw s3Failure('InvalidArgument', { message: 'Invalid copy source object key' })
  const [, name = '', key = ''] = match
  const bucket = call.store.get().buckets.get(name)
  if (bucket === undefined) throw s3Failure('NoSuchBucket', { fields: { BucketName: name } })
  const versionId = query === '' ? undefined : query
  const action = versionId === undefined ? 'GetObject' : 'GetObjectVersion'
  call.authorise(onKey(call, bucket, { action, key }))
  const version = readableVersion(call, bucket, { Key: key, ...(versionId !== undefined && { VersionId: versionId }) })
  const conditions: ReadConditions = {
    ...(input.CopySourceIfMatch !== undefined && { IfMatch: input.CopySourceIfMatch }),
    ...(input.CopySourceIfNoneMatch !== undefined && { IfNoneMatch: input.CopySourceIfNoneMatch }),
    ...(input.CopySourceIfModifiedSince !== undefined && { IfModifiedSince: input.CopySourceIfModifiedSince }),
    ...(input.CopySourceIfUnmodifiedSince !== undefined && { IfUnmodifiedSince: input.CopySourceIfUnmodifiedSince }),
  }
  if (isNotModified(conditions, version)) throw s3Failure('PreconditionFailed')
  return { bucket, key, versionId, version }
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

interface AttributesInput extends BucketInput {
  readonly Key: string
  readonly VersionId?: string
  readonly ObjectAttributes: readonly string[]
}

export function getObjectAttributes(call: CallS3<AttributesInput>): object {
  const bucket = bucketOf(call)
  const { Key: key, ObjectAttributes } = call.input
  call.authorise(onKey(call, bucket, { action: 'GetObject', key }), onKey(call, bucket, { action: 'GetObjectAttributes', key }))
  const version = readableVersion(call, bucket, call.input)
  const { content } = version
  const asked = new Set(ObjectAttributes)
  return {
    LastModified: version.modifiedMs,
    ...(asked.has('ETag') && { ETag: content.etag }),
    ...(asked.has('Checksum') && { Checksum: renderChecksum(content.checksum) }),
    ...(asked.has('ObjectSize') && { ObjectSize: content.body.length }),
    ...(asked.has('StorageClass') && { StorageClass: content.storageClass }),
    ...(asked.has('ObjectParts') &&
      content.partSizes !== undefined && { ObjectParts: { TotalPartsCount: content.partSizes.length } }),
    ...renderVersion(bucket, version),
  }
}
