// A request as the handlers see it, and what they answer. Bodies are bounded before anything looks at them.
import { collectBody, type HttpRequest, type HttpResponse, isRecord, readJson } from '#base'

export interface EntraCall {
  readonly method: string
  /** Without the query, decoded segment by segment. */
  readonly path: readonly string[]
  readonly query: ReadonlyMap<string, string>
  readonly host: string
  /** `https://host`, as this request reached us. */
  readonly origin: string
  readonly headers: HttpRequest['headers']
  readonly body: Uint8Array
}

/** Of a request, and of a document of an issuer. */
export const bodyBytesMax: number = 1024 * 1024

/** `undefined` for a target that cannot be decoded. */
export async function readCall(request: HttpRequest): Promise<EntraCall | undefined> {
  const host = textOf(request.headers['host']) ?? 'login.microsoftonline.com'
  const url = URL.parse(request.target, `https://${host}`)
  if (url === null) return undefined
  const path = decodedPath(url.pathname)
  if (path === undefined) return undefined
  const { method, headers } = request
  const query = new Map([...url.searchParams].map(([name, value]) => [name.toLowerCase(), value]))
  const origin = request.peer?.tls === false ? `http://${host}` : `https://${host}`
  return { method, path, query, host, origin, headers, body: await collectBody(request.body, bodyBytesMax) }
}

function decodedPath(pathname: string): readonly string[] | undefined {
  try {
    return pathname
      .split('/')
      .filter(segment => segment !== '')
      .map(decodeURIComponent)
  } catch {
    return undefined
  }
}

export function textOf(header: string | readonly string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : header?.[0]
}

export function bearerOf({ headers }: Pick<EntraCall, 'headers'>): string | undefined {
  return /^Bearer (\S+)$/i.exec(textOf(headers['authorization']) ?? '')?.[1]
}

export interface CallForm {
  readonly fields: ReadonlyMap<string, string>
  /** The first name that comes twice: whoever reads the form elsewhere might take the other value. */
  readonly repeated: string | undefined
}

export function formOf({ body }: Pick<EntraCall, 'body'>): CallForm {
  const pairs = [...new URLSearchParams(Buffer.from(body).toString('utf8'))]
  const names = pairs.map(([name]) => name)
  return { fields: new Map(pairs), repeated: names.find((name, place) => names.indexOf(name) < place) }
}

/** The object in a JSON body; `undefined` for anything else. */
export function objectIn({ body }: Pick<EntraCall, 'body'>): Readonly<Record<string, unknown>> | undefined {
  const value = readJson(Buffer.from(body).toString('utf8'))
  return isRecord(value) ? value : undefined
}

export function json(status: number, value: unknown, headers: Readonly<Record<string, string>> = {}): HttpResponse {
  const body = Buffer.from(JSON.stringify(value))
  return {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', 'content-length': String(body.length), ...headers },
    body,
  }
}

export function xml(status: number, text: string, headers: Readonly<Record<string, string>> = {}): HttpResponse {
  const body = Buffer.from(`<?xml version="1.0" encoding="utf-8"?>${text}`)
  return { status, headers: { 'content-type': 'application/xml', 'content-length': String(body.length), ...headers }, body }
}

export function empty(status: number, headers: Readonly<Record<string, string>> = {}): HttpResponse {
  return { status, headers: { 'content-length': '0', ...headers }, body: null }
}
