// Narrowing of parsed JSON. Every function takes `where`, the words that an error message begins with (file, shape), so that a
// broken model of two megabytes is a matter of one look.
import { compareText } from '#base'
import { ModelError } from './model-error.ts'

export type JsonRecord = Readonly<Record<string, unknown>>

/** The value as an object. */
export function record(value: unknown, where: string): JsonRecord {
  if (isRecord(value)) return value
  throw new ModelError('malformed', `${where}: expected an object, found ${kindOf(value)}`)
}

/** An object member that is an object itself, or an empty one when absent. */
export function recordAt(parent: JsonRecord, key: string, where: string): JsonRecord {
  const value = own(parent, key)
  return value === undefined ? {} : record(value, `${where}, ${key}`)
}

export function arrayAt(parent: JsonRecord, key: string, where: string): readonly unknown[] {
  const value = own(parent, key)
  if (value === undefined) return []
  if (Array.isArray(value)) return value
  throw new ModelError('malformed', `${where}, ${key}: expected a list, found ${kindOf(value)}`)
}

export function textAt(parent: JsonRecord, key: string, where: string): string {
  const value = optionalTextAt(parent, key, where)
  if (value !== undefined) return value
  throw new ModelError('malformed', `${where}: "${key}" is missing`)
}

export function optionalTextAt(parent: JsonRecord, key: string, where: string): string | undefined {
  const value = own(parent, key)
  if (value === undefined || typeof value === 'string') return value
  throw new ModelError('malformed', `${where}, ${key}: expected text, found ${kindOf(value)}`)
}

export function textsAt(parent: JsonRecord, key: string, where: string): readonly string[] {
  return arrayAt(parent, key, where).map((value, index) => {
    if (typeof value === 'string') return value
    throw new ModelError('malformed', `${where}, ${key}[${index}]: expected text, found ${kindOf(value)}`)
  })
}

/** A number; texts that are numbers count, since bounds of decimals come as texts in some models. */
export function optionalNumberAt(parent: JsonRecord, key: string): number | undefined {
  const value = own(parent, key)
  const number = typeof value === 'string' && value !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined
}

/** True when the key is there and not switched off: traits without a value are written as `{}` or `true`. */
export function hasFlag(parent: JsonRecord, key: string): boolean {
  const value = own(parent, key)
  return value !== undefined && value !== false && value !== null
}

export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A member that the object itself has: a model may well call a shape `constructor`. */
export function own(parent: JsonRecord, key: string): unknown {
  return Object.hasOwn(parent, key) ? parent[key] : undefined
}

/** Leaves out members that are `undefined` or `false`, so that both formats give equal values. */
export function compact<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined && each !== false)) as T
}

/** Entries in the order of their keys, by code unit: the one order that every machine agrees on. */
export function sortedRecord<T>(entries: Iterable<readonly [string, T]>): Record<string, T> {
  return Object.fromEntries([...entries].sort(([a], [b]) => compareText(a, b)))
}

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' ? 'an object' : typeof value
}
