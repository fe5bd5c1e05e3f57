// What Go makes of a whole number that its type is too small for, where values are converted and not decoded from text: it wraps round.
import { isList, isObject, type Json, type JsonObject } from '../json.ts'
import type { StructType, TypeNode } from './types.ts'

/** The object with such numbers wrapped; a number that no 64 bits hold was a fraction to Go, and became the smallest of them. */
export function wrapIntegers(type: StructType, object: JsonObject): JsonObject {
  const members = Object.entries(object).map(([key, value]) => {
    const field = type.fields[key]
    return [key, field === undefined ? value : wrapped(field.type, value)] as const
  })
  return Object.fromEntries(members)
}

function wrapped(type: TypeNode, value: Json): Json {
  switch (type.kind) {
    case 'struct':
      return isObject(value) ? wrapIntegers(type, value) : value
    case 'map':
      if (!isObject(value)) return value
      return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, wrapped(type.values, item)]))
    case 'list':
      return isList(value) ? value.map(item => wrapped(type.items, item)) : value
    case 'int32':
      return wrappedTo(32, value)
    case 'int64':
      return wrappedTo(64, value)
    default:
      return value
  }
}

function wrappedTo(bits: 32 | 64, value: Json): Json {
  if (typeof value !== 'bigint' && !(typeof value === 'number' && Number.isInteger(value))) return value
  const whole = BigInt(value)
  const held = BigInt.asIntN(64, whole) === whole ? whole : -(2n ** 63n)
  const kept = BigInt.asIntN(bits, held)
  return Number.isSafeInteger(Number(kept)) ? Number(kept) : kept
}
