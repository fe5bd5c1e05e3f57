// Strategic merge patches: maps merge, lists merge by key where the kind says so, and directives say the rest.
import { isList, isObject, type Json, type JsonObject, renderJson, setKey } from '../json.ts'
import { type MapField, type MergeShape, type PatchTraits, untyped } from '../shape.ts'
import { mergePrimitiveList, ordered, textOf } from './lists.ts'

export type StrategicResult =
  | { readonly kind: 'patched'; readonly object: JsonObject }
  /** 400: a directive that is none. */
  | { readonly kind: 'malformed'; readonly message: string }
  /** 422: the patch does not fit the object (an item without its merge key). */
  | { readonly kind: 'unfit'; readonly message: string }

export function strategicMergePatch(current: JsonObject, patch: JsonObject, shape: MergeShape): StrategicResult {
  try {
    return { kind: 'patched', object: mergeMap(shape, current, patch) }
  } catch (error) {
    if (error instanceof Malformed) return { kind: 'malformed', message: error.message }
    if (error instanceof Unfit) return { kind: 'unfit', message: error.message }
    throw error
  }
}

class Malformed extends Error {}
class Unfit extends Error {}

const directive = '$patch'
const retainKeys = '$retainKeys'
const deleteFrom = '$deleteFromPrimitiveList/'
const setOrder = '$setElementOrder/'

function mergeMap(shape: MergeShape, current: JsonObject, patch: JsonObject): JsonObject {
  const wanted = patch[directive]
  if (wanted !== undefined) {
    const { [directive]: _, ...rest } = patch
    if (wanted === 'replace') return stripped(rest)
    if (wanted === 'delete') return {}
    if (wanted !== 'merge') throw new Malformed(`Unknown patch type: ${describe(wanted)}`)
  }
  const out: Record<string, Json> = retained(current, patch)
  for (const key of Object.keys(patch)) {
    if (key === directive || key === retainKeys || key.startsWith(setOrder)) continue
    if (key.startsWith(deleteFrom)) removePrimitives(out, key.slice(deleteFrom.length), patch[key] as Json)
    else mergeKey(shape, out, patch, key)
  }
  orderAlone(shape, out, patch)
  return out
}

function describe(value: Json): string {
  return typeof value === 'string' ? value : renderJson(value)
}

/** `$retainKeys` names the keys that may stay; the patch may set no others. */
function retained(current: JsonObject, patch: JsonObject): Record<string, Json> {
  const keys = patch[retainKeys]
  if (keys === undefined) return { ...current }
  if (!isList(keys)) throw new Malformed('wrong type of $retainKeys: want a list')
  const kept = new Set(keys)
  for (const key of Object.keys(patch)) {
    if (!key.startsWith('$') && patch[key] !== null && !kept.has(key)) {
      throw new Malformed('some keys in retainKeys list were not set in the patch or not in the list')
    }
  }
  return Object.fromEntries(Object.entries(current).filter(([key]) => kept.has(key)))
}

function mergeKey(shape: MergeShape, out: Record<string, Json>, patch: JsonObject, key: string): void {
  const value = patch[key] as Json
  if (value === null) {
    delete out[key]
    return
  }
  const field = fieldOf(shape, key)
  const below = field?.shape ?? restOf(shape)
  const old = Object.hasOwn(out, key) ? out[key] : undefined
  if (isObject(value)) setKey(out, key, mergeMap(below, isObject(old) ? old : {}, value))
  else if (isList(value)) setKey(out, key, mergeList({ below, traits: field?.patch, old, value, order: patch[setOrder + key] }))
  else setKey(out, key, value)
}

function fieldOf(shape: MergeShape, key: string): MapField | undefined {
  return shape.kind === 'map' ? shape.fields[key] : undefined
}

function restOf(shape: MergeShape): MergeShape {
  return shape.kind === 'map' ? (shape.rest ?? untyped) : untyped
}

interface ListMerge {
  readonly below: MergeShape
  readonly traits: PatchTraits | undefined
  readonly old: Json | undefined
  readonly value: readonly Json[]
  readonly order: Json | undefined
}

function mergeList({ below, traits, old, value, order }: ListMerge): Json {
  if (traits?.merge !== true) return value.map(item => (isObject(item) ? stripped(item) : item))
  const current = isList(old) ? old : []
  const key = traits.mergeKey
  if (key === undefined || isPrimitiveList(value, current)) return mergePrimitiveList(current, value, order)
  return mergeItems({ items: below.kind === 'list' ? below.items : untyped, key, current, value, order })
}

function isPrimitiveList(value: readonly Json[], current: readonly Json[]): boolean {
  const [first] = value.length > 0 ? value : current
  return first !== undefined && !isObject(first)
}

interface ItemsMerge {
  readonly items: MergeShape
  readonly key: string
  readonly current: readonly Json[]
  readonly value: readonly Json[]
  readonly order: Json | undefined
}

function mergeItems({ items, key, current, value, order }: ItemsMerge): Json {
  const replaces = (item: Json): boolean => isObject(item) && item[directive] === 'replace' && item[key] === undefined
  if (value.some(replaces)) return value.filter(item => !replaces(item)).map(item => (isObject(item) ? stripped(item) : item))
  const out = new KeyedItems(current, key)
  for (const item of value) {
    const name = isObject(item) ? item[key] : undefined
    if (!isObject(item) || name === undefined) {
      throw new Unfit(`map: ${isObject(item) ? goMap(item) : renderJson(item)} does not contain declared merge key: ${key}`)
    }
    mergeItem(items, out, name, item)
  }
  return ordered(out.left(), {
    listed: orderList(order) ?? value,
    live: current,
    name: item => (isObject(item) ? (item[key] ?? null) : item),
  })
}

function mergeItem(items: MergeShape, out: KeyedItems, name: Json, item: JsonObject): void {
  const wanted = item[directive]
  if (wanted === 'delete') return out.remove(name)
  if (wanted !== undefined && wanted !== 'replace' && wanted !== 'merge') {
    throw new Unfit(`unknown patch type: ${describe(wanted)} in map: ${goMap(item)}`)
  }
  out.set(name, mergeMap(items, out.get(name) ?? {}, item))
}

/** A list whose items are found by their merge key; of several with one key the first is meant, and all go together. */
class KeyedItems {
  readonly #items: (Json | undefined)[]
  readonly #places = new Map<string, number[]>()

  constructor(items: readonly Json[], key: string) {
    this.#items = [...items]
    for (const [place, item] of items.entries()) if (isObject(item)) this.#placesOf(item[key]).push(place)
  }

  get(name: Json): JsonObject | undefined {
    return this.#items[this.#placesOf(name)[0] ?? -1] as JsonObject | undefined
  }

  set(name: Json, item: JsonObject): void {
    const places = this.#placesOf(name)
    if (places.length === 0) places.push(this.#items.length)
    this.#items[places[0] as number] = item
  }

  remove(name: Json): void {
    for (const place of this.#placesOf(name).splice(0)) this.#items[place] = undefined
  }

  left(): Json[] {
    return this.#items.filter(item => item !== undefined)
  }

  #placesOf(name: Json | undefined): number[] {
    const text = name === undefined ? '' : textOf(name)
    let places = this.#places.get(text)
    if (places === undefined) this.#places.set(text, (places = []))
    return places
  }
}

function orderList(order: Json | undefined): readonly Json[] | undefined {
  if (order === undefined) return undefined
  if (!isList(order)) throw new Malformed('wrong type of $setElementOrder: want a list')
  return order
}

function removePrimitives(out: Record<string, Json>, field: string, values: Json): void {
  if (!isList(values)) throw new Malformed(`wrong type of ${deleteFrom}${field}: want a list`)
  const list = out[field]
  const gone = new Set(values.map(textOf))
  if (isList(list)) out[field] = list.filter(item => !gone.has(textOf(item)))
}

/** An order may come without a patch of its list: then the live list alone is put in order. */
function orderAlone(shape: MergeShape, out: Record<string, Json>, patch: JsonObject): void {
  for (const key of Object.keys(patch)) {
    if (!key.startsWith(setOrder)) continue
    const field = key.slice(setOrder.length)
    const listed = orderList(patch[key])
    const list = out[field]
    if (patch[field] !== undefined || listed === undefined || !isList(list)) continue
    const itemKey = fieldOf(shape, field)?.patch?.mergeKey
    const nameOf = (item: Json): Json => (isObject(item) && itemKey !== undefined ? (item[itemKey] ?? null) : item)
    out[field] = ordered(list, { listed, live: list, name: nameOf })
  }
}

/** What is set for the first time loses its directives and nulls. */
function stripped(value: JsonObject): JsonObject {
  const out: Record<string, Json> = {}
  for (const key of Object.keys(value)) {
    const item = value[key] as Json
    if (key.startsWith('$') || item === null) continue
    if (isObject(item)) setKey(out, key, stripped(item))
    else if (isList(item)) setKey(out, key, strippedList(item))
    else setKey(out, key, item)
  }
  return out
}

function strippedList(list: readonly Json[]): Json {
  return list
    .filter(item => !(isObject(item) && item[directive] === 'delete'))
    .map(item => (isObject(item) ? stripped(item) : item))
}

function goMap(value: JsonObject): string {
  const parts = Object.keys(value)
    .sort()
    .map(key => `${key}:${describe(value[key] as Json)}`)
  return `map[${parts.join(' ')}]`
}
