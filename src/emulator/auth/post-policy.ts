// The policy of a form that a browser posts to S3: until when it holds, and what each field of the form has to be.
import { type Instant, isRecord } from '#base'
import { ServiceError } from '../error.ts'

export interface PostedFields {
  /** Fields of the form by their names in lower case. */
  readonly fields: ReadonlyMap<string, string>
  readonly bucket: string
  readonly bytes: number
}

export function checkPostPolicy(text: string, posted: PostedFields, now: Instant): void {
  const { expiration, conditions } = policyOf(text)
  const until = typeof expiration === 'string' ? Date.parse(expiration) : Number.NaN
  if (Number.isNaN(until)) throw unreadable("Invalid 'expiration' value")
  if (until < now) throw invalid('Policy expired.')
  if (!Array.isArray(conditions)) throw unreadable("Policy missing 'conditions'.")
  const covered = new Set(conditions.flatMap(condition => check(condition, posted)))
  const extra = [...posted.fields.keys()].filter(name => !covered.has(name) && !uncovered.test(name))
  if (extra.length > 0) throw invalid(`Extra input fields: ${extra.join(', ')}`)
}

/** Fields that a form may have without a condition in its policy. */
const uncovered = /^(?:x-amz-signature|policy|file|x-ignore-.*)$/

function policyOf(text: string): Readonly<Record<string, unknown>> {
  let policy: unknown
  try {
    policy = JSON.parse(Buffer.from(text, 'base64').toString('utf8'))
  } catch {
    throw unreadable('Invalid JSON.')
  }
  if (!isRecord(policy)) throw unreadable('Invalid JSON.')
  return policy
}

/** The names of the fields that this condition is about; throws when one of them is not as it says. */
function check(condition: unknown, posted: PostedFields): readonly string[] {
  if (Array.isArray(condition)) return checkRule(condition, posted)
  if (!isRecord(condition)) throw unreadable('Invalid Simple-Condition')
  return Object.entries(condition).map(([name, wanted]) => {
    if (valueOf(name, posted) !== String(wanted)) throw failed(['eq', `$${name}`, wanted])
    return name.toLowerCase()
  })
}

function checkRule(rule: readonly unknown[], posted: PostedFields): readonly string[] {
  const [kind, first, second] = rule
  if (kind === 'content-length-range') {
    checkLength(posted.bytes, Number(first), Number(second))
    return []
  }
  if ((kind !== 'eq' && kind !== 'starts-with') || typeof first !== 'string' || !first.startsWith('$'))
    throw unreadable('Invalid Condition')
  const name = first.slice(1).toLowerCase()
  const value = valueOf(name, posted)
  const holds = kind === 'eq' ? value === String(second) : value.startsWith(String(second))
  if (!holds) throw failed(rule)
  return [name]
}

function checkLength(bytes: number, least: number, most: number): void {
  if (Number.isNaN(least) || Number.isNaN(most)) throw unreadable('Invalid content-length-range')
  const proposed = { ProposedSize: String(bytes) }
  if (bytes > most)
    throw new ServiceError('EntityTooLarge', 400, 'Your proposed upload exceeds the maximum allowed size', {
      ...proposed,
      MaxSizeAllowed: String(most),
    })
  if (bytes < least)
    throw new ServiceError('EntityTooSmall', 400, 'Your proposed upload is smaller than the minimum allowed size', {
      ...proposed,
      MinSizeAllowed: String(least),
    })
}

function valueOf(name: string, { fields, bucket }: PostedFields): string {
  return name.toLowerCase() === 'bucket' ? bucket : (fields.get(name.toLowerCase()) ?? '')
}

function failed(condition: readonly unknown[]): ServiceError {
  return invalid(`Policy Condition failed: [${condition.map(part => JSON.stringify(part)).join(', ')}]`)
}

function invalid(why: string): ServiceError {
  return new ServiceError('AccessDenied', 403, `Invalid according to Policy: ${why}`)
}

function unreadable(why: string): ServiceError {
  return new ServiceError('InvalidPolicyDocument', 400, `Invalid Policy: ${why}`)
}
