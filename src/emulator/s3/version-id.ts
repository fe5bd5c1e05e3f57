// What an id of a version looks like: one that no version can have is told from one that none has.
import { s3Failure } from './errors.ts'

/** `null` is the version that was put while the bucket kept none. */
const readable = /^(?:null|[A-Za-z0-9._-]{32})$/

export function isVersionId(text: string): boolean {
  return readable.test(text)
}

export function checkVersionId(id: string): void {
  if (isVersionId(id)) return
  const message = id === '' ? 'Version id cannot be the empty string' : 'Invalid version id specified'
  throw s3Failure('InvalidArgument', { message, fields: { ArgumentName: 'versionId', ArgumentValue: id } })
}
