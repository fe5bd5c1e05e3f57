// Replies turned into HTTP responses: encoding, warnings, compression, the headers that every response has.
import { gzipSync } from 'node:zlib'
import { type DumpOptions, dump } from 'js-yaml'
import type { HttpResponse } from '#base'
import { type Accepted, negotiatePlain } from '../http/accept.ts'
import { type ApiCall, header, type Reply } from '../http/call.ts'
import { warningHeaders } from '../http/warnings.ts'
import type { Version } from '../store/version.ts'
import { stringifyJson } from '../text/json.ts'

/** As the usual YAML library for Go writes it: keys sorted, lists not set in, one kind of quotes. */
const asGoWrites: DumpOptions = { noRefs: true, lineWidth: -1, sortKeys: true, seqNoIndent: true, quoteStyle: 'double' }

/** Below this a real server does not compress either: the gain is smaller than the cost. */
const compressBytesMin = 131_072

export interface ListForm {
  readonly kind: string
  readonly apiVersion: string
  /** Items of built-in lists come without kind and apiVersion. */
  readonly bareItems: boolean
}

export interface ResponseFrame {
  readonly auditId: string
  readonly now: string
}

type Headers = Record<string, string | readonly string[]>

export function respond(
  call: ApiCall,
  reply: Reply,
  accepted: Accepted,
  list: ListForm | undefined,
  frame: ResponseFrame,
): HttpResponse {
  const headers = baseHeaders(call, frame)
  switch (reply.type) {
    case 'text':
      return { status: reply.code, headers: { ...headers, ...textHeaders, ...reply.headers }, body: Buffer.from(reply.text) }
    case 'nothing':
      return { status: 204, headers, body: null }
    case 'stream':
      return { status: 200, headers: { ...headers, 'content-type': 'application/json' }, body: reply.stream }
    case 'version':
      return encode(
        call,
        reply.code,
        headers,
        accepted,
        () => reply.version.json,
        () => reply.version.object,
      )
    case 'value': {
      const { value } = reply
      return encode(
        call,
        reply.code,
        headers,
        accepted,
        () => Buffer.from(stringifyJson(value)),
        () => value,
      )
    }
    default: {
      const shape = list as ListForm
      const value = (): unknown => ({
        kind: shape.kind,
        apiVersion: shape.apiVersion,
        metadata: reply.metadata,
        items: reply.versions.map(version => itemValue(version, shape)),
      })
      return encode(call, 200, headers, accepted, () => listBytes(reply.metadata, reply.versions, shape), value)
    }
  }
}

/** A refusal: a Status in the first plain format that the client takes. */
export function respondStatus(
  call: ApiCall,
  status: { code?: number; details?: { retryAfterSeconds?: number } },
  frame: ResponseFrame,
): HttpResponse {
  const headers = baseHeaders(call, frame)
  const retryAfter = status.details?.retryAfterSeconds
  if (retryAfter !== undefined && retryAfter > 0) headers['retry-after'] = String(retryAfter)
  const accepted = negotiatePlain(header(call.request, 'accept'))
  return encode(
    call,
    status.code ?? 500,
    headers,
    accepted,
    () => Buffer.from(stringifyJson(status)),
    () => status,
  )
}

const textHeaders = { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' }

/** Fixed: there is no priority and fairness here, but clients may log what a real server says. */
const flowSchemaUid = '0f6a3c1e-6a3b-4a55-9d2f-3f1d5f0c7a11'
const priorityLevelUid = '5b7d1f0a-2c64-4e0e-8a51-9e64b6c2d3f2'

function baseHeaders(call: ApiCall, frame: ResponseFrame): Headers {
  const headers: Headers = {
    'audit-id': frame.auditId,
    'cache-control': 'no-cache, private',
    date: frame.now,
    'x-kubernetes-pf-flowschema-uid': flowSchemaUid,
    'x-kubernetes-pf-prioritylevel-uid': priorityLevelUid,
  }
  if (call.warnings.length > 0) headers.warning = warningHeaders(call.warnings)
  return headers
}

const newline = Buffer.from('\n')

function encode(
  call: ApiCall,
  status: number,
  headers: Headers,
  accepted: Accepted,
  bytes: () => Uint8Array,
  value: () => unknown,
): HttpResponse {
  if (accepted.format === 'yaml') {
    headers['content-type'] = 'application/yaml'
    return { status, headers, body: Buffer.from(dump(JSON.parse(stringifyJson(value())), asGoWrites)) }
  }
  headers['content-type'] = 'application/json'
  const body = isPretty(call, accepted)
    ? Buffer.from(`${stringifyJson(JSON.parse(Buffer.from(bytes()).toString()), '    ')}\n`)
    : Buffer.concat([bytes(), newline])
  if (body.byteLength >= compressBytesMin && (header(call.request, 'accept-encoding') ?? '').includes('gzip')) {
    headers['content-encoding'] = 'gzip'
    headers.vary = 'Accept-Encoding'
    return { status, headers, body: gzipSync(body, { level: 1 }) }
  }
  return { status, headers, body }
}

function isPretty(call: ApiCall, accepted: Accepted): boolean {
  const wish = call.query.get('pretty')
  if (wish !== undefined) return wish === 'true' || wish === '1'
  return accepted.pretty || /^(curl|Wget|Mozilla\/5\.0)/.test(call.userAgent)
}

function listBytes(metadata: Readonly<Record<string, unknown>>, versions: readonly Version[], shape: ListForm): Uint8Array {
  const head = `{"kind":${JSON.stringify(shape.kind)},"apiVersion":${JSON.stringify(shape.apiVersion)},"metadata":${JSON.stringify(metadata)},"items":[`
  const parts: Uint8Array[] = [Buffer.from(head)]
  const prefix = prefixOf(versions[0], shape)
  versions.forEach((version, index) => {
    if (index > 0) parts.push(comma)
    const { json } = version
    // Every stored object begins with its kind and version, which bare items leave out.
    if (prefix !== undefined && startsWith(json, prefix)) parts.push(brace, json.subarray(prefix.byteLength))
    else parts.push(shape.bareItems ? Buffer.from(stringifyJson(itemValue(version, shape))) : json)
  })
  parts.push(listTail)
  return Buffer.concat(parts)
}

const comma = Buffer.from(',')
const brace = Buffer.from('{')
const listTail = Buffer.from(']}')

function prefixOf(first: Version | undefined, shape: ListForm): Buffer | undefined {
  if (!shape.bareItems || first === undefined) return undefined
  const { kind, apiVersion } = first.object
  return Buffer.from(`{"kind":${JSON.stringify(kind)},"apiVersion":${JSON.stringify(apiVersion)},`)
}

function startsWith(bytes: Uint8Array, prefix: Buffer): boolean {
  if (bytes.byteLength < prefix.byteLength) return false
  for (let index = 0; index < prefix.byteLength; index++) if (bytes[index] !== prefix[index]) return false
  return true
}

function itemValue(version: Version, shape: ListForm): unknown {
  if (!shape.bareItems) return version.object
  const { kind: _kind, apiVersion: _apiVersion, ...rest } = version.object
  return rest
}
