// The formats of strings that a server checks; all others are notes to the reader. Names come without their hyphens. All patterns here
// are linear: none nests one repetition in another.
import { parseIp, parseIpv4, parseNetwork } from './ip.ts'

/** Whether the value has the format; unknown formats hold for everything. */
export function hasFormat(format: string, value: string): boolean {
  return formats.get(format)?.(value) ?? true
}

export function isKnownFormat(format: string): boolean {
  return formats.has(format)
}

const formats: ReadonlyMap<string, (value: string) => boolean> = new Map<string, (value: string) => boolean>([
  ['bsonobjectid', matcher(/^[0-9a-fA-F]{24}$/)],
  ['uri', isUri],
  ['email', value => value.length <= 320 && /^[^\s@<>()[\],;:\\"]+@[^\s@<>()[\],;:\\"]+$/.test(value)],
  ['hostname', isHostname],
  ['ipv4', value => parseIpv4(value) !== undefined],
  ['ipv6', value => value.includes(':') && parseIp(value) !== undefined],
  ['cidr', value => parseNetwork(value) !== undefined],
  ['mac', isMac],
  ['uuid', matcher(/^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i)],
  ['uuid3', matcher(/^[0-9a-f]{8}-?[0-9a-f]{4}-?3[0-9a-f]{3}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i)],
  ['uuid4', matcher(/^[0-9a-f]{8}-?[0-9a-f]{4}-?4[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i)],
  ['uuid5', matcher(/^[0-9a-f]{8}-?[0-9a-f]{4}-?5[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i)],
  ['isbn', value => isIsbn10(value) || isIsbn13(value)],
  ['isbn10', isIsbn10],
  ['isbn13', isIsbn13],
  ['creditcard', isCreditCard],
  ['ssn', matcher(/^\d{3}[- ]?\d{2}[- ]?\d{4}$/)],
  ['hexcolor', matcher(/^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/)],
  [
    'rgbcolor',
    matcher(
      /^rgb\(\s*(\d|[1-9]\d|1\d\d|2[0-4]\d|25[0-5])\s*,\s*(\d|[1-9]\d|1\d\d|2[0-4]\d|25[0-5])\s*,\s*(\d|[1-9]\d|1\d\d|2[0-4]\d|25[0-5])\s*\)$/,
    ),
  ],
  ['byte', value => value.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(value)],
  ['password', () => true],
  ['date', value => isDate(value)],
  ['duration', isDuration],
  ['datetime', isDateTime],
])

function matcher(pattern: RegExp): (value: string) => boolean {
  return value => value.length <= 4096 && pattern.test(value)
}

function isUri(value: string): boolean {
  // A request URI: an absolute one or a path.
  if (/[^!-~\u0080-\uffff]/.test(value)) return false
  if (value.startsWith('/')) return !/%(?![0-9a-fA-F]{2})/.test(value)
  return /^[a-zA-Z][a-zA-Z0-9+.-]*:/.test(value) && !/%(?![0-9a-fA-F]{2})/.test(value)
}

function isHostname(value: string): boolean {
  if (value.length > 253 || value === '') return false
  const labels = (value.endsWith('.') ? value.slice(0, -1) : value).split('.')
  return labels.every(label => label.length <= 63 && /^[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?$/.test(label))
}

function isMac(value: string): boolean {
  const groups = value.split(/[:-]/)
  const bytes = [6, 8, 20]
  if (groups.every(group => /^[0-9a-fA-F]{2}$/.test(group)))
    return bytes.includes(groups.length) && !(value.includes(':') && value.includes('-'))
  return /^[0-9a-fA-F]{4}(\.[0-9a-fA-F]{4})+$/.test(value) && bytes.includes(value.split('.').length * 2)
}

function isIsbn10(value: string): boolean {
  const digits = value.replaceAll(/[\s-]/g, '')
  if (!/^\d{9}[\dX]$/.test(digits)) return false
  let sum = 0
  for (let i = 0; i < 10; i++) sum += (10 - i) * (digits.charAt(i) === 'X' ? 10 : Number(digits.charAt(i)))
  return sum % 11 === 0
}

function isIsbn13(value: string): boolean {
  const digits = value.replaceAll(/[\s-]/g, '')
  if (!/^\d{13}$/.test(digits)) return false
  let sum = 0
  for (let i = 0; i < 13; i++) sum += Number(digits.charAt(i)) * (i % 2 === 0 ? 1 : 3)
  return sum % 10 === 0
}

function isCreditCard(value: string): boolean {
  const digits = value.replaceAll(/\D/g, '')
  if (digits.length < 12 || digits.length > 19) return false
  let sum = 0
  for (let i = 0; i < digits.length; i++) {
    const digit = Number(digits.charAt(digits.length - 1 - i)) * (i % 2 === 0 ? 1 : 2)
    sum += digit > 9 ? digit - 9 : digit
  }
  return sum % 10 === 0
}

function isDate(value: string): boolean {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(value)
  if (match === null) return false
  const [, year, month, day] = match.map(Number) as [number, number, number, number]
  return month >= 1 && month <= 12 && day >= 1 && day <= daysOf(year, month)
}

function daysOf(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28
  return [4, 6, 9, 11].includes(month) ? 30 : 31
}

export function isDateTime(value: string): boolean {
  const match = /^(\d{4}-\d{2}-\d{2})[Tt]([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,18})?([Zz]|[+-]([01]\d|2[0-3]):[0-5]\d)$/.exec(
    value,
  )
  return match !== null && isDate(match[1] as string)
}

/** `1h30m`, and the words that people write: `3 hours`, `2 weeks`. */
export function isDuration(value: string): boolean {
  if (value.length > 256) return false
  if (/^[+-]?(0|((\d+\.?\d*|\.\d+)(ns|us|µs|μs|ms|s|m|h))+)$/.test(value)) return true
  return /^(\d+\s*(nanoseconds?|ns|microseconds?|us|µs|milliseconds?|ms|seconds?|secs?|s|minutes?|mins?|m|hours?|hrs?|h|days?|d|weeks?|wks?|w)\s*)+$/.test(
    value,
  )
}
