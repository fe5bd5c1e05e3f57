// Values as Go prints them, which some refusals quote.
import { isRecord } from './draft.ts'
import { type Json, renderJson } from './schema/json.ts'

/** As Go's `%+v` prints a map. */
export function goText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(goText).join(' ')}]`
  if (value === null) return '<nil>'
  if (!isRecord(value)) return typeof value === 'string' ? value : renderJson(value as Json)
  const keys = Object.keys(value).sort()
  return `map[${keys.map(key => `${key}:${goText(value[key])}`).join(' ')}]`
}
