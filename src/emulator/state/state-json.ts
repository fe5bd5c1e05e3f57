// State as JSON text and back: plain values, `SortedMap`s and bytes. Everything that an emulated service keeps must be made of
// these, which is what makes snapshots possible (§15.4).
import { Bug } from '#base'
import { SortedMap } from './sorted-map.ts'

export function renderState(state: unknown): string {
  return JSON.stringify(encoded(state))
}

export function parseState(text: string): unknown {
  return decoded(JSON.parse(text))
}

function encoded(value: unknown): unknown {
  if (value === null || typeof value === 'string' || typeof value === 'boolean' || value === undefined) return value
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new Bug('a number that JSON cannot hold is in the state', { value: String(value) })
    return value
  }
  if (value instanceof SortedMap) return { $map: Array.from(value, ([key, held]) => [key, encoded(held)]) }
  if (value instanceof Uint8Array) return { $bytes: Buffer.from(value).toString('base64') }
  if (Array.isArray(value)) return value.map(encoded)
  if (typeof value !== 'object' || Object.getPrototypeOf(value) !== Object.prototype) {
    throw new Bug('state holds something that is neither plain, nor a SortedMap, nor bytes', { type: typeof value })
  }
  return Object.fromEntries(Object.entries(value).map(([key, held]) => [key.startsWith('$') ? `$${key}` : key, encoded(held)]))
}

function decoded(value: unknown): unknown {
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map(decoded)
  const entries = Object.entries(value)
  const [first] = entries
  if (first?.[0] === '$map') return SortedMap.from((first[1] as [string, unknown][]).map(([key, held]) => [key, decoded(held)]))
  if (first?.[0] === '$bytes') return new Uint8Array(Buffer.from(first[1] as string, 'base64'))
  return Object.fromEntries(entries.map(([key, held]) => [key.startsWith('$$') ? key.slice(1) : key, decoded(held)]))
}
