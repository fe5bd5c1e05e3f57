// A request body turned into a draft of the right kind, with unknown and duplicate fields treated as the client asked.
import { asDraft, asJson, type Draft, draftFrom } from '../draft.ts'
import { bodyFormat, type DecodedBody } from '../http/body.ts'
import { header, type ResourceCall } from '../http/call.ts'
import { badRequest } from '../refusals.ts'
import type { ServedKind } from '../registry/resource.ts'
import type { RequestWriteOptions } from './options.ts'
import { checkVersion, named, recogniseText } from './recognise.ts'

export type DecodeProtobuf = (bytes: Uint8Array) => Record<string, unknown>

export function decodeObject(call: ResourceCall, options: RequestWriteOptions, decodeProtobuf: DecodeProtobuf): Draft {
  const { kind } = call
  const format = bodyFormat(header(call.request, 'content-type'), kind.resource.custom !== undefined)
  const { value, duplicates }: DecodedBody =
    format === 'protobuf' ? { value: decodeProtobuf(call.body), duplicates: [] } : recogniseText(call.body, format, kind)
  const draft = typed(named(value, kind), duplicates, kind, call, options)
  if (kind.resource.custom !== undefined) checkVersion(draft, kind)
  return draft
}

/** A draft as its schema reads it: unknown fields reported and gone, wrong types refused, defaults filled in. */
export function typed(
  draft: Draft,
  duplicates: readonly string[],
  kind: ServedKind,
  call: { readonly warnings: string[] },
  options: Pick<RequestWriteOptions, 'fieldValidation'>,
  order: 'as sent' | 'sorted' = 'as sent',
): Draft {
  const decoded = kind.schema.decode(asJson(draft))
  if (decoded.malformed !== undefined) {
    const version = draft.apiVersion.slice(draft.apiVersion.indexOf('/') + 1)
    throw badRequest(`${draft.kind} in version "${version}" cannot be handled as a ${kind.resource.kind}: ${decoded.malformed}`)
  }
  // Only an object of the kind has fields that its schema does not know.
  const isOwn = draft.kind === kind.resource.kind && draft.apiVersion === kind.apiVersion
  const unknown = isOwn ? decoded.unknown : []
  reportFields(kind, duplicates, order === 'sorted' ? [...unknown].sort(byPath) : unknown, call, options)
  const next = draftFrom(asDraft(kind.schema.applyDefaults(decoded.object)))
  // To a built-in kind an empty list of owners is the wish to have none, which a schema takes for nothing at all.
  const { managedFields } = draft.metadata
  if (kind.resource.custom === undefined && Array.isArray(managedFields) && managedFields.length === 0)
    next.metadata.managedFields = []
  return next
}

export function reportFields(
  kind: ServedKind,
  duplicates: readonly string[],
  unknown: readonly string[],
  call: { readonly warnings: string[] },
  options: Pick<RequestWriteOptions, 'fieldValidation'>,
): void {
  if (options.fieldValidation === 'Ignore' || (duplicates.length === 0 && unknown.length === 0)) return
  const problems = [...duplicates.map(told), ...unknown.map(path => `unknown field "${path}"`)]
  if (options.fieldValidation === 'Warn') {
    call.warnings.push(...problems)
    return
  }
  const name = kind.resource.kind
  throw badRequest(
    `${name} in version "${kind.version}" cannot be handled as a ${name}: strict decoding error: ${problems.join(', ')}`,
  )
}

/** As a map of Go is walked that was sorted by its keys. */
function byPath(a: string, b: string): number {
  const [left, right] = [a.split(/[.[]/), b.split(/[.[]/)]
  const at = left.findIndex((part, index) => part !== right[index])
  const [x = '', y = ''] = [left[at], right[at]]
  return /^\d+\]$/.test(x) ? Number.parseInt(x, 10) - Number.parseInt(y, 10) : x < y ? -1 : 1
}

/** YAML tells of repeated keys in its own way, and JSON patches of what is strange to them. */
function told(duplicate: string): string {
  return /^(?:line|json patch) /.test(duplicate) ? duplicate : `duplicate field "${duplicate}"`
}
