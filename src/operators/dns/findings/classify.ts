// What a line of the operand means. The first row that fits decides.
import { sanitize } from './sanitize.ts'

const rows: readonly (readonly [RegExp, string])[] = [
  [
    /AccessDenied|is not authorized to perform|AuthorizationFailed|Forbidden|\b(?:status|code)\D{0,12}40[13]\b|WAPI.*\b40[13]\b/,
    'AccessDenied',
  ],
  [
    /InvalidClientTokenId|UnrecognizedClient|SignatureDoesNotMatch|ExpiredToken|invalid_client|invalid_grant/,
    'AuthenticationFailed',
  ],
  [/NoSuchHostedZone|ResourceNotFound|notFound/, 'NoSuchHostedZone'],
  [/DomainLabelTooLong/, 'DomainLabelTooLong'],
  [/InvalidChangeBatch/, 'InvalidChangeBatch'],
  [/Throttling|Rate exceeded|PriorRequestNotComplete|\b429\b/, 'Throttled'],
  [/no such host|i\/o timeout|connection refused|x509|proxyconnect/, 'ProviderUnreachable'],
  [/flag parsing error|config validation failed|unknown long flag/, 'InvalidSpec'],
]

export interface ReadLine {
  readonly kind: 'error' | 'fatal' | 'good'
  readonly reason: string
  /** Without what tells strangers about accounts. */
  readonly message: string
}

/** Undefined for a line that says nothing of how it goes. */
export function readLine(line: string): ReadLine | undefined {
  const { level, text } = parse(line)
  if (
    /All records are already up to date|Record in zone .* was modified|record\(s\) (?:in zone .* )?were successfully updated/i.test(
      text,
    )
  )
    return { kind: 'good', reason: '', message: '' }
  if (level !== 'error' && level !== 'fatal') return undefined
  return { kind: level, reason: reasonOf(text), message: messageOf(text) }
}

export function reasonOf(text: string): string {
  return rows.find(([pattern]) => pattern.test(text))?.[1] ?? 'Other'
}

/** The action that is missing, where it is named; otherwise the text itself. */
function messageOf(text: string): string {
  const action = /not authorized to perform: ([\w:]+)/.exec(text)?.[1]
  const who = text.includes(':assumed-role/') && action !== 'sts:AssumeRole' ? 'assumed role is' : 'the credentials are'
  if (action !== undefined) return `${who} not allowed to perform ${action}`
  return sanitize(text).slice(0, 500)
}

/** As text or as JSON, which the operand writes by choice. */
function parse(line: string): { readonly level: string; readonly text: string } {
  const match =
    /\blevel=(\w+)\b.*?\bmsg="((?:[^"\\]|\\.)*)"/.exec(line) ?? /"level":"(\w+)".*?"msg":"((?:[^"\\]|\\.)*)"/.exec(line)
  if (match === null) return { level: /\blevel=(\w+)/.exec(line)?.[1] ?? '', text: line }
  return { level: match[1] ?? '', text: (match[2] ?? '').replaceAll('\\"', '"') }
}
