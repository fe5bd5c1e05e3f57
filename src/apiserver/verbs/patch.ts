// PATCH: JSON patch, merge patch, strategic merge patch (built-in kinds) and apply, by content type.

import { andThen, isRecord, type Maybe, NumberText } from '#base'
import { mergePatch, StatusError } from '#kube'
import { fieldError, goText, type Json, renderJson } from '#schema'
import { asJson, type Draft, draftFrom } from '../draft.ts'
import { decodeText, goKind, mediaType } from '../http/body.ts'
import { header, type Reply, type ResourceCall } from '../http/call.ts'
import { applyPatchType, jsonPatchType, patchTypes, strategicPatchType } from '../http/patch-types.ts'
import { badRequest, invalid, refusal } from '../refusals.ts'
import type { ServedKind } from '../registry/resource.ts'
import { stringifyJson } from '../text/json.ts'
import { asGoWrites } from '../text/json-nodes.ts'
import { apply } from './apply.ts'
import { asConverted, withWrapped } from './converted.ts'
import { typed } from './decode.ts'
import { type RequestWriteOptions, readWriteOptions } from './options.ts'
import type { PatchChange } from './patch-change.ts'
import type { PatchPorts } from './ports.ts'
import { readJsonPatch } from './read-json-patch.ts'
import { named, numbersOf, typeMeta, unnamed } from './recognise.ts'
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
  const given = header(call.request, 'content-type')
  const type = mediaType(given)
  const types = patchTypes(call.kind)
  // The routes of built-in kinds know their types letter by letter.
  if (types.includes(type) && (call.kind.resource.custom !== undefined || given?.trim().startsWith(type))) return type
  // Routes of built-in kinds list their types and refuse before a handler runs; custom resources refuse in the handler.
  if (call.kind.resource.custom === undefined) throw refusal(415, 'UnsupportedMediaType', '415: Unsupported Media Type', {})
  const why = `the body of the request was in an unknown format - accepted media types include: ${types.join(', ')}`
  throw refusal(415, 'UnsupportedMediaType', why)
}

/** The change that the body asks for, whatever kind of patch it is; apply is none of them. */
export function readPatch(ports: PatchPorts, call: ResourceCall, type: string = patchType(call)): PatchChange {
  if (type === jsonPatchType) return readJsonPatch(call)
  if (type === strategicPatchType) {
    const { value, ...findings } = decodeText(call.body, 'json')
    const quote = (): string => goText(decodeText(call.body, 'json').value)
    return Object.assign((live: Readonly<Draft>) => ports.strategicMerge(live, value, call.kind), { findings, quote })
  }
  const { value, ...findings } = decodeText(call.body, 'json', 'error decoding patch: ', numbersOf(call.kind))
  // Nothing is no patch, though it decodes.
  if (Buffer.from(call.body).toString().trim() === 'null') throw badRequest('Invalid JSON Patch')
  const change = (live: Readonly<Draft>): unknown => mergePatch(live, value)
  const quote: PatchChange['quote'] = (live, kind) => mergedText(change(live) as Json, value, kind)
  return Object.assign(change, { findings, quote })
}

/** The patched value must be an object of the kind again. */
export function toVersion(
  change: PatchChange,
  type: string,
  live: Readonly<Draft>,
  call: ResourceCall,
  options: RequestWriteOptions,
): Draft {
  const { kind } = call
  const patched = change(live)
  if (!isRecord(patched) || patched instanceof NumberText) {
    const why = `${unnamed}json: cannot unmarshal ${goKind(patched)} into Go value of type ${typeMeta}`
    throw invalid({ group: '', kind: '' }, '', [fieldError.invalid('patch', stringifyJson(patched), why)])
  }
  // A strategic patch changes the fields of a kind, and cannot make it another.
  const isText = [patched.kind, patched.apiVersion].every(part => typeof part === 'string')
  const own =
    type === strategicPatchType && isText ? { ...patched, kind: kind.resource.kind, apiVersion: kind.apiVersion } : patched
  const draft = decodable(
    call,
    type,
    () => change.quote(live, kind),
    () =>
      typed(
        draftFrom(named(type === strategicPatchType ? converted(own, call) : own, kind)),
        { ...change.findings, repeatsWithin: change.repeatsWithin?.(live, kind) ?? [] },
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
function decodable<T>({ body }: ResourceCall, type: string, quote: () => string, decode: () => T): T {
  try {
    return decode()
  } catch (error) {
    if (!(error instanceof StatusError) || error.code !== 400) throw error
    const why = error.message.replace(/^\S+ in version "[^"]*" cannot be handled as a \S+: /, '')
    const sent = (): unknown => decodeText(body, 'json', '', 'texts').value
    const detail = type === strategicPatchType ? asConverted(why.replace(unnamed, ''), error.cause, sent) : why
    throw invalid({ group: '', kind: '' }, '', [{ type: 'FieldValueInvalid', field: 'patch', value: quote(), detail }])
  }
}

/** What a merge went into is written anew. */
function mergedText(merged: Json, patch: unknown, { schema }: ServedKind): string {
  return asGoWrites(schema.render?.(merged, patch) ?? renderJson(merged, { sorted: true }))
}
