// What a patched object says of its kind and version: a patch may have taken either away, or made it another.
import { builtinKind, type FieldError, fieldError } from '#schema'
import { type Draft } from '../draft.ts'
import type { BodyFindings } from '../http/body.ts'
import type { ResourceCall } from '../http/call.ts'
import { badRequest, internalError, invalid } from '../refusals.ts'
import { type ServedKind, shortGroup } from '../registry/resource.ts'
import { reportUnknown } from './decode.ts'
import type { RequestWriteOptions } from './options.ts'

type Patched = Readonly<Record<string, unknown>>

/** Whether an object whose kind can be read says nothing of its version. */
export function isUnversioned({ kind, apiVersion }: Patched): boolean {
  return isMissing(apiVersion) && isTextOrMissing(kind)
}

function isTextOrMissing(value: unknown): boolean {
  return isMissing(value) || typeof value === 'string'
}

function isMissing(value: unknown): boolean {
  return value === undefined || value === null || value === ''
}

/**
 * A built-in object without a version is read in the form that a real server works with, in which no field has the name that it has in
 * JSON: not one is known, and the object has no name.
 */
export function unversioned(
  patched: Patched,
  findings: BodyFindings,
  kind: ServedKind,
  call: { readonly warnings: string[] },
  options: Pick<RequestWriteOptions, 'fieldValidation'>,
): Draft {
  const { kind: given, apiVersion: _apiVersion, ...rest } = patched
  const { resource, apiVersion, version } = kind
  const name = typeof given === 'string' && given !== '' ? given : resource.kind
  if (builtinKind(resource.group, version, name) === undefined)
    throw badRequest(
      `no kind ${JSON.stringify(name)} is registered for the internal version of group "${resource.group}" in scheme "pkg/runtime/scheme.go:110"`,
    )
  if (name !== resource.kind) {
    const group = shortGroup(resource.group)
    throw badRequest(`converting (${group}.${name}) to (${group}.${resource.kind}): unknown conversion`)
  }
  reportUnknown(kind, findings, Object.keys(rest).sort(), call, options)
  return { kind: resource.kind, apiVersion, metadata: {} }
}

export function checkVersionText({ apiVersion }: Patched): void {
  if (typeof apiVersion === 'string' && apiVersion.split('/').length > 2)
    throw badRequest(`unexpected GroupVersion string: ${apiVersion}`)
}

/** A custom object must say what it is. */
export function checkNamed({ kind, apiVersion }: Patched, quote: () => string): void {
  // What is no text is told when the object is read.
  if (!isTextOrMissing(kind) || !isTextOrMissing(apiVersion)) return
  if (isMissing(kind)) throw badRequest(`Object 'Kind' is missing in '${quote()}'`)
  if (apiVersion === null) throw badRequest('.apiVersion accessor error: <nil> is of the type <nil>, expected string')
}

/** A custom object that a patch turned into something else does not fit its path any more; of one whose status is written nobody asks. */
export function ofKind(draft: Draft, { kind, info }: ResourceCall): Draft {
  const { resource, apiVersion } = kind
  if (draft.apiVersion === '') throw internalError("Object 'apiVersion' is missing in 'object has no apiVersion field'")
  if (info.subresource === 'status') return { ...draft, kind: resource.kind, apiVersion }
  const errors: FieldError[] = []
  if (draft.kind !== resource.kind) errors.push(fieldError.invalid('kind', draft.kind, `must be ${resource.kind}`))
  if (draft.apiVersion !== apiVersion) errors.push(fieldError.invalid('apiVersion', draft.apiVersion, `must be ${apiVersion}`))
  const group = draft.apiVersion.includes('/') ? (draft.apiVersion.split('/')[0] ?? '') : ''
  if (errors.length > 0) throw invalid({ group, kind: draft.kind }, draft.metadata.name ?? '', errors)
  return draft
}
