// Which tags ACM takes.
import { acmFailure } from './errors.ts'

export interface CertificateTag {
  readonly Key: string
  readonly Value?: string
}

export function checkedTags(
  current: Readonly<Record<string, string>>,
  added: readonly CertificateTag[],
  max: number,
): Readonly<Record<string, string>> {
  const tags = { ...current }
  const seen = new Set<string>()
  for (const { Key, Value = '' } of added) {
    if (/^aws:/i.test(Key)) throw acmFailure('InvalidTagException', `AWS Reserved Tag Key: ${Key}. AWS: prefix is not allowed.`)
    if (seen.has(Key)) throw acmFailure('InvalidTagException', `Duplicate tag key: ${Key}`)
    seen.add(Key)
    tags[Key] = Value
  }
  if (Object.keys(tags).length > max) {
    throw acmFailure('TooManyTagsException', `the TagSet: '${JSON.stringify(tags)}' contains too many Tags`)
  }
  return tags
}
