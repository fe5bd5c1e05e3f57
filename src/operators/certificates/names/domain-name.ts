// Names as they are compared: lower case, without a last dot, in the letters of the DNS. Everything else works on names in this form.
import { domainToASCII } from 'node:url'

export type DomainNameResult =
  | { readonly ok: true; readonly name: string }
  /** `why` is for people. */
  | { readonly ok: false; readonly why: string }

const octetsMax = 253
const labelOctetsMax = 63

/** The name in its normal form, or why it is none. */
export function parseDomainName(text: string): DomainNameResult {
  const trimmed = text.trim().replace(/\.$/, '')
  const wildcard = trimmed.startsWith('*.') ? '*.' : ''
  const ascii = toAscii(trimmed.slice(wildcard.length))
  if (ascii === undefined) return bad('it has no form in the letters of the DNS')
  const name = `${wildcard}${ascii}`
  const why = troubleWith(name, ascii.split('.'))
  return why === undefined ? { ok: true, name } : bad(why)
}

/** The normal form, or the text in lower case where it is no name: for comparing what was checked elsewhere. */
export function normalName(text: string): string {
  const parsed = parseDomainName(text)
  return parsed.ok ? parsed.name : text.trim().replace(/\.$/, '').toLowerCase()
}

/** The name without its wildcard label: both share one validation record. */
export function baseName(name: string): string {
  return name.startsWith('*.') ? name.slice(2) : name
}

/** At a label boundary: `notexample.com` is not inside `example.com`. */
export function isInside(name: string, zone: string): boolean {
  const base = baseName(name)
  return base === zone || base.endsWith(`.${zone}`)
}

/** A record's name as it is compared: Route 53 writes `*` as an octal escape. */
export function recordName(name: string): string {
  return name.replace(/\.$/, '').replaceAll('\\052', '*').toLowerCase()
}

/** Node converts a name as the host of a URL, which ends at `#` and where `%41` is a letter. What has such a sign stays as it is, and is refused. */
const foreignSign = /[^a-z0-9.*\-\u{80}-\u{10ffff}]/iu

function toAscii(text: string): string | undefined {
  if (!/[^ -~]/.test(text) || foreignSign.test(text)) return text.toLowerCase()
  const converted = domainToASCII(text)
  return converted === '' ? undefined : converted.toLowerCase()
}

function troubleWith(name: string, labels: readonly string[]): string | undefined {
  if (name.length > octetsMax) return `it has ${name.length} octets, more than ${octetsMax}`
  if (labels.some(label => label === '')) return 'it has an empty label'
  if (labels.length < 2) return 'it has fewer than two labels'
  const long = labels.find(label => label.length > labelOctetsMax)
  if (long !== undefined) return `a label has ${long.length} octets, more than ${labelOctetsMax}`
  if (labels.some(label => label.includes('*'))) return 'a wildcard stands only as the whole first label'
  const odd = labels.find(label => !/^[a-z0-9-]+$/.test(label))
  if (odd !== undefined) return `the label "${odd}" has other characters than letters, digits and hyphens`
  const hyphen = labels.find(label => label.startsWith('-') || label.endsWith('-'))
  if (hyphen !== undefined) return `the label "${hyphen}" begins or ends with a hyphen`
  if (/^\d+$/.test(labels.at(-1) ?? '')) return 'the last label has only digits'
  return undefined
}

function bad(why: string): DomainNameResult {
  return { ok: false, why }
}
