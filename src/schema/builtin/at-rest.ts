// The form in which an object comes back from storage. A field that is always written keeps an empty list while a request is on its way,
// so that whoever sent it owns it; stored, an empty list and none are the same.
import { isList, isObject, type Json, type JsonObject } from '../json.ts'
import type { StructType, TypeNode } from './types.ts'

/** Shares everything that has no such list. */
export function atRest(type: StructType, object: JsonObject): JsonObject {
  let out: Record<string, Json> | undefined
  for (const [key, below] of planOf(type)) {
    const value = object[key]
    if (value === undefined) continue
    const resting = isList(value) && value.length === 0 ? emptyAtRest(below, value) : valueAtRest(below.type, value)
    if (resting === value) continue
    out ??= { ...object }
    out[key] = resting
  }
  return out ?? object
}

interface Below {
  readonly type: TypeNode
  /** Stored as null when it is an empty list. */
  readonly nullWhenEmpty: boolean
}

function emptyAtRest(below: Below, value: Json): Json {
  return below.nullWhenEmpty ? null : value
}

function valueAtRest(type: TypeNode, value: Json): Json {
  if (type.kind === 'struct') return isObject(value) ? atRest(type, value) : value
  if (type.kind !== 'list' || !isList(value)) return value
  let out: Json[] | undefined
  for (const [index, item] of value.entries()) {
    const resting = valueAtRest(type.items, item)
    if (resting === item) continue
    out ??= [...value]
    out[index] = resting
  }
  return out ?? value
}

const plans = new WeakMap<StructType, readonly (readonly [string, Below])[]>()

/** The fields that are or hold such lists; most types have none. */
function planOf(type: StructType): readonly (readonly [string, Below])[] {
  let plan = plans.get(type)
  if (plan !== undefined) return plan
  // A type that refers to itself has nothing to look for in itself that is not found on the way.
  plans.set(type, [])
  plan = Object.entries(type.fields).flatMap(([key, field]) => {
    const nullWhenEmpty = field.type.kind === 'list' && field.zero === 'null'
    return nullWhenEmpty || holdsLists(field.type) ? [[key, { type: field.type, nullWhenEmpty }] as const] : []
  })
  plans.set(type, plan)
  return plan
}

function holdsLists(type: TypeNode): boolean {
  if (type.kind === 'struct') return planOf(type).length > 0
  return type.kind === 'list' && holdsLists(type.items)
}
