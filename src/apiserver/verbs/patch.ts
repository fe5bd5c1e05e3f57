// PATCH: JSON patch, merge patch, strategic merge patch (built-in kinds) and apply, by content type.

import { andThen, isRecord, type Maybe } from '#base'
import { applyJsonPatch, JsonPatchError, jsonPatchOperationsMax, mergePatch, StatusError } from '#kube'
import { fieldError, goText, type Json, renderJson } from '#schema'
import { asJson, copyJson, type Draft, draftFrom } from '../draft.ts'
import { decodeText, goKind, mediaType } from '../http/body.ts'
import { header, type Reply, type ResourceCall } from '../http/call.ts'
import { applyPatchType, jsonPatchType, patchTypes, strategicPatchType } from '../http/patch-types.ts'
import { badRequest, invalid, refusal, unprocessable } from '../refusals.ts'
import type { ServedKind } from '../registry/resource.ts'
import { findDuplicates, parseJson } from '../text/json.ts'
import { apply } from './apply.ts'
import { asConverted, withWrapped } from './converted.ts'
import { typed } from './decode.ts'
import { type RequestWriteOptions, readWriteOptions } from './options.ts'
import type { PatchPorts } from './ports.ts'
import { named, unnamed } from './recognise.ts'
import { answerWith, requireLive } from './subject.ts'
import { updateObject } from './update-flow.ts'

export function patch(ports: PatchPorts, call: ResourceCall): Maybe<Reply> {
  const type = patchType(call)
  if (type === applyPatchType) return apply(ports, call)
  const options = readWriteOptions(call, 'PatchOptions')
  // A missing object is told before the patch is looked at.
  requireLive(ports, call)
  const change = readPatch(ports, call, type)
  const step = {
    options,
    next: (live: Readonly<Draft>) => toVersion(change, type, live, call, options),
  }
  return andThen(updateObject(ports, call, step), version => answerWith(ports, call.kind, 200, version))
}

export function patchType(call: ResourceCall): string {
  const type = mediaType(header(call.request, 'content-type'))
  const types = patchTypes(call.kind)
  if (types.includes(type)) return type
  // Routes of built-in kinds list their types and refuse before a handler runs; custom resources refuse in the handler.
  if (call.kind.resource.custom === undefined) throw refusal(415, 'UnsupportedMediaType', '415: Unsupported Media Type', {})
  const why = `the body of the request was in an unknown format - accepted media types include: ${types.join(', ')}`
  throw refusal(415, 'UnsupportedMediaType', why)
}

interface Change {
  (live: Readonly<Draft>): unknown
  /** Keys that came twice in the patch, or that no patch has. */
  readonly duplicates?: readonly string[]
  /** Nested like the object: where the patch went in. */
  readonly touched?: unknown
}

/** The change that the body asks for, whatever kind of patch it is; apply is none of them. */
export function readPatch(ports: PatchPorts, call: ResourceCall, type: string = patchType(call)): Change {
  if (type === jsonPatchType) return readJsonPatch(call)
  const { value, duplicates } = decodeText(call.body, 'json', type === strategicPatchType ? '' : 'error decoding patch: ')
  if (type === strategicPatchType)
    return Object.assign((live: Readonly<Draft>) => ports.strategicMerge(live, value, call.kind), { duplicates })
  // Nothing is no patch, though it decodes.
  if (Buffer.from(call.body).toString().trim() === 'null') throw badRequest('Invalid JSON Patch')
  return Object.assign((live: Readonly<Draft>) => mergePatch(live, value), { duplicates, touched: value })
}

function readJsonPatch(call: ResourceCall): Change {
  let operations: unknown
  const text = Buffer.from(call.body).toString()
  try {
    operations = parseJson(text)
  } catch (error) {
    throw badRequest(`error decoding patch: ${error instanceof Error ? error.message : 'no JSON'}`)
  }
  operations ??= []
  if (!Array.isArray(operations))
    throw badRequest(
      `error decoding patch: json: cannot unmarshal ${goKind(operations)} into Go value of type []handlers.jsonPatchOp`,
    )
  const strange = (operations as readonly unknown[]).flatMap((operation, index) => strangeFields(operation, index))
  const repeated = findDuplicates(text, operations).filter(path => !strange.includes(path))
  if (operations.length > jsonPatchOperationsMax) {
    throw refusal(
      413,
      'RequestEntityTooLarge',
      `The allowed maximum operations in a JSON patch is ${jsonPatchOperationsMax}, got ${operations.length}`,
    )
  }
  const change = (live: Readonly<Draft>): unknown => {
    try {
      return applyJsonPatch(copyJson(live), operations as readonly unknown[])
    } catch (error) {
      if (error instanceof JsonPatchError) throw unprocessable()
      throw error
    }
  }
  return Object.assign(change, {
    touched: touchedBy(operations),
    duplicates: [
      ...repeated.map(path => `json patch duplicate field "${path}"`),
      ...strange.map(path => `json patch unknown field "${path}"`),
    ],
  })
}

const operationTexts: ReadonlySet<string> = new Set(['op', 'path', 'from'])

/**
 * Where there are fields that no operation has. What cannot be read as an operation at all is refused; null is one that says nothing, and fails when it is
 * carried out.
 */
function strangeFields(operation: unknown, index: number): readonly string[] {
  if (operation === null) return []
  const wrong = (value: unknown, into: string): Error =>
    badRequest(`error decoding patch: json: cannot unmarshal ${goKind(value)} into Go ${into}`)
  if (!isRecord(operation)) throw wrong(operation, 'value of type handlers.jsonPatchOp')
  for (const [field, value] of Object.entries(operation)) {
    if (!operationTexts.has(field) || typeof value === 'string' || value === null) continue
    throw wrong(value, `struct field jsonPatchOp.${field} of type string`)
  }
  const strange = Object.keys(operation).filter(field => !operationTexts.has(field) && field !== 'value')
  return strange.map(field => `[${index}].${field}`)
}

/** Names in a path are the sender's: the maps have no prototype that `/__proto__` could reach. */
function touchedBy(operations: readonly unknown[]): Record<string, unknown> {
  const touched = emptyMap()
  for (const operation of operations) {
    if (!isRecord(operation) || typeof operation.path !== 'string') continue
    let at = touched
    for (const part of operation.path.split('/').slice(1, -1)) at = (at[part] ??= emptyMap()) as Record<string, unknown>
  }
  return touched
}

function emptyMap(): Record<string, unknown> {
  return Object.create(null) as Record<string, unknown>
}

/** The patched value must be an object of the kind again. */
export function toVersion(
  change: Change,
  type: string,
  live: Readonly<Draft>,
  call: ResourceCall,
  options: RequestWriteOptions,
): Draft {
  const { kind } = call
  const patched = change(live)
  const name = { group: kind.resource.group, kind: kind.resource.kind }
  if (!isRecord(patched)) {
    throw invalid(name, call.info.name, [
      { type: 'FieldValueInvalid', field: 'patch', value: null, detail: 'the patched object is no object' },
    ])
  }
  // A strategic patch changes the fields of a kind, and cannot make it another.
  const isText = [patched.kind, patched.apiVersion].every(part => typeof part === 'string')
  const own =
    type === strategicPatchType && isText ? { ...patched, kind: kind.resource.kind, apiVersion: kind.apiVersion } : patched
  const quote = (): string => quoted(call, type, patched, change)
  const draft = decodable(type, quote, () =>
    typed(
      draftFrom(named(type === strategicPatchType ? converted(own, call) : own, kind)),
      change.duplicates ?? [],
      kind,
      call,
      options,
      'sorted',
    ),
  )
  if (draft.metadata.name === undefined || draft.metadata.name === '')
    throw badRequest(`the name of the object (${call.info.name} based on URL) was undeterminable: name must be provided`)
  // A patch may leave out where it is, and not say that it is elsewhere.
  if ((draft.metadata.namespace ?? '') === '' && live.metadata.namespace !== undefined)
    draft.metadata.namespace = live.metadata.namespace
  if (draft.metadata.namespace !== live.metadata.namespace) {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request')
  }
  if (draft.metadata.name !== live.metadata.name) {
    throw badRequest(`the name of the object (${draft.metadata.name}) does not match the name on the URL (${call.info.name})`)
  }
  checkStillOfKind(draft, kind)
  return draft
}

function converted(patched: Readonly<Record<string, unknown>>, call: ResourceCall): Record<string, unknown> {
  const metadata: Draft['metadata'] = isRecord(patched.metadata) ? patched.metadata : {}
  const wrapped = withWrapped(asJson({ apiVersion: '', kind: '', ...patched, metadata }), call)
  return { ...patched, ...wrapped, metadata: patched.metadata }
}

/** A custom resource that a patch turns into something else does not fit its path any more. */
function checkStillOfKind(draft: Draft, { resource, apiVersion }: ServedKind): void {
  const errors = []
  if (draft.kind !== resource.kind) errors.push(fieldError.invalid('kind', draft.kind, `must be ${resource.kind}`))
  if (draft.apiVersion !== apiVersion) errors.push(fieldError.invalid('apiVersion', draft.apiVersion, `must be ${apiVersion}`))
  const group = draft.apiVersion.includes('/') ? (draft.apiVersion.split('/')[0] ?? '') : ''
  if (errors.length > 0) throw invalid({ group, kind: draft.kind }, draft.metadata.name ?? '', errors)
}

/** A result that does not decode is told as a fault of the patch, which is quoted. */
function decodable<T>(type: string, quote: () => string, decode: () => T): T {
  try {
    return decode()
  } catch (error) {
    if (!(error instanceof StatusError) || error.code !== 400) throw error
    const why = error.message.replace(/^\S+ in version "[^"]*" cannot be handled as a \S+: /, '')
    const detail = type === strategicPatchType ? asConverted(why.replace(unnamed, '')) : why
    throw invalid({ group: '', kind: '' }, '', [{ type: 'FieldValueInvalid', field: 'patch', value: quote(), detail }])
  }
}

/** A strategic patch is quoted itself; of the others the object that they would have made. */
function quoted(call: ResourceCall, type: string, patched: unknown, { touched }: Change): string {
  if (type === strategicPatchType) return goText(decodeText(call.body, 'json').value)
  if (call.kind.resource.custom !== undefined) return renderJson(patched as Json, { sorted: true })
  return call.kind.schema.render?.(patched as Json, touched ?? {}) ?? renderJson(patched as Json)
}
