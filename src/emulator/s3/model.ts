// What S3 remembers: one name space of buckets per partition, their objects with versions, unfinished uploads, and the settings of
// each bucket as they were sent. Objects and lists are strongly consistent; policy and public access block reach anonymous and
// cross-account readers late, so their older versions are kept.
import type { Instant } from '#base'
import { SortedMap } from '../state/sorted-map.ts'
import type { Timeline } from '../state/timeline.ts'

export interface S3State {
  readonly buckets: SortedMap<Bucket>
  /** Names that were freed a moment ago and until when they cannot be taken again. */
  readonly released: SortedMap<Instant>
}

export interface Bucket {
  readonly name: string
  readonly partition: string
  readonly account: string
  readonly region: string
  readonly createdMs: Instant
  /** Text as bound to unique ids; `undefined` as a value marks a deletion. */
  readonly policy: Timeline<string> | undefined
  readonly publicAccessBlock: Timeline<PublicAccessBlock> | undefined
  /** `undefined` after DeleteBucketOwnershipControls. */
  readonly ownership: ObjectOwnership | undefined
  readonly versioning: 'Enabled' | 'Suspended' | undefined
  readonly acl: CannedAcl
  readonly tags: Readonly<Record<string, string>> | undefined
  /** Other settings as their PUT brought them, by the name of their query key; lists by `key/id`. */
  readonly settings: Readonly<Record<string, unknown>>
  /** By the key's UTF-8 bytes as text, so that map order is S3's order. Versions are newest first. */
  readonly objects: SortedMap<StoredKey>
  readonly uploads: SortedMap<Upload>
}

export interface PublicAccessBlock {
  readonly BlockPublicAcls: boolean
  readonly IgnorePublicAcls: boolean
  readonly BlockPublicPolicy: boolean
  readonly RestrictPublicBuckets: boolean
}

export type ObjectOwnership = 'BucketOwnerEnforced' | 'BucketOwnerPreferred' | 'ObjectWriter'
export type CannedAcl = string

export interface StoredKey {
  readonly key: string
  readonly versions: readonly ObjectVersion[]
}

export interface ObjectVersion {
  /** `null` when the bucket was not versioned at the time. */
  readonly versionId: string
  readonly modifiedMs: Instant
  /** Absent in a delete marker. */
  readonly content?: ObjectContent
}

export interface ObjectContent {
  readonly body: Uint8Array
  /** Without quotes. */
  readonly etag: string
  readonly headers: ContentHeaders
  readonly metadata: Readonly<Record<string, string>>
  readonly storageClass: string
  readonly acl: CannedAcl
  readonly tags: Readonly<Record<string, string>>
  readonly checksum?: Checksum
  /** Bytes of each part of a multipart upload. */
  readonly partSizes?: readonly number[]
}

/** As they were sent; the keys are members of PutObject and GetObject. */
export interface ContentHeaders {
  readonly ContentType: string
  readonly CacheControl?: string
  readonly ContentDisposition?: string
  readonly ContentEncoding?: string
  readonly ContentLanguage?: string
  readonly Expires?: string
  readonly WebsiteRedirectLocation?: string
}

export interface Checksum {
  readonly algorithm: ChecksumName
  readonly value: string
  readonly type: 'FULL_OBJECT' | 'COMPOSITE'
}

export type ChecksumName = 'CRC32' | 'CRC32C' | 'CRC64NVME' | 'SHA1' | 'SHA256'

export interface Upload {
  readonly id: string
  readonly key: string
  readonly initiatedMs: Instant
  readonly content: Omit<ObjectContent, 'body' | 'etag' | 'checksum' | 'partSizes'>
  readonly checksum?: Pick<Checksum, 'algorithm' | 'type'>
  /** By part number, padded to five digits. */
  readonly parts: SortedMap<UploadedPart>
}

export interface UploadedPart {
  readonly number: number
  readonly body: Uint8Array
  readonly etag: string
  readonly modifiedMs: Instant
  readonly checksum?: string
}

export const emptyS3: S3State = { buckets: SortedMap.empty(), released: SortedMap.empty() }

export const everythingBlocked: PublicAccessBlock = {
  BlockPublicAcls: true,
  IgnorePublicAcls: true,
  BlockPublicPolicy: true,
  RestrictPublicBuckets: true,
}

/** A bucket as CreateBucket leaves it (§8.1). */
export function newBucket(
  from: Pick<Bucket, 'name' | 'partition' | 'account' | 'region' | 'createdMs' | 'ownership' | 'acl'>,
): Bucket {
  return {
    ...from,
    policy: undefined,
    publicAccessBlock: [{ atMs: 0, value: everythingBlocked }],
    versioning: undefined,
    tags: undefined,
    settings: {},
    objects: SortedMap.empty(),
    uploads: SortedMap.empty(),
  }
}

/** The key's UTF-8 bytes, one character each: their order is the order of lists. */
export function byteKey(key: string): string {
  return Buffer.from(key, 'utf8').toString('latin1')
}

/** Larger than every key that begins with the prefix, and smaller than every key that comes after those. */
export function afterPrefix(prefix: string): string {
  return `${prefix}\u0100`
}

export function latest(bucket: Bucket, key: string): ObjectVersion | undefined {
  return bucket.objects.get(byteKey(key))?.versions[0]
}

/** The content that a plain GET reads; `undefined` for absent keys and delete markers. */
export function latestContent(bucket: Bucket, key: string): (ObjectVersion & { readonly content: ObjectContent }) | undefined {
  const version = latest(bucket, key)
  return version?.content === undefined ? undefined : { ...version, content: version.content }
}

/** A new version on top; it replaces the one with the same id, so unversioned buckets keep one. */
export function withVersion(bucket: Bucket, key: string, version: ObjectVersion): Bucket {
  const at = byteKey(key)
  const older = bucket.objects.get(at)?.versions.filter(other => other.versionId !== version.versionId) ?? []
  return { ...bucket, objects: bucket.objects.set(at, { key, versions: [version, ...older] }) }
}

export function withoutVersion(bucket: Bucket, key: string, versionId: string): Bucket {
  const at = byteKey(key)
  const versions = bucket.objects.get(at)?.versions.filter(other => other.versionId !== versionId) ?? []
  return { ...bucket, objects: versions.length === 0 ? bucket.objects.delete(at) : bucket.objects.set(at, { key, versions }) }
}

/** The id of the next version, by the bucket's versioning. */
export function nextVersionId(bucket: Bucket, drawn: () => string): string {
  return bucket.versioning === 'Enabled' ? drawn() : 'null'
}
