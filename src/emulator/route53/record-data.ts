// The syntax of record values, type by type, with the texts in which Route 53 refuses them. A refused value is named in the form
// `Invalid Resource Record: 'FATAL problem: CODE (text) encountered with 'value''`.
import { parseIpAddress } from '#base'
import { parseDnsName } from './names.ts'

export const recordTypes = [
  'SOA',
  'A',
  'TXT',
  'NS',
  'CNAME',
  'MX',
  'NAPTR',
  'PTR',
  'SRV',
  'SPF',
  'AAAA',
  'CAA',
  'DS',
  'TLSA',
  'SSHFP',
  'SVCB',
  'HTTPS',
] as const
export type RecordType = (typeof recordTypes)[number]

/** What is wrong with the value, in Route 53's words; `undefined` when nothing is. */
export function recordDataProblem(type: RecordType, value: string): string | undefined {
  const fault = checks[type](value)
  return fault === undefined ? undefined : `Invalid Resource Record: 'FATAL problem: ${fault} encountered with '${value}''`
}

type Check = (value: string) => string | undefined

const checks: Record<RecordType, Check> = {
  A: value => (parseIpAddress(value)?.length === 4 ? undefined : 'ARRDATAIllegalIPv4Address (Value is not a valid IPv4 address)'),
  AAAA: value =>
    parseIpAddress(value)?.length === 16 ? undefined : 'AAAARRDATAIllegalIPv6Address (Value is not a valid IPv6 address)',
  CNAME: domainName,
  NS: domainName,
  PTR: domainName,
  TXT: text,
  SPF: text,
  MX: fields('MXRRDATANotTwoFields (MX value must have two fields)', [number(65535), name]),
  SRV: fields('SRVRRDATANotFourFields (SRV value must have four fields)', [number(65535), number(65535), number(65535), name]),
  SOA: fields('SOARRDATANotSevenFields (SOA value must have seven fields)', [
    name,
    name,
    number(0xffffffff),
    number(0xffffffff),
    number(0xffffffff),
    number(0xffffffff),
    number(0xffffffff),
  ]),
  CAA: pattern(/^\d{1,3} [A-Za-z0-9]+ "[^"]*"$/, 'CAARRDATAInvalid (CAA value must be: flags tag "value")', [number(255)]),
  DS: pattern(/^\d+ \d+ \d+ [0-9A-Fa-f ]+$/, 'DSRRDATAInvalid (DS value must be: key-tag algorithm digest-type digest)', [
    number(65535),
    number(255),
    number(255),
  ]),
  TLSA: pattern(/^\d+ \d+ \d+ [0-9A-Fa-f]+$/, 'TLSARRDATAInvalid (TLSA value must be: usage selector matching-type data)', [
    number(255),
    number(255),
    number(255),
  ]),
  SSHFP: pattern(/^\d+ \d+ [0-9A-Fa-f]+$/, 'SSHFPRRDATAInvalid (SSHFP value must be: algorithm type fingerprint)', [
    number(255),
    number(255),
  ]),
  NAPTR: pattern(/^\d+ \d+ "[^"]*" "[^"]*" "[^"]*" \S+$/, 'NAPTRRRDATAInvalid (NAPTR value must have six fields)', [
    number(65535),
    number(65535),
  ]),
  SVCB: pattern(/^\d+ \S+( .+)?$/, 'SVCBRRDATAInvalid (SVCB value must be: priority target parameters)', [number(65535), name]),
  HTTPS: pattern(/^\d+ \S+( .+)?$/, 'HTTPSRRDATAInvalid (HTTPS value must be: priority target parameters)', [
    number(65535),
    name,
  ]),
}

function domainName(value: string): string | undefined {
  if (value === '.') return undefined
  const parsed = parseDnsName(value)
  return parsed.ok ? undefined : nameFaults[parsed.problem]
}

/** How Route 53 says that a name is no name. */
export const nameFaults: Readonly<Record<string, string>> = {
  DomainLabelEmpty: 'DomainLabelEmpty (Domain label is empty)',
  DomainLabelTooLong: 'DomainLabelTooLong (Domain label is too long)',
  DomainNameTooLong: 'DomainNameTooLong (Domain name is too long)',
  UnsupportedCharacter: 'UnsupportedCharacter (Value contains unsupported characters)',
  DomainNameInvalidEscape: 'DomainLabelInvalidEscape (Domain label has an invalid escape)',
}

function name(value: string): boolean {
  return domainName(value) === undefined
}

function number(max: number): (value: string) => boolean {
  return value => /^\d{1,10}$/.test(value) && Number(value) <= max
}

function fields(fault: string, parts: readonly ((value: string) => boolean)[]): Check {
  return value => {
    const given = value.split(/[ \t]+/)
    return given.length === parts.length && parts.every((part, index) => part(given[index] ?? '')) ? undefined : fault
  }
}

/** The whole value by pattern, and its leading fields by range. */
function pattern(shape: RegExp, fault: string, leading: readonly ((value: string) => boolean)[]): Check {
  return value => {
    const given = value.split(' ')
    return shape.test(value) && leading.every((part, index) => part(given[index] ?? '')) ? undefined : fault
  }
}

function text(value: string): string | undefined {
  const parsed = characterStrings(value)
  return typeof parsed === 'string' ? parsed : undefined
}

/** One character string of the DNS holds at most this many bytes; longer texts are written as several. */
const characterStringBytesMax = 255

/** The quoted strings of a TXT value, without quotes and escapes; else, as text, what is wrong with it. */
export function characterStrings(value: string): string | readonly string[] {
  const strings: string[] = []
  let rest = value.trim()
  if (!rest.startsWith('"')) return 'InvalidCharacterString (Value should be enclosed in quotation marks)'
  while (rest !== '') {
    const match = /^"((?:[^"\\]|\\[0-3][0-7][0-7]|\\.)*)"[ \t]*/.exec(rest)
    if (match === null) return 'InvalidCharacterString (Value should be enclosed in quotation marks)'
    const string = (match[1] ?? '').replace(/\\([0-3][0-7][0-7]|.)/g, (_, escape: string) =>
      escape.length === 3 ? String.fromCharCode(Number.parseInt(escape, 8)) : escape,
    )
    if (Buffer.byteLength(string) > characterStringBytesMax) return 'CharacterStringTooLong (Value is too long)'
    strings.push(string)
    rest = rest.slice(match[0].length)
  }
  return strings
}
