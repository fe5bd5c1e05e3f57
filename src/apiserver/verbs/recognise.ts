// A body's own word on what it is: which kind at which version, against the kind that the path names. A real server finds that out
// before it reads the rest, and tells what it could not read with the beginning of the body.
import { isRecord, NumberText } from '#base'
import { builtinKind, type JsonObject } from '#schema'
import { type Draft } from '../draft.ts'
import { type DecodedBody, goKind, type ParsedBody, parseBody } from '../http/body.ts'
import { badRequest } from '../refusals.ts'
import { type ServedKind, shortGroup } from '../registry/resource.ts'
import { JsonError, type NumbersAs } from '../text/json.ts'
import { parseMerging } from '../text/repeated-members.ts'

/** The text of a body as an object. */
export function recogniseText(bytes: Uint8Array, format: 'json' | 'yaml', kind: ServedKind): DecodedBody {
  const unrecognised = (why: string): Error =>
    badRequest(`the object provided is unrecognized (must be of type ${kind.resource.kind}): ${why} (${summary(bytes)})`)
  const unparsed = (why: string): Error => unrecognised(unnamed + why)
  let parsed: ParsedBody
  try {
    parsed = parseBody(bytes, format, numbersOf(kind))
  } catch (error) {
    if (!(error instanceof JsonError)) throw error
    // A number that no value can hold is found when the kind is known already.
    if (error.message.startsWith('json: cannot unmarshal number ')) throw unreadable(kind, error.message)
    throw format === 'yaml' ? unrecognised(error.message) : unparsed(error.message)
  }
  const { value: _value, ...findings } = parsed
  const value = asTyped(parsed, kind) ?? {}
  if (!isRecord(value)) throw unparsed(`json: cannot unmarshal ${goKind(value)} into Go value of type ${typeMeta}`)
  const problem = nameProblem(value)
  if (problem !== undefined) throw unparsed(problem)
  if (kind.resource.custom !== undefined && !isNamed(value.kind))
    throw unrecognised(`Object 'Kind' is missing in '${Buffer.from(bytes).toString()}'`)
  return { value, ...findings }
}

/** A built-in kind is decoded into a type, which holds whatever was read into it before. */
function asTyped({ value, text }: ParsedBody, kind: ServedKind): unknown {
  return text !== undefined && numbersOf(kind) === 'texts' ? parseMerging('texts', text).value : value
}

function unreadable({ resource, version }: ServedKind, why: string): Error {
  return badRequest(`${resource.kind} in version "${version}" cannot be handled as a ${resource.kind}: ${why}`)
}

export const unnamed = "couldn't get version/kind; json parse error: "

/** Objects of built-in kinds are decoded from the text itself. */
export function numbersOf({ resource }: ServedKind): NumbersAs {
  return resource.custom === undefined ? 'texts' : 'values'
}

/** Kind and version are texts, or are not there. */
function nameProblem(value: Readonly<Record<string, unknown>>): string | undefined {
  for (const field of ['apiVersion', 'kind']) {
    const key = value[field]
    if (key !== undefined && key !== null && typeof key !== 'string')
      return `json: cannot unmarshal ${goKind(key)} into Go struct field .${field} of type string`
  }
  return undefined
}

export const typeMeta = 'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }'
const summaryMax = 30

/** The beginning of a body: as text when it looks like JSON, else in hexadecimal digits. */
function summary(bytes: Uint8Array): string {
  if (bytes.byteLength === 0) return '<empty>'
  const head = Buffer.from(bytes.subarray(0, summaryMax))
  return head.toString(bytes[0] === 0x7b ? 'utf8' : 'hex') + (bytes.byteLength > summaryMax ? ' ...' : '')
}

function isNamed(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

/** The kind's own name and version where a built-in body says none; refused when it is of another kind. */
export function named(value: Readonly<Record<string, unknown>>, kind: ServedKind): Draft {
  const { resource } = kind
  const problem = nameProblem(value)
  if (problem !== undefined) throw badRequest(unnamed + problem)
  const isBuiltin = resource.custom === undefined
  const bodyKind = isNamed(value.kind) ? value.kind : resource.kind
  const bodyVersion = isNamed(value.apiVersion) ? value.apiVersion : isBuiltin ? kind.apiVersion : ''
  const { kind: _kind, apiVersion: _apiVersion, metadata, ...rest } = value
  if (isBuiltin && (bodyKind !== resource.kind || bodyVersion !== kind.apiVersion))
    checkConvertible({ ...value, kind: bodyKind, apiVersion: bodyVersion } as JsonObject, bodyVersion, bodyKind, kind)
  const isStrange = metadata instanceof NumberText || (metadata !== undefined && metadata !== null && !isRecord(metadata))
  if (isStrange) throw unhandled(bodyKind, bodyVersion, kind, metadata)
  return { kind: bodyKind, apiVersion: bodyVersion, metadata: (metadata ?? {}) as Draft['metadata'], ...rest }
}

/** A custom body is read before its version is looked at. */
export function checkVersion(draft: Draft, kind: ServedKind): void {
  if (draft.apiVersion !== kind.apiVersion) throw otherVersion(draft.apiVersion, kind)
  if (draft.kind !== kind.resource.kind) {
    const why = `${draft.kind} in version "${kind.version}" cannot be handled as a ${kind.resource.kind}`
    throw badRequest(
      `${why}: converting (${kind.version}.${draft.kind}) to (${shortGroup(kind.resource.group)}.${kind.resource.kind}): unknown conversion`,
    )
  }
}

/** A body of another kind is read as what it is before anybody finds that it is nothing for this place. */
function checkConvertible(
  body: JsonObject,
  apiVersion: string,
  bodyKind: string,
  { resource, apiVersion: wanted, ...kind }: ServedKind,
): void {
  const slash = apiVersion.indexOf('/')
  const version = apiVersion.slice(slash + 1)
  const cannot = (why: string): Error =>
    badRequest(`${bodyKind} in version "${version}" cannot be handled as a ${resource.kind}: ${why}`)
  const own = builtinKind(slash < 0 ? '' : apiVersion.slice(0, slash), version, bodyKind)
  if (own === undefined) throw cannot(notRegistered(bodyKind, apiVersion))
  const { malformed } = own.decode(body, { hasNumberTexts: true })
  if (malformed !== undefined) throw cannot(malformed)
  if (bodyKind !== resource.kind)
    throw cannot(`converting (${version}.${bodyKind}) to (${shortGroup(resource.group)}.${resource.kind}): unknown conversion`)
  throw otherVersion(apiVersion, { resource, apiVersion: wanted, ...kind })
}

/** The place in the source is part of the message of a real server, in every release of late. */
export function notRegistered(kind: string, apiVersion: string): string {
  return `no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(apiVersion)} in scheme "pkg/runtime/scheme.go:110"`
}

function otherVersion(found: string, kind: ServedKind): Error {
  return badRequest(`the API version in the data (${found}) does not match the expected API version (${kind.apiVersion})`)
}

function unhandled(bodyKind: string, apiVersion: string, kind: ServedKind, metadata: unknown): Error {
  const version = apiVersion.slice(apiVersion.indexOf('/') + 1)
  const field = kind.resource.custom === undefined ? `struct field ${bodyKind}.metadata` : 'value'
  const why = `json: cannot unmarshal ${goKind(metadata)} into Go ${field} of type v1.ObjectMeta`
  return badRequest(`${bodyKind} in version "${version}" cannot be handled as a ${kind.resource.kind}: ${why}`)
}
