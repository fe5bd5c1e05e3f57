// The special case of `kubectl`: a field that others seem to own but whose value is what the last client-side apply wrote was written
// by this very user, so taking it is no conflict; and the annotation that records that apply is kept up to date.
import { isObject, type Json, type JsonObject, jsonEqual, renderJson } from '../json.ts'
import { compare } from './compare.ts'
import { difference, type FieldSet, isEmptySet, union } from './field-set.ts'
import type { Conflict } from './ownership.ts'
import { setOf } from './set-of.ts'
import type { ApplyRequest } from './types.ts'

export const lastAppliedAnnotation = 'kubectl.kubernetes.io/last-applied-configuration'

/** Larger than this the annotation is dropped: all annotations together may not exceed it. */
const annotationsMax = 256 * 1024

/** The conflicts that remain when values from the last client-side apply are this user's own. */
export function lastAppliedConflicts(
  request: ApplyRequest,
  live: JsonObject,
  conflicts: readonly Conflict[],
): readonly Conflict[] {
  if (request.manager !== 'kubectl') return conflicts
  const last = lastApplied(live)
  if (last === undefined || last.apiVersion !== request.apiVersion) return conflicts
  const { added, modified, removed } = compare(request.shape, last, live)
  const unchanged: FieldSet = difference(setOf(request.shape, last), union(added, union(modified, removed)))
  return conflicts.map(({ owner, set }) => ({ owner, set: difference(set, unchanged) })).filter(({ set }) => !isEmptySet(set))
}

function lastApplied(live: JsonObject): JsonObject | undefined {
  const text = annotationsOf(live)?.[lastAppliedAnnotation]
  if (typeof text !== 'string') return undefined
  try {
    const value = JSON.parse(text) as Json
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

function annotationsOf(object: JsonObject): JsonObject | undefined {
  return isObject(object.metadata) && isObject(object.metadata.annotations) ? object.metadata.annotations : undefined
}

/** The result with its annotation rewritten to what was applied, if it still carries one. */
export function withLastApplied(request: ApplyRequest, object: JsonObject): JsonObject {
  const annotations = annotationsOf(object)
  if (request.manager !== 'kubectl' || annotations?.[lastAppliedAnnotation] === undefined || !isObject(object.metadata))
    return object
  const text = `${renderJson(withoutAnnotation(request.applied), { sorted: true })}\n`
  const { [lastAppliedAnnotation]: _, ...others } = annotations
  const size = Object.entries(others).reduce(
    (sum, [key, value]) => sum + key.length + (typeof value === 'string' ? value.length : 0),
    0,
  )
  const kept =
    size + lastAppliedAnnotation.length + text.length > annotationsMax ? others : { ...others, [lastAppliedAnnotation]: text }
  return jsonEqual(kept, annotations) ? object : { ...object, metadata: { ...object.metadata, annotations: kept } }
}

function withoutAnnotation(applied: JsonObject): JsonObject {
  const annotations = annotationsOf(applied)
  if (annotations?.[lastAppliedAnnotation] === undefined || !isObject(applied.metadata)) return applied
  const { [lastAppliedAnnotation]: _, ...others } = annotations
  return { ...applied, metadata: { ...applied.metadata, annotations: others } }
}
