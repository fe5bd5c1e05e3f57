// Strategic merge patches: maps merge, lists merge by key where the kind says so, and directives say the rest.
import { goText, goType } from '../go-text.ts'
import { isList, isObject, type Json, type JsonObject, setKey } from '../json.ts'
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
    if (wanted === 'replace') return rest
    if (wanted === 'delete') return {}
    throw new Unfit(`unknown patch type: ${goWord(wanted)} in map: ${goText(patch)}`)
  }
  const out: Record<string, Json> = retained(current, patch)
  for (const key of Object.keys(patch)) {
    if (key === directive || key === retainKeys || key.startsWith(setOrder)) continue
    if (key === setOrder.slice(0, -1)) throw new Malformed('invalid patch format of setElementOrder list')
    if (key.startsWith(deleteFrom)) removePrimitives(out, key.slice(deleteFrom.length), patch[key] as Json)
    else mergeKey(shape, out, patch, key)
  }
  orderAlone(shape, out, patch)
  return out
}

/** As Go prints a value where it was promised a text. */
function goWord(value: Json): string {
  if (typeof value === 'string' || isList(value) || isObject(value)) return goText(value)
  return value === null ? '%!s(<nil>)' : `%!s(${goType(value)}=${goText(value)})`
}

/** `$retainKeys` names the keys that may stay; the patch may set no others. */
function retained(current: JsonObject, patch: JsonObject): Record<string, Json> {
  const keys = patch[retainKeys]
  if (keys === undefined) return { ...current }
  if (!isList(keys)) throw new Malformed('invalid patch format of retainKeys')
  const kept = new Set(keys)
  for (const key of Object.keys(patch)) {
    if (!key.startsWith('$') && patch[key] !== null && !kept.has(key)) {
      throw new Malformed('invalid patch format of retainKeys')
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
  if (isObject(value) && isObject(old) && field?.patch?.replace === true) setKey(out, key, value)
  else if (isObject(value)) setOrForget(out, key, isObject(old) ? mergeMap(below, old, value) : firstSet(value))
  else if (isList(value)) setKey(out, key, mergeList({ below, traits: field?.patch, old, value, order: patch[setOrder + key] }))
  else setKey(out, key, value)
}

function setOrForget(out: Record<string, Json>, key: string, value: JsonObject | undefined): void {
  if (value === undefined) delete out[key]
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
  if (traits?.merge !== true) return value
  const key = traits.mergeKey
  if (!isList(old)) {
    checkOrder(value, order, key)
    return strippedList(value)
  }
  const current = old
  checkOneKind(current, value)
  checkOrder(value, order, key)
  if (key === undefined || isPrimitiveList(value, current)) return mergePrimitiveList(current, value, order)
  return mergeItems({ items: below.kind === 'list' ? below.items : untyped, key, current, value, order })
}

/** A list that is merged holds maps or texts, on both sides the same. */
function checkOneKind(current: readonly Json[], value: readonly Json[]): void {
  const kinds = new Set([...current, ...value].map(item => goType(item)))
  if (kinds.size > 1) throw new Unfit(`list element types are not identical: ${goText([current, value])}`)
}

/** An order that comes with a patch of its list names what the patch sets, in the same order. */
function checkOrder(value: readonly Json[], order: Json | undefined, key: string | undefined): void {
  const listed = orderList(order)
  if (listed === undefined || listed.length === 0) return
  const set = value.filter(item => !(isObject(item) && item[directive] === 'delete'))
  const nameOf = (item: Json, mustHave: boolean): string => textOf(key === undefined ? item : keyOf(item, key, mustHave))
  let place = 0
  for (const entry of listed) if (place < set.length && nameOf(entry, true) === nameOf(set[place] as Json, false)) place++
  if (place === set.length) return
  throw new Unfit(`The order in patch list:\n${goText(value)}\n doesn't match $setElementOrder list:\n${goText(listed)}\n`)
}

function keyOf(item: Json, key: string, mustHave: boolean): Json {
  if (!isObject(item)) throw new Unfit(`expected a map[string]interface {}, but received a ${goType(item)}`)
  const name = item[key]
  if (name === undefined && mustHave) throw new Unfit(`map: ${goText(item)} does not contain declared merge key: ${key}`)
  return name ?? null
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
  const directives = value.map(item => (isObject(item) ? item[directive] : undefined))
  checkDirectives(value, directives)
  if (directives.includes('replace'))
    return value.filter((_, index) => directives[index] === undefined).map(item => named(item, key))
  const out = new KeyedItems(current, key)
  for (const item of value) {
    const name = isObject(item) ? item[key] : undefined
    if (!isObject(item) || name === undefined) {
      throw new Unfit(`map: ${goText(item)} does not contain declared merge key: ${key}`)
    }
    mergeItem(items, out, name, item)
  }
  return ordered(out.left(), {
    listed: orderList(order) ?? value,
    live: current,
    name: item => (isObject(item) ? (item[key] ?? null) : item),
  })
}

/** What an item may say to a list that is there: that it is deleted, or that the list is replaced by the items that say nothing. */
function checkDirectives(value: readonly Json[], directives: readonly (Json | undefined)[]): void {
  for (const [index, wanted] of directives.entries()) {
    if (wanted === undefined || wanted === 'delete' || wanted === 'replace') continue
    if (wanted === 'merge') throw new Unfit('merging lists cannot yet be specified in the patch')
    throw new Unfit(`unknown patch type: ${goWord(wanted)} in map: ${goText(value[index])}`)
  }
}

function named(item: Json, key: string): Json {
  if (isObject(item) && item[key] !== undefined) return item
  throw new Unfit(`map: ${goText(item)} does not contain declared merge key: ${key}`)
}

function mergeItem(items: MergeShape, out: KeyedItems, name: Json, item: JsonObject): void {
  if (item[directive] === 'delete') return out.remove(name)
  const old = out.get(name)
  const set = old === undefined ? firstSet(item) : mergeMap(items, old, item)
  if (set !== undefined) out.set(name, set)
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
  if (!isList(order)) throw new Unfit(`expected a []interface {}, but received a ${goType(order)}`)
  return order
}

function removePrimitives(out: Record<string, Json>, field: string, values: Json): void {
  // What is no list names nothing that could be taken out.
  if (!isList(values)) return
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

/** What is set for the first time loses its nulls, and is not read for directives, which decoding finds there; one that says what to do with what is there leaves nothing. */
function firstSet(value: JsonObject): JsonObject | undefined {
  return value[directive] === undefined ? stripped(value) : undefined
}

function stripped(value: JsonObject): JsonObject {
  const out: Record<string, Json> = {}
  for (const key of Object.keys(value)) {
    const item = value[key] as Json
    if (item === null) continue
    if (isObject(item)) setOrForget(out, key, firstSet(item))
    else if (isList(item)) setKey(out, key, strippedList(item))
    else setKey(out, key, item)
  }
  return out
}

function strippedList(list: readonly Json[]): Json {
  return list
    .filter(item => !(isObject(item) && item[directive] !== undefined))
    .map(item => (isObject(item) ? stripped(item) : item))
}
