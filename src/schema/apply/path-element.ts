// Path elements: how an item of a list is named by its keys or its value, and how paths read in messages.
import { goNumber } from '../go-text.ts'
import { isObject, type Json, type JsonObject, renderJson } from '../json.ts'
import type { MergeList } from '../shape.ts'

/** The element of an item of a set or a keyed list; undefined (with a reason) when the item has no such name. */
export function elementOf(list: MergeList, item: Json): string | ElementProblem {
  if (list.how === 'set') return setElement(item)
  if (!isObject(item)) return mapElement(list, item)
  const cached = named.get(item)
  if (cached !== undefined && cached.list === list) return cached.element
  const element = mapElement(list, item)
  named.set(item, { list, element })
  return element
}

/** Items are values and keep their names; one apply asks for each of them many times. */
const named = new WeakMap<JsonObject, { readonly list: MergeList; readonly element: string | ElementProblem }>()

export interface ElementProblem {
  readonly problem: string
}

function setElement(item: Json): string | ElementProblem {
  if (item === null) return { problem: "associative list without keys has an element that's an explicit null" }
  if (isObject(item)) return { problem: "associative list without keys has an element that's a map type" }
  if (typeof item === 'object') return { problem: 'not supported: associative list with lists as elements' }
  return `v:${renderJson(item)}`
}

function mapElement(list: MergeList, item: Json): string | ElementProblem {
  if (!isObject(item)) {
    return {
      problem:
        item === null
          ? 'associative list with keys may not have a null element'
          : 'associative list with keys may not have non-map elements',
    }
  }
  if (list.keys.length === 1) {
    const key = list.keys[0] as string
    const value = keyValue(list, item[key], key)
    return value === undefined ? missingKeys(list) : `k:{${JSON.stringify(key)}:${renderJson(value)}}`
  }
  const parts: string[] = []
  for (const key of sortedKeys(list)) {
    const value = keyValue(list, item[key], key)
    if (value !== undefined) parts.push(`${JSON.stringify(key)}:${renderJson(value)}`)
  }
  if (parts.length === 0) return missingKeys(list)
  return `k:{${parts.join(',')}}`
}

function missingKeys({ keys }: MergeList): ElementProblem {
  const names = keys.map(key => JSON.stringify(key)).join(' ')
  return {
    problem: `associative list with keys has an element that omits all key fields [${names}] (and doesn't have default values for any key fields)`,
  }
}

function keyValue(list: MergeList, value: Json | undefined, key: string): Json | undefined {
  if (value !== undefined) return value
  return list.items.kind === 'map' ? list.items.fields[key]?.default : undefined
}

const sorted = new WeakMap<MergeList, readonly string[]>()

function sortedKeys(list: MergeList): readonly string[] {
  let keys = sorted.get(list)
  if (keys === undefined) {
    keys = [...list.keys].sort()
    sorted.set(list, keys)
  }
  return keys
}

/** `.spec.ports[port=80,protocol="TCP"].name`. */
export function renderPath(path: readonly string[]): string {
  return path.map(renderElement).join('')
}

export function renderElement(element: string): string {
  const text = element.slice(2)
  switch (element.charAt(0)) {
    case 'f':
      return `.${text}`
    case 'k':
      return `[${Object.entries(JSON.parse(text) as Record<string, Json>)
        .map(([key, value]) => `${key}=${typeof value === 'number' ? goNumber(value) : renderJson(value)}`)
        .join(',')}]`
    case 'v':
      return `[=${text}]`
    default:
      return `[${text}]`
  }
}
