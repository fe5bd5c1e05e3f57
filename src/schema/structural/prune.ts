// Removes what a custom kind's schema does not know. Results share what did not change.
import { copyObject, isList, isObject, type Json, type JsonObject } from '../json.ts'
import type { SchemaNode } from '../node/node.ts'

/** More are not reported; a hostile body could hold a million. */
const unknownMax = 100

/** `unknown`, when given, collects the paths removed. */
export function pruneValue(node: SchemaNode, value: Json, at: string, unknown?: string[]): Json {
  if (isList(value)) return node.items === undefined ? value : pruneList(node.items, value, at, unknown)
  return isObject(value) ? pruneObject(node, value, at, unknown, node.embedded) : value
}

const identity = new Set(['apiVersion', 'kind', 'metadata'])

export function pruneObject(
  node: SchemaNode,
  value: JsonObject,
  at: string,
  unknown: string[] | undefined,
  keepsIdentity: boolean,
): JsonObject {
  let out: Record<string, Json> | undefined
  for (const key of Object.keys(value)) {
    const item = value[key] as Json
    const child = node.properties?.[key] ?? node.additional
    if (keepsIdentity && identity.has(key)) continue
    if (child === undefined) {
      if (node.preserve) continue
      if (unknown !== undefined && unknown.length < unknownMax) unknown.push(join(at, key))
      out ??= copyObject(value)
      delete out[key]
      continue
    }
    if (typeof item !== 'object' || item === null) continue
    const pruned = pruneValue(child, item, join(at, key), unknown)
    if (pruned === item) continue
    out ??= copyObject(value)
    out[key] = pruned
  }
  return out ?? value
}

function join(at: string, key: string): string {
  return at === '' ? key : `${at}.${key}`
}

function pruneList(items: SchemaNode, list: readonly Json[], at: string, unknown: string[] | undefined): readonly Json[] {
  let out: Json[] | undefined
  for (let i = 0; i < list.length; i++) {
    const item = list[i] as Json
    if (typeof item !== 'object' || item === null) continue
    const pruned = pruneValue(items, item, `${at}[${i}]`, unknown)
    if (pruned === item) continue
    out ??= [...list]
    out[i] = pruned
  }
  return out ?? list
}
