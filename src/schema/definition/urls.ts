// Addresses of webhooks: https, and nothing that a caller could smuggle. They are read as the server reads them.
import { type FieldError, fieldError } from '../field-error.ts'
import { quote } from '../go-quote.ts'

const form = '; desired format: https://host[/path]'

export function checkUrl(text: string, at: string, errors: FieldError[]): void {
  const url = readUrl(text)
  if ('problem' in url) {
    errors.push(fieldError.required(at, `url must be a valid URL: parse ${quote(text)}: ${url.problem}${form}`))
    return
  }
  const refuse = (part: string, why: string): void => void errors.push(fieldError.invalid(at, part, why))
  if (url.scheme !== 'https') refuse(url.scheme, `'https' is the only allowed URL scheme${form}`)
  if (url.host === '') refuse(url.host, `host must be specified${form}`)
  if (url.user !== undefined) refuse(url.user.replaceAll('@', '%40'), 'user information is not permitted in the URL')
  if (url.fragment !== '') refuse(url.fragment, 'fragments are not permitted in the URL')
  if (url.query !== '') refuse(url.query, 'query parameters are not permitted in the URL')
}

interface Url {
  readonly scheme: string
  readonly user: string | undefined
  readonly host: string
  readonly query: string
  readonly fragment: string
}

type Problem = { readonly problem: string }

function readUrl(text: string): Url | Problem {
  const [address, fragment] = cut(text, '#')
  if (/[^ -~\u0080-\uffff]/.test(address)) return { problem: 'net/url: invalid control character in URL' }
  const [hierarchy, query] = cut(address, '?')
  if (hierarchy.startsWith(':')) return { problem: 'missing protocol scheme' }
  const scheme = /^([a-zA-Z][a-zA-Z0-9+.-]*):/.exec(hierarchy)?.[1]
  const rest = scheme === undefined ? hierarchy : hierarchy.slice(scheme.length + 1)
  if (scheme === undefined && cut(rest, '/')[0].includes(':'))
    return { problem: 'first path segment in URL cannot contain colon' }
  const [authority, path] = rest.startsWith('//') ? cut(rest.slice(2), '/') : ['', rest]
  const at = authority.lastIndexOf('@')
  const [user, host] = [at < 0 ? undefined : authority.slice(0, at), authority.slice(at + 1)]
  const problem = problemOfHost(host) ?? problemOfUser(user ?? '') ?? problemOfEscapes(path) ?? problemOfEscapes(fragment)
  return problem === undefined ? { scheme: (scheme ?? '').toLowerCase(), user, host, query, fragment } : { problem }
}

function cut(text: string, mark: string): readonly [before: string, after: string] {
  const at = text.indexOf(mark)
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)]
}

function problemOfHost(host: string): string | undefined {
  const isLiteral = host.startsWith('[')
  const end = isLiteral ? host.lastIndexOf(']') + 1 : host.lastIndexOf(':')
  if (isLiteral && end === 0) return "missing ']' in host"
  if (!isLiteral && host.includes('[')) return 'invalid IP-literal'
  const port = end < 0 ? '' : host.slice(end)
  if (!/^(?::\d*)?$/.test(port)) return `invalid port ${quote(port)} after host`
  for (const [part] of host.matchAll(/%.{0,2}|[ \\^`{|}]/gs)) {
    if (!part.startsWith('%')) return `invalid character ${quote(part)} in host name`
    // Only what is no ASCII, and the percent sign itself, may be written in this way.
    if (!/^%(?:[89a-f][0-9a-f]|25)$/i.test(part)) return invalidEscape(part)
  }
  return undefined
}

function problemOfUser(user: string): string | undefined {
  return /^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(user) ? problemOfEscapes(user) : 'net/url: invalid userinfo'
}

function problemOfEscapes(text: string): string | undefined {
  const [escape] = /%(?![0-9a-fA-F]{2}).{0,2}/s.exec(text) ?? []
  return escape === undefined ? undefined : invalidEscape(escape)
}

function invalidEscape(escape: string): string {
  return `invalid URL escape ${quote(escape)}`
}
