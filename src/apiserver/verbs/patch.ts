// PATCH: JSON patch, merge patch, strategic merge patch (built-in kinds) and apply, by content type.

import { andThen, isRecord, type Maybe, NumberText } from '#base'
import { mergePatch, StatusError } from '#kube'
import { fieldError, goText, type Json, renderJson } from '#schema'
import { asJson, type Draft, draftFrom } from '../draft.ts'
import { type BodyFindings, decodeText, goKind, mediaType } from '../http/body.ts'
import { header, type Reply, type ResourceCall } from '../http/call.ts'
import { applyPatchType, jsonPatchType, patchTypes, strategicPatchType } from '../http/patch-types.ts'
import { badRequest, invalid, refusal } from '../refusals.ts'
import type { ServedKind } from '../registry/resource.ts'
import { parseJsonAs, stringifyJson } from '../text/json.ts'
import { asGoWrites } from '../text/json-nodes.ts'
import { apply } from './apply.ts'
import { asConverted, withWrapped } from './converted.ts'
import { typed } from './decode.ts'
import { type RequestWriteOptions, readWriteOptions } from './options.ts'
import type { PatchChange } from './patch-change.ts'
import { checkNamed, checkVersionText, isUnversioned, ofKind, unversioned } from './patched-kind.ts'
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

/** The patched value must be an object of the kind again, which is that of a scale where `served` is scaled. */
export function toVersion(
  change: PatchChange,
  type: string,
  live: Readonly<Draft>,
  call: ResourceCall,
  options: RequestWriteOptions,
  served: ServedKind = call.kind,
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
  const quote = (): string => change.quote(live, kind)
  const findings = { ...change.findings, repeatsWithin: change.repeatsWithin?.(live, kind) ?? [] }
  const draft = decodable(call, type, own, { findings, quote }, (object, to) => {
    if (type !== strategicPatchType && served.resource.custom === undefined && isUnversioned(object))
      return unversioned(object, findings, kind, to, options)
    if (type !== strategicPatchType) checkVersionText(object)
    if (kind.resource.custom !== undefined) checkNamed(object, quote)
    const whole = type === strategicPatchType ? converted(object, call) : object
    return typed(draftFrom(named(whole, kind)), findings, kind, to, options, 'sorted')
  })
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
  return kind.resource.custom === undefined ? draft : ofKind(draft, call)
}

function converted(patched: Readonly<Record<string, unknown>>, call: ResourceCall): Record<string, unknown> {
  const metadata: Draft['metadata'] = isRecord(patched.metadata) ? patched.metadata : {}
  const wrapped = withWrapped(asJson({ apiVersion: '', kind: '', ...patched, metadata }), call)
  return { ...patched, ...wrapped, metadata: patched.metadata }
}

type Decode = (object: Readonly<Record<string, unknown>>, call: { readonly warnings: string[] }) => Draft

/** A result that does not decode is told as a fault of the patch, which is quoted. */
function decodable(
  call: ResourceCall,
  type: string,
  patched: Readonly<Record<string, unknown>>,
  { findings, quote }: { readonly findings: BodyFindings; readonly quote: () => string },
  decode: Decode,
): Draft {
  try {
    return decode(patched, call)
  } catch (error) {
    if (!(error instanceof StatusError) || error.code !== 400) throw error
    const text = quote()
    const first = type === strategicPatchType ? error : (troubleInText(text, findings, decode) ?? error)
    const why = first.message.replace(/^\S+ in version "[^"]*" cannot be handled as a \S+: /, '')
    const sent = (): unknown => decodeText(call.body, 'json', '', 'texts').value
    const detail = type === strategicPatchType ? asConverted(why.replace(unnamed, ''), error.cause, sent) : why
    throw invalid({ group: '', kind: '' }, '', [{ type: 'FieldValueInvalid', field: 'patch', value: text, detail }])
  }
}

/** Of several faults a real server tells the first that it comes to in the text. */
function troubleInText(text: string, { hasNumberTexts }: BodyFindings, decode: Decode): StatusError | undefined {
  const { value } = parseJsonAs(hasNumberTexts === true ? 'texts' : 'values', text)
  try {
    if (isRecord(value)) decode(value, { warnings: [] })
  } catch (error) {
    if (error instanceof StatusError && error.code === 400) return error
    throw error
  }
  return undefined
}

/** What a merge went into is written anew. */
function mergedText(merged: Json, patch: unknown, { schema }: ServedKind): string {
  return asGoWrites(schema.render?.(merged, patch) ?? renderJson(merged, { sorted: true }))
}
