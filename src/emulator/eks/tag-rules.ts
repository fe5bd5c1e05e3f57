// Which tags EKS takes.
import { eksFailure } from './errors.ts'
import type { EksTags } from './model.ts'

const form = /^[\p{L}\p{Z}\p{N}_.:/=+\-@]*$/u

export function checkTags(tags: EksTags, max: number): void {
  const entries = Object.entries(tags)
  if (entries.length > max) throw eksFailure('InvalidParameterException', `Too many tags: at most ${max} are allowed`)
  for (const [key, value] of entries) {
    if (key.length < 1 || key.length > 128 || !form.test(key))
      throw eksFailure('InvalidParameterException', `Invalid tag key: ${key}`)
    if (value.length > 256 || !form.test(value)) throw eksFailure('InvalidParameterException', `Invalid tag value for key ${key}`)
    if (/^aws:/i.test(key)) throw eksFailure('InvalidParameterException', `Tag keys may not begin with aws: (${key})`)
  }
}
