// Sets must not repeat a value and keyed lists not a key. On updates only lists that were clean before are held to it.
import { type FieldError, fieldError } from '../field-error.ts'
import { isList, isObject, type Json, type JsonObject, renderJson, setKey } from '../json.ts'
import type { SchemaNode } from '../node/node.ts'

export function checkUniqueLists(node: SchemaNode, value: Json, at: string, errors: FieldError[]): void {
  if (!node.has.uniqueLists) return
  if (isList(value)) checkList(node, value, at, errors)
  else if (isObject(value)) {
    for (const key of Object.keys(value)) {
      const declared = node.properties?.[key]
      const child = declared ?? node.additional
      if (child === undefined) continue
      checkUniqueLists(
        child,
        value[key] as Json,
        declared === undefined ? `${at}[${key}]` : at === '' ? key : `${at}.${key}`,
        errors,
      )
    }
  }
}

function checkList(node: SchemaNode, list: readonly Json[], at: string, errors: FieldError[]): void {
  if (node.listType === 'set') repeated(list, item => item, at, errors)
  else if (node.listType === 'map') {
    list.forEach((item, index) => {
      if (item !== null && !isObject(item))
        errors.push(fieldError.invalid(`${at}[${index}]`, item, 'must be an object for an array of list-type map'))
    })
    repeated(list, item => keysOf(node, item), at, errors)
  }
  if (node.items === undefined) return
  for (let i = 0; i < list.length; i++) checkUniqueLists(node.items, list[i] as Json, `${at}[${i}]`, errors)
}

function repeated(list: readonly Json[], name: (item: Json) => Json | undefined, at: string, errors: FieldError[]): void {
  const seen = new Map<string, 1 | 2>()
  for (let i = 0; i < list.length; i++) {
    const value = name(list[i] as Json)
    if (value === undefined) continue
    const key = renderJson(value, { sorted: true })
    const times = seen.get(key)
    if (times === 1) errors.push(fieldError.duplicate(`${at}[${i}]`, value))
    seen.set(key, times === undefined ? 1 : 2)
  }
}

function keysOf(node: SchemaNode, item: Json): Json | undefined {
  if (!isObject(item)) return undefined
  const keys: Record<string, Json> = {}
  for (const key of node.listKeys) {
    const value = (Object.hasOwn(item, key) ? item[key] : undefined) ?? node.items?.properties?.[key]?.default
    if (value !== undefined) setKey(keys, key, value)
  }
  return keys as JsonObject
}
