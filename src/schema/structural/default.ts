// Fills in a custom kind's defaults and drops nulls where none may be, unless they are asked for. Results share what did not change; defaults are shared as well,
// which is safe because nothing is ever modified.
import { copyObject, isList, isObject, type Json, type JsonObject, setKey } from '../json.ts'
import type { SchemaNode } from '../node/node.ts'

export function defaultValue(node: SchemaNode, value: Json, keepNulls = false): Json {
  if (isList(value)) return node.items === undefined ? value : defaultList(node.items, value, keepNulls)
  return isObject(value) ? defaultObject(node, value, keepNulls) : value
}

function defaultList(items: SchemaNode, list: readonly Json[], keepNulls: boolean): readonly Json[] {
  let out: Json[] | undefined
  for (let i = 0; i < list.length; i++) {
    const item = list[i] as Json
    if (typeof item !== 'object' || item === null) continue
    const defaulted = defaultValue(items, item, keepNulls)
    if (defaulted === item) continue
    out ??= [...list]
    out[i] = defaulted
  }
  return out ?? list
}

function defaultObject(node: SchemaNode, value: JsonObject, keepNulls: boolean): JsonObject {
  let out: Record<string, Json> | undefined
  for (const key of propertiesWithDefault(node)) {
    const property = (node.properties as Record<string, SchemaNode>)[key] as SchemaNode
    if (Object.hasOwn(value, key) && (value[key] !== null || property.nullable)) continue
    out ??= copyObject(value)
    setKey(out, key, property.default as Json)
  }
  const current = out ?? value
  for (const key of Object.keys(current)) {
    const item = current[key] as Json
    if (item !== null && typeof item !== 'object') continue
    const child = node.properties?.[key] ?? node.additional
    if (child === undefined) continue
    if (item === null) {
      if (keepNulls || child.nullable) continue
      out ??= copyObject(value)
      delete out[key]
      continue
    }
    const defaulted = defaultValue(child, item, keepNulls)
    if (defaulted === item) continue
    out ??= copyObject(value)
    setKey(out, key, defaulted)
  }
  return out ?? value
}

const defaulted = new WeakMap<SchemaNode, readonly string[]>()

function propertiesWithDefault(node: SchemaNode): readonly string[] {
  if (node.properties === undefined) return none
  let keys = defaulted.get(node)
  if (keys === undefined) {
    const properties = node.properties
    keys = Object.keys(properties).filter(key => properties[key]?.default !== undefined)
    defaulted.set(node, keys)
  }
  return keys
}

const none: readonly string[] = []
