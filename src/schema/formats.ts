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
  ['email', isMailbox],
  ['hostname', isHostname],
  ['ipv4', isIpv4],
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
  ['ssn', matcher(/^\d{3}[- ]\d{2}[- ]\d{4}$/)],
  ['hexcolor', matcher(/^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/)],
  [
    'rgbcolor',
    matcher(
      /^rgb\(\s*(\d|[1-9]\d|1\d\d|2[0-4]\d|25[0-5])\s*,\s*(\d|[1-9]\d|1\d\d|2[0-4]\d|25[0-5])\s*,\s*(\d|[1-9]\d|1\d\d|2[0-4]\d|25[0-5])\s*\)$/,
    ),
  ],
  ['byte', value => value !== '' && value.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(value)],
  ['password', () => true],
  ['date', value => isDate(value)],
  ['duration', isDuration],
  ['datetime', value => datePattern.test(value) && isDate(value.slice(0, 10))],
])

function matcher(pattern: RegExp): (value: string) => boolean {
  return value => value.length <= 4096 && pattern.test(value)
}

/** As a request names its target: `*`, a path, or an absolute one, of which only what is read is looked at. */
function isUri(value: string): boolean {
  if (Array.from(value).some(character => character < ' ' || character === '\x7f')) return false
  if (value === '*') return true
  const [, scheme, rest = ''] = /^([a-zA-Z][a-zA-Z0-9+.-]*:)?([^?]*)/.exec(value) ?? []
  if (!rest.startsWith('/')) return scheme !== undefined
  const [, authority, path = ''] = (scheme === undefined ? null : /^\/\/([^/]*)(.*)$/s.exec(rest)) ?? [undefined, undefined, rest]
  return !/%(?![0-9a-fA-F]{2})/.test(path) && (authority === undefined || isAuthority(authority))
}

function isAuthority(text: string): boolean {
  const [, user, host = ''] = /^(?:(.*)@)?([^@]*)$/s.exec(text) ?? []
  if (user !== undefined && !/^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(user)) return false
  // A port has digits alone, and may be empty; an address of 128 bits stands in brackets.
  const [, name] = /^(\[[^[\]]*\]|[^[]*?)(?::\d*)?$/s.exec(host) ?? []
  return name !== undefined && !/:\D|[ ^`{|}\\#]|%(?![89a-fA-F][0-9a-fA-F])/.test(name.startsWith('[') ? '' : name)
}

const atom = "[\\w!#$%&'*+\\-/=?^`{|}~\\u0080-\\uffff]"
const quoted = '"(?:[^"\\\\\\r\\n]|\\\\.)*"'
const address = `(?:${atom}+(?:\\.${atom}+)*|${quoted})@(?:${atom}+(?:\\.${atom}+)*|\\[[^[\\]\\\\]*\\])`
const word = `(?:(?:${atom}|\\.)+|${quoted})`
const mailbox = new RegExp(`^\\s*(?:${address}|(?:${word}(?:\\s+${word})*)?\\s*<${address}>)\\s*(?:\\([^()]*\\))?\\s*$`)

/** `a@b`, and what mail programs write: `A B <a@b>`. */
function isMailbox(value: string): boolean {
  return value.length <= 4096 && mailbox.test(value)
}

/** Leading zeros are taken, and an address of 128 bits that ends in one of 32. */
function isIpv4(value: string): boolean {
  if (value.includes(':')) return value.includes('.') && parseIp(value) !== undefined
  return parseIpv4(value.replaceAll(/(?<![\dx])0+(?=\d)/g, '')) !== undefined
}

const letter = '[a-zA-Z0-9\\p{S}\\p{L}]'
/** One label, with at most one hyphen, behind its first character; or more, of which the last one is of letters. */
const oneLabel = new RegExp(`^${letter}(?:-?${letter}{0,62})$`, 'u')
const moreLabels = new RegExp(`^(?:${letter}(?:[a-zA-Z0-9\\-\\p{S}\\p{L}]{0,61}${letter})?\\.)+[a-zA-Z\\p{L}]{2,63}$`, 'u')

function isHostname(value: string): boolean {
  return (
    value.length <= 255 && value.split('.').every(label => label.length <= 63) && (oneLabel.test(value) || moreLabels.test(value))
  )
}

function isMac(value: string): boolean {
  if (/^[0-9a-fA-F]+$/.test(value)) return [12, 16, 40].includes(value.length)
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

/** Numbers of the companies that were known when the format was. */
const cardPattern =
  /^(?:4\d{12}(?:\d{3})?|5[1-5]\d{14}|6(?:011|5\d\d)\d{12}|3[47]\d{13}|3(?:0[0-5]|[68]\d)\d{11}|(?:2131|1800)\d{11}|35\d{14})$/

function isCreditCard(value: string): boolean {
  const digits = value.replaceAll(/\D/g, '')
  if (!cardPattern.test(digits)) return false
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

/** Whoever checks the format alone takes any offset. */
const datePattern = /^\d{4}-\d{2}-\d{2}[Tt](?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:[.,]\d+)?(?:[Zz]|[+-]\d{2}:\d{2})$/

export function isDateTime(value: string): boolean {
  const match = /^(\d{4}-\d{2}-\d{2})[Tt]([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,18})?([Zz]|[+-]([01]\d|2[0-3]):[0-5]\d)$/.exec(
    value,
  )
  return match !== null && isDate(match[1] as string)
}

/** `1h30m`: what a program of the server's language reads as a time. */
export function isShortDuration(value: string): boolean {
  return /^[+-]?(?:0|(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+)$/.test(value)
}

/** A short one, and any text with a number of a unit that people write: `3 hours`, `in 2 weeks`. */
export function isDuration(value: string): boolean {
  const found = [...value.matchAll(/(?<!\d)(\d+)\s*([A-Za-zµ]+)/g)]
  if (found.some(([, count = '']) => !isCount(count.replace(/^0+/, '')))) return false
  return isShortDuration(value) || found.some(([, , unit = '']) => unitPattern.test(unit))
}

/** Whether a number of 64 bits has room for it. */
function isCount(digits: string): boolean {
  return digits.length < 19 || (digits.length === 19 && BigInt(digits) < 2n ** 63n)
}

const unitPattern = /^(?:ns|nano.*|us|µs|micro.*|ms|milli.*|s|sec.*|m|min.*|hr?|hour.*|d|day.*|wk?|week.*)$/i
