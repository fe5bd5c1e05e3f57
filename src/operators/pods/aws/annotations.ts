// Reading the annotations, with the exact tolerance of the upstream webhook: what it would take is taken, what it would ignore is ignored.
import { type AwsWebhookOptions, expirationSecondsMax, expirationSecondsMin, type ServiceAccountIdentity } from './api.ts'

export type Warn = (message: string, fields: Readonly<Record<string, string>>) => void

const trueWords = new Set(['1', 't', 'T', 'TRUE', 'true', 'True'])
const falseWords = new Set(['0', 'f', 'F', 'FALSE', 'false', 'False'])
const roleArnPattern = /^arn:aws[a-zA-Z-]*:iam::\d{12}:role\/[\w+=,.@/-]+$/

/** §2.1: the ServiceAccount's annotations as values, flags filling in what they leave open. */
export function readServiceAccount(
  annotations: Readonly<Record<string, string>>,
  options: AwsWebhookOptions,
  warn: Warn,
): ServiceAccountIdentity {
  const get = (name: string): string | undefined => annotations[`${options.annotationPrefix}/${name}`]
  return {
    roleArn: readRole(get('role-arn') ?? '', options, warn),
    audience: get('audience') ?? options.tokenAudience,
    regionalSts: readFlag(get('sts-regional-endpoints'), options.regionalSts, warn),
    expirationSeconds: readExpiration(get('token-expiration'), warn) ?? clampExpiration(options.tokenExpirationSeconds, warn),
  }
}

/** §2.11 and the check of §2.1: a value that is no role ARN is warned about and used as it stands. */
function readRole(value: string, options: AwsWebhookOptions, warn: Warn): string {
  if (value === '') return ''
  const composed =
    options.compose !== undefined && !value.includes('arn:')
      ? `arn:${options.compose.partition}:iam::${options.compose.account}:role/${value}`
      : value
  if (!roleArnPattern.test(composed))
    warn('role-arn is no role ARN; it is used as it stands', { roleArn: composed.slice(0, 256) })
  return composed
}

function readFlag(value: string | undefined, otherwise: boolean, warn: Warn): boolean {
  if (value === undefined) return otherwise
  if (trueWords.has(value)) return true
  if (falseWords.has(value)) return false
  warn('sts-regional-endpoints is neither true nor false; the flag decides', { value: value.slice(0, 64) })
  return otherwise
}

/** A base-10 integer with an optional sign, raised to 600 and cut at the API server's maximum; undefined when it is none. */
export function readExpiration(value: string | undefined, warn: Warn): bigint | undefined {
  if (value === undefined) return undefined
  // Zeros in front do not count, and longer than this no number of 64 bits is.
  const [, sign, digits] = /^([+-]?)0*(\d{1,19})$/.exec(value) ?? []
  const seconds = digits === undefined ? undefined : BigInt(`${sign === '-' ? '-' : ''}${digits}`)
  if (seconds === undefined || BigInt.asIntN(64, seconds) !== seconds) {
    warn('token-expiration is no number of seconds; it is ignored', { value: value.slice(0, 64) })
    return undefined
  }
  return clampExpiration(seconds, warn)
}

export function clampExpiration(seconds: bigint, warn: Warn): bigint {
  if (seconds < expirationSecondsMin) return expirationSecondsMin
  if (seconds <= expirationSecondsMax) return seconds
  warn('token-expiration is longer than the API server takes; it is shortened', { seconds: String(seconds) })
  return expirationSecondsMax
}

/** §2.2: one CSV record, double quotes honoured, nothing trimmed, only the first line; an error skips nothing. */
export function readSkipContainers(value: string | undefined): ReadonlySet<string> {
  if (value === undefined || value === '') return new Set()
  return new Set(readCsvRecord(value) ?? [])
}

/**
 * The first record of a CSV text by RFC 4180, read as the upstream's library reads it: empty lines are no records, a carriage return
 * before the end of a line or of the text belongs to that end. Undefined when a quote stands where none may.
 */
function readCsvRecord(value: string): string[] | undefined {
  const text = value.replaceAll('\r\n', '\n').replace(/\r$/, '').replace(/^\n+/, '')
  if (text === '') return undefined
  const fields: string[] = []
  let at = 0
  for (;;) {
    if (text[at] === '"') {
      const quoted = readQuoted(text, at + 1)
      if (quoted === undefined) return undefined
      fields.push(quoted.field)
      at = quoted.end
    } else {
      const end = endOfField(text, at)
      const field = text.slice(at, end)
      if (field.includes('"')) return undefined
      fields.push(field)
      at = end
    }
    if (text[at] !== ',') return text[at] === undefined || text[at] === '\n' ? fields : undefined
    at++
  }
}

function readQuoted(text: string, from: number): { field: string; end: number } | undefined {
  let field = ''
  for (let at = from; at < text.length; at++) {
    if (text[at] !== '"') field += text[at]
    else if (text[at + 1] === '"') field += text[++at]
    else return { field, end: at + 1 }
  }
  return undefined
}

function endOfField(text: string, from: number): number {
  for (let at = from; at < text.length; at++) if (text[at] === ',' || text[at] === '\n') return at
  return text.length
}
