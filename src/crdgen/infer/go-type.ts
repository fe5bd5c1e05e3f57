// The types that a config writes by name, in the notation of Go.
import type { FieldType, ScalarKind } from './field-type.ts'

const scalars: Readonly<Record<string, ScalarKind>> = {
  string: 'string',
  bool: 'boolean',
  int: 'integer',
  int32: 'integer',
  int64: 'integer',
  float32: 'number',
  float64: 'number',
  bytes: 'blob',
  'time.Time': 'timestamp',
  'metav1.Time': 'timestamp',
}

/** Names that `parseGoType` knows, for errors. */
export const goScalars: readonly string[] = ['string', 'bool', 'int', 'int64', 'float64', 'time.Time', 'bytes']

/** `*string`, `[]*string`, `map[string]*string`; nothing when it is none of them. */
export function parseGoType(notation: string): FieldType | undefined {
  const text = notation.trim()
  if (text.startsWith('*')) return parseGoType(text.slice(1))
  if (text === '[]byte') return { kind: 'blob' }
  if (text.startsWith('[]')) {
    const element = parseGoType(text.slice(2))
    return element === undefined ? undefined : { kind: 'list', element }
  }
  if (text.startsWith('map[string]')) {
    const value = parseGoType(text.slice('map[string]'.length))
    return value === undefined ? undefined : { kind: 'map', value }
  }
  const kind = Object.hasOwn(scalars, text) ? scalars[text] : undefined
  return kind === undefined ? undefined : { kind }
}

/** The name in `json:"name,omitempty"`. */
export function jsonNameOf(goTag: string): string | undefined {
  return /json:"([^",]+)/.exec(goTag)?.[1]
}
