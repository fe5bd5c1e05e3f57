// Values as Go prints them, which some refusals quote.

import { isRecord } from '#base'
import { type Json, renderJson } from '#schema'

/** As Go's `%+v` prints a map. */
export function goText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(goText).join(' ')}]`
  if (value === null) return '<nil>'
  if (!isRecord(value)) return typeof value === 'string' ? value : renderJson(value as Json)
  const keys = Object.keys(value).sort()
  return `map[${keys.map(key => `${key}:${goText(value[key])}`).join(' ')}]`
}

/** The Go type that a JSON value has when nothing is known of it. */
export function goType(value: unknown): string {
  if (value === null) return '<nil>'
  if (Array.isArray(value)) return '[]interface {}'
  if (isRecord(value)) return 'map[string]interface {}'
  if (typeof value === 'number') return Number.isInteger(value) ? 'int64' : 'float64'
  if (typeof value === 'bigint') return 'int64'
  return typeof value === 'boolean' ? 'bool' : 'string'
}
