// Conditional requests: ETags and dates as RFC 9110 orders them.
import { s3Failure } from './errors.ts'
import type { ObjectContent, ObjectVersion } from './model.ts'

export interface ReadConditions {
  readonly IfMatch?: string
  readonly IfNoneMatch?: string
  readonly IfModifiedSince?: number
  readonly IfUnmodifiedSince?: number
}

/** Throws 412, or answers whether the reader's copy is still good (304). */
export function isNotModified(conditions: ReadConditions, version: ObjectVersion & { readonly content: ObjectContent }): boolean {
  const { IfMatch, IfNoneMatch, IfModifiedSince, IfUnmodifiedSince } = conditions
  const modifiedMs = Math.floor(version.modifiedMs / 1_000) * 1_000
  if (IfMatch !== undefined) {
    if (!matches(IfMatch, version.content.etag)) throw preconditionFailed('If-Match')
  } else if (IfUnmodifiedSince !== undefined && modifiedMs > IfUnmodifiedSince) {
    throw preconditionFailed('If-Unmodified-Since')
  }
  if (IfNoneMatch !== undefined) return matches(IfNoneMatch, version.content.etag)
  return IfModifiedSince !== undefined && modifiedMs <= IfModifiedSince
}

/** Conditions of PutObject, CompleteMultipartUpload and DeleteObject against what is there. */
export function checkWrite(
  conditions: { readonly IfMatch?: string; readonly IfNoneMatch?: string },
  current: ObjectContent | undefined,
  key: string,
): void {
  if (conditions.IfNoneMatch !== undefined) {
    if (conditions.IfNoneMatch !== '*') throw s3Failure('NotImplemented', { fields: { Header: 'If-None-Match' } })
    if (current !== undefined) throw preconditionFailed('If-None-Match')
  }
  if (conditions.IfMatch === undefined) return
  if (current === undefined) throw s3Failure('NoSuchKey', { fields: { Key: key } })
  if (!matches(conditions.IfMatch, current.etag)) throw preconditionFailed('If-Match')
}

function preconditionFailed(condition: string): Error {
  return s3Failure('PreconditionFailed', { fields: { Condition: condition } })
}

/** A list of ETags, quoted or not, weak or not, or `*`. */
export function matches(list: string, etag: string): boolean {
  return list.split(',').some(item => {
    const bare = item.trim().replace(/^W\//, '').replaceAll('"', '')
    return bare === '*' || bare === etag
  })
}
