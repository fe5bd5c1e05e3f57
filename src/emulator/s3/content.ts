// What comes with an object's bytes: headers, metadata, tags, canned ACL, checksum. Checked once on the way in, rendered on the way out.
import { createHash } from 'node:crypto'
import type { Call } from '../service.ts'
import { checksumOf } from '../wire/checksums.ts'
import { blockOf } from './access.ts'

import { s3Failure } from './errors.ts'
import type { Bucket, Checksum, ChecksumName, ContentHeaders, ObjectContent, ObjectVersion, S3State } from './model.ts'

export interface ContentInput {
  readonly Key: string
  readonly ACL?: string
  readonly CacheControl?: string
  readonly ContentDisposition?: string
  readonly ContentEncoding?: string
  readonly ContentLanguage?: string
  readonly ContentType?: string
  readonly Metadata?: Readonly<Record<string, string>>
  readonly StorageClass?: string
  readonly Tagging?: string
  readonly WebsiteRedirectLocation?: string
  readonly GrantFullControl?: string
  readonly GrantRead?: string
  readonly GrantReadACP?: string
  readonly GrantWriteACP?: string
}

/** Longest key, in bytes of UTF-8. */
const keyBytesMax = 1_024
/** All user metadata of an object together, names and values. */
const metadataBytesMax = 2_048
const objectTagsMax = 10

export function checkKey(key: string): void {
  const size = Buffer.byteLength(key)
  if (size > keyBytesMax) {
    throw s3Failure('KeyTooLongError', { fields: { Size: String(size), MaxSizeAllowed: String(keyBytesMax) } })
  }
}

/** Everything about the new object but its bytes. */
export function contentFrom(
  call: Call<S3State, ContentInput>,
  bucket: Bucket,
): Omit<ObjectContent, 'body' | 'etag' | 'checksum' | 'partSizes'> {
  const { input } = call
  checkKey(input.Key)
  checkAcl(call, bucket)
  const metadata = Object.fromEntries(Object.entries(input.Metadata ?? {}).map(([name, value]) => [name.toLowerCase(), value]))
  const size = Object.entries(metadata).reduce(
    (sum, [name, value]) => sum + Buffer.byteLength(name) + Buffer.byteLength(value),
    0,
  )
  if (size > metadataBytesMax) {
    throw s3Failure('MetadataTooLarge', { fields: { Size: String(size), MaxSizeAllowed: String(metadataBytesMax) } })
  }
  return {
    headers: headersFrom(call),
    metadata,
    storageClass: input.StorageClass ?? 'STANDARD',
    acl: input.ACL ?? 'private',
    tags: parseTagHeader(input.Tagging),
  }
}

function headersFrom(call: Call<S3State, ContentInput>): ContentHeaders {
  const { input } = call
  const expires = call.request.headers['expires']
  const headers: Record<string, string | undefined> = {
    CacheControl: input.CacheControl,
    ContentDisposition: input.ContentDisposition,
    ContentEncoding: input.ContentEncoding,
    ContentLanguage: input.ContentLanguage,
    Expires: expires,
    WebsiteRedirectLocation: input.WebsiteRedirectLocation,
  }
  const given = Object.entries(headers).filter(([, value]) => value !== undefined && value !== '')
  const type = input.ContentType === undefined || input.ContentType === '' ? 'binary/octet-stream' : input.ContentType
  return { ContentType: type, ...Object.fromEntries(given) }
}

/** Canned ACLs that grant nothing are welcome everywhere; others only where ACLs are on, and public ones only where not blocked. */
function checkAcl(call: Call<S3State, ContentInput>, bucket: Bucket): void {
  const { ACL, GrantFullControl, GrantRead, GrantReadACP, GrantWriteACP } = call.input
  const grants = [GrantFullControl, GrantRead, GrantReadACP, GrantWriteACP].some(grant => grant !== undefined)
  if (bucket.ownership === 'BucketOwnerEnforced') {
    if (grants || (ACL !== undefined && ACL !== 'private' && ACL !== 'bucket-owner-full-control')) {
      throw s3Failure('AccessControlListNotSupported')
    }
  }
  if (ACL?.startsWith('public-') === true && blockOf(call, bucket, 'newest').BlockPublicAcls) throw s3Failure('AccessDenied')
}

/** `a=1&b=2`, as `x-amz-tagging` has it. */
export function parseTagHeader(text: string | undefined): Readonly<Record<string, string>> {
  if (text === undefined || text === '') return {}
  const tags = [...new URLSearchParams(text)].map(([Key, Value]) => ({ Key, Value }))
  return checkedTags(tags, objectTagsMax)
}

export interface BucketTag {
  readonly Key?: string
  readonly Value?: string
}

const tagKeyForm = /^[\p{L}\p{N}\p{Z}_.:/=+\-@]{1,128}$/u
const tagValueForm = /^[\p{L}\p{N}\p{Z}_.:/=+\-@]{0,256}$/u

/** Tags as a map, or the refusal of the first that cannot be one. */
export function checkedTags(tags: readonly BucketTag[], max: number): Readonly<Record<string, string>> {
  if (tags.length > max) {
    if (max === objectTagsMax) throw s3Failure('BadRequest', { message: `Object tags cannot be greater than ${objectTagsMax}` })
    throw s3Failure('BadRequest', { message: `Bucket tag count cannot be greater than ${max}` })
  }
  const map: Record<string, string> = {}
  for (const { Key = '', Value = '' } of tags) {
    if (Key.startsWith('aws:')) {
      throw s3Failure('InvalidTag', { message: 'System tags cannot be added/updated by requester', fields: { TagKey: Key } })
    }
    if (!tagKeyForm.test(Key)) throw s3Failure('InvalidTag', { fields: { TagKey: Key } })
    if (!tagValueForm.test(Value)) {
      throw s3Failure('InvalidTag', {
        message: 'The TagValue you have provided is invalid',
        fields: { TagKey: Key, TagValue: Value },
      })
    }
    if (Object.hasOwn(map, Key)) {
      throw s3Failure('InvalidTag', { message: 'Cannot provide multiple Tags with the same key', fields: { TagKey: Key } })
    }
    map[Key] = Value
  }
  return map
}

export function renderTags(tags: Readonly<Record<string, string>>): readonly { readonly Key: string; readonly Value: string }[] {
  return Object.entries(tags).map(([Key, Value]) => ({ Key, Value }))
}

export function etagOf(body: Uint8Array): string {
  return createHash('md5').update(body).digest('hex')
}

const algorithms: readonly ChecksumName[] = ['CRC32', 'CRC32C', 'CRC64NVME', 'SHA1', 'SHA256']

/** The algorithm that the sender chose, by value, by announced trailer, or by name. The core has verified the value. */
export function chosenAlgorithm(headers: Readonly<Record<string, string>>): ChecksumName | undefined {
  const trailers = headers['x-amz-trailer']
    ?.toLowerCase()
    .split(',')
    .map(name => name.trim())
  const named = (headers['x-amz-sdk-checksum-algorithm'] ?? headers['x-amz-checksum-algorithm'])?.toUpperCase()
  return algorithms.find(algorithm => {
    const header = `x-amz-checksum-${algorithm.toLowerCase()}`
    return headers[header] !== undefined || trailers?.includes(header) === true || named === algorithm
  })
}

/** The algorithm as headers write it. */
export function wireName(algorithm: ChecksumName): Lowercase<ChecksumName> {
  return algorithm.toLowerCase() as Lowercase<ChecksumName>
}

/** Uploads without a checksum get a CRC64NVME, as S3 itself computes it since 2024. */
export function checksumFor(headers: Readonly<Record<string, string>>, body: Uint8Array): Checksum {
  const algorithm = chosenAlgorithm(headers) ?? 'CRC64NVME'
  return { algorithm, value: checksumOf(wireName(algorithm), body), type: 'FULL_OBJECT' }
}

export function renderChecksum(checksum: Checksum | undefined): object {
  if (checksum === undefined) return {}
  return { [`Checksum${checksum.algorithm}`]: checksum.value, ChecksumType: checksum.type }
}

export function renderVersion(bucket: Bucket, version: Pick<ObjectVersion, 'versionId'>): object {
  return bucket.versioning === undefined ? {} : { VersionId: version.versionId }
}
