// Objects with some members set or changed. What would be equal is the same object, so that nothing is copied in vain.
import { isList, isObject, type Json, type JsonObject } from '../json.ts'

/** Sets what is absent; returns the same object when nothing was. */
export function withDefaults(object: JsonObject, defaults: Readonly<Record<string, Json>>): JsonObject {
  let out: Record<string, Json> | undefined
  for (const key of Object.keys(defaults)) {
    if (object[key] !== undefined) continue
    out ??= { ...object }
    out[key] = defaults[key] as Json
  }
  return out ?? object
}

/** Replaces a member if it is there, by what the function makes of it. */
export function change(object: JsonObject, key: string, by: (value: JsonObject) => JsonObject): JsonObject {
  const value = object[key]
  if (!isObject(value)) return object
  const changed = by(value)
  return changed === value ? object : { ...object, [key]: changed }
}

export function changeItems(object: JsonObject, key: string, by: (item: JsonObject) => JsonObject): JsonObject {
  const list = object[key]
  if (!isList(list)) return object
  let differs = false
  const items = list.map(item => {
    const changed = isObject(item) ? by(item) : item
    differs ||= changed !== item
    return changed
  })
  return differs ? { ...object, [key]: items } : object
}

/** With what another object has in some fields, or without them where it has none. */
export function withFieldsOf(other: JsonObject, fields: readonly string[], object: JsonObject): JsonObject {
  const rest = Object.entries(object).filter(([field]) => !fields.includes(field))
  return Object.fromEntries([...rest, ...Object.entries(other).filter(([field]) => fields.includes(field))])
}
