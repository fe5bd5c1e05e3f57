// PATCH: JSON patch, merge patch, strategic merge patch (built-in kinds) and apply, by content type.

import { applyJsonPatch, JsonPatchError, jsonPatchOperationsMax, mergePatch, StatusError } from '#kube'
import type { Core } from '../core.ts'
import { copyJson, type Draft, draftFrom, isRecord } from '../draft.ts'
import { decodeText, mediaType } from '../http/body.ts'
import { header, type Reply, type ResourceCall } from '../http/call.ts'
import { parseJson } from '../http/json.ts'
import { andThen, type Maybe } from '../maybe.ts'
import { badRequest, invalid, refusal, unprocessable } from '../refusals.ts'
import { type Json, renderJson } from '../schema/json.ts'
import { apply } from './apply.ts'
import { checkType, typed } from './decode.ts'
import { readWriteOptions, type WriteOptions } from './options.ts'
import { applyPatchType, jsonPatchType, patchTypes, strategicPatchType } from './patch-types.ts'
import { answerWith, requireLive } from './subject.ts'
import { updateObject } from './update-flow.ts'

export function patch(core: Core, call: ResourceCall): Maybe<Reply> {
  const type = patchType(call)
  if (type === applyPatchType) return apply(core, call)
  const options = readWriteOptions(call, 'PatchOptions')
  // A missing object is told before the patch is looked at.
  requireLive(core, call)
  const change = readPatch(core, call, type)
  const step = {
    options,
    next: (live: Readonly<Draft>) => toVersion(change, type, live, call, options),
  }
  return andThen(updateObject(core, call, step), version => answerWith(core, call.kind, 200, version))
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

type Change = (live: Readonly<Draft>) => unknown

/** The change that the body asks for, whatever kind of patch it is; apply is none of them. */
export function readPatch(core: Core, call: ResourceCall, type: string = patchType(call)): Change {
  if (type === jsonPatchType) return readJsonPatch(call)
  const { value } = decodeText(call.body, 'json', 'error decoding patch: ')
  if (type === strategicPatchType) return live => core.strategicMerge(live, value, call.kind)
  return live => mergePatch(live, value)
}

function readJsonPatch(call: ResourceCall): Change {
  let operations: unknown
  try {
    operations = parseJson(Buffer.from(call.body).toString())
  } catch (error) {
    throw badRequest(error instanceof Error ? error.message : 'the patch is no JSON')
  }
  if (!Array.isArray(operations)) throw badRequest('json: cannot unmarshal object into Go value of type jsonpatch.Patch')
  if (operations.length > jsonPatchOperationsMax) {
    throw refusal(
      413,
      'RequestEntityTooLarge',
      `The allowed maximum operations in a JSON patch is ${jsonPatchOperationsMax}, got ${operations.length}`,
    )
  }
  return live => {
    try {
      return applyJsonPatch(copyJson(live), operations as readonly unknown[])
    } catch (error) {
      if (error instanceof JsonPatchError) throw unprocessable()
      throw error
    }
  }
}

/** The patched value must be an object of the kind again. */
function toVersion(change: Change, type: string, live: Readonly<Draft>, call: ResourceCall, options: WriteOptions): Draft {
  const { kind } = call
  const patched = change(live)
  const name = { group: kind.resource.group, kind: kind.resource.kind }
  if (!isRecord(patched)) {
    throw invalid(name, call.info.name, [
      { type: 'FieldValueInvalid', field: 'patch', value: null, detail: 'the patched object is no object' },
    ])
  }
  const draft = decodable(call, type, patched, () => draftFrom(checkType({ ...patched }, kind)))
  if (draft.metadata.name !== live.metadata.name) {
    throw badRequest(`the name of the object (${draft.metadata.name}) does not match the name on the URL (${call.info.name})`)
  }
  if (draft.metadata.namespace !== live.metadata.namespace) {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request')
  }
  return decodable(call, type, patched, () => typed(draft, [], kind, call, options))
}

/** A result that does not decode is told as a fault of the patch, which is quoted: the patch itself, or the object it would have made. */
function decodable<T>(call: ResourceCall, type: string, patched: unknown, decode: () => T): T {
  try {
    return decode()
  } catch (error) {
    if (!(error instanceof StatusError) || error.code !== 400) throw error
    const strategic = type === strategicPatchType
    const value = strategic
      ? goText(decodeText(call.body, 'json').value)
      : renderJson(patched as Json, { sorted: call.kind.resource.custom !== undefined })
    const why = error.message.replace(/^\S+ in version "[^"]*" cannot be handled as a \S+: /, '')
    const detail = strategic
      ? why.replace(mismatchText, (_, from: string, to: string) => `cannot convert ${goNames[from]} to ${to}`)
      : why
    throw invalid({ group: '', kind: '' }, '', [{ type: 'FieldValueInvalid', field: 'patch', value, detail }])
  }
}

/** Strategic patches are converted value by value, not decoded from text, and say so of a value of the wrong type. */
const mismatchText = /^json: cannot unmarshal (number|string|bool) into Go struct field \S+ of type (string|bool|int32|int64)$/
const goNames: Readonly<Record<string, string>> = { number: 'int64', string: 'string', bool: 'bool' }

/** As Go's `%+v` prints a map. */
function goText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(goText).join(' ')}]`
  if (value === null) return '<nil>'
  if (!isRecord(value)) return typeof value === 'string' ? value : renderJson(value as Json)
  const keys = Object.keys(value).sort()
  return `map[${keys.map(key => `${key}:${goText(value[key])}`).join(' ')}]`
}
