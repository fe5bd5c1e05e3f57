// Where what is differs from what is wanted (P7). `wanted` speaks only of some fields; a field that it does not name is nobody's
// business, unless the server remembers that we set it once (managedFields): then it is a left-over and has to go.
import { isRecord } from '#base'
import type { ManagedFieldsEntry } from '#kube'

/** A place in an object: names and positions. */
export type Path = readonly (string | number)[]

type Json = Readonly<Record<string, unknown>>

/**
 * The first field, by its path, in which `actual` is not as `wanted` says; `undefined` when all are. `owned` are our field sets as the
 * server remembers them (`fieldsV1`): they tell which lists are sets or maps, of which others may own items, and which are one value.
 */
export function findDifference(wanted: unknown, actual: unknown, owned: readonly Json[] = [], at: Path = []): Path | undefined {
  if (isRecord(wanted)) {
    if (!isRecord(actual)) return isEmpty(wanted) && actual === undefined ? undefined : at
    for (const [name, value] of Object.entries(wanted)) {
      if (value === undefined) continue
      const found = findDifference(value, actual[name], below(owned, `f:${name}`), [...at, name])
      if (found !== undefined) return found
    }
    return undefined
  }
  if (Array.isArray(wanted)) {
    if (!Array.isArray(actual)) return wanted.length === 0 && actual === undefined ? undefined : at
    return isAssociative(owned, at) ? findItemDifference(wanted, actual, owned, at) : findListDifference(wanted, actual, at)
  }
  return Object.is(wanted, actual) || (wanted === null && actual === undefined) ? undefined : at
}

/** Places that we set in the past (by the manager's field sets), that are still there and not wanted any more. */
export function findLeftovers(
  wanted: Json,
  actual: Json,
  entries: readonly ManagedFieldsEntry[],
): readonly { readonly path: Path; readonly value: unknown }[] {
  const found: { path: Path; value: unknown }[] = []
  for (const entry of entries) {
    if (entry.fieldsV1 !== undefined) collectLeftovers(entry.fieldsV1, wanted, actual, [], found)
  }
  return found
}

/** Deep equality of JSON values; the order of names does not count, and `undefined` is the same as absent. */
export function isEqualJson(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((value, index) => isEqualJson(value, b[index]))
  }
  if (!isRecord(a) || !isRecord(b)) return false
  for (const name of Object.keys(a)) if (!isEqualJson(a[name], b[name])) return false
  // A member whose value is undefined counts as absent.
  for (const name of Object.keys(b)) if (b[name] !== undefined && !Object.hasOwn(a, name)) return false
  return true
}

/** One value: others cannot own a part of it. */
function findListDifference(wanted: readonly unknown[], actual: readonly unknown[], at: Path): Path | undefined {
  if (wanted.length !== actual.length) return at
  for (const [index, item] of wanted.entries()) {
    const found = findDifference(item, actual[index], [], [...at, index])
    if (found !== undefined) return found
  }
  return undefined
}

/** A list that is a set or a map: our entries have to be there, and entries of others may be. */
function findItemDifference(
  wanted: readonly unknown[],
  actual: readonly unknown[],
  owned: readonly Json[],
  at: Path,
): Path | undefined {
  for (const [index, item] of wanted.entries()) {
    const keys = keysOfItem(item, owned)
    const twin = actual.find(one => (keys === undefined ? isEqualJson(item, one) : hasSameKeys(item as Json, one, keys)))
    if (twin === undefined) return [...at, index]
    const found = findDifference(item, twin, itemsBelow(owned, twin), [...at, index])
    if (found !== undefined) return found
  }
  return undefined
}

/** Lists in metadata are known; of all others the field sets tell. */
function isAssociative(owned: readonly Json[], at: Path): boolean {
  if (at[0] === 'metadata' && (at[1] === 'finalizers' || at[1] === 'ownerReferences')) return true
  return owned.some(fields => Object.keys(fields).some(step => step.startsWith('k:') || step.startsWith('v:')))
}

/** The names of the fields that make the key of a list's items; `undefined` for a set of plain values. */
function keysOfItem(item: unknown, owned: readonly Json[]): readonly string[] | undefined {
  if (!isRecord(item)) return undefined
  for (const fields of owned) {
    const step = Object.keys(fields).find(one => one.startsWith('k:'))
    const keys = step === undefined ? undefined : parseJson(step.slice(2))
    if (isRecord(keys)) return Object.keys(keys)
  }
  return item.uid === undefined ? ['name'] : ['uid']
}

function hasSameKeys(item: Json, other: unknown, keys: readonly string[]): boolean {
  // A key that is not stated (a port's protocol) is one that the server fills in.
  return isRecord(other) && keys.every(key => item[key] === undefined || item[key] === other[key])
}

function below(owned: readonly Json[], step: string): readonly Json[] {
  return owned.map(fields => fields[step]).filter(isRecord)
}

function itemsBelow(owned: readonly Json[], item: unknown): readonly Json[] {
  return owned.flatMap(fields =>
    Object.entries(fields)
      .filter(([step]) => step.startsWith('k:') && findDifference(parseJson(step.slice(2)), item) === undefined)
      .map(([, fieldsBelow]) => fieldsBelow)
      .filter(isRecord),
  )
}

/** Walks a `fieldsV1` tree: `f:name` is a field, `k:{…}` an item by its keys, `v:…` an item by its value, `.` the thing itself. */
function collectLeftovers(
  fields: Json,
  wanted: unknown,
  actual: unknown,
  at: Path,
  found: { path: Path; value: unknown }[],
): void {
  for (const [step, fieldsBelow] of Object.entries(fields)) {
    const place = resolveStep(step, actual)
    if (place === undefined) continue
    const nextWanted = wantedAt(step, place.name, wanted)
    const path = [...at, place.name]
    if (nextWanted !== undefined) {
      if (!isLeaf(fieldsBelow)) collectLeftovers(fieldsBelow as Json, nextWanted, place.value, path, found)
    } else if (isLeaf(fieldsBelow) || (step.startsWith('k:') && '.' in (fieldsBelow as Json))) {
      found.push({ path, value: place.value })
    } else {
      collectLeftovers(fieldsBelow as Json, undefined, place.value, path, found)
    }
  }
}

function resolveStep(step: string, actual: unknown): { readonly name: string | number; readonly value: unknown } | undefined {
  if (step.startsWith('f:')) {
    const name = step.slice(2)
    return isRecord(actual) && actual[name] !== undefined ? { name, value: actual[name] } : undefined
  }
  if (!Array.isArray(actual)) return undefined
  if (step.startsWith('k:')) {
    const keys = parseJson(step.slice(2))
    const index = actual.findIndex(item => isRecord(item) && isRecord(keys) && findDifference(keys, item) === undefined)
    return index < 0 ? undefined : { name: index, value: actual[index] }
  }
  if (step.startsWith('v:')) {
    const value = parseJson(step.slice(2))
    const index = actual.findIndex(item => isEqualJson(item, value))
    return index < 0 ? undefined : { name: index, value }
  }
  return undefined
}

function wantedAt(step: string, name: string | number, wanted: unknown): unknown {
  if (step.startsWith('f:')) return isRecord(wanted) ? wanted[name] : undefined
  if (!Array.isArray(wanted)) return undefined
  if (step.startsWith('k:')) {
    const keys = parseJson(step.slice(2))
    return wanted.find(
      item =>
        isRecord(item) &&
        isRecord(keys) &&
        Object.entries(keys).every(([key, value]) => item[key] === undefined || item[key] === value),
    )
  }
  const value = parseJson(step.slice(2))
  return wanted.find(item => isEqualJson(item, value))
}

function isLeaf(below: unknown): boolean {
  return !isRecord(below) || isEmpty(below)
}

function isEmpty(value: Json): boolean {
  for (const _ in value) return false
  return true
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
