// A request body turned into a draft of the right kind, with unknown and duplicate fields treated as the client asked.
import { asDraft, asJson, type Draft, draftFrom, isRecord } from '../draft.ts'
import { bodyFormat, type Decoded, decodeText } from '../http/body.ts'
import { header, type ResourceCall } from '../http/call.ts'
import { badRequest } from '../refusals.ts'
import type { ServedKind } from '../registry/resource.ts'
import type { WriteOptions } from './options.ts'

export type DecodeProtobuf = (bytes: Uint8Array) => Record<string, unknown>

export function decodeObject(call: ResourceCall, options: WriteOptions, decodeProtobuf: DecodeProtobuf): Draft {
  const { kind } = call
  const format = bodyFormat(header(call.request, 'content-type'), kind.resource.custom !== undefined)
  const decoded: Decoded =
    format === 'protobuf' ? { value: decodeProtobuf(call.body), duplicates: [] } : decodeText(call.body, format)
  return toDraft(decoded, kind, call, options)
}

export function toDraft(decoded: Decoded, kind: ServedKind, call: ResourceCall, options: WriteOptions): Draft {
  return typed(checkType(decoded.value, kind), decoded.duplicates, kind, call, options)
}

/** A draft as its schema reads it: unknown fields reported and gone, wrong types refused, defaults filled in. */
export function typed(
  draft: Draft,
  duplicates: readonly string[],
  kind: ServedKind,
  call: { readonly warnings: string[] },
  options: Pick<WriteOptions, 'fieldValidation'>,
): Draft {
  const decoded = kind.schema.decode(asJson(draft))
  if (decoded.malformed !== undefined) {
    const name = kind.resource.kind
    throw badRequest(`${name} in version "${kind.version}" cannot be handled as a ${name}: ${decoded.malformed}`)
  }
  reportFields(kind, duplicates, decoded.unknown, call, options)
  return draftFrom(asDraft(kind.schema.applyDefaults(decoded.object)))
}

/** Fills in what the URL already says and refuses what contradicts it. */
export function checkType(value: Record<string, unknown>, kind: ServedKind): Draft {
  const { apiVersion, kind: bodyKind } = value
  if (bodyKind === undefined || bodyKind === '') {
    if (kind.resource.custom !== undefined) throw badRequest(`Object 'Kind' is missing in '${shorten(value)}'`)
    value.kind = kind.resource.kind
  } else if (bodyKind !== kind.resource.kind) throw mismatch(value, kind)
  if (apiVersion === undefined || apiVersion === '') {
    if (kind.resource.custom !== undefined) throw badRequest(`Object 'apiVersion' is missing in '${shorten(value)}'`)
    value.apiVersion = kind.apiVersion
  } else if (apiVersion !== kind.apiVersion) throw mismatch(value, kind)
  if (value.metadata === undefined || value.metadata === null) value.metadata = {}
  if (!isRecord(value.metadata)) {
    throw badRequest(
      `${kind.resource.kind} in version "${kind.version}" cannot be handled as a ${kind.resource.kind}: metadata must be an object`,
    )
  }
  const { kind: k, apiVersion: v, metadata, ...rest } = value
  return { kind: k as string, apiVersion: v as string, metadata: metadata as Draft['metadata'], ...rest }
}

export function reportFields(
  kind: ServedKind,
  duplicates: readonly string[],
  unknown: readonly string[],
  call: { readonly warnings: string[] },
  options: Pick<WriteOptions, 'fieldValidation'>,
): void {
  if (options.fieldValidation === 'Ignore' || (duplicates.length === 0 && unknown.length === 0)) return
  const problems = [...duplicates.map(path => `duplicate field "${path}"`), ...unknown.map(path => `unknown field "${path}"`)]
  if (options.fieldValidation === 'Warn') {
    call.warnings.push(...problems)
    return
  }
  const name = kind.resource.kind
  throw badRequest(
    `${name} in version "${kind.version}" cannot be handled as a ${name}: strict decoding error: ${problems.join(', ')}`,
  )
}

/** Another version is refused by its version; another kind of a version that is known, by the conversion that there is not. */
function mismatch(value: Record<string, unknown>, { apiVersion, version, resource }: ServedKind): Error {
  const found = textOf(value.apiVersion)
  if (resource.custom !== undefined || found === '' || found === apiVersion) {
    if (found !== apiVersion)
      return badRequest(`the API version in the data (${found}) does not match the expected API version (${apiVersion})`)
    const name = textOf(value.kind)
    return badRequest(
      `${name} in version "${version}" cannot be handled as a ${resource.kind}: converting (${version}.${name}) to (${shortGroup(resource.group)}.${resource.kind}): unknown conversion`,
    )
  }
  return badRequest(`the API version in the data (${found}) does not match the expected API version (${apiVersion})`)
}

/** The Go package of a group: its first label; the core group's is called so. */
function shortGroup(group: string): string {
  return group === '' ? 'core' : (group.split('.')[0] as string)
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function shorten(value: unknown): string {
  return JSON.stringify(value).slice(0, 200)
}
