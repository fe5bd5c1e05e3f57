// A request body turned into a draft of the right kind, with unknown and duplicate fields treated as the client asked.
import { asDraft, asJson, type Draft, draftFrom } from '../draft.ts'
import { type BodyFindings, bodyFormat, type DecodedBody } from '../http/body.ts'
import { header, type ResourceCall } from '../http/call.ts'
import { badRequest } from '../refusals.ts'
import type { ServedKind } from '../registry/resource.ts'
import { keysOf } from '../text/json-keys.ts'
import type { RequestWriteOptions } from './options.ts'
import { checkVersion, named, recogniseText } from './recognise.ts'

export type DecodeProtobuf = (bytes: Uint8Array) => Record<string, unknown>

export function decodeObject(call: ResourceCall, options: RequestWriteOptions, decodeProtobuf: DecodeProtobuf): Draft {
  const { kind } = call
  const format = bodyFormat(header(call.request, 'content-type'), kind.resource.custom !== undefined)
  const { value, ...findings }: DecodedBody =
    format === 'protobuf' ? { value: decodeProtobuf(call.body), duplicates: [] } : recogniseText(call.body, format, kind)
  const draft = typed(named(value, kind), findings, kind, call, options)
  if (kind.resource.custom !== undefined) checkVersion(draft, kind)
  return draft
}

/** A draft as its schema reads it: unknown fields reported and gone, wrong types refused, defaults filled in. */
export function typed(
  draft: Draft,
  findings: BodyFindings,
  kind: ServedKind,
  call: { readonly warnings: string[] },
  options: Pick<RequestWriteOptions, 'fieldValidation'>,
  order: 'as sent' | 'sorted' = 'as sent',
): Draft {
  const decoded = kind.schema.decode(asJson(draft), findings)
  if (decoded.malformed !== undefined) {
    const version = draft.apiVersion.slice(draft.apiVersion.indexOf('/') + 1)
    const error = badRequest(
      `${draft.kind} in version "${version}" cannot be handled as a ${kind.resource.kind}: ${decoded.malformed}`,
    )
    error.cause = decoded.wanted
    throw error
  }
  // Only an object of the kind has fields that its schema does not know.
  const isOwn = draft.kind === kind.resource.kind && draft.apiVersion === kind.apiVersion
  const unknown = isOwn ? decoded.unknown : []
  const isBuiltin = kind.resource.custom === undefined
  // What stands twice in a patch was found before anybody knew of which kind it is.
  const found = isBuiltin && order === 'as sent' ? withoutStrangers(findings, unknown) : findings
  const asRead = isBuiltin && order === 'as sent' ? (findings.isSorted === true ? 'sorted' : 'as read') : order
  reportProblems(kind, problemsOf(found, isBuiltin ? unknown : metadataFirst(unknown), asRead), call, options)
  const next = draftFrom(asDraft(kind.schema.applyDefaults(decoded.object)))
  // To a built-in kind an empty list of owners is the wish to have none, which a schema takes for nothing at all.
  const { managedFields } = draft.metadata
  if (kind.resource.custom === undefined && Array.isArray(managedFields) && managedFields.length === 0)
    next.metadata.managedFields = []
  return next
}

/** Reports fields that nobody knows in an object that a patch made. */
export function reportUnknown(
  kind: ServedKind,
  findings: BodyFindings,
  unknown: readonly string[],
  call: { readonly warnings: string[] },
  options: Pick<RequestWriteOptions, 'fieldValidation'>,
): void {
  reportProblems(kind, problemsOf(findings, unknown, 'sorted'), call, options)
}

/** The metadata of a custom object are read before its schema is asked. */
function metadataFirst(unknown: readonly string[]): readonly string[] {
  const isAbout = (path: string): boolean => path.startsWith('metadata.')
  return [...unknown.filter(isAbout), ...unknown.filter(path => !isAbout(path))]
}

/** A built-in kind passes over what it does not know, with all that stands in it. */
function withoutStrangers(findings: BodyFindings, unknown: readonly string[]): BodyFindings {
  const isStrange = (path: string): boolean => unknown.some(field => path === field || isBelow(path, field))
  return { ...findings, duplicates: findings.duplicates.filter(path => !isStrange(path)) }
}

function isBelow(path: string, field: string): boolean {
  return path.startsWith(field) && /^[.[]/.test(path.slice(field.length))
}

/** What is strange about the fields of a body. Of a key that stands twice below a field that nobody knows nothing is told. */
function problemsOf(
  { duplicates, repeatsWithin = [], text }: BodyFindings,
  unknown: readonly string[],
  order: 'as read' | 'as sent' | 'sorted',
): readonly string[] {
  if (duplicates.length === 0 && unknown.length === 0 && repeatsWithin.length === 0) return []
  const repeats = repeatsWithin.filter(path => !unknown.some(field => isBelow(path, field)))
  const paths = [...repeats, ...unknown]
  if (order === 'sorted') paths.sort(byPath)
  const problems = [
    ...duplicates.map(path => ({ path, again: true, problem: told(path) })),
    ...paths.map(path => ({
      path,
      again: false,
      problem: `${repeats.includes(path) ? 'duplicate' : 'unknown'} field "${path}"`,
    })),
  ]
  if (order === 'as read' && text !== undefined && unknown.length > 0) sortAsRead(problems, text)
  return problems.map(({ problem }) => problem)
}

/** A field that nobody knows is met when it comes first, one that stands twice when it comes again. */
function sortAsRead(problems: { readonly path: string; readonly again: boolean }[], text: string): void {
  const places = new Map<string, number>()
  for (const { path, again, at } of keysOf(text)) {
    const key = placeKey({ path, again })
    if (!places.has(key)) places.set(key, at)
  }
  const placeOf = (problem: { readonly path: string; readonly again: boolean }): number => places.get(placeKey(problem)) ?? 0
  problems.sort((a, b) => placeOf(a) - placeOf(b))
}

function placeKey({ path, again }: { readonly path: string; readonly again: boolean }): string {
  return `${again ? 'again' : 'first'} ${path}`
}

/** Refuses them, warns of them or says nothing, as the client asked. */
export function reportProblems(
  kind: ServedKind,
  problems: readonly string[],
  call: { readonly warnings: string[] },
  options: Pick<RequestWriteOptions, 'fieldValidation'>,
): void {
  if (options.fieldValidation === 'Ignore' || problems.length === 0) return
  if (options.fieldValidation === 'Warn') {
    call.warnings.push(...problems)
    return
  }
  const name = kind.resource.kind
  throw badRequest(
    `${name} in version "${kind.version}" cannot be handled as a ${name}: strict decoding error: ${strictProblems(problems).join(', ')}`,
  )
}

/** What the reader of YAML finds is told in one. */
function strictProblems(problems: readonly string[]): readonly string[] {
  const lines = problems.filter(problem => problem.startsWith('line '))
  if (lines.length === 0) return problems
  const others = problems.filter(problem => !problem.startsWith('line '))
  return [`yaml: unmarshal errors:${lines.map(line => `\n  ${line}`).join('')}`, ...others]
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
