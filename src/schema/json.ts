// JSON as the server holds it. Integers beyond 2^53 are bigints, so that they come back as they were sent; everything here and in
// the neighbouring folders treats a bigint as an integer. Values are never modified: a change makes a new value that shares the
// untouched parts.
import { NumberText } from '#base'

export type Json = null | boolean | number | bigint | string | readonly Json[] | JsonObject

export interface JsonObject {
  readonly [key: string]: Json
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function isList(value: unknown): value is readonly Json[] {
  return Array.isArray(value)
}

/** Equality as the server sees it: key order does not matter, 1 and 1n are the same number. */
export function jsonEqual(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return numbersEqual(a, b)
  if (Array.isArray(a)) return Array.isArray(b) && listsEqual(a, b)
  return !Array.isArray(b) && objectsEqual(a as JsonObject, b as JsonObject)
}

function numbersEqual(a: Json | undefined, b: Json | undefined): boolean {
  const numeric = (value: unknown): value is number | bigint => typeof value === 'number' || typeof value === 'bigint'
  // biome-ignore lint/suspicious/noDoubleEquals: number and bigint compare by value only with the loose operator.
  return numeric(a) && numeric(b) && a == b
}

function listsEqual(a: readonly Json[], b: readonly Json[]): boolean {
  if (a.length !== b.length) return false
  for (let i = 0; i < a.length; i++) if (!jsonEqual(a[i], b[i])) return false
  return true
}

function objectsEqual(a: JsonObject, b: JsonObject): boolean {
  const keys = Object.keys(a)
  if (keys.length !== Object.keys(b).length) return false
  for (const key of keys) if (!Object.hasOwn(b, key) || !jsonEqual(a[key], b[key])) return false
  return true
}

/** Compact JSON text; bigints print as plain digits, and with `sorted` the keys of objects are in byte order as Go writes maps. */
export function renderJson(value: Json | undefined, options?: { sorted?: boolean }): string {
  if (value === undefined || value === null) return 'null'
  if (typeof value === 'bigint') return value.toString()
  if (typeof value !== 'object') return JSON.stringify(value)
  if (value instanceof NumberText) return value.text
  if (Array.isArray(value)) return `[${value.map(item => renderJson(item, options)).join(',')}]`
  const keys = Object.keys(value)
  if (options?.sorted) keys.sort()
  return `{${keys.map(key => `${JSON.stringify(key)}:${renderJson((value as JsonObject)[key], options)}`).join(',')}}`
}

/** Sets a key of a JSON object that is being built; `__proto__` stays an ordinary key. */
export function setKey(target: Record<string, Json>, key: string, value: Json): void {
  if (key === '__proto__') Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true })
  else target[key] = value
}

/** A copy to be filled in; keeps a key named `__proto__`. */
export function copyObject(source: JsonObject): Record<string, Json> {
  return { ...source }
}

/** An object of those members that have a value. */
export function objectWith(members: Readonly<Record<string, Json | undefined>>): JsonObject {
  return Object.fromEntries(Object.entries(members).filter((member): member is [string, Json] => member[1] !== undefined))
}
