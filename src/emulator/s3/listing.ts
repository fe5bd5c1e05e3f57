// Lists of objects: byte order, prefixes folded at a delimiter, pages that begin where the last one ended.
import type { Call } from '../service.ts'
import { bucketOf, onBucket } from './access.ts'
import { type BucketInput, ownerOf } from './buckets.ts'
import { s3Failure } from './errors.ts'
import {
  afterPrefix,
  type Bucket,
  byteKey,
  type ObjectContent,
  type ObjectVersion,
  type S3State,
  type StoredKey,
} from './model.ts'

type CallS3<I> = Call<S3State, I>

interface ListInput extends BucketInput {
  readonly Prefix?: string
  readonly Delimiter?: string
  readonly MaxKeys?: number
  readonly EncodingType?: string
}

const keysPerPageMax = 1_000

interface Page {
  readonly found: readonly StoredKey[]
  readonly prefixes: readonly string[]
  /** The last key or common prefix of this page when there is more. */
  readonly last: string | undefined
}

interface PageQuestion {
  readonly prefix: string
  readonly delimiter: string
  /** Strictly after this key, or after everything below this common prefix. */
  readonly after: string
  readonly max: number
  readonly accept: (stored: StoredKey) => boolean
}

function pageOf(bucket: Bucket, question: PageQuestion): Page {
  const { max, accept } = question
  const prefix = byteKey(question.prefix)
  const delimiter = byteKey(question.delimiter)
  const found: StoredKey[] = []
  const prefixes: string[] = []
  let last: string | undefined
  let start = startAfter(byteKey(question.after), prefix, delimiter)
  for (;;) {
    const [next] = bucket.objects.entries(start)
    if (next === undefined || !next[0].startsWith(prefix)) return { found, prefixes, last: undefined }
    const [key, stored] = next
    start = { after: key }
    if (!accept(stored)) continue
    if (found.length + prefixes.length === max) return { found, prefixes, last }
    const cut = delimiter === '' ? -1 : key.indexOf(delimiter, prefix.length)
    if (cut === -1) {
      found.push(stored)
      last = stored.key
    } else {
      const common = key.slice(0, cut + delimiter.length)
      prefixes.push(Buffer.from(common, 'latin1').toString('utf8'))
      last = prefixes.at(-1)
      start = { after: afterPrefix(common) }
    }
  }
}

function startAfter(after: string, prefix: string, delimiter: string): { readonly from: string } | { readonly after: string } {
  if (after < prefix || after === '') return { from: prefix }
  // A page that ended with a common prefix goes on behind all its keys.
  const folded = delimiter !== '' && after.startsWith(prefix) && after.endsWith(delimiter) && after.length > prefix.length
  return { after: folded ? afterPrefix(after) : after }
}

function pageSize(asked: number | undefined): number {
  if (asked === undefined) return keysPerPageMax
  if (asked < 0) throw s3Failure('InvalidArgument', { message: 'Argument maxKeys must be an integer between 0 and 2147483647' })
  return Math.min(asked, keysPerPageMax)
}

function authoriseList(call: CallS3<ListInput>, bucket: Bucket, action = 'ListBucket'): void {
  const { Prefix, Delimiter, MaxKeys } = call.input
  call.authorise(
    onBucket(call, bucket, action, {
      's3:prefix': Prefix ?? '',
      ...(Delimiter !== undefined && { 's3:delimiter': Delimiter }),
      ...(MaxKeys !== undefined && { 's3:max-keys': String(MaxKeys) }),
    }),
  )
}

/** Keys as the answer has them: percent-encoded when the client asked for that, since XML cannot hold every character. */
function encoder(input: ListInput): (text: string) => string {
  if (input.EncodingType === undefined) return text => text
  if (input.EncodingType !== 'url')
    throw s3Failure('InvalidArgument', { message: 'Invalid Encoding Method specified in Request' })
  return text => text.split('/').map(encodeURIComponent).join('/')
}

const hasContent = (stored: StoredKey): boolean => stored.versions[0]?.content !== undefined

interface ListV2Input extends ListInput {
  readonly ContinuationToken?: string
  readonly StartAfter?: string
  readonly FetchOwner?: boolean
}

export function listObjectsV2(call: CallS3<ListV2Input>): object {
  const bucket = bucketOf(call)
  authoriseList(call, bucket)
  const { Prefix = '', Delimiter = '', ContinuationToken, StartAfter, FetchOwner } = call.input
  const filters = [bucket.name, Prefix, Delimiter]
  const position = ContinuationToken === undefined ? undefined : call.tokens.open(ContinuationToken, filters)
  if (ContinuationToken !== undefined && position === undefined) {
    throw s3Failure('InvalidArgument', {
      message: 'The continuation token provided is incorrect',
      fields: { ArgumentName: 'continuation-token' },
    })
  }
  const encode = encoder(call.input)
  const max = pageSize(call.input.MaxKeys)
  const page = pageOf(bucket, {
    prefix: Prefix,
    delimiter: Delimiter,
    after: position ?? StartAfter ?? '',
    max,
    accept: hasContent,
  })
  return {
    ...shared(call.input, page, encode, max),
    ...(StartAfter !== undefined && { StartAfter: encode(StartAfter) }),
    ...(ContinuationToken !== undefined && { ContinuationToken }),
    ...(page.last !== undefined && { NextContinuationToken: call.tokens.seal(page.last, filters) }),
    KeyCount: page.found.length + page.prefixes.length,
    Contents: page.found.map(stored => entry(stored, encode, FetchOwner === true ? bucket.account : undefined)),
  }
}

interface ListV1Input extends ListInput {
  readonly Marker?: string
}

export function listObjects(call: CallS3<ListV1Input>): object {
  const bucket = bucketOf(call)
  authoriseList(call, bucket)
  const { Prefix = '', Delimiter = '', Marker = '' } = call.input
  const encode = encoder(call.input)
  const max = pageSize(call.input.MaxKeys)
  const page = pageOf(bucket, { prefix: Prefix, delimiter: Delimiter, after: Marker, max, accept: hasContent })
  return {
    ...shared(call.input, page, encode, max),
    Marker: encode(Marker),
    ...(page.last !== undefined && Delimiter !== '' && { NextMarker: encode(page.last) }),
    Contents: page.found.map(stored => entry(stored, encode, bucket.account)),
  }
}

function shared(input: ListInput, page: Page, encode: (text: string) => string, max: number): object {
  return {
    Name: input.Bucket,
    Prefix: encode(input.Prefix ?? ''),
    ...(input.Delimiter !== undefined && { Delimiter: encode(input.Delimiter) }),
    ...(input.EncodingType !== undefined && { EncodingType: input.EncodingType }),
    MaxKeys: max,
    IsTruncated: page.last !== undefined,
    CommonPrefixes: page.prefixes.map(prefix => ({ Prefix: encode(prefix) })),
  }
}

function entry(stored: StoredKey, encode: (text: string) => string, owner: string | undefined): object {
  const [version] = stored.versions
  if (version?.content === undefined) return {}
  return {
    Key: encode(stored.key),
    ...listed(version, version.content),
    ...(owner !== undefined && { Owner: ownerOf(owner) }),
  }
}

function listed(version: ObjectVersion, content: ObjectContent): object {
  return {
    LastModified: version.modifiedMs,
    ETag: `"${content.etag}"`,
    Size: content.body.length,
    StorageClass: content.storageClass,
    ...(content.checksum !== undefined && {
      ChecksumAlgorithm: [content.checksum.algorithm],
      ChecksumType: content.checksum.type,
    }),
  }
}

interface ListVersionsInput extends ListInput {
  readonly KeyMarker?: string
  readonly VersionIdMarker?: string
}

/** All versions of a key stand on one page: pages are cut between keys, where the real service also cuts between versions. */
export function listObjectVersions(call: CallS3<ListVersionsInput>): object {
  const bucket = bucketOf(call)
  authoriseList(call, bucket, 'ListBucketVersions')
  const { Prefix = '', Delimiter = '', KeyMarker = '' } = call.input
  const encode = encoder(call.input)
  const max = pageSize(call.input.MaxKeys)
  const page = pageOf(bucket, { prefix: Prefix, delimiter: Delimiter, after: KeyMarker, max, accept: () => true })
  const rows = page.found.flatMap(({ key, versions }) =>
    versions.map((version, index) => ({
      version,
      row: { Key: encode(key), VersionId: version.versionId, IsLatest: index === 0, Owner: ownerOf(bucket.account) },
    })),
  )
  return {
    ...shared(call.input, page, encode, max),
    KeyMarker: encode(KeyMarker),
    VersionIdMarker: call.input.VersionIdMarker ?? '',
    ...(page.last !== undefined && { NextKeyMarker: encode(page.last) }),
    Versions: rows.flatMap(({ version, row }) =>
      version.content === undefined ? [] : [{ ...row, ...listed(version, version.content) }],
    ),
    DeleteMarkers: rows.flatMap(({ version, row }) =>
      version.content === undefined ? [{ ...row, LastModified: version.modifiedMs }] : [],
    ),
  }
}
