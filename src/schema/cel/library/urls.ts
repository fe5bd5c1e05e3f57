// URLs, read as the server reads them: absolute ones, or a path.
import { CelList, CelOpaque, type CelValue, EvalError, LiteralMap } from '../values.ts'
import type { LibraryFunction } from './function.ts'

const urlName = 'kubernetes.URL'

export const urls: Readonly<Record<string, LibraryFunction>> = {
  isURL: ([text]) => (typeof text === 'string' ? !('problem' in readUrl(text)) : undefined),
  url: ([text]) => (typeof text === 'string' ? urlValue(text) : undefined),
  getScheme: ([value]) => onUrl(value, url => url.scheme),
  getHost: ([value]) => onUrl(value, url => url.host),
  getHostname: ([value]) => onUrl(value, url => hostname(url.host)),
  getPort: ([value]) => onUrl(value, url => port(url.host)),
  getEscapedPath: ([value]) => onUrl(value, url => url.path),
  getQuery: ([value]) => onUrl(value, url => query(url.query)),
}

interface Url {
  readonly text: string
  readonly scheme: string
  readonly host: string
  readonly path: string
  readonly query: string
}

function urlValue(text: string): CelOpaque {
  const url = readUrl(text)
  if ('problem' in url) throw new EvalError(`URL parse error during conversion from string: ${url.problem}`)
  return new CelOpaque(urlName, url, other => (other.content as Url).text === url.text)
}

function onUrl(value: CelValue | undefined, work: (url: Url) => CelValue): CelValue | undefined {
  return value instanceof CelOpaque && value.type === urlName ? work(value.content as Url) : undefined
}

type Read = Url | { readonly problem: string }

function readUrl(text: string): Read {
  const refuse = (why: string): Read => ({ problem: `parse ${JSON.stringify(text)}: ${why}` })
  if (text === '') return refuse('empty url')
  if (/[^ -~\u0080-\uffff]/.test(text)) return refuse('net/url: invalid control character in URL')
  const [beforeQuery = '', ...queries] = text.split('?')
  const scheme = /^([a-zA-Z][a-zA-Z0-9+.-]*):/.exec(beforeQuery)?.[1]
  if (scheme === undefined && /^[^/]*:/.test(beforeQuery)) {
    return refuse(beforeQuery.startsWith(':') ? 'missing protocol scheme' : 'first path segment in URL cannot contain colon')
  }
  const rest = scheme === undefined ? beforeQuery : beforeQuery.slice(scheme.length + 1)
  if (!rest.startsWith('/')) {
    if (scheme === undefined) return refuse('invalid URI for request')
    // Neither a hierarchy nor a path: `mailto:` and the like.
    return { text, scheme: scheme.toLowerCase(), host: '', path: '', query: queries.join('?') }
  }
  return finishUrl(text, { scheme: scheme?.toLowerCase() ?? '', rest, query: queries.join('?') }, refuse)
}

function finishUrl(text: string, parts: { scheme: string; rest: string; query: string }, refuse: (why: string) => Read): Read {
  const { scheme, rest, query } = parts
  const hasAuthority = rest.startsWith('//') && (scheme !== '' || !rest.startsWith('///'))
  const slash = hasAuthority ? rest.indexOf('/', 2) : 0
  const authority = hasAuthority ? rest.slice(2, slash < 0 ? undefined : slash) : ''
  const path = slash < 0 ? '' : rest.slice(slash)
  const host = authority.slice(authority.lastIndexOf('@') + 1)
  if (/%(?![0-9a-fA-F]{2})/.test(path))
    return refuse(`invalid URL escape ${JSON.stringify(/%.{0,2}/.exec(path.slice(path.search(/%(?![0-9a-fA-F]{2})/)))?.[0])}`)
  if (/[ "<>`{|}\\^]/.test(host))
    return refuse(`invalid character ${JSON.stringify(/[ "<>`{|}\\^]/.exec(host)?.[0])} in host name`)
  const portText = /:([^:\]]*)$/.exec(host)?.[1]
  if (portText !== undefined && !/^\d*$/.test(portText) && !host.endsWith(']'))
    return refuse(`invalid port ${JSON.stringify(`:${portText}`)} after host`)
  return { text, scheme, host, path: escapedPath(path), query }
}

/** What may not stand in a path is escaped; what was escaped stays so. */
function escapedPath(path: string): string {
  return path.replaceAll(/[^A-Za-z0-9\-._~!$&'()*+,;=:@/%[\]]/gu, character => encodeURIComponent(character))
}

function hostname(host: string): string {
  const bracket = /^\[(.*)\]/.exec(host)
  if (bracket !== null) return bracket[1] as string
  const colon = host.indexOf(':')
  return colon < 0 ? host : host.slice(0, colon)
}

function port(host: string): string {
  return /^(?:\[.*\]|[^:]*):(\d*)$/.exec(host)?.[1] ?? ''
}

function query(text: string): CelValue {
  const values = new Map<string, CelValue[]>()
  for (const [key, value] of new URLSearchParams(text)) values.set(key, [...(values.get(key) ?? []), value])
  const map = new LiteralMap()
  for (const [key, list] of values) map.add(key, new CelList(list))
  return map
}
