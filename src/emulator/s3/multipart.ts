// Multipart uploads. Parts are kept in memory until the upload is completed or aborted.
import { createHash } from 'node:crypto'
import type { Call } from '../service.ts'
import { SortedMap } from '../state/sorted-map.ts'
import { checksumOf } from '../wire/checksums.ts'
import { bucketOf, onBucket, onKey } from './access.ts'
import { type BucketInput, ownerOf, putBucket } from './buckets.ts'

import { checkWrite } from './conditions.ts'
import { type ContentInput, chosenAlgorithm, contentFrom, etagOf, renderVersion, wireName } from './content.ts'
import { s3Failure } from './errors.ts'
import {
  type Bucket,
  type Checksum,
  latestContent,
  type ObjectContent,
  type S3State,
  type Upload,
  type UploadedPart,
} from './model.ts'
import { copySource, store } from './objects.ts'
import { checkPartNumber, parseRange } from './ranges.ts'

type CallS3<I> = Call<S3State, I>

/** Every part but the last must have this size. */
const partBytesMin = 5 * 1024 * 1024

interface CreateInput extends BucketInput, ContentInput {
  readonly ChecksumAlgorithm?: Checksum['algorithm']
  readonly ChecksumType?: Checksum['type']
}

export function createMultipartUpload(call: CallS3<CreateInput>): object {
  const bucket = bucketOf(call)
  const { Key: key, ChecksumAlgorithm, ChecksumType } = call.input
  call.authorise(onKey(call, bucket, { action: 'PutObject', key }))
  const id = Buffer.from(call.random(`upload/${call.serial()}`).bytes(48)).toString('base64url')
  const type = ChecksumType ?? (ChecksumAlgorithm === 'CRC64NVME' ? 'FULL_OBJECT' : 'COMPOSITE')
  const upload: Upload = {
    id,
    key,
    initiatedMs: call.now,
    content: contentFrom(call, bucket),
    ...(ChecksumAlgorithm !== undefined && { checksum: { algorithm: ChecksumAlgorithm, type } }),
    parts: SortedMap.empty(),
  }
  putBucket(call, { ...bucket, uploads: bucket.uploads.set(id, upload) })
  return {
    Bucket: bucket.name,
    Key: key,
    UploadId: id,
    ServerSideEncryption: 'AES256',
    ...(ChecksumAlgorithm !== undefined && { ChecksumAlgorithm, ChecksumType: type }),
  }
}

interface UploadInput extends BucketInput {
  readonly Key: string
  readonly UploadId: string
}

function uploadOf(bucket: Bucket, input: UploadInput): Upload {
  const upload = bucket.uploads.get(input.UploadId)
  if (upload === undefined || upload.key !== input.Key) throw s3Failure('NoSuchUpload', { fields: { UploadId: input.UploadId } })
  return upload
}

export function uploadPart(call: CallS3<UploadInput & { readonly PartNumber: number; readonly Body?: Uint8Array }>): object {
  const bucket = bucketOf(call)
  call.authorise(onKey(call, bucket, { action: 'PutObject', key: call.input.Key }))
  const part = putPart(call, bucket, call.input.Body ?? new Uint8Array())
  const algorithm = algorithmOf(call, uploadOf(bucket, call.input))
  return {
    ETag: `"${part.etag}"`,
    ServerSideEncryption: 'AES256',
    ...(algorithm !== undefined && { [`Checksum${algorithm}`]: part.checksum }),
  }
}

function algorithmOf(call: Call<S3State>, upload: Upload): Checksum['algorithm'] | undefined {
  return upload.checksum?.algorithm ?? chosenAlgorithm(call.request.headers)
}

function putPart(call: CallS3<UploadInput & { readonly PartNumber: number }>, bucket: Bucket, body: Uint8Array): UploadedPart {
  const { PartNumber: number } = call.input
  const upload = uploadOf(bucket, call.input)
  checkPartNumber(number)
  const algorithm = algorithmOf(call, upload)
  const part: UploadedPart = {
    number,
    body,
    etag: etagOf(body),
    modifiedMs: call.now,
    ...(algorithm !== undefined && { checksum: checksumOf(wireName(algorithm), body) }),
  }
  const parts = upload.parts.set(String(number).padStart(5, '0'), part)
  putBucket(call, { ...bucket, uploads: bucket.uploads.set(upload.id, { ...upload, parts }) })
  return part
}

export function uploadPartCopy(
  call: CallS3<UploadInput & { readonly PartNumber: number; readonly CopySource: string; readonly CopySourceRange?: string }>,
): object {
  const bucket = bucketOf(call)
  const { body } = copySource(call, call.input).version.content
  call.authorise(onKey(call, bucket, { action: 'PutObject', key: call.input.Key }))
  const range = parseRange(call.input.CopySourceRange, body.length)
  const part = putPart(call, bucket, range === undefined ? body : body.subarray(range.start, range.end))
  return { CopyPartResult: { ETag: `"${part.etag}"`, LastModified: part.modifiedMs }, ServerSideEncryption: 'AES256' }
}

interface CompleteInput extends UploadInput {
  readonly MultipartUpload?: { readonly Parts?: readonly { readonly ETag?: string; readonly PartNumber?: number }[] }
  readonly IfMatch?: string
  readonly IfNoneMatch?: string
}

export function completeMultipartUpload(call: CallS3<CompleteInput>): object {
  const bucket = bucketOf(call)
  const { Key: key } = call.input
  call.authorise(onKey(call, bucket, { action: 'PutObject', key }))
  const upload = uploadOf(bucket, call.input)
  const parts = chosenParts(upload, call.input)
  checkWrite(call.input, latestContent(bucket, key)?.content, key)
  const body = new Uint8Array(Buffer.concat(parts.map(part => part.body)))
  const digests = Buffer.concat(parts.map(part => Buffer.from(part.etag, 'hex')))
  const etag = `${createHash('md5').update(digests).digest('hex')}-${parts.length}`
  const checksum = checksumOfParts(upload, parts, body)
  const content: ObjectContent = {
    ...upload.content,
    body,
    etag,
    partSizes: parts.map(part => part.body.length),
    ...(checksum !== undefined && { checksum }),
  }
  const version = store(call, { ...bucket, uploads: bucket.uploads.delete(upload.id) }, key, content)
  return {
    Location: `https://${bucket.name}.s3.${bucket.region}.amazonaws.com/${encodeURIComponent(key)}`,
    Bucket: bucket.name,
    Key: key,
    ETag: `"${etag}"`,
    ServerSideEncryption: 'AES256',
    ...(checksum !== undefined && { [`Checksum${checksum.algorithm}`]: checksum.value, ChecksumType: checksum.type }),
    ...renderVersion(bucket, version),
  }
}

/** The parts that the list names, which must be in order, known by their ETags, and large enough. */
function chosenParts(upload: Upload, input: CompleteInput): readonly UploadedPart[] {
  const named = input.MultipartUpload?.Parts ?? []
  if (named.length === 0) throw s3Failure('MalformedXML')
  let previous = 0
  const parts = named.map(({ PartNumber = 0, ETag = '' }) => {
    if (PartNumber <= previous) throw s3Failure('InvalidPartOrder', { fields: { UploadId: upload.id } })
    previous = PartNumber
    const part = upload.parts.get(String(PartNumber).padStart(5, '0'))
    if (part === undefined || part.etag !== ETag.replaceAll('"', '')) {
      throw s3Failure('InvalidPart', {
        fields: { UploadId: upload.id, PartNumber: String(PartNumber), ETag: ETag.replaceAll('"', '') },
      })
    }
    return part
  })
  for (const part of parts.slice(0, -1)) {
    if (part.body.length >= partBytesMin) continue
    throw s3Failure('EntityTooSmall', {
      fields: {
        ProposedSize: String(part.body.length),
        MinSizeAllowed: String(partBytesMin),
        PartNumber: String(part.number),
        ETag: part.etag,
      },
    })
  }
  return parts
}

function checksumOfParts(upload: Upload, parts: readonly UploadedPart[], body: Uint8Array): Checksum | undefined {
  if (upload.checksum === undefined) return undefined
  const { algorithm, type } = upload.checksum
  if (type === 'FULL_OBJECT') return { algorithm, type, value: checksumOf(wireName(algorithm), body) }
  const joined = Buffer.concat(parts.map(part => Buffer.from(part.checksum ?? '', 'base64')))
  return { algorithm, type, value: `${checksumOf(wireName(algorithm), joined)}-${parts.length}` }
}

export function abortMultipartUpload(call: CallS3<UploadInput>): object {
  const bucket = bucketOf(call)
  call.authorise(onKey(call, bucket, { action: 'AbortMultipartUpload', key: call.input.Key }))
  const upload = uploadOf(bucket, call.input)
  putBucket(call, { ...bucket, uploads: bucket.uploads.delete(upload.id) })
  return {}
}

export function listParts(
  call: CallS3<UploadInput & { readonly MaxParts?: number; readonly PartNumberMarker?: string | number }>,
): object {
  const bucket = bucketOf(call)
  call.authorise(onKey(call, bucket, { action: 'ListMultipartUploadParts', key: call.input.Key }))
  const upload = uploadOf(bucket, call.input)
  const limit = Math.min(call.input.MaxParts ?? 1_000, 1_000)
  const marker = Number(call.input.PartNumberMarker ?? 0)
  const rest = [...upload.parts.values()].filter(part => part.number > marker)
  const page = rest.slice(0, limit)
  return {
    Bucket: bucket.name,
    Key: upload.key,
    UploadId: upload.id,
    PartNumberMarker: String(marker),
    ...(rest.length > limit && { NextPartNumberMarker: String(page.at(-1)?.number ?? marker) }),
    MaxParts: limit,
    IsTruncated: rest.length > limit,
    Parts: page.map(part => ({
      PartNumber: part.number,
      LastModified: part.modifiedMs,
      ETag: `"${part.etag}"`,
      Size: part.body.length,
    })),
    Initiator: ownerOf(bucket.account),
    Owner: ownerOf(bucket.account),
    StorageClass: upload.content.storageClass,
  }
}

export function listMultipartUploads(
  call: CallS3<BucketInput & { readonly Prefix?: string; readonly MaxUploads?: number; readonly KeyMarker?: string }>,
): object {
  const bucket = bucketOf(call)
  call.authorise(onBucket(call, bucket, 'ListBucketMultipartUploads'))
  const { Prefix = '', KeyMarker = '' } = call.input
  const limit = Math.min(call.input.MaxUploads ?? 1_000, 1_000)
  const uploads = [...bucket.uploads.values()]
    .filter(upload => upload.key.startsWith(Prefix) && (KeyMarker === '' || upload.key > KeyMarker))
    .sort((a, b) => (a.key === b.key ? a.initiatedMs - b.initiatedMs : a.key < b.key ? -1 : 1))
  const page = uploads.slice(0, limit)
  return {
    Bucket: bucket.name,
    KeyMarker,
    UploadIdMarker: '',
    ...(uploads.length > limit && { NextKeyMarker: page.at(-1)?.key, NextUploadIdMarker: page.at(-1)?.id }),
    MaxUploads: limit,
    IsTruncated: uploads.length > limit,
    Prefix,
    Uploads: page.map(upload => ({
      UploadId: upload.id,
      Key: upload.key,
      Initiated: upload.initiatedMs,
      StorageClass: upload.content.storageClass,
      Owner: ownerOf(bucket.account),
      Initiator: ownerOf(bucket.account),
    })),
  }
}
