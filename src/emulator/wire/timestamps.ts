// Instants as the protocols write them. Inside the emulator a timestamp is milliseconds since 1970.
import type { TimestampFormat } from '#aws'
import { assertNever, type Instant } from '#base'

/** `seconds` for IAM and STS, `millis` for S3 and Route 53 (§3.7). */
export type Precision = 'seconds' | 'millis'

export function renderTimestamp(at: Instant, format: TimestampFormat, precision: Precision): string {
  switch (format) {
    case 'date-time':
      return renderDateTime(at, precision)
    case 'http-date':
      return renderHttpDate(at)
    case 'epoch-seconds':
      return String(at / 1_000)
    default:
      return assertNever(format)
  }
}

export function renderDateTime(at: Instant, precision: Precision): string {
  const text = new Date(at).toISOString()
  return precision === 'seconds' ? text.replace(/\.\d{3}Z$/, 'Z') : text
}

export function renderHttpDate(at: Instant): string {
  return new Date(at).toUTCString()
}

const dateTime = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?)?$/
const httpDate = /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/
const epoch = /^-?\d{1,12}(?:\.\d{1,9})?$/

/** Any of the three forms, as AWS accepts them; `undefined` for anything else. */
export function parseTimestamp(text: string): Instant | undefined {
  if (epoch.test(text)) return Math.round(Number(text) * 1_000)
  if (!dateTime.test(text) && !httpDate.test(text)) return undefined
  const at = Date.parse(text)
  return Number.isNaN(at) ? undefined : at
}
