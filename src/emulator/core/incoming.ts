// From an HTTP request to what the core works with: the body in memory and bounded, host and query read, the service found.
import { collectBody, HttpFailure, type HttpHeaders, type HttpRequest } from '#base'
import type { ClaimReading, SignedRequest } from '../auth/signature.ts'
import type { RawRequest } from '../service.ts'
import type { AddressBook, RequestAddress } from '../wire/address.ts'
import { parseForm } from '../wire/form.ts'

/** What is left to check and to answer once the form has become a request. */
export interface PostedForm {
  readonly fields: ReadonlyMap<string, string>
  readonly bucket: string
  readonly key: string
  readonly bytes: number
  /** The policy in Base64, as it was signed. */
  readonly policy: string | undefined
  readonly claim: ClaimReading
}

export interface IncomingCall {
  readonly raw: RawRequest
  readonly address: RequestAddress
  /** Body as received; what a signature was made over. */
  readonly wire: SignedRequest
  /** The form, for a request that was posted as one. */
  readonly posted?: PostedForm
}

/** Uploads are kept in memory; a real part may be 5 GB, ours may not. */
export const bodyBytesMax: number = 64 * 1024 * 1024

export async function readIncoming(request: HttpRequest, addresses: AddressBook): Promise<IncomingCall> {
  const body = await collectBody(request.body, bodyBytesMax)
  return incomingOf(request, body, addresses)
}

/** The same without waiting; for bodies that are in memory already. */
export function incomingOf(request: HttpRequest, body: Uint8Array, addresses: AddressBook): IncomingCall {
  const mark = request.target.indexOf('?')
  const path = mark === -1 ? request.target : request.target.slice(0, mark)
  const queryText = mark === -1 ? '' : request.target.slice(mark + 1)
  const query = parseQuery(queryText)
  const headers = flattened(request.headers)
  let form: ReadonlyMap<string, string> | undefined
  const host = headers['host'] ?? headers[':authority'] ?? ''
  const first: RawRequest = {
    method: request.method,
    path,
    query,
    queryAll: key => allValues(queryText, key),
    headers,
    body,
    form: () => (form ??= parseForm(Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8'))),
    host,
    hostNamed: false,
    secure: request.peer?.tls ?? true,
    sourceIp: sourceIpOf(request),
    userAgent: headers['user-agent'] ?? '',
    signed: false,
    proven: false,
    ...(request.signal !== undefined && { signal: request.signal }),
  }
  const isForm = (headers['content-type'] ?? '').startsWith('application/x-www-form-urlencoded')
  const address = addresses.addressOf({
    host,
    path,
    query,
    headers,
    formVersion: () => (isForm ? first.form().get('Version') : undefined),
  })
  const raw = {
    ...first,
    hostNamed: address.hostNamed,
    path: address.bucket === undefined ? path : `/${encodeURIComponent(address.bucket)}${path}`,
  }
  return { raw, address, wire: { method: request.method, path, queryText, headers: request.headers, body } }
}

/** In a query string "+" is a plus sign: it is not a form. */
function parseQuery(text: string): ReadonlyMap<string, string> {
  return parseForm(text.includes('+') ? text.replaceAll('+', '%2B') : text)
}

function allValues(queryText: string, key: string): readonly string[] {
  return queryText
    .split('&')
    .map(pair => parseQuery(pair).entries().next().value)
    .filter(entry => entry !== undefined && entry[0] === key)
    .map(entry => (entry as [string, string])[1])
}

function flattened(headers: HttpHeaders): Readonly<Record<string, string>> {
  const flat: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) flat[name.toLowerCase()] = typeof value === 'string' ? value : value.join(',')
  }
  return flat
}

function sourceIpOf(request: HttpRequest): string {
  const address = request.peer?.address ?? '127.0.0.1'
  return address.startsWith('::ffff:') ? address.slice(7) : address
}

export function aborted(): HttpFailure {
  return new HttpFailure('reset', 'the connection was closed without an answer')
}
