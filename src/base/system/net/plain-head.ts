// The head of an HTTP/1.1 request in its plainest form, and of the answer to one. What is not in that form is not refused here: Node's own parser
// judges it. So this may be strict, and has to be: every header once, names and values of visible characters, a length in digits.
import type { HttpHeaders, HttpResponse } from '../../seams/http.ts'
import { http } from './node-http.ts'
import { mayHaveBody } from './serve.ts'

export interface PlainHead {
  readonly method: string
  readonly target: string
  readonly headers: HttpHeaders
  /** Undefined: no body is announced. */
  readonly length: number | undefined
  /** The client wants no other request on this connection. */
  readonly isLast: boolean
}

const requestLine = /^(GET|POST|PUT|PATCH|DELETE) (\/[\x21-\x7e]*) HTTP\/1\.1$/
/** Names without an underscore, because `__proto__` would be a name of a header too. */
const plainName = /^[A-Za-z\d!#$%&'*+.^`|~-]+$/
const plainValue = /^[\t\x20-\x7e]*$/
const plainLength = /^\d{1,9}$/
/**
 * A request with one of these headers asks for more than an answer, or Node reads it in a way of its own (`proxy-connection` as `connection`,
 * `set-cookie` as a list), so Node's own parser gets it.
 */
const unplain: ReadonlySet<string> = new Set([
  'transfer-encoding',
  'expect',
  'upgrade',
  'te',
  'trailer',
  'http2-settings',
  'proxy-connection',
  'set-cookie',
])

/** `text`: all before the empty line, a character for each byte. Undefined where it is not plain. */
export function readPlainHead(text: string): PlainHead | undefined {
  let end = text.indexOf('\r\n')
  const [, method, target] = requestLine.exec(end < 0 ? text : text.slice(0, end)) ?? []
  if (method === undefined || target === undefined) return undefined
  const headers: Record<string, string> = {}
  while (end >= 0) {
    const start = end + 2
    end = text.indexOf('\r\n', start)
    const colon = text.indexOf(':', start)
    const lineEnd = end < 0 ? text.length : end
    if (colon < 0 || colon >= lineEnd) return undefined
    const name = text.slice(start, colon).toLowerCase()
    const value = text.slice(colon + 1, lineEnd)
    // What every object has counts as being there already, and so goes to Node as what comes twice does.
    if (headers[name] !== undefined || unplain.has(name) || !plainName.test(name) || !plainValue.test(value)) return undefined
    headers[name] = value.trim()
  }
  return framed(method, target, headers)
}

function framed(method: string, target: string, headers: Readonly<Record<string, string>>): PlainHead | undefined {
  const { host, connection, 'content-length': announced } = headers
  const isLast = connection === 'close'
  if (host === undefined || (connection !== undefined && !isLast && connection !== 'keep-alive')) return undefined
  if (announced !== undefined && !plainLength.test(announced)) return undefined
  return { method, target, headers, length: announced === undefined ? undefined : Number(announced), isLast }
}

/** The head of an answer as text, its empty line included. Throws for a header whose value would begin another line. */
export function renderHead({ status, headers, body }: HttpResponse, isLast: boolean, keepAlive: string): string {
  let head = `HTTP/1.1 ${status} ${http.STATUS_CODES[status] ?? 'unknown'}\r\n`
  for (const name in headers) {
    const value = headers[name]
    if (typeof value === 'string') head += headerLine(name, value)
    else if (value !== undefined) for (const one of value) head += headerLine(name, one)
  }
  if (headers['content-length'] === undefined && mayHaveBody(status))
    head += isStream(body) ? 'transfer-encoding: chunked\r\n' : `content-length: ${body?.length ?? 0}\r\n`
  if (headers['date'] === undefined) head += dateLine()
  return `${head}${isLast ? 'connection: close\r\n' : keepAlive}\r\n`
}

export function isStream(body: HttpResponse['body']): body is AsyncIterable<Uint8Array> {
  return body !== null && !(body instanceof Uint8Array)
}

const headerValue = /^[\t\x20-\x7e\x80-\xff]*$/

function headerLine(name: string, value: string): string {
  if (!headerValue.test(value)) throw new TypeError(`the header ${name} holds what no header may`)
  return `${name}: ${value}\r\n`
}

let date = { second: 0, line: '' }

/** The `date` header, which is made once a second and not for each answer. */
function dateLine(): string {
  const second = Math.floor(Date.now() / 1_000)
  if (second !== date.second) date = { second, line: `date: ${new Date(second * 1_000).toUTCString()}\r\n` }
  return date.line
}
