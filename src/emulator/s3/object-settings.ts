// Tags and ACLs of single objects.
import type { Call } from '../service.ts'
import { bucketOf, onKey } from './access.ts'
import { type BucketInput, putBucket } from './buckets.ts'
import { type BucketTag, checkedTags, renderTags, renderVersion } from './content.ts'
import { s3Failure } from './errors.ts'
import { type Bucket, byteKey, type ObjectContent, type S3State } from './model.ts'
import { readableVersion } from './objects.ts'
import { objectGrants } from './settings.ts'

interface KeyInput extends BucketInput {
  readonly Key: string
  readonly VersionId?: string
}
type CallS3<I> = Call<S3State, I>

const objectTagsMax = 10

export function getObjectTagging(call: CallS3<KeyInput>): object {
  const bucket = bucketOf(call)
  call.authorise(onKey(call, bucket, { action: 'GetObjectTagging', key: call.input.Key }))
  const version = readableVersion(call, bucket, call.input)
  return { TagSet: renderTags(version.content.tags), ...renderVersion(bucket, version) }
}

export function putObjectTagging(
  call: CallS3<KeyInput & { readonly Tagging: { readonly TagSet: readonly BucketTag[] } }>,
): object {
  const bucket = bucketOf(call)
  call.authorise(onKey(call, bucket, { action: 'PutObjectTagging', key: call.input.Key }))
  const version = readableVersion(call, bucket, call.input)
  const tags = checkedTags(call.input.Tagging.TagSet, objectTagsMax)
  putBucket(call, withContent(bucket, call.input.Key, version.versionId, { ...version.content, tags }))
  return renderVersion(bucket, version)
}

export function deleteObjectTagging(call: CallS3<KeyInput>): object {
  const bucket = bucketOf(call)
  call.authorise(onKey(call, bucket, { action: 'DeleteObjectTagging', key: call.input.Key }))
  const version = readableVersion(call, bucket, call.input)
  putBucket(call, withContent(bucket, call.input.Key, version.versionId, { ...version.content, tags: {} }))
  return renderVersion(bucket, version)
}

export function getObjectAcl(call: CallS3<KeyInput>): object {
  const bucket = bucketOf(call)
  call.authorise(onKey(call, bucket, { action: 'GetObjectAcl', key: call.input.Key }))
  return objectGrants(bucket.account, readableVersion(call, bucket, call.input).content.acl)
}

export function putObjectAcl(call: CallS3<KeyInput & { readonly ACL?: string }>): object {
  const bucket = bucketOf(call)
  call.authorise(onKey(call, bucket, { action: 'PutObjectAcl', key: call.input.Key }))
  const version = readableVersion(call, bucket, call.input)
  const { ACL } = call.input
  if (bucket.ownership === 'BucketOwnerEnforced') throw s3Failure('AccessControlListNotSupported')
  if (ACL === undefined) throw s3Failure('NotImplemented', { message: 'Lists of grants are not emulated; use a canned ACL' })
  putBucket(call, withContent(bucket, call.input.Key, version.versionId, { ...version.content, acl: ACL }))
  return {}
}

/** The version with other surroundings; its bytes, id and date stay. */
function withContent(bucket: Bucket, key: string, versionId: string, content: ObjectContent): Bucket {
  const at = byteKey(key)
  const versions = bucket.objects.get(at)?.versions ?? []
  const changed = versions.map(version => (version.versionId === versionId ? { ...version, content } : version))
  return { ...bucket, objects: bucket.objects.set(at, { key, versions: changed }) }
}
