// Built-in objects as text with the fields of each structure in the order in which the server's own types have them, which refusals
// that quote an object show. What a patch went into has been written anew, and is in the order of the alphabet.

import { NumberText } from '#base'
import { isList, isObject, type Json, type JsonObject, renderJson } from '../json.ts'
import type { StructType, TypeNode } from './types.ts'
import { wireMessage } from './wire-fields.ts'

/** `touched` is nested like the value: an object or a list wherever the patch went in. */
export function renderInGoOrder(type: TypeNode | undefined, value: Json, touched?: unknown): string {
  const isTouched = isObject(touched)
  if (isList(value)) {
    const items = type?.kind === 'list' ? type.items : undefined
    return `[${value.map((item, index) => renderInGoOrder(items, item, memberOf(touched, index))).join(',')}]`
  }
  if (!isObject(value) || value instanceof NumberText) return renderJson(value)
  const keys = type?.kind === 'struct' && !isTouched ? structKeys(type, value) : Object.keys(value).sort()
  const parts = keys.map(key => {
    const below = renderInGoOrder(typeBelow(type, key), value[key] as Json, memberOf(touched, key))
    return `${JSON.stringify(key)}:${below}`
  })
  return `{${parts.join(',')}}`
}

function memberOf(touched: unknown, key: string | number): unknown {
  if (isList(touched)) return typeof key === 'number' ? touched[key] : undefined
  return isObject(touched) ? touched[key] : undefined
}

function typeBelow(type: TypeNode | undefined, key: string): TypeNode | undefined {
  if (type?.kind === 'struct') return type.fields[key]?.type
  return type?.kind === 'map' ? type.values : undefined
}

function structKeys(type: StructType, value: JsonObject): string[] {
  const own = [...wireMessage(type.schema).byName.keys()]
  // What an object says of itself comes first; in what names another, its kind is a field like others.
  const isReference = own.includes('apiVersion') || own.includes('kind')
  const known = (isReference ? own : ['kind', 'apiVersion', ...own]).filter(key => Object.hasOwn(value, key))
  const names = new Set(known)
  return [...names, ...Object.keys(value).filter(key => !names.has(key))]
}
