// State as JSON text and back: plain values, `SortedMap`s and bytes. Everything that an emulated service keeps must be made of
// these, which is what makes snapshots possible (§15.4).
import { Bug } from '#base'
import { SortedMap } from './sorted-map.ts'

/** What a service keeps at one place, as a snapshot has it. */
export interface StoredState {
  readonly account: string
  readonly region: string
  readonly state: unknown
}

export function renderState(state: unknown): string {
  return JSON.stringify(encoded(state))
}

/**
 * Parts of a state as a snapshot has them, map by map. What a map holds is never changed in place, so what was rendered once is handed out
 * again for as long as it is held; nobody may change it.
 */
export class PlainState {
  readonly #known = new WeakMap<object, unknown>()

  of(value: unknown): unknown {
    if (value instanceof SortedMap)
      return this.#once(value, () => ({ $map: Array.from(value, ([key, held]) => [key, this.of(held) ?? null]) }))
    if (typeof value !== 'object' || value === null) return value
    return this.#once(value, () => (holdsMaps(value) ? this.#members(value) : (JSON.parse(renderState(value)) as unknown)))
  }

  #members(value: object): unknown {
    const members = Object.entries(value).filter(([, member]) => member !== undefined)
    return Object.fromEntries(members.map(([name, member]) => [escaped(name), this.of(member)]))
  }

  #once(value: object, render: () => unknown): unknown {
    const known = this.#known.get(value)
    if (known !== undefined) return known
    const rendered = render()
    this.#known.set(value, rendered)
    return rendered
  }
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
  return Object.fromEntries(Object.entries(value).map(([key, held]) => [escaped(key), encoded(held)]))
}

/** A service's tables, or what a row has of them; whatever lies deeper is rendered as one. */
function holdsMaps(value: object): boolean {
  return Object.getPrototypeOf(value) === Object.prototype && Object.values(value).some(member => member instanceof SortedMap)
}

/** A name that looks like one of our marks. */
function escaped(name: string): string {
  return name.startsWith('$') ? `$${name}` : name
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
